//! Text of several words or with punctuation: the lines that have all its words, verified against the source.

use codegraph_model::TermMask;
use codegraph_store::Term;

use crate::Mode;
use crate::hits::{self, FileHits};
use crate::paths::FileFilter;
use crate::query::Query;
use crate::source::LineCursor;
use crate::words::{Edges, Gap, find_in_line, find_with, words};
use crate::{Reader, Result};

/// What came of looking for a phrase.
pub(crate) struct FoundPhrase {
    pub(crate) files: Vec<FileHits>,
    /// Files that could not be verified.
    pub(crate) stale: Vec<String>,
    /// Words that no line has.
    pub(crate) missing: Vec<String>,
    /// No word of the phrase is indexed: nothing could be searched.
    pub(crate) wordless: bool,
}

/// Looks for the lines that have the phrase.
pub(crate) fn find(reader: &Reader, question: &Query, filter: &FileFilter) -> Result<FoundPhrase> {
    let mut found = FoundPhrase { files: Vec::new(), stale: Vec::new(), missing: Vec::new(), wordless: true };
    let mut candidates: Option<Vec<FileHits>> = None;
    for (text, mode) in parts(question) {
        let terms = part_terms(reader, &text, mode, question.case_sensitive)?;
        let lines = hits::collect(reader, &terms, filter)?;
        if lines.is_empty() {
            found.missing.push(text);
            continue;
        }
        found.wordless = false;
        candidates = Some(match candidates {
            None => lines,
            Some(before) => intersect(before, &lines),
        });
    }
    let candidates = candidates.unwrap_or_default();
    found.files = verify(reader, question, candidates, &mut found.stale)?;
    Ok(found)
}

/// The words of a phrase. At an open end a word may go on.
fn parts(question: &Query) -> Vec<(String, End)> {
    let text = question.term.trim();
    let all: Vec<(usize, &str)> = words(text).collect();
    let open = edges(question.mode);
    let part = |(at, word): &(usize, &str)| {
        let from = !open.start && *at == 0;
        let to = !open.end && at + word.len() == text.len();
        (word.to_string(), End { from, to })
    };
    all.iter().map(part).collect()
}

#[derive(Clone, Copy)]
struct End {
    from: bool,
    to: bool,
}

fn part_terms(reader: &Reader, word: &str, open: End, case_sensitive: bool) -> Result<Vec<Term>> {
    let mode = match open {
        End { from: false, to: false } => Mode::Exact,
        End { from: false, to: true } => Mode::StartsWith,
        End { from: true, .. } => Mode::Contains,
    };
    crate::pattern::terms(reader, word, mode, case_sensitive)
}

fn edges(mode: Mode) -> Edges {
    match mode {
        Mode::Contains => Edges { start: false, end: false },
        Mode::StartsWith => Edges { start: true, end: false },
        Mode::Exact | Mode::Regex | Mode::Semantic => Edges::WORD,
    }
}

fn intersect(left: Vec<FileHits>, right: &[FileHits]) -> Vec<FileHits> {
    let mut rest = right.iter().peekable();
    left.into_iter()
        .filter_map(|mut file| {
            while rest.next_if(|other| other.path < file.path).is_some() {}
            let other = rest.peek().filter(|other| other.file == file.file)?;
            file.hits = hits::both(file.hits, &other.hits);
            (!file.hits.is_empty()).then_some(file)
        })
        .collect()
}

fn verify(
    reader: &Reader,
    question: &Query,
    candidates: Vec<FileHits>,
    stale: &mut Vec<String>,
) -> Result<Vec<FileHits>> {
    let chunks: Vec<&str> = question.term.split_whitespace().collect();
    let edges = edges(question.mode);
    let mut files = Vec::new();
    for mut file in candidates {
        let record = reader.record(file.file)?;
        let Ok(source) = reader.source(&record) else {
            stale.push(file.path.clone());
            continue;
        };
        let mut cursor = LineCursor::default();
        file.hits.retain_mut(|hit| {
            let Some((_, line)) = cursor.line(&source.bytes, hit.line) else {
                return false;
            };
            let found = find_in_line(line, &chunks, !question.case_sensitive, edges).is_some();
            let adjacent = |folded| find_with(line, &chunks, folded, edges, Gap::Signs).is_some();
            // Side by side first, in this case before any other.
            hit.term = match found {
                true if adjacent(false) => 0,
                true if adjacent(true) => 1,
                _ => 2,
            };
            // A phrase with one word can still be the name that is defined there; with more it is not.
            hit.mask = TermMask(hit.mask.0 & !TermMask::DEF.0);
            found
        });
        if !file.hits.is_empty() {
            files.push(file);
        }
    }
    Ok(files)
}
