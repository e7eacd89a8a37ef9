//! Words inside text, as the index knows them, and comparing them with or without case.

/// Whether a byte continues a word.
pub fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// Whether a text is one word of the dictionary.
pub(crate) fn is_word(text: &str) -> bool {
    text.chars().all(|c| c.is_alphanumeric() || c == '_' || !c.is_ascii())
        && text.bytes().any(|b| !b.is_ascii_digit())
        && !text.is_empty()
}

/// The indexed words of a text with their byte offsets.
pub(crate) fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            while at < bytes.len() && !is_word_byte(bytes[at]) {
                at += 1;
            }
            let start = at;
            while at < bytes.len() && is_word_byte(bytes[at]) {
                at += 1;
            }
            if start == at {
                return None;
            }
            // Numbers are not indexed.
            if bytes[start..at].iter().any(|b| !b.is_ascii_digit()) {
                return Some((start, &text[start..at]));
            }
        }
    })
}

/// What may stand beside a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edges {
    /// The match starts a word.
    pub(crate) start: bool,
    /// The match ends a word.
    pub(crate) end: bool,
}

impl Edges {
    pub(crate) const WORD: Edges = Edges { start: true, end: true };

    fn hold(self, line: &[u8], start: usize, end: usize) -> bool {
        let touches = |at: usize| line.get(at).copied().is_some_and(is_word_byte);
        let open = start > 0 && touches(start - 1) && touches(start);
        let runs_on = end > 0 && touches(end) && touches(end - 1);
        !(self.start && open || self.end && runs_on)
    }
}

/// What separates the parts of a phrase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gap {
    /// White space, or signs: `render m` is `render(m)`.
    Signs,
    /// Other words too.
    Anything,
}

/// Finds a text on a line: its parts in this order, side by side if possible.
pub(crate) fn find_in_line(line: &[u8], chunks: &[&str], folded: bool, edges: Edges) -> Option<(usize, usize)> {
    let find = |gap| find_with(line, chunks, folded, edges, gap);
    find(Gap::Signs).or_else(|| find(Gap::Anything).filter(|_| chunks.len() > 1))
}

/// The same, with gaps of one kind.
pub(crate) fn find_with(line: &[u8], chunks: &[&str], folded: bool, edges: Edges, gap: Gap) -> Option<(usize, usize)> {
    let first = chunks.first()?.as_bytes();
    (0..line.len()).find_map(|start| {
        if !starts_with(&line[start..], first, folded) {
            return None;
        }
        let mut end = start + first.len();
        for (number, chunk) in chunks.iter().enumerate().skip(1) {
            end = next_part(line, end, chunk.as_bytes(), folded, gap, number + 1 == chunks.len(), edges)?;
        }
        edges.hold(line, start, end).then_some((start, end))
    })
}

/// Where the next part of a phrase ends. Parts are whole words, apart from the open end of the last one.
fn next_part(line: &[u8], end: usize, part: &[u8], folded: bool, gap: Gap, last: bool, edges: Edges) -> Option<usize> {
    let closed = Edges { start: true, end: !last || edges.end };
    let signs = line[end..].iter().take_while(|byte| !is_word_byte(**byte)).count();
    let room = match gap {
        // A part may begin with signs of its own.
        Gap::Signs => end + 1..=end + signs,
        Gap::Anything => end + 1..=line.len(),
    };
    // At least one byte sets them apart.
    room.into_iter().find_map(|at| {
        let to = at + part.len();
        (starts_with(line.get(at..)?, part, folded) && closed.hold(line, at, to)).then_some(to)
    })
}

fn starts_with(text: &[u8], prefix: &[u8], folded: bool) -> bool {
    match (text.get(..prefix.len()), folded) {
        (Some(head), true) => head.eq_ignore_ascii_case(prefix),
        (Some(head), false) => head == prefix,
        (None, _) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_between_words_is_any_white_space() {
        let found = |line: &str, needle: &str| {
            let chunks: Vec<&str> = needle.split_whitespace().collect();
            find_in_line(line.as_bytes(), &chunks, true, Edges::WORD)
        };
        assert_eq!(found("say \"Please Restart the Service\"", "Please  Restart\tthe Service"), Some((5, 31)));
        assert_eq!(found("FooBar", "Foo Bar"), None);
        assert_eq!(found("self.render(m)", "render m"), Some((5, 13)));
        assert_eq!(found("self.render(models)", "render m"), None);
        assert_eq!(found("render(self, m)", "render m"), Some((0, 14)));
        assert_eq!(found("m render", "render m"), None);
        assert_eq!(found("xfoo bar foo  bar", "foo bar"), Some((9, 17)));
        assert_eq!(found("foo.bars foo.bar", "foo.bar"), Some((9, 16)));
        assert_eq!(found("a->b", "->b"), Some((1, 4)));
    }

    #[test]
    fn numbers_are_no_words() {
        assert_eq!(words("a1 22 _3").map(|(_, w)| w).collect::<Vec<_>>(), ["a1", "_3"]);
        assert!(!is_word("22"));
        assert!(is_word("naïve"));
        assert!(!is_word("a b"));
    }
}
