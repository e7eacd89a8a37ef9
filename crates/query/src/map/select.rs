//! Which files a map is about, and what the asker works on.

use rustc_hash::FxHashSet;

use super::Map;
use super::atlas::{Atlas, SymbolAt};
use super::rank::Interest;
use crate::paths::FileFilter;
use crate::{Error, Mode, Note, Reader, Remarks, Result, nearest, pattern};

/// The files of a map in their order, and the asker's interest.
pub(super) struct Selected {
    pub(super) places: Vec<u32>,
    pub(super) interest: Interest,
}

impl Selected {
    pub(super) fn new(
        reader: &Reader,
        atlas: &Atlas,
        question: &Map,
        order: &[u32],
        remarks: &mut Remarks,
    ) -> Result<Selected> {
        let asked = needed(reader, atlas, &question.paths)?;
        let mut excluded = FxHashSet::default();
        for given in &question.exclude {
            let found = files(reader, atlas, given)?;
            if found.is_empty() {
                remarks.note(Note::NothingToExclude { file: given.clone() });
            }
            excluded.extend(found);
        }
        let wanted = |place: &u32| {
            let test = atlas.files[*place as usize].test;
            let chosen = question.paths.is_empty() || asked.contains(place);
            chosen && !excluded.contains(place) && !(question.no_tests && test)
        };
        let places = order.iter().copied().filter(wanted).collect();
        let mut interest = Interest { files: needed(reader, atlas, &question.focus)?, symbols: FxHashSet::default() };
        for name in &question.mention {
            mention(reader, atlas, name, &mut interest, remarks)?;
        }
        Ok(Selected { places, interest })
    }
}

/// The files of all patterns; one that matches none is an error with the closest names.
fn needed(reader: &Reader, atlas: &Atlas, patterns: &[String]) -> Result<FxHashSet<u32>> {
    let mut all = FxHashSet::default();
    for given in patterns {
        let found = files(reader, atlas, given)?;
        if found.is_empty() {
            let path = reader.relative(given)?;
            return Err(Error::UnknownFile { nearest: nearest::files(reader, &path)?, path });
        }
        all.extend(found);
    }
    Ok(all)
}

/// The files that a path, a folder or a glob means: from where the asker stands, else from the root.
fn files(reader: &Reader, atlas: &Atlas, given: &str) -> Result<Vec<u32>> {
    if let Ok(Some(record)) = reader.known_file(given) {
        return Ok(atlas.by_path.get(&record.path).copied().into_iter().collect());
    }
    let matching = |pattern: &str| -> Result<Vec<u32>> {
        let filter = FileFilter::new(Some(pattern))?;
        let files = atlas.files.iter().enumerate().filter(|(_, file)| filter.accepts(&file.record.path));
        Ok(files.map(|(place, _)| place as u32).collect())
    };
    if !reader.folder.is_empty() && !given.starts_with('/') {
        let here = matching(&format!("{}/{}", reader.folder, given.trim_start_matches("./")));
        if let Some(found) = here.ok().filter(|found| !found.is_empty()) {
            return Ok(found);
        }
    }
    match given.contains(['*', '?', '[', '{']) {
        true => matching(given),
        false => matching(&reader.relative(given)?),
    }
}

/// A name of symbols, else of files: the last part of `Type.name` is looked for.
fn mention(reader: &Reader, atlas: &Atlas, name: &str, interest: &mut Interest, remarks: &mut Remarks) -> Result<()> {
    let simple = name.rsplit(['.', ':', '\\', '#', '/']).next().unwrap_or(name).trim_end_matches("()").trim();
    let mut found = false;
    let terms = if simple.is_empty() { Vec::new() } else { pattern::terms(reader, simple, Mode::Exact, false)? };
    let exact = terms.iter().any(|term| term.text == simple);
    for term in terms.iter().filter(|term| !exact || term.text == simple) {
        for (place, file) in atlas.files.iter().enumerate() {
            let Ok(rank) = file.names.binary_search(&term.id) else { continue };
            for node in file.layout.nodes.iter().filter(|node| file.symbols[node.symbol.index()].name.index() == rank) {
                interest.symbols.insert(SymbolAt { file: place as u32, symbol: node.symbol.0 });
                found = true;
            }
        }
    }
    for (place, file) in atlas.files.iter().enumerate() {
        let file_name = file.record.path.rsplit('/').next().unwrap_or_default();
        let stem = file_name.split('.').next().unwrap_or_default();
        if file_name == name || file.record.path == name || stem == name {
            interest.files.insert(place as u32);
            found = true;
        }
    }
    if !found {
        remarks.note(Note::Unnamed { name: name.to_owned() });
    }
    Ok(())
}
