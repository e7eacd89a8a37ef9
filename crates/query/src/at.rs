//! What stands at a place: the name under a cursor and what it means, local names included. A name or
//! an id points at its symbol.

use std::sync::Arc;

use codegraph_live::{Locals, on_deep_stack};
use codegraph_model::{BindingKind, Certainty, FileId, How, RefId, RefKind, Span, StrId, SymbolId, TermId};
use codegraph_resolve::Target;
use codegraph_store::{LinkTarget, SymbolRow};

use crate::ast::offset_in;
use crate::graph::{Graph, LinkedFile};
use crate::select::{Selection, Unselected, select};
use crate::{FilePlace, Result, Selector};

/// What a name means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    Symbol(SymbolRow),
    /// A local name or a parameter: its file and its place among the bindings of the file.
    Local(FileId, u32),
    /// Something outside the project.
    External(Vec<TermId>),
    /// A module that has no file of its own.
    Package(Arc<str>),
    /// Nothing proves what is meant.
    Open(TermId),
}

/// A name with its meaning.
#[derive(Clone, Debug)]
pub(crate) struct Pointed {
    pub(crate) file: FileId,
    pub(crate) span: Span,
    pub(crate) meaning: Meaning,
    pub(crate) certainty: Certainty,
    /// The rule that proves it; absent for a definition.
    pub(crate) how: Option<How>,
    /// How it is used; absent for a definition.
    pub(crate) kind: Option<RefKind>,
}

/// What a text points at.
pub(crate) enum Pointing {
    /// Names in source order; several if no column was given, or if one name means several things; none if there is
    /// no name at the place.
    Here(Vec<Pointed>),
    Unselected(Unselected),
}

/// Finds what a place, a name or an id points at.
pub(crate) fn point(graph: &Graph<'_>, selector: &Selector) -> Result<Pointing> {
    let Selector::Place(FilePlace { file: path, line, column }) = selector else {
        return Ok(match select(graph.reader, selector)? {
            Selection::One(view, id) => {
                let row = SymbolRow::new(view.record.id, id);
                Pointing::Here(vec![defined(&*graph.file(row.file)?, row.symbol)])
            }
            Selection::Other(other) => Pointing::Unselected(other),
        });
    };
    let record = graph.reader.file(path)?;
    let file = graph.file(record.id)?;
    let facts = &file.stored.facts;
    let start = offset_in(facts, &record.path, *line, column.unwrap_or(0))?;
    let names = match column {
        Some(_) => under(&file, start),
        None => {
            let end = facts.line_starts.get(*line as usize).copied().unwrap_or(facts.length + 1);
            on_line(&file, Span::new(start, end))
        }
    };
    Ok(Pointing::Here(meanings(graph, &file, names)?))
}

/// A name that stands somewhere, not looked up yet.
#[derive(Clone, Copy)]
enum Name {
    Symbol(SymbolId),
    Binding(u32),
    Reference(RefId),
}

/// The names under an offset; those that end there only if none is over it.
fn under(file: &LinkedFile, at: u32) -> Vec<Name> {
    let over = names(file, |span| span.contains(at));
    if over.is_empty() { names(file, |span| span.end == at) } else { over }
}

/// The symbols named on a line; else all that is used there.
fn on_line(file: &LinkedFile, line: Span) -> Vec<Name> {
    let mut all = names(file, |span| line.contains(span.start));
    if all.iter().any(|name| matches!(name, Name::Symbol(_))) {
        all.retain(|name| matches!(name, Name::Symbol(_)));
        all.truncate(1);
    }
    all
}

/// The names whose spans fit: definitions before uses at the same place.
fn names(file: &LinkedFile, fits: impl Fn(Span) -> bool) -> Vec<Name> {
    let facts = &file.stored.facts;
    let mut found: Vec<(u32, Name)> = Vec::new();
    for (i, symbol) in facts.symbols.iter().enumerate().skip(1) {
        if !symbol.name_span.is_empty() && fits(symbol.name_span) {
            found.push((symbol.name_span.start, Name::Symbol(SymbolId(i as u32))));
        }
    }
    for (i, binding) in facts.bindings.iter().enumerate() {
        let declares = !matches!(binding.kind, BindingKind::Again | BindingKind::Global | BindingKind::Nonlocal);
        if declares && !binding.span.is_empty() && fits(binding.span) {
            found.push((binding.span.start, Name::Binding(i as u32)));
        }
    }
    for (i, reference) in facts.refs.iter().enumerate() {
        if !reference.span.is_empty() && fits(reference.span) {
            found.push((reference.span.start, Name::Reference(RefId(i as u32))));
        }
    }
    found.sort_by_key(|(start, _)| *start);
    // What a place defines is what it means.
    let defines = |start: u32| {
        let mut same = found.iter().filter(move |(own, _)| *own == start);
        same.any(|(_, name)| !matches!(name, Name::Reference(_)))
    };
    let kept = found.iter().filter(|(start, name)| !matches!(name, Name::Reference(_)) || !defines(*start));
    kept.map(|(_, name)| *name).collect()
}

