//! Who may use a symbol without any place that names it: the language itself, a type outside of the project that it
//! inherits from, an interface that it implements without saying so, or what a decorator does with it. An answer that
//! lists all places must not sound as if nobody else could come.

use codegraph_model::{Flags, Problem, Span, Symbol, SymbolKind};
use codegraph_store::{LinkTarget, SymbolRow};
use rustc_hash::FxHashSet;
use serde::Serialize;

use crate::dispatch::{overridden, owner};
use crate::graph::Graph;
use crate::hierarchy::{bases_of, is_inheritance, unresolved_bases};
use crate::relation::external;
use crate::{Result, vocabulary};

/// What uses a symbol without naming it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "by", content = "names", rename_all = "snake_case")]
pub enum Unseen {
    /// Operators, conversions and other words of the language.
    Language,
    /// Types outside of the project that its own type inherits from.
    Bases(Vec<String>),
    /// Whoever has a value of its type as an interface of another package.
    Interface,
    /// What is written at it.
    Decorators(Vec<String>),
    /// Sites that seem to mean something else: its own file was hardly understood.
    Unread(Vec<String>),
}

/// Types above one that are looked at.
const MOST: usize = 64;
/// Types outside of the project that are named.
const MOST_NAMED: usize = 3;

/// Who may use one of some symbols that answer together.
pub(crate) fn unseen(graph: &Graph<'_>, rows: &[SymbolRow]) -> Result<Option<Unseen>> {
    for row in rows {
        if let Some(found) = of_one(graph, *row)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// Lines for each place that a parser did not understand, of a file that was hardly understood.
const LINES_OF_A_PROBLEM: u32 = 50;

/// The files of some symbols of which too little was understood to say what their symbols are.
pub(crate) fn unread(graph: &Graph<'_>, rows: &[SymbolRow]) -> Result<Option<Unseen>> {
    let mut files = Vec::new();
    for row in rows {
        let record = graph.reader.record(row.file)?;
        let hardly = |problem: &Problem| match problem {
            Problem::Syntax(places) => places.saturating_mul(LINES_OF_A_PROBLEM) > record.lines,
            Problem::TimedOut | Problem::Dense => true,
        };
        if record.problems.iter().any(hardly) && !files.contains(&record.path) {
            files.push(record.path.clone());
        }
    }
    Ok((!files.is_empty()).then_some(Unseen::Unread(files)))
}

fn of_one(graph: &Graph<'_>, row: SymbolRow) -> Result<Option<Unseen>> {
    let outline = graph.reader.outline(row.file)?;
    let symbol = &outline.facts.symbols[row.symbol.index()];
    if !symbol.kind.is_callable() || symbol.name.is_none() {
        return Ok(None);
    }
    let record = graph.reader.record(row.file)?;
    let language = vocabulary::language(&record.language)?;
    let name = graph.reader.store.text(outline.term(symbol.name))?;
    let of_type = owner(graph, row)?;
    let is_own_call = language.called_by_name.contains(&&*name) || is_dunder(&name);
    if symbol.kind == SymbolKind::Destructor || is_own_call && symbol.kind != SymbolKind::Constructor {
        return Ok(Some(Unseen::Language));
    }
    let says_so = symbol.flags.has(Flags::OVERRIDE);
    let is_unused = || -> Result<bool> { Ok(graph.uses_of(row)?.is_empty()) };
    let parent = symbol.parent.get().map(|parent| &outline.facts.symbols[parent.index()]);
    if let Some(block) = parent.filter(|parent| parent.kind == SymbolKind::Impl) {
        return Ok(outer_trait(graph, row, block)?.map(|name| Unseen::Bases(vec![name])));
    }
    if let Some(of_type) = of_type
        && symbol.kind != SymbolKind::Constructor
        && (says_so || is_unused()?)
        && overridden(graph, row)?.is_empty()
    {
        let bases = outer_bases(graph, of_type)?;
        if !bases.is_empty() {
            return Ok(Some(Unseen::Bases(bases)));
        }
        let is_exported = symbol.flags.has(Flags::EXPORT) || symbol.visibility == codegraph_model::Visibility::Public;
        if language.linking.structural_interfaces && is_exported {
            return Ok(Some(Unseen::Interface));
        }
    }
    if symbol.decorators.is_empty() || says_so || !is_unused()? {
        return Ok(None);
    }
    let mut names = Vec::new();
    for span in &symbol.decorators {
        names.extend(written(graph, row, *span)?);
    }
    Ok((!names.is_empty()).then_some(Unseen::Decorators(names)))
}

/// `__enter__` and its like.
fn is_dunder(name: &str) -> bool {
    name.len() > 4 && name.starts_with("__") && name.ends_with("__")
}

/// The trait that a block implements, if it is not the project's.
fn outer_trait(graph: &Graph<'_>, row: SymbolRow, block: &Symbol) -> Result<Option<String>> {
    let file = graph.file(row.file)?;
    let in_head = |start: u32| block.span.start <= start && start < block.head_end;
    let refs = file.stored.facts.refs.iter().enumerate();
    let mut heads = refs.filter(|(_, one)| in_head(one.span.start) && is_inheritance(one.kind));
    let Some((at, head)) = heads.next() else { return Ok(None) };
    let bound = file.links.bound.iter().find(|bound| bound.reference.index() == at);
    match bound.map(|bound| file.links.target(bound)) {
        Some(LinkTarget::Symbol(_)) => Ok(None),
        Some(LinkTarget::External(path)) => Ok(Some(external(graph.reader, &*graph.reader.record(row.file)?, path)?)),
        None => written(graph, row, head.span),
    }
}

/// The types above one that are not the project's: the paths that they are imported by, or how they are written.
fn outer_bases(graph: &Graph<'_>, start: SymbolRow) -> Result<Vec<String>> {
    let (mut seen, mut pending, mut found) = (FxHashSet::from_iter([start]), vec![start], Vec::new());
    while let Some(at) = pending.pop() {
        for (target, _, (file, _)) in bases_of(graph, at)? {
            match target {
                LinkTarget::Symbol(row) if seen.len() < MOST && seen.insert(row) => pending.push(row),
                LinkTarget::Symbol(_) => {}
                LinkTarget::External(path) => {
                    found.push(external(graph.reader, &*graph.reader.record(file)?, &path)?);
                }
            }
        }
        for span in unresolved_bases(graph, at)? {
            found.extend(written(graph, at, span)?);
        }
    }
    let mut known = FxHashSet::default();
    found.retain(|name| known.insert(name.clone()));
    found.truncate(MOST_NAMED);
    Ok(found)
}

/// The first words of a stretch of a file, up to its arguments.
fn written(graph: &Graph<'_>, row: SymbolRow, span: Span) -> Result<Option<String>> {
    let Some(source) = graph.source(row.file)? else { return Ok(None) };
    let text = source.text(span);
    let head = text.split(['(', '<', '{', '\n']).next().unwrap_or_default().trim();
    Ok((!head.is_empty()).then(|| head.to_owned()))
}
