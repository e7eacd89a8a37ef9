//! `chores parse`: what every index of these files has to pay at least. Reads and parses them, and drops the trees.

use std::io::Read;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result};
use rayon::prelude::*;

#[derive(clap::Args)]
pub(crate) struct Options {
    folder: PathBuf,
    #[arg(long)]
    threads: usize,
}

/// Parses the files that standard input names, each path ended by a zero byte.
pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input)?;
    let paths: Vec<&str> = input.split_terminator('\0').collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads).build()?;
    let parsed: Result<Vec<bool>> = pool.install(|| paths.par_iter().map(|path| parse(options, path)).collect());
    let complete = parsed?.into_iter().filter(|parsed| *parsed).count();
    println!("{complete} of {} files parsed", paths.len());
    Ok(ExitCode::SUCCESS)
}

fn parse(options: &Options, path: &str) -> Result<bool> {
    let source = std::fs::read(options.folder.join(path)).with_context(|| path.to_owned())?;
    let language = codegraph_languages::detect(path, &source).with_context(|| format!("{path}: no language"))?;
    Ok(codegraph_extract::parse_only(&source, language))
}
