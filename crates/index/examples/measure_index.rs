//! Builds the index of a folder and measures build, check and update: `measure_index FOLDER [THREADS]`.
//! With `parse` for THREADS it only parses the files, for comparison.

use std::time::{Duration, Instant};

use codegraph_index::{
    BuildOptions, DoctorOptions, Freshness, InitOptions, Project, Scope, Silent, UpdateOptions, build, check, discover,
    doctor, refresh, update,
};
use codegraph_store::Access;
use rayon::prelude::*;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("give a folder")?;
    let mode = arguments.next();
    if mode.as_deref() == Some("parse") {
        return parse_only(folder.as_ref());
    }
    let threads = mode.map(|text| text.parse()).transpose()?;
    let project = Project::init(folder.as_ref(), &InitOptions::default())?.project;
    let report = build(&project, &BuildOptions { threads, ..BuildOptions::default() }, &Silent)?;
    println!("{}", serde_json::to_string_pretty(&report)?);
    let size = project.index_path().metadata()?.len();
    println!("index {size} bytes, {:.3} of the source", size as f64 / report.source_bytes as f64);
    refresh(&project, &project.store(codegraph_store::Access::Read)?, &UpdateOptions::default())?;
    let mut checks: Vec<Duration> = Vec::new();
    for _ in 0..50 {
        let start = Instant::now();
        let store = project.store(Access::Read)?;
        let freshness = check(&project, &store)?;
        checks.push(start.elapsed());
        assert_eq!(freshness, Freshness::Fresh);
    }
    checks.sort_unstable();
    println!("open and check: fastest {:?}, median {:?}", checks[0], checks[25]);
    let start = Instant::now();
    let report = update(&project, Scope::All, &UpdateOptions::default(), &Silent)?;
    println!("update with nothing changed {:?}: {}", start.elapsed(), report.is_unchanged());
    let health = doctor(&project, &DoctorOptions { full: true, ..DoctorOptions::default() }, &Silent)?;
    println!(
        "doctor: {} files compared in {:.0} ms, {} findings",
        health.compared,
        health.duration_ms,
        health.findings.len()
    );
    for finding in health.findings {
        let first: Vec<String> = finding.paths.iter().take(5).cloned().collect();
        println!(
            "{}: {} ({} files, {first:?}): {}",
            finding.check,
            finding.message,
            finding.paths.len(),
            finding.remedy
        );
    }
    Ok(())
}

/// What the parser alone needs for the same files on all cores.
fn parse_only(folder: &std::path::Path) -> Result<(), Box<dyn std::error::Error>> {
    let project = Project::init(folder, &InitOptions::default())?.project;
    let start = Instant::now();
    let files = discover(&project)?.files;
    let parse = |path: &str| {
        let bytes = std::fs::read(project.absolute(path)).unwrap_or_default();
        codegraph_languages::detect(path, &bytes)
            .is_some_and(|language| codegraph_extract::parse_only(&bytes, language))
    };
    let parsed = files.par_iter().filter(|file| parse(&file.path)).count();
    println!("parsed {parsed} of {} files in {:?}", files.len(), start.elapsed());
    Ok(())
}
