//! Where a term stands: the lines of the whole project that have it.

use codegraph_model::{LineType, TermMask};
use codegraph_store::{FileId, FileRecord, Term};
use serde::Serialize;
use std::collections::BTreeSet;
use std::sync::Arc;

use crate::hits::{self, FileHits, Hit};
use crate::paths::FileFilter;
use crate::source::{Check, Lines, Source, shown_line};
use crate::symbol::match_id;
use crate::words::{Edges, find_in_line, is_word};
use crate::{Mode, Reader, Remarks, Result, Window, nearest, pattern, phrase, vocabulary};

/// A question for terms.
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// A word, or several: then a phrase on one line.
    pub term: String,
    pub mode: Mode,
    pub case_sensitive: bool,
    /// A glob, a folder or a file.
    pub file_filter: Option<String>,
    /// Words of [`LineType`]. `code` is every use in code, definitions included.
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
    pub file: String,
    pub line_number: u32,
    pub line_type: &'static str,
    /// The term as it is written there.
    pub term: String,
    /// The line; absent if the file has changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Where the term first stands on the line.
    #[serde(flatten)]
    pub place: Option<TermPlace>,
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

/// Answers where a term stands.
pub fn query(reader: &Reader, question: &Query) -> Result<QueryAnswer> {
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
        answer.remarks.note("a blank term matches nothing");
        return Ok(answer);
    }
    let single = question.mode == Mode::Regex || is_word(text);
    let (terms, found) = if single {
        let terms = pattern::terms(reader, text, question.mode, question.case_sensitive)?;
        let files = hits::collect(reader, &terms, &filter)?;
        (terms, files)
    } else {
        (Vec::new(), phrase_lines(reader, question, &filter, &mut answer)?)
    };
    if single && question.mode == Mode::Exact {
        note_keyword(text, found.iter().map(|file| file.path.language.as_str()), &mut answer.remarks);
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
        answer.remarks.note("the term has no word in it: only lines with indexed words can be found");
    } else if !found.missing.is_empty() {
        answer.remarks.note(format!("not indexed, compared with the text only: {}", found.missing.join(", ")));
    }
    Ok(found.files)
}

/// A keyword is found in comments and strings only: without a word about it, the rest would seem not to be there.
fn note_keyword<'a>(text: &str, languages: impl Iterator<Item = &'a str>, remarks: &mut Remarks) {
    let languages: BTreeSet<&str> = languages.collect();
    let speakers = vocabulary::keyword_in(text, &languages);
    if !speakers.is_empty() {
        let list = speakers.join(", ");
        remarks.note(format!("'{text}' is a keyword of {list}: uses as a keyword are not indexed"));
    }
}

/// Says why nothing was found and what was perhaps meant.
fn explain(reader: &Reader, question: &Query, text: &str, unknown: bool, answer: &mut QueryAnswer) -> Result<()> {
    let strings_asked = question.type_filter.iter().any(|t| t.eq_ignore_ascii_case(LineType::String.word()));
    let skipped: &[&str] = if strings_asked { &[] } else { &["string literals"] };
    answer.remarks.cover(reader, skipped)?;
    if answer.remarks.notes.is_empty() {
        let languages = answer.remarks.coverage.clone().map(|coverage| coverage.languages).unwrap_or_default();
        note_keyword(text, languages.iter().map(String::as_str), &mut answer.remarks);
    }
    if unknown && question.mode != Mode::Regex {
        answer.remarks.nearest = nearest::terms(reader, text)?;
    }
    Ok(())
}

/// Turns hits into rows.
struct Rows<'a> {
    reader: &'a Reader,
    question: &'a Query,
    terms: &'a [Term],
    types: &'a [LineType],
    /// Hits are of terms, not of a phrase.
    single: bool,
}

/// A hit that is part of the answer.
struct Row<'h> {
    file: &'h FileHits,
    hit: Hit,
}

