//! Random places of a project that have a name which means something there.

use std::path::Path;

use anyhow::{Result, ensure};
use codegraph_store::{Access, Store};

/// A name in a file, as the protocol counts.
pub(super) struct NamePlace {
    pub(super) uri: String,
    pub(super) language: String,
    pub(super) name: String,
    pub(super) line: usize,
    pub(super) character: usize,
    /// Behind the name.
    pub(super) end: usize,
}

/// Files that are open at most: as many as somebody has who works.
const FILES: usize = 40;

pub(super) fn pick(folder: &Path, endings: &[String], count: usize, seed: u64) -> Result<Vec<NamePlace>> {
    let store = Store::open(&folder.join(".codegraph/index.db"), Access::Read)?;
    let mut records = store.files()?;
    records.retain(|record| endings.iter().any(|ending| record.path.ends_with(&format!(".{ending}"))));
    ensure!(!records.is_empty(), "no such files");
    let mut dice = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut roll = move |below: usize| {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((dice >> 33) % below.max(1) as u64) as usize
    };
    let (mut places, mut tries) = (Vec::new(), 0);
    let mut files = Vec::new();
    while files.len() < FILES.min(records.len()) {
        let record = records.swap_remove(roll(records.len()));
        let bound = store.links(record.id)?.bound;
        if !bound.is_empty() {
            files.push((record, bound));
        } else if records.is_empty() {
            break;
        }
    }
    while places.len() < count && tries < count * 50 && !files.is_empty() {
        tries += 1;
        let (record, bound) = &files[roll(files.len())];
        let stored = store.uses(record.id)?;
        let span = stored.facts.refs[bound[roll(bound.len())].reference.index()].span;
        let text = std::fs::read(folder.join(&record.path))?;
        let start = text[..span.start as usize].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        // Columns are the same in every encoding there.
        if !text[start..span.end as usize].is_ascii() || span.is_empty() {
            continue;
        }
        places.push(NamePlace {
            uri: format!("file://{}", folder.join(&record.path).display()),
            language: record.language.clone(),
            name: String::from_utf8_lossy(&text[span.range()]).into_owned(),
            line: text[..start].iter().filter(|byte| **byte == b'\n').count(),
            character: span.start as usize - start,
            end: span.end as usize - start,
        });
    }
    ensure!(!places.is_empty(), "no places");
    Ok(places)
}
