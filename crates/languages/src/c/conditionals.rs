//! Conditionals that do not stand between whole statements or declarations (`#ifdef` around half of an `if`): a parser
//! can read only one branch of them. The first likely one is kept, the lines and the other branches are left out; what
//! asks the same again gets the same answer, so that a bracket that one branch opens is closed by the branch that belongs to it.

use std::ops::Range;

use super::tokens::{Kind, Token};
use super::unlikely::unlikely;
use crate::table::Unlikely;

/// What an open bracket holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    /// Declarations: a namespace, the body of a class or a struct.
    Declarations,
    Block,
    /// The body of `do … while`.
    Loop,
    Enumerators,
    /// An initialiser.
    Items,
    Parentheses,
}

impl Level {
    pub(crate) fn declares(self) -> bool {
        self == Level::Declarations
    }

    /// It holds statements.
    pub(crate) fn runs(self) -> bool {
        matches!(self, Level::Block | Level::Loop)
    }
}

/// Answers that are remembered.
const MOST_ANSWERS: usize = 64;

/// One conditional that is still open.
struct Group<'s> {
    /// Its directives so far.
    lines: Vec<usize>,
    before: Vec<Level>,
    /// The brackets that are open after each branch.
    after: Vec<Vec<Level>>,
    /// Not between statements, or with a branch that opens or closes a bracket.
    broken: bool,
    lowest: usize,
    never: bool,
    asks: Asked<'s>,
    /// What it asks for is defined anew in it.
    renewed: bool,
}

/// What a conditional asks for.
#[derive(Clone, Copy)]
struct Asked<'s> {
    /// The name of what is to be defined, or the whole condition.
    text: &'s [u8],
    defined: bool,
    /// Whether its first branch is for yes.
    yes: bool,
}

impl<'s> Asked<'s> {
    fn of(line: &'s [u8]) -> Asked<'s> {
        let line = line.strip_prefix(b"#").unwrap_or(line).trim_ascii_start();
        let end = line.iter().position(|b| !b.is_ascii_alphabetic()).unwrap_or(line.len());
        let (word, rest) = line.split_at(end);
        let comment = rest.windows(2).position(|two| two == b"/*" || two == b"//").unwrap_or(rest.len());
        let rest = rest[..comment].trim_ascii();
        let defined = |text: &'s [u8]| {
            let name = text.strip_prefix(b"defined")?.trim_ascii();
            let name = name.strip_prefix(b"(").and_then(|name| name.strip_suffix(b")")).unwrap_or(name).trim_ascii();
            name.iter().all(is_word).then_some(name)
        };
        if let b"ifdef" | b"ifndef" = word {
            return Asked { text: rest, defined: true, yes: word == b"ifdef" };
        }
        if let Some(text) = defined(rest) {
            return Asked { text, defined: true, yes: true };
        }
        match rest.strip_prefix(b"!").and_then(|rest| defined(rest.trim_ascii())) {
            Some(text) => Asked { text, defined: true, yes: false },
            None => Asked { text: rest, defined: false, yes: true },
        }
    }

    fn is_same(&self, other: &Asked<'_>) -> bool {
        self.text == other.text && self.defined == other.defined
    }

    /// The condition has a name.
    fn has(&self, name: &[u8]) -> bool {
        self.text.split(|b| !is_word(b)).any(|word| word == name)
    }
}

fn is_word(b: &u8) -> bool {
    b.is_ascii_alphanumeric() || *b == b'_'
}

pub(crate) struct Conditionals<'s> {
    source: &'s [u8],
    tokens: &'s [Token],
    levels: Vec<Level>,
    groups: Vec<Group<'s>>,
    /// What was asked for where only one branch could be kept; whether the answer was yes.
    answers: Vec<Asked<'s>>,
    /// First token of the statement at hand.
    statement: usize,
    /// What a common build does not have, once it is asked for.
    unlikely: Option<Vec<Unlikely>>,
    cpp: bool,
    /// Ranges of tokens to leave out.
    pub(crate) left_out: Vec<Range<usize>>,
}

