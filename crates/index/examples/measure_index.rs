//! Builds the index of a folder and measures build, check and update: `measure_index FOLDER [THREADS]`.

use std::time::Instant;

use codegraph_index::{
    BuildOptions, InitOptions, Project, Scope, Silent, UpdateOptions, build, check, refresh, update,
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
    for _ in 0..3 {
        let start = Instant::now();
        let store = project.store(Access::Read)?;
        let opened = start.elapsed();
        let freshness = check(&project, &store)?;
        println!("open {opened:?}, check {:?}: {freshness:?}", start.elapsed() - opened);
    }
    let start = Instant::now();
    let report = update(&project, Scope::All, &UpdateOptions::default(), &Silent)?;
    println!("update with nothing changed {:?}: {}", start.elapsed(), report.is_unchanged());
    Ok(())
}
