//! Why a new name cannot be given: it is no name, it is taken, or the old one may be needed by something outside.

use std::collections::{BTreeMap, BTreeSet};

use codegraph_model::{BindingKind, FileId, RefKind, Span, Symbol, SymbolId, SymbolKind, Visibility};
use codegraph_store::{LinkTarget, SymbolRow};
use rustc_hash::FxHashSet;

use super::family::{Family, Sites, bare};
use super::graph::nameless_types;
use super::{Objection, Why};
use crate::dispatch::{overridden, owner, reachable};
use crate::graph::{Graph, LinkedFile};
use crate::hierarchy::{all_heirs, bases_of, heirs_of};
use crate::reader::FileView;
use crate::{Result, vocabulary};

/// What is wrong with a name itself. Whether it is a word of the language shows when the text is read again.
pub(super) fn no_name(old: &str, new: &str) -> Option<Objection> {
    let starts = |c: char| c.is_alphabetic() || matches!(c, '_' | '$');
    let goes_on = |c: char| starts(c) || c.is_numeric() || matches!(c, '?' | '!');
    let mut chars = new.chars();
    let is_name = chars.next().is_some_and(starts) && chars.all(goes_on);
    let end = |name: &str| name.chars().last().filter(|c| matches!(c, '?' | '!'));
    if !is_name || end(new).is_some() && end(new) != end(old) {
        return Some(Objection::new(Why::NotAName, format!("'{new}' is no name")));
    }
    (old == new).then(|| Objection::new(Why::NotAName, format!("it is called '{new}' already")))
}

/// What is called so already where the family is declared: in the same scope, in the same type, above or below it.
pub(super) fn collisions(graph: &Graph<'_>, family: &Family, new: &str) -> Result<Vec<Objection>> {
    let Some(term) = graph.reader.store().term(new)? else { return Ok(Vec::new()) };
    let mut found = Vec::new();
    for row in &family.symbols {
        let linked = graph.file(row.file)?;
        let symbol = &linked.stored.facts.symbols[row.symbol.index()];
        if let Some(name) = linked.stored.str_id(term) {
            found.extend(in_scope(graph, &linked, symbol.scope, name)?);
        }
    }
    for (file, binding) in &family.locals {
        let linked = graph.file(*file)?;
        if let Some(name) = linked.stored.str_id(term) {
            let scope = linked.stored.facts.bindings[*binding as usize].scope;
            found.extend(in_scope(graph, &linked, scope, name)?);
        }
    }
    found.extend(among_members(graph, family, term)?);
    found.dedup();
    Ok(found)
}

fn taken(graph: &Graph<'_>, file: FileId, at: u32) -> Result<Objection> {
    let view = graph.reader.view_of(file)?;
    let line = view.facts().line_of(at).max(1);
    Ok(Objection::new(Why::Collides, "the name is taken there").at(&view.record.path, line))
}

fn in_scope(
    graph: &Graph<'_>,
    linked: &LinkedFile,
    scope: codegraph_model::ScopeId,
    name: codegraph_model::StrId,
) -> Result<Vec<Objection>> {
    let facts = &linked.stored.facts;
    let symbols = facts.symbols.iter().filter(|s| s.scope == scope && s.name == name).map(|s| s.name_span.start);
    let bindings = facts.bindings.iter().filter(|b| b.scope == scope && b.name == name).map(|b| b.span.start);
    symbols.chain(bindings).map(|at| taken(graph, linked.id, at)).collect()
}