impl<'s> Conditionals<'s> {
    pub(crate) fn of(source: &'s [u8], tokens: &'s [Token], cpp: bool) -> Conditionals<'s> {
        let mut all = Conditionals {
            source,
            tokens,
            levels: Vec::new(),
            groups: Vec::new(),
            answers: Vec::new(),
            statement: 0,
            unlikely: None,
            cpp,
            left_out: Vec::new(),
        };
        for i in 0..tokens.len() {
            all.take(i);
        }
        all
    }

    fn take(&mut self, i: usize) {
        match self.tokens[i].kind {
            Kind::If => self.open(i),
            Kind::Else => self.branch(i),
            Kind::EndIf => self.close(i),
            Kind::Directive => {
                self.forget(i);
                match self.is_inside_list() {
                    true => self.left_out.push(i..i + 1),
                    false => self.statement = i + 1,
                }
            }
            Kind::Mark(b'{') => {
                let level = level_of_brace(self.source, &self.tokens[self.statement..i], self.levels.last().copied());
                self.levels.push(level);
                self.statement = i + 1;
            }
            Kind::Mark(b'(' | b'[') => self.levels.push(Level::Parentheses),
            Kind::Mark(mark @ (b')' | b']' | b'}')) => self.shut(i, mark),
            Kind::Mark(b';') => self.statement = i + 1,
            _ => {}
        }
    }

    /// What is defined anew is asked for anew.
    fn forget(&mut self, i: usize) {
        let mut words = self.tokens[i].text(self.source).split(|b| !is_word(b)).filter(|word| !word.is_empty());
        if let (Some(b"define" | b"undef"), Some(name)) = (words.next(), words.next()) {
            self.answers.retain(|answer| !answer.has(name));
            self.groups.iter_mut().filter(|group| group.asks.has(name)).for_each(|group| group.renewed = true);
        }
    }

    fn shut(&mut self, i: usize, mark: u8) {
        self.levels.pop();
        if mark == b'}' {
            self.statement = i + 1;
        }
        if let Some(group) = self.groups.last_mut() {
            group.lowest = group.lowest.min(self.levels.len());
        }
    }

    /// Inside brackets where the grammar knows no preprocessor lines.
    fn is_inside_list(&self) -> bool {
        matches!(self.levels.last(), Some(Level::Items | Level::Parentheses | Level::Enumerators))
    }

    fn open(&mut self, i: usize) {
        let within = matches!(self.levels.last(), Some(Level::Items | Level::Parentheses));
        let condition = self.tokens[i].text(self.source);
        self.groups.push(Group {
            lines: vec![i],
            before: self.levels.clone(),
            after: Vec::new(),
            broken: within || !self.is_between_statements(i) || self.goes_on(i),
            lowest: self.levels.len(),
            never: condition.strip_prefix(b"#if").is_some_and(|rest| rest.trim_ascii() == b"0"),
            asks: Asked::of(condition),
            renewed: false,
        });
    }

    /// The token before is the end of something.
    fn is_between_statements(&self, i: usize) -> bool {
        let is_line = |t: &&Token| matches!(t.kind, Kind::If | Kind::Else | Kind::EndIf | Kind::Directive);
        let Some(before) = self.tokens[..i].iter().rev().find(|t| !is_line(t)) else { return true };
        match before.kind {
            Kind::Mark(b';' | b'{' | b'}' | b':') => true,
            Kind::Mark(b',') => self.levels.last() == Some(&Level::Enumerators),
            // A macro without a semicolon after it.
            Kind::Mark(b')') => {
                let first = self.tokens[self.statement];
                self.levels.last().is_none_or(|l| *l == Level::Declarations)
                    && first.kind == Kind::Word
                    && self.tokens.get(self.statement + 1).is_some_and(|t| t.is(b'('))
            }
            Kind::Word => {
                self.levels.last() == Some(&Level::Enumerators) || self.statement + 1 == i && self.is_caps(i - 1)
            }
            _ => false,
        }
    }

    /// What comes after a line of the preprocessor belongs to the statement before it.
    fn goes_on(&self, i: usize) -> bool {
        let is_line = |t: &&Token| matches!(t.kind, Kind::If | Kind::Else | Kind::EndIf | Kind::Directive);
        self.tokens[i..].iter().find(|t| !is_line(t)).is_some_and(|next| next.text(self.source) == b"else")
    }

    fn is_caps(&self, i: usize) -> bool {
        self.tokens[i].text(self.source).iter().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_')
    }

    fn branch(&mut self, i: usize) {
        let Some(mut group) = self.groups.pop() else { return };
        self.end_branch(&mut group, i);
        group.lines.push(i);
        self.levels = group.before.clone();
        self.statement = i + 1;
        self.groups.push(group);
    }

    fn end_branch(&mut self, group: &mut Group<'s>, i: usize) {
        let whole = self.is_between_statements(i) && !self.goes_on(i);
        if self.levels.len() != group.before.len() || group.lowest < group.before.len() || !whole {
            group.broken = true;
        }
        group.lowest = group.before.len();
        group.after.push(std::mem::take(&mut self.levels));
    }

    /// The branch that is kept where only one can be, and whether there is a reason for it.
    fn choose(&mut self, group: &Group<'s>) -> Option<(usize, bool)> {
        let answers = (0..group.after.len()).map(|branch| self.answer(group, branch)).collect::<Vec<_>>();
        let counts = |branch: &usize| answers[*branch] != Some(false);
        let all: Vec<usize> = (usize::from(group.never)..answers.len()).filter(counts).collect();
        let taken = |branch: &&usize| answers[**branch].unwrap_or_else(|| self.is_likely(group.lines[**branch]));
        all.iter().find(taken).map(|branch| (*branch, true)).or(all.first().map(|branch| (*branch, false)))
    }

    /// Whether a branch is the one that belongs to what was kept before.
    fn answer(&self, group: &Group<'s>, branch: usize) -> Option<bool> {
        let first = self.answers.iter().find(|answer| answer.is_same(&group.asks))?.yes == group.asks.yes;
        match branch {
            0 => Some(first),
            // Others may ask for more.
            _ if first => Some(false),
            _ => is_else(self.tokens[group.lines[branch]].text(self.source)).then_some(true),
        }
    }

    /// Whether a common build has the branch that starts with a line.
    fn is_likely(&mut self, line: usize) -> bool {
        let (source, cpp) = (self.source, self.cpp);
        let unlikely = self.unlikely.get_or_insert_with(|| unlikely(source, cpp));
        let at = self.tokens[line].end().saturating_sub(1) as u32;
        let place = unlikely.partition_point(|span| span.span.end <= at);
        !unlikely.get(place).is_some_and(|span| span.span.contains(at))
    }

    fn close(&mut self, i: usize) {
        let Some(mut group) = self.groups.pop() else { return };
        self.end_branch(&mut group, i);
        group.lines.push(i);
        if group.broken {
            let kept = self.choose(&group);
            self.levels = kept.map_or(group.before, |(branch, _)| group.after.swap_remove(branch));
            self.leave_out(&group.lines, group.never, kept.map(|(branch, _)| branch));
            let new = !group.renewed && !self.answers.iter().any(|answer| answer.is_same(&group.asks));
            if let Some((branch, true)) = kept
                && new
                && self.answers.len() < MOST_ANSWERS
            {
                self.answers.push(Asked { yes: (branch == 0) == group.asks.yes, ..group.asks });
            }
        } else {
            self.levels = group.before;
            self.statement = i + 1;
        }
        if let Some(outer) = self.groups.last_mut() {
            outer.lowest = outer.lowest.min(self.levels.len());
        }
    }

    fn leave_out(&mut self, lines: &[usize], never: bool, kept: Option<usize>) {
        let all_items = self.levels.last() == Some(&Level::Items);
        for (branch, ends) in lines.windows(2).enumerate() {
            let keeps = kept == Some(branch) || all_items && !never;
            self.left_out.push(ends[0]..if keeps { ends[0] + 1 } else { ends[1] });
        }
        let last = lines[lines.len() - 1];
        self.left_out.push(last..last + 1);
    }
}

