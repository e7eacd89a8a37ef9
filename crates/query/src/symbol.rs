//! A symbol as answers show it: all its ids, names and spans.

use codegraph_model::{Origin, Span, SymbolId, SymbolKind, Visibility};
use codegraph_store::Identity;
use serde::Serialize;

use crate::kinds::{displayed, normalized};
use crate::prototype::prototype;
use crate::reader::FileView;
use crate::source::Source;

/// A symbol in an answer.
#[derive(Clone, Debug, Serialize)]
pub struct SymbolInfo {
    pub symbol_id: String,
    pub symbol_key: String,
    pub span_id: String,
    pub match_id: String,
    pub name: String,
    pub fqn: String,
    pub canonical_fqn: String,
    pub display_fqn: String,
    #[serde(serialize_with = "displayed")]
    pub kind: SymbolKind,
    #[serde(serialize_with = "normalized")]
    pub kind_normalized: SymbolKind,
    pub language: String,
    /// The linked project that it is in; absent for the project that is asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    pub file: String,
    /// Why the file is nobody's own work; absent for most. Said in lists of symbols.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    /// Where the name stands.
    pub line_number: u32,
    #[serde(flatten)]
    pub span: Place,
    /// The head on one line; absent if the text could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visibility: Option<Visibility>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<&'static str>,
    /// The qualified name of the symbol around it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
}

/// A stretch of a file: bytes half-open, lines from 1, columns from 0 in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Place {
    pub byte_start: u32,
    pub byte_end: u32,
    pub start_line: u32,
    pub start_col: u32,
    pub end_line: u32,
    pub end_col: u32,
    /// Columns are the same in characters.
    #[serde(skip)]
    pub even: bool,
}

impl FileView<'_> {
    pub(crate) fn place(&self, span: Span) -> Place {
        let (start_line, start_col) = self.facts().position(span.start);
        let (end_line, end_col) = self.facts().position(span.end);
        let even = [start_line, end_line].iter().all(|line| self.facts().uneven_lines.binary_search(line).is_err());
        Place { byte_start: span.start, byte_end: span.end, start_line, start_col, end_line, end_col, even }
    }

    /// Everything that answers show of a symbol. The text is needed for the signature only.
    pub(crate) fn info(&self, id: SymbolId, source: Option<&Source>) -> SymbolInfo {
        let symbol = self.symbol(id);
        let Identity { id: number, key, canonical } = self.identity(id);
        let fqn = self.fqn(id);
        let path = &self.record.path;
        SymbolInfo {
            symbol_id: format!("{number:032x}"),
            symbol_key: format!("{key:032x}"),
            span_id: codegraph_store::span_id(path, symbol.span.start, symbol.span.end),
            match_id: match_id(self.name(id), path, symbol.span.start),
            name: self.name(id).to_owned(),
            canonical_fqn: canonical,
            display_fqn: fqn.clone(),
            fqn,
            kind: symbol.kind,
            kind_normalized: symbol.kind,
            language: self.record.language.clone(),
            project: self.label(),
            file: path.clone(),
            origin: None,
            line_number: self.name_line(id),
            span: self.place(symbol.span),
            signature: source.map(|source| prototype(&source.bytes, symbol)).filter(|text| !text.is_empty()),
            visibility: (symbol.visibility != Visibility::Unknown).then_some(symbol.visibility),
            flags: symbol.flags.words().collect(),
            parent: symbol.parent.get().map(|parent| self.fqn(parent)),
        }
    }
}

/// A stable 64-bit hash as hex for one row of an answer.
pub(crate) fn match_id(name: &str, path: &str, start: u32) -> String {
    let hash = blake3::hash(format!("{name}\0{path}\0{start}").as_bytes());
    crate::source::hex(&hash.as_bytes()[..8])
}
