//! A symbol on one line: name, parameters, what it returns, what it extends.

use codegraph_model::{Flags, Param, Span, Symbol, SymbolKind};

use super::layout::What;
use crate::source::slice;

/// More parameters are counted.
const MOST_PARAMS: usize = 12;

/// Longer types and patterns are cut, in characters.
const LONGEST_TYPE: usize = 60;
const LONGEST_PATTERN: usize = 24;
const LONGEST_NAME: usize = 120;

/// The mark in front of a symbol.
pub(super) fn mark(what: What, symbol: &Symbol) -> &'static str {
    match (what, symbol.flags.has(Flags::ASYNC)) {
        (What::Class, _) => "c",
        (What::Function, false) => "f",
        (What::Function, true) => "af",
        (What::Method, false) => "m",
        (What::Method, true) => "am",
        (What::Property, _) => "p",
        (What::Variable | What::Field, _) => "v",
        (What::Tests { .. }, _) => "#",
    }
}

/// A macro that takes nothing is a value, or the guard of a file.
pub(super) fn shown_as(source: &[u8], what: What, symbol: &Symbol) -> What {
    let takes = |rest: &[u8]| rest.trim_ascii_start().first().is_some_and(|byte| matches!(byte, b'(' | b'{'));
    let rest = Span::new(symbol.name_span.end, symbol.span.end.max(symbol.name_span.end));
    match symbol.kind == SymbolKind::Macro && symbol.params.is_empty() && !takes(slice(source, rest)) {
        true => What::Variable,
        false => what,
    }
}

/// Parameters, return type and bases, as far as the kind of line has them. `extra` are bases that stand elsewhere.
pub(super) fn details(source: &[u8], what: What, symbol: &Symbol, extra: &[Span]) -> String {
    match what {
        What::Class => {
            let spans = symbol.bases.iter().chain(extra);
            let mut bases: Vec<String> = Vec::new();
            for base in spans.map(|span| clipped(base_name(&compact(source, *span)), LONGEST_TYPE)) {
                if !base.is_empty() && !bases.contains(&base) {
                    bases.push(base);
                }
            }
            if bases.is_empty() { String::new() } else { format!("({})", bases.join(",")) }
        }
        What::Function | What::Method => {
            let bare = symbol.kind == SymbolKind::Macro && symbol.params.is_empty();
            let params = if bare { String::new() } else { format!("({})", params(source, symbol)) };
            format!("{params}{}", returns(source, symbol.type_span))
        }
        What::Property => returns(source, symbol.type_span),
        What::Variable | What::Field | What::Tests { .. } => String::new(),
    }
}

/// A base is a name, whatever word stands before it.
fn base_name(text: &str) -> &str {
    ["extends ", "implements ", "with "].iter().find_map(|word| text.strip_prefix(word)).unwrap_or(text).trim()
}

fn params(source: &[u8], symbol: &Symbol) -> String {
    let given: Vec<&Param> = symbol.shown_params().collect();
    let mut shown: Vec<String> = given.iter().take(MOST_PARAMS).map(|param| parameter(source, param)).collect();
    if given.len() > MOST_PARAMS {
        shown.push(format!("+{}", given.len() - MOST_PARAMS));
    }
    shown.join(",")
}

fn parameter(source: &[u8], param: &Param) -> String {
    let name = compact(source, param.name);
    let name = name.trim_start_matches(['$', '&', '*', '.']);
    let shown = match name.is_empty() {
        false if name.starts_with(['{', '[']) => pattern(name),
        false => clipped(name, LONGEST_PATTERN),
        true => clipped(&compact(source, param.type_span), LONGEST_PATTERN),
    };
    let shown = if shown.is_empty() { "_".to_owned() } else { shown };
    let stars = match () {
        () if param.flags.has(Flags::KEYWORD_VARIADIC) => "**",
        () if param.flags.has(Flags::VARIADIC) => "*",
        () => "",
    };
    let optional = !param.default.is_empty() || param.flags.has(Flags::HAS_DEFAULT) || param.flags.has(Flags::OPTIONAL);
    let mark = if optional && !shown.ends_with('?') { "?" } else { "" };
    format!("{stars}{shown}{mark}")
}