/// Members of the types of the family, of those above and of those below them.
fn among_members(graph: &Graph<'_>, family: &Family, term: codegraph_model::TermId) -> Result<Vec<Objection>> {
    let mut owners = FxHashSet::default();
    for row in &family.symbols {
        if let Some(own) = member_of(graph, *row)?
            && owners.insert(own)
        {
            owners.extend(reachable(graph, own, bases_of)?);
            owners.extend(reachable(graph, own, heirs_of)?);
        }
    }
    let mut found = Vec::new();
    if owners.is_empty() {
        return Ok(found);
    }
    for file in graph.reader.store().definers(term)? {
        let outline = graph.reader.outline(file)?;
        let Some(name) = outline.str_id(term) else { continue };
        for (i, symbol) in outline.facts.symbols.iter().enumerate().filter(|(_, symbol)| symbol.name == name) {
            let row = SymbolRow::new(file, SymbolId(i as u32));
            if member_of(graph, row)?.is_some_and(|own| owners.contains(&own)) {
                found.push(taken(graph, file, symbol.name_span.start)?);
            }
        }
    }
    Ok(found)
}

/// The type that a method or a field belongs to.
fn member_of(graph: &Graph<'_>, row: SymbolRow) -> Result<Option<SymbolRow>> {
    if let Some(own) = owner(graph, row)? {
        return Ok(Some(own));
    }
    let outline = graph.reader.outline(row.file)?;
    let parent = outline.facts.symbols[row.symbol.index()].parent.get();
    let parent = parent.filter(|parent| outline.facts.symbols[parent.index()].kind.is_type());
    Ok(parent.map(|parent| SymbolRow::new(row.file, parent)))
}

/// A method of a type that is made of something outside the project, or of something that is not known, may be called
/// from there by its name.
pub(super) fn may_override(graph: &Graph<'_>, family: &Family) -> Result<Option<Objection>> {
    for row in &family.symbols {
        let view = graph.reader.view_of(row.file)?;
        let symbol = view.symbol(row.symbol);
        let Some(parent) = symbol.parent.get().or_else(|| symbol.qualifier.get().map(|_| SymbolId(0))) else {
            continue;
        };
        let language = vocabulary::language(&view.record.language)?;
        let around = view.symbol(parent);
        let is_method = matches!(
            symbol.kind,
            SymbolKind::Method | SymbolKind::Property | SymbolKind::Getter | SymbolKind::Setter | SymbolKind::Operator
        );
        // A block may give types and constants to an interface too.
        let is_given = around.kind == SymbolKind::Impl;
        if !(is_given || is_method && symbol.visibility != Visibility::Private) {
            continue;
        }
        let called_from_outside = match around.kind {
            // What an implementation of no interface has is called by nobody else.
            SymbolKind::Impl => open_head(graph, row.file, parent)?,
            // What a trait declares is given by blocks about it, not by what it demands of others.
            SymbolKind::Trait if language.linking.impl_blocks => false,
            // The type around it has no name, so that nobody knows what it is made of.
            kind if symbol.qualifier.is_none() && (!kind.is_type() || symbol.scope != around.inner) => true,
            _ if language.linking.structural_interfaces => symbol.visibility == Visibility::Public,
            _ => match owner(graph, *row)? {
                Some(own) => open_bases(graph, own)?,
                None => false,
            },
        };
        if called_from_outside {
            let name = bare(view.name(row.symbol));
            let message = format!("something outside the project may call '{name}' by its name");
            return Ok(Some(
                Objection::new(Why::MayOverride, message).at(&view.record.path, view.name_line(row.symbol)),
            ));
        }
    }
    Ok(None)
}

