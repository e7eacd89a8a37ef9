//! Where the arguments of macro calls stand, found without parsing.

use codegraph_model::Span;

use super::cursor::Cursor;

/// The brackets of macro calls with something in them, outer ones before inner ones. Text that is no Rust gives none, or
/// wrong ones: whoever parses the text finds that out.
pub(super) fn arguments(source: &[u8]) -> Vec<Span> {
    let mut scanner = Scanner { cursor: Cursor { source, at: 0 }, open: Vec::new(), quiet: 0, found: Vec::new() };
    match scanner.run() {
        Some(()) => scanner.found.into_iter().filter(|span| span.end > 0).collect(),
        None => Vec::new(),
    }
}

struct Scanner<'s> {
    cursor: Cursor<'s>,
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
        while let Some(byte) = self.cursor.peek(0) {
            match byte {
                b'(' | b'[' | b'{' => self.enter(Holds::Code),
                b')' | b']' | b'}' => self.leave(byte)?,
                b'"' => self.cursor.string()?,
                b'\'' => self.cursor.quote(),
                b'/' => self.cursor.slash()?,
                b'#' => self.attribute(),
                b'a'..=b'z' | b'A'..=b'Z' | b'_' | 0x80.. => self.word()?,
                // A number may end in letters that start no word.
                b'0'..=b'9' => self.cursor.skip_word(),
                _ => self.cursor.at += 1,
            }
        }
        self.open.is_empty().then_some(())
    }

    fn enter(&mut self, holds: Holds) {
        let close = match self.cursor.source[self.cursor.at] {
            b'(' => b')',
            b'[' => b']',
            _ => b'}',
        };
        let is_quiet = holds == Holds::Other;
        self.quiet += u32::from(is_quiet);
        let place = (holds == Holds::Arguments && self.quiet == 0).then(|| {
            self.found.push(Span::new(self.cursor.at as u32, 0));
            self.found.len() - 1
        });
        self.open.push(Bracket { close, is_quiet, place });
        self.cursor.at += 1;
    }

    fn leave(&mut self, close: u8) -> Option<()> {
        let bracket = self.open.pop().filter(|bracket| bracket.close == close)?;
        self.cursor.at += 1;
        self.quiet -= u32::from(bracket.is_quiet);
        if let Some(place) = bracket.place {
            let start = self.found[place].start as usize;
            let inside = &self.cursor.source[start + 1..self.cursor.at - 1];
            // What ends with the text has nothing after it to end a statement with.
            if inside.iter().any(|byte| !byte.is_ascii_whitespace()) && self.cursor.at < self.cursor.source.len() {
                self.found[place].end = self.cursor.at as u32;
            }
        }
        Some(())
    }

    fn word(&mut self) -> Option<()> {
        let start = self.cursor.at;
        self.cursor.skip_word();
        let word = &self.cursor.source[start..self.cursor.at];
        match self.cursor.peek(0) {
            Some(b'"' | b'#') if matches!(word, b"r" | b"br" | b"cr") => self.cursor.raw_string(),
            Some(b'!') if self.cursor.peek(1) != Some(b'=') => {
                self.cursor.at += 1;
                self.cursor.skip_space();
                let is_definition = word == b"macro_rules";
                if is_definition {
                    self.cursor.skip_word();
                    self.cursor.skip_space();
                }
                if matches!(self.cursor.peek(0), Some(b'(' | b'[' | b'{')) {
                    self.enter(if is_definition { Holds::Other } else { Holds::Arguments });
                }
                Some(())
            }
            _ => Some(()),
        }
    }

    fn attribute(&mut self) {
        self.cursor.at += 1;
        let ahead = usize::from(self.cursor.peek(0) == Some(b'!'));
        if self.cursor.peek(ahead) == Some(b'[') {
            self.cursor.at += ahead;
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
