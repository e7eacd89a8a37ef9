//! The source of a symbol, with its decorators and documentation, checked against what was indexed.

use std::sync::Arc;

use codegraph_model::SymbolKind::Constructor;
use codegraph_model::{Span, Symbol, SymbolId, TermId};
use codegraph_store::{Stored, SymbolRow};
use rustc_hash::FxHashSet;
use serde::Serialize;

use crate::context::Body;
use crate::dispatch::reachable;
use crate::graph::Graph;
use crate::hierarchy::bases_of;
use crate::reader::FileView;
use crate::relation::Describer;
use crate::select::{Selection, Unselected, select};
use crate::signature::outline;
use crate::source::{Source, hex, sha256_hex};
use crate::symbol::Place;
use crate::{OutlineEntry, Reader, Remarks, Result, Selector, SymbolBrief, SymbolInfo};

/// The source of a symbol, or why none was meant.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum GetAnswer {
    Found(Box<SymbolSource>),
    /// Of a name that means a few short symbols, each.
    Each(Box<Sources>),
    Unselected(Unselected),
}

/// The choices where a name means several symbols, with their sources.
#[derive(Clone, Debug, Serialize)]
pub struct Sources {
    #[serde(flatten)]
    pub choices: Unselected,
    pub sources: Vec<SymbolSource>,
}

/// So many symbols of a name are shown together, if they have so many lines.
const MOST_TOGETHER: usize = 3;
const MOST_LINES: usize = 80;

/// A symbol and its text.
#[derive(Clone, Debug, Serialize)]
pub struct SymbolSource {
    pub symbol: SymbolInfo,
    /// Whole lines where nothing else stands on them: decorators, documentation, definition.
    pub content: String,
    /// Where the content stands.
    pub content_place: Place,
    /// The line inside it that was asked for, where that is not the one of its name.
    #[serde(skip)]
    pub asked_line: Option<u32>,
    /// Of a long type or file what is in it: people and models are shown this instead of all the text.
    #[serde(skip)]
    pub members: Vec<OutlineEntry>,
    /// The content without the end of a long documentation, or the lines that were asked for: people and models are
    /// shown this instead of all the text.
    #[serde(skip)]
    pub excerpt: Option<String>,
    /// Of a type, what it has from the types above it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub inherited: Vec<Inherited>,
    /// SHA-256 of the content.
    pub checksum: String,
    /// SHA-256 of the whole file, the same as when it was indexed.
    pub file_hash: String,
    #[serde(flatten)]
    pub remarks: Remarks,
}

/// A base of a type with the names of its members that the type does not have itself.
#[derive(Clone, Debug, Serialize)]
pub struct Inherited {
    pub base: SymbolBrief,
    pub members: Vec<String>,
}

/// How much of a symbol is shown.
#[derive(Clone, Copy, Debug, Default)]
pub struct Extent<'a> {
    /// All lines of a long type, and of a long documentation.
    pub full: bool,
    /// Of a long body, the lines that have these words.
    pub about: Option<&'a str>,
}

/// A type or file with more lines has its members listed.
const LONG: u32 = 120;

/// A body with more lines is cut to so many that are about something.
const LONG_BODY: usize = 36;
const MOST_ABOUT: usize = 24;

/// Answers with the source of the symbol that `selector` means.
pub fn get(reader: &Reader, selector: &Selector, extent: &Extent<'_>) -> Result<GetAnswer> {
    let full = extent.full;
    let (view, id) = match select(reader, selector)? {
        Selection::One(view, id) => (view, id),
        Selection::Other(other) => return each(reader, other, extent),
    };
    let source = reader.source(&view.record)?;
    let span = whole(&view, view.symbol(id), &source);
    let asked_line = match selector {
        Selector::Place(place) if place.line != view.name_line(id) => Some(place.line),
        _ => None,
    };
    let content_place = view.place(span);
    let kind = view.symbol(id).kind;
    let is_long = content_place.end_line - content_place.start_line >= LONG && (kind.is_type() || kind.is_module());
    let members = match is_long && !full && asked_line.is_none() {
        true => members(reader, &view, id)?,
        false => Vec::new(),
    };
    let content = source.text(span);
    let cut = !full && asked_line.is_none() && !kind.is_module();
    let body = Body::of(&view, view.symbol(id), span.start, content.as_str());
    let answer = SymbolSource {
        symbol: view.info(id, Some(&source)),
        excerpt: if cut { body.about(extent.about, LONG_BODY, MOST_ABOUT) } else { None },
        inherited: if kind.is_type() { inherited(reader, SymbolRow::new(view.record.id, id))? } else { Vec::new() },
        content,
        content_place,
        asked_line,
        members,
        checksum: sha256_hex(source.slice(span)),
        file_hash: hex(&view.record.hash),
        remarks: Remarks::of(reader),
    };
    view.check()?;
    Ok(GetAnswer::Found(Box::new(answer)))
}

