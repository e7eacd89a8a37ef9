//! The text of a file cut into pieces, each with what it is: every name with what it means and how sure that is, and
//! comments, strings and words of the language.

use codegraph_live::{Locals, on_deep_stack};
use codegraph_model::{BindingKind, Certainty, How, Span, SymbolKind, TermMask};
use codegraph_store::{LinkTarget, SymbolRow};
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::graph::{Graph, LinkedFile};
use crate::relation::{Describer, SymbolBrief, external};
use crate::{Error, NameKind, Reader, Remarks, Result, vocabulary};

/// A question for a part of a file.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    pub file: String,
    /// The first line that is wanted, from 1.
    pub from: Option<u32>,
    /// The last one.
    pub to: Option<u32>,
}

/// What a piece of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PieceKind {
    Comment,
    String,
    Keyword,
    #[serde(untagged)]
    Name(NameKind),
}

/// A piece of one line.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Piece {
    pub text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<PieceKind>,
    /// The symbol that it means: a place in [`ListingAnswer::symbols`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol: Option<usize>,
    /// Something outside the project.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub external: Option<String>,
    /// It is declared here.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub declaration: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certainty: Option<Certainty>,
    /// The rule that proves it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub how: Option<How>,
}

/// A part of a file. All pieces of a line are the line.
#[derive(Clone, Debug, Serialize)]
pub struct ListingAnswer {
    pub file: String,
    pub language: String,
    /// The first line that is shown.
    pub from: u32,
    pub lines: Vec<Vec<Piece>>,
    /// Lines of the whole file.
    pub total: usize,
    /// The symbols that pieces mean.
    pub symbols: Vec<SymbolBrief>,
    #[serde(flatten)]
    pub remarks: Remarks,
}

/// More lines are not given at once.
const MOST_LINES: u32 = 4_000;
/// A line beyond so many bytes was not written by anybody, and nobody reads it.
const LONGEST_LINE: usize = 2_000;

/// Answers with a part of a file.
pub fn listing(reader: &Reader, question: &Listing) -> Result<ListingAnswer> {
    let record = reader.file(&question.file)?;
    let source = reader.source(&record)?;
    let graph = Graph::new(reader);
    let file = graph.file(record.id)?;
    let lines = line_spans(&source.bytes);
    let from = question.from.unwrap_or(1).max(1);
    if from as usize > lines.len() {
        let (path, what) = (record.path.clone(), format!("line {from}"));
        return Err(Error::Beyond { path, what, most: lines.len() });
    }
    let to = question.to.unwrap_or(u32::MAX).min(from.saturating_add(MOST_LINES - 1)).min(lines.len() as u32);
    let wanted = &lines[from as usize - 1..to.max(from) as usize];
    let part = Span::new(wanted[0].start, wanted[wanted.len() - 1].end);
    let mut marks = Marks { graph: &graph, describer: Describer::new(&graph), part, numbers: FxHashMap::default() };
    let mut found = marks.names(&file)?;
    found.extend(plain(&source.bytes, vocabulary::language(&record.language)?, part));
    // Names count before the string or the comment that they are in; of two names that begin together, the first.
    found.sort_by_key(|mark| (mark.span.start, mark.layer));
    let cut = |line: &Span| cut(&source.bytes, *line, &found);
    let shown = wanted.iter().map(cut).collect();
    let (symbols, remarks) = marks.finish()?;
    Ok(ListingAnswer {
        file: record.path.clone(),
        language: record.language.clone(),
        from,
        lines: shown,
        total: lines.len(),
        symbols,
        remarks,
    })
}

/// The lines of a text without their ends.
fn line_spans(text: &[u8]) -> Vec<Span> {
    let mut lines = Vec::new();
    let mut start = 0;
    for end in memchr::memchr_iter(b'\n', text).chain([text.len()]) {
        let line = &text[start..end];
        let length = line.strip_suffix(b"\r").unwrap_or(line).len();
        lines.push(Span::new(start as u32, (start + length) as u32));
        start = end + 1;
    }
    if lines.len() > 1 && lines.last().is_some_and(|last| last.is_empty()) {
        lines.pop();
    }
    lines
}

/// A stretch of text with what it is.
struct Mark {
    span: Span,
    /// Lower ones are shown before higher ones at the same place.
    layer: u8,
    piece: Piece,
}

struct Marks<'g, 'r> {
    graph: &'g Graph<'r>,
    describer: Describer<'g, 'r>,
    part: Span,
    numbers: FxHashMap<SymbolRow, usize>,
}

