//! The tokens of C and C++ before preprocessing, as far as finding misplaced macros and conditionals needs them.

use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Word,
    Literal,
    Mark(u8),
    /// `#if`, `#ifdef`, `#ifndef`.
    If,
    /// `#else`, `#elif`.
    Else,
    EndIf,
    /// Any other preprocessor line.
    Directive,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    start: u32,
    end: u32,
}

impl Token {
    pub(crate) fn start(&self) -> usize {
        self.start as usize
    }

    pub(crate) fn end(&self) -> usize {
        self.end as usize
    }

    pub(crate) fn range(&self) -> Range<usize> {
        self.start()..self.end()
    }

    pub(crate) fn text<'s>(&self, source: &'s [u8]) -> &'s [u8] {
        &source[self.range()]
    }

    pub(crate) fn is(&self, mark: u8) -> bool {
        self.kind == Kind::Mark(mark)
    }
}

/// What a byte is the first of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum First {
    Nothing,
    Line,
    Slash,
    Hash,
    Quote,
    Digit,
    Word,
    Mark,
}

static FIRST: [First; 256] = {
    let mut table = [First::Mark; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b'\n' => First::Line,
            b'\\' => First::Nothing,
            b'/' => First::Slash,
            b'#' => First::Hash,
            b'"' | b'\'' => First::Quote,
            b'0'..=b'9' => First::Digit,
            b'_' | b'$' | 0x80.. => First::Word,
            other if other.is_ascii_alphabetic() => First::Word,
            other if other.is_ascii_whitespace() => First::Nothing,
            _ => First::Mark,
        };
        byte += 1;
    }
    table
};

/// All tokens; comments are left out.
pub(crate) fn tokens(source: &[u8]) -> Vec<Token> {
    let mut found = Vec::with_capacity(source.len() / 5);
    let mut at = 0;
    let mut line_start = true;
    while let Some(&byte) = source.get(at) {
        let (kind, end) = match FIRST[byte as usize] {
            First::Nothing => {
                at += 1;
                continue;
            }
            First::Line => {
                line_start = true;
                at += 1;
                continue;
            }
            First::Slash => match comment_end(source, at) {
                end if end > at => {
                    at = end;
                    continue;
                }
                _ => (Kind::Mark(byte), at + 1),
            },
            First::Hash if line_start => (directive(source, at), line_end(source, at)),
            First::Quote => (Kind::Literal, literal_end(source, at)),
            First::Digit => (Kind::Literal, number_end(source, at)),
            First::Word => word(source, at),
            First::Hash | First::Mark => (Kind::Mark(byte), at + 1),
        };
        found.push(Token { kind, start: at as u32, end: end as u32 });
        line_start = false;
        at = end;
    }
    found
}

fn is_word(byte: u8) -> bool {
    matches!(FIRST[byte as usize], First::Word | First::Digit)
}

/// A word, or the literal that it is the prefix of (`u8"…"`, `R"x(…)x"`).
fn word(source: &[u8], start: usize) -> (Kind, usize) {
    let len = source[start..].iter().take_while(|b| is_word(**b)).count();
    let end = start + len;
    if source.get(end) == Some(&b'"') && len <= 3 {
        return match source[end - 1] {
            b'R' => (Kind::Literal, raw_end(source, end)),
            b'u' | b'U' | b'L' | b'8' => (Kind::Literal, literal_end(source, end)),
            _ => (Kind::Word, end),
        };
    }
    (Kind::Word, end)
}

fn number_end(source: &[u8], start: usize) -> usize {
    let part = |b: &&u8| is_word(**b) || matches!(**b, b'.' | b'\'');
    start + source[start..].iter().take_while(part).count()
}

/// The end of a string or character; never past the line.
fn literal_end(source: &[u8], start: usize) -> usize {
    let quote = source[start];
    let mut at = start + 1;
    while at < source.len() && source[at] != b'\n' {
        match source[at] {
            b'\\' => at += 1,
            byte if byte == quote => return at + 1,
            _ => {}
        }
        at += 1;
    }
    at.min(source.len())
}

fn raw_end(source: &[u8], quote: usize) -> usize {
    let rest = &source[quote + 1..];
    let Some(open) = rest.iter().position(|b| *b == b'(') else { return literal_end(source, quote) };
    let mut close = vec![b')'];
    close.extend_from_slice(&rest[..open]);
    close.push(b'"');
    let found = rest.windows(close.len()).position(|w| w == close);
    found.map_or(source.len(), |i| quote + 1 + i + close.len())
}

/// The end of the comment that starts here; `start` if none does.
fn comment_end(source: &[u8], start: usize) -> usize {
    let rest = &source[start..];
    if rest.starts_with(b"//") {
        return line_end(source, start);
    }
    if !rest.starts_with(b"/*") {
        return start;
    }
    let mut at = start + 2;
    while let Some(star) = memchr::memchr(b'*', &source[at..]) {
        at += star + 1;
        if source.get(at) == Some(&b'/') {
            return at + 1;
        }
    }
    source.len()
}

/// The end of a line, with the lines that a backslash or a comment joins to it.
fn line_end(source: &[u8], start: usize) -> usize {
    let is_comment = source[start] == b'/';
    let line =
        memchr::memchr(b'\n', &source[start..]).map_or(&source[start..], |length| &source[start..start + length]);
    let is_plain = match is_comment {
        true => memchr::memchr(b'\\', line).is_none(),
        false => memchr::memchr3(b'\\', b'"', b'/', line).is_none(),
    };
    if is_plain {
        return start + line.len();
    }
    let mut at = start;
    while at < source.len() && source[at] != b'\n' {
        match source[at] {
            b'\\' if source.get(at + 1) == Some(&b'\r') => at += 2,
            b'\\' => at += 1,
            b'"' if !is_comment => at = literal_end(source, at) - 1,
            b'/' if !is_comment => at = comment_end(source, at).max(at + 1) - 1,
            _ => {}
        }
        at += 1;
    }
    at.min(source.len())
}

fn directive(source: &[u8], start: usize) -> Kind {
    let rest = source[start + 1..].trim_ascii_start();
    match rest {
        _ if rest.starts_with(b"if") => Kind::If,
        _ if rest.starts_with(b"el") => Kind::Else,
        _ if rest.starts_with(b"endif") => Kind::EndIf,
        _ => Kind::Directive,
    }
}

/// The parts of a stretch that are no comments.
pub(crate) fn code_parts(source: &[u8], stretch: Range<usize>, into: &mut Vec<Range<usize>>) {
    let mut from = stretch.start;
    let mut at = stretch.start;
    while at < stretch.end {
        let end = match source[at] {
            b'/' => comment_end(source, at),
            b'"' | b'\'' => {
                at = literal_end(source, at).max(at + 1);
                continue;
            }
            _ => at,
        };
        if end > at {
            into.push(from..at);
            from = end.min(stretch.end);
            at = end;
        } else {
            at += 1;
        }
    }
    into.push(from..stretch.end);
}

/// The comments inside a preprocessor line that more text follows: the line goes on behind them.
pub(crate) fn inner_comments(source: &[u8], line: Range<usize>, into: &mut Vec<Range<usize>>) {
    if memchr::memchr(b'/', &source[line.clone()]).is_none() {
        return;
    }
    let mut parts = Vec::new();
    code_parts(source, line, &mut parts);
    let is_code = |part: &Range<usize>| source[part.clone()].iter().any(|b| !b.is_ascii_whitespace() && *b != b'\\');
    let last = parts.iter().rposition(is_code).unwrap_or(0);
    into.extend(parts[..=last].windows(2).map(|pair| pair[0].end..pair[1].start));
}
