//! Arguments of a macro call against the patterns of its rules.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::tokens::{Kind, Token};

/// What a name of a pattern stands for.
#[derive(Clone, Debug)]
pub(super) enum Bound {
    Tokens(Vec<Token>),
    Repeated(Rc<Vec<Names>>),
}

pub(super) type Names = BTreeMap<Vec<u8>, Bound>;

/// Matches within a budget of steps, which all calls of a file share.
pub(super) struct Matcher<'s, 'b> {
    pub(super) source: &'s [u8],
    pub(super) steps: &'b mut u32,
}

/// Takes so many steps; there are none any more if these are too many.
pub(super) fn take(steps: &mut u32, count: usize) -> Option<()> {
    let left = steps.checked_sub(count as u32);
    *steps = left.unwrap_or_default();
    left.map(|_| ())
}

impl Matcher<'_, '_> {
    /// What the names of a pattern stand for; none if the arguments are others.
    pub(super) fn matched(&mut self, pattern: &[Token], arguments: &[Token]) -> Option<Names> {
        let mut names = Names::default();
        let end = self.sequence(pattern, arguments, 0, &mut names)?;
        (end == arguments.len()).then_some(names)
    }

    /// Where what a pattern matches ends.
    fn sequence(&mut self, pattern: &[Token], input: &[Token], mut at: usize, names: &mut Names) -> Option<usize> {
        let mut i = 0;
        while let Some(token) = pattern.get(i) {
            take(self.steps, 1)?;
            if let Some(repetition) = repetition(pattern, i, self.source) {
                at = self.repeat(pattern, &repetition, input, at, names)?;
                i = repetition.end;
            } else if let Some((name, kind)) = self.variable(pattern, i) {
                let end = at + self.fragment(kind, &input[at..])?;
                take(self.steps, end - at)?;
                names.insert(name.to_vec(), Bound::Tokens(input[at..end].to_vec()));
                at = end;
                i += 4;
            } else if token.kind == Kind::Open {
                let group = input.get(at).filter(|group| self.same(token, group))?;
                let (inside, length) = (&pattern[i + 1..i + token.length as usize - 1], group.length as usize);
                let end = self.sequence(inside, &input[at + 1..at + length - 1], 0, names)?;
                if end != length - 2 {
                    return None;
                }
                at += length;
                i += token.length as usize;
            } else {
                input.get(at).filter(|other| self.same(token, other))?;
                at += 1;
                i += 1;
            }
        }
        Some(at)
    }

    fn same(&self, a: &Token, b: &Token) -> bool {
        a.kind == b.kind && a.text(self.source) == b.text(self.source)
    }

