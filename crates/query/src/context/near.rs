//! What stands around the symbols of a task: who calls them and what they call. Worth showing, not worth ranking by.

use codegraph_store::{LinkTarget, SymbolRow};

use crate::Result;
use crate::graph::{Graph, is_call};
use crate::paths::is_test;
use crate::relation::Describer;

/// Files of callers that are read for one symbol.
const MOST_FILES: usize = 4;
/// Neighbours that are named.
pub(super) const MOST_NAMED: usize = 6;

/// A caller or callee.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Neighbour {
    pub fqn: String,
    /// The qualified name without that of its module.
    #[serde(skip)]
    pub scoped: String,
    #[serde(skip)]
    pub name: String,
    /// Which of many projects it is in, if that is another one than the symbol's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
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
    let mut sources = graph.users(row)?;
    // Calls from its own file are the nearest; those of tests say least.
    let mut ordered = Vec::with_capacity(sources.len());
    for source in sources.drain(..) {
        ordered.push((source != row.file, is_test(&graph.reader.record(source)?.path), source));
    }
    ordered.sort_unstable();
    let sources: Vec<_> = ordered.into_iter().map(|(_, _, source)| source).collect();
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
        Ok(Neighbour {
            fqn: brief.fqn,
            scoped: brief.scoped,
            name: brief.name,
            project: brief.project,
            file: brief.file,
            line_number: brief.line_number,
        })
    };
    rows.iter().take(MOST_NAMED).map(one).collect()
}
