//! Calls of macros that the file itself defines, among definitions: what they stand for.

use std::rc::Rc;

use codegraph_model::Span;

use super::matching::{Bound, Matcher, Names, repetition, take};
use super::tokens::{Kind, Token, join, tokens};
use crate::table::{Expansion, Expansions, Piece};

/// Macros that expand to calls of macros are followed so far.
const MOST_NESTED: u32 = 64;

/// What all expansions of a file may take, besides as much again as the file has: bytes and steps.
const MOST_TEXT: usize = 16 << 10;
const MOST_STEPS: usize = 64 << 10;

/// None if nothing is expanded.
pub(super) fn expansions(source: &[u8]) -> Option<Expansions> {
    memchr::memmem::find(source, b"macro_rules!")?;
    let tokens = tokens(source)?;
    let mut expander = Expander {
        source,
        definitions: Vec::new(),
        steps: (MOST_STEPS + source.len()) as u32,
        room: MOST_TEXT + source.len(),
        found: Expansions::default(),
    };
    let mut calls = Vec::new();
    expander.items(&tokens, 0..tokens.len(), 0, &mut calls);
    for call in calls {
        expander.write(&call);
    }
    Some(expander.found).filter(|found| !found.calls.is_empty())
}

struct Definition {
    name: Vec<u8>,
    /// The tokens among which it is known.
    scope: std::ops::Range<usize>,
    /// Patterns and what they stand for.
    rules: Rc<Vec<(Vec<Token>, Vec<Token>)>>,
}

struct Call {
    /// Of the name and of what closes the arguments.
    tokens: std::ops::Range<usize>,
    name: Span,
    arguments: Span,
    stands_for: Vec<Token>,
}

struct Expander<'s> {
    source: &'s [u8],
    definitions: Vec<Definition>,
    steps: u32,
    room: usize,
    found: Expansions,
}

