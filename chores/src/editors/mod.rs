//! `cargo xtask editors`: how long language servers take to answer on a project, and how much memory they hold.
//!
//! Every server is asked the same at the same random places: names that the index knows, in files that are open. The first
//! answer is the first definition that is not empty, from the start of the process on.

mod client;
mod places;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::workspace::{self, Profile};
use client::Client;
use places::NamePlace;

#[derive(clap::Args)]
pub(crate) struct Options {
    /// A project; it is indexed if it is not yet
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Endings of the files that are asked about
    #[arg(long, required = true, value_name = "ENDING")]
    ending: Vec<String>,
    /// Another server, as a command line; may be given several times
    #[arg(long, value_name = "COMMAND")]
    beside: Vec<String>,
    /// How many places
    #[arg(long, default_value_t = 200, value_name = "N")]
    places: usize,
    /// Other places for another number
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Leave out what only the first table says
    #[arg(long)]
    brief: bool,
    /// The binary to measure [default: a release build]
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
}

/// What is asked at every place, with what it needs besides the place.
const ASKED: &[&str] = &[
    "textDocument/definition", "textDocument/hover", "textDocument/references", "textDocument/documentHighlight",
    "textDocument/signatureHelp", "textDocument/typeDefinition", "textDocument/implementation",
    "textDocument/prepareRename", "textDocument/prepareCallHierarchy", "textDocument/documentSymbol",
    "textDocument/foldingRange", "textDocument/selectionRange", "textDocument/semanticTokens/full",
    "textDocument/completion", "workspace/symbol",
];

pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let binary = match &options.binary {
        Some(binary) => binary.canonicalize()?,
        None => workspace::build(Profile::Release, &["codegraph"])?.join("codegraph"),
    };
    let folder = options.folder.canonicalize()?;
    workspace::output(Command::new(&binary).current_dir(&folder).args(["init", "."]))?;
    let places = places::pick(&folder, &options.ending, options.places, options.seed)?;
    let own = format!("{} lsp", binary.display());
    println!("| server | first answer ms | definition p50 ms | p99 ms | answered | memory at rest MB |");
    println!("|---|--:|--:|--:|--:|--:|");
    for command in std::iter::once(&own).chain(&options.beside) {
        println!("{}", beside(command, &folder, &places).with_context(|| command.clone())?);
    }
    if !options.brief {
        requests(&own, &folder, &places)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// One server in one row: the least of three starts, then definitions, then silence.
fn beside(command: &str, folder: &Path, places: &[NamePlace]) -> Result<String> {
    let mut starts = Vec::new();
    for _ in 0..3 {
        let start = Instant::now();
        let mut client = Client::start(command, folder)?;
        first_answer(&mut client, places)?;
        starts.push(milliseconds(start.elapsed()));
    }
    let mut client = Client::start(command, folder)?;
    first_answer(&mut client, places)?;
    let (mut times, mut answered) = (Vec::new(), 0);
    for place in places {
        client.open(place)?;
        let result = client.ask("textDocument/definition", &params("textDocument/definition", place))?;
        times.push(milliseconds(client.took));
        answered += usize::from(!is_empty(&result));
    }
    std::thread::sleep(Duration::from_secs(5));
    let least = starts.into_iter().fold(f64::MAX, f64::min);
    let name = command.split(' ').next().and_then(|path| path.rsplit('/').next()).unwrap_or_default();
    let share = 100.0 * answered as f64 / places.len().max(1) as f64;
    Ok(format!("| {name} | {least:.0} | {} | {share:.0} % | {} |", row(&mut times), client.memory() / 1_000_000))
}

/// Asks until something is found: a server that is still reading says that there is nothing.
fn first_answer(client: &mut Client, places: &[NamePlace]) -> Result<()> {
    let most = Instant::now() + Duration::from_secs(300);
    for place in places.iter().take(8) {
        client.open(place)?;
    }
    while Instant::now() < most {
        for place in places.iter().take(8) {
            let result = client.ask("textDocument/definition", &params("textDocument/definition", place))?;
            if !is_empty(&result) {
                return Ok(());
            }
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    anyhow::bail!("no answer in five minutes")
}

fn is_empty(result: &Value) -> bool {
    result.is_null() || result.as_array().is_some_and(Vec::is_empty)
}

/// Every request in one row.
fn requests(command: &str, folder: &Path, places: &[NamePlace]) -> Result<()> {
    let mut client = Client::start(command, folder)?;
    first_answer(&mut client, places)?;
    println!("\n| request | p50 ms | p99 ms | computed: p50 ms | p99 ms |\n|---|--:|--:|--:|--:|");
    for place in places {
        client.open(place)?;
    }
    for method in ASKED {
        let mut times = Times::default();
        for place in places {
            client.ask(method, &params(method, place))?;
            times.add(&client);
        }
        times.print(method);
    }
    // As one types: a letter, then a question about the text as it is now.
    for method in ["textDocument/definition", "textDocument/completion", "textDocument/semanticTokens/full"] {
        let mut times = Times::default();
        for place in places {
            client.edit(place)?;
            client.ask(method, &params(method, place))?;
            times.add(&client);
        }
        times.print(&format!("{method}, after an edit"));
    }
    let busy = client.memory() / 1_000_000;
    std::thread::sleep(Duration::from_secs(5));
    println!("\nmemory: {busy} MB at work, {} MB at rest", client.memory() / 1_000_000);
    Ok(())
}

fn params(method: &str, place: &NamePlace) -> Value {
    let document = json!({"uri": place.uri});
    let position = json!({"line": place.line, "character": place.character});
    match method {
        "textDocument/selectionRange" => json!({"textDocument": document, "positions": [position]}),
        "workspace/symbol" => json!({"query": place.name}),
        "textDocument/references" => {
            json!({"textDocument": document, "position": position, "context": {"includeDeclaration": true}})
        }
        "textDocument/completion" => {
            let end = json!({"line": place.line, "character": place.end});
            json!({"textDocument": document, "position": end})
        }
        _ => json!({"textDocument": document, "position": position}),
    }
}

/// How long a request took, and how much of that was computed.
#[derive(Default)]
struct Times {
    took: Vec<f64>,
    computed: Vec<f64>,
}

impl Times {
    fn add(&mut self, client: &Client) {
        self.took.push(milliseconds(client.took));
        self.computed.push(milliseconds(client.computed));
    }

    fn print(&mut self, name: &str) {
        let name = name.trim_start_matches("textDocument/");
        println!("| {name} | {} | {} |", row(&mut self.took), row(&mut self.computed));
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// Median and 99th percentile as cells of a table.
fn row(times: &mut [f64]) -> String {
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share).round() as usize];
    format!("{:.1} | {:.1}", at(0.5), at(0.99))
}