    /// `$name:kind`.
    fn variable<'t>(&self, pattern: &'t [Token], at: usize) -> Option<(&'t [u8], &'t [u8])>
    where
        Self: 't,
    {
        let [dollar, name, colon, kind] = pattern.get(at..at + 4)? else { return None };
        let is_one = dollar.text(self.source) == b"$" && colon.text(self.source) == b":" && name.kind == Kind::Word;
        is_one.then(|| (name.text(self.source), kind.text(self.source)))
    }

    fn repeat(
        &mut self,
        pattern: &[Token],
        repetition: &Repetition,
        input: &[Token],
        mut at: usize,
        names: &mut Names,
    ) -> Option<usize> {
        let inside = &pattern[repetition.inside.clone()];
        let mut rounds: Vec<Names> = Vec::new();
        let mut from = at;
        loop {
            let mut round = Names::default();
            let Some(end) = self.sequence(inside, input, from, &mut round).filter(|end| *end > from) else { break };
            rounds.push(round);
            at = end;
            from = end;
            if repetition.operator == b'?' {
                break;
            }
            if let Some(separator) = repetition.separator {
                match input.get(at).is_some_and(|token| self.same(&pattern[separator], token)) {
                    true => from = at + 1,
                    false => break,
                }
            }
            take(self.steps, 1)?;
        }
        if rounds.is_empty() && repetition.operator == b'+' {
            return None;
        }
        let rounds = Rc::new(rounds);
        for (name, _) in (0..inside.len()).filter_map(|i| self.variable(inside, i)) {
            names.insert(name.to_vec(), Bound::Repeated(Rc::clone(&rounds)));
        }
        Some(at)
    }

    /// How many tokens a fragment of a kind takes from the start.
    fn fragment(&mut self, kind: &[u8], input: &[Token]) -> Option<usize> {
        let first = input.first();
        let length = |token: &Token| token.length as usize;
        let is = |token: Option<&Token>, text: &[u8]| token.is_some_and(|token| token.text(self.source) == text);
        match kind {
            b"ident" => first.filter(|t| t.kind == Kind::Word && t.text(self.source) != b"_").map(|_| 1),
            b"lifetime" => first.filter(|token| token.kind == Kind::Lifetime).map(|_| 1),
            b"tt" => first.filter(|token| token.kind != Kind::Close).map(length),
            b"block" => first.filter(|token| is(Some(token), b"{")).map(length),
            b"literal" => {
                let sign = usize::from(is(first, b"-"));
                let value = input.get(sign)?;
                let is_word = sign == 0 && matches!(value.text(self.source), b"true" | b"false");
                (value.kind == Kind::Literal || is_word).then_some(sign + 1)
            }
            b"vis" => match is(first, b"pub") {
                true => {
                    let inside = input.get(2).map(|token| token.text(self.source));
                    let is_limited = matches!(inside, Some(b"crate" | b"self" | b"super" | b"in"));
                    let limit = input.get(1).filter(|token| is_limited && is(Some(token), b"("));
                    Some(1 + limit.map_or(0, length))
                }
                false => Some(0),
            },
            b"expr" | b"expr_2021" => self.until(input, &[b"=>", b",", b";"]),
            b"stmt" => self.until(input, &[b"=>", b",", b";"]),
            b"pat" => self.until(input, &[b"=>", b",", b"=", b"if", b"in"]),
            b"pat_param" => self.until(input, &[b"=>", b",", b"=", b"|", b"if", b"in"]),
            b"ty" | b"path" => self.type_length(input),
            b"meta" => self.until(input, &[b"=>", b",", b";"]),
            b"item" => item_length(input, self.source),
            _ => None,
        }
    }

    /// The tokens before the first of some marks that stands outside of brackets.
    fn until(&mut self, input: &[Token], ends: &[&[u8]]) -> Option<usize> {
        let (mut at, mut angles) = (0, 0u32);
        while let Some(token) = input.get(at) {
            let text = token.text(self.source);
            if angles == 0 && ends.contains(&text) {
                break;
            }
            match text {
                b"<" if angles > 0 || at > 0 && input[at - 1].text(self.source) == b"::" => angles += 1,
                b">" => angles = angles.saturating_sub(1),
                b">>" => angles = angles.saturating_sub(2),
                _ => {}
            }
            at += token.length as usize;
        }
        (at > 0).then_some(at)
    }

    fn type_length(&mut self, input: &[Token]) -> Option<usize> {
        let (mut at, mut angles) = (0, 0u32);
        // Brackets and parentheses start a type, or follow the name of a function's trait.
        let mut starts = true;
        while let Some(token) = input.get(at) {
            let text = token.text(self.source);
            let ends = matches!(text, b"," | b";" | b"=>" | b"=" | b"|" | b":" | b"{" | b"as" | b"where");
            if angles == 0 && (ends || text == b"[" && !starts || text == b">" || text == b">>") {
                break;
            }
            match text {
                b"<" => angles += 1,
                b">" => angles -= 1,
                b">>" => angles = angles.saturating_sub(2),
                _ => {}
            }
            let goes_on = matches!(text, b"&" | b"&&" | b"*" | b"mut" | b"const" | b"dyn" | b"->" | b"+" | b"<");
            starts = goes_on || token.kind == Kind::Lifetime;
            at += token.length as usize;
        }
        (at > 0).then_some(at)
    }
}

/// How many tokens the item at the start has.
pub(super) fn item_length(input: &[Token], source: &[u8]) -> Option<usize> {
    let (mut at, mut ends_in_braces, mut is_decided) = (0, true, false);
    while let Some(token) = input.get(at) {
        match token.text(source) {
            b";" => return Some(at + 1),
            b"{" if ends_in_braces => return Some(at + token.length as usize),
            b"fn" | b"struct" | b"enum" | b"impl" | b"trait" | b"mod" | b"union" => {
                is_decided = true;
                ends_in_braces = true;
            }
            b"const" | b"static" | b"type" | b"use" if !is_decided => ends_in_braces = false,
            _ => {}
        }
        at += token.length as usize;
    }
    None
}

/// `$( … ) separator operator`.
pub(super) struct Repetition {
    /// What is in the parentheses.
    pub(super) inside: std::ops::Range<usize>,
    pub(super) separator: Option<usize>,
    pub(super) operator: u8,
    /// Behind the operator.
    pub(super) end: usize,
}

pub(super) fn repetition(tokens: &[Token], at: usize, source: &[u8]) -> Option<Repetition> {
    let open = tokens.get(at + 1).filter(|open| open.text(source) == b"(" && tokens[at].text(source) == b"$")?;
    let close = at + open.length as usize;
    let operator = |place: usize| match tokens.get(place)?.text(source) {
        [operator @ (b'*' | b'+' | b'?')] => Some(*operator),
        _ => None,
    };
    let (separator, last) = match (operator(close + 1), operator(close + 2)) {
        // `$(…)+*` is separated by pluses.
        (Some(b'+' | b'*'), Some(_)) if tokens[close + 1].span.end == tokens[close + 2].span.start => {
            (Some(close + 1), close + 2)
        }
        (Some(_), _) => (None, close + 1),
        (None, Some(_)) => (Some(close + 1), close + 2),
        (None, None) => return None,
    };
    Some(Repetition { inside: at + 2..close, separator, operator: operator(last)?, end: last + 1 })
}
