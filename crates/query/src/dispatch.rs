//! Methods that stand for each other at run time: a call of one may run another. Never mixed with what is proved.

use codegraph_model::{SymbolId, SymbolKind};
use codegraph_store::{FileId, LinkTarget, SymbolRow, TermId};
use rustc_hash::FxHashSet;

use crate::Result;
use crate::graph::Graph;
use crate::hierarchy::{Relation, bases_of, heirs_of};

/// Types that are gone through at most.
const MOST: usize = 2_000;

/// The methods that a call of this one may run instead: those of the types below that have the same name.
pub(crate) fn implementations(graph: &Graph<'_>, method: SymbolRow) -> Result<Vec<SymbolRow>> {
    let Some(owner) = owner(graph, method)? else {
        return Ok(Vec::new());
    };
    let heirs = reachable(graph, owner, heirs_of)?;
    let mut found = members(graph, &heirs, method)?;
    if is_structural(graph, owner)? {
        found.extend(structural(graph, owner, method)?);
    }
    sort(graph, &mut found)?;
    Ok(found)
}

/// The methods of the types above that this one stands for.
pub(crate) fn overridden(graph: &Graph<'_>, method: SymbolRow) -> Result<Vec<SymbolRow>> {
    let Some(owner) = owner(graph, method)? else {
        return Ok(Vec::new());
    };
    let bases = reachable(graph, owner, bases_of)?;
    let mut found = members(graph, &bases, method)?;
    sort(graph, &mut found)?;
    Ok(found)
}

fn sort(graph: &Graph<'_>, rows: &mut Vec<SymbolRow>) -> Result<()> {
    let mut keyed = Vec::with_capacity(rows.len());
    for row in rows.drain(..) {
        keyed.push((graph.reader.record(row.file)?.path.clone(), row));
    }
    keyed.sort_unstable();
    keyed.dedup();
    rows.extend(keyed.into_iter().map(|(_, row)| row));
    Ok(())
}

/// The type that a method belongs to: the one around it, or the one that its impl block or receiver names.
pub(crate) fn owner(graph: &Graph<'_>, method: SymbolRow) -> Result<Option<SymbolRow>> {
    let outline = graph.reader.outline(method.file)?;
    let symbol = &outline.facts.symbols[method.symbol.index()];
    if !symbol.kind.is_callable() && !matches!(symbol.kind, SymbolKind::Property) {
        return Ok(None);
    }
    let Some(parent) = symbol.parent.get() else { return Ok(None) };
    let around = &outline.facts.symbols[parent.index()];
    if around.kind.is_type() && around.kind != SymbolKind::Impl {
        return Ok(Some(SymbolRow::new(method.file, parent)));
    }
    let file = graph.file(method.file)?;
    Ok(file.links.type_named_by(&file.stored.facts, method.symbol))
}

