//! `cargo xtask law`: the law on projects that nobody has tried yet. A failure prints the language and the seed, which
//! `CODEGRAPH_LAW_SEEDS` shows again.

use std::process::{Command, ExitCode};
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result};

use crate::workspace;

/// Languages that the law knows.
const TONGUES: u64 = 12;

#[derive(clap::Args)]
pub(crate) struct Options {
    /// How many sequences of edits, over all languages together
    #[arg(long, default_value_t = 10_000, value_name = "N")]
    sequences: u64,
    /// The first seed; a random one if not given
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Only this language
    #[arg(long, value_name = "NAME")]
    language: Option<String>,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).context("the clock is set")?;
    let first = options.seed.unwrap_or(now.as_nanos() as u64 % 1_000_000_000);
    let tongues = if options.language.is_some() { 1 } else { TONGUES };
    let last = first + options.sequences.div_ceil(tongues);
    println!("seeds {first}-{last}");
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(workspace::root()).env("CODEGRAPH_LAW_SEEDS", format!("{first}-{last}"));
    if let Some(language) = &options.language {
        cargo.env("CODEGRAPH_LAW_LANGUAGE", language);
    }
    cargo.args(["test", "--workspace", "--test", "law", "an_updated_index", "--", "--nocapture"]);
    let status = cargo.status().context("cargo could not be started")?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
