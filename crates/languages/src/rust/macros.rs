//! Where the arguments of macro calls stand, found without parsing.

use codegraph_model::Span;

/// The brackets of macro calls with something in them, outer ones before inner ones. Text that is no Rust gives none, or
/// wrong ones: whoever parses the text finds that out.
pub(super) fn arguments(source: &[u8]) -> Vec<Span> {
    let mut scanner = Scanner { source, at: 0, open: Vec::new(), quiet: 0, found: Vec::new() };
    match scanner.run() {
        Some(()) => scanner.found.into_iter().filter(|span| span.end > 0).collect(),
        None => Vec::new(),
    }
}

struct Scanner<'s> {
    source: &'s [u8],
    at: usize,
    open: Vec<Bracket>,
    /// How many open brackets hold no code: attributes and definitions of macros.
    quiet: u32,
    found: Vec<Span>,
}

struct Bracket {
    close: u8,
    is_quiet: bool,
    /// The place among what was found.
    place: Option<usize>,
}

/// What the next bracket holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Holds {
    Code,
    Arguments,
    Other,
}

impl Scanner<'_> {
    /// None if brackets or quotes do not match.
    fn run(&mut self) -> Option<()> {
        while let Some(byte) = self.peek(0) {
            match byte {
                b'(' | b'[' | b'{' => self.enter(Holds::Code),
                b')' | b']' | b'}' => self.leave(byte)?,
                b'"' => self.string()?,
                b'\'' => self.quote(),
                b'/' => self.slash()?,
                b'#' => self.attribute(),
                b'a'..=b'z' | b'A'..=b'Z' | b'_' | 0x80.. => self.word()?,
                // A number may end in letters that start no word.
                b'0'..=b'9' => self.skip_word(),
                _ => self.at += 1,
            }
        }
        self.open.is_empty().then_some(())
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.source.get(self.at + ahead).copied()
    }

    fn enter(&mut self, holds: Holds) {
        let close = match self.source[self.at] {
            b'(' => b')',
            b'[' => b']',
            _ => b'}',
        };
        let is_quiet = holds == Holds::Other;
        self.quiet += u32::from(is_quiet);
        let place = (holds == Holds::Arguments && self.quiet == 0).then(|| {
            self.found.push(Span::new(self.at as u32, 0));
            self.found.len() - 1
        });
        self.open.push(Bracket { close, is_quiet, place });
        self.at += 1;
    }

    fn leave(&mut self, close: u8) -> Option<()> {
        let bracket = self.open.pop().filter(|bracket| bracket.close == close)?;
        self.at += 1;
        self.quiet -= u32::from(bracket.is_quiet);
        if let Some(place) = bracket.place {
            let start = self.found[place].start as usize;
            let inside = &self.source[start + 1..self.at - 1];
            // What ends with the text has nothing after it to end a statement with.
            if inside.iter().any(|byte| !byte.is_ascii_whitespace()) && self.at < self.source.len() {
                self.found[place].end = self.at as u32;
            }
        }
        Some(())
    }

    fn word(&mut self) -> Option<()> {
        let start = self.at;
        self.skip_word();
        let word = &self.source[start..self.at];
        match self.peek(0) {
            Some(b'"' | b'#') if matches!(word, b"r" | b"br" | b"cr") => self.raw_string(),
            Some(b'!') if self.peek(1) != Some(b'=') => {
                self.at += 1;
                self.skip_space();
                let is_definition = word == b"macro_rules";
                if is_definition {
                    self.skip_word();
                    self.skip_space();
                }
                if matches!(self.peek(0), Some(b'(' | b'[' | b'{')) {
                    self.enter(if is_definition { Holds::Other } else { Holds::Arguments });
                }
                Some(())
            }
            _ => Some(()),
        }
    }

    fn skip_word(&mut self) {
        while self.peek(0).is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80) {
            self.at += 1;
        }
    }

    fn skip_space(&mut self) {
        while self.peek(0).is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    fn string(&mut self) -> Option<()> {
        self.at += 1;
        loop {
            match self.peek(0)? {
                b'"' => break,
                b'\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
        self.at += 1;
        Some(())
    }

    /// A raw string, or a name that is a keyword elsewhere.
    fn raw_string(&mut self) -> Option<()> {
        let hashes = self.source[self.at..].iter().take_while(|byte| **byte == b'#').count();
        if self.peek(hashes) != Some(b'"') {
            self.at += hashes;
            return Some(());
        }
        self.at += hashes + 1;
        loop {
            let rest = &self.source[self.at..];
            self.at += rest.iter().position(|byte| *byte == b'"')? + 1;
            let after = &self.source[self.at..];
            if after.len() >= hashes && after[..hashes].iter().all(|byte| *byte == b'#') {
                self.at += hashes;
                return Some(());
            }
        }
    }

    /// A character, or the start of a lifetime.
    fn quote(&mut self) {
        let rest = &self.source[self.at + 1..];
        let length = match rest.first() {
            Some(b'\\') => rest.iter().skip(2).position(|byte| *byte == b'\'').map(|end| end + 2),
            Some(first) => {
                let width = match first {
                    ..0x80 => 1,
                    ..0xe0 => 2,
                    ..0xf0 => 3,
                    _ => 4,
                };
                (rest.get(width) == Some(&b'\'')).then_some(width)
            }
            None => None,
        };
        self.at += length.map_or(1, |length| length + 2);
    }

    fn slash(&mut self) -> Option<()> {
        match self.peek(1) {
            Some(b'/') => {
                let rest = &self.source[self.at..];
                self.at += rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
            }
            Some(b'*') => {
                self.at += 2;
                let mut depth = 1;
                while depth > 0 {
                    match (self.peek(0)?, self.peek(1)) {
                        (b'*', Some(b'/')) => (depth, self.at) = (depth - 1, self.at + 2),
                        (b'/', Some(b'*')) => (depth, self.at) = (depth + 1, self.at + 2),
                        _ => self.at += 1,
                    }
                }
            }
            _ => self.at += 1,
        }
        Some(())
    }

    fn attribute(&mut self) {
        self.at += 1;
        let ahead = usize::from(self.peek(0) == Some(b'!'));
        if self.peek(ahead) == Some(b'[') {
            self.at += ahead;
            self.enter(Holds::Other);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::arguments;

    fn found(source: &str) -> Vec<&str> {
        arguments(source.as_bytes()).into_iter().map(|span| &source[span.range()]).collect()
    }

    #[test]
    fn calls_are_found_outside_and_inside_of_others() {
        assert_eq!(found("f!(a, g![b; 2]); h! { c }\n"), ["(a, g![b; 2])", "[b; 2]", "{ c }"]);
        assert_eq!(found("a != (b); x!(); y!( ); z!(end)"), [""; 0]);
    }

    #[test]
    fn strings_characters_and_comments_are_no_brackets() {
        let source = "m!(\"(\\\")\", '(', '\\'', 'ä', r#\"\")\"#, b')', &'a str /* ( /* ( */ */); // m!(\n";
        assert_eq!(found(source), [&source[2..source.len() - 9]]);
    }

    #[test]
    fn definitions_and_attributes_are_not_read() {
        assert_eq!(found("macro_rules! m { ($a:expr) => { f!($a) } }\n#[doc = f!(1)]\n#![x(f!(1))]\ng!(2);"), ["(2)"]);
    }

    #[test]
    fn text_that_does_not_match_gives_nothing() {
        assert_eq!(found("f!(a; g!(b) }\n"), [""; 0]);
        assert_eq!(found("f!(a); \"never closed"), [""; 0]);
        assert_eq!(found("f!(a); r#\"never closed\""), [""; 0]);
    }
}