/// What is inside of a symbol, in the order of the text.
fn members(reader: &Reader, view: &FileView<'_>, id: SymbolId) -> Result<Vec<OutlineEntry>> {
    let outline = outline(reader, Arc::clone(&view.record))?;
    let own = view.symbol(id).span;
    let is_inside = |entry: &OutlineEntry| {
        let place = entry.symbol.span;
        own.start <= place.byte_start
            && place.byte_end <= own.end
            && (place.byte_start, place.byte_end) != (own.start, own.end)
    };
    let all = [outline.types, outline.methods, outline.members].into_iter().flatten();
    let mut members: Vec<OutlineEntry> = all.filter(is_inside).collect();
    members.sort_by_key(|entry| (entry.order, entry.depth));
    Ok(members)
}

/// Bases that are named, and members of each.
const MOST_BASES: usize = 4;
const MOST_INHERITED: usize = 24;

/// What a type has from the types of the project above it, the nearest first.
fn inherited(reader: &Reader, row: SymbolRow) -> Result<Vec<Inherited>> {
    let graph = Graph::new(reader);
    let bases = reachable(&graph, row, bases_of)?;
    if bases.is_empty() {
        return Ok(Vec::new());
    }
    let own = reader.outline(row.file)?;
    let names = |stored: &Stored, of: SymbolId| -> Vec<TermId> {
        let is_member = |symbol: &&Symbol| {
            symbol.parent == of && symbol.name.is_some() && symbol.kind.is_callable() && symbol.kind != Constructor
        };
        stored.facts.symbols.iter().filter(is_member).map(|symbol| stored.term(symbol.name)).collect()
    };
    let mut known: FxHashSet<TermId> = names(&own, row.symbol).into_iter().collect();
    let (mut found, mut describer) = (Vec::new(), Describer::new(&graph));
    for base in bases.into_iter().take(MOST_BASES) {
        let mut members = Vec::new();
        for name in names(&*reader.outline(base.file)?, base.symbol) {
            if known.insert(name) && members.len() < MOST_INHERITED {
                members.push(reader.store.text(name)?.to_string());
            }
        }
        if !members.is_empty() {
            found.push(Inherited { base: describer.brief(base)?, members });
        }
    }
    Ok(found)
}

/// The few short symbols that a name means, instead of a list to choose from.
fn each(reader: &Reader, other: Unselected, extent: &Extent<'_>) -> Result<GetAnswer> {
    let few = other.ambiguous && other.choices.len() == other.total && other.total <= MOST_TOGETHER;
    let lines: usize = other.choices.iter().map(|one| (one.span.end_line - one.span.start_line) as usize + 1).sum();
    if !few || lines > MOST_LINES {
        return Ok(GetAnswer::Unselected(other));
    }
    let mut sources = Vec::with_capacity(other.total);
    for choice in &other.choices {
        match get(reader, &Selector::Id(choice.symbol_id.clone()), extent)? {
            GetAnswer::Found(source) => sources.push(*source),
            _ => return Ok(GetAnswer::Unselected(other)),
        }
    }
    Ok(GetAnswer::Each(Box::new(Sources { choices: other, sources })))
}

/// The span of a symbol with decorators and documentation before it, from the start of its line if it is alone there.
pub(crate) fn whole(view: &FileView<'_>, symbol: &Symbol, source: &Source) -> Span {
    let before = symbol.decorators.iter().chain([&symbol.doc]).filter(|span| !span.is_empty());
    let start = before.map(|span| span.start).fold(symbol.span.start, u32::min);
    let (_, column) = view.facts().position(start);
    let line_start = start - column;
    let indent = source.slice(Span::new(line_start, start));
    let alone = indent.iter().all(|b| b.is_ascii_whitespace());
    Span::new(if alone { line_start } else { start }, symbol.span.end)
}
