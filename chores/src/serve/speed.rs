//! How long a running server takes to answer: inside, and seen from the other end of the pipe.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use codegraph_mcp::{Server, ToolSet};
use serde_json::{Value, json};

use super::client::Client;
use super::{sample, soak};
use crate::workspace::{self, Profile};

#[derive(clap::Args)]
pub(crate) struct Options {
    /// An indexed project
    folder: PathBuf,
    /// The binary to measure [default: a release build]
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// How many calls of each kind
    #[arg(long, value_name = "N", default_value_t = 2000)]
    calls: usize,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let binary = match &options.binary {
        Some(binary) => binary.clone(),
        None => workspace::build(Profile::Release, &["codegraph"])?.join("codegraph"),
    };
    sample::run(Command::new(&binary).arg("update").current_dir(&options.folder))?;
    let mut starts = Vec::new();
    for _ in 0..5 {
        let start = Instant::now();
        let mut client = Client::start(&binary, &options.folder)?;
        client.call("find", &json!({"name": "main"}))?;
        starts.push(milliseconds(start.elapsed()));
    }
    let mut client = Client::start(&binary, &options.folder)?;
    let symbols = symbols(&binary, options)?;
    let (memory, handles) = soak::held(client.process())?;
    let inside = Server::new(&codegraph_mcp::Options {
        tools: ToolSet::All,
        folders: vec![options.folder.clone()],
        ..codegraph_mcp::Options::default()
    });
    println!("| what | p50 ms | p99 ms | inside: p50 ms | p99 ms |\n|---|---:|---:|---:|---:|");
    println!("| start to first answer | {} | | |", row(starts));
    for (tool, parameter, values) in [
        ("query", "term", &symbols.names),
        ("find", "name", &symbols.names),
        ("signature", "file", &symbols.files),
        ("callers", "symbol", &symbols.full_names),
        ("context", "task", &symbols.names),
    ] {
        let (mut times, mut inner) = (Vec::new(), Vec::new());
        for value in values.iter().cycle().take(options.calls) {
            let answer = client.call(tool, &json!({parameter: value}))?;
            times.push(milliseconds(client.took));
            ensure!(!answer.wrong, "{tool} {value}: {}", answer.text);
        }
        // The server's own function, in this process: without the pipe and the client.
        for value in values.iter().cycle().take(options.calls) {
            let start = Instant::now();
            inside.call(&format!("codegraph_{tool}"), json!({parameter: value})).context("no such tool")?;
            inner.push(milliseconds(start.elapsed()));
        }
        println!("| {tool} | {} | {} |", row(times), row(inner));
    }
    println!("\nidle: {} MB, {handles} handles", memory / 1_000_000);
    Ok(ExitCode::SUCCESS)
}

struct Symbols {
    names: Vec<String>,
    full_names: Vec<String>,
    files: Vec<String>,
}

/// Symbols from all over the project: ids are hashes, so their order is a random one that is always the same. What
/// there is much of comes often, as in the questions of a user.
fn symbols(binary: &Path, options: &Options) -> Result<Symbols> {
    let ask = |column: &str, list: &str| -> Result<Vec<String>> {
        let limit = options.calls.to_string();
        let mut sql = Command::new(binary);
        sql.args(["sql", "--json", "--limit", &limit, list]).current_dir(&options.folder);
        let answer: Value = serde_json::from_slice(&sql.output()?.stdout)?;
        let rows = answer["data"]["rows"].as_array().filter(|rows| !rows.is_empty()).context("no symbols")?;
        Ok(rows.iter().filter_map(|row| row[column].as_str()).map(str::to_owned).collect())
    };
    let of_symbols =
        |column: &str| ask(column, &format!("SELECT {column} FROM symbols WHERE name <> '' ORDER BY symbol_id"));
    Ok(Symbols {
        names: of_symbols("name")?,
        full_names: of_symbols("fqn")?,
        files: ask("path", "SELECT path FROM files WHERE symbols > 1 ORDER BY hash")?,
    })
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

/// Median and 99th percentile as cells of a table.
fn row(mut times: Vec<f64>) -> String {
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share).round() as usize];
    format!("{:.2} | {:.2}", at(0.5), at(0.99))
}
