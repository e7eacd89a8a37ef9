//! What the grammar does not know: `using x = …` reads as `const x = …`, with or without `await`, and type parameters are read
//! without `in` and `out` before them.

/// The text with declarations that the grammar knows in the place of those that it does not; none if there are none.
pub(crate) fn rewrite(source: &[u8]) -> Option<Vec<u8>> {
    let mut text: Option<Vec<u8>> = None;
    let mut at = 0;
    while let Some(found) = memchr::memmem::find(&source[at..], b"using ") {
        let start = at + found;
        at = start + b"using ".len();
        if declares(source, start, at) {
            let text = text.get_or_insert_with(|| source.to_vec());
            text[start..start + 5].copy_from_slice(b"const");
            let line = line_before(source, start);
            if line.ends_with(b"await ") {
                text[start - b"await ".len()..start].fill(b' ');
            }
        }
    }
    for word in [&b"in "[..], b"out "] {
        for start in memchr::memmem::find_iter(source, word) {
            if is_variance(source, start, start + word.len()) {
                text.get_or_insert_with(|| source.to_vec())[start..start + word.len()].fill(b' ');
            }
        }
    }
    text
}

/// Whether a word stands between the bracket or comma before a type parameter and the name of it: `<in out T>`.
fn is_variance(source: &[u8], start: usize, end: usize) -> bool {
    let mut before = source[..start].trim_ascii_end();
    for word in [&b"in"[..], b"const"] {
        let cut = before.strip_suffix(word).filter(|rest| rest.last().is_some_and(|b| !is_part(*b)));
        before = cut.unwrap_or(before).trim_ascii_end();
    }
    let rest = source[end..].trim_ascii_start();
    let rest = rest.strip_prefix(b"out ").unwrap_or(rest).trim_ascii_start();
    let name = rest.iter().take_while(|b| is_part(**b)).count();
    let behind = rest[name..].trim_ascii_start();
    let declares = matches!(behind.first(), Some(b'>' | b',' | b'=')) || behind.starts_with(b"extends ");
    let is_named = name > 0 && !rest[0].is_ascii_digit() && &rest[..name] != b"extends";
    matches!(before.last(), Some(b'<' | b',')) && is_named && declares && !behind.starts_with(b"=>")
}

const fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$')
}

/// Whether the word at `start` begins a statement and a name with a value follows it.
fn declares(source: &[u8], start: usize, after: usize) -> bool {
    let line = line_before(source, start);
    let before = line.strip_suffix(b"await ").unwrap_or(line).trim_ascii();
    let begins = before.is_empty() || matches!(before[before.len() - 1], b';' | b'{' | b'}' | b'(');
    let name = source[after..].iter().take_while(|b| is_part(**b)).count();
    let rest = source[after + name..].trim_ascii_start();
    let is_named = name > 0 && !source[after].is_ascii_digit();
    begins && is_named && matches!(rest.first(), Some(b'=' | b':')) && !rest.starts_with(b"==")
}

fn line_before(source: &[u8], at: usize) -> &[u8] {
    let start = source[..at].iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1);
    &source[start..at]
}

#[cfg(test)]
mod tests {
    use super::rewrite;

    fn rewritten(text: &str) -> String {
        let found = rewrite(text.as_bytes()).unwrap_or_else(|| text.as_bytes().to_vec());
        String::from_utf8(found).expect("only words are replaced")
    }

    #[test]
    fn a_declaration_that_disposes_reads_as_a_constant() {
        assert_eq!(rewritten("{ using a = b(); }"), "{ const a = b(); }");
        assert_eq!(rewritten("  await using ctx = make();\n"), "        const ctx = make();\n");
    }

    #[test]
    fn type_parameters_are_read_without_their_variance() {
        let text = "interface A<out O = 1, in out I> {} class B<const T, in K extends X> {}";
        assert_eq!(rewritten(text), "interface A<    O = 1,        I> {} class B<const T,    K extends X> {}");
        for text in ["class C<out> {}", "class C<out extends D> {}", "for (const [a, b] of c) in x;", "f(a, in => b)"] {
            assert_eq!(rewritten(text), text);
        }
    }

    #[test]
    fn other_uses_of_the_word_stay() {
        for text in ["// using x = 1 is new", "const using = 1;", "a.using = 2", "using == 3", "f(\"using x\")"] {
            assert_eq!(rewritten(text), text);
        }
    }
}
