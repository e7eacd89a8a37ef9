//! How long an answer may be. A budget that a call names is counted with a real tokenizer and never exceeded.

/// Less than this holds no answer and no way to go on.
pub(crate) const LEAST_TOKENS: usize = 100;
/// The line that says how to go on.
const FOOTER_TOKENS: usize = 40;
/// Without a budget an answer has at most so much text: some ten thousand tokens.
const DEFAULT_BYTES: usize = 32 * 1024;

/// A limit for the text and the data of an answer together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Budget {
    Tokens(usize),
    Default,
}

impl Budget {
    pub(crate) fn of(tokens: Option<u64>) -> Budget {
        tokens.map_or(Budget::Default, |tokens| Budget::Tokens(usize::try_from(tokens).unwrap_or(usize::MAX)))
    }

    pub(crate) fn fits(self, text: &str) -> bool {
        match self {
            Budget::Tokens(most) => codegraph_tokens::fits(text, most),
            Budget::Default => text.len() <= DEFAULT_BYTES,
        }
    }

    /// Whether data may be sent along with a text that fits.
    pub(crate) fn fits_both(self, text: &str, data: &serde_json::Value) -> bool {
        match self {
            Budget::Default => true,
            Budget::Tokens(most) => {
                let data = &data.to_string();
                // No token is shorter than a byte: most answers need no count.
                text.len() + data.len() <= most
                    || (codegraph_tokens::fits(data, most)
                        && codegraph_tokens::count(text) + codegraph_tokens::count(data) <= most)
            }
        }
    }

    /// Which part of the rows would fit, if all rows were of the same length.
    pub(crate) fn share(self, text: &str, rows: usize) -> usize {
        let (have, may) = match self {
            Budget::Tokens(most) => (codegraph_tokens::count(text), most),
            Budget::Default => (text.len(), DEFAULT_BYTES),
        };
        (rows * may * 9 / 10).checked_div(have).unwrap_or(rows)
    }

    /// The first lines that leave room for the last one; if not even one fits, a part of it.
    pub(crate) fn head<'t>(self, lines: &[&'t str]) -> (Vec<&'t str>, usize) {
        let fits = |count: usize| self.fits_with_footer(&lines[..count].join("\n"));
        let count = partition(lines.len(), fits);
        if count > 0 || lines.is_empty() {
            return (lines[..count].to_vec(), count);
        }
        let line = lines[0];
        let ends: Vec<usize> = line.char_indices().map(|(at, _)| at).collect();
        let end = partition(ends.len() - 1, |count| self.fits_with_footer(&line[..ends[count]]));
        (vec![&line[..ends[end]]], 1)
    }

    fn fits_with_footer(self, text: &str) -> bool {
        match self {
            Budget::Tokens(most) => codegraph_tokens::fits(text, most.saturating_sub(FOOTER_TOKENS)),
            Budget::Default => text.len() + 4 * FOOTER_TOKENS <= DEFAULT_BYTES,
        }
    }
}

/// The largest number up to `most` for which something holds that holds for all smaller ones.
fn partition(most: usize, holds: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, most);
    while low < high {
        let middle = (low + high).div_ceil(2);
        if holds(middle) { low = middle } else { high = middle - 1 }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_within_its_budget() {
        let text = "fn one_more_function_with_a_name() {}\n".repeat(200);
        let lines: Vec<&str> = text.lines().collect();
        let (head, count) = Budget::Tokens(300).head(&lines);
        assert_eq!(head.len(), count);
        assert!(count > 5 && codegraph_tokens::count(&head.join("\n")) <= 300 - FOOTER_TOKENS);
    }

    #[test]
    fn a_single_long_line_is_cut_too() {
        let line = "word ".repeat(5000);
        let (head, count) = Budget::Tokens(200).head(&[&line]);
        assert_eq!(count, 1);
        assert!(codegraph_tokens::count(head[0]) <= 160 && head[0].len() > 100);
    }
}