/// The names of a pattern, without defaults and what lies deeper; if they are many, that there are some.
fn pattern(text: &str) -> String {
    let (open, close) = if text.starts_with('{') { ("{", "}") } else { ("[", "]") };
    let inner = text.trim_start_matches(open).trim_end_matches(close);
    let mut depth = 0;
    let parts = inner.split(|c: char| {
        match c {
            '{' | '[' | '(' => depth += 1,
            '}' | ']' | ')' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    });
    let names: Vec<&str> = parts
        .map(|part| part.split(['=', ':']).next().unwrap_or(part).trim())
        .filter(|name| !name.is_empty())
        .collect();
    let short = format!("{open}{}{close}", names.join(","));
    if short.chars().count() <= LONGEST_PATTERN { short } else { format!("{open}…{close}") }
}

fn returns(source: &[u8], span: Span) -> String {
    let text = compact(source, span);
    if text.is_empty() {
        return String::new();
    }
    match optional(&text) {
        Some(inner) => format!("->?{}", clipped(inner, LONGEST_TYPE)),
        None => format!("->{}", clipped(&text, LONGEST_TYPE)),
    }
}

/// What an optional type is a type of, whichever way a language writes it.
fn optional(text: &str) -> Option<&str> {
    const EMPTY: [&str; 5] = ["None", "null", "undefined", "nil", "void"];
    const WRAPPERS: [&str; 2] = ["Optional", "Option"];
    if let Some(inner) = text.strip_prefix('?') {
        return Some(inner);
    }
    if let Some(inner) = text.strip_suffix('?').filter(|inner| !inner.contains(' ')) {
        return Some(inner);
    }
    if let Some((head, rest)) = text.split_once(['<', '[']) {
        let name = head.rsplit(['.', ':']).next().unwrap_or(head);
        let inner = rest.strip_suffix(['>', ']']);
        let known = WRAPPERS.contains(&name) || name == "optional" && head.ends_with("::optional");
        if let Some(inner) = inner.filter(|inner| known && is_balanced(inner)) {
            return Some(inner);
        }
    }
    let (first, last) = text.split_once('|')?;
    let (first, last) = (first.trim(), last.trim());
    if last.contains('|') {
        return None;
    }
    match (EMPTY.contains(&first), EMPTY.contains(&last)) {
        (false, true) => Some(first),
        (true, false) => Some(last),
        _ => None,
    }
}

/// Whether every bracket that opens closes, and none closes first.
fn is_balanced(text: &str) -> bool {
    let mut open = 0i32;
    for c in text.chars() {
        match c {
            '<' | '[' | '(' => open += 1,
            '>' | ']' | ')' => open -= 1,
            _ => {}
        }
        if open < 0 {
            return false;
        }
    }
    open == 0
}

/// The text of a span on one line, without white space that says nothing.
pub(super) fn compact(source: &[u8], span: Span) -> String {
    let text = String::from_utf8_lossy(slice(source, span));
    let mut out = String::with_capacity(text.len());
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()) {
        let tight = out.is_empty()
            || out.ends_with([',', '(', '[', '<', '{', ':'])
            || word.starts_with([',', ')', ']', '>', '}', ':', ';']);
        if !tight {
            out.push(' ');
        }
        out.push_str(word);
    }
    if out.contains(", ") { out.replace(", ", ",") } else { out }
}

pub(super) fn clipped(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text.to_owned(),
    }
}

/// A name that cannot be taken for something else: quoted if it has white space or marks of the format in it.
pub(super) fn name(text: &str) -> String {
    let odd = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '"' | ',' | '←' | '→' | '″');
    if text.is_empty() {
        return "_".to_owned();
    }
    let text = clipped(text, LONGEST_NAME);
    if text.contains(odd) { serde_json::Value::from(text).to_string() } else { text }
}

/// A path that cannot be taken for something else.
pub(super) fn path(text: &str) -> std::borrow::Cow<'_, str> {
    let odd = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '"' | ',' | ':' | '←' | '→' | '″');
    let misleading = text.starts_with(['@', '#', '/', '+']);
    match misleading || text.contains(odd) {
        true => serde_json::Value::from(text).to_string().into(),
        false => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn optional_types_are_marked_in_every_spelling() {
        for text in ["Optional[S]", "Option<S>", "std::optional<S>", "?S", "S?", "S | None", "null | S", "S|undefined"]
        {
            assert_eq!(optional(text), Some("S"), "{text}");
        }
        for text in ["S", "A | B", "A | B | None", "Options<S>", "Optional[A],Optional[B]", "Result<Option<S>>"] {
            assert_eq!(optional(text), None, "{text}");
        }
    }

    #[test]
    fn patterns_are_short() {
        assert_eq!(pattern("{price = 1,tags}"), "{price,tags}");
        assert_eq!(pattern("{a:{b,c},d = [1,2]}"), "{a,d}");
        assert_eq!(pattern("[first,,third]"), "[first,third]");
        assert_eq!(pattern("{one,two,three,four,five,six}"), "{…}");
    }

    #[test]
    fn texts_stay_on_one_line() {
        let text = b"Map< String,\n    List<\tInt > >";
        assert_eq!(compact(text, Span::new(0, text.len() as u32)), "Map<String,List<Int>>");
        assert_eq!(name("a \"b\"\nc"), r#""a \"b\"\nc""#);
        assert_eq!((path("a b.py").as_ref(), path("a.py").as_ref()), ("\"a b.py\"", "a.py"));
    }
}