impl Rows<'_> {
    fn fill(&self, answer: &mut QueryAnswer, files: Vec<FileHits>) -> Result<()> {
        let mut rows: Vec<Row<'_>> = Vec::new();
        let mut strings: Vec<Row<'_>> = Vec::new();
        for file in &files {
            let before = rows.len();
            let kinds = self.kinds(file)?;
            for hit in &file.hits {
                if self.wanted(hit, &kinds) {
                    rows.push(Row { file, hit: *hit });
                } else if only_in_strings(hit.mask) {
                    strings.push(Row { file, hit: *hit });
                }
            }
            answer.files_matched += usize::from(rows.len() > before);
        }
        answer.in_strings = strings.len();
        if rows.is_empty() && !self.single && self.types.is_empty() && !strings.is_empty() {
            // A phrase is most often a message, and those stand in strings.
            answer.remarks.note("found in strings only");
            answer.in_strings = 0;
            answer.files_matched = files.len();
            rows = strings;
        }
        self.rank(&mut rows);
        answer.total_matches = rows.len();
        answer.next_offset = self.question.window.next(rows.len());
        self.show(answer, self.question.window.of(&rows))
    }

    /// In mode `exact`, lines with the exact case come first; apart from that by path and line.
    fn rank(&self, rows: &mut [Row<'_>]) {
        if self.question.mode == Mode::Exact && !self.question.case_sensitive {
            let text = self.question.term.trim();
            let exact = |hit: &Hit| match self.terms.get(hit.term as usize) {
                Some(term) => term.text != text,
                None => hit.term != 0,
            };
            rows.sort_by_key(|row| exact(&row.hit));
        }
    }

    /// The line types of definitions, where the question tells them apart.
    fn kinds(&self, file: &FileHits) -> Result<Option<Definitions>> {
        use LineType::{Method, Property, Struct};
        let narrow = self.types.iter().any(|t| matches!(t, Struct | Method | Property));
        let defined = file.hits.iter().any(|hit| hit.mask.has(TermMask::DEF));
        (narrow && defined).then(|| Definitions::of(self.reader, file.file, self.terms)).transpose()
    }

    fn wanted(&self, hit: &Hit, kinds: &Option<Definitions>) -> bool {
        if self.types.is_empty() {
            return !only_in_strings(hit.mask);
        }
        self.types.iter().any(|wanted| match wanted {
            LineType::Code => hit.mask.has(TermMask::CODE) || hit.mask.has(TermMask::DEF),
            LineType::Comment => hit.mask.has(TermMask::COMMENT),
            LineType::String => hit.mask.has(TermMask::STRING),
            other => kinds.as_ref().is_some_and(|kinds| kinds.at(hit.line).any(|found| found == *other)),
        })
    }

    fn show(&self, answer: &mut QueryAnswer, rows: &[Row<'_>]) -> Result<()> {
        let mut current: Option<Shown> = None;
        for row in rows {
            if current.as_ref().is_none_or(|shown| shown.file != row.file.file) {
                current = Some(Shown::open(self.reader, row.file, self.terms, &mut answer.remarks)?);
            }
            let shown = current.as_ref().expect("opened above");
            let line_type = self.line_type(&row.hit, &shown.definitions);
            answer.matches.push(self.row(row, shown, line_type));
        }
        Ok(())
    }

    fn line_type(&self, hit: &Hit, definitions: &Option<Definitions>) -> LineType {
        let asked = |line_type| self.types.is_empty() || self.types.contains(&line_type);
        let defined = definitions.as_ref().and_then(|d| d.at(hit.line).next());
        match defined {
            Some(line_type) if asked(line_type) || asked(LineType::Code) => line_type,
            _ if hit.mask.has(TermMask::CODE) && asked(LineType::Code) => LineType::Code,
            _ if hit.mask.has(TermMask::COMMENT) && asked(LineType::Comment) => LineType::Comment,
            _ if hit.mask.has(TermMask::STRING) => LineType::String,
            _ if hit.mask.has(TermMask::COMMENT) => LineType::Comment,
            _ => LineType::Code,
        }
    }

    fn row(&self, row: &Row<'_>, shown: &Shown, line_type: LineType) -> Match {
        let record: &FileRecord = &row.file.path;
        let line = row.hit.line;
        let words: Vec<&str> = match self.terms.get(row.hit.term as usize) {
            Some(term) => vec![term.text.as_str()],
            None => self.question.term.split_whitespace().collect(),
        };
        let found =
            shown.source.as_ref().and_then(|source| Lines::new(&source.bytes).get(line)).map(|(start, text)| {
                let edges = if self.single { Edges::WORD } else { Edges { start: false, end: false } };
                (start, text, find_in_line(text, &words, true, edges))
            });
        let place = found.and_then(|(start, _, at)| {
            let (from, to) = at?;
            let (byte_start, byte_end) = ((start + from) as u32, (start + to) as u32);
            let span_id = codegraph_store::span_id(&record.path, byte_start, byte_end);
            Some(TermPlace { span_id, byte_start, byte_end, start_col: from as u32, end_col: to as u32 })
        });
        let written = found.and_then(|(_, text, at)| at.map(|(from, to)| String::from_utf8_lossy(&text[from..to])));
        Match {
            match_id: match_id(&words.join(" "), &record.path, line),
            file: record.path.clone(),
            line_number: line,
            line_type: line_type.word(),
            term: written.map_or_else(|| words.join(" "), |text| text.into_owned()),
            text: found.map(|(_, text, at)| shown_line(text, at.map_or(0, |(from, _)| from))),
            place,
        }
    }
}

fn only_in_strings(mask: TermMask) -> bool {
    mask.0 & !TermMask::STRING.0 == 0
}

/// The file of the rows that are being shown.
struct Shown {
    file: FileId,
    source: Option<Source>,
    definitions: Option<Definitions>,
}

impl Shown {
    fn open(reader: &Reader, file: &FileHits, terms: &[Term], remarks: &mut Remarks) -> Result<Shown> {
        let record: &Arc<FileRecord> = &file.path;
        let source = reader.source(record, Check::Stamp).ok();
        if source.is_none() {
            remarks.stale(&record.path);
        }
        let defined = file.hits.iter().any(|hit| hit.mask.has(TermMask::DEF));
        let definitions = defined.then(|| Definitions::of(reader, file.file, terms)).transpose()?;
        Ok(Shown { file: file.file, source, definitions })
    }
}

/// The lines of a file on which some of the terms are defined.
struct Definitions {
    lines: Vec<(u32, LineType)>,
}

impl Definitions {
    fn of(reader: &Reader, file: FileId, terms: &[Term]) -> Result<Definitions> {
        let stored = reader.store.outline(file)?;
        let mut names: Vec<_> = terms.iter().filter_map(|term| stored.str_id(term.id)).collect();
        names.sort_unstable();
        let defined = stored.facts.symbols.iter().filter(|s| names.binary_search(&s.name).is_ok());
        let mut lines: Vec<_> =
            defined.map(|s| (stored.facts.line_of(s.name_span.start), s.kind.line_type())).collect();
        lines.sort_unstable();
        Ok(Definitions { lines })
    }

    fn at(&self, line: u32) -> impl Iterator<Item = LineType> {
        let start = self.lines.partition_point(|(at, _)| *at < line);
        self.lines[start..].iter().take_while(move |(at, _)| *at == line).map(|(_, line_type)| *line_type)
    }
}
