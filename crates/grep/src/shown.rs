//! The hits that are shown: their texts, read again, and what the index says about their places.

use std::collections::BTreeMap;
use std::io;

use codegraph_query::{Marked, Reader, Remarks, Result, Spot, Window, line_around};
use grep_matcher::Matcher;
use grep_regex::RegexMatcher;
use grep_searcher::{Searcher, Sink, SinkContext, SinkMatch};
use rustc_hash::FxHashMap;

use crate::search::FileHits;
use crate::{FileCount, FoundLines, Grep, GrepAnswer, Hit, HitSymbol, matching};

impl FoundLines {
    /// A part of what was found. Files that the index knows in another state are named as stale.
    pub fn show(&self, reader: &Reader, window: Window) -> Result<GrepAnswer> {
        let total = if self.question.counts { self.files.len() } else { self.order.len() };
        let mut answer = GrepAnswer {
            patterns: self.question.patterns.clone(),
            hits: Vec::new(),
            counts: self.question.counts.then(|| window.part(&self.files).iter().map(count).collect()),
            files_only: self.question.files_only,
            total: self.total(),
            definitions: self.definitions,
            files_matched: self.files.len(),
            files_searched: self.searched,
            binary: self.files.iter().filter(|file| file.binary).map(name).collect(),
            next_offset: window.go_on(total),
            remarks: Remarks::default(),
        };
        let rows = window.part(&self.order);
        let mut wanted: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        rows.iter().for_each(|(file, line)| wanted.entry(*file).or_default().push(*line));
        let mut texts: FxHashMap<(u32, u32), Hit> = FxHashMap::default();
        for (number, lines) in wanted {
            let file = &self.files[number as usize];
            let mut hits = self.texts(file, lines);
            mark(reader, file, &mut hits, &mut answer.remarks)?;
            texts.extend(hits.into_iter().map(|hit| ((number, hit.line_number), hit)));
        }
        // What has changed between the two readings is no hit any more.
        answer.hits = rows.iter().filter_map(|row| texts.remove(row)).collect();
        Ok(answer)
    }

    fn texts(&self, file: &FileHits, mut lines: Vec<u32>) -> Vec<Hit> {
        lines.sort_unstable();
        let mut around = Around {
            matcher: &self.matcher,
            question: &self.question,
            name: name(file),
            lines,
            hits: Vec::new(),
            past: Vec::new(),
        };
        if let Ok(opened) = self.below.open(&file.path) {
            // One that cannot be read any more has no hits.
            let _ = matching::Engine::new(&self.question).search(&self.matcher, &opened, file.named, &mut around);
        }
        around.hits
    }
}

fn name(file: &FileHits) -> String {
    let path = file.path.to_string_lossy();
    match std::path::MAIN_SEPARATOR {
        '/' => path.into_owned(),
        other => path.replace(other, "/"),
    }
}

fn count(file: &FileHits) -> FileCount {
    FileCount { file: name(file), count: file.lines.len() }
}

/// Adds what the index knows about the places of hits.
fn mark(reader: &Reader, file: &FileHits, hits: &mut [Hit], remarks: &mut Remarks) -> Result<()> {
    let Some(path) = file.path.to_str() else { return Ok(()) };
    let origin = reader.origin(path)?;
    hits.iter_mut().for_each(|hit| hit.origin = origin);
    let spots: Vec<Spot> =
        hits.iter().map(|hit| Spot { line: hit.line_number, start: hit.start_col, end: hit.end_col }).collect();
    match reader.marks(path, &spots)? {
        Marked::Known(marks) => {
            for (hit, mark) in hits.iter_mut().zip(marks) {
                hit.line_type = Some(mark.line_type);
                hit.defines = mark.defines;
                hit.symbol = mark.symbol.map(|symbol| HitSymbol {
                    fqn: symbol.fqn,
                    name: symbol.name,
                    kind: symbol.kind,
                    line_number: symbol.line_number,
                });
            }
        }
        Marked::Changed => remarks.name_stale(path),
        Marked::NotIndexed => {}
    }
    Ok(())
}

/// Collects the wanted lines of a file with those around them.
struct Around<'f> {
    matcher: &'f RegexMatcher,
    question: &'f Grep,
    name: String,
    /// Ascending.
    lines: Vec<u32>,
    hits: Vec<Hit>,
    /// The last lines, as many as are shown before a hit.
    past: Vec<(u32, String)>,
}

impl Around<'_> {
    fn before(&self, line: u32) -> Vec<String> {
        let first = line.saturating_sub(self.question.before as u32);
        self.past.iter().filter(|(at, _)| (first..line).contains(at)).map(|(_, text)| text.clone()).collect()
    }

    /// A line that was passed: it stands after the hits above it, and before those below.
    fn pass(&mut self, line: u32, text: &[u8]) {
        if self.question.before + self.question.after == 0 {
            return;
        }
        let text = line_around(trimmed(text), 0);
        for hit in self.hits.iter_mut().rev().take_while(|hit| hit.line_number + self.question.after as u32 >= line) {
            if hit.line_number < line {
                hit.after.push(text.clone());
            }
        }
        self.past.push((line, text));
        if self.past.len() > self.question.before {
            self.past.remove(0);
        }
    }
}

fn trimmed(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

impl Sink for Around<'_> {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> io::Result<bool> {
        let line = u32::try_from(found.line_number().unwrap_or(0)).unwrap_or(u32::MAX);
        let bytes = trimmed(found.bytes());
        if self.lines.binary_search(&line).is_ok() {
            let (start, end) =
                self.matcher.find(found.bytes()).ok().flatten().map_or((0, 0), |at| (at.start(), at.end()));
            let before = self.before(line);
            self.pass(line, found.bytes());
            self.hits.push(Hit {
                file: self.name.clone(),
                origin: None,
                line_number: line,
                text: line_around(bytes, start),
                start_col: start as u32,
                end_col: end.min(bytes.len()) as u32,
                line_type: None,
                symbol: None,
                defines: false,
                before,
                after: Vec::new(),
            });
        } else {
            self.pass(line, found.bytes());
        }
        // Nothing wanted comes later.
        let last = self.lines.last().copied().unwrap_or(0);
        Ok(line < last.saturating_add(self.question.after as u32) || self.question.after > 0)
    }

    fn context(&mut self, _: &Searcher, around: &SinkContext<'_>) -> io::Result<bool> {
        let line = u32::try_from(around.line_number().unwrap_or(0)).unwrap_or(u32::MAX);
        self.pass(line, around.bytes());
        Ok(true)
    }
}