impl Expander<'_> {
    /// The calls among the definitions of a stretch of tokens.
    fn items(&mut self, tokens: &[Token], range: std::ops::Range<usize>, depth: u32, calls: &mut Vec<Call>) {
        let mut i = range.start;
        let mut head = Head::default();
        while i < range.end {
            let token = tokens[i];
            let length = token.length as usize;
            let text = token.text(self.source);
            match token.kind {
                _ if text == b"#" => {
                    i += 1 + usize::from(self.is(tokens, i + 1, b"!"));
                    i += tokens.get(i).map_or(0, |group| group.length as usize);
                    continue;
                }
                _ if text == b";" => head = Head::default(),
                Kind::Word if self.is(tokens, i + 1, b"!") && head.holds.is_none() => {
                    let behind = match text == b"macro_rules" {
                        true => self.definition(tokens, i, &range, depth),
                        false => self.call(tokens, i, depth, calls),
                    };
                    if let Some(behind) = behind {
                        (i, head) = (behind, Head::default());
                        continue;
                    }
                }
                Kind::Word => head.word(text),
                Kind::Open if text == b"{" && head.holds != Some(Holds::Value) => {
                    if head.holds.unwrap_or(Holds::Items) == Holds::Items {
                        self.items(tokens, i + 1..i + length - 1, depth, calls);
                    }
                    head = Head::default();
                }
                _ => {}
            }
            i += length;
        }
    }

    fn is(&self, tokens: &[Token], at: usize, text: &[u8]) -> bool {
        tokens.get(at).is_some_and(|token| token.text(self.source) == text)
    }

    /// `macro_rules! name { … }`; gives what comes behind it.
    fn definition(&mut self, tokens: &[Token], at: usize, scope: &std::ops::Range<usize>, depth: u32) -> Option<usize> {
        let name = tokens.get(at + 2).filter(|name| name.kind == Kind::Word)?;
        let group = tokens.get(at + 3).filter(|group| group.kind == Kind::Open)?;
        let behind = at + 3 + group.length as usize;
        let mut rules = Vec::new();
        let mut i = at + 4;
        while let [pattern, ..] = tokens.get(i..behind - 1)? {
            let body = i + pattern.length as usize + 1;
            let Some(open) = tokens.get(body).filter(|open| pattern.kind == Kind::Open && open.kind == Kind::Open)
            else {
                break;
            };
            let inside = |start: usize, group: &Token| tokens[start + 1..start + group.length as usize - 1].to_vec();
            rules.push((inside(i, pattern), inside(body, open)));
            i = body + open.length as usize;
            i += usize::from(self.is(tokens, i, b";"));
        }
        // What an expansion defines is not known outside of it.
        if depth == 0 {
            let name = name.text(self.source).to_vec();
            self.definitions.push(Definition { name, scope: scope.clone(), rules: Rc::new(rules) });
        }
        Some(behind)
    }

    /// `name!(…)`; gives what comes behind it.
    fn call(&mut self, tokens: &[Token], at: usize, depth: u32, calls: &mut Vec<Call>) -> Option<usize> {
        let group = *tokens.get(at + 2).filter(|group| group.kind == Kind::Open)?;
        let behind = at + 2 + group.length as usize;
        let arguments = &tokens[at + 3..behind - 1];
        let name = tokens[at].text(self.source);
        let knows = |one: &&Definition| one.name == name && (depth > 0 || one.scope.contains(&at));
        let known = self.definitions.iter().rev().find(knows).map(|one| Rc::clone(&one.rules));
        let stands_for = known.as_deref().and_then(|rules| self.expanded(rules, arguments, depth));
        match stands_for {
            Some(stands_for) => {
                let arguments = Span::new(group.span.start, tokens[behind - 1].span.end);
                calls.push(Call { tokens: at..behind, name: tokens[at].span, arguments, stands_for });
            }
            // What an unknown macro has in its braces is mostly definitions.
            None => self.items(tokens, at + 3..behind - 1, depth, calls),
        }
        Some(behind)
    }

    fn expanded(&mut self, rules: &[(Vec<Token>, Vec<Token>)], arguments: &[Token], depth: u32) -> Option<Vec<Token>> {
        // What is too much is left out as a whole, with all that comes after it.
        if depth > MOST_NESTED {
            self.steps = 0;
        }
        let source = self.source;
        let mut matcher = Matcher { source, steps: &mut self.steps };
        let (names, body) =
            rules.iter().find_map(|(pattern, body)| Some((matcher.matched(pattern, arguments)?, body)))?;
        let mut made = Vec::new();
        self.transcribe(body, &[&names], &mut made)?;
        if !join(&mut made, source) {
            return None;
        }
        take(&mut self.steps, made.len())?;
        let mut calls = Vec::new();
        self.items(&made, 0..made.len(), depth + 1, &mut calls);
        if self.steps == 0 {
            return None;
        }
        if calls.is_empty() {
            return Some(made);
        }
        let mut whole = Vec::new();
        let mut at = 0;
        for call in calls {
            whole.extend_from_slice(&made[at..call.tokens.start]);
            whole.extend(call.stands_for);
            at = call.tokens.end;
            // The end of a call as a statement is none of an item.
            at += usize::from(self.is(&made, at, b";"));
        }
        whole.extend_from_slice(&made[at..]);
        join(&mut whole, source).then_some(whole)
    }

    /// Writes down a body with the names of the pattern filled in; the last names are the innermost.
    fn transcribe(&mut self, body: &[Token], names: &[&Names], made: &mut Vec<Token>) -> Option<()> {
        let bound = |name: &Token| names.iter().rev().find_map(|names| names.get(name.text(self.source)));
        let mut i = 0;
        while let Some(token) = body.get(i) {
            take(&mut self.steps, 1)?;
            let is_dollar = token.text(self.source) == b"$";
            if is_dollar && let Some(repetition) = repetition(body, i, self.source) {
                let inside = &body[repetition.inside.clone()];
                let used = inside.iter().filter(|token| token.kind == Kind::Word).filter_map(bound);
                let used: Vec<&Rc<Vec<Names>>> = used
                    .filter_map(|bound| match bound {
                        Bound::Repeated(rounds) => Some(rounds),
                        Bound::Tokens(_) => None,
                    })
                    .collect();
                let count = used.iter().map(|rounds| rounds.len()).min()?;
                for round in 0..count {
                    if let Some(separator) = repetition.separator.filter(|_| round > 0) {
                        made.push(body[separator]);
                    }
                    let mut names = names.to_vec();
                    names.extend(used.iter().map(|rounds| &rounds[round]));
                    self.transcribe(inside, &names, made)?;
                }
                i = repetition.end;
                continue;
            }
            match body.get(i + 1).filter(|name| is_dollar && name.kind == Kind::Word).map(bound) {
                Some(Some(Bound::Tokens(tokens))) => {
                    take(&mut self.steps, tokens.len())?;
                    made.extend_from_slice(tokens);
                    i += 2;
                }
                Some(Some(Bound::Repeated(_))) => return None,
                _ => {
                    made.push(*token);
                    i += 1;
                }
            }
        }
        Some(())
    }

    /// Adds the text of an expansion, in braces.
    fn write(&mut self, call: &Call) {
        let start = self.found.text.len();
        let pieces = self.found.pieces.len();
        self.found.text.extend_from_slice(b" {");
        let mut last: Option<&Token> = None;
        let mut at = 0;
        let mut is_function = false;
        while let Some(token) = call.stands_for.get(at) {
            let text = token.text(self.source);
            let follows = last.is_some_and(|last| last.place + 1 == token.place);
            let begins = last.is_none_or(|last| matches!(last.text(self.source), b"{" | b"}" | b";" | b"," | b"]"));
            match last {
                Some(last) if follows => {
                    let between = Span::new(last.span.end, token.span.start);
                    self.piece(between, &self.source[between.range()]);
                }
                _ if begins => {
                    self.found.text.push(b' ');
                    self.comment_before(token);
                }
                _ => self.found.text.push(b' '),
            }
            // The mark before `$crate` is nobody's.
            let own = Span::new(token.span.end - text.len() as u32, token.span.end);
            self.piece(own, text);
            last = Some(token);
            let next = call.stands_for.get(at + 1);
            is_function = match text {
                b"fn" => next.is_some_and(|next| next.kind == Kind::Word),
                b";" | b"}" => false,
                _ => is_function,
            };
            let length = token.length as usize;
            if is_function && text == b"{" {
                is_function = false;
                // References of a body that no argument is in are those of the definition.
                if self.is_of_definition(&call.stands_for[at..at + length], call) {
                    at += length - 1;
                    last = None;
                    continue;
                }
            }
            at += 1;
            if self.found.text.len() - start > self.room {
                self.found.text.truncate(start);
                self.found.pieces.truncate(pieces);
                self.room = 0;
                return;
            }
        }
        self.found.text.extend_from_slice(b" }");
        self.room = self.room.saturating_sub(self.found.text.len() - start);
        let text = Span::new(start as u32 + 1, self.found.text.len() as u32);
        self.found.calls.push(Expansion { name: call.name, arguments: call.arguments, text });
    }

    fn is_of_definition(&self, body: &[Token], call: &Call) -> bool {
        !body.iter().any(|token| call.arguments.contains(token.span.start))
    }

    /// The documentation that stands right before a token.
    fn comment_before(&mut self, token: &Token) {
        let before = &self.source[..token.span.start as usize];
        let mut start = before.trim_ascii_end().len();
        loop {
            let line = before[..start].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
            if !before[line..start].trim_ascii_start().starts_with(b"///") || line == 0 {
                break;
            }
            start = line - 1;
            start = before[..start].trim_ascii_end().len();
        }
        let comment = Span::new(start as u32, token.span.start);
        self.piece(comment, &self.source[comment.range()]);
    }

    fn piece(&mut self, from: Span, text: &[u8]) {
        if !text.is_empty() {
            let at = self.found.text.len() as u32;
            self.found.text.extend_from_slice(text);
            match self.found.pieces.last_mut() {
                Some(last) if last.from.end == from.start && last.at + last.from.len() == at => {
                    last.from.end = from.end
                }
                _ => self.found.pieces.push(Piece { at, from }),
            }
        }
    }
}

/// What the words of an item before its braces say about what these hold.
#[derive(Clone, Copy, Default)]
struct Head {
    holds: Option<Holds>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Holds {
    Items,
    Other,
    /// Not even the end of the item.
    Value,
}

impl Head {
    fn word(&mut self, word: &[u8]) {
        let holds = match word {
            b"fn" => Some(Holds::Other),
            _ if self.holds.is_some_and(|holds| holds != Holds::Value) => return,
            b"mod" | b"impl" | b"trait" => Some(Holds::Items),
            b"struct" | b"enum" | b"union" => Some(Holds::Other),
            b"const" | b"static" | b"type" | b"use" if self.holds.is_none() => Some(Holds::Value),
            _ => return,
        };
        self.holds = holds;
    }
}
