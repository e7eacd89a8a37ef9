//! What stands for something at run time: the methods that implement a method, the types that are made of a type; and
//! the nearest relatives of a type.

use std::rc::Rc;
use std::sync::Arc;

use codegraph_model::{Certainty, SymbolKind};
use codegraph_store::{FileRecord, SymbolRow};

use crate::at::{Meaning, Pointed, Pointing, point};
use crate::definition::in_view;
use crate::graph::Graph;
use crate::hierarchy::{all_heirs, bases_of, heirs_of, rows_of};
use crate::recent::Recent;
use crate::symbol::Place;
use crate::{Definition, Reader, Result, Selector, dispatch};

/// Answers where that is which implements the method or type that is meant: the names, without what they say.
pub fn implementations(reader: &Reader, selector: &Selector) -> Result<Vec<(Arc<FileRecord>, Place)>> {
    let graph = Graph::new(reader);
    let mut rows = Vec::new();
    for row in meant(&graph, selector)? {
        let kind = graph.reader.outline(row.file)?.facts.symbols[row.symbol.index()].kind;
        match kind {
            kind if kind.is_callable() || kind == SymbolKind::Property => {
                rows.extend(dispatch::implementations(&graph, row)?);
            }
            // Used by everybody, and nobody's base.
            kind if kind.is_module() => {}
            _ => rows.extend(all_heirs(&graph, row)?),
        }
    }
    let place = |row: SymbolRow| {
        let view = reader.view_of(row.file)?;
        let place = view.place(view.symbol(row.symbol).name_span);
        Ok((view.record, place))
    };
    rows.into_iter().map(place).collect()
}

/// The symbol that is meant, as an editor lists it.
pub fn item(reader: &Reader, selector: &Selector) -> Result<Option<Definition>> {
    let graph = Graph::new(reader);
    Ok(described(&graph, meant(&graph, selector)?.into_iter().take(1))?.pop())
}

/// The bases of a type, or else its heirs, one step away.
pub fn relatives(reader: &Reader, selector: &Selector, bases: bool) -> Result<Vec<Definition>> {
    let graph = Graph::new(reader);
    let mut found = Vec::new();
    for row in meant(&graph, selector)? {
        let step = if bases { bases_of(&graph, row)? } else { heirs_of(&graph, row)? };
        found.extend(rows_of(step));
    }
    described(&graph, found)
}

/// The symbols of the project that a selector means.
pub(super) fn meant(graph: &Graph<'_>, selector: &Selector) -> Result<Vec<SymbolRow>> {
    let Pointing::Here(pointed) = point(graph, selector)? else { return Ok(Vec::new()) };
    let rows = pointed.iter().filter_map(|one| match one.meaning {
        Meaning::Symbol(row) => Some(row),
        _ => None,
    });
    Ok(rows.collect())
}

/// Symbols where they are defined.
pub(super) fn described(graph: &Graph<'_>, rows: impl IntoIterator<Item = SymbolRow>) -> Result<Vec<Definition>> {
    let views = Recent::default();
    let one = |row: SymbolRow| {
        let view = views.get(row.file, || Ok(Rc::new(graph.reader.view_of(row.file)?)))?;
        let (span, meaning) = (view.symbol(row.symbol).name_span, Meaning::Symbol(row));
        let own = Pointed { file: row.file, span, meaning, certainty: Certainty::Exact, how: None, kind: None };
        in_view(&view, graph.source(row.file)?.as_deref(), row.symbol, &own)
    };
    rows.into_iter().map(one).collect()
}
