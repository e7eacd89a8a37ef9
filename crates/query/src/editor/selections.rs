//! The stretches around a place, from the innermost out: what "expand selection" goes through.

use codegraph_model::Span;

use crate::ast::offset_in;
use crate::symbol::Place;
use crate::words::is_word_byte;
use crate::{FilePlace, Reader, Result, vocabulary};

/// Answers with the stretches around each place, the innermost first. All places are in one file.
pub fn selections(reader: &Reader, places: &[FilePlace]) -> Result<Vec<Vec<Place>>> {
    let Some(first) = places.first() else { return Ok(Vec::new()) };
    let view = reader.view(reader.file(&first.file)?)?;
    let source = reader.source(&view.record)?;
    let nodes = codegraph_extract::ast(&source.bytes, vocabulary::language(&view.record.language)?);
    let mut all = Vec::with_capacity(places.len());
    for place in places {
        let at = offset_in(view.facts(), &view.record.path, place.line, place.column.unwrap_or(0))?;
        let at = beside_word(&source.bytes, at);
        let around = nodes.iter().filter(|node| node.start <= at && at < node.end);
        let mut spans: Vec<Span> = around.map(|node| Span::new(node.start, node.end)).collect();
        spans.push(Span::new(0, view.facts().length));
        spans.sort_unstable_by_key(|span| (span.len(), span.start));
        spans.dedup();
        all.push(spans.into_iter().map(|span| view.place(span)).collect());
    }
    Ok(all)
}

/// Behind a word, the word is meant.
fn beside_word(text: &[u8], at: u32) -> u32 {
    let is_word = |at: usize| text.get(at).is_some_and(|byte| is_word_byte(*byte));
    let (here, before) = (at as usize, (at as usize).wrapping_sub(1));
    if !is_word(here) && is_word(before) { before as u32 } else { at }
}
