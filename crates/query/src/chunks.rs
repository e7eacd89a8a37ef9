//! The source of a file or symbol in pieces that fit: cut at definitions, with checksums.

use codegraph_model::{Span, SymbolId, SymbolKind};
use serde::Serialize;

use crate::get::whole;
use crate::kinds::displayed_if_any;
use crate::reader::FileView;
use crate::select::{Selection, Unselected, select};
use crate::source::{Source, sha256_hex};
use crate::symbol::Place;
use crate::{Reader, Remarks, Result, Selector, Window};

/// A question for the text of a file or symbol.
#[derive(Clone, Debug)]
pub struct Chunks {
    /// A file, or a symbol by name, qualified name, `file:line` or id.
    pub of: Selector,
    /// The longest piece, in bytes. A longer line is a piece of its own.
    pub most_bytes: usize,
    pub window: Window,
}

/// The longest piece unless asked otherwise: about a thousand tokens.
pub const DEFAULT_CHUNK_BYTES: usize = 4000;

/// Pieces of source, or why no symbol was meant.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum ChunksAnswer {
    Found(ChunkList),
    Unselected(Unselected),
}

/// Pieces in source order. All pieces of a file together are the file, apart from blank stretches.
#[derive(Clone, Debug, Serialize)]
pub struct ChunkList {
    pub file: String,
    pub language: String,
    pub chunks: Vec<Chunk>,
    pub total: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
    #[serde(flatten)]
    pub remarks: Remarks,
}

/// A piece of source.
#[derive(Clone, Debug, Serialize)]
pub struct Chunk {
    pub span_id: String,
    /// SHA-256 of the content.
    pub checksum: String,
    #[serde(flatten)]
    pub place: Place,
    /// The symbol that the piece is, or is a part of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fqn: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "displayed_if_any")]
    pub kind: Option<SymbolKind>,
    pub content: String,
}

/// Answers with the text of a file or symbol in pieces.
pub fn chunks(reader: &Reader, question: &Chunks) -> Result<ChunksAnswer> {
    let (view, of) = match reader.known_file(&question.of.text()) {
        Ok(Some(record)) => (Box::new(reader.view(record)?), SymbolId(0)),
        _ => match select(reader, &question.of)? {
            Selection::One(view, id) => (view, id),
            Selection::Other(other) => return Ok(ChunksAnswer::Unselected(other)),
        },
    };
    let source = reader.source(&view.record)?;
    let pieces = Cutter::new(&view, &source, question.most_bytes.max(1)).cut(of);
    let shown = question.window.of(&pieces);
    let chunks = shown.iter().map(|(span, symbol)| chunk(&view, &source, *span, *symbol)).collect();
    view.check()?;
    Ok(ChunksAnswer::Found(ChunkList {
        file: view.record.path.clone(),
        language: view.record.language.clone(),
        chunks,
        total: pieces.len(),
        next_offset: question.window.next(pieces.len()),
        remarks: Remarks::of(reader),
    }))
}

fn chunk(view: &FileView<'_>, source: &Source, span: Span, symbol: SymbolId) -> Chunk {
    let fqn = (symbol.0 != 0).then(|| view.fqn(symbol));
    let id = fqn.as_ref().map(|_| view.symbol_id(symbol));
    Chunk {
        span_id: codegraph_store::span_id(&view.record.path, span.start, span.end),
        checksum: sha256_hex(source.slice(span)),
        place: view.place(span),
        symbol_id: id,
        kind: (symbol.0 != 0).then(|| view.symbol(symbol).kind),
        fqn,
        content: source.text(span),
    }
}

struct Cutter<'a> {
    source: &'a Source,
    most: u32,
    /// For each symbol, the symbols directly inside it with their whole spans, in source order.
    children: Vec<Vec<(Span, SymbolId)>>,
    spans: Vec<Span>,
    pieces: Vec<(Span, SymbolId)>,
}

