//! Conditionals that do not stand between whole statements or declarations (`#ifdef` around half of an `if`): a parser
//! can read only one branch of them. The first one is kept, the lines and the other branches are left out.

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

/// One conditional that is still open.
struct Group {
    /// Its directives so far.
    lines: Vec<usize>,
    before: Vec<Level>,
    /// The branch that counts, and the brackets that are open after it.
    after: Option<(usize, Vec<Level>)>,
    /// The brackets that are open after the first branch.
    first: Option<Vec<Level>>,
    /// Not between statements, or with a branch that opens or closes a bracket.
    broken: bool,
    lowest: usize,
    never: bool,
}

pub(crate) struct Conditionals<'s> {
    source: &'s [u8],
    tokens: &'s [Token],
    levels: Vec<Level>,
    groups: Vec<Group>,
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
            Kind::Directive if self.is_inside_list() => self.left_out.push(i..i + 1),
            Kind::Directive => self.statement = i + 1,
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
            after: None,
            first: None,
            broken: within || !self.is_between_statements(i),
            lowest: self.levels.len(),
            never: condition.strip_prefix(b"#if").is_some_and(|rest| rest.trim_ascii() == b"0"),
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

    fn end_branch(&mut self, group: &mut Group, i: usize) {
        let whole = self.is_between_statements(i);
        if self.levels.len() != group.before.len() || group.lowest < group.before.len() || !whole {
            group.broken = true;
        }
        group.lowest = group.before.len();
        let branch = group.lines.len() - 1;
        if branch == 0 {
            group.first = Some(self.levels.clone());
        }
        // Between whole statements it does not matter which one counts.
        let counts = group.after.is_none() && !(group.never && branch == 0);
        if counts && (!group.broken || self.is_likely(group.lines[branch])) {
            group.after = Some((branch, self.levels.clone()));
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
        let kept = group.after.as_ref().map(|(branch, _)| *branch);
        let first = group.first.filter(|_| !group.never);
        self.levels = group.after.map(|(_, levels)| levels).or(first).unwrap_or(group.before);
        if let Some(outer) = self.groups.last_mut() {
            outer.lowest = outer.lowest.min(self.levels.len());
        }
        if group.broken {
            self.leave_out(&group.lines, group.never, kept);
        } else {
            self.statement = i + 1;
        }
    }

    fn leave_out(&mut self, lines: &[usize], never: bool, kept: Option<usize>) {
        let first = usize::from(never && lines.len() > 2);
        let kept = kept.unwrap_or(first);
        let all_items = self.levels.last() == Some(&Level::Items);
        for (branch, ends) in lines.windows(2).enumerate() {
            let keeps = branch == kept && !(never && lines.len() == 2) || all_items && !never;
            let end = if keeps { ends[0] + 1 } else { ends[1] };
            self.left_out.push(ends[0]..end);
        }
        let last = lines[lines.len() - 1];
        self.left_out.push(last..last + 1);
    }
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
