//! What stands around the symbols of a task: who uses them how much, who calls them and what they call.

use codegraph_store::{LinkTarget, SymbolRow};
use rustc_hash::FxHashMap;

use super::rank::{Ranked, sort};
use crate::graph::{Graph, is_call};
use crate::relation::Describer;
use crate::{Reader, Result};

/// Symbols whose use is counted.
const COUNTED: usize = 60;
/// Symbols whose neighbours are looked at.
const CENTRAL: usize = 6;
/// Files of callers that are read for one symbol.
const MOST_FILES: usize = 4;
/// Neighbours that are named.
const MOST_NAMED: usize = 6;

/// A caller or callee.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Neighbour {
    pub fqn: String,
    pub file: String,
    pub line_number: u32,
}

/// The callers and callees of a symbol.
#[derive(Clone, Debug, Default)]
pub(super) struct Around {
    pub(super) callers: Vec<SymbolRow>,
    pub(super) callees: Vec<SymbolRow>,
    /// Files with callers that were not read.
    pub(super) unread: usize,
}

/// What is used by many files is a little likelier to be meant.
pub(super) fn weigh_use(reader: &Reader, all: &mut [Ranked]) -> Result<()> {
    let mut by_file: FxHashMap<u32, FxHashMap<u32, u32>> = FxHashMap::default();
    for one in all.iter_mut().take(COUNTED) {
        let uses = match by_file.entry(one.row.file.0) {
            std::collections::hash_map::Entry::Occupied(known) => known.into_mut(),
            std::collections::hash_map::Entry::Vacant(new) => {
                let mut uses: FxHashMap<u32, u32> = FxHashMap::default();
                for (symbol, _) in reader.store.all_sources(one.row.file)? {
                    *uses.entry(symbol.0).or_default() += 1;
                }
                new.insert(uses)
            }
        };
        let files = uses.get(&one.row.symbol.0).copied().unwrap_or(0);
        one.score *= 1.0 + 0.05 * f64::from(files).ln_1p();
    }
    sort(all);
    Ok(())
}

/// The neighbours of the best symbols; those that are in the list themselves move up.
pub(super) fn expand(graph: &Graph<'_>, all: &mut [Ranked]) -> Result<FxHashMap<SymbolRow, Around>> {
    let mut found: FxHashMap<SymbolRow, Around> = FxHashMap::default();
    let central: Vec<(SymbolRow, f64)> = all.iter().take(CENTRAL).map(|one| (one.row, one.score)).collect();
    let places: FxHashMap<SymbolRow, usize> = all.iter().enumerate().map(|(i, one)| (one.row, i)).collect();
    for (row, score) in central {
        let around = around(graph, row)?;
        for near in around.callers.iter().chain(&around.callees) {
            if let Some(place) = places.get(near) {
                // What is near to a good symbol is better, but never better than that one for it alone.
                all[*place].score += (0.1 * score).min(0.3 * all[*place].score);
            }
        }
        found.insert(row, around);
    }
    sort(all);
    Ok(found)
}

/// The callers and callees of a symbol, each once, in source order.
pub(super) fn around(graph: &Graph<'_>, row: SymbolRow) -> Result<Around> {
    let mut around = Around::default();
    let file = graph.file(row.file)?;
    if file.stored.facts.symbols[row.symbol.index()].kind.is_callable() {
        for used in graph.uses_by(row)?.into_iter().filter(|used| is_call(used.site.reference.kind)) {
            if let LinkTarget::Symbol(callee) = used.target
                && callee != row
                && !around.callees.contains(&callee)
            {
                around.callees.push(callee);
            }
        }
    }
    let mut sources = graph.reader.store.sources(row)?;
    // Calls from its own file are the nearest.
    sources.sort_unstable_by_key(|source| (*source != row.file, *source));
    around.unread = sources.len().saturating_sub(MOST_FILES);
    for source in sources.into_iter().take(MOST_FILES) {
        let linked = graph.file(source)?;
        for bound in &linked.links.bound {
            let reference = &linked.stored.facts.refs[bound.reference.index()];
            if *linked.links.target(bound) == LinkTarget::Symbol(row) && is_call(bound.kind(reference)) {
                let caller = SymbolRow::new(source, linked.user(reference));
                if caller != row && !around.callers.contains(&caller) {
                    around.callers.push(caller);
                }
            }
        }
    }
    Ok(around)
}

/// The first of some neighbours as answers show them.
pub(super) fn named(describer: &mut Describer<'_, '_>, rows: &[SymbolRow]) -> Result<Vec<Neighbour>> {
    let one = |row: &SymbolRow| {
        let brief = describer.brief(*row)?;
        Ok(Neighbour { fqn: brief.fqn, file: brief.file, line_number: brief.line_number })
    };
    rows.iter().take(MOST_NAMED).map(one).collect()
}
