//! How long a running server takes to answer, seen from the other end of the pipe.

use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use serde_json::json;

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
        starts.push(milliseconds(start));
    }
    let mut client = Client::start(&binary, &options.folder)?;
    let symbols = symbols(&mut client)?;
    let (memory, handles) = soak::held(client.process())?;
    println!("| what | p50 ms | p99 ms |\n|---|---:|---:|");
    row("start to first answer", starts);
    for (tool, parameter, values) in [
        ("query", "term", &symbols.names),
        ("find", "name", &symbols.names),
        ("signature", "file", &symbols.files),
        ("callers", "symbol", &symbols.full_names),
        ("context", "task", &symbols.names),
    ] {
        let list = client.request("tools/list", &json!({}))?.to_string();
        if !list.contains(&format!("codegraph_{tool}\"")) {
            continue;
        }
        let mut times = Vec::new();
        for value in values.iter().cycle().take(options.calls) {
            let start = Instant::now();
            let answer = client.call(tool, &json!({parameter: value}))?;
            times.push(milliseconds(start));
            ensure!(!answer.wrong, "{tool} {value}: {}", answer.text);
        }
        row(tool, times);
    }
    println!("\nidle: {} MB, {handles} handles", memory / 1_000_000);
    Ok(ExitCode::SUCCESS)
}

struct Symbols {
    names: Vec<String>,
    full_names: Vec<String>,
    files: Vec<String>,
}

/// Things that are there, from all over the project.
fn symbols(client: &mut Client) -> Result<Symbols> {
    let answer = client.call("find", &json!({"name": "e", "mode": "contains", "limit": 1000}))?;
    let rows = answer.data["symbols"].as_array().context("no symbols")?.clone();
    let texts = |key: &str| -> Vec<String> {
        let mut all: Vec<String> = rows.iter().filter_map(|row| row[key].as_str()).map(str::to_owned).collect();
        all.sort_unstable();
        all.dedup();
        all.into_iter().take(300).collect()
    };
    Ok(Symbols { names: texts("name"), full_names: texts("fqn"), files: texts("file") })
}

fn milliseconds(start: Instant) -> f64 {
    start.elapsed().as_secs_f64() * 1000.0
}

fn row(what: &str, mut times: Vec<f64>) {
    times.sort_by(f64::total_cmp);
    let at = |share: f64| times[((times.len() - 1) as f64 * share).round() as usize];
    println!("| {what} | {:.2} | {:.2} |", at(0.5), at(0.99));
}
