//! The head of a definition on one line: no body, no decorators, no comments between its parts.

use codegraph_model::{Span, Symbol};

use crate::source::slice;

/// Initialisers can be whole data files.
const LONGEST: usize = 300;

/// The prototype of a symbol: its head with white space collapsed.
pub fn prototype(source: &[u8], symbol: &Symbol) -> String {
    // A file has no head: what comes first in it says nothing about it.
    if symbol.kind.is_module() && symbol.name_span.is_empty() {
        return String::new();
    }
    let head = after_brackets(source, head(symbol));
    let mut text = one_line(source, head, symbol);
    // The span of one of several declarators does not include the type that they share.
    if !symbol.type_span.is_empty() && symbol.type_span.end <= head.start {
        text = format!("{} {text}", one_line(source, symbol.type_span, symbol));
    }
    let text = text.trim_end_matches(['{', ':', ';', '=', ' ', ',']).trim_end_matches("=>").trim_end();
    match text.char_indices().nth(LONGEST) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.to_owned(),
    }
}

/// From after the decorators that belong to the span to where the body starts.
fn head(symbol: &Symbol) -> Span {
    let name = if symbol.name_span.is_empty() { symbol.span.end } else { symbol.name_span.start };
    let decorated = symbol.decorators.iter().chain([&symbol.doc]).map(|span| span.end).filter(|end| *end <= name);
    let start = decorated.fold(symbol.span.start, u32::max);
    let end = if symbol.head_end > start { symbol.head_end } else { symbol.span.end };
    Span::new(start, end.min(start.saturating_add(64 * 1024)))
}

/// Attributes may stand in brackets, of which only what is inside belongs to them.
fn after_brackets(source: &[u8], head: Span) -> Span {
    let rest = slice(source, head).iter();
    let closing = rest.take_while(|byte| byte.is_ascii_whitespace() || **byte == b']').count() as u32;
    Span::new(head.start + closing.min(head.len()), head.end)
}

fn one_line(source: &[u8], head: Span, symbol: &Symbol) -> String {
    let text = String::from_utf8_lossy(slice(source, head));
    let mut line = String::with_capacity(text.len());
    let mut offset = head.start;
    for raw in text.split_inclusive('\n') {
        let kept = if raw.ends_with('\n') { before_comment(raw, offset, symbol) } else { raw };
        for word in kept.split_whitespace() {
            let tight = line.is_empty() || line.ends_with(['(', '[', '<']) || word.starts_with([')', ']', ',', ';']);
            if !tight || same_line_gap(kept, word) && !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        offset += raw.len() as u32;
    }
    line.replace(",)", ")")
}

/// Whether white space before a word was written on the same line, where it is kept.
fn same_line_gap(line: &str, word: &str) -> bool {
    let at = word.as_ptr() as usize - line.as_ptr() as usize;
    !line[..at].trim().is_empty()
}

/// A line of a head without the comment at its end. Comment marks inside known parts are no comments.
fn before_comment<'t>(line: &'t str, offset: u32, symbol: &Symbol) -> &'t str {
    let known = |at: usize| {
        let at = offset + at as u32;
        let params = symbol.params.iter().flat_map(|p| [p.name, p.type_span, p.default]);
        let mut spans = params.chain(symbol.bases.iter().copied()).chain([symbol.type_span, symbol.name_span]);
        spans.any(|span| span.contains(at))
    };
    let starts = line.match_indices(['/', '#']).map(|(at, _)| at).find(|at| {
        let rest = &line[*at..];
        (rest.starts_with("//") || rest.starts_with('#') && !rest.starts_with("#[")) && !known(*at)
    });
    &line[..starts.unwrap_or(line.len())]
}
