//! What the names of a file mean, in a form that can be compared before and after: by their order, not by their places.

use std::collections::BTreeMap;

use codegraph_live::{Locals, on_deep_stack};
use codegraph_model::{FileId, SymbolId, SymbolKind, TermId};
use codegraph_store::{LinkTarget, SymbolRow};

use super::family::Sites;
use crate::Result;
use crate::graph::Graph;

/// The links of a file, reference by reference.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Shape {
    symbols: Vec<(SymbolKind, SymbolId)>,
    bindings: usize,
    targets: Vec<Means>,
    /// Where the references stand.
    places: Vec<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Means {
    Symbol(SymbolRow),
    Local(FileId, u32),
    Outside(Vec<TermId>),
    Nothing,
}

impl Shape {
    pub(super) fn of(graph: &Graph<'_>, file: FileId) -> Result<Shape> {
        let linked = graph.file(file)?;
        let facts = &linked.stored.facts;
        let mut targets = vec![Means::Nothing; facts.refs.len()];
        for bound in &linked.links.bound {
            targets[bound.reference.index()] = match linked.links.target(bound) {
                LinkTarget::Symbol(row) => Means::Symbol(*row),
                LinkTarget::External(path) => Means::Outside(path.clone()),
            };
        }
        for (reference, home, binding) in on_deep_stack(|| Locals::new(graph.reader.store()).of(file, &linked.links))? {
            targets[reference.index()] = Means::Local(home, binding);
        }
        Ok(Shape {
            symbols: facts.symbols.iter().map(|symbol| (plain(symbol.kind), symbol.parent)).collect(),
            bindings: facts.bindings.len(),
            targets,
            places: facts.refs.iter().map(|reference| reference.span.start).collect(),
        })
    }

    /// Where the later shape is another one; the place is one of the later text, if it is known.
    pub(super) fn difference(&self, later: &Shape) -> Option<Option<u32>> {
        let same_form = self.symbols == later.symbols
            && self.bindings == later.bindings
            && self.targets.len() == later.targets.len();
        if !same_form {
            return Some(None);
        }
        let differs = self.targets.iter().zip(&later.targets).position(|(a, b)| a != b)?;
        Some(later.places.get(differs).copied())
    }
}

/// Whether a variable is a constant may be a matter of how its name is written.
fn plain(kind: SymbolKind) -> SymbolKind {
    if kind == SymbolKind::Constant { SymbolKind::Variable } else { kind }
}

/// The shapes of all files whose links a new name could change: those that change, and those that have the name already.
pub(super) fn shapes(graph: &Graph<'_>, sites: &Sites, new_name: &str) -> Result<BTreeMap<FileId, Shape>> {
    let store = graph.reader.store();
    let mut files: Vec<FileId> = sites.keys().copied().collect();
    if let Some(term) = store.term(new_name)? {
        files.extend(store.users(term)?);
        files.extend(store.definers(term)?);
    }
    files.sort_unstable();
    files.dedup();
    files.into_iter().map(|file| Ok((file, Shape::of(graph, file)?))).collect()
}
