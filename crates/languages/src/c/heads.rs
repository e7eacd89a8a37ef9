//! Macros in the heads of C++ definitions: in lists of template parameters, in place of a test's head, behind `if`.

use std::ops::Range;

use super::conditionals::Level;
use super::rewrite::{Edit, Macros, is_builtin_type, is_caps, is_class_key, is_keyword};
use super::tokens::{Kind, Token};

/// The text that only compilers of C++ see in a file of C, where it is more than the head of `extern "C" {`.
pub(super) fn cpp_only(source: &[u8], tokens: &[Token]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for (i, token) in tokens.iter().enumerate().filter(|(_, t)| t.kind == Kind::If) {
        let text = token.text(source);
        let asks = text.windows(11).any(|w| w == b"__cplusplus") && !text.contains(&b'!') && !text.contains(&b'|');
        if !asks || text[1..].trim_ascii_start().starts_with(b"ifndef") {
            continue;
        }
        let Some(end) = branch_end(tokens, i) else { continue };
        let words = [&b"template"[..], b"class", b"namespace", b"static_cast", b"operator", b"\"C++\"", b"using"];
        if tokens[i + 1..end].iter().any(|t| words.contains(&t.text(source))) {
            found.push(i + 1..end);
        }
    }
    found
}

/// The `#else` or `#endif` that belongs to an `#if`.
fn branch_end(tokens: &[Token], start: usize) -> Option<usize> {
    let mut depth = 0;
    for (i, token) in tokens.iter().enumerate().skip(start + 1) {
        match token.kind {
            Kind::If => depth += 1,
            Kind::Else | Kind::EndIf if depth == 0 => return Some(i),
            Kind::EndIf => depth -= 1,
            _ => {}
        }
    }
    None
}

