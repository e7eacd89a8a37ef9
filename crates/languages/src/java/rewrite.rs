//! Text that the grammar does not know: annotations between the type and the dots of a parameter that takes the rest.

/// The text with white space in place of such annotations; none if there are none.
pub(super) fn rewrite(source: &[u8]) -> Option<Vec<u8>> {
    let is_candidate = |(at, dots): (usize, &[u8])| dots == b"..." && annotation_before(source, at).is_some();
    if !source.windows(3).enumerate().any(is_candidate) {
        return None;
    }
    let mut text: Option<Vec<u8>> = None;
    let mut at = 0;
    while at < source.len() {
        if source[at..].starts_with(b"...") {
            let mut end = at;
            while let Some(start) = annotation_before(source, end) {
                text.get_or_insert_with(|| source.to_vec())[start..end].fill(b' ');
                end = start;
            }
            at += 3;
        } else {
            at += skipped(&source[at..]);
        }
    }
    text
}

/// How many bytes to go on: over a comment or a literal, where dots say nothing, in one step.
fn skipped(rest: &[u8]) -> usize {
    let (open, close): (usize, &[u8]) = match rest {
        [b'/', b'/', ..] => (2, b"\n"),
        [b'/', b'*', ..] => (2, b"*/"),
        [b'"', b'"', b'"', ..] => (3, b"\"\"\""),
        [quote @ (b'"' | b'\''), ..] => {
            let mut at = 1;
            while at < rest.len() && rest[at] != *quote && rest[at] != b'\n' {
                at += if rest[at] == b'\\' { 2 } else { 1 };
            }
            return at + 1;
        }
        _ => return 1,
    };
    let inside = &rest[open..];
    let length = inside.windows(close.len()).position(|part| part == close);
    length.map_or(rest.len(), |length| open + length + close.len())
}

/// Where an annotation of a name alone begins that ends here, white space apart.
fn annotation_before(source: &[u8], end: usize) -> Option<usize> {
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'.') || *b >= 0x80;
    let named = source[..end].trim_ascii_end();
    let start = named.len() - named.iter().rev().take_while(|b| is_part(b)).count();
    (start < named.len() && start > 0 && source[start - 1] == b'@').then(|| start - 1)
}

#[cfg(test)]
mod tests {
    use super::rewrite;

    #[test]
    fn annotations_before_the_dots_are_left_out() {
        let given = b"void f(T @A @b.C ... all, @D int... x) {} // @E ...\nString s = \"@F ...\";";
        let text = rewrite(given).expect("there are two");
        let text = String::from_utf8(text).expect("it is text");
        assert_eq!(text, "void f(T         ... all, @D int... x) {} // @E ...\nString s = \"@F ...\";");
        assert!(rewrite(b"void f(int... x) {}").is_none());
    }
}
