//! One file of ignore rules: a list of patterns, of which the last that matches decides.

use super::wildmatch::matches;

/// What a rule says about a file or folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Ignored,
    /// A rule with `!` takes it back.
    Kept,
}

/// The rules of a file, in order.
#[derive(Debug, Default)]
pub(crate) struct Patterns(Vec<Pattern>);

#[derive(Debug, PartialEq, Eq)]
struct Pattern {
    /// Without `!`, a slash at the start and one at the end.
    text: Vec<u8>,
    /// How much of the text stands for itself.
    literal: usize,
    verdict: Verdict,
    only_folders: bool,
    /// Compared with the name alone, wherever it is.
    any_depth: bool,
}

impl Patterns {
    pub(crate) fn parse(text: &[u8]) -> Patterns {
        let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
        let mut lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').collect();
        // The end of a line is part of the line where no line follows.
        let last = lines.pop();
        let ended = lines.into_iter().map(|line| line.strip_suffix(b"\r").unwrap_or(line));
        Patterns(ended.chain(last).filter_map(Pattern::parse).collect())
    }

    /// What the rules say about a path, given from the folder that they are in.
    pub(crate) fn verdict(&self, path: &[u8], is_folder: bool) -> Option<Verdict> {
        let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or(path);
        let decides = |pattern: &&Pattern| (is_folder || !pattern.only_folders) && pattern.matches(path, name);
        self.0.iter().rev().find(decides).map(|pattern| pattern.verdict)
    }
}

impl Pattern {
    fn parse(line: &[u8]) -> Option<Pattern> {
        if line.is_empty() || line[0] == b'#' {
            return None;
        }
        let line = without_spaces(line);
        let (verdict, line) = match line.strip_prefix(b"!") {
            Some(rest) => (Verdict::Kept, rest),
            None => (Verdict::Ignored, line),
        };
        let (only_folders, line) = match line.strip_suffix(b"/") {
            Some(rest) => (true, rest),
            None => (false, line),
        };
        let any_depth = !line.contains(&b'/');
        let text = line.strip_prefix(b"/").unwrap_or(line).to_vec();
        if text.is_empty() {
            return None;
        }
        let literal = text.iter().position(|byte| b"*?[\\".contains(byte)).unwrap_or(text.len());
        Some(Pattern { text, literal, verdict, only_folders, any_depth })
    }

    fn matches(&self, path: &[u8], name: &[u8]) -> bool {
        if self.any_depth {
            return match self.literal == self.text.len() {
                true => self.text == name,
                false => matches(&self.text, name),
            };
        }
        // What stands for itself is compared first, and what follows is a pattern of its own.
        match path.strip_prefix(&self.text[..self.literal]) {
            Some(rest) => matches(&self.text[self.literal..], rest),
            None => false,
        }
    }
}

/// A line without the spaces at its end, unless they are escaped.
fn without_spaces(line: &[u8]) -> &[u8] {
    let (mut end, mut at) = (0, 0);
    while at < line.len() {
        at += if line[at] == b'\\' { 2 } else { 1 };
        let at = at.min(line.len());
        if line[at - 1] != b' ' || at >= 2 && line[at - 2] == b'\\' {
            end = at;
        }
    }
    &line[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn says(rules: &str, path: &str, is_folder: bool) -> Option<Verdict> {
        Patterns::parse(rules.as_bytes()).verdict(path.as_bytes(), is_folder)
    }

    #[test]
    fn the_last_rule_that_matches_decides() {
        assert_eq!(says("*.py\n!a.py\n", "x/a.py", false), Some(Verdict::Kept));
        assert_eq!(says("!a.py\n*.py\n", "x/a.py", false), Some(Verdict::Ignored));
        assert_eq!(says("/a.py\n", "x/a.py", false), None);
        assert_eq!(says("x/\n", "x", false), None);
        assert_eq!(says("x/\n", "x", true), Some(Verdict::Ignored));
        assert_eq!(says("y/x/", "y/x", true), Some(Verdict::Ignored));
    }

    #[test]
    fn lines_are_read_as_git_reads_them() {
        let ignored = |rules: &str, path: &str| says(rules, path, false) == Some(Verdict::Ignored);
        assert!(ignored("\u{feff}a.py\r\n", "a.py"));
        assert!(ignored("a.py   \n", "a.py") && ignored("a.py\\ \n", "a.py ") && !ignored("a.py\\ \n", "a.py"));
        assert!(ignored("\\#a\n", "#a") && ignored("\\!a\n", "!a") && !ignored("#a\n", "#a"));
        assert!(ignored("a\t\n", "a\t") && !ignored("a\t\n", "a"));
        assert!(!ignored("/\n!\n\n", "") && !ignored("/\n", "a"));
    }
}
