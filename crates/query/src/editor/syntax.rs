//! The places of a file that the parser could not read.

use codegraph_model::Span;

use crate::symbol::Place;
use crate::{Reader, Result, vocabulary};

const MOST: usize = 50;

/// Answers where the parser met text that it did not understand, the first places only.
pub fn syntax_problems(reader: &Reader, file: &str) -> Result<Vec<Place>> {
    let view = reader.view(reader.file(file)?)?;
    if view.record.problems.is_empty() {
        return Ok(Vec::new());
    }
    let source = reader.source(&view.record)?;
    let nodes = codegraph_extract::ast(&source.bytes, vocabulary::language(&view.record.language)?);
    let unread = nodes.iter().filter(|node| node.kind == "ERROR" && node.start < node.end);
    Ok(unread.take(MOST).map(|node| view.place(Span::new(node.start, node.end))).collect())
}
