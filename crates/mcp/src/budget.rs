//! How long an answer may be. A budget that a call names is counted with a real tokenizer and never exceeded.

/// Less than this holds no answer and no way to go on.
pub(crate) const LEAST_TOKENS: usize = 100;
/// Without a budget an answer has at most so much text: some ten thousand tokens.
const DEFAULT_BYTES: usize = 32 * 1024;

/// With data, which is several times as long as the text that says the same, both together have at most so much.
const DEFAULT_BYTES_WITH_DATA: usize = 64 * 1024;

/// A limit for what is sent: the text of an answer, and its data where a server sends both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Budget {
    Tokens(usize),
    Default,
    /// None.
    Whole,
}

impl Budget {
    pub(crate) fn of(tokens: Option<u64>) -> Budget {
        tokens.map_or(Budget::Default, |tokens| Budget::Tokens(usize::try_from(tokens).unwrap_or(usize::MAX)))
    }

    pub(crate) fn fits(self, text: &str, data: Option<&str>) -> bool {
        let length = text.len() + data.map_or(0, str::len);
        match self {
            // No token is shorter than a byte: most answers need no count.
            Budget::Tokens(most) if length <= most => true,
            Budget::Tokens(most) => match data {
                None => codegraph_tokens::fits(text, most),
                Some(data) => {
                    codegraph_tokens::fits(data, most)
                        && codegraph_tokens::count(text) + codegraph_tokens::count(data) <= most
                }
            },
            Budget::Default => length <= Budget::bytes(data),
            Budget::Whole => true,
        }
    }

    /// Which part of the rows would fit, if all rows were of the same length.
    pub(crate) fn share(self, text: &str, data: Option<&str>, rows: usize) -> usize {
        let (have, may) = match self {
            Budget::Tokens(most) => (codegraph_tokens::count(text) + data.map_or(0, codegraph_tokens::count), most),
            Budget::Default => (text.len() + data.map_or(0, str::len), Budget::bytes(data)),
            Budget::Whole => return rows,
        };
        (rows * may * 9 / 10).checked_div(have).unwrap_or(rows)
    }

    fn bytes(data: Option<&str>) -> usize {
        if data.is_some() { DEFAULT_BYTES_WITH_DATA } else { DEFAULT_BYTES }
    }

    /// The first lines with which an answer fits; if not even one does, a part of it.
    pub(crate) fn head<'t>(lines: &[&'t str], fits: impl Fn(&str, usize) -> bool) -> (Vec<&'t str>, usize) {
        let count = partition(lines.len(), |count| fits(&lines[..count].join("\n"), count));
        if count > 0 || lines.is_empty() {
            return (lines[..count].to_vec(), count);
        }
        let line = lines[0];
        let ends: Vec<usize> = line.char_indices().map(|(at, _)| at).collect();
        let end = partition(ends.len().saturating_sub(1), |count| fits(&line[..ends[count]], 1));
        (vec![&line[..ends.get(end).copied().unwrap_or(0)]], 1)
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

    const FITS: fn(&str, usize) -> bool = |text, _| Budget::Tokens(300).fits(text, None);

    #[test]
    fn a_text_is_cut_within_its_budget() {
        let text = "fn one_more_function_with_a_name() {}\n".repeat(200);
        let lines: Vec<&str> = text.lines().collect();
        let (head, count) = Budget::head(&lines, FITS);
        assert_eq!(head.len(), count);
        assert!(count > 5 && codegraph_tokens::count(&head.join("\n")) <= 300);
    }

    #[test]
    fn a_single_long_line_is_cut_too() {
        let line = "word ".repeat(5000);
        let (head, count) = Budget::head(&[&line], FITS);
        assert_eq!(count, 1);
        assert!(codegraph_tokens::count(head[0]) <= 300 && head[0].len() > 100);
    }

    #[test]
    fn data_counts_as_what_is_sent() {
        let (text, data) = ("word ".repeat(150), "word ".repeat(200));
        assert!(Budget::Tokens(300).fits(&text, None) && Budget::Tokens(300).fits("", Some(&data)));
        assert!(!Budget::Tokens(300).fits(&text, Some(&data)));
    }
}
