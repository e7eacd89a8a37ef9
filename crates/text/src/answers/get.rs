//! The answer of `codegraph get`: the source of a symbol.

use std::io;

use codegraph_query::{GetAnswer, Inherited, OutlineEntry, SymbolSource};

use super::signature::rows;
use crate::human::{printable, remarks, unselected};
use crate::related::place;
use crate::{Answer, Out, Style};

impl Answer for GetAnswer {
    fn found(&self) -> bool {
        matches!(self, GetAnswer::Found(_))
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        match self {
            GetAnswer::Found(found) => shown(out, found),
            GetAnswer::Each(several) => {
                let (name, count) = (printable(&several.choices.selector), several.sources.len());
                out.faint(&format!("'{name}' means {count} symbols"))?;
                several.sources.iter().try_for_each(|found| shown(out, found))
            }
            GetAnswer::Unselected(answer) => unselected(out, answer),
        }
    }
}

fn shown(out: &mut Out, found: &SymbolSource) -> io::Result<()> {
    let (symbol, place) = (&found.symbol, found.content_place);
    // Every list names the line of the name; the text may start above it.
    let lines = match (place.start_line, place.end_line) {
        (start, end) if start == symbol.line_number => format!("-{end}"),
        (start, end) => format!(" (lines {start}-{end})"),
    };
    let at = format!("{}:{}{lines}", printable(&symbol.file), symbol.line_number);
    let at = out.styled(Style::Path, &at, 0);
    let kind = out.styled(Style::Kind, symbol.kind.display(), 0);
    let id = out.styled(Style::Faint, &symbol.symbol_id[..12], 0);
    out.line(&format!("{at}  {kind}  {}  {id}", out.styled(Style::Name, &printable(&symbol.fqn), 0)))?;
    if !found.members.is_empty() {
        return members(out, found);
    }
    match excerpt(found) {
        Some(excerpt) => {
            out.writer.write_all(excerpt.as_bytes())?;
            let name_line = format!("{}:{}", printable(&symbol.file), symbol.line_number);
            out.faint(&format!("around the line that was asked for; {name_line} gives all of it"))?;
        }
        None => {
            let text = found.excerpt.as_deref().unwrap_or(&found.content);
            out.writer.write_all(text.as_bytes())?;
            if !text.ends_with('\n') {
                writeln!(out.writer)?;
            }
        }
    }
    inherited(out, &found.inherited)?;
    remarks(out, &found.remarks)
}

/// What a type has from those above it.
fn inherited(out: &mut Out, all: &[Inherited]) -> io::Result<()> {
    for one in all {
        let (base, members) = (place(&one.base), printable(&one.members.join(", ")));
        out.faint(&format!("from {} {base}: {members}", printable(&one.base.scoped)))?;
    }
    Ok(())
}

/// Members that are listed at most, and lines that are shown before the first of them.
const MOST_MEMBERS: usize = 120;
const MOST_HEAD: usize = 12;

/// The head of a long type or file, and what is in it.
fn members(out: &mut Out, found: &SymbolSource) -> io::Result<()> {
    let first = found.members[0].symbol.span.start_line.saturating_sub(found.content_place.start_line) as usize;
    for line in found.content.lines().take(first.min(MOST_HEAD)) {
        out.line(&printable(line))?;
    }
    let shown: Vec<&OutlineEntry> = found.members.iter().take(MOST_MEMBERS).collect();
    rows(out, &shown, shown.iter().map(|entry| entry.depth).min().unwrap_or(0))?;
    let lines = found.content_place.end_line - found.content_place.start_line + 1;
    let more = found.members.len() - shown.len();
    let more = if more > 0 { format!("{more} more; ") } else { String::new() };
    out.faint(&format!("{more}its members, of {lines} lines; {} shows all of them", out.option("full", "")))?;
    inherited(out, &found.inherited)?;
    remarks(out, &found.remarks)
}

/// A longer text is shown around the line that was asked for: so many first lines, and so many before and after it.
const LONG: usize = 100;
const HEAD: usize = 4;
const AROUND: usize = 24;

/// The head of a long text and what is around a line of it.
fn excerpt(found: &SymbolSource) -> Option<String> {
    let lines: Vec<&str> = found.content.lines().collect();
    let asked = (found.asked_line?.checked_sub(found.content_place.start_line)?) as usize;
    if lines.len() <= LONG || asked >= lines.len() {
        return None;
    }
    let (from, to) = (asked.saturating_sub(AROUND), asked + AROUND + 1);
    // Nobody asks again for a few lines: they are shown.
    let from = if from <= HEAD + AROUND / 2 { 0 } else { from };
    let to = if to + AROUND / 2 >= lines.len() { lines.len() } else { to };
    let mut out = String::new();
    let left_out = |out: &mut String, count: usize| {
        if count > 0 {
            out.push_str(&format!("… {count} lines\n"));
        }
    };
    let put = |out: &mut String, part: &[&str]| part.iter().for_each(|line| out.extend([line, "\n"]));
    let head = HEAD.min(from);
    put(&mut out, &lines[..head]);
    left_out(&mut out, from - head);
    put(&mut out, &lines[from..to]);
    left_out(&mut out, lines.len() - to);
    Some(out)
}
