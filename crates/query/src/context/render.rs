//! The text of a context: compact, for a model, and never longer than its budget.

use super::{ContextAnswer, ContextSymbol, Neighbour};

/// The whole text. What it shows is decided before: this only writes.
pub(super) fn text(answer: &ContextAnswer) -> String {
    let mut out = header(answer);
    for (i, symbol) in answer.symbols.iter().enumerate() {
        out.push_str(&head(i + 1, symbol, symbol.body.is_none()));
        out.push_str(&neighbours("callers", &symbol.callers, symbol.more_callers));
        out.push_str(&neighbours("callees", &symbol.callees, symbol.more_callees));
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
    if !answer.unknown_words.is_empty() {
        out.push_str(&format!("not in the index: {}\n", answer.unknown_words.join(", ")));
    }
    out
}

/// Place, kind and name of a symbol; its signature and summary where its body is not shown.
pub(super) fn head(number: usize, symbol: &ContextSymbol, details: bool) -> String {
    let (file, first, last) = (&symbol.file, symbol.line_number, symbol.end_line);
    let mut out = format!("{number}. {file}:{first}-{last} {} {}\n", symbol.kind.word(), symbol.fqn);
    if details {
        if let Some(signature) = symbol.signature.as_deref().filter(|text| !text.is_empty()) {
            out.push_str(&format!("  {signature}\n"));
        }
        if !symbol.summary.is_empty() {
            out.push_str(&format!("  {}\n", symbol.summary));
        }
    }
    out
}

pub(super) fn neighbours(what: &str, list: &[Neighbour], more: usize) -> String {
    if list.is_empty() {
        return String::new();
    }
    let names: Vec<String> = list.iter().map(|one| format!("{} {}:{}", one.fqn, one.file, one.line_number)).collect();
    let more = if more > 0 { format!("; +{more}") } else { String::new() };
    format!("  {what}: {}{more}\n", names.join("; "))
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
        out.push_str(&format!("  {}: {}\n", file.file, ranges.join(", ")));
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
        parts.push(format!("{} files that mention the words", left.files));
    }
    if parts.is_empty() { String::new() } else { format!("left out: {}\n", parts.join(", ")) }
}
