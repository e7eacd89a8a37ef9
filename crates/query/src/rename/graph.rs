//! What the names of a file mean, in a form that can be compared before and after: by their order, not by their places.

use std::collections::BTreeMap;

use codegraph_live::{Locals, on_deep_stack};
use codegraph_model::{FileFacts, FileId, RefKind, ScopeId, ScopeKind, SymbolId, SymbolKind, TermId};
use codegraph_store::{LinkTarget, SymbolRow};
use rustc_hash::FxHashSet;

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
        let nameless = nameless_types(facts);
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
        // A word that is key and value is first the key: so it is written out.
        let mut order: Vec<usize> = (0..facts.refs.len()).collect();
        order.sort_by_key(|i| (facts.refs[*i].span.start, facts.refs[*i].kind != RefKind::Write));
        Ok(Shape {
            symbols: facts.symbols.iter().map(|symbol| (plain(symbol.kind), symbol.parent)).collect(),
            // A key that is written out is no new name of anything.
            bindings: facts.bindings.iter().filter(|binding| !nameless.contains(&binding.scope)).count(),
            targets: order.iter().map(|i| targets[*i].clone()).collect(),
            places: order.iter().map(|i| facts.refs[*i].span.start).collect(),
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

/// The scopes of values that have no type with a name: what is declared there is a key.
pub(super) fn nameless_types(facts: &FileFacts) -> FxHashSet<ScopeId> {
    let types = facts.scopes.iter().enumerate().filter(|(_, scope)| scope.kind == ScopeKind::Type);
    let mut found: FxHashSet<ScopeId> = types.map(|(i, _)| ScopeId(i as u32)).collect();
    facts.symbols.iter().for_each(|symbol| _ = found.remove(&symbol.inner));
    found
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