impl Marks<'_, '_> {
    fn is_wanted(&self, span: Span) -> bool {
        !span.is_empty() && span.start < self.part.end && self.part.start < span.end
    }

    fn number(&mut self, row: SymbolRow) -> usize {
        let next = self.numbers.len();
        *self.numbers.entry(row).or_insert(next)
    }

    fn names(&mut self, file: &LinkedFile) -> Result<Vec<Mark>> {
        let mut found = self.declared(file);
        self.bound(file, &mut found)?;
        self.local(file, &mut found)?;
        Ok(found)
    }

    fn declared(&mut self, file: &LinkedFile) -> Vec<Mark> {
        let facts = &file.stored.facts;
        let mut found = Vec::new();
        for (place, symbol) in facts.symbols.iter().enumerate().skip(1) {
            if symbol.kind == SymbolKind::Impl || !self.is_wanted(symbol.name_span) {
                continue;
            }
            let row = SymbolRow::new(file.id, codegraph_model::SymbolId(place as u32));
            let kind = Some(PieceKind::Name(NameKind::Symbol(symbol.kind)));
            let piece = Piece { kind, symbol: Some(self.number(row)), declaration: true, ..Piece::default() };
            found.push(Mark { span: symbol.name_span, layer: 0, piece });
        }
        let again = |kind| matches!(kind, BindingKind::Again | BindingKind::Global | BindingKind::Nonlocal);
        for binding in facts.bindings.iter().filter(|b| !again(b.kind) && self.is_wanted(b.span)) {
            let kind = Some(PieceKind::Name(binding.kind.into()));
            found.push(Mark {
                span: binding.span,
                layer: 2,
                piece: Piece { kind, declaration: true, ..Piece::default() },
            });
        }
        found
    }

    fn bound(&mut self, file: &LinkedFile, found: &mut Vec<Mark>) -> Result<()> {
        let record = self.graph.reader.record(file.id)?;
        for bound in &file.links.bound {
            let reference = &file.stored.facts.refs[bound.reference.index()];
            if !self.is_wanted(reference.span) {
                continue;
            }
            let mut piece = Piece { certainty: Some(bound.certainty), how: Some(bound.how), ..Piece::default() };
            match file.links.target(bound) {
                LinkTarget::Symbol(row) => {
                    let outline = self.graph.reader.outline(row.file)?;
                    let kind = outline.facts.symbols.get(row.symbol.index()).map(|symbol| symbol.kind);
                    let kind = if row.symbol.0 == 0 { Some(SymbolKind::Module) } else { kind };
                    piece.kind = kind.map(|kind| PieceKind::Name(NameKind::Symbol(kind)));
                    piece.symbol = Some(self.number(*row));
                }
                LinkTarget::External(path) => {
                    piece.kind = Some(PieceKind::Name(NameKind::Import));
                    piece.external = Some(external(self.graph.reader, &record, path)?);
                }
            }
            found.push(Mark { span: reference.span, layer: 1, piece });
        }
        Ok(())
    }

    fn local(&mut self, file: &LinkedFile, found: &mut Vec<Mark>) -> Result<()> {
        let links = on_deep_stack(|| Locals::new(self.graph.reader.store()).of(file.id, &file.links))?;
        for (reference, home, binding) in links {
            let span = file.stored.facts.refs[reference.index()].span;
            if self.is_wanted(span) {
                let home = self.graph.file(home)?;
                let kind = home.stored.facts.bindings[binding as usize].kind.into();
                let piece = Piece { kind: Some(PieceKind::Name(kind)), ..Piece::default() };
                found.push(Mark { span, layer: 1, piece });
            }
        }
        Ok(())
    }

    /// The symbols by their numbers.
    fn finish(mut self) -> Result<(Vec<SymbolBrief>, Remarks)> {
        let mut rows: Vec<(usize, SymbolRow)> = self.numbers.iter().map(|(row, number)| (*number, *row)).collect();
        rows.sort_unstable();
        let symbols = rows.into_iter().map(|(_, row)| self.describer.brief(row)).collect::<Result<_>>()?;
        Ok((symbols, self.describer.remarks))
    }
}