fn is_else(line: &[u8]) -> bool {
    line.strip_prefix(b"#").is_some_and(|rest| rest.trim_ascii().starts_with(b"else"))
}

/// What a brace holds, by the statement before it.
pub(crate) fn level_of_brace(source: &[u8], statement: &[Token], around: Option<Level>) -> Level {
    let statement = &statement[template_end(source, statement)..];
    let Some(last) = statement.last() else {
        return if around == Some(Level::Items) { Level::Items } else { Level::Block };
    };
    let words = || statement.iter().filter(|t| t.kind == Kind::Word).map(|t| t.text(source));
    match last.kind {
        Kind::Mark(b'=' | b',' | b'(' | b'[' | b'{') => Level::Items,
        Kind::Mark(b')') => Level::Block,
        Kind::Word if matches!(last.text(source), b"const" | b"override" | b"noexcept" | b"else" | b"do" | b"try") => {
            Level::Block
        }
        Kind::Word if last.text(source) == b"return" => Level::Items,
        _ if around == Some(Level::Items) => Level::Items,
        _ if words().any(|w| w == b"enum") => Level::Enumerators,
        Kind::Literal => Level::Declarations,
        _ if words().any(|w| matches!(w, b"class" | b"struct" | b"union" | b"namespace")) => Level::Declarations,
        _ => Level::Block,
    }
}

/// Behind the `template <…>` at the start of a statement.
fn template_end(source: &[u8], statement: &[Token]) -> usize {
    if statement.first().is_none_or(|t| t.text(source) != b"template") || !statement.get(1).is_some_and(|t| t.is(b'<'))
    {
        return 0;
    }
    let mut depth = 0i32;
    for (i, token) in statement.iter().enumerate().skip(1) {
        match token.kind {
            Kind::Mark(b'<' | b'(') => depth += 1,
            Kind::Mark(b'>' | b')') => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return i + 1;
        }
    }
    0
}
