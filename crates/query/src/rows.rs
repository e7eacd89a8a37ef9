//! Rows of a term query: which of the matching lines are shown, in which order, and with which text.

use codegraph_model::{FileId, LineType, Origin, TermMask};
use codegraph_store::Term;

use crate::hits::{FileHits, Hit};
use crate::query::{Match, Query, QueryAnswer, TermPlace};
use crate::source::{LineCursor, Source, shown_line};
use crate::symbol::match_id;
use crate::words::{Edges, find_in_line};
use crate::{Mode, Note, Reader, Remarks, Result};

/// Turns hits into rows.
pub(crate) struct Rows<'a> {
    pub(crate) reader: &'a Reader,
    pub(crate) question: &'a Query,
    pub(crate) terms: &'a [Term],
    pub(crate) types: &'a [LineType],
    /// Hits are of terms, not of a phrase.
    pub(crate) single: bool,
}

/// A hit that is part of the answer.
struct Row<'h> {
    file: &'h FileHits,
    origin: Option<Origin>,
    hit: Hit,
}

impl Rows<'_> {
    pub(crate) fn fill(&self, answer: &mut QueryAnswer, files: Vec<FileHits>) -> Result<()> {
        let mut rows: Vec<Row<'_>> = Vec::new();
        let mut strings: Vec<Row<'_>> = Vec::new();
        for file in &files {
            let before = rows.len();
            let kinds = self.kinds(file)?;
            let origin = self.reader.origin(&file.path)?;
            for hit in &file.hits {
                if self.wanted(hit, &kinds) {
                    rows.push(Row { file, origin, hit: *hit });
                } else if only_in_strings(hit.mask) {
                    strings.push(Row { file, origin, hit: *hit });
                }
            }
            answer.files_matched += usize::from(rows.len() > before);
        }
        answer.in_strings = strings.len();
        if rows.is_empty() && self.types.is_empty() && !strings.is_empty() {
            // Better than nothing; and a phrase is most often a message, which stands in a string.
            answer.remarks.note(Note::InStringsOnly);
            answer.in_strings = 0;
            answer.files_matched = files.len();
            rows = strings;
        }
        self.rank(&mut rows);
        answer.total_matches = rows.len();
        answer.next_offset = self.question.window.next(rows.len());
        self.show(answer, self.question.window.of(&rows))
    }

    /// What others or programs wrote comes last. In mode `exact`, lines with the exact case come first; then code before
    /// prose; apart from that by path and line.
    fn rank(&self, rows: &mut [Row<'_>]) {
        let text = self.question.term.trim();
        let folds = self.question.mode == Mode::Exact && !self.question.case_sensitive;
        let exact = |hit: &Hit| match self.terms.get(hit.term as usize) {
            _ if !folds => 0,
            Some(term) => u32::from(term.text != text),
            None => hit.term,
        };
        rows.sort_by_cached_key(|row| (row.origin.is_some(), exact(&row.hit), !self.reader.is_code(&row.file.path)));
    }

    /// The line types of definitions, where the question tells them apart.
    fn kinds(&self, file: &FileHits) -> Result<Option<Definitions>> {
        use LineType::{Method, Property, Struct};
        let narrow = self.types.iter().any(|t| matches!(t, Struct | Method | Property | LineType::Code));
        let defined = file.hits.iter().any(|hit| hit.mask.has(TermMask::DEF));
        (narrow && defined).then(|| Definitions::of(self.reader, file.file, self.terms)).transpose()
    }

    fn wanted(&self, hit: &Hit, kinds: &Option<Definitions>) -> bool {
        if self.types.is_empty() {
            return !only_in_strings(hit.mask);
        }
        self.types.iter().any(|wanted| match wanted {
            // A line that defines something has the type of what it defines.
            LineType::Code => {
                let own = kinds.as_ref().and_then(|kinds| kinds.at(hit.line).next());
                (hit.mask.has(TermMask::CODE) || hit.mask.has(TermMask::DEF))
                    && own.is_none_or(|own| own == LineType::Code)
            }
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
            let shown = current.as_mut().expect("opened above");
            let line_type = self.line_type(&row.hit, &shown.definitions);
            answer.matches.push(self.row(row, shown, line_type));
        }
        Ok(())
    }

    fn line_type(&self, hit: &Hit, definitions: &Option<Definitions>) -> LineType {
        let asked = |line_type| self.types.is_empty() || self.types.contains(&line_type);
        let defined = definitions.as_ref().and_then(|d| d.at(hit.line).next());
        match defined {
            Some(line_type) if asked(line_type) => line_type,
            _ if hit.mask.has(TermMask::CODE) && asked(LineType::Code) => LineType::Code,
            _ if hit.mask.has(TermMask::COMMENT) && asked(LineType::Comment) => LineType::Comment,
            _ if hit.mask.has(TermMask::STRING) => LineType::String,
            _ if hit.mask.has(TermMask::COMMENT) => LineType::Comment,
            _ => LineType::Code,
        }
    }

    fn row(&self, row: &Row<'_>, shown: &mut Shown, line_type: LineType) -> Match {
        let path = &row.file.path;
        let line = row.hit.line;
        let words: Vec<&str> = match self.terms.get(row.hit.term as usize) {
            Some(term) => vec![term.text.as_str()],
            None => self.question.term.split_whitespace().collect(),
        };
        let text = shown.source.as_ref().and_then(|source| shown.cursor.line(&source.bytes, line));
        let edges = if self.single { Edges::WORD } else { Edges { start: false, end: false } };
        let found = text.map(|(start, text)| (start, text, find_in_line(text, &words, true, edges)));
        let place = found.and_then(|(start, _, at)| {
            let (from, to) = at?;
            let (byte_start, byte_end) = ((start + from) as u32, (start + to) as u32);
            let span_id = codegraph_store::span_id(path, byte_start, byte_end);
            Some(TermPlace { span_id, byte_start, byte_end, start_col: from as u32, end_col: to as u32 })
        });
        let written = found.and_then(|(_, text, at)| at.map(|(from, to)| String::from_utf8_lossy(&text[from..to])));
        Match {
            match_id: match_id(&words.join(" "), path, line),
            project: self.reader.label(),
            file: path.clone(),
            origin: row.origin,
            line_number: line,
            line_type,
            term: written.map_or_else(|| words.join(" "), |text| text.into_owned()),
            text: found.map(|(_, text, at)| shown_line(text, at.map_or(0, |(from, _)| from))),
            place,
            nearness: None,
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
    cursor: LineCursor,
    definitions: Option<Definitions>,
}

impl Shown {
    fn open(reader: &Reader, file: &FileHits, terms: &[Term], remarks: &mut Remarks) -> Result<Shown> {
        let record = reader.record(file.file)?;
        let source = reader.source(&record).ok();
        if source.is_none() {
            remarks.stale(&file.path);
        }
        let defined = file.hits.iter().any(|hit| hit.mask.has(TermMask::DEF));
        let definitions = defined.then(|| Definitions::of(reader, file.file, terms)).transpose()?;
        Ok(Shown { file: file.file, source, cursor: LineCursor::default(), definitions })
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
