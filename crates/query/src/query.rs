//! Where a term stands: the lines of the whole project that have it.

use std::collections::BTreeSet;

use codegraph_model::{LineType, Origin};
use serde::Serialize;

use crate::hits::{self, FileHits};
use crate::paths::FileFilter;
use crate::rows::Rows;
use crate::words::is_word;
use crate::{
    DEFAULT_LIMIT, Mode, Note, Reader, Remarks, Result, Window, lookup, nearest, pattern, phrase, semantic, vocabulary,
};

/// A question for terms.
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// A word, or several: then a phrase on one line.
    pub term: String,
    pub mode: Mode,
    pub case_sensitive: bool,
    /// A glob, a folder or a file.
    pub file_filter: Option<String>,
    /// Words of [`LineType`]. A line that defines something has the type of what it defines.
    pub type_filter: Vec<String>,
    pub window: Window,
}

/// The lines that have a term.
#[derive(Clone, Debug, Serialize)]
pub struct QueryAnswer {
    pub term: String,
    pub mode: Mode,
    pub matches: Vec<Match>,
    /// Lines that match, of which `matches` is a part.
    pub total_matches: usize,
    pub files_matched: usize,
    /// Further lines that have the term in strings only.
    pub in_strings: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
    #[serde(flatten)]
    pub remarks: Remarks,
}

/// A line that has the term.
#[derive(Clone, Debug, Serialize)]
pub struct Match {
    pub match_id: String,
    /// The linked project that the file is in; absent for the project that is asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    pub file: String,
    /// Why the file is nobody's own work; absent for most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    pub line_number: u32,
    pub line_type: LineType,
    /// The term as it is written there.
    pub term: String,
    /// The line; absent if the file has changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Where the term first stands on the line.
    #[serde(flatten)]
    pub place: Option<TermPlace>,
    /// How near it is to what was asked, and why. Of mode `semantic`.
    #[serde(flatten)]
    pub nearness: Option<Nearness>,
}

/// How near a symbol is to a question in words.
#[derive(Clone, Debug, Serialize)]
pub struct Nearness {
    /// 1 is as near as can be.
    pub score: f64,
    pub fqn: String,
    pub symbol_id: String,
    /// The words of the symbol that led to it, the most telling first.
    pub because: Vec<String>,
}

/// The bytes of a term on its line.
#[derive(Clone, Debug, Serialize)]
pub struct TermPlace {
    pub span_id: String,
    pub byte_start: u32,
    pub byte_end: u32,
    pub start_col: u32,
    pub end_col: u32,
}

/// Answers where a term stands; in the project first, then in the linked ones.
pub fn query(reader: &Reader, question: &Query) -> Result<QueryAnswer> {
    let mut answer = in_project(reader, question)?;
    for other in reader.linked() {
        let window = question.window.rest(answer.matches.len(), answer.total_matches);
        let found = in_project(other, &Query { window, ..question.clone() })?;
        answer.remarks.join(other, found.remarks, found.total_matches > 0);
        answer.matches.extend(found.matches);
        answer.total_matches += found.total_matches;
        answer.files_matched += found.files_matched;
        answer.in_strings += found.in_strings;
    }
    answer.next_offset = question.window.next(answer.total_matches);
    Ok(answer)
}

fn in_project(reader: &Reader, question: &Query) -> Result<QueryAnswer> {
    let filter = FileFilter::new(question.file_filter.as_deref())?;
    let types = question.type_filter.iter().map(|word| vocabulary::line_type(word)).collect::<Result<Vec<_>>>()?;
    let mut answer = QueryAnswer {
        term: question.term.clone(),
        mode: question.mode,
        matches: Vec::new(),
        total_matches: 0,
        files_matched: 0,
        in_strings: 0,
        next_offset: None,
        remarks: Remarks::of(reader),
    };
    let text = question.term.trim();
    if text.is_empty() {
        answer.remarks.note(Note::Blank { what: "term" });
        return Ok(answer);
    }
    if question.mode == Mode::Semantic {
        semantic::fill(reader, question, &filter, &types, &mut answer)?;
        return Ok(answer);
    }
    // A word with `*` is a pattern of words.
    let pattern = lookup::pattern_of(text).filter(|_| question.mode == Mode::Exact);
    let single = question.mode == Mode::Regex || is_word(text) || pattern.is_some();
    let (terms, found) = if single {
        let mode = if pattern.is_some() { Mode::Regex } else { question.mode };
        let terms = pattern::terms(reader, pattern.as_deref().unwrap_or(text), mode, question.case_sensitive)?;
        let files = hits::collect(reader, &terms, &filter)?;
        (terms, files)
    } else {
        (Vec::new(), phrase_lines(reader, question, &filter, &mut answer)?)
    };
    if single && question.mode == Mode::Exact {
        let records = found.iter().take(DEFAULT_LIMIT).map(|file| reader.record(file.file));
        let records = records.collect::<Result<Vec<_>>>()?;
        note_keyword(text, records.iter().map(|record| record.language.as_str()), &mut answer.remarks);
    }
    let rows = Rows { reader, question, terms: &terms, types: &types, single };
    rows.fill(&mut answer, found)?;
    if answer.total_matches == 0 {
        explain(reader, question, text, single && terms.is_empty(), &mut answer)?;
    }
    Ok(answer)
}

fn phrase_lines(
    reader: &Reader,
    question: &Query,
    filter: &FileFilter,
    answer: &mut QueryAnswer,
) -> Result<Vec<FileHits>> {
    let found = phrase::find(reader, question, filter)?;
    found.stale.iter().for_each(|path| answer.remarks.stale(path));
    if found.wordless && found.missing.is_empty() {
        answer.remarks.note(Note::NoWord);
    } else if !found.missing.is_empty() {
        answer.remarks.note(Note::NotIndexedWords { words: found.missing });
    }
    Ok(found.files)
}

/// A keyword is found in comments and strings only: without a word about it, the rest would seem not to be there.
fn note_keyword<'a>(text: &str, languages: impl Iterator<Item = &'a str>, remarks: &mut Remarks) {
    let languages: BTreeSet<&str> = languages.collect();
    let speakers = vocabulary::keyword_in(text, &languages);
    if !speakers.is_empty() {
        remarks.note(Note::Keyword { word: text.to_owned(), languages: speakers });
    }
}

/// Says why nothing was found and what was perhaps meant.
fn explain(reader: &Reader, question: &Query, text: &str, unknown: bool, answer: &mut QueryAnswer) -> Result<()> {
    answer.remarks.cover(reader, &[])?;
    answer.remarks.filtered(reader, question.file_filter.as_deref())?;
    if answer.remarks.notes.is_empty() {
        let languages = answer.remarks.coverage.clone().map(|coverage| coverage.languages).unwrap_or_default();
        note_keyword(text, languages.iter().map(String::as_str), &mut answer.remarks);
    }
    if unknown && question.mode != Mode::Regex {
        answer.remarks.nearest = nearest::terms(reader, text)?;
    }
    let pattern = question.term.clone();
    let apart = |c: char| c.is_whitespace() || matches!(c, '.' | '(' | '/' | '-' | ':');
    match question.mode {
        Mode::Regex if text.contains(apart) => answer.remarks.note(Note::WordsOnly { pattern }),
        _ if !is_word(text) => answer.remarks.note(Note::SearchText { pattern }),
        _ => {}
    }
    Ok(())
}
