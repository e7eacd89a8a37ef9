//! The little of Markdown that is needed: headings with their lines, and where the generated part is.

use std::ops::Range;
use std::path::Path;

use crate::{Error, Result};

pub(crate) const BEGIN: &str = "<!-- codegraph:begin";
pub(crate) const END: &str = "<!-- codegraph:end";

/// A heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Heading {
    /// From 0.
    pub(crate) line: usize,
    pub(crate) level: usize,
    pub(crate) text: String,
}

/// The headings of a text, those in fenced code left out.
pub(crate) fn headings(lines: &[&str]) -> Vec<Heading> {
    let mut found: Vec<Heading> = Vec::new();
    let mut fence: Option<&str> = None;
    let mut paragraph = false;
    for (line, text) in lines.iter().map(|line| line.trim_end()).enumerate() {
        let indent = text.len() - text.trim_start().len();
        let inner = text.trim_start();
        if indent < 4 && (inner.starts_with("```") || inner.starts_with("~~~")) {
            match fence {
                None => fence = Some(&inner[..3]),
                Some(open) if inner.starts_with(open) && inner.trim_start_matches(&open[..1]).is_empty() => {
                    fence = None
                }
                Some(_) => {}
            }
            paragraph = false;
            continue;
        }
        if fence.is_some() || indent > 3 {
            paragraph = false;
            continue;
        }
        let marks = inner.len() - inner.trim_start_matches('#').len();
        let rest = &inner[marks..];
        if (1..=6).contains(&marks) && (rest.is_empty() || rest.starts_with([' ', '\t'])) {
            let text = rest.trim().trim_end_matches('#').trim_end().to_owned();
            found.push(Heading { line, level: marks, text });
            paragraph = false;
        } else if paragraph && is_underline(inner) {
            let level = if inner.starts_with('=') { 1 } else { 2 };
            found.push(Heading { line: line - 1, level, text: lines[line - 1].trim().to_owned() });
            paragraph = false;
        } else {
            paragraph = !inner.is_empty() && !inner.starts_with(['>', '-', '*', '+', '|', '<']);
        }
    }
    found
}

fn is_underline(text: &str) -> bool {
    text.len() >= 3 && (text.bytes().all(|b| b == b'=') || text.bytes().all(|b| b == b'-'))
}

/// The lines of a heading's section: up to the next heading of its level or a higher one.
pub(crate) fn section(headings: &[Heading], place: usize, end: usize) -> Range<usize> {
    let own = &headings[place];
    let next = headings[place + 1..].iter().find(|other| other.level <= own.level);
    own.line..next.map_or(end, |next| next.line)
}

/// The lines of the generated part, markers included. Markers that do not fit each other are an error with their line.
pub(crate) fn generated(path: &Path, lines: &[&str]) -> Result<Option<Range<usize>>> {
    let damaged = |line: usize, message: &str| {
        Err(Error::Damaged { path: path.to_owned(), line: line + 1, message: message.to_owned() })
    };
    let mut begin = None;
    let mut whole = None;
    for (line, text) in lines.iter().map(|line| line.trim()).enumerate() {
        if text.starts_with(BEGIN) {
            match (begin, &whole) {
                (None, None) => begin = Some(line),
                _ => return damaged(line, "a second 'codegraph:begin'"),
            }
        } else if text.starts_with(END) {
            match begin.take() {
                Some(first) => whole = Some(first..line + 1),
                None => return damaged(line, "a 'codegraph:end' without its 'codegraph:begin'"),
            }
        }
    }
    match begin {
        Some(line) => damaged(line, "a 'codegraph:begin' without its 'codegraph:end'"),
        None => Ok(whole),
    }
}

/// How the lines of a text end.
pub(crate) fn line_end(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_in_fences_do_not_count() {
        let text = "# A\n```sh\n# no\n```\n## B ##\ntext\nC\n---\n\n---\n#no\n";
        let lines: Vec<&str> = text.lines().collect();
        let found: Vec<(usize, usize, String)> =
            headings(&lines).into_iter().map(|one| (one.line, one.level, one.text)).collect();
        assert_eq!(found, [(0, 1, "A".into()), (4, 2, "B".into()), (6, 2, "C".into())]);
    }

    #[test]
    fn a_section_ends_at_its_own_level() {
        let lines: Vec<&str> = "# A\n## B\n### C\nx\n## D\n".lines().collect();
        let all = headings(&lines);
        assert_eq!((section(&all, 0, 5), section(&all, 1, 5), section(&all, 3, 5)), (0..5, 1..4, 4..5));
    }

    #[test]
    fn markers_that_do_not_fit_are_named_with_their_line() {
        let at = |text: &str| {
            let lines: Vec<&str> = text.lines().collect();
            generated(Path::new("s"), &lines).map_err(|error| error.to_string())
        };
        assert_eq!(at("a\n<!-- codegraph:begin x -->\nb\n<!-- codegraph:end -->\n"), Ok(Some(1..4)));
        assert!(at("a\n<!-- codegraph:begin -->\n").is_err_and(|text| text.starts_with("s:2: ")));
        assert!(at("<!-- codegraph:end -->\n").is_err_and(|text| text.starts_with("s:1: ")));
    }
}
