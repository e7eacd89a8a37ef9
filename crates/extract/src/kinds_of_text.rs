//! Which parts of a text are comments and which are strings: for places that were found in the text itself.

use codegraph_languages::Language;
use codegraph_languages::table::Act;
use codegraph_model::{Literal, Span, TermMask};

use crate::apart::Holes;
use crate::compile::Table;
use crate::walk::is_code;

/// Comments and strings, and the code inside of strings, in document order: of those around a place the last one counts.
/// Nothing if parsing took too long.
pub fn kinds_of_text(source: &[u8], language: &'static Language) -> Option<Vec<(Span, TermMask)>> {
    let table = Table::of(language);
    let tree = crate::parse(source, table, &Holes::default())?;
    let mut cursor = tree.walk();
    let mut found: Vec<(Span, TermMask)> = Vec::new();
    loop {
        let node = cursor.node();
        let span = Span::new(node.start_byte() as u32, node.end_byte() as u32);
        let mask = match table.rule(table.kind(node.kind_id()).rule).act {
            Act::Comment | Act::Prose => Some(TermMask::COMMENT),
            Act::Str | Act::Text => Some(TermMask::STRING),
            Act::Literal(Literal::String | Literal::Char | Literal::Regex) => Some(TermMask::STRING),
            Act::Interpolation => Some(TermMask::CODE),
            act if is_code(act) && found.last().is_some_and(|(around, _)| span.start < around.end) => {
                Some(TermMask::CODE)
            }
            _ => None,
        };
        found.extend(mask.map(|mask| (span, mask)));
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return Some(found);
            }
        }
    }
}

/// The parts of a text of which only a part runs, in document order. Nothing if parsing took too long.
pub fn conditionals(source: &[u8], language: &'static Language) -> Vec<Span> {
    let table = Table::of(language);
    let kinds: Vec<u16> = language
        .conditionals
        .iter()
        .map(|kind| table.grammar.id_for_node_kind(kind, true))
        .filter(|id| *id != 0)
        .collect();
    let Some(tree) = crate::parse(source, table, &Holes::default()) else { return Vec::new() };
    let mut cursor = tree.walk();
    let mut found = Vec::new();
    loop {
        let node = cursor.node();
        if kinds.contains(&node.kind_id()) {
            found.push(Span::new(node.start_byte() as u32, node.end_byte() as u32));
        }
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return found;
            }
        }
    }
}
