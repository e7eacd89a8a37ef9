//! Texts in the pieces that a token never crosses: words with one character before them, up to three digits, punctuation,
//! white space. The pattern is the vocabulary's; it is followed by hand, alternative by alternative, because a regular
//! expression for it takes longer to build than most texts take to count.

use crate::table::{Class, Table};

/// The end of the piece that a text begins with. The text is not empty.
pub(crate) fn piece_end(table: &Table, text: &str) -> usize {
    let at = At { table, text };
    at.word().or_else(|| at.digits()).or_else(|| at.punctuation()).unwrap_or_else(|| at.space())
}

struct At<'t> {
    table: &'t Table,
    text: &'t str,
}

impl At<'_> {
    fn char(&self, at: usize) -> Option<(char, Class)> {
        let c = self.text[at..].chars().next()?;
        Some((c, self.table.class(c)))
    }

    /// Where a run of characters ends.
    fn run(&self, from: usize, is_part: impl Fn(char, Class) -> bool) -> usize {
        let mut at = from;
        while let Some((c, class)) = self.char(at)
            && is_part(c, class)
        {
            at += c.len_utf8();
        }
        at
    }

    /// Letters: capitals first and small ones behind, or capitals alone. One character that is no letter, digit or line
    /// end may stand before them; it is left where nothing goes with it.
    fn word(&self) -> Option<usize> {
        let (first, class) = self.char(0)?;
        let before = match (first, class) {
            ('\r' | '\n', _) | (_, Class::Upper | Class::Lower | Class::Letter | Class::Number) => None,
            _ => Some(first.len_utf8()),
        };
        let starts = || before.into_iter().chain([0]);
        let end = starts().find_map(|start| self.ends_small(start)).or_else(|| starts().find_map(|s| self.capitals(s)));
        end.map(|end| end + self.contraction(end))
    }

    /// Any capitals, then at least one small letter. What has no case is both.
    fn ends_small(&self, start: usize) -> Option<usize> {
        let capitals = self.run(start, |_, class| is_upper(class));
        let small = self.run(capitals, |_, class| is_lower(class));
        if small > capitals {
            return Some(small);
        }
        // The last of the capitals that may be a small letter too.
        let both = self.text[start..capitals].char_indices().rev().find(|(_, c)| is_lower(self.table.class(*c)));
        both.map(|(at, c)| start + at + c.len_utf8())
    }

    /// At least one capital, then any small letters.
    fn capitals(&self, start: usize) -> Option<usize> {
        let capitals = self.run(start, |_, class| is_upper(class));
        (capitals > start).then(|| self.run(capitals, |_, class| is_lower(class)))
    }

    /// The bytes of `'s`, `'t`, `'re`, `'ve`, `'m`, `'ll`, `'d` in any case. One letter has another form.
    fn contraction(&self, at: usize) -> usize {
        let Some(rest) = self.text[at..].strip_prefix('\'') else { return 0 };
        if rest.starts_with('\u{17f}') {
            return 3;
        }
        let bytes = rest.as_bytes();
        let has = |word: &str| bytes.len() >= word.len() && bytes[..word.len()].eq_ignore_ascii_case(word.as_bytes());
        ["s", "t", "re", "ve", "m", "ll", "d"].into_iter().find(|word| has(word)).map_or(0, |word| 1 + word.len())
    }

    fn digits(&self) -> Option<usize> {
        let mut end = 0;
        for _ in 0..3 {
            match self.char(end) {
                Some((c, Class::Number)) => end += c.len_utf8(),
                _ => break,
            }
        }
        (end > 0).then_some(end)
    }

    /// Anything else, with one blank before it and line ends and slashes behind.
    fn punctuation(&self) -> Option<usize> {
        let is_other = |_: char, class: Class| matches!(class, Class::Other | Class::Mark);
        let start = usize::from(self.text.starts_with(' '));
        let end = self.run(start, is_other);
        (end > start).then(|| self.run(end, |c, _| matches!(c, '\r' | '\n' | '/')))
    }

    /// White space up to its last line end; without one, all but the last, which goes with what follows.
    fn space(&self) -> usize {
        let end = self.run(0, |_, class| class == Class::Space);
        let run = &self.text[..end];
        if let Some(line_end) = run.rfind(['\r', '\n']) {
            return line_end + 1;
        }
        let last = run.chars().next_back().map_or(0, char::len_utf8);
        if end < self.text.len() && end > last { end - last } else { end }
    }
}

fn is_upper(class: Class) -> bool {
    matches!(class, Class::Upper | Class::Letter | Class::Mark)
}

fn is_lower(class: Class) -> bool {
    matches!(class, Class::Lower | Class::Letter | Class::Mark)
}