pub(crate) type Step = fn(&Graph<'_>, SymbolRow) -> Result<Vec<Relation>>;

/// All types above or below one.
pub(crate) fn reachable(graph: &Graph<'_>, start: SymbolRow, step: Step) -> Result<Vec<SymbolRow>> {
    let mut seen = FxHashSet::from_iter([start]);
    let (mut pending, mut found) = (vec![start], Vec::new());
    while let Some(at) = pending.pop() {
        for (target, ..) in step(graph, at)? {
            if let LinkTarget::Symbol(row) = target
                && seen.insert(row)
                && found.len() < MOST
            {
                found.push(row);
                pending.push(row);
            }
        }
    }
    Ok(found)
}

/// The members of types with the same name as a method, in the type or in impl blocks about it.
fn members(graph: &Graph<'_>, types: &[SymbolRow], method: SymbolRow) -> Result<Vec<SymbolRow>> {
    let name = name_of(graph, method)?;
    let wanted: FxHashSet<SymbolRow> = types.iter().copied().collect();
    // A member is in the file of its type, or in one that adds to it.
    let (mut near, mut names) = (FxHashSet::default(), FxHashSet::default());
    for owner in types {
        near.insert(owner.file);
        let name = name_of(graph, *owner)?;
        if names.insert(name) {
            near.extend(graph.reader.store.extending(name)?);
        }
    }
    let mut found = Vec::new();
    for definer in graph.reader.store.definers(name)?.into_iter().filter(|definer| near.contains(definer)) {
        for candidate in named(graph, definer, name)? {
            if candidate != method
                && let Some(owner) = owner(graph, candidate)?
                && wanted.contains(&owner)
            {
                found.push(candidate);
            }
        }
    }
    Ok(found)
}

fn name_of(graph: &Graph<'_>, row: SymbolRow) -> Result<TermId> {
    let outline = graph.reader.outline(row.file)?;
    Ok(outline.term(outline.facts.symbols[row.symbol.index()].name))
}

/// All methods of the project with a name.
fn same_name(graph: &Graph<'_>, name: TermId) -> Result<Vec<SymbolRow>> {
    let mut found = Vec::new();
    for definer in graph.reader.store.definers(name)? {
        found.extend(named(graph, definer, name)?);
    }
    Ok(found)
}

/// The symbols of a file with a name.
fn named(graph: &Graph<'_>, file: FileId, name: TermId) -> Result<Vec<SymbolRow>> {
    let outline = graph.reader.outline(file)?;
    let Some(own) = outline.str_id(name) else { return Ok(Vec::new()) };
    let symbols = outline.facts.symbols.iter().enumerate();
    let named = symbols.filter(|(_, symbol)| symbol.name == own);
    Ok(named.map(|(id, _)| SymbolRow::new(file, SymbolId(id as u32))).collect())
}

/// Whether types implement an interface by having its methods, without saying so.
fn is_structural(graph: &Graph<'_>, owner: SymbolRow) -> Result<bool> {
    let file = graph.file(owner.file)?;
    let record = graph.reader.record(owner.file)?;
    let language = crate::vocabulary::language(&record.language)?;
    let kind = file.stored.facts.symbols[owner.symbol.index()].kind;
    Ok(language.linking.structural_interfaces && kind == SymbolKind::Interface)
}

/// The methods of types that have all methods of an interface.
fn structural(graph: &Graph<'_>, interface: SymbolRow, method: SymbolRow) -> Result<Vec<SymbolRow>> {
    let file = graph.file(interface.file)?;
    let own = file.stored.facts.symbols.iter();
    let asked: Vec<_> = own
        .filter(|symbol| symbol.parent == interface.symbol && symbol.kind.is_callable())
        .map(|symbol| (file.stored.term(symbol.name), symbol.params.len()))
        .collect();
    let wanted = &file.stored.facts.symbols[method.symbol.index()];
    let mut found = Vec::new();
    for candidate in same_name(graph, file.stored.term(wanted.name))? {
        let Some(owner) = owner(graph, candidate)?.filter(|owner| *owner != interface) else { continue };
        let other = graph.file(candidate.file)?;
        let symbol = &other.stored.facts.symbols[candidate.symbol.index()];
        // The receiver counts among the parameters of a method, not among those of an interface's.
        let fits = symbol.params.iter().filter(|p| !p.flags.has(codegraph_model::Flags::RECEIVER)).count()
            == wanted.params.len();
        let mut complete = fits && symbol.kind.is_callable();
        for (name, _) in asked.iter().filter(|_| fits) {
            complete &= has_method(graph, owner, *name)?;
        }
        if complete {
            found.push(candidate);
        }
    }
    Ok(found)
}

fn has_method(graph: &Graph<'_>, of: SymbolRow, name: TermId) -> Result<bool> {
    for candidate in same_name(graph, name)? {
        if owner(graph, candidate)? == Some(of) {
            return Ok(true);
        }
    }
    Ok(false)
}
