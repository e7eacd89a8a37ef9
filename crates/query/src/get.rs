//! The source of a symbol, with its decorators and documentation, checked against what was indexed.

use std::sync::Arc;

use codegraph_model::{Span, Symbol, SymbolId};
use serde::Serialize;

use crate::reader::FileView;
use crate::select::{Selection, Unselected, select};
use crate::signature::outline;
use crate::source::{Source, hex, sha256_hex};
use crate::symbol::Place;
use crate::{OutlineEntry, Reader, Remarks, Result, Selector, SymbolInfo};

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
    /// SHA-256 of the content.
    pub checksum: String,
    /// SHA-256 of the whole file, the same as when it was indexed.
    pub file_hash: String,
    #[serde(flatten)]
    pub remarks: Remarks,
}

/// A type or file with more lines has its members listed.
const LONG: u32 = 120;

/// Answers with the source of the symbol that `selector` means; `full` if the text of a long type or file is wanted as well.
pub fn get(reader: &Reader, selector: &Selector, full: bool) -> Result<GetAnswer> {
    let (view, id) = match select(reader, selector)? {
        Selection::One(view, id) => (view, id),
        Selection::Other(other) => return each(reader, other, full),
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
    let answer = SymbolSource {
        symbol: view.info(id, Some(&source)),
        content: source.text(span),
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

/// The few short symbols that a name means, instead of a list to choose from.
fn each(reader: &Reader, other: Unselected, full: bool) -> Result<GetAnswer> {
    let few = other.ambiguous && other.choices.len() == other.total && other.total <= MOST_TOGETHER;
    let lines: usize = other.choices.iter().map(|one| (one.span.end_line - one.span.start_line) as usize + 1).sum();
    if !few || lines > MOST_LINES {
        return Ok(GetAnswer::Unselected(other));
    }
    let mut sources = Vec::with_capacity(other.total);
    for choice in &other.choices {
        match get(reader, &Selector::Id(choice.symbol_id.clone()), full)? {
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
