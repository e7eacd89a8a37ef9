//! Maps that stay the same from one to the next, and the file that holds the current one.

use std::path::Path;
use std::time::SystemTime;

use codegraph_index::{Project, keep_metadata};
use codegraph_query::{Map, MapAnswer, Reader, is_map};

use crate::Refusal;

/// No map is larger than what it is about.
const MOST: u64 = 1 << 30;

/// Asks for a map and keeps its order of files and its aliases for the next one.
pub fn map(project: &Project, reader: &Reader, question: &Map) -> anyhow::Result<MapAnswer> {
    let mut answer = codegraph_query::map(reader, question)?;
    if let Some(state) = answer.state.take()
        && !reader.is_overlaid()
        && keep_metadata(project, &state.metadata).is_err()
    {
        answer.remarks.say("the index could not be written: the next map may order files differently".into());
    }
    Ok(answer)
}

/// Brings `.codegraph/symbol_map.txt` up to date if the project wants one and it is older than the index.
pub fn keep_map_file(project: &Project) -> anyhow::Result<()> {
    let path = project.map_path();
    if !project.config().auto_map || !is_older(&path, project) {
        return Ok(());
    }
    let text = {
        let reader = Reader::open(project.root(), &project.index_path())?;
        map(project, &reader, &Map::default())?.text
    };
    write_map_file(&path, &text)
}

fn is_older(path: &Path, project: &Project) -> bool {
    let index = project.index_path();
    let log = index.with_extension("db-wal");
    let time = |path: &Path| path.metadata().and_then(|found| found.modified()).ok();
    let Some(index) = time(&index) else { return false };
    let newest = time(&log).map_or(index, |log| log.max(index));
    time(path).is_none_or(|own: SystemTime| own < newest)
}

/// Replaces the file as a whole. What is there and is no map belongs to somebody else.
fn write_map_file(path: &Path, text: &str) -> anyhow::Result<()> {
    match codegraph_files::read(path, MOST)? {
        Some(old) if !old.is_empty() && !is_map(&String::from_utf8_lossy(&old)) => {
            let message = format!("'{}' is not a map: it was left alone", path.display());
            return Err(Refusal::error(message, "move it away, or set auto_map to false in .codegraph/config.json"));
        }
        _ => {}
    }
    Ok(codegraph_files::replace(path, text.as_bytes())?)
}
