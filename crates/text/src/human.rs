//! Parts of human output that several commands share: remarks, symbols in columns, sizes and times.

use std::io;

use codegraph_model::Origin;
use codegraph_query::{Coverage, Remarks, SymbolInfo, UnreadCount, Unselected};

use crate::{Out, Style};

const MOST_STALE: usize = 5;

/// A path or name as one printable line: odd names must not break the layout or the terminal.
pub fn printable(text: &str) -> String {
    let shown = |c: char| match c {
        '\t' => ' ',
        c if c.is_control() => '\u{fffd}',
        c => c,
    };
    text.chars().map(shown).collect()
}

/// A path, with the linked project that it is in.
pub fn within(project: Option<&str>, path: &str) -> String {
    match project {
        Some(project) => format!("{}: {}", printable(project), printable(path)),
        None => printable(path),
    }
}

/// Prints what has to be known besides the rows.
pub fn remarks(out: &mut Out, remarks: &Remarks) -> io::Result<()> {
    for note in &remarks.notes {
        let note = out.advice(&note.advice());
        out.faint(&format!("note: {}", printable(&note)))?;
    }
    let is_linked = |file: &&String| remarks.stale_linked.iter().any(|(_, files)| files.contains(file));
    stale(out, &remarks.stale_files.iter().filter(|file| !is_linked(file)).collect::<Vec<_>>(), "")?;
    for (folder, files) in &remarks.stale_linked {
        stale(out, &files.iter().collect::<Vec<_>>(), &format!(" in {}", printable(folder)))?;
    }
    if let Some(coverage) = &remarks.coverage {
        out.faint(&covered(out, coverage))?;
    }
    if !remarks.nearest.is_empty() {
        out.line(&format!("near: {}", remarks.nearest.join(", ")))?;
    }
    Ok(())
}

/// Files that have changed, and what brings their project up to date.
fn stale(out: &mut Out, files: &[&String], place: &str) -> io::Result<()> {
    if files.is_empty() {
        return Ok(());
    }
    let shown: Vec<String> = files.iter().take(MOST_STALE).map(|file| printable(file)).collect();
    let more = files.len() - shown.len();
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    let run = out.command("update");
    out.warning(&format!("changed since indexed: {}{rest}; run {run}{place}", shown.join(", ")))
}

fn covered(out: &Out, coverage: &Coverage) -> String {
    let mut text = format!("searched {}", count(coverage.files, "file"));
    if !coverage.languages.is_empty() {
        text.push_str(&format!(" ({})", coverage.languages.join(", ")));
    }
    if !coverage.not_searched.is_empty() {
        text.push_str(&format!("; not searched: {}", coverage.not_searched.join(", ")));
    }
    if coverage.files_with_problems > 0 {
        text.push_str(&format!("; {} not understood completely", count(coverage.files_with_problems, "file")));
    }
    if coverage.files_skipped > 0 {
        let names = out.command("status");
        text.push_str(&format!("; {} skipped ({names} names them)", count(coverage.files_skipped, "file")));
    }
    if !coverage.unread.is_empty() {
        let grep = out.command("grep");
        text.push_str(&format!("; of no known language: {} ({grep} searches them)", kinds(&coverage.unread)));
    }
    text
}

/// `30 yml, 12 html`
pub fn kinds(unread: &[UnreadCount]) -> String {
    const MOST: usize = 6;
    let mut shown: Vec<String> =
        unread.iter().take(MOST).map(|one| format!("{} {}", one.files, printable(&one.extension))).collect();
    let rest: u64 = unread.iter().skip(MOST).map(|one| one.files).sum();
    if rest > 0 {
        shown.push(format!("{rest} others"));
    }
    shown.join(", ")
}

