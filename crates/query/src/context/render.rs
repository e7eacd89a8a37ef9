//! The text of a context: compact, for a model, and never longer than its budget.

use super::{ContextAnswer, ContextSymbol, Neighbour};
use crate::paths::is_test;

/// Characters of parameters and of a summary that are shown.
const MOST_PARAMETERS: usize = 70;
const MOST_SUMMARY: usize = 90;
/// Callees that are named where a body does not show them.
const MOST_CALLEES: usize = 3;
/// Words that no code has are named if they are so few.
const MOST_UNKNOWN: usize = 4;

/// The whole text. What it shows is decided before: this only writes.
pub(super) fn text(answer: &ContextAnswer) -> String {
    let mut out = header(answer);
    for (i, symbol) in answer.symbols.iter().enumerate() {
        let before = i.checked_sub(1).map(|before| &answer.symbols[before]);
        out.push_str(&head(i + 1, symbol, before, symbol.body.is_none()));
        out.push_str(&neighbours("callers", &symbol.file, &symbol.callers, symbol.more_callers));
        // What a body says need not be said again.
        if symbol.body.is_none() {
            let shown = symbol.callees.len().min(MOST_CALLEES);
            let more = symbol.callees.len() - shown + symbol.more_callees;
            out.push_str(&neighbours("callees", &symbol.file, &symbol.callees[..shown], more));
        }
        if let Some(body) = &symbol.body {
            out.push_str(&fenced(body));
        }
    }
    out.push_str(&next(answer));
    out.push_str(&left_out(answer));
    out
}

pub(super) fn header(answer: &ContextAnswer) -> String {
    let mut out = String::new();
    // Of a long task most words are not about the code.
    if !answer.unknown_words.is_empty() && answer.unknown_words.len() <= MOST_UNKNOWN {
        out.push_str(&format!("not in the index: {}\n", answer.unknown_words.join(", ")));
    }
    out
}

/// Place, kind and name of a symbol; its parameters and summary where its body is not shown. The file is named once for those
/// that follow each other.
pub(super) fn head(number: usize, symbol: &ContextSymbol, before: Option<&ContextSymbol>, details: bool) -> String {
    let (first, last) = (symbol.line_number, symbol.end_line);
    let same = |before: &ContextSymbol| before.file == symbol.file && before.project == symbol.project;
    let file = if before.is_some_and(same) { String::new() } else { in_project(&symbol.project, &symbol.file) };
    let mut out = format!("{number}. {file}:{first}-{last} {} {}", symbol.kind.word(), short(&symbol.scoped));
    if details {
        out.push_str(&super::clipped(parameters(symbol), MOST_PARAMETERS));
        if !symbol.summary.is_empty() {
            out.push_str(&format!("  // {}", super::clipped(&symbol.summary, MOST_SUMMARY)));
        }
    }
    out.push('\n');
    out
}

/// A path with the project that it is in, if it is in one of many.
pub(super) fn in_project(project: &Option<String>, path: &str) -> String {
    project.as_ref().map_or_else(|| path.to_owned(), |project| format!("{project}: {path}"))
}

/// The last two parts of a qualified name: the file says the rest.
fn short(name: &str) -> &str {
    let is_joint = |c: char| matches!(c, '.' | ':' | '/' | '\\');
    let mut parts = name.rmatch_indices(is_joint).map(|(at, _)| at).filter(|at| !name[at + 1..].starts_with(is_joint));
    let end = parts.nth(1).map_or(name, |at| &name[at + 1..]);
    // A joint inside of brackets parts nothing.
    if end.contains('>') && !end.contains('<') { name } else { end }
}

/// What stands after the name in a signature.
fn parameters(symbol: &ContextSymbol) -> &str {
    let signature = symbol.signature.as_deref().unwrap_or_default();
    let after = signature.find(&format!("{}(", symbol.name)).map(|at| &signature[at + symbol.name.len()..]);
    after.unwrap_or_default()
}

/// Callers or callees; the file of a neighbour is named if it is another one, and tests are counted.
pub(super) fn neighbours(what: &str, own: &str, list: &[Neighbour], more: usize) -> String {
    let (tests, list): (Vec<&Neighbour>, Vec<&Neighbour>) = list.iter().partition(|one| is_test(&one.file));
    let more = more + tests.len();
    let (mut names, mut file) = (Vec::new(), own);
    for one in list {
        let (scoped, line) = (short(&one.scoped), one.line_number);
        names.push(match one.file == file && one.project.is_none() {
            true => format!("{}:{line}", one.name),
            false => format!("{scoped} {}:{line}", in_project(&one.project, &one.file)),
        });
        file = &one.file;
    }
    if more > 0 && !names.is_empty() {
        names.push(format!("+{more}"));
    }
    if names.is_empty() { String::new() } else { format!("  {what}: {}\n", names.join(", ")) }
}

pub(super) fn fenced(body: &str) -> String {
    let fence = if body.contains("```") { "````" } else { "```" };
    format!("{fence}\n{}\n{fence}\n", body.trim_end())
}

pub(super) fn next(answer: &ContextAnswer) -> String {
    if answer.read_next.is_empty() {
        return String::new();
    }
    let mut out = String::from("read next:\n");
    for file in &answer.read_next {
        let ranges: Vec<String> =
            file.ranges.iter().map(|range| format!("{}-{} {}", range.start_line, range.end_line, range.name)).collect();
        out.push_str(&format!("  {}: {}\n", in_project(&file.project, &file.file), ranges.join(", ")));
    }
    out
}

pub(super) fn left_out(answer: &ContextAnswer) -> String {
    let left = &answer.left_out;
    let mut parts = Vec::new();
    if left.symbols > 0 {
        parts.push(format!("{} weaker matches", left.symbols));
    }
    if left.bodies > 0 {
        parts.push(format!("{} bodies", left.bodies));
    }
    if left.files > 0 {
        parts.push(format!("{} files with the words", left.files));
    }
    if parts.is_empty() { String::new() } else { format!("left out: {}\n", parts.join(", ")) }
}
