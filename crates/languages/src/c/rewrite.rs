//! Text that would mislead a parser that does not expand macros: attributes behind macros, macros that stand where no
//! expression or declaration can, conditionals in the middle of statements. It is found by the tokens around it, and the
//! parser reads white space or a harmless keyword in its place.

use std::ops::Range;

use super::conditionals::{Conditionals, Level, level_of_brace};
use super::heads::cpp_only;
use super::tokens::{Kind, Token, code_parts, inner_comments, tokens};

/// More tokens than this do not stand in an attribute.
const LONGEST_ATTRIBUTE: usize = 32;

/// The text without what misleads; none if nothing does.
pub(crate) fn rewrite(source: &[u8]) -> Option<Vec<u8>> {
    rewrite_with(source, false)
}

/// The same for C, where a macro before a body is taken for a function with the name of its first argument.
pub(super) fn rewrite_c(source: &[u8]) -> Option<Vec<u8>> {
    rewrite_with(source, true)
}

fn rewrite_with(source: &[u8], names_functions: bool) -> Option<Vec<u8>> {
    let all = tokens(source);
    let mut left_out = Conditionals::of(source, &all, !names_functions).left_out;
    if names_functions {
        left_out.extend(cpp_only(source, &all));
    }
    let mut blanks = Vec::new();
    for range in &left_out {
        code_parts(source, all[range.start].start()..all[range.end - 1].end(), &mut blanks);
    }
    let rest = without(all, &left_out);
    let macros = Macros::of(source, &rest, names_functions).run();
    let mut comments = Vec::new();
    for token in rest.iter().filter(|t| t.kind == Kind::Directive) {
        inner_comments(source, token.range(), &mut comments);
    }
    if blanks.is_empty() && macros.is_empty() && comments.is_empty() {
        return None;
    }
    let mut text = source.to_vec();
    for byte in blanks.into_iter().flatten() {
        text[byte] = if text[byte] == b'\n' { b'\n' } else { b' ' };
    }
    comments.into_iter().for_each(|range| text[range].fill(b' '));
    macros.into_iter().for_each(|edit| edit.apply(&mut text));
    Some(text)
}

/// The tokens that are in none of the ranges.
fn without(all: Vec<Token>, ranges: &[Range<usize>]) -> Vec<Token> {
    if ranges.is_empty() {
        return all;
    }
    let mut is_out = vec![false; all.len()];
    ranges.iter().for_each(|range| is_out[range.clone()].fill(true));
    all.into_iter().zip(is_out).filter(|(_, out)| !out).map(|(token, _)| token).collect()
}

/// See [`Macros::closed`].
fn closed(tokens: &[Token]) -> Vec<u32> {
    let mut closed = vec![0; tokens.len()];
    let mut open = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Mark(b'(') => open.push(i),
            Kind::Mark(b')') => {
                if let Some(at) = open.pop() {
                    closed[at] = i as u32 + 1;
                }
            }
            Kind::Mark(b';' | b'{' | b'}') => open.clear(),
            _ => {}
        }
    }
    closed
}

/// A macro and the word that the parser reads in its place.
pub(super) struct Edit {
    pub(super) range: Range<usize>,
    pub(super) word: &'static [u8],
}

impl Edit {
    fn apply(self, text: &mut [u8]) {
        for byte in &mut text[self.range.clone()] {
            *byte = if *byte == b'\n' { b'\n' } else { b' ' };
        }
        text[self.range.start..self.range.start + self.word.len()].copy_from_slice(self.word);
    }
}

pub(super) struct Macros<'s> {
    pub(super) source: &'s [u8],
    pub(super) tokens: &'s [Token],
    pub(super) levels: Vec<Level>,
    /// For each open bracket whether it is the body of a struct or union.
    structs: Vec<bool>,
    /// The names of the types whose bodies are open, with how many brackets are open in each.
    types: Vec<(usize, Option<Vec<u8>>)>,
    pub(super) statement: usize,
    pub(super) found: Vec<Edit>,
    /// For each opening parenthesis what is behind the one that closes it; 0 where none does before the statement ends.
    closed: Vec<u32>,
    /// Tokens that were replaced.
    pub(super) gone: Vec<bool>,
    pub(super) names_functions: bool,
}