/// Comments, strings and words of the language.
fn plain(text: &[u8], language: &'static codegraph_languages::Language, part: Span) -> Vec<Mark> {
    let wanted = |span: Span| !span.is_empty() && span.start < part.end && part.start < span.end;
    let mark = |span, layer, kind| Mark { span, layer, piece: Piece { kind, ..Piece::default() } };
    let mut found = Vec::new();
    for (span, mask) in codegraph_extract::kinds_of_text(text, language).unwrap_or_default() {
        let kind = match mask {
            TermMask::COMMENT => Some(PieceKind::Comment),
            TermMask::STRING => Some(PieceKind::String),
            _ => None,
        };
        if wanted(span) {
            found.push(mark(span, 3, kind));
        }
    }
    let is_word = |span: Span| text[span.start as usize..span.end as usize].iter().all(u8::is_ascii_alphabetic);
    for node in codegraph_extract::ast(text, language).iter().filter(|node| !node.named) {
        let span = Span::new(node.start, node.end);
        if wanted(span) && is_word(span) {
            found.push(mark(span, 4, Some(PieceKind::Keyword)));
        }
    }
    found
}

/// Cuts a line where something begins or ends: at each place the mark counts that began last.
fn cut(text: &[u8], line: Span, marks: &[Mark]) -> Vec<Piece> {
    let end = line.end.min(line.start + LONGEST_LINE as u32);
    let first = marks.partition_point(|mark| mark.span.start < end);
    let mut edges = vec![line.start, end];
    let over: Vec<&Mark> = marks[..first].iter().filter(|mark| mark.span.end > line.start).collect();
    for mark in &over {
        edges.extend([mark.span.start, mark.span.end].into_iter().filter(|edge| line.start < *edge && *edge < end));
    }
    edges.sort_unstable();
    edges.dedup();
    let mut pieces: Vec<Piece> = Vec::new();
    for pair in edges.windows(2) {
        let inside = |mark: &&&Mark| mark.span.start <= pair[0] && pair[1] <= mark.span.end;
        // Of those that begin together the one with the lowest layer, which `rev` meets last.
        let mark = over.iter().filter(inside).max_by_key(|mark| (mark.span.start, std::cmp::Reverse(mark.layer)));
        let text = String::from_utf8_lossy(&text[pair[0] as usize..pair[1] as usize]).into_owned();
        let piece = mark.map_or_else(Piece::default, |mark| mark.piece.clone());
        match pieces.last_mut() {
            Some(last) if last.is_plain() && piece.is_plain() && last.kind == piece.kind => last.text.push_str(&text),
            _ => pieces.push(Piece { text, ..piece }),
        }
    }
    if end < line.end {
        pieces.push(Piece {
            text: format!(" … {} more bytes", line.end - end),
            kind: Some(PieceKind::Comment),
            ..Piece::default()
        });
    }
    pieces
}

impl Piece {
    /// Whether it is no name.
    fn is_plain(&self) -> bool {
        !matches!(self.kind, Some(PieceKind::Name(_)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(start: u32, end: u32, layer: u8, kind: PieceKind) -> Mark {
        Mark { span: Span::new(start, end), layer, piece: Piece { kind: Some(kind), ..Piece::default() } }
    }

    #[test]
    fn pieces_are_the_line_and_the_innermost_counts() {
        let text = b"f(\"a {b} c\") # x";
        let mut marks = vec![
            mark(0, 1, 1, PieceKind::Name(NameKind::Local)),
            mark(2, 11, 3, PieceKind::String),
            mark(6, 7, 1, PieceKind::Name(NameKind::Parameter)),
            mark(13, 16, 3, PieceKind::Comment),
        ];
        marks.sort_by_key(|mark| (mark.span.start, mark.layer));
        let pieces = cut(text, Span::new(0, 16), &marks);
        let all: String = pieces.iter().map(|piece| piece.text.as_str()).collect();
        assert_eq!(all.as_bytes(), text);
        let kinds: Vec<_> = pieces.iter().map(|piece| (piece.text.as_str(), piece.kind)).collect();
        assert_eq!(kinds[1], ("(", None));
        assert_eq!(kinds[2], ("\"a {", Some(PieceKind::String)));
        assert_eq!(kinds[3], ("b", Some(PieceKind::Name(NameKind::Parameter))));
        assert_eq!(kinds[6], (" # x".trim_start(), Some(PieceKind::Comment)));
    }

    #[test]
    fn lines_end_as_in_any_system() {
        let spans = line_spans(b"a\r\nbc\n\nd\n");
        assert_eq!(spans, [Span::new(0, 1), Span::new(3, 5), Span::new(6, 6), Span::new(7, 8)]);
        assert_eq!(line_spans(b""), [Span::new(0, 0)]);
    }
}
