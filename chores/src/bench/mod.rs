//! `cargo xtask bench`: speed, size and memory of codegraph as ratios, all measured in one run on one machine.

mod brief;
mod corpus;
pub(crate) mod linking;
mod measure;
mod place;
mod process;
pub(crate) mod raw;
mod report;
mod sample;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;

use self::measure::{Measured, Tools, measure, measure_briefly};
use crate::workspace::{self, Profile};

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Source trees to measure
    #[arg(required = true, value_name = "DIR")]
    folders: Vec<PathBuf>,
    /// Also put the tables into these files, between their markers
    #[arg(long, value_name = "FILE")]
    out: Vec<PathBuf>,
    /// Threads for raw parsing and for the full index [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Take the best CPU time of so many runs
    #[arg(long, value_name = "N", default_value_t = 3)]
    repeats: usize,
    /// Only the full index and one changed file, a line per tree: lines of the table that are about other trees stay
    #[arg(long)]
    brief: bool,
    /// Measure the programs in this folder instead of building them
    #[arg(long, value_name = "DIR")]
    programs: Option<PathBuf>,
    /// Fail if a bar is missed
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let binaries = match &options.programs {
        Some(folder) => folder.canonicalize()?,
        None => workspace::build(Profile::Release, &["codegraph", "chores"])?,
    };
    let tools = Tools::find(&binaries, options.threads.unwrap_or(cores), options.repeats);
    if options.brief {
        return briefly(options, &tools);
    }
    let all = options.folders.iter().map(|folder| measure(folder, &tools)).collect::<Result<Vec<Measured>>>()?;
    let parts = [("summary", report::summary(&all)), ("details", details(&all, cores, options.repeats))];
    println!("{}\n{}", parts[0].1, parts[1].1);
    for file in &options.out {
        place::put(file, &parts)?;
    }
    let missed = report::missed(&all);
    Ok(verdict(options, &missed))
}

/// A tree after the other, each written down when it is measured.
fn briefly(options: &Options, tools: &Tools) -> Result<ExitCode> {
    let mut missed = Vec::new();
    for folder in &options.folders {
        let measured = measure_briefly(folder, tools)?;
        println!("{}", brief::line(&measured));
        for file in &options.out {
            let table = brief::table(&place::part(file, "brief")?, &measured);
            place::put(file, &[("brief", table)])?;
        }
        missed.extend(brief::missed(&measured));
    }
    Ok(verdict(options, &missed))
}

fn verdict(options: &Options, missed: &[String]) -> ExitCode {
    for bar in missed {
        eprintln!("missed: {bar}");
    }
    let failed = options.check && !missed.is_empty();
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn details(all: &[Measured], cores: usize, repeats: usize) -> String {
    let threads = all.first().map_or(cores, |measured| measured.threads);
    let cpu = processor().unwrap_or_else(|| "unknown processor".to_owned());
    format!("{cores} cores ({cpu}), {threads} threads, at least {repeats} rounds.\n\n{}", report::details(all))
}

fn processor() -> Option<String> {
    let info = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = info.lines().find(|line| line.starts_with("model name"))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}