/// `1 file`, `2 files`.
pub fn count(number: u64, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

/// How to go on with a list that was cut.
pub fn more(out: &mut Out, shown: usize, total: usize, next: Option<usize>) -> io::Result<()> {
    match next {
        Some(next) => out.faint(&format!("{shown} of {total}; go on with {}", out.option("offset", &next.to_string()))),
        None => Ok(()),
    }
}

/// Symbols in columns: kind, name, place, signature.
pub fn symbols(out: &mut Out, symbols: &[SymbolInfo]) -> io::Result<()> {
    let place =
        |symbol: &SymbolInfo| format!("{}:{}", within(symbol.project.as_deref(), &symbol.file), symbol.line_number);
    let kinds = width(symbols.iter().map(|symbol| symbol.kind.display().len()), 16);
    let names = width(symbols.iter().map(|symbol| symbol.fqn.chars().count()), 60);
    let places = width(symbols.iter().map(|symbol| place(symbol).chars().count()), 60);
    for symbol in symbols {
        let kind = out.styled(Style::Kind, symbol.kind.display(), kinds);
        let name = out.styled(Style::Name, &printable(&symbol.fqn), names);
        let at = out.styled(Style::Path, &place(symbol), places);
        let signature = printable(symbol.signature.as_deref().unwrap_or_default());
        let signature = out.styled(Style::Faint, &clipped(&signature, 100), 0);
        out.line(&format!("{kind}  {name}  {at}  {signature}{}", origin(out, symbol.origin)))?;
    }
    Ok(())
}

/// The mark of what others or programs wrote.
pub fn origin(out: &Out, origin: Option<Origin>) -> String {
    origin.map_or_else(String::new, |origin| out.styled(Style::Faint, &format!("  ({})", origin.word()), 0))
}

/// The choices for a name that means several symbols, or what an unknown name was looked for in.
pub fn unselected(out: &mut Out, answer: &Unselected) -> io::Result<()> {
    let selector = printable(&answer.selector);
    if answer.ambiguous {
        out.line(&format!("'{selector}' means {} symbols; choose one by its full name or id:", answer.total))?;
        let ids = answer.choices.iter().map(|choice| &choice.symbol_id[..12]);
        let names = width(answer.choices.iter().map(|choice| choice.fqn.chars().count()), 60);
        for (id, choice) in ids.zip(&answer.choices) {
            let name = out.styled(Style::Name, &printable(&choice.fqn), names);
            let kind = out.styled(Style::Kind, choice.kind.display(), 12);
            let place = within(choice.project.as_deref(), &choice.file);
            out.line(&format!("{id}  {kind}  {name}  {place}:{}", choice.line_number))?;
        }
        if answer.choices.len() < answer.total {
            out.faint(&format!("the first {}; {} lists all", answer.choices.len(), out.command("find")))?;
        }
    } else {
        out.line(&format!("no symbol '{selector}'"))?;
    }
    remarks(out, &answer.remarks)
}

/// The width of a column: that of its widest cell, but not more than `most`.
pub fn width(cells: impl Iterator<Item = usize>, most: usize) -> usize {
    cells.max().unwrap_or(0).min(most)
}

pub fn clipped(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.to_owned(),
    }
}

/// Bytes for people: `812 B`, `4.2 MB`.
pub fn size(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.2} GB", bytes as f64 / 1e9),
    }
}

/// Milliseconds for people: `3 ms`, `1.25 s`.
pub fn time(milliseconds: f64) -> String {
    if milliseconds < 1000.0 { format!("{milliseconds:.0} ms") } else { format!("{:.2} s", milliseconds / 1000.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_times_are_short() {
        assert_eq!((size(12), size(1_500), size(2_345_678)), ("12 B".into(), "1.5 kB".into(), "2.3 MB".into()));
        assert_eq!((time(3.4), time(1250.0)), ("3 ms".into(), "1.25 s".into()));
        assert_eq!(count(1, "file"), "1 file");
    }

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        assert_eq!(printable("a\x1b[2Jb\nc"), "a\u{fffd}[2Jb\u{fffd}c");
    }
}
