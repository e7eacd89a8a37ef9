//! Which lines of a file can be folded away: bodies, blocks, bracketed text, comments and imports.

use codegraph_store::LineClass;
use serde::Serialize;

use crate::graph::Graph;
use crate::reader::FileView;
use crate::{Reader, Result, vocabulary};

/// Lines that fold into the first of them, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Fold {
    pub start_line: u32,
    pub end_line: u32,
    pub kind: FoldKind,
}

/// What is folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FoldKind {
    Code,
    Comment,
    Imports,
}

/// Answers which lines of a file fold.
pub fn folds(reader: &Reader, file: &str) -> Result<Vec<Fold>> {
    let view = reader.view(reader.file(file)?)?;
    let source = reader.source(&view.record)?;
    let mut found = Vec::new();
    brackets(&view, &source.bytes, &mut found)?;
    let linked = Graph::new(reader).file(view.record.id)?;
    for symbol in linked.stored.facts.symbols.iter().skip(1) {
        add(&view, symbol.span.start.max(symbol.name_span.start), symbol.span.end, FoldKind::Code, &mut found);
    }
    comments(&linked.stored.classes, &mut found);
    let imports = linked.stored.facts.imports.iter().map(|import| {
        (view.facts().line_of(import.span.start), view.facts().line_of(import.span.end.saturating_sub(1)))
    });
    runs(imports, FoldKind::Imports, &mut found);
    // One fold for each first line: the longest, unless that is about other text.
    found.sort_unstable_by_key(|fold| (fold.start_line, std::cmp::Reverse(fold.end_line), fold.kind));
    found.dedup_by_key(|fold| fold.start_line);
    Ok(found)
}

fn add(view: &FileView<'_>, start: u32, end: u32, kind: FoldKind, found: &mut Vec<Fold>) {
    let (start_line, end_line) = (view.facts().line_of(start), view.facts().line_of(end.saturating_sub(1)));
    if start_line < end_line {
        found.push(Fold { start_line, end_line, kind });
    }
}

/// What stands between brackets. The line of the closing one stays.
fn brackets(view: &FileView<'_>, source: &[u8], found: &mut Vec<Fold>) -> Result<()> {
    let language = vocabulary::language(&view.record.language)?;
    for node in codegraph_extract::ast(source, language) {
        let opens = matches!(source.get(node.start as usize), Some(b'{' | b'[' | b'('));
        let (start_line, end_line) = (view.facts().line_of(node.start), view.facts().line_of(node.end.max(1) - 1));
        if opens && start_line + 1 < end_line {
            found.push(Fold { start_line, end_line: end_line - 1, kind: FoldKind::Code });
        }
    }
    Ok(())
}

fn comments(classes: &[LineClass], found: &mut Vec<Fold>) {
    let lines = classes.iter().enumerate().filter(|(_, class)| **class == LineClass::Comment);
    runs(lines.map(|(line, _)| (line as u32 + 1, line as u32 + 1)), FoldKind::Comment, found);
}

/// Folds runs of neighbouring stretches.
fn runs(stretches: impl Iterator<Item = (u32, u32)>, kind: FoldKind, found: &mut Vec<Fold>) {
    let mut open: Option<(u32, u32)> = None;
    let mut close = |run: Option<(u32, u32)>| {
        if let Some((start_line, end_line)) = run.filter(|(start, end)| start < end) {
            found.push(Fold { start_line, end_line, kind });
        }
    };
    for (start, end) in stretches {
        open = match open {
            Some((first, last)) if start <= last + 1 => Some((first, last.max(end))),
            other => {
                close(other);
                Some((start, end))
            }
        };
    }
    close(open);
}
