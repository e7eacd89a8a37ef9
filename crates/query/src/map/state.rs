//! What stays the same from map to map: the order of files and the numbers of aliases.
//!
//! It is kept in the index's metadata by whoever may write. An index that never made a map gives the order anew, the
//! same on every machine: files that many others use first, tests last.

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::alias::Aliases;
use super::atlas::{Atlas, SymbolAt};
use super::imports::{Importer, Local, folder};
use super::layout::What;
use super::{ALIASES_KEY, ORDER_KEY};
use crate::{Reader, Result};

/// Entries of the index's metadata that a later map builds on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MapState {
    /// Key and value.
    pub metadata: Vec<(&'static str, String)>,
}

/// Places of files in the order of the map, and the aliases.
pub(super) struct Settled {
    pub(super) order: Vec<u32>,
    pub(super) aliases: Aliases,
    /// What has to be kept, if it differs from what is kept.
    pub(super) state: Option<MapState>,
}

/// Goes on from what the index kept.
pub(super) fn settle(reader: &Reader, atlas: &Atlas, importer: &Importer<'_>) -> Result<Settled> {
    let kept = reader.store.metadata(ORDER_KEY)?.unwrap_or_default();
    let listed: Vec<&str> = kept.lines().collect();
    let mapped = |place: &u32| !atlas.files[*place as usize].layout.prose;
    let mut order: Vec<u32> =
        listed.iter().filter_map(|path| atlas.by_path.get(*path).copied()).filter(mapped).collect();
    let known: FxHashSet<u32> = order.iter().copied().collect();
    let all = (0..atlas.files.len() as u32).filter(mapped);
    let mut fresh: Vec<u32> = all.filter(|place| !known.contains(place)).collect();
    let came = !fresh.is_empty();
    fresh.sort_by_cached_key(|place| {
        let file = &atlas.files[*place as usize];
        // A file that only makes its folder a package says nothing, however many import it.
        (file.others, file.test, file.layout.nodes.is_empty(), std::cmp::Reverse(atlas.users(*place)), *place)
    });
    order.extend(fresh);
    let folders = reader.store.metadata(ALIASES_KEY)?.unwrap_or_default();
    let mut aliases = Aliases::new(folders.lines().map(str::to_owned).collect());
    // Only files that come can bring aliases: an edit must not change blocks of other files.
    if came {
        aliases.extend(&uses(atlas, importer)?);
    }
    let paths: Vec<&str> = order.iter().map(|place| atlas.files[*place as usize].record.path.as_str()).collect();
    let metadata = vec![(ORDER_KEY, paths.join("\n")), (ALIASES_KEY, aliases.folders().join("\n"))];
    let changed = came || paths.len() != listed.len();
    Ok(Settled { order, aliases, state: changed.then_some(MapState { metadata }) })
}

/// How often a whole map names the files of each folder.
fn uses(atlas: &Atlas, importer: &Importer<'_>) -> Result<FxHashMap<String, u64>> {
    let path = |place: u32| atlas.files[place as usize].record.path.as_str();
    let count = |place: u32| -> Result<FxHashMap<String, u64>> {
        let mut counts = FxHashMap::default();
        let mut add = |path: &str| *counts.entry(folder(path).to_owned()).or_default() += 1;
        named(atlas, place).into_iter().for_each(|source| add(path(source)));
        if atlas.files[place as usize].layout.prose {
            return Ok(counts);
        }
        add(path(place));
        for local in importer.imports(place)?.local {
            match local {
                Local::File(other) => add(path(other)),
                Local::Folder(other) => add(&other),
            }
        }
        Ok(counts)
    };
    let all = (0..atlas.files.len() as u32).into_par_iter().map(count);
    all.try_reduce(FxHashMap::default, |one, other| Ok(sum(one, other)))
}

fn sum(mut one: FxHashMap<String, u64>, other: FxHashMap<String, u64>) -> FxHashMap<String, u64> {
    if one.len() < other.len() {
        return sum(other, one);
    }
    other.into_iter().for_each(|(folder, count)| *one.entry(folder).or_default() += count);
    one
}

/// The files that the lines of a block name as users.
fn named(atlas: &Atlas, place: u32) -> Vec<u32> {
    let file = &atlas.files[place as usize];
    let mut sources = Vec::new();
    for node in file.layout.nodes.iter().filter(|_| !file.test) {
        if !matches!(node.what, What::Field | What::Tests { .. }) {
            let uses = atlas.uses_of(SymbolAt { file: place, symbol: node.symbol.0 });
            sources.extend(uses.iter().map(|entry| entry.source).filter(|source| *source != place).take(3));
        }
    }
    sources
}
