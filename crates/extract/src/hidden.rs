//! Words that a rewrite has taken out of the text before it was parsed: macros and what stands in their parentheses.

use codegraph_model::Span;

use crate::words::is_word_byte;

/// A name in the text that the parser has not seen.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hidden {
    pub(crate) span: Span,
    /// By custom the name of a macro; else an argument of one.
    pub(crate) is_macro: bool,
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
        if !is_number && is_gone(&source[span.range()], &parsed[span.range()]) && !on_directive(source, at) {
            let is_macro = is_macro_name(&source[span.range()]);
            if is_macro || is_argument(source, at, found.last()) {
                found.push(Hidden { span, is_macro });
            }
        }
        at += length;
    }
    found
}

/// The parser read nothing in place of a word, or a word that is only put in.
fn is_gone(word: &[u8], parsed: &[u8]) -> bool {
    word != parsed && (parsed.contains(&b' ') || parsed == b"register")
}

fn on_directive(source: &[u8], at: usize) -> bool {
    let line = source[..at].iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1);
    source[line..at].trim_ascii_start().starts_with(b"#")
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
