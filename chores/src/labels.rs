//! `cargo xtask labels`: runs or compiles the small programs, and compares what happens with what their labels say.

use std::process::{Command, ExitCode};

use anyhow::{Context, Result};

use crate::workspace;

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Only these languages
    #[arg(value_name = "LANGUAGE")]
    languages: Vec<String>,
    /// Name the labels that stay undecided
    #[arg(long)]
    undecided: bool,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(workspace::root()).env("CODEGRAPH_LABELS", options.languages.join(","));
    if options.undecided {
        cargo.env("CODEGRAPH_LABELS_UNDECIDED", "1");
    }
    cargo.args(["test", "--workspace", "--test", "labels", "labels_say", "--", "--nocapture"]);
    let status = cargo.status().context("cargo could not be started")?;
    Ok(if status.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