impl<'s> Macros<'s> {
    fn of(source: &'s [u8], tokens: &'s [Token], names_functions: bool) -> Macros<'s> {
        let gone = vec![false; tokens.len()];
        Macros {
            source,
            tokens,
            levels: Vec::new(),
            structs: Vec::new(),
            types: Vec::new(),
            statement: 0,
            found: Vec::new(),
            closed: closed(tokens),
            gone,
            names_functions,
        }
    }

    fn run(mut self) -> Vec<Edit> {
        self.included_names();
        let mut i = 0;
        while i < self.tokens.len() {
            if let Some(end) = self.template_head(i) {
                (self.statement, i) = (end, end);
                continue;
            }
            if self.test_head(i) {
                i += 6;
                continue;
            }
            if self.test_with_words(i) {
                i = self.arguments_end(i);
                continue;
            }
            if self.condition_head(i) || self.before_pointer(i) {
                i += 1;
                continue;
            }
            if self.around_declaration(i) {
                i += 2;
                continue;
            }
            if let Some(end) = self.named_by_macro(i) {
                i = end;
                continue;
            }
            match self.macro_at(i) {
                Some(end) => {
                    self.replace(i, end);
                    i = end;
                }
                None if self.among_enumerators(i).is_some() => i = self.arguments_end(i),
                None => {
                    self.name_function(i);
                    self.end_head(i);
                    self.unkeyword(i);
                    self.no_reference(i);
                    self.empty_default(i);
                    self.type_argument(i);
                    self.offset_of(i);
                    self.behind_text(i);
                    self.take(i);
                    i += 1;
                }
            }
        }
        self.found
    }

    fn replace(&mut self, i: usize, end: usize) {
        let range = self.tokens[i].start()..self.tokens[end - 1].end();
        let first = i == self.statement;
        // A word that makes what follows a declaration and says nothing else.
        let keyword: &[u8] = b"register";
        let alone = brackets(self.word(i))
            || self.word_too_many(i)
            || is_access(self.word(end))
            || stands_first(self.word(end));
        let fits = first && end == i + 1 && !alone && range.len() >= keyword.len();
        self.found.push(Edit { range, word: if fits { keyword } else { b"" } });
        self.gone[i..end].fill(true);
        if first {
            self.statement = end;
        }
    }

    /// `DEFINE(name, …) {` is read as `DEFINE name(…) {`.
    fn name_function(&mut self, i: usize) {
        let outside = self.levels.is_empty() && self.names_functions;
        if !outside || self.mark(i + 1) != b'(' || self.mark(i + 3) != b',' || !is_caps(self.word(i)) {
            return;
        }
        let first = (self.statement..i).all(|j| self.gone[j] || is_storage(self.word(j)));
        if first && !self.word(i + 2).is_empty() && self.mark(self.arguments_end(i)) == b'{' {
            for (token, word) in [(self.tokens[i + 1], &b""[..]), (self.tokens[i + 3], b"(")] {
                self.found.push(Edit { range: token.range(), word });
            }
        }
    }

    /// A macro that makes an enumerator or a field of its first argument: the parser reads that alone.
    fn named_by_macro(&mut self, i: usize) -> Option<usize> {
        if self.mark(i + 1) != b'(' || self.word(i).is_empty() || is_keyword(self.word(i)) {
            return None;
        }
        let (name, end) = (self.word(i + 2), self.arguments_end(i));
        if name.is_empty() || is_keyword(name) || !matches!(self.mark(i + 3), b',' | b')') || end <= i + 3 {
            return None;
        }
        let starts = i == self.statement || matches!(self.mark_before(i), b'{' | b',');
        let enumerator =
            self.levels.last() == Some(&Level::Enumerators) && starts && matches!(self.mark(end), b',' | b'}' | b'=');
        let field = self.names_functions
            && self.structs.last() == Some(&true)
            && i == self.statement
            && is_caps(self.word(i))
            && self.mark(end) == b';';
        if !enumerator && !field {
            return None;
        }
        let head = self.tokens[i].start()..self.tokens[i + 1].end();
        let word: &[u8] = if field && head.len() > 3 { b"int" } else { b"" };
        self.found.push(Edit { range: head, word });
        self.found.push(Edit { range: self.tokens[i + 3].start()..self.tokens[end - 1].end(), word: b"" });
        Some(end)
    }

    /// `for_each_thing(x) {` and `for_each_thing(x) f(x);` inside a function: the head is read as a call of its own.
    fn end_head(&mut self, i: usize) {
        let inside = matches!(self.levels.last(), Some(Level::Block | Level::Loop));
        if !inside
            || i != self.statement
            || self.mark(i + 1) != b'('
            || self.word(i).is_empty()
            || is_keyword(self.word(i))
        {
            return;
        }
        let end = self.arguments_end(i);
        if end == i + 1 || matches!(self.word(i), b"decltype" | b"alignas" | b"_Alignas" | b"__declspec") {
            return;
        }
        let next = self.word(end);
        let control = matches!(
            next,
            b"if" | b"for" | b"while" | b"switch" | b"return" | b"do" | b"goto" | b"break" | b"continue"
        );
        let called = !next.is_empty()
            && !is_keyword(next)
            && (self.mark(end + 1) == b'(' || self.mark(end + 1) == b'-' && self.mark(end + 2) == b'>');
        let apart = is_caps(self.word(i))
            && !next.is_empty()
            && !is_keyword(next)
            && self.source[self.tokens[end - 1].end()..self.tokens[end].start()].contains(&b'\n');
        if self.mark(end) != b'{' && !control && !called && !apart {
            return;
        }
        let gap = self.tokens[end - 1].end()..self.tokens[end].start();
        if let Some(blank) = self.source[gap.clone()].iter().position(|b| matches!(b, b' ' | b'\t')) {
            let at = gap.start + blank;
            let is_blank = self.source[gap.start..at].iter().all(u8::is_ascii_whitespace);
            if is_blank {
                self.found.push(Edit { range: at..at + 1, word: b";" });
            }
        }
    }

    /// Macros that the grammar takes for keywords, and keywords that it does not know.
    fn unkeyword(&mut self, i: usize) {
        let word: &[u8] = match self.word(i) {
            b"TRUE" => b"tRUE",
            b"FALSE" => b"fALSE",
            b"__int128" if matches!(self.word_before(i), b"unsigned" | b"signed") => b"int",
            _ => return,
        };
        self.found.push(Edit { range: self.tokens[i].range(), word });
    }

    /// The token before, among those that are left.
    fn previous(&self, i: usize) -> Option<usize> {
        (self.statement..i).rev().find(|j| !self.gone[*j])
    }

    /// `do { } while_each_thing(x);`
    fn end_loop(&mut self, i: usize) {
        let word = self.word(i + 1);
        if word.len() >= 5 && word != b"while" && self.mark(i + 2) == b'(' {
            self.found.push(Edit { range: self.tokens[i + 1].range(), word: b"while" });
        }
    }

    fn take(&mut self, i: usize) {
        match self.tokens[i].kind {
            Kind::Mark(b'{') => {
                let level = level_of_brace(self.source, &self.tokens[self.statement..i], self.levels.last().copied());
                let is_loop = self.word_before(i) == b"do";
                let is_struct = (self.statement..i).any(|j| matches!(self.word(j), b"struct" | b"union"));
                self.structs.push(is_struct && level == Level::Declarations);
                if level == Level::Declarations {
                    let name = self.type_named(i);
                    self.types.push((self.levels.len(), name));
                }
                self.levels.push(if is_loop { Level::Loop } else { level });
                self.statement = i + 1;
            }
            Kind::Mark(b'(' | b'[') => {
                self.structs.push(false);
                self.levels.push(Level::Parentheses);
            }
            Kind::Mark(b')' | b']') => {
                self.structs.pop();
                self.levels.pop();
            }
            Kind::Mark(b'}') => {
                self.structs.pop();
                let closed = self.levels.pop();
                let body = self.types.pop_if(|(depth, _)| *depth >= self.levels.len());
                // Behind a namespace nothing goes on.
                if body.is_some_and(|(_, name)| name.is_none()) {
                    self.statement = i + 1;
                }
                if closed == Some(Level::Loop) {
                    self.end_loop(i);
                }
                // `} name;` goes on after the body of a type.
                if !matches!(closed, Some(Level::Declarations | Level::Enumerators | Level::Items)) {
                    self.statement = i + 1;
                }
            }
            Kind::Mark(b';') | Kind::Directive | Kind::If | Kind::Else | Kind::EndIf => self.statement = i + 1,
            Kind::Mark(b':') if i == self.statement + 1 || self.ends_label(i) => self.statement = i + 1,
            _ => {}
        }
    }

    /// The end of a misplaced macro that starts at this token.
    fn macro_at(&self, i: usize) -> Option<usize> {
        if self.tokens[i].kind != Kind::Word {
            return None;
        }
        let text = self.word(i);
        let marked = is_caps(text) || is_attribute(text);
        let declares = self.levels.last().is_none_or(|l| *l == Level::Declarations);
        let hidden = marked || text.starts_with(b"__");
        // Without marks only a prefix with arguments is taken for a macro.
        let may_be = hidden || declares && self.mark(i + 1) == b'(';
        if self.word_too_many(i) || is_caps(text) && !is_keyword(text) && self.before_type(i) {
            return Some(i + 1);
        }
        if !may_be || is_keyword(text) {
            return None;
        }
        let end = self.arguments_end(i);
        if declares && i == self.statement && end == i + 1 && (opens_namespace(text) || brackets(text) && self.alone(i))
        {
            return Some(end);
        }
        if self.is_statement(i) {
            return Some(end);
        }
        if declares && marked && self.type_arguments(i, end) {
            return Some(end);
        }
        let found = marked && self.in_type(i, end)
            || hidden && self.after_class_key(i, end)
            || declares && (marked && self.is_suffix(i, end) || self.is_prefix(i, end, marked))
            || declares && self.takes_numbers(i, end);
        found.then_some(end)
    }

    /// `case x:` and `default:`.
    fn ends_label(&self, i: usize) -> bool {
        let double = self.mark(i + 1) == b':' || self.mark_before(i) == b':';
        matches!(self.word(self.statement), b"case" | b"default") && !double
    }

    /// A macro alone on its line inside a function, with a whole statement behind it.
    fn is_statement(&self, i: usize) -> bool {
        let inside = i == self.statement && self.levels.last().is_some_and(|l| l.runs());
        let next = self.mark(i + 1);
        inside && is_caps(self.word(i)) && self.alone(i) && matches!(next, 0 | b'}' | b'*')
    }

    pub(super) fn in_struct(&self) -> bool {
        self.structs.last() == Some(&true)
    }

    /// Nothing else is on the line of a word.
    fn alone(&self, i: usize) -> bool {
        let between = |from: usize, to: usize| self.source[from..to].contains(&b'\n');
        (i == 0 || between(self.tokens[i - 1].end(), self.tokens[i].start()) || self.tokens[i - 1].kind != Kind::Word)
            && self.tokens.get(i + 1).is_none_or(|next| between(self.tokens[i].end(), next.start()))
    }

    /// Behind the parentheses that follow a word, if any do.
    pub(super) fn arguments_end(&self, i: usize) -> usize {
        match self.closed.get(i + 1) {
            Some(&end) if end > 0 => end as usize,
            _ => i + 1,
        }
    }

    pub(super) fn word(&self, i: usize) -> &'s [u8] {
        match self.tokens.get(i) {
            Some(token) if token.kind == Kind::Word => token.text(self.source),
            _ => b"",
        }
    }

    /// The mark before a token; none before the first.
    pub(super) fn mark_before(&self, i: usize) -> u8 {
        i.checked_sub(1).map_or(0, |before| self.mark(before))
    }

    pub(super) fn word_before(&self, i: usize) -> &'s [u8] {
        i.checked_sub(1).map_or(b"", |before| self.word(before))
    }

    pub(super) fn mark(&self, i: usize) -> u8 {
        match self.tokens.get(i).map(|t| t.kind) {
            Some(Kind::Mark(mark)) => mark,
            _ => 0,
        }
    }

    /// The word before can end a type.
    fn is_type_like(&self, i: usize) -> bool {
        let word = self.word(i);
        !word.is_empty() && (!is_keyword(word) || is_builtin_type(word))
    }

    /// `int __init f`, `T __user *p`, `T * __must_check f`.
    fn in_type(&self, i: usize, end: usize) -> bool {
        let Some(before) = self.previous(i) else { return false };
        let attribute = is_attribute(self.word(i));
        let typed = self.is_type_like(before) && !matches!(self.word(before), b"defined");
        let next = self.word(end);
        let has_arguments = end > i + 1;
        let is_name = !is_attribute(next) || !has_arguments && self.mark(end + 1) == b'(';
        let name_follows = !next.is_empty() && !is_keyword(next) && is_name && !self.has_parameters(i, end);
        let declares = name_follows
            && (matches!(self.mark(end + 1), b'(' | b';' | b'=' | b'[' | b',' | b')') || self.qualifies(end + 1));
        match attribute {
            true => {
                let pointer = self.mark(end) == b'*' && !has_arguments;
                let level = self.levels.last();
                let in_declaration = level.is_none_or(|l| *l == Level::Declarations);
                typed && (name_follows || pointer)
                    || self.mark(before) == b'*' && (name_follows || pointer && in_declaration)
            }
            // Words in capitals may be types: only between a type and a name.
            false => {
                let builtin = is_builtin_type(self.word(before)) || self.mark(before) == b'*';
                let level = self.levels.last().is_none_or(|l| l.declares());
                let named = level && typed && before + 1 == i && self.mark(end + 1) == b'(';
                let behind_type = level
                    && typed
                    && name_follows
                    && (has_arguments && self.mark(end + 1) == b'(' || !has_arguments && self.qualifies(end + 1));
                let before_pointer = end == i + 1 && self.mark(end) == b'*' && typed && before + 1 == i;
                (builtin || named) && declares && end == i + 1 || behind_type || before_pointer
            }
        }
    }

    /// `::`, or template arguments with that behind them.
    fn qualifies(&self, i: usize) -> bool {
        let scope = |i: usize| self.mark(i) == b':' && self.mark(i + 1) == b':';
        if self.mark(i) != b'<' {
            return scope(i);
        }
        let close =
            (i + 1..(i + 16).min(self.tokens.len())).find(|j| matches!(self.mark(*j), b'>' | b';' | b'{' | b'('));
        close.is_some_and(|close| self.mark(close) == b'>' && scope(close + 1))
    }

    /// What stands in the parentheses after a word are parameters, not arguments.
    fn has_parameters(&self, i: usize, end: usize) -> bool {
        if end == i + 1 {
            return false;
        }
        let inside = &self.tokens[i + 2..end - 1];
        let mut depth = 0;
        inside.iter().enumerate().any(|(j, token)| {
            match token.kind {
                Kind::Mark(b'(') => depth += 1,
                Kind::Mark(b')') => depth -= 1,
                _ => {}
            }
            let text = token.text(self.source);
            let next_is_word = inside.get(j + 1).is_some_and(|t| t.kind == Kind::Word);
            let declares = is_builtin_type(text) || is_class_key(text) || text == b"const" || next_is_word;
            depth == 0 && token.kind == Kind::Word && declares
        })
    }

    /// `class EXPORT Name {`.
    fn after_class_key(&self, i: usize, end: usize) -> bool {
        let Some(before) = i.checked_sub(1) else { return false };
        let key = matches!(self.word(before), b"class" | b"struct" | b"union" | b"enum");
        let end = self.attributes_end(end);
        if !key || self.word(end).is_empty() {
            return false;
        }
        let after = if self.word(end + 1) == b"final" { end + 2 } else { end + 1 };
        self.mark(after) == b'{'
            || self.mark(after) == b':' && self.mark(after + 1) != b':'
            || self.mark(after) == b'<'
            || is_caps(self.word(end)) && self.after_class_key_name(end + 1)
    }

    /// Behind the `[[attributes]]` at a place.
    fn attributes_end(&self, mut i: usize) -> usize {
        while self.mark(i) == b'[' && self.mark(i + 1) == b'[' {
            let within = (i + 2..(i + LONGEST_ATTRIBUTE).min(self.tokens.len())).take_while(|j| self.mark(*j) != b';');
            match within.into_iter().find(|j| self.mark(*j) == b']' && self.mark(*j + 1) == b']') {
                Some(end) => i = end + 2,
                None => break,
            }
        }
        i
    }

    /// `void printf_like(1, 2) log(const char *, ...);`: what stands between a type and a name and takes numbers.
    fn takes_numbers(&self, i: usize, end: usize) -> bool {
        let Some(before) = self.previous(i) else { return false };
        let typed = self.is_type_like(before) || self.mark(before) == b'*';
        let number = |token: &Token| token.kind == Kind::Literal || token.is(b',');
        typed
            && end > i + 3
            && self.tokens[i + 2..end - 1].iter().all(number)
            && !self.word(end).is_empty()
            && !is_keyword(self.word(end))
            && self.mark(end + 1) == b'('
    }

    fn after_class_key_name(&self, i: usize) -> bool {
        !self.word(i).is_empty() && matches!(self.mark(i + 1), b'{' | b':')
    }

    /// `int f(void) ATTRIBUTE;`, `T name GUARDED_BY(x);`, `} __packed;`.
    fn is_suffix(&self, i: usize, end: usize) -> bool {
        let Some(before) = self.previous(i) else { return false };
        let another = || is_caps(self.word(end)) || is_attribute(self.word(end));
        let ends = matches!(self.mark(end), b';' | b',' | b'=') || another();
        let has_arguments = end > i + 1;
        let attribute = is_attribute(self.word(i));
        match self.tokens[before].kind {
            Kind::Mark(b')') => ends || self.mark(end) == b'{' || self.mark(end) == b':' && self.mark(end + 1) != b':',
            Kind::Mark(b']') => ends && (attribute || has_arguments),
            Kind::Mark(b'}') if self.mark(end) == b';' => attribute && self.word(self.statement) != b"typedef",
            Kind::Mark(b'}') => attribute && !self.word(end).is_empty(),
            Kind::Word if matches!(self.word(before), b"const" | b"noexcept" | b"override" | b"final") => {
                let first = (self.statement..before).rev().find(|t| !is_trailer(self.word(*t)));
                let closes = first.is_some_and(|t| self.mark(t) == b')');
                closes && (ends || self.mark(end) == b'{')
            }
            Kind::Word => {
                let name = !is_keyword(self.word(before)) && before > self.statement;
                let typed = before.checked_sub(1).is_some_and(|t| {
                    self.is_type_like(t)
                        || matches!(self.mark(t), b'*' | b'&' | b'>' | b'}')
                        || self.word(t) == b"const"
                });
                let tagged =
                    before.checked_sub(2).is_some_and(|t| matches!(self.word(t), b"struct" | b"union" | b"enum"));
                let typed = typed || tagged && self.mark(before) == 0;
                let is_macro = (attribute || has_arguments) && !self.has_parameters(i, end);
                ends && name && typed && !is_class_key(self.word(before - 1)) && is_macro
            }
            _ => false,
        }
    }

    /// `API int f(void)`, `MACRO(x) static int f(void)`.
    fn is_prefix(&self, i: usize, end: usize, marked: bool) -> bool {
        let may_precede = |t: &Token| {
            let word = t.text(self.source);
            is_storage(word) || matches!(word, b"typedef" | b"template" | b"explicit" | b"friend")
        };
        let first = (self.statement..i).all(|j| self.gone[j] || may_precede(&self.tokens[j]));
        if !first {
            return false;
        }
        let next = self.word(end);
        let ends_list = end >= self.tokens.len()
            || self.mark(end) == b'}'
            || matches!(self.tokens[end].kind, Kind::Directive | Kind::If | Kind::Else | Kind::EndIf);
        if end > i + 1 {
            let statement = is_storage(next) || is_class_key(next) || matches!(next, b"typedef" | b"template");
            let alone = i == self.statement && (ends_list || is_access(next) && self.mark(end + 1) == b':');
            return statement || marked && (alone || !next.is_empty() && !is_trailer(next));
        }
        if marked && self.mark(end) == b'~' && self.word(end + 1) == self.own_type() {
            return true;
        }
        if !marked || next.is_empty() {
            return false;
        }
        // Of several macros the last one stands before a declaration.
        let last = (end..).find(|j| !is_caps(self.word(*j)) || self.mark(*j + 1) == b'(').unwrap_or(end);
        if last > end && self.starts_declaration(last) {
            return true;
        }
        let after = end + 1;
        let typed = self.starts_declaration(end) && is_keyword(next) || self.constructs(end);
        let declares = !self.word(after).is_empty()
            || matches!(self.mark(after), b'*' | b'&' | b'<')
            || self.mark(after) == b'(' && self.mark(after + 1) == b'*'
            || self.mark(after) == b':' && self.mark(after + 1) == b':';
        typed || is_attribute(self.word(i)) && declares || declares && !is_caps(next) && !is_keyword(next)
    }

    /// A declaration can only start like this: with a keyword, or with a type and a name.
    fn starts_declaration(&self, i: usize) -> bool {
        let word = self.word(i);
        // `BYTE const *x` has its type before the word.
        let storage = is_storage(word) && (word != b"const" || self.has_type(i + 1));
        let keyword = is_builtin_type(word) || storage || is_class_key(word) || is_access(word);
        let names =
            !is_keyword(word) && !is_caps(word) && !self.word(i + 1).is_empty() && !is_keyword(self.word(i + 1));
        let pointer = !word.is_empty() && !is_keyword(word) && matches!(self.mark(i + 1), b'*' | b'&' | b'<');
        keyword
            || stands_first(word)
            || names
            || pointer
            || self.constructs(i)
            || self.mark(i) == b'~'
            || matches!(word, b"auto" | b"operator" | b"typename" | b"decltype" | b"volatile")
            || !word.is_empty() && !is_keyword(word) && self.qualifies(i + 1)
    }

    /// A type and the name of what has it.
    pub(super) fn has_type(&self, i: usize) -> bool {
        let word = self.word(i);
        let names = !self.word(i + 1).is_empty() || matches!(self.mark(i + 1), b'*' | b'&' | b'<' | b':');
        is_builtin_type(word) || is_class_key(word) || !word.is_empty() && names
    }

    /// `Name(` in the body of the type `Name`.
    fn constructs(&self, i: usize) -> bool {
        self.mark(i + 1) == b'(' && !self.own_type().is_empty() && self.word(i) == self.own_type()
    }

    /// The name of the type whose body this is.
    fn own_type(&self) -> &[u8] {
        match self.types.last() {
            Some((depth, Some(name))) if *depth + 1 == self.levels.len() => name,
            _ => b"",
        }
    }
}

