//! The answer of `codegraph signature`: the outline of a file.

use std::io;

use codegraph_query::{OutlineEntry, SignatureAnswer};

use crate::human::{clipped, count, printable, remarks, width};
use crate::{Answer, Out, Style};

impl Answer for SignatureAnswer {
    fn print(&self, out: &mut Out) -> io::Result<()> {
        outline(out, self)?;
        remarks(out, &self.remarks)
    }
}

const MOST_HEADER_LINES: usize = 12;

/// Prints an outline in document order.
pub(crate) fn outline(out: &mut Out, answer: &SignatureAnswer) -> io::Result<()> {
    let file = out.styled(Style::Path, &printable(&answer.file), 0);
    let what = format!("{}, {}", answer.language, count(answer.lines.into(), "line"));
    out.line(&format!("{file}  {}", out.styled(Style::Faint, &what, 0)))?;
    for line in answer.header_comments.lines().take(MOST_HEADER_LINES) {
        out.faint(&format!("  {}", clipped(&printable(line), 120)))?;
    }
    if answer.header_comments.lines().count() > MOST_HEADER_LINES {
        out.faint("  …")?;
    }
    let mut entries: Vec<&OutlineEntry> =
        [&answer.types, &answer.methods, &answer.members].into_iter().flatten().collect();
    entries.sort_by_key(|entry| (entry.order, entry.depth));
    rows(out, &entries, 0)?;
    for problem in &answer.problems {
        out.warning(&format!("  {problem}"))?;
    }
    Ok(())
}

/// A line for each symbol, from a depth on.
pub(crate) fn rows(out: &mut Out, entries: &[&OutlineEntry], depth: u32) -> io::Result<()> {
    let ranges: Vec<String> = entries.iter().map(|entry| range(entry)).collect();
    let wide = width(ranges.iter().map(String::len), 16);
    let kinds = width(entries.iter().map(|entry| entry.kind.word().len()), 17);
    for (entry, range) in entries.iter().zip(&ranges) {
        let range = out.styled(Style::Faint, range, wide);
        let kind = out.styled(Style::Kind, entry.kind.word(), kinds);
        let indent = "  ".repeat(entry.depth.saturating_sub(depth) as usize);
        let text = if entry.prototype.is_empty() { &entry.name } else { &entry.prototype };
        out.line(&format!("  {range}  {kind}  {indent}{}", clipped(&printable(text), 160)))?;
    }
    Ok(())
}

fn range(entry: &OutlineEntry) -> String {
    match entry.line_number == entry.end_line {
        true => entry.line_number.to_string(),
        false => format!("{}-{}", entry.line_number, entry.end_line),
    }
}