/// A parameter of a method that others stand for: who calls it may name the parameter, and means that of all of them.
pub(super) fn is_shared(graph: &Graph<'_>, family: &Family) -> Result<Option<Objection>> {
    for (file, binding) in &family.locals {
        let linked = graph.file(*file)?;
        let facts = &linked.stored.facts;
        let own = &facts.bindings[*binding as usize];
        let method = SymbolRow::new(*file, facts.scopes[own.scope.index()].owner);
        let record = graph.reader.record(*file)?;
        let language = vocabulary::language(&record.language)?;
        let is_parameter = language.names_arguments() && own.kind == BindingKind::Param && method.symbol.is_some();
        if !is_parameter {
            continue;
        }
        let symbol = &facts.symbols[method.symbol.index()];
        let same = |other: &&Symbol| (other.scope, other.name, other.kind) == (symbol.scope, symbol.name, symbol.kind);
        // Where names are not overloaded, several of one name say of one function how it is called.
        let is_stub = !language.linking.overloads && facts.symbols.iter().filter(same).count() > 1;
        if is_stub || !overridden(graph, method)?.is_empty() || has_another(graph, method)? {
            let message = "other functions stand for the one that it is a parameter of, and have it too";
            let line = facts.line_of(own.span.start);
            return Ok(Some(Objection::new(Why::MayOverride, message).at(&record.path, line)));
        }
    }
    Ok(None)
}

