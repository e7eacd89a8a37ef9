//! The changes of a text, and how they read as a patch.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use codegraph_model::{Binding, ExprOp, FileFacts, FileId, RefId, Span, SymbolId};
use codegraph_store::{FileLinks, LinkTarget, SymbolRow};

use super::TextChange;
use super::family::Family;
use crate::lookup::is_short_key;
use crate::reader::FileView;
use crate::source::Source;
use crate::symbol::Place;

/// Lines around a change in a patch.
const AROUND: usize = 3;

/// The changes of one file. A place whose text is another name for the same thing stays as it is; where one word is both
/// the key and the value, the other one is written out.
pub(super) fn changes(
    view: &FileView<'_>,
    source: &Source,
    spans: &BTreeSet<Span>,
    family: &Family,
    new_name: &str,
    double: impl Fn(Span) -> Option<Ours>,
) -> Vec<TextChange> {
    let mut changes = Vec::new();
    for span in spans {
        if let Some((start, end)) = family.in_span(&source.text(*span)) {
            let own = Span::new(span.start + start as u32, span.start + end as u32);
            let text = match double(*span) {
                None => new_name.to_owned(),
                Some(Ours::Key) => format!("{new_name}: {}", family.name),
                Some(Ours::Value) => format!("{}: {new_name}", family.name),
            };
            changes.push(TextChange { range: view.place(own), text });
        }
    }
    changes
}

/// Which of two meanings of one word is renamed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ours {
    Key,
    Value,
}

/// What else a word of a file means: `{ name }` is a member and a variable.
pub(super) fn double(facts: &FileFacts, links: &FileLinks, file: FileId, family: &Family, span: Span) -> Option<Ours> {
    let own_symbol = |i: usize| family.symbols.contains(&SymbolRow::new(file, SymbolId(i as u32)));
    let own_local = |i: usize| family.locals.contains(&(file, i as u32));
    let key = |i: usize| is_short_key(&facts.symbols[i]);
    let mut symbols = facts.symbols.iter().enumerate().filter(|(_, symbol)| symbol.name_span == span);
    if let Some((i, _)) = symbols.find(|(i, _)| key(*i)) {
        return Some(if own_symbol(i) { Ours::Key } else { Ours::Value });
    }
    let mut bindings = facts.bindings.iter().enumerate().filter(|(_, binding)| binding.span == span);
    if let Some((i, _)) = bindings.find(|(_, binding)| is_key(facts, binding)) {
        return Some(if own_local(i) { Ours::Value } else { Ours::Key });
    }
    let refs = facts.refs.iter().enumerate().filter(|(_, reference)| reference.span == span);
    let others = refs.filter(|(i, _)| {
        let bound = links.of(RefId(*i as u32)).map(|bound| links.target(bound));
        matches!(bound, Some(LinkTarget::Symbol(row)) if !family.symbols.contains(row))
    });
    // A member that is meant as well is the key; otherwise we are.
    let other = others.map(|(_, reference)| reference.receiver.is_some() || family.symbols.is_empty()).next()?;
    Some(if other { Ours::Value } else { Ours::Key })
}

/// Whether a value is taken apart by the name that its part gets.
fn is_key(facts: &FileFacts, binding: &Binding) -> bool {
    let init = binding.init.get().and_then(|init| facts.exprs.get(init.index()));
    init.is_some_and(|init| init.op == ExprOp::Key && init.b == binding.name.0)
}

/// The text after changes that are in order and apart.
pub(super) fn applied(text: &[u8], changes: &[TextChange]) -> Vec<u8> {
    let mut new = Vec::with_capacity(text.len());
    let mut at = 0;
    for TextChange { range: Place { byte_start, byte_end, .. }, text: own } in changes {
        new.extend_from_slice(&text[at..*byte_start as usize]);
        new.extend_from_slice(own.as_bytes());
        at = *byte_end as usize;
    }
    new.extend_from_slice(&text[at..]);
    new
}

/// A patch between two texts with the same number of lines, of a file that may be called otherwise afterwards.
pub(super) fn diff(path: &str, new_path: Option<&str>, old: &[u8], new: &[u8]) -> String {
    let (old, new): (Vec<&[u8]>, Vec<&[u8]>) = (lines(old), lines(new));
    let changed: Vec<usize> = (0..old.len()).filter(|line| old[*line] != new[*line]).collect();
    let mut text = match new_path {
        Some(moved) => format!("diff --git a/{path} b/{moved}\nrename from {path}\nrename to {moved}\n"),
        None => String::new(),
    };
    write!(text, "--- a/{path}\n+++ b/{}\n", new_path.unwrap_or(path)).expect("writing to a string cannot fail");
    let mut rest = changed.as_slice();
    while let Some(first) = rest.first() {
        let near = rest.windows(2).position(|pair| pair[1] - pair[0] > 2 * AROUND).map_or(rest.len(), |at| at + 1);
        let (hunk, later) = rest.split_at(near);
        let start = first.saturating_sub(AROUND);
        let end = (hunk[hunk.len() - 1] + AROUND + 1).min(old.len());
        let count = end - start;
        writeln!(text, "@@ -{0},{count} +{0},{count} @@", start + 1).expect("writing to a string cannot fail");
        let mut at = start;
        while at < end {
            let run = (at..end).take_while(|line| old[*line] != new[*line]).count();
            (at..at + run).for_each(|line| push(&mut text, '-', old[line]));
            (at..at + run).for_each(|line| push(&mut text, '+', new[line]));
            at += run;
            if at < end {
                push(&mut text, ' ', old[at]);
                at += 1;
            }
        }
        rest = later;
    }
    text
}

fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}

fn push(text: &mut String, mark: char, line: &[u8]) {
    text.push(mark);
    text.push_str(&String::from_utf8_lossy(line));
    if !line.ends_with(b"\n") {
        text.push_str("\n\\ No newline at end of file\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_changes_share_a_hunk() {
        let old = "1\n2\n3\n4\nx\n6\ny\n8\n9\n10\n11\n12\n13\n14\nx";
        let new = old.replace('x', "z").replace('y', "w");
        let said = diff("a.py", None, old.as_bytes(), new.as_bytes());
        let expected = "--- a/a.py\n+++ b/a.py\n@@ -2,9 +2,9 @@\n 2\n 3\n 4\n-x\n+z\n 6\n-y\n+w\n 8\n 9\n 10\n\
                        @@ -12,4 +12,4 @@\n 12\n 13\n 14\n-x\n\\ No newline at end of file\n+z\n\\ No newline at end of file\n";
        assert_eq!(said, expected);
    }
}
