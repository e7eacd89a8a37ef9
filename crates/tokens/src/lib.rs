//! How many tokens a text is, by the vocabulary that current models read (o200k).
//!
//! The vocabulary is bytes of the binary, and is put up at the first count. Who knows that a count will come calls [`warm`]
//! and does something else meanwhile. Counts of lines add up: see [`splits_at`].

mod pairs;
mod split;
mod table;

use std::thread::JoinHandle;

use table::Table;

/// Longer stretches without a line break are counted in pieces.
const LONGEST_PIECE: usize = 32 * 1024;

/// The tokens of a text. Words that mean something special to a model are counted as plain text.
pub fn count(text: &str) -> usize {
    if text.is_empty() {
        return 0;
    }
    let table = Table::get();
    pieces(text).map(|piece| count_piece(table, piece)).sum()
}

fn count_piece(table: &Table, text: &str) -> usize {
    let (mut rest, mut tokens) = (text, 0);
    while !rest.is_empty() {
        let (piece, after) = rest.split_at(split::piece_end(table, rest));
        tokens += pairs::count(table, piece.as_bytes());
        rest = after;
    }
    tokens
}

/// Whether a text has at most so many tokens. Most answers need no count: a token is at least one byte, and a text has
/// at least one token per 128 bytes.
pub fn fits(text: &str, budget: usize) -> bool {
    text.len() <= budget || (text.len() / LONGEST_TOKEN <= budget && count(text) <= budget)
}

/// No token of the vocabulary is longer, in bytes.
const LONGEST_TOKEN: usize = 128;

/// Loads the vocabulary on another thread.
pub fn warm() -> JoinHandle<()> {
    std::thread::spawn(|| {
        Table::get();
    })
}

/// Whether no token crosses the place between a line end and `rest`, so that counts before and after it add up: the
/// next line is not blank and does not start with a slash, which would join punctuation before the line end.
pub fn splits_at(rest: &str) -> bool {
    let line = rest.split('\n').next().unwrap_or(rest);
    !line.starts_with('/') && !line.trim().is_empty()
}

/// A text in parts of bounded length, broken where the sum of counts stays the same if there is such a place.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (piece, after) = rest.split_at(piece_end(rest));
        rest = after;
        (!piece.is_empty()).then_some(piece)
    })
}

fn piece_end(text: &str) -> usize {
    if text.len() <= LONGEST_PIECE {
        return text.len();
    }
    let most = text.floor_char_boundary(LONGEST_PIECE);
    let ends = text[..most].rmatch_indices('\n').map(|(at, _)| at + 1);
    ends.take(64).find(|at| splits_at(&text[*at..])).unwrap_or(most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_have_the_tokens_that_models_count() {
        assert_eq!(count(""), 0);
        assert_eq!(count("hello world"), 2);
        assert_eq!(count("<|endoftext|>"), 7, "a special word is plain text here");
        assert_eq!(count("fn main() {}\n"), 4);
    }

    #[test]
    fn counts_of_lines_add_up_where_a_text_splits() {
        let text =
            "# legend →″\n\na/b.rs: ←5\ni→ c.rs\nc A(B):10 ←x.rs:1,+2\n  m f(a,b?)->?T:11 →g,h\n  v x\n\n@1/d.rs:\n";
        let mut sum = 0;
        let mut start = 0;
        for (at, _) in text.match_indices('\n') {
            if splits_at(&text[at + 1..]) || at + 1 == text.len() {
                sum += count(&text[start..=at]);
                start = at + 1;
            }
        }
        assert_eq!((start, sum), (text.len(), count(text)));
        assert!(!splits_at("/root") && !splits_at("\nx") && !splits_at("   \nx") && splits_at("  m x"));
    }

    #[test]
    fn long_texts_count_like_their_parts_and_odd_ones_do_not_fail() {
        let line = "    let value = compute(first, second)?; // comment\n";
        assert_eq!(count(&line.repeat(5_000)), 5_000 * count(line));
        for odd in ["a", " ", "\n", "é", "\u{0}", "中", "(", "\r\n \t"] {
            let text = odd.repeat(200_000);
            assert!((1..=text.len()).contains(&count(&text)), "{odd:?}");
        }
    }

    #[test]
    fn a_budget_is_compared_without_counting_where_bytes_decide() {
        assert!(fits("abc", 3) && fits("", 0));
        assert!(!fits(&"word ".repeat(1000), 5));
        assert!(fits("hello world", 2) && !fits("hello world", 1));
    }
}
