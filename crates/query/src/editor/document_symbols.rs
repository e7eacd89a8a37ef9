//! The symbols of one file as a tree, with where their names stand.

use codegraph_model::{Span, SymbolKind};
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::definition::text_of;
use crate::symbol::Place;
use crate::{Reader, Remarks, Result, prototype};

/// The symbols of a file in source order.
#[derive(Clone, Debug, Serialize)]
pub struct DocumentSymbols {
    pub file: String,
    pub symbols: Vec<DocumentSymbol>,
    #[serde(flatten)]
    pub remarks: Remarks,
}

/// A symbol of a file.
#[derive(Clone, Debug, Serialize)]
pub struct DocumentSymbol {
    pub name: String,
    pub kind: SymbolKind,
    /// All of it.
    pub range: Place,
    /// Where its name stands, inside the range.
    pub name_range: Place,
    /// The symbol around it, by its place in the list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parent: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
}

/// Answers with all symbols of a file.
pub fn document_symbols(reader: &Reader, file: &str) -> Result<DocumentSymbols> {
    let view = reader.view(reader.file(file)?)?;
    let mut remarks = Remarks::of(reader);
    let source = text_of(reader, &view, &mut remarks);
    let mut order: Vec<_> = view.symbols().skip(1).filter(|(_, symbol)| !symbol.span.is_empty()).collect();
    order.sort_by_key(|(id, symbol)| (symbol.span.start, std::cmp::Reverse(symbol.span.end), id.0));
    let places: FxHashMap<_, _> = order.iter().enumerate().map(|(place, (id, _))| (*id, place)).collect();
    let mut symbols = Vec::with_capacity(order.len());
    for (id, symbol) in &order {
        let whole = symbol.span;
        let name = symbol.name_span;
        let inside = !name.is_empty() && name.start >= whole.start && name.end <= whole.end;
        let name = if inside { name } else { Span::new(whole.start, whole.start) };
        symbols.push(DocumentSymbol {
            name: view.name(*id).to_owned(),
            kind: symbol.kind,
            range: view.place(whole),
            name_range: view.place(name),
            parent: places.get(&symbol.parent).copied(),
            signature: source.as_ref().map(|source| prototype(&source.bytes, symbol)),
        });
    }
    view.check()?;
    Ok(DocumentSymbols { file: view.record.path.clone(), symbols, remarks })
}
