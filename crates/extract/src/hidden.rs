//! Words that a rewrite has taken out of the text before it was parsed: macros and what stands in their parentheses.

use codegraph_model::Span;

use crate::words::is_word_byte;

/// A name in the text that the parser has not seen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hidden {
    pub(crate) span: Span,
    /// By custom the name of a macro; else an argument of one.
    pub(crate) is_macro: bool,
    /// Nothing else is on its line.
    pub(crate) stands_alone: bool,
}

/// The names that are in the real text only.
pub(crate) fn hidden(source: &[u8], parsed: &[u8]) -> Vec<Hidden> {
    let mut found: Vec<Hidden> = Vec::new();
    let mut at = 0;
    while let Some(step) = source[at..].iter().zip(&parsed[at..]).position(|(a, b)| a != b) {
        at += step;
        if !is_word_byte(source[at]) {
            at += 1;
            continue;
        }
        while at > 0 && is_word_byte(source[at - 1]) {
            at -= 1;
        }
        let is_number = source[at].is_ascii_digit();
        let length = source[at..].iter().take_while(|b| is_word_byte(**b)).count();
        let span = Span::new(at as u32, (at + length) as u32);
        let word = &source[span.range()];
        if !is_number && is_gone(word, &parsed[span.range()]) {
            let directive = on_directive(source, at);
            let asks = directive.starts_with(b"if ") || directive.starts_with(b"elif ");
            let is_macro = match directive.is_empty() {
                true => is_macro_name(word) || starts_statement(source, parsed, span),
                false => asks && is_asked(source, at, word),
            };
            if is_macro || directive.is_empty() && is_argument(source, at, found.last()) {
                found.push(Hidden { span, is_macro, stands_alone: is_macro && stands_alone(source, span) });
            }
        }
        at += length;
    }
    found
}

/// The parser read nothing in place of a word, or a word that is only put in.
fn is_gone(word: &[u8], parsed: &[u8]) -> bool {
    word != parsed && (parsed.contains(&b' ') || matches!(parsed, b"register" | b"void" | b"int=" | b"int"))
}

/// A word in the place of a storage class that no language has.
fn starts_statement(source: &[u8], parsed: &[u8], span: Span) -> bool {
    const OWN: [&[u8]; 10] =
        [b"struct", b"union", b"enum", b"class", b"const", b"unsigned", b"signed", b"static", b"extern", b"typedef"];
    let (at, word) = (span.range().start, &source[span.range()]);
    // The rest of the statement is read.
    let after = span.range().end + source[span.range().end..].iter().take_while(|b| b.is_ascii_whitespace()).count();
    if source.get(after) != parsed.get(after) {
        return false;
    }
    let before = source[..at].trim_ascii_end();
    let line = source[..at].iter().rev().take_while(|b| **b != b'\n').all(u8::is_ascii_whitespace);
    let ends = before.last().is_none_or(|b| matches!(b, b';' | b'}' | b'{' | b'/')) || before.ends_with(b"static");
    (ends || line) && !OWN.contains(&word)
}

fn stands_alone(source: &[u8], word: Span) -> bool {
    let before = source[..word.range().start].iter().rev().take_while(|b| **b != b'\n');
    let after = source[word.range().end..].split(|b| *b == b'\n').next().unwrap_or_default();
    before.into_iter().all(u8::is_ascii_whitespace)
        && (after.trim_ascii().is_empty() || after.trim_ascii().starts_with(b"/"))
}

/// The directive that a place stands in, from its word on; empty if it stands in none.
fn on_directive(source: &[u8], mut at: usize) -> &[u8] {
    loop {
        let line = source[..at].iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1);
        if let Some(directive) = source[line..].trim_ascii_start().strip_prefix(b"#") {
            return directive.trim_ascii_start();
        }
        if line == 0 || !source[..line - 1].trim_ascii_end().ends_with(b"\\") {
            return b"";
        }
        at = line - 1;
    }
}

/// A macro whose value a condition asks for, not whether it is there.
fn is_asked(source: &[u8], at: usize, word: &[u8]) -> bool {
    let before = source[..at].trim_ascii_end();
    let before = before.strip_suffix(b"(").unwrap_or(before).trim_ascii_end();
    !matches!(word, b"if" | b"elif" | b"defined") && !before.ends_with(b"defined")
}

fn is_macro_name(word: &[u8]) -> bool {
    let caps =
        word.iter().all(|b| !b.is_ascii_lowercase()) && word.iter().filter(|b| b.is_ascii_uppercase()).count() > 1;
    caps || word.starts_with(b"__")
}

/// Between the last macro and this word there is an open parenthesis.
fn is_argument(source: &[u8], at: usize, last: Option<&Hidden>) -> bool {
    let Some(last) = last else { return false };
    let between = &source[last.span.end as usize..at];
    let is_near = between.len() < 120 && !between.contains(&b';') && !between.contains(&b'"');
    let first = if last.is_macro { between.trim_ascii_start().first() } else { Some(&b'(') };
    is_near && first == Some(&b'(') && !between.contains(&b')') && !between.ends_with(b".") && !between.ends_with(b">")
}

#[cfg(test)]
mod tests {
    use super::hidden;

    #[test]
    fn macros_and_their_arguments_are_found_again() {
        let source = b"class API_X Foo { int a GUARDED_BY(mutex_); };";
        let parsed = b"class       Foo { int a                   ; };";
        let words: Vec<_> = hidden(source, parsed).iter().map(|h| (&source[h.span.range()], h.is_macro)).collect();
        assert_eq!(words, [(&b"API_X"[..], true), (b"GUARDED_BY", true), (b"mutex_", false)]);
    }
}
