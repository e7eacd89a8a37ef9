//! Positions as the protocol counts them: lines from 0, columns in the units that were agreed on. The index counts
//! bytes; every conversion goes through an offset in the text.

use codegraph_query::FilePlace;
use serde_json::{Value, json};

/// What columns are counted in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Encoding {
    Utf8,
    #[default]
    Utf16,
    Utf32,
}

impl Encoding {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Encoding::Utf8 => "utf-8",
            Encoding::Utf16 => "utf-16",
            Encoding::Utf32 => "utf-32",
        }
    }

    /// The first of the client's that we have; bytes need no conversion and go first where they are offered.
    pub(crate) fn agreed(offered: &[&str]) -> Encoding {
        let offers = |encoding: &Encoding| offered.contains(&encoding.word());
        [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32].into_iter().find(offers).unwrap_or_default()
    }

    /// How many units a text has. Bytes that are no characters count as one.
    fn units(self, text: &[u8]) -> u32 {
        if self == Encoding::Utf8 || text.is_ascii() {
            return text.len() as u32;
        }
        let chars = String::from_utf8_lossy(text);
        match self {
            Encoding::Utf16 => chars.chars().map(char::len_utf16).sum::<usize>() as u32,
            _ => chars.chars().count() as u32,
        }
    }

    /// The bytes of the first so many units; inside a character, up to its start.
    fn bytes(self, text: &[u8], units: u32) -> usize {
        if self == Encoding::Utf8 {
            let mut at = (units as usize).min(text.len());
            while at > 0 && at < text.len() && text[at] & 0xc0 == 0x80 {
                at -= 1;
            }
            return at;
        }
        let (mut seen, mut at) = (0, 0);
        for chunk in text.utf8_chunks() {
            for c in chunk.valid().chars() {
                seen += if self == Encoding::Utf16 { c.len_utf16() as u32 } else { 1 };
                if seen > units {
                    return at;
                }
                at += c.len_utf8();
            }
            if !chunk.invalid().is_empty() {
                seen += 1;
                if seen > units {
                    return at;
                }
                at += chunk.invalid().len();
            }
        }
        at
    }
}

/// Where the lines of a text start, as the protocol splits lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lines(Vec<u32>);

impl Lines {
    pub(crate) fn of(text: &[u8]) -> Lines {
        let mut starts = vec![0];
        for at in memchr::memchr2_iter(b'\n', b'\r', text) {
            if text[at] == b'\n' || text.get(at + 1) != Some(&b'\n') {
                starts.push(at as u32 + 1);
            }
        }
        Lines(starts)
    }

    /// The bytes of a line without its end.
    fn line<'t>(&self, text: &'t [u8], line: usize) -> &'t [u8] {
        let start = self.0[line] as usize;
        let end = self.0.get(line + 1).map_or(text.len(), |next| *next as usize);
        let mut line = &text[start..end];
        while let [rest @ .., b'\n' | b'\r'] = line {
            line = rest;
        }
        line
    }

    /// The offset of a position; behind the end of a line it is the end, behind the last line the end of the text.
    pub(crate) fn offset(&self, text: &[u8], position: Position, encoding: Encoding) -> usize {
        let line = position.line as usize;
        match self.0.get(line) {
            Some(start) => *start as usize + encoding.bytes(self.line(text, line), position.character),
            None => text.len(),
        }
    }

    pub(crate) fn position(&self, text: &[u8], offset: u32, encoding: Encoding) -> Position {
        let offset = offset.min(text.len() as u32);
        let line = self.0.partition_point(|start| *start <= offset) - 1;
        let before = &text[self.0[line] as usize..offset as usize];
        Position { line: line as u32, character: encoding.units(before) }
    }
}

/// A position of the protocol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, serde::Deserialize, serde::Serialize)]
pub(crate) struct Position {
    pub(crate) line: u32,
    pub(crate) character: u32,
}

/// A range of the protocol.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, serde::Deserialize, serde::Serialize)]
pub(crate) struct Range {
    pub(crate) start: Position,
    pub(crate) end: Position,
}

impl Range {
    pub(crate) fn json(self) -> Value {
        json!(self)
    }
}

/// An offset as questions name it: lines end with a line feed.
pub(crate) fn place(file: &str, text: &[u8], offset: usize) -> FilePlace {
    let before = &text[..offset.min(text.len())];
    let line = memchr::memchr_iter(b'\n', before).count() as u32 + 1;
    let start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
    FilePlace { file: file.to_owned(), line, column: Some((before.len() - start) as u32) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "a😀ü\tx\r\nsecond\rthird\n";

    #[test]
    fn columns_are_counted_in_the_units_agreed_on() {
        let (text, lines) = (TEXT.as_bytes(), Lines::of(TEXT.as_bytes()));
        for (encoding, column) in [(Encoding::Utf8, 8), (Encoding::Utf16, 5), (Encoding::Utf32, 4)] {
            let at = TEXT.find('x').expect("there") as u32;
            let position = lines.position(text, at, encoding);
            assert_eq!(position, Position { line: 0, character: column });
            assert_eq!(lines.offset(text, position, encoding), at as usize);
        }
    }

    #[test]
    fn lines_end_as_the_protocol_says_and_columns_behind_them_at_their_end() {
        let (text, lines) = (TEXT.as_bytes(), Lines::of(TEXT.as_bytes()));
        assert_eq!(lines.0.len(), 4);
        let offset = |line, character| lines.offset(text, Position { line, character }, Encoding::Utf16);
        assert_eq!(offset(0, 99), TEXT.find('\r').expect("there"));
        assert_eq!(offset(2, 0), TEXT.find("third").expect("there"));
        assert_eq!(offset(9, 0), TEXT.len());
        assert_eq!(offset(0, 2), 1, "inside a character");
    }

    #[test]
    fn bytes_that_are_no_characters_count_as_one() {
        let text = b"\xff\xfe x";
        let lines = Lines::of(text);
        let position = lines.position(text, 3, Encoding::Utf16);
        assert_eq!(lines.offset(text, position, Encoding::Utf16), 3);
    }
}
