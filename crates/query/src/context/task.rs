//! What a task says: words by how often and where they stand, names in code, and places in files.

use std::sync::LazyLock;

use regex::Regex;
use rustc_hash::FxHashMap;

use super::literal;
use super::words::{each_part, says_nothing, stem};

/// Words and names that count at most: a log of a megabyte says no more than its first thousand lines.
const MOST_WORDS: usize = 400;
const MOST_NAMES: usize = 60;
const MOST_PLACES: usize = 40;
const MOST_BYTES: usize = 200_000;
/// A task of so few words means each of them.
const SHORT: usize = 8;
/// How much a word counts in the title, and in code.
const IN_TITLE: f64 = 3.0;
const IN_CODE: f64 = 0.5;

/// A task, taken apart.
#[derive(Debug, Default)]
pub(super) struct Task {
    /// Each stem once, in the order of the text.
    pub(super) words: Vec<Word>,
    pub(super) names: Vec<Name>,
    /// The likeliest first.
    pub(super) places: Vec<Mention>,
    /// Its first line.
    pub(super) title: String,
    pub(super) literals: Vec<Literal>,
    /// Its title speaks of tests.
    tests: bool,
    by_stem: FxHashMap<String, usize>,
}

/// A word of the task.
#[derive(Debug)]
pub(super) struct Word {
    pub(super) stem: String,
    pub(super) word: String,
    /// How often it stands there; more in the title, less in code.
    pub(super) said: f64,
}

/// What looks like a name in code.
#[derive(Debug)]
pub(super) struct Name {
    pub(super) text: String,
    pub(super) said: f64,
}

/// What the task quotes, letter by letter.
#[derive(Debug)]
pub(super) struct Literal {
    pub(super) text: String,
    pub(super) said: f64,
}

/// A path in the task, perhaps with a line and a function: a frame of a traceback, a link, a word of the author.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mention {
    pub(super) path: String,
    pub(super) line: Option<u32>,
    pub(super) function: Option<String>,
}

/// Where in the task a line stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Title,
    Prose,
    Code,
}

impl Task {
    pub(super) fn of(text: &str) -> Task {
        let mut task = Task::default();
        let text = without_comments(clipped(text));
        let mut fenced = false;
        let mut titled = false;
        for line in text.lines() {
            let trimmed = line.trim();
            if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
                fenced = !fenced;
                continue;
            }
            if trimmed.is_empty() {
                continue;
            }
            let part = match () {
                () if fenced || line.starts_with("    ") || line.starts_with('\t') || trimmed.starts_with(">>>") => {
                    Part::Code
                }
                () if !titled => Part::Title,
                () if is_heading(trimmed) => continue,
                () => Part::Prose,
            };
            if !titled {
                task.title = trimmed.to_owned();
            }
            titled = true;
            task.read(line, part);
        }
        task.places = mentions(&text);
        task.literals = literal::literals(&text, &task.title);
        task
    }

    fn read(&mut self, line: &str, part: Part) {
        let weight = match part {
            Part::Title => IN_TITLE,
            Part::Prose => 1.0,
            Part::Code => IN_CODE,
        };
        for piece in line.split_whitespace().filter(|piece| !piece.contains("://")) {
            self.read_piece(piece, part, weight);
        }
    }

    fn read_piece(&mut self, piece: &str, part: Part, weight: f64) {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '#');
        for raw in piece.split(|c: char| !is_part(c)) {
            let token = raw.trim_matches(['.', ':', '#', '/']);
            if token.is_empty() {
                continue;
            }
            let called = piece.contains(&format!("{token}("));
            let quoted = piece.contains(&format!("`{token}")) || piece.contains(&format!("{token}`"));
            if looks_like_name(token.trim_matches('_')) || (token.len() > 2 && (called || quoted)) {
                self.add_name(token, part, quoted);
            }
            each_part(token, |word| self.add(&word.to_lowercase(), weight));
        }
    }

    fn add_name(&mut self, name: &str, part: Part, quoted: bool) {
        let said = match part {
            Part::Title => 1.0,
            Part::Prose if quoted => 0.8,
            Part::Prose => 0.7,
            Part::Code => 0.35,
        };
        match self.names.iter().position(|known| known.text == name) {
            Some(at) => self.names[at].said = self.names[at].said.max(said),
            None if self.names.len() < MOST_NAMES => self.names.push(Name { text: name.to_owned(), said }),
            None => {}
        }
    }

    fn add(&mut self, word: &str, weight: f64) {
        self.tests |= weight > 1.0 && matches!(word, "test" | "tests" | "testing" | "tested");
        if says_nothing(word) {
            return;
        }
        let stem = stem(word);
        match self.by_stem.get(stem) {
            Some(at) => self.words[*at].said += weight,
            None if self.words.len() < MOST_WORDS => {
                self.by_stem.insert(stem.to_owned(), self.words.len());
                self.words.push(Word { stem: stem.to_owned(), word: word.to_owned(), said: weight });
            }
            None => {}
        }
    }

    /// Visits the words of the task that a text has; how many words it has in all.
    pub(super) fn each_word(&self, text: &str, mut visit: impl FnMut(usize)) -> u32 {
        let mut total = 0;
        each_part(text, |part| {
            total += 1;
            let word = part.to_lowercase();
            if let Some(at) = self.by_stem.get(stem(&word)) {
                visit(*at);
            }
        });
        total
    }

    /// What tests are worth for this task: little, unless it is about tests.
    pub(super) fn test_factor(&self) -> f64 {
        match self.tests {
            true if self.words.len() <= SHORT => 1.0,
            true => 0.4,
            false => 0.15,
        }
    }
}

