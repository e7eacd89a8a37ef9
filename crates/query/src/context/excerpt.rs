//! The lines of a body that matter for a task: how it starts, and those with the words that say most.

use std::borrow::Cow;
use std::ops::Range;

use codegraph_model::{Span, Symbol};

use super::task::Task;
use crate::reader::FileView;

/// Lines of documentation that are shown of a longer one.
const DOC_LINES: usize = 2;
/// One that has no more is shown by those who ask for a symbol.
const LONG_DOC: usize = 5;
/// So many lines are shown before and after one that matters.
const AROUND: usize = 1;
/// A gap of no more lines is none: who has to ask for them pays more.
const SHORT_GAP: usize = 2;

/// A body with the places of its lines.
pub(crate) struct Body<'t> {
    pub(super) text: Cow<'t, str>,
    /// The number of the first line in its file.
    pub(super) first_line: u32,
    /// The lines that are documentation.
    pub(super) doc: Range<usize>,
    /// The line that has the name.
    pub(super) name: usize,
}

impl<'t> Body<'t> {
    /// The text of a symbol from `start` on.
    pub(crate) fn of(view: &FileView<'_>, symbol: &Symbol, start: u32, text: impl Into<Cow<'t, str>>) -> Body<'t> {
        let first_line = view.facts().line_of(start);
        let place_of = |at: u32| (view.facts().line_of(at).saturating_sub(first_line)) as usize;
        let Span { start: doc, end } = symbol.doc;
        let doc = if symbol.doc.is_empty() { 0..0 } else { place_of(doc)..place_of(end.saturating_sub(1)) + 1 };
        Body { text: text.into(), first_line, doc, name: place_of(symbol.name_span.start) }
    }

    /// All of it but the end of a longer documentation, and of a longer body the lines that have some words: what is to
    /// be shown instead of the whole text. A word counts the more, the fewer lines have it.
    pub(crate) fn about(&self, words: Option<&str>, longest: usize, most: usize) -> Option<String> {
        let lines = self.text.lines().count();
        let (Some(words), true) = (words, lines > longest) else {
            let telling = Telling { task: &Task::default(), worth: &[] };
            return if self.doc.len() > LONG_DOC { telling.excerpt(self, lines, &[]) } else { None };
        };
        let task = Task::of(words);
        let mut with = vec![0_usize; task.words.len()];
        for line in self.text.lines() {
            let mut seen = Vec::new();
            task.each_word(line, |word| seen.push(word));
            seen.sort_unstable();
            seen.dedup();
            seen.into_iter().for_each(|word| with[word] += 1);
        }
        let worth = |with: &usize| (1.0 + lines as f64 / (1.0 + *with as f64)).ln();
        let worth: Vec<f64> = with.iter().map(worth).collect();
        Telling { task: &task, worth: &worth }.excerpt(self, most, &[])
    }
}

/// What words of a task are worth.
pub(super) struct Telling<'t> {
    pub(super) task: &'t Task,
    pub(super) worth: &'t [f64],
}

impl Telling<'_> {
    /// The lines of a body that are shown if there may be so many; nothing if that is all of them. Those of `shown`, by their
    /// numbers in the file, stand elsewhere.
    pub(super) fn excerpt(&self, body: &Body<'_>, most: usize, shown: &[Range<u32>]) -> Option<String> {
        let lines: Vec<&str> = body.text.lines().collect();
        let mut kept = vec![false; lines.len()];
        let opens = lines
            .get(body.doc.start)
            .is_some_and(|line| line.split_whitespace().filter(|word| is_word(word)).count() > 1);
        let doc = if body.doc.len() > DOC_LINES { body.doc.start + usize::from(opens)..body.doc.end } else { 0..0 };
        let own = lines.len() - doc.len();
        let is_shown = |at: &usize| shown.iter().any(|lines| lines.contains(&(body.first_line + *at as u32)));
        // What leaves out little more than its gaps take says less for the same price.
        if own <= most.saturating_add(most / 4) {
            if doc.is_empty() {
                return None;
            }
            kept.fill(true);
            kept[doc].fill(false);
            return Some(joined(&lines, &kept, body.first_line));
        }
        let first = if doc.contains(&0) { body.name } else { 0 };
        for line in [first, body.name] {
            kept[line.min(lines.len() - 1)] = true;
        }
        let mut by_worth: Vec<(f64, usize)> = lines.iter().map(|line| self.of(line)).zip(0..).collect();
        by_worth.retain(|(worth, at)| *worth > 0.0 && !doc.contains(at) && !is_shown(at));
        by_worth.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        if by_worth.is_empty() {
            by_worth.extend((body.name..lines.len()).map(|at| (0.0, at)));
        }
        for (_, at) in by_worth {
            let near = at.saturating_sub(AROUND)..(at + AROUND + 1).min(lines.len());
            let near = near.filter(|line| !doc.contains(line) && !is_shown(line));
            let new = near.clone().filter(|line| !kept[*line]).count();
            if kept.iter().filter(|kept| **kept).count() + new > most {
                break;
            }
            near.for_each(|line| kept[line] = true);
        }
        close_gaps(&mut kept, |at| doc.contains(&at) || is_shown(&at));
        // White space at the end of what is kept says nothing.
        for at in 1..lines.len() {
            if kept[at] && lines[at].trim().is_empty() && (!kept[at - 1] || kept.get(at + 1) != Some(&true)) {
                kept[at] = false;
            }
        }
        Some(joined(&lines, &kept, body.first_line))
    }

    /// How much a line says about the task: each word of it once.
    fn of(&self, line: &str) -> f64 {
        let mut seen: Vec<usize> = Vec::new();
        self.task.each_word(line, |word| {
            if !seen.contains(&word) {
                seen.push(word);
            }
        });
        let worth: f64 = seen.into_iter().map(|word| self.worth.get(word).copied().unwrap_or_default()).sum();
        // Code says what happens, comments have more words for it.
        let is_comment = ["#", "//", "*", "/*", "--"].iter().any(|mark| line.trim_start().starts_with(mark));
        if is_comment { worth / 2.0 } else { worth }
    }
}