fn meanings(graph: &Graph<'_>, file: &LinkedFile, names: Vec<Name>) -> Result<Vec<Pointed>> {
    let open: Vec<RefId> = names
        .iter()
        .filter_map(|name| match name {
            Name::Reference(id) if file.links.of(*id).is_none() => Some(*id),
            _ => None,
        })
        .collect();
    let links = match open.is_empty() {
        true => Vec::new(),
        false => on_deep_stack(|| Locals::new(graph.reader.store()).at(file.id, &open))?,
    };
    let mut found: Vec<Pointed> = Vec::new();
    for name in names {
        let pointed = match name {
            Name::Symbol(id) => defined(file, id),
            Name::Binding(binding) => {
                let span = file.stored.facts.bindings[binding as usize].span;
                let meaning = Meaning::Local(file.id, binding);
                Pointed { file: file.id, span, meaning, certainty: Certainty::Exact, how: None, kind: None }
            }
            Name::Reference(id) => {
                let link = links.iter().find(|link| link.reference == id);
                used(file, id, link.map(|link| (&link.target, link.certainty, link.how)))
            }
        };
        let same = |old: &Pointed| old.span == pointed.span && old.meaning == pointed.meaning;
        if !found.iter().any(same) {
            found.push(pointed);
        }
    }
    let known: Vec<Span> = found.iter().filter(|p| !p.is_open()).map(|p| p.span).collect();
    found.retain(|p| !p.is_open() || !known.contains(&p.span));
    Ok(found)
}

/// What a key means that is its own value: `{ name }`.
pub(crate) fn value_of_key(graph: &Graph<'_>, key: &Pointed) -> Result<Vec<Pointed>> {
    let file = graph.file(key.file)?;
    let refs = file.stored.facts.refs.iter().enumerate();
    let mut own = refs.filter(|(_, r)| r.span == key.span && r.kind == RefKind::Read && r.receiver.is_none());
    match own.next() {
        Some((i, _)) if key.kind.is_none() => meanings(graph, &file, vec![Name::Reference(RefId(i as u32))]),
        _ => Ok(Vec::new()),
    }
}

/// A symbol where it is defined.
fn defined(file: &LinkedFile, id: SymbolId) -> Pointed {
    let symbol = &file.stored.facts.symbols[id.index()];
    let meaning = Meaning::Symbol(SymbolRow::new(file.id, id));
    Pointed { file: file.id, span: symbol.name_span, meaning, certainty: Certainty::Exact, how: None, kind: None }
}

/// A reference with its stored link, or with one that was found now.
fn used(file: &LinkedFile, id: RefId, link: Option<(&Target, Certainty, How)>) -> Pointed {
    let reference = &file.stored.facts.refs[id.index()];
    let open = (Meaning::Open(file.stored.term(reference.name)), Certainty::Candidate, How::Name);
    let (kind, (meaning, certainty, how)) = match (file.links.of(id), link) {
        (Some(bound), _) => {
            let meaning = match file.links.target(bound) {
                LinkTarget::Symbol(row) => Meaning::Symbol(*row),
                LinkTarget::External(path) => Meaning::External(path.clone()),
            };
            (bound.kind(reference), (meaning, bound.certainty, bound.how))
        }
        (None, Some((target, certainty, how))) => {
            let found = match target {
                Target::Local(binding) => Some(Meaning::Local(file.id, *binding)),
                Target::Parameter(other, binding) => Some(Meaning::Local(FileId(*other), *binding)),
                Target::Package(name) => Some(Meaning::Package(name.clone())),
                // What is proved and has a symbol is stored: this link is of another state of the index.
                Target::Symbol(_) | Target::Module(_) | Target::External(_) => None,
            };
            (reference.kind, found.map_or(open, |meaning| (meaning, certainty, how)))
        }
        (None, None) => (reference.kind, open),
    };
    Pointed { file: file.id, span: reference.span, meaning, certainty, how: Some(how), kind: Some(kind) }
}

impl Pointed {
    pub(crate) fn is_open(&self) -> bool {
        matches!(self.meaning, Meaning::Open(_))
    }

    /// The file's number for the name that stands here.
    pub(crate) fn name(&self, graph: &Graph<'_>) -> Result<Arc<str>> {
        let file = graph.file(self.file)?;
        let facts = &file.stored.facts;
        let of_symbol = || facts.symbols.iter().find(|s| s.name_span == self.span).map(|s| s.name);
        let of_binding = || facts.bindings.iter().find(|b| b.span == self.span).map(|b| b.name);
        let of_reference = || facts.refs.iter().find(|r| r.span == self.span).map(|r| r.name);
        let name = match self.kind {
            Some(_) => of_reference(),
            None => of_symbol().or_else(of_binding),
        };
        match name.and_then(StrId::get) {
            Some(name) => Ok(graph.reader.store().name(&file.stored, name)?),
            None => Ok(graph.reader.record(self.file)?.path.as_str().into()),
        }
    }
}