impl<'a> Cutter<'a> {
    fn new(view: &FileView<'_>, source: &'a Source, most: usize) -> Cutter<'a> {
        let mut children: Vec<Vec<(Span, SymbolId)>> = vec![Vec::new(); view.facts().symbols.len()];
        let mut spans = Vec::with_capacity(children.len());
        for (id, symbol) in view.symbols() {
            let span = match id.0 {
                0 => Span::new(0, source.bytes.len() as u32),
                _ => whole(view, symbol, source),
            };
            spans.push(span);
            if let Some(parent) = symbol.parent.get() {
                children[parent.index()].push((span, id));
            }
        }
        children.iter_mut().for_each(|list| list.sort());
        let most = u32::try_from(most).unwrap_or(u32::MAX);
        Cutter { source, most, children, spans, pieces: Vec::new() }
    }

    fn cut(mut self, of: SymbolId) -> Vec<(Span, SymbolId)> {
        match self.spans.get(of.index()).copied() {
            // A file is always cut at its definitions, however short it is.
            Some(span) if of.0 == 0 => self.inside(span, of),
            Some(span) => self.symbol(span, of),
            None => {}
        }
        self.pieces
    }

    /// A symbol is one piece if it fits, else it is cut at the symbols inside it. Nesting is walked with a stack of
    /// its own: source can nest deeper than this thread's stack.
    fn symbol(&mut self, span: Span, id: SymbolId) {
        let mut open = vec![(span, id)];
        while let Some((span, id)) = open.pop() {
            match self.children.get(id.index()).is_none_or(Vec::is_empty) || span.len() <= self.most {
                true => self.lines(span, id),
                false => self.parts(span, id).into_iter().rev().for_each(|part| open.push(part)),
            }
        }
    }

    fn inside(&mut self, span: Span, id: SymbolId) {
        for (part, owner) in self.parts(span, id) {
            match owner == id {
                true => self.lines(part, id),
                false => self.symbol(part, owner),
            }
        }
    }

    /// The children of a symbol and the stretches between them. The latter end up small enough to stop the descent.
    fn parts(&mut self, span: Span, id: SymbolId) -> Vec<(Span, SymbolId)> {
        let children = std::mem::take(&mut self.children[id.index()]);
        let mut parts = Vec::new();
        let mut at = span.start;
        for (child, inner) in children {
            if child.start < at || child.end > span.end {
                continue;
            }
            parts.push((Span::new(at, child.start), id));
            let end = self.line_end(child.end).min(span.end);
            parts.push((Span::new(child.start, end), inner));
            at = end;
        }
        parts.push((Span::new(at, span.end), id));
        parts.retain(|(part, _)| !self.source.slice(*part).iter().all(u8::is_ascii_whitespace));
        parts
    }

    /// The rest of a line belongs to what ends on it, if it is only punctuation and a line break.
    fn line_end(&self, at: u32) -> u32 {
        let rest = self.source.slice(Span::new(at, u32::MAX));
        let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |i| i + 1);
        let plain = rest[..end].iter().all(|b| b.is_ascii_whitespace() || matches!(b, b';' | b','));
        if plain { at + end as u32 } else { at }
    }

    /// Cuts a stretch at line ends.
    fn lines(&mut self, span: Span, owner: SymbolId) {
        let mut start = span.start;
        while span.end - start > self.most {
            let window = self.source.slice(Span::new(start, start + self.most));
            let cut = match memchr::memrchr(b'\n', window) {
                Some(i) => start + i as u32 + 1,
                None => {
                    let rest = self.source.slice(Span::new(start, span.end));
                    start + memchr::memchr(b'\n', rest).map_or(rest.len(), |i| i + 1) as u32
                }
            };
            self.pieces.push((Span::new(start, cut), owner));
            start = cut;
        }
        if start < span.end {
            self.pieces.push((Span::new(start, span.end), owner));
        }
    }
}
