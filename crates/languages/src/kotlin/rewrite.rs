//! A statement that begins with a parenthesis: the grammar takes it for arguments of what the line before ends with, so a
//! semicolon is put behind that.

/// The text with a semicolon in the place of a blank before such a statement; none if there is none.
pub(crate) fn rewrite(source: &[u8]) -> Option<Vec<u8>> {
    let mut text: Option<Vec<u8>> = None;
    let mut scan = Scan { source, at: 0, open: Vec::new(), before: 0, is_head: false, line: 0 };
    while scan.at < source.len() {
        if let Some(place) = scan.step() {
            text.get_or_insert_with(|| source.to_vec())[place] = b';';
        }
    }
    text
}

/// What is open around a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Brace,
    /// A parenthesis, and whether it follows a word that wants a statement behind it.
    Paren(bool),
    Bracket,
    Text,
    RawText,
}

struct Scan<'s> {
    source: &'s [u8],
    at: usize,
    open: Vec<Open>,
    /// Behind the last byte that is neither blank nor comment.
    before: usize,
    /// That byte closes what a word like `if` asks for.
    is_head: bool,
    /// Where the line begins that has it.
    line: usize,
}

impl Scan<'_> {
    /// Reads on, and gives the blank that is to be a semicolon if a statement begins with a parenthesis there.
    fn step(&mut self) -> Option<usize> {
        let rest = &self.source[self.at..];
        match self.open.last() {
            Some(Open::Text) => self.in_text(rest),
            Some(Open::RawText) => match rest.starts_with(b"\"\"\"") && rest.get(3) != Some(&b'"') {
                true => self.close(3),
                false => self.template_or(rest, 1),
            },
            _ if rest.starts_with(b"//") => self.at += line_length(rest),
            _ if rest.starts_with(b"/*") => self.at += comment_length(rest),
            _ if rest[0].is_ascii_whitespace() => self.at += 1,
            _ => return self.code(rest),
        }
        None
    }

    fn code(&mut self, rest: &[u8]) -> Option<usize> {
        let begins = rest[0] == b'(' && self.begins_statement();
        // Behind the line before: with a comment between, the grammar has ended that line by itself.
        let place = match self.source.get(self.before) {
            Some(byte) if byte.is_ascii_whitespace() => self.before,
            _ => self.at - usize::from(begins),
        };
        match rest[0] {
            b'"' if rest.starts_with(b"\"\"\"") => self.begin(Open::RawText, 3),
            b'"' => self.begin(Open::Text, 1),
            b'\'' => self.take(char_length(rest)),
            b'(' => {
                let is_head = matches!(self.word_before(), b"if" | b"while" | b"for" | b"when" | b"catch");
                self.begin(Open::Paren(is_head), 1);
            }
            b'[' => self.begin(Open::Bracket, 1),
            b'{' => self.begin(Open::Brace, 1),
            b')' | b']' | b'}' => self.close(1),
            byte if is_word(byte) => self.take(rest.iter().take_while(|byte| is_word(**byte)).count()),
            _ => self.take(1),
        }
        begins.then_some(place)
    }

    /// Whether a parenthesis here is the first thing on its line, where statements stand, and behind a whole one.
    fn begins_statement(&self) -> bool {
        let line =
            self.at - self.source[..self.at].iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let is_first = line < self.at && line > 0 && self.source[line - 1] == b'\n';
        if !is_first || !matches!(self.open.last(), Some(Open::Brace)) || self.is_head {
            return false;
        }
        let last = self.before.checked_sub(1).map_or(b'{', |at| self.source[at]);
        let is_whole = is_word(last) || matches!(last, b')' | b']' | b'}' | b'"' | b'\'' | b'!');
        is_whole && !wants_more(self.word_before()) && !declares(&self.source[self.line..self.before])
    }

    fn in_text(&mut self, rest: &[u8]) {
        match rest[0] {
            b'"' | b'\n' => self.close(1),
            b'\\' => self.at += 2,
            _ => self.template_or(rest, 1),
        }
    }

    fn template_or(&mut self, rest: &[u8], length: usize) {
        match rest.starts_with(b"${") {
            true => self.begin(Open::Brace, 2),
            false => self.at += length,
        }
    }

    fn begin(&mut self, what: Open, length: usize) {
        self.take(length);
        self.open.push(what);
    }

    fn close(&mut self, length: usize) {
        let closed = self.open.pop();
        self.take(length);
        self.is_head = closed == Some(Open::Paren(true));
    }

    /// Reads something that is neither blank nor comment.
    fn take(&mut self, length: usize) {
        if self.source[self.before..self.at].contains(&b'\n') {
            self.line = self.at;
        }
        self.at += length;
        self.before = self.at.min(self.source.len());
        self.is_head = false;
    }

    fn word_before(&self) -> &[u8] {
        let text = &self.source[..self.before];
        let length = text.iter().rev().take_while(|byte| is_word(**byte)).count();
        &text[text.len() - length..]
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// Words that something follows on the next line.
fn wants_more(word: &[u8]) -> bool {
    matches!(
        word,
        b"return" | b"throw" | b"else" | b"in" | b"is" | b"as" | b"do" | b"try" | b"finally" | b"by" | b"constructor"
    )
}

/// Whether a line declares what may have its parameters on the next one.
fn declares(line: &[u8]) -> bool {
    let mut words = line.split(|byte| !is_word(*byte));
    line.starts_with(b"@") || words.any(|word| matches!(word, b"class" | b"fun" | b"interface" | b"constructor"))
}

fn line_length(text: &[u8]) -> usize {
    text.iter().position(|byte| *byte == b'\n').unwrap_or(text.len())
}

fn char_length(text: &[u8]) -> usize {
    let end = if text.get(1) == Some(&b'\\') { 3 } else { 2 };
    text.iter().skip(end).position(|byte| *byte == b'\'').map_or(1, |more| end + more + 1).min(text.len())
}

/// Comments stand in comments.
fn comment_length(text: &[u8]) -> usize {
    let (mut at, mut depth) = (0, 0);
    while at < text.len() {
        match (text[at], text.get(at + 1)) {
            (b'/', Some(b'*')) => (at, depth) = (at + 2, depth + 1),
            (b'*', Some(b'/')) if depth == 1 => return at + 2,
            (b'*', Some(b'/')) => (at, depth) = (at + 2, depth - 1),
            _ => at += 1,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::rewrite;

    fn rewritten(text: &str) -> String {
        let found = rewrite(text.as_bytes()).unwrap_or_else(|| text.as_bytes().to_vec());
        String::from_utf8(found).expect("only blanks are replaced")
    }

    #[test]
    fn a_parenthesis_on_a_line_of_its_own_begins_a_statement() {
        assert_eq!(rewritten("fun f() {\n  a()\n  (b as C).d()\n}"), "fun f() {\n  a();  (b as C).d()\n}");
        assert_eq!(rewritten("{\n  val x = y // so\n  (x).d()\n}"), "{\n  val x = y;// so\n  (x).d()\n}");
        assert_eq!(rewritten("{\n  \"${a(1)}\"\n  (x).d()\n}"), "{\n  \"${a(1)}\";  (x).d()\n}");
    }

    #[test]
    fn what_goes_on_from_the_line_before_stays() {
        for text in [
            "{\n  if (a)\n    (b).c()\n}", "{\n  return\n    (b)\n}", "{\n  a +\n    (b)\n}",
            "{\n  f { x ->\n    (x).c()\n  }\n}", "f(a,\n  b\n  (c))", "{\n  class A\n  (val b: C)\n}",
            "{\n  a = \"\"\"b\n  (c)\"\"\"\n}", "{\n  /* a\n  (b) */\n}", "class A\n  (val b: C)", "{\n(b)\n}",
        ] {
            assert_eq!(rewritten(text), text);
        }
    }

    #[test]
    fn text_that_ends_too_soon_is_read_to_its_end() {
        for text in ["{\n a\n (", "'", "'\\", "\"${", "\"\"\"", "/* /*", "{ \"\\", "))) }"] {
            rewritten(text);
        }
    }
}
