//! The tokens of a text, as macros see them.

use codegraph_model::Span;

use super::cursor::Cursor;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    Lifetime,
    Literal,
    Mark,
    Open,
    Close,
    /// `$crate`: the root of the crate that defines the macro.
    Root,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) span: Span,
    /// Which one of the text it is.
    pub(super) place: u32,
    /// How many tokens there are from an opening bracket to the one that closes it, both included; else 1.
    pub(super) length: u32,
}

impl Token {
    pub(super) fn text<'s>(&self, source: &'s [u8]) -> &'s [u8] {
        if self.kind == Kind::Root { b"crate" } else { &source[self.span.range()] }
    }
}

/// Marks of several characters, longer ones first.
const MARKS: [&[u8]; 24] = [
    b"..=", b"...", b"<<=", b">>=", b"=>", b"->", b"::", b"..", b"&&", b"||", b"<<", b">>", b"==", b"!=", b"<=", b">=",
    b"+=", b"-=", b"*=", b"/=", b"^=", b"%=", b"&=", b"|=",
];

/// None if brackets or quotes do not match.
pub(super) fn tokens(source: &[u8]) -> Option<Vec<Token>> {
    let mut cursor = Cursor { source, at: 0 };
    let mut tokens = Vec::with_capacity(source.len() / 5);
    while let Some(byte) = cursor.peek(0) {
        let start = cursor.at;
        let kind = match byte {
            b' ' | b'\t' | b'\r' | b'\n' | 0x0c => {
                cursor.skip_space();
                cursor.at = cursor.at.max(start + 1);
                continue;
            }
            b'/' if matches!(cursor.peek(1), Some(b'/' | b'*')) => {
                cursor.slash()?;
                continue;
            }
            b'(' | b'[' | b'{' => one(&mut cursor, Kind::Open),
            b')' | b']' | b'}' => one(&mut cursor, Kind::Close),
            b'"' => {
                cursor.string()?;
                Kind::Literal
            }
            b'\'' => quoted(&mut cursor),
            b'0'..=b'9' => number(&mut cursor),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | 0x80.. => word(&mut cursor)?,
            b'$' if source[start + 1..].starts_with(b"crate") => {
                cursor.at += 6;
                Kind::Root
            }
            _ => {
                let rest = &source[start..];
                cursor.at += MARKS.iter().find(|mark| rest.starts_with(mark)).map_or(1, |mark| mark.len());
                Kind::Mark
            }
        };
        let span = Span::new(start as u32, cursor.at.min(source.len()) as u32);
        tokens.push(Token { kind, span, place: tokens.len() as u32, length: 1 });
    }
    join(&mut tokens, source).then_some(tokens)
}

fn one(cursor: &mut Cursor, kind: Kind) -> Kind {
    cursor.at += 1;
    kind
}

fn quoted(cursor: &mut Cursor) -> Kind {
    let start = cursor.at;
    cursor.quote();
    if cursor.at > start + 1 {
        return Kind::Literal;
    }
    cursor.skip_word();
    Kind::Lifetime
}

fn number(cursor: &mut Cursor) -> Kind {
    cursor.skip_word();
    if cursor.peek(0) == Some(b'.') && cursor.peek(1).is_some_and(|byte| byte.is_ascii_digit()) {
        cursor.at += 1;
        cursor.skip_word();
    }
    Kind::Literal
}

/// A word, or a literal that starts with one.
fn word(cursor: &mut Cursor) -> Option<Kind> {
    let start = cursor.at;
    cursor.skip_word();
    let word = &cursor.source[start..cursor.at];
    match cursor.peek(0) {
        Some(b'"') if matches!(word, b"b" | b"c") => cursor.string()?,
        Some(b'\'') if word == b"b" => cursor.quote(),
        Some(b'"' | b'#') if matches!(word, b"r" | b"br" | b"cr") => {
            cursor.raw_string()?;
            if !cursor.source[start..cursor.at].contains(&b'"') {
                cursor.skip_word();
                return Some(Kind::Word);
            }
        }
        _ => return Some(Kind::Word),
    }
    Some(Kind::Literal)
}

/// Brackets in brackets are followed so far.
const MOST_NESTED: usize = 100;

/// Says of each bracket how far it reaches; false if they do not match.
pub(super) fn join(tokens: &mut [Token], source: &[u8]) -> bool {
    let mut open: Vec<usize> = Vec::new();
    for i in 0..tokens.len() {
        match tokens[i].kind {
            Kind::Open if open.len() == MOST_NESTED => return false,
            Kind::Open => open.push(i),
            Kind::Close => {
                let Some(start) = open.pop() else { return false };
                let pair = (tokens[start].text(source), tokens[i].text(source));
                if !matches!(pair, (b"(", b")") | (b"[", b"]") | (b"{", b"}")) {
                    return false;
                }
                tokens[start].length = (i - start + 1) as u32;
            }
            _ => tokens[i].length = 1,
        }
    }
    open.is_empty()
}