/// Words that no specifier can stand before, or that need none.
fn stands_first(word: &[u8]) -> bool {
    matches!(word, b"using" | b"template" | b"namespace" | b"typedef" | b"friend" | b"explicit" | b"static_assert")
}

/// `LIB_BEGIN_EXPORT`, `LIB_WARNINGS_POP`: by custom one of two macros around declarations.
fn brackets(word: &[u8]) -> bool {
    const PARTS: [&[u8]; 7] = [b"BEGIN", b"END", b"OPEN", b"CLOSE", b"PUSH", b"POP", b"DECLS"];
    is_caps(word) && word.split(|b| *b == b'_').any(|part| PARTS.contains(&part))
}

/// At least two characters, all capitals: by custom a macro.
pub(super) fn is_caps(word: &[u8]) -> bool {
    word.len() > 1
        && word.iter().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_')
        && word.iter().any(u8::is_ascii_uppercase)
}

/// `LIB_BEGIN_NAMESPACE`, `LIB_NAMESPACE_END`: by custom a namespace is opened or closed.
fn opens_namespace(word: &[u8]) -> bool {
    let has = |part: &[u8]| word.windows(part.len()).any(|w| w == part);
    is_caps(word) && has(b"NAMESPACE") && [&b"BEGIN"[..], b"END", b"OPEN", b"CLOSE"].iter().any(|part| has(part))
}