/// Whether a type that is made of that of a method has something else of its name: a method, or a value in its place.
fn has_another(graph: &Graph<'_>, method: SymbolRow) -> Result<bool> {
    let Some(owner) = owner(graph, method)? else { return Ok(false) };
    let own = graph.reader.outline(method.file)?;
    let name = own.facts.symbols[method.symbol.index()].name.get().map(|name| own.term(name));
    for heir in all_heirs(graph, owner)? {
        let outline = graph.reader.outline(heir.file)?;
        let name = name.and_then(|name| outline.str_id(name));
        let mut members = outline.facts.symbols.iter().filter(|symbol| symbol.parent == heir.symbol);
        if name.is_some_and(|name| members.any(|member| member.name == name)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A key of a value of which nothing in the project reads it: what the value is for is not known.
pub(super) fn is_lone_key(graph: &Graph<'_>, family: &Family, sites: &Sites) -> Result<Option<Objection>> {
    for (file, binding) in family.locals.iter().filter(|_| sites.values().map(BTreeSet::len).sum::<usize>() < 2) {
        let linked = graph.file(*file)?;
        let facts = &linked.stored.facts;
        let own = &facts.bindings[*binding as usize];
        if nameless_types(facts).contains(&own.scope) {
            let message = "it is a key of a value, and nothing says what that is for";
            let record = graph.reader.record(*file)?;
            let line = facts.line_of(own.span.start);
            return Ok(Some(Objection::new(Why::Unproven, message).at(&record.path, line)));
        }
    }
    Ok(None)
}

/// What the language calls by its name, or finds by it.
pub(super) fn is_fixed(graph: &Graph<'_>, family: &Family) -> Result<Option<Objection>> {
    for row in &family.symbols {
        let view = graph.reader.view_of(row.file)?;
        let (symbol, name) = (view.symbol(row.symbol), bare(view.name(row.symbol)).to_owned());
        let language = vocabulary::language(&view.record.language)?;
        let line = view.name_line(row.symbol);
        let implicit = !language.implicit_members.is_empty() && name.starts_with(language.implicit_members);
        // Names that only begin so are hidden from others by that.
        let implicit = implicit && (symbol.kind.is_callable() || name.ends_with(language.implicit_members));
        if implicit || symbol.kind.is_callable() && language.called_by_name.contains(&name.as_str()) {
            let message = format!("the language calls '{name}' by its name");
            return Ok(Some(Objection::new(Why::NotRenamable, message).at(&view.record.path, line)));
        }
        if language.quoted_types && is_said_twice(graph, &view, symbol, &name)? {
            let message = "its declaration says the name in a string too, which stays as it is";
            return Ok(Some(Objection::new(Why::Unproven, message).at(&view.record.path, line)));
        }
        let is_elsewhere = symbol.head_end + 1 >= symbol.span.end;
        if symbol.kind == SymbolKind::Module && is_elsewhere {
            let message = "the file of a module is found by its name";
            return Ok(Some(Objection::new(Why::NamesFile, message).at(&view.record.path, line)));
        }
    }
    Ok(None)
}

/// Whether what makes a type is told its name: `T = TypeVar("T")`.
fn is_said_twice(graph: &Graph<'_>, view: &FileView<'_>, symbol: &Symbol, name: &str) -> Result<bool> {
    if !matches!(symbol.kind, SymbolKind::Variable | SymbolKind::Constant | SymbolKind::TypeAlias | SymbolKind::Field) {
        return Ok(false);
    }
    let source = graph.reader.source(&view.record)?;
    let text = source.text(Span::new(symbol.name_span.end, symbol.span.end.max(symbol.name_span.end)));
    let said = text.split_once('(').map(|(_, rest)| rest.trim_start());
    let quoted = |mark: char| said.is_some_and(|said| said.starts_with(&format!("{mark}{name}{mark}")));
    Ok(quoted('"') || quoted('\''))
}

/// Where files are found by the names of types, the file of a type that is named like it needs another name.
pub(super) fn moves(graph: &Graph<'_>, family: &Family, new: &str) -> Result<BTreeMap<FileId, String>> {
    let mut moves = BTreeMap::new();
    for row in &family.symbols {
        let view = graph.reader.view_of(row.file)?;
        let symbol = view.symbol(row.symbol);
        let linking = vocabulary::language(&view.record.language)?.linking;
        let (folder, file) = view.record.path.rsplit_once('/').map_or(("", view.record.path.as_str()), |parts| parts);
        let (stem, rest) = file.split_at(file.find('.').unwrap_or(file.len()));
        let is_type = symbol.kind.is_type() && symbol.kind != SymbolKind::Impl;
        if is_type && (linking.shared_modules || linking.namespaces) && stem == view.name(row.symbol) {
            let slash = if folder.is_empty() { "" } else { "/" };
            moves.insert(row.file, format!("{folder}{slash}{new}{rest}"));
        }
    }
    Ok(moves)
}

/// Why files cannot be called otherwise: somebody does not want it, or the name is taken.
pub(super) fn unmovable(
    graph: &Graph<'_>,
    moves: &BTreeMap<FileId, String>,
    keep_files: bool,
) -> Result<Vec<Objection>> {
    let mut found = Vec::new();
    for (file, new_path) in moves {
        let path = graph.reader.record(*file)?.path.clone();
        if keep_files {
            let message = "its file is called like it, and would have to be renamed too";
            found.push(Objection::new(Why::NamesFile, message).at(&path, 1));
        } else if graph.reader.known_file(new_path)?.is_some() {
            found.push(Objection::new(Why::Collides, "a file has that name already").at(new_path, 1));
        }
    }
    Ok(found)
}

/// Whether a base of a type, or of one of its bases, is not in the project.
fn open_bases(graph: &Graph<'_>, of: SymbolRow) -> Result<bool> {
    let mut types = reachable(graph, of, bases_of)?;
    types.push(of);
    for row in types {
        if open_head(graph, row.file, row.symbol)? {
            return Ok(true);
        }
        if bases_of(graph, row)?.iter().any(|(target, ..)| matches!(target, LinkTarget::External(_))) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether the head of a type names a base that is not bound to something of the project.
fn open_head(graph: &Graph<'_>, file: FileId, id: SymbolId) -> Result<bool> {
    let linked = graph.file(file)?;
    let facts = &linked.stored.facts;
    let symbol = &facts.symbols[id.index()];
    let in_head = |start: u32| start >= symbol.span.start && start < symbol.head_end;
    let bases = facts.refs.iter().enumerate().filter(|(_, reference)| {
        matches!(reference.kind, RefKind::Inherit | RefKind::Implements) && in_head(reference.span.start)
    });
    for (i, _) in bases {
        let bound = linked.links.of(codegraph_model::RefId(i as u32));
        let inside = bound.is_some_and(|bound| matches!(linked.links.target(bound), LinkTarget::Symbol(_)));
        if !inside {
            return Ok(true);
        }
    }
    Ok(false)
}