fn clipped(text: &str) -> &str {
    let mut end = text.len().min(MOST_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

/// Templates ask their questions in comments, which say nothing about the task.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("<!--") {
        out.push_str(&rest[..start]);
        match rest[start..].find("-->") {
            Some(end) => rest = &rest[start + end + 3..],
            None => rest = "",
        }
    }
    out + rest
}

/// A line that only names what follows: `### Expected behaviour`, `**To reproduce**`.
fn is_heading(line: &str) -> bool {
    let bold = line.trim_end_matches(':').trim();
    line.starts_with('#') || (bold.len() > 4 && bold.starts_with("**") && bold.ends_with("**") && bold.len() < 60)
}

/// Whether a word can only be a name in code: with inner capitals, underscores or separators.
fn looks_like_name(token: &str) -> bool {
    let inner = token.get(1..).unwrap_or_default();
    let mixed = inner.chars().any(char::is_uppercase) && token.chars().any(char::is_lowercase);
    let joined = ["_", "::", ".", "#"].iter().any(|mark| inner.contains(mark));
    token.chars().any(char::is_alphabetic) && (mixed || joined)
}

/// A path with an extension, and what may follow it: a line, a function.
static MENTION: LazyLock<Regex> = LazyLock::new(|| {
    let after = r#"(?:"?,? line (?P<line>\d+)(?:,? in (?P<function>[\w.<>]+))?|:(?P<at>\d+)|#L(?P<anchor>\d+))?"#;
    Regex::new(&format!(r"(?P<path>[\w./\\@+-]*[\w+-]\.[A-Za-z]\w{{0,5}}){after}")).expect("it compiles")
});

/// The places that a task mentions, the deepest frame of a traceback first.
fn mentions(text: &str) -> Vec<Mention> {
    let mut found: Vec<Mention> = Vec::new();
    let mut frames: Vec<Mention> = Vec::new();
    for capture in MENTION.captures_iter(text) {
        let number = |name| capture.name(name).and_then(|text| text.as_str().parse::<u32>().ok());
        let path = capture["path"].replace('\\', "/");
        let function = capture.name("function").map(|text| text.as_str().to_owned());
        // Where the innermost call comes last, frames are written with words.
        let last = number("line");
        let mention = Mention { path, line: last.or(number("at")).or(number("anchor")), function };
        if frames.contains(&mention) || found.contains(&mention) {
            continue;
        }
        let list = if last.is_some() { &mut frames } else { &mut found };
        list.push(mention);
    }
    frames.reverse();
    frames.extend(found);
    frames.truncate(MOST_PLACES);
    frames
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_is_words_and_names() {
        let task = Task::of("Where does QuerySet.filter handle the lookups of related_fields?");
        let names: Vec<&str> = task.names.iter().map(|name| name.text.as_str()).collect();
        assert_eq!(names, ["QuerySet.filter", "related_fields"]);
        let words: Vec<&str> = task.words.iter().map(|word| word.word.as_str()).collect();
        assert_eq!(words, ["query", "set", "filter", "lookups", "related", "fields"]);
        assert!(Task::of("add a test for it").tests);
    }

    #[test]
    fn templates_and_comments_do_not_count() {
        let task =
            Task::of("Crash on save\n<!-- describe\nyour bug -->\n### Steps to reproduce\n**Expected**:\nopen it");
        let words: Vec<&str> = task.words.iter().map(|word| word.word.as_str()).collect();
        assert_eq!(words, ["crash", "save", "open"]);
        assert!(task.words[0].said > task.words[2].said);
    }

    #[test]
    fn frames_come_deepest_first() {
        let text = "It fails\n  File \"/x/app/views.py\", line 12, in show\n  File \"/x/app/forms.py\", line 7, in clean\n\
                    see lib/a.js:30:2";
        let places: Vec<_> = mentions(text).into_iter().map(|one| (one.path, one.line, one.function)).collect();
        assert_eq!(
            places,
            [
                ("/x/app/forms.py".to_owned(), Some(7), Some("clean".to_owned())),
                ("/x/app/views.py".to_owned(), Some(12), Some("show".to_owned())),
                ("lib/a.js".to_owned(), Some(30), None),
            ]
        );
    }
}