impl Macros<'_> {
    /// Behind the `template <…>` that starts here. What stands for a parameter in it is read as one with a default.
    pub(super) fn template_head(&mut self, i: usize) -> Option<usize> {
        if i != self.statement || self.word(i) != b"template" || self.mark(i + 1) != b'<' {
            return None;
        }
        let (mut angles, mut parentheses) = (0u32, 0u32);
        let mut places = Vec::new();
        for j in i + 1..self.tokens.len() {
            match self.tokens[j].kind {
                Kind::Mark(b'(') => parentheses += 1,
                Kind::Mark(b')') => parentheses = parentheses.checked_sub(1)?,
                Kind::Mark(b'<') if parentheses == 0 => angles += 1,
                Kind::Mark(b'>') if parentheses == 0 && self.mark_before(j) != b'-' => angles -= 1,
                Kind::Mark(b';' | b'{' | b'}') => return None,
                Kind::Word if angles == 1 && parentheses == 0 && self.stands_for_parameter(j) => places.push(j),
                _ => {}
            }
            if angles == 0 {
                places.into_iter().for_each(|place| self.read_parameter(place));
                return Some(j + 1);
            }
        }
        None
    }

    /// `template <class T, ENABLE_IF(x)>`
    fn stands_for_parameter(&self, i: usize) -> bool {
        let end = self.arguments_end(i);
        let starts = matches!(self.mark_before(i), b'<' | b',');
        starts
            && end > i + 1
            && matches!(self.mark(end), b',' | b'>')
            && is_caps(self.word(i))
            && self.word(i).len() >= 4
    }

    fn read_parameter(&mut self, i: usize) {
        self.found.push(Edit { range: self.tokens[i].range(), word: b"int=" });
        self.gone[i] = true;
    }

    /// `TEST_F(Fixture, Name) {` is read as a method of the fixture, `void Fixture::Name() {`.
    pub(super) fn test_head(&mut self, i: usize) -> bool {
        let outside = !self.names_functions && self.levels.last().is_none_or(|l| l.declares());
        if !outside || i != self.statement || self.mark(i + 1) != b'(' || !is_caps(self.word(i)) {
            return false;
        }
        let names = [i + 2, i + 4].iter().all(|j| !self.word(*j).is_empty() && !is_keyword(self.word(*j)));
        if !names || self.mark(i + 3) != b',' || self.mark(i + 5) != b')' || self.mark(i + 6) != b'{' {
            return false;
        }
        let start = |j: usize| self.tokens[j].start();
        let room = start(i + 4) - start(i + 3) >= 2 && start(i + 6) - start(i + 5) >= 2;
        let blank = |at: usize| matches!(self.source[at], b' ' | b'\t');
        if !room || self.word(i).len() < 4 || !blank(start(i + 3) + 1) || !blank(start(i + 5) + 1) {
            return false;
        }
        let (comma, close) = (start(i + 3), start(i + 5));
        let head = start(i)..start(i + 1) + 1;
        for (range, word) in [(head, &b"void"[..]), (comma..comma + 2, b"::"), (close..close + 2, b"()")] {
            self.found.push(Edit { range, word });
        }
        true
    }

    /// `TEST_CASE("first words", "[tag]") {` is read as a function that has the first word as its name.
    pub(super) fn test_with_words(&mut self, i: usize) -> bool {
        let outside = self.levels.last().is_none_or(|l| l.declares());
        let end = self.arguments_end(i);
        if !outside
            || i != self.statement
            || end <= i + 3
            || self.mark(end) != b'{'
            || self.word(i).len() < 4
            || !is_caps(self.word(i))
        {
            return false;
        }
        let literal = self.tokens[i + 2];
        let text = literal.text(self.source);
        let is_word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
        let length = text.iter().skip(1).take_while(|b| is_word(b)).count();
        if !text.starts_with(b"\"") || length == 0 || text[1].is_ascii_digit() || is_keyword(&text[1..=length]) {
            return false;
        }
        let name = literal.start() + 1;
        let close = self.tokens[end - 1].start();
        self.found.push(Edit { range: self.tokens[i].start()..name, word: b"void" });
        self.found.push(Edit { range: name + length..close, word: b"(" });
        self.gone[i..end - 1].fill(true);
        true
    }

    /// `if MAYBE_CONSTEXPR (x)`, and `IF_CONSTEXPR(x) {` or `IF_CONSTANT {` inside a function.
    pub(super) fn condition_head(&mut self, i: usize) -> bool {
        let word = self.word(i);
        if !is_caps(word) || is_keyword(word) {
            return false;
        }
        let behind_if = self.word_before(i) == b"if" && self.mark(i + 1) == b'(';
        let inside = i == self.statement && self.levels.last().is_some_and(|l| l.runs());
        let names_if = word.split(|b| *b == b'_').any(|part| part == b"IF");
        let end = self.arguments_end(i);
        let is_if = inside && names_if && end > i + 1 && self.mark(end) == b'{';
        let is_block = inside && self.mark(i + 1) == b'{';
        if !behind_if && !is_if && !is_block {
            return false;
        }
        let word: &[u8] = if is_if { b"if" } else { b"" };
        self.found.push(Edit { range: self.tokens[i].range(), word });
        self.gone[i] = true;
        true
    }

    /// `DECLARE_KIND(unsigned char, kInteger);` outside of functions: arguments that no expression can be.
    pub(super) fn type_arguments(&self, i: usize, end: usize) -> bool {
        if i != self.statement || end == i + 1 || self.mark(end) != b';' {
            return false;
        }
        let inside = i + 2..end - 1;
        let is_type = |word: &[u8]| is_builtin_type(word) || is_class_key(word) || word == b"const";
        inside.clone().any(|j| is_type(self.word(j)) && matches!(self.mark_before(j), b'(' | b','))
            && !inside.clone().any(|j| self.mark(j) == b'(')
    }

    /// The name of the type whose body starts here; none if it is no type.
    pub(super) fn type_named(&self, open: usize) -> Option<Vec<u8>> {
        let key = (self.statement..open).rev().find(|j| matches!(self.word(*j), b"class" | b"struct" | b"union"))?;
        let mut name = &b""[..];
        for j in key + 1..open {
            match self.tokens[j].kind {
                Kind::Word if !self.gone[j] && self.word(j) != b"final" => name = self.word(j),
                Kind::Mark(b':') if self.mark(j + 1) == b':' || self.mark_before(j) == b':' => {}
                Kind::Mark(b':' | b'<') => break,
                _ => {}
            }
        }
        Some(name.to_vec())
    }

    /// `f(T x = {})`: the grammar knows no such default.
    pub(super) fn empty_default(&mut self, i: usize) {
        let empty = self.mark(i) == b'=' && self.mark(i + 1) == b'{' && self.mark(i + 2) == b'}';
        if empty && self.levels.last() == Some(&Level::Parentheses) {
            let range = self.tokens[i + 1].start()..self.tokens[i + 2].end();
            self.found.push(Edit { range, word: b"0" });
        }
    }

    /// `is_x<T>::value && !y`: no reference, although it could start like one.
    pub(super) fn no_reference(&mut self, i: usize) {
        let both = self.mark(i) == b'&' && self.mark(i + 1) == b'&' && i > 0;
        if !both || self.tokens[i].end() != self.tokens[i + 1].start() {
            return;
        }
        if self.mark(i + 2) == b'!' || self.word_before(i) == b"value" {
            let range = self.tokens[i].start()..self.tokens[i + 1].end();
            self.found.push(Edit { range, word: b"||" });
        }
    }

    /// `HAS_INCLUDE(<x>)` in a condition: no expression that the grammar knows.
    pub(super) fn included_names(&mut self) {
        for token in self.tokens.iter().filter(|t| matches!(t.kind, Kind::If | Kind::Else)) {
            let text = token.text(self.source);
            let mut from = 0;
            while let Some(at) =
                text[from..].windows(2).position(|w| matches!(w, b"(<" | b"(\"")).map(|at| from + at + 1)
            {
                let close = if text[at] == b'<' { b'>' } else { b'"' };
                let Some(length) = text[at + 1..].iter().position(|b| *b == close || *b == b'\n') else { break };
                from = at + length + 2;
                self.found.push(Edit { range: token.start() + at..token.start() + from.min(text.len()), word: b"" });
            }
        }
    }
}
