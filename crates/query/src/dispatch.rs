//! Methods that stand for each other at run time: a call of one may run another. Never mixed with what is proved.

use codegraph_model::{FileId, SymbolId, SymbolKind, TermId};
use codegraph_store::{LinkTarget, SymbolRow};
use rustc_hash::FxHashSet;

use crate::Result;
use crate::graph::Graph;
use crate::hierarchy::{Relation, bases_of, heirs_of};
pub(crate) use crate::overriding::{first_open, open_uses};
use crate::overriding::{fits, takes_the_same};

/// Types that are gone through at most.
const MOST: usize = 2_000;
/// Types above one, as a rule.
const STEPS_UP: usize = 4;

/// The methods that a call of this one may run instead: those of the types below that have the same name.
pub(crate) fn implementations(graph: &Graph<'_>, method: SymbolRow) -> Result<Vec<SymbolRow>> {
    let Some(owner) = owner(graph, method)? else {
        return Ok(Vec::new());
    };
    let mut found = below(graph, owner, method)?;
    retain(&mut found, |below| fits(graph, *below, method))?;
    if is_structural(graph, owner)? {
        found.extend(structural(graph, owner, method)?);
    }
    sort(graph, &mut found)?;
    Ok(found)
}

/// The methods of the types below one that have the name of a method.
fn below(graph: &Graph<'_>, owner: SymbolRow, method: SymbolRow) -> Result<Vec<SymbolRow>> {
    let name = name_of(graph, method)?;
    let language = crate::vocabulary::language(&graph.reader.record(owner.file)?.language)?;
    // Everybody may be made of a type; where few have a method of this name, those are asked what they are made of, if that
    // stands at the type.
    let few = !language.linking.impl_blocks
        && graph.reader.store.definers(name)?.len() * STEPS_UP < graph.users(owner)?.len();
    if !few {
        return members(graph, &reachable(graph, owner, heirs_of)?, method);
    }
    let mut found = same_name(graph, name)?;
    retain(&mut found, |candidate| match self::owner(graph, *candidate)? {
        Some(around) if around != owner => Ok(reachable(graph, around, bases_of)?.contains(&owner)),
        _ => Ok(false),
    })?;
    Ok(found)
}

/// The methods of the types above that this one stands for.
pub(crate) fn overridden(graph: &Graph<'_>, method: SymbolRow) -> Result<Vec<SymbolRow>> {
    let Some(owner) = owner(graph, method)? else {
        return Ok(Vec::new());
    };
    let bases = reachable(graph, owner, bases_of)?;
    let mut found = members(graph, &bases, method)?;
    retain(&mut found, |above| fits(graph, method, *above))?;
    if !is_structural(graph, owner)? {
        found.extend(interfaces_above(graph, owner, method)?);
    }
    sort(graph, &mut found)?;
    Ok(found)
}

/// Keeps what is wanted, which is asked of the index.
fn retain(rows: &mut Vec<SymbolRow>, wanted: impl Fn(&SymbolRow) -> Result<bool>) -> Result<()> {
    let mut kept = Vec::with_capacity(rows.len());
    for row in rows.drain(..) {
        if wanted(&row)? {
            kept.push(row);
        }
    }
    *rows = kept;
    Ok(())
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

pub(crate) type Following = fn(&Graph<'_>, SymbolRow) -> Result<Vec<Relation>>;

/// All types above or below one.
pub(crate) fn reachable(graph: &Graph<'_>, start: SymbolRow, step: Following) -> Result<Vec<SymbolRow>> {
    let mut seen = FxHashSet::from_iter([start]);
    let (mut pending, mut found) = (vec![start], Vec::new());
    while found.len() < MOST
        && let Some(at) = pending.pop()
    {
        for (target, ..) in step(graph, at)? {
            if let LinkTarget::Symbol(row) = target
                && stands_for_others(graph, start, at, row)?
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
        .map(|symbol| file.stored.term(symbol.name))
        .chain(asked_by_bases(graph, interface)?)
        .collect();
    let wanted = &file.stored.facts.symbols[method.symbol.index()];
    let mut found = Vec::new();
    for candidate in same_name(graph, file.stored.term(wanted.name))? {
        let Some(owner) = owner(graph, candidate)?.filter(|owner| *owner != interface) else { continue };
        let other = graph.file(candidate.file)?;
        let symbol = &other.stored.facts.symbols[candidate.symbol.index()];
        let fits = takes_the_same(graph, (candidate.file, symbol), (interface.file, wanted))?;
        let mut complete = fits && symbol.kind.is_callable();
        for name in asked.iter().filter(|_| fits) {
            complete &= has_method(graph, owner, *name)?;
        }
        if complete {
            found.push(candidate);
        }
    }
    Ok(found)
}

/// The methods of the interfaces that one is made of.
fn asked_by_bases(graph: &Graph<'_>, interface: SymbolRow) -> Result<Vec<TermId>> {
    let mut asked = Vec::new();
    for base in reachable(graph, interface, bases_of)? {
        let outline = graph.reader.outline(base.file)?;
        let own = outline.facts.symbols.iter();
        let own = own.filter(|symbol| symbol.parent == base.symbol && symbol.kind.is_callable());
        asked.extend(own.map(|symbol| outline.term(symbol.name)));
    }
    Ok(asked)
}

/// The methods of interfaces that a type implements by having all that they ask for.
fn interfaces_above(graph: &Graph<'_>, of: SymbolRow, method: SymbolRow) -> Result<Vec<SymbolRow>> {
    let language = crate::vocabulary::language(&graph.reader.record(of.file)?.language)?;
    let mut found = Vec::new();
    if !language.linking.structural_interfaces {
        return Ok(found);
    }
    for candidate in same_name(graph, name_of(graph, method)?)? {
        let Some(interface) = owner(graph, candidate)?.filter(|owner| *owner != of) else { continue };
        if is_structural(graph, interface)? && structural(graph, interface, candidate)?.contains(&method) {
            found.push(candidate);
        }
    }
    Ok(found)
}

/// Whether a type has a method, by itself or by a type that is embedded in it.
fn has_method(graph: &Graph<'_>, of: SymbolRow, name: TermId) -> Result<bool> {
    let candidates = same_name(graph, name)?;
    let (mut seen, mut pending) = (FxHashSet::from_iter([of]), vec![of]);
    while let Some(at) = pending.pop() {
        for candidate in &candidates {
            if owner(graph, *candidate)? == Some(at) {
                return Ok(true);
            }
        }
        for (target, ..) in bases_of(graph, at)? {
            if let LinkTarget::Symbol(row) = target
                && seen.insert(row)
                && seen.len() < MOST
            {
                pending.push(row);
            }
        }
    }
    Ok(false)
}

/// Whether methods of the lower of two related types run for those of the upper one: not where a type is only embedded.
fn stands_for_others(graph: &Graph<'_>, start: SymbolRow, at: SymbolRow, row: SymbolRow) -> Result<bool> {
    let language = crate::vocabulary::language(&graph.reader.record(row.file)?.language)?;
    if !language.linking.structural_interfaces {
        return Ok(true);
    }
    for row in [start, at, row] {
        let outline = graph.reader.outline(row.file)?;
        if outline.facts.symbols[row.symbol.index()].kind != SymbolKind::Interface {
            return Ok(false);
        }
    }
    Ok(true)
}
