//! Macros whose arguments are no expressions, and macros among enumerators.

use super::conditionals::Level;
use super::rewrite::{Edit, Macros, is_attribute, is_builtin_type, is_caps, is_class_key, is_keyword};
use super::tokens::Kind;

impl Macros<'_> {
    fn blank(&mut self, from: usize, to: usize) {
        let range = self.tokens[from].start()..self.tokens[to - 1].end();
        self.found.push(Edit { range, word: b"" });
        self.gone[from..to].fill(true);
    }

    fn line_breaks(&self, i: usize) -> bool {
        self.tokens.get(i + 1).is_none_or(|next| self.source[self.tokens[i].end()..next.start()].contains(&b'\n'))
    }

    /// Among enumerators: `NAME DEPRECATED(x) = 3,`, `ALL_OF_THEM(X)` and `SOME_OF_THEM` without a comma behind them.
    pub(super) fn among_enumerators(&mut self, i: usize) -> Option<usize> {
        if self.levels.last() != Some(&Level::Enumerators) || self.word(i).is_empty() {
            return None;
        }
        let starts = i == self.statement || matches!(self.mark_before(i), b'{' | b',') || self.gone[i - 1];
        let starts = starts || matches!(self.tokens[i - 1].kind, Kind::Directive | Kind::If | Kind::Else | Kind::EndIf);
        let behind_name = !starts && self.tokens[i - 1].kind == Kind::Word;
        let end = self.arguments_end(i);
        let ends = matches!(self.mark(end), b',' | b'}' | b'=');
        let alone = starts
            && !ends
            && (end > i + 1 || is_caps(self.word(i)) && self.line_breaks(i) && self.mark(i + 2) != b'(');
        let made = alone && (!self.word(end).is_empty() || end > i + 1);
        if behind_name && is_caps(self.word(i)) || made {
            self.blank(i, end);
            return Some(end);
        }
        None
    }

    /// `UNUSED(static int f(int x)) {` and `MAYBE(int x = 0);`: the declaration is read without the macro.
    pub(super) fn around_declaration(&mut self, i: usize) -> bool {
        let outside = self.levels.last().is_none_or(|l| l.declares());
        let inside = self.levels.last().is_some_and(|l| l.runs());
        let end = self.arguments_end(i);
        if i != self.statement || end <= i + 3 || !is_caps(self.word(i)) || !(outside || inside) {
            return false;
        }
        let last = end - 2;
        let first = self.word(i + 2);
        let typed = is_builtin_type(first)
            || matches!(first, b"static" | b"const" | b"struct" | b"inline" | b"extern")
            || inside && !is_keyword(first) && !self.word(i + 3).is_empty() && !is_keyword(self.word(i + 3));
        let function = outside && self.mark(last) == b')' && matches!(self.mark(end), b'{' | b';');
        let commas = (i + 2..last).any(|j| self.mark(j) == b',');
        let variable = inside && self.mark(end) == b';' && !commas && (i + 3..last).any(|j| self.mark(j) == b'=');
        if !typed || !(function || variable) {
            return false;
        }
        self.blank(i, i + 2);
        self.blank(end - 1, end);
        self.statement = i + 2;
        true
    }

    /// `va_arg(list, char *)`, `container_of(p, struct s, field)`: an argument that is a type.
    pub(super) fn type_argument(&mut self, i: usize) {
        let word = self.word(i);
        let is_key = is_class_key(word);
        if self.mark(i.wrapping_sub(1)) != b',' || !is_key && !is_builtin_type(word) {
            return;
        }
        let Some(open) = self.call_around(i) else { return };
        let ends = |j: &usize| !matches!(self.tokens[*j].kind, Kind::Word | Kind::Mark(b'*'));
        let Some(end) = (i..self.tokens.len()).find(ends).filter(|end| matches!(self.mark(*end), b',' | b')')) else {
            return;
        };
        if open == 0 {
            return;
        }
        match is_key && !self.word(i + 1).is_empty() {
            true => {
                self.blank(i, i + 1);
                if i + 2 < end {
                    self.blank(i + 2, end);
                }
            }
            false => {
                let range = self.tokens[i].start()..self.tokens[end - 1].end();
                self.found.push(Edit { range, word: b"0" });
            }
        }
    }

    /// The parenthesis of the call around an argument, if it is one inside a function.
    fn call_around(&self, i: usize) -> Option<usize> {
        let runs = self.levels.iter().rev().find(|l| **l != Level::Parentheses).is_some_and(|l| l.runs());
        let mut depth = 0;
        for j in (self.statement..i).rev() {
            match self.tokens[j].kind {
                Kind::Mark(b')' | b']') => depth += 1,
                Kind::Mark(b'(' | b'[') if depth > 0 => depth -= 1,
                Kind::Mark(b'(') => {
                    let name = self.word(j.checked_sub(1)?);
                    // A declaration has a type before its name.
                    let declares = j >= 2 && self.tokens[j - 2].kind == Kind::Word && !is_keyword(self.word(j - 2));
                    let calls = !name.is_empty() && !is_keyword(name) && !declares;
                    return (runs && calls).then_some(j);
                }
                _ => {}
            }
        }
        None
    }

    /// `MACRO unsigned x`, and `f(MACRO const T *x)`.
    pub(super) fn before_type(&self, i: usize) -> bool {
        let next = self.word(i + 1);
        let parameter = matches!(self.mark_before(i), b'(' | b',') && next == b"const" && self.has_type(i + 2);
        is_builtin_type(next) || parameter
    }

    /// `offsetof(struct s, a.b)`: the grammar knows one member.
    pub(super) fn offset_of(&mut self, i: usize) {
        let end = self.arguments_end(i);
        if self.word(i) != b"offsetof" || end <= i + 4 {
            return;
        }
        let comma = (i + 2..end).find(|j| self.mark(*j) == b',');
        if let Some(comma) = comma.filter(|comma| comma + 2 < end - 1 && matches!(self.mark(comma + 2), b'.' | b'[')) {
            self.blank(comma + 2, end - 1);
        }
    }

    /// `"%" PRIu64, x` in C++, whose grammar joins texts only.
    pub(super) fn behind_text(&mut self, i: usize) {
        let is_text =
            |i: usize| self.tokens[i].kind == Kind::Literal && self.tokens[i].text(self.source).ends_with(b"\"");
        let inside = self.levels.last() == Some(&Level::Parentheses) && !self.names_functions;
        if inside && i > 0 && is_text(i - 1) && !self.word(i).is_empty() && matches!(self.mark(i + 1), b',' | b')') {
            self.blank(i, i + 1);
        }
    }

    /// `typedef int (CALLBACK *f)(…)`.
    pub(super) fn before_pointer(&mut self, i: usize) -> bool {
        let found = i > 0
            && self.mark_before(i) == b'('
            && is_caps(self.word(i))
            && self.mark(i + 1) == b'*'
            && !self.word(i + 2).is_empty()
            && self.mark(i + 3) == b')'
            && self.mark(i + 4) == b'(';
        if found {
            self.blank(i, i + 1);
        }
        found
    }

    /// `atomic_macro int x;`, `macro type x;`, `FIELDS` alone in the body of a struct.
    pub(super) fn word_too_many(&self, i: usize) -> bool {
        let outside = self.levels.last().is_none_or(|l| l.declares());
        let word = self.word(i);
        if !outside || word.is_empty() || is_keyword(word) || is_attribute(word) {
            return false;
        }
        let storage = |j: usize| self.gone[j] || matches!(self.word(j), b"static" | b"extern" | b"const" | b"inline");
        if !(self.statement..i).all(storage) {
            return false;
        }
        let next = self.word(i + 1);
        let names =
            !is_keyword(next) && !next.is_empty() && !self.word(i + 2).is_empty() && !is_keyword(self.word(i + 2));
        let names = names && (self.mark(i + 3) != b'(' || !is_caps(self.word(i + 2)));
        let three = names && matches!(self.mark(i + 3), b';' | b'=' | b'[' | b'(') && !is_class_key(word);
        let field = self.in_struct()
            && i == self.statement
            && is_caps(word)
            && self.line_breaks(i)
            && (!next.is_empty() || self.mark(i + 1) == b'}');
        is_builtin_type(next) && !matches!(word, b"complex" | b"_Complex" | b"_Atomic" | b"long" | b"_Thread_local")
            || three
            || field
    }
}
