//! `chores link`: makes an index, and prints as JSON which share of its CPU seconds linking took, and what was not read.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Mutex;

use anyhow::{Context, Result};
use codegraph_index::{BuildOptions, InitOptions, Phase, Progress, Project, build};
use rustix::time::{ClockId, clock_gettime};

#[derive(clap::Args)]
pub(crate) struct Options {
    folder: PathBuf,
    #[arg(long)]
    threads: usize,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let project = Project::init(&options.folder, &InitOptions::default())?.project;
    let watch = Watch::default();
    let build = build(&project, &BuildOptions { threads: Some(options.threads), ..BuildOptions::default() }, &watch)?;
    let begun = watch.begun.into_inner().expect("no listener has panicked");
    let at = |phase: Phase| begun.iter().find(|(begun, _)| *begun == phase).map(|(_, cpu)| *cpu);
    let linking = at(Phase::Finish).zip(at(Phase::Link)).map(|(end, start)| end - start);
    let share = linking.context("a build links before it finishes")? / cpu_seconds();
    println!("{}", serde_json::json!({ "linking": share, "skipped": build.skipped }));
    Ok(ExitCode::SUCCESS)
}

/// Notes the CPU time of this process whenever a phase begins.
#[derive(Default)]
struct Watch {
    begun: Mutex<Vec<(Phase, f64)>>,
}

impl Progress for Watch {
    fn begin(&self, phase: Phase, _: u64) {
        self.begun.lock().expect("no listener has panicked").push((phase, cpu_seconds()));
    }
}

fn cpu_seconds() -> f64 {
    let now = clock_gettime(ClockId::ProcessCPUTime);
    now.tv_sec as f64 + now.tv_nsec as f64 / 1e9
}