/// Keeps the lines of short gaps between others.
fn close_gaps(kept: &mut [bool], stays_out: impl Fn(usize) -> bool) {
    let mut last = None;
    for at in 0..kept.len() {
        if !kept[at] {
            continue;
        }
        if let Some(last) = last
            && at - last - 1 <= SHORT_GAP
            && !(last + 1..at).any(&stays_out)
        {
            kept[last + 1..at].fill(true);
        }
        last = Some(at);
    }
}

fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphanumeric() || c == '"') && text.contains(char::is_alphabetic)
}

/// The lines that are kept; a gap names the line that comes after it.
fn joined(lines: &[&str], kept: &[bool], first_line: u32) -> String {
    let mut out = String::new();
    for (at, line) in lines.iter().enumerate() {
        // A gap of one line costs as much as the line.
        let is_alone = at > 0 && kept[at - 1] && kept.get(at + 1) == Some(&true) && line.len() < 60;
        if kept[at] || is_alone {
            out.extend([line, "\n"]);
        } else if kept.get(at + 1) == Some(&true) && kept[..at].contains(&true) {
            out.push_str(&format!("…{}\n", first_line + at as u32 + 1));
        } else if at + 1 == lines.len() {
            out.push('…');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_names_the_next_line_and_documentation_is_shortened() {
        let task = Task::of("where are lost workers handled");
        let worth = vec![1.0; task.words.len()];
        let telling = Telling { task: &task, worth: &worth };
        let filler = "    other_things_that_are_long_enough_not_to_be_shown_for_nothing = 1\n".repeat(8);
        let text = format!(
            "def f():\n    \"\"\"Doc of f.\n\n    More.\n    \"\"\"\n{filler}    if worker.lost:\n{filler}    end()\n"
        );
        let body = Body { text: text.as_str().into(), first_line: 10, doc: 1..5, name: 0 };
        let shown = telling.excerpt(&body, 6, &[]).expect("an excerpt");
        assert!(shown.starts_with("def f():\n…22\n"), "{shown}");
        assert!(shown.contains("    if worker.lost:\n") && shown.ends_with('…'), "{shown}");
        let whole = telling.excerpt(&body, 60, &[]).expect("without the documentation");
        assert!(whole.starts_with("def f():\n    \"\"\"Doc of f.\n…15\n"), "{whole}");
        assert_eq!(telling.excerpt(&Body { text: "a\nb\n".into(), first_line: 1, doc: 0..0, name: 0 }, 2, &[]), None);
    }

    #[test]
    fn short_gaps_are_filled_and_lines_that_stand_elsewhere_are_left_out() {
        let task = Task::of("lost workers");
        let worth = vec![1.0; task.words.len()];
        let telling = Telling { task: &task, worth: &worth };
        let filler = "    step()\n".repeat(9);
        let text =
            format!("def f():\n{filler}    lost = 1\n    a()\n    b()\n    c()\n    d()\n    workers = 2\n{filler}");
        let body = Body { text: text.as_str().into(), first_line: 1, doc: 0..0, name: 0 };
        let shown = telling.excerpt(&body, 10, &[]).expect("an excerpt");
        assert!(shown.contains("    a()\n    b()\n    c()\n    d()\n"), "{shown}");
        let elsewhere = [3..4, 10..12];
        let rest = telling.excerpt(&body, 10, &elsewhere).expect("an excerpt");
        assert!(!rest.contains("lost") && rest.contains("workers"), "{rest}");
    }
}