/// `__init`, `__must_check`: by custom attributes; but `__u32` and `__foo_t` are types.
pub(super) fn is_attribute(word: &[u8]) -> bool {
    let Some(rest) = word.strip_prefix(b"__") else { return false };
    let is_type = rest.ends_with(b"_t")
        || rest.ends_with(b"_type")
        || rest.ends_with(b"__")
        || rest.iter().any(u8::is_ascii_digit)
        || rest.starts_with(b"builtin")
        || matches!(rest, b"wsum");
    !is_type && rest.first().is_some_and(|b| b.is_ascii_lowercase() || *b == b'_')
}

pub(super) fn is_builtin_type(word: &[u8]) -> bool {
    matches!(
        word,
        b"void"
            | b"char"
            | b"short"
            | b"int"
            | b"long"
            | b"float"
            | b"double"
            | b"signed"
            | b"unsigned"
            | b"bool"
            | b"_Bool"
    )
}

pub(super) fn is_class_key(word: &[u8]) -> bool {
    matches!(word, b"struct" | b"union" | b"enum" | b"class")
}

fn is_access(word: &[u8]) -> bool {
    matches!(word, b"public" | b"private" | b"protected" | b"signals" | b"slots")
}

fn is_storage(word: &[u8]) -> bool {
    matches!(
        word,
        b"static" | b"extern" | b"inline" | b"const" | b"constexpr" | b"virtual" | b"__inline" | b"__inline__"
    )
}

