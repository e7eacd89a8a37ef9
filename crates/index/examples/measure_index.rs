//! Builds the index of a folder and measures build, check and update: `measure_index FOLDER [THREADS]`.

use std::time::{Duration, Instant};

use codegraph_index::{
    BuildOptions, Freshness, InitOptions, Project, Scope, Silent, UpdateOptions, build, check, refresh, update,
};
use codegraph_store::Access;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().ok_or("give a folder")?;
    let threads = arguments.next().map(|text| text.parse()).transpose()?;
    let project = Project::init(folder.as_ref(), &InitOptions::default())?.project;
    let report = build(&project, &BuildOptions { threads, ..BuildOptions::default() }, &Silent)?;
    println!("{}", serde_json::to_string_pretty(&report)?);
    let size = project.index_path().metadata()?.len();
    println!("index {size} bytes, {:.3} of the source", size as f64 / report.source_bytes as f64);
    refresh(&project, &UpdateOptions::default())?;
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
    Ok(())
}
