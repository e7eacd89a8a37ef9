//! Whether a header that C and C++ both claim is C++.

use std::borrow::Cow;

/// True if the text, outside of comments, strings and what only C++ compilers see, has something that C has not.
pub(crate) fn is_cpp(source: &[u8]) -> bool {
    let mut guarded = Guard::default();
    let mut rest = source;
    let mut inside_comment = false;
    while !rest.is_empty() {
        let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |i| i + 1);
        let line = code_of(&rest[..end], &mut inside_comment);
        rest = &rest[end..];
        let line = line.trim_ascii();
        match line.strip_prefix(b"#") {
            Some(directive) => guarded.directive(directive.trim_ascii_start()),
            None if guarded.only_cpp() => {}
            None if shows_cpp(line) => return true,
            None => {}
        }
    }
    false
}

/// How deep in conditionals a line is, and from which depth on only C++ compilers read.
#[derive(Default)]
struct Guard {
    depth: u32,
    cpp_from: Option<u32>,
}

impl Guard {
    fn only_cpp(&self) -> bool {
        self.cpp_from.is_some()
    }

    fn directive(&mut self, text: &[u8]) {
        if text.starts_with(b"if") {
            self.depth += 1;
            let asks = contains(text, b"__cplusplus") && !text.starts_with(b"ifndef") && !contains(text, b"!");
            if asks && self.cpp_from.is_none() {
                self.cpp_from = Some(self.depth);
            }
        } else if text.starts_with(b"el") && self.cpp_from == Some(self.depth) {
            self.cpp_from = None;
        } else if text.starts_with(b"endif") {
            if self.cpp_from == Some(self.depth) {
                self.cpp_from = None;
            }
            self.depth = self.depth.saturating_sub(1);
        }
    }
}

/// A line without comments and without the content of strings.
fn code_of<'l>(line: &'l [u8], inside_comment: &mut bool) -> Cow<'l, [u8]> {
    if !*inside_comment && memchr::memchr2(b'/', b'"', line).is_none() {
        return Cow::Borrowed(line);
    }
    let mut code = Vec::with_capacity(line.len());
    let mut at = 0;
    let mut quote = None;
    while at < line.len() {
        let two = &line[at..line.len().min(at + 2)];
        match (*inside_comment, quote, two) {
            (true, _, b"*/") => {
                *inside_comment = false;
                at += 1;
            }
            (true, ..) => {}
            (false, Some(_), [b'\\', _]) => at += 1,
            (false, Some(mark), _) => quote = (line[at] != mark).then_some(mark),
            (false, None, b"//") => break,
            (false, None, b"/*") => {
                *inside_comment = true;
                at += 1;
            }
            (false, None, [b'"', ..]) => quote = Some(b'"'),
            (false, None, _) => code.push(line[at]),
        }
        at += 1;
    }
    Cow::Owned(code)
}

/// Words that start a line of C++ and no line of C.
const STARTS: &[&[u8]] =
    &[b"class", b"namespace", b"template", b"using", b"public", b"private", b"protected", b"constexpr", b"friend"];

fn shows_cpp(line: &[u8]) -> bool {
    starts_cpp(line) || scope_operator(line) || ends_with_access(line)
}

fn starts_cpp(line: &[u8]) -> bool {
    if !line.first().is_some_and(|byte| matches!(byte, b'c' | b'f' | b'n' | b'p' | b't' | b'u')) {
        return false;
    }
    let word = line.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
    let after = line[word..].trim_ascii_start().first().copied();
    STARTS.contains(&&line[..word]) && !matches!(after, Some(b'=' | b'(' | b',' | b')' | b'.' | b'-' | b'['))
}

/// `a::b`, but not `: :` of a bit field or an assembler operand list.
fn scope_operator(line: &[u8]) -> bool {
    if memchr::memchr(b':', line).is_none() {
        return false;
    }
    let is_word = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'>');
    line.windows(4).any(|w| {
        is_word(&w[0])
            && w[1] == b':'
            && w[2] == b':'
            && (w[3].is_ascii_alphabetic() || matches!(w[3], b'_' | b'~' | b'*'))
    })
}

fn ends_with_access(line: &[u8]) -> bool {
    [&b"public:"[..], b"private:", b"protected:"].iter().any(|word| line.ends_with(word))
}

fn contains(text: &[u8], word: &[u8]) -> bool {
    text.windows(word.len()).any(|w| w == word)
}

#[cfg(test)]
mod tests {
    use super::is_cpp;

    #[test]
    fn a_header_is_cpp_by_what_c_compilers_could_not_read() {
        for text in [
            "class Foo;", "namespace a { }", "template <typename T> struct X;", "struct X {\n public:\n  int x;\n};",
            "void f(std::string s);", "using X = int;",
        ] {
            assert!(is_cpp(text.as_bytes()), "{text}");
        }
        for text in [
            "struct foo { int class; };",
            "#ifdef __cplusplus\nnamespace a {\nextern \"C\" {\n#endif\nint f(void);\n",
            "/* class Foo; */\n// std::string\nint x;",
            "const char *s = \"a::b\";",
            "int template = 1, private[3];",
            "#if defined(__cplusplus)\nclass X {};\n#else\ntypedef struct X X;\n#endif\n",
        ] {
            assert!(!is_cpp(text.as_bytes()), "{text}");
        }
    }
}