/// What may follow the parameters of a function.
fn is_trailer(word: &[u8]) -> bool {
    matches!(
        word,
        b"const"
            | b"override"
            | b"final"
            | b"noexcept"
            | b"volatile"
            | b"throw"
            | b"requires"
            | b"try"
            | b"and"
            | b"or"
    )
}

pub(super) fn is_keyword(word: &[u8]) -> bool {
    is_builtin_type(word)
        || is_class_key(word)
        || is_storage(word)
        || is_trailer(word)
        || is_access(word)
        || matches!(
            word,
            b"if"
                | b"else"
                | b"for"
                | b"while"
                | b"do"
                | b"switch"
                | b"case"
                | b"default"
                | b"return"
                | b"goto"
                | b"break"
                | b"continue"
                | b"sizeof"
                | b"typedef"
                | b"register"
                | b"auto"
                | b"restrict"
                | b"template"
                | b"typename"
                | b"namespace"
                | b"using"
                | b"operator"
                | b"new"
                | b"delete"
                | b"friend"
                | b"explicit"
                | b"mutable"
                | b"this"
                | b"__attribute__"
                | b"__attribute"
                | b"__asm__"
                | b"__asm"
                | b"asm"
                | b"__extension__"
                | b"__restrict"
                | b"__restrict__"
                | b"__volatile__"
                | b"__const"
                | b"__typeof__"
                | b"typeof"
                | b"__typeof"
                | b"__declspec"
                | b"__cdecl"
                | b"__stdcall"
                | b"__fastcall"
                | b"__thiscall"
                | b"__vectorcall"
                | b"__func__"
                | b"__alignof"
                | b"__thread"
                | b"__forceinline"
                | b"__try"
                | b"__except"
                | b"__finally"
                | b"__leave"
                | b"__based"
                | b"__uptr"
                | b"__sptr"
                | b"__unaligned"
                | b"__signed"
                | b"NULL"
                | b"TRUE"
                | b"FALSE"
                | b"static_assert"
                | b"defined"
                | b"co_await"
                | b"co_return"
                | b"co_yield"
                | b"throw"
                | b"catch"
                | b"concept"
        )
}
