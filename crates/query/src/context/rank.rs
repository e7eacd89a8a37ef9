//! Which symbols a task is about: by the words in their names, surroundings, documentation and bodies, by the names and
//! places that the task mentions, and by what their files have.

use codegraph_model::{FileId, Symbol, SymbolId, SymbolKind};
use codegraph_store::{FileRecord, SymbolRow};
use rustc_hash::FxHashMap;

use super::evidence::{Evidence, FileEvidence, saturated, times};
use super::literal;
use super::meaning;
use super::named::Named;
use super::task::Task;
use crate::paths::{MOST_BYTES_OF_A_LINE, is_aside, is_test};
use crate::reader::FileView;
use crate::{Reader, Result};

/// Files that are looked into.
pub(super) const MOST_FILES: usize = 80;
/// How often a word counts in the name, in the owner's name, in the path.
pub(super) const IN_NAME: f64 = 3.0;
pub(super) const IN_OWNER: f64 = 1.0;
pub(super) const IN_PATH: f64 = 1.0;
/// The lines of a usual symbol, and how much having more counts.
const USUAL_LINES: f64 = 25.0;
const LENGTH: f64 = 0.4;
/// What a symbol keeps in a file that has nothing else.
const ALONE: f64 = 0.2;
/// What is beside the product, and what is written for people.
const ASIDE: f64 = 0.4;
const PROSE: f64 = 0.2;
/// What nobody wrote by hand: a line of a minified file has all words, and no lines tell them apart.
const PACKED: f64 = 0.1;

/// A symbol with how much it has to do with the task.
#[derive(Clone, Debug)]
pub(super) struct Ranked {
    pub(super) row: SymbolRow,
    pub(super) score: f64,
    /// The words that led to it, the most telling first.
    pub(super) words: Vec<u16>,
}

/// Where the asker is at work.
pub(super) struct Focus {
    pub(super) paths: Vec<String>,
}

/// What the task is about, best first: symbols of the files that have most, and those files.
pub(super) struct Ranking {
    pub(super) symbols: Vec<Ranked>,
    pub(super) files: Vec<FileId>,
}

pub(super) fn rank(
    reader: &Reader,
    task: &Task,
    evidence: &mut Evidence,
    named: &Named,
    focus: &Focus,
) -> Result<Ranking> {
    let mut ranking = by_words(reader, task, evidence, named, focus)?;
    let most = meaning::best(&ranking.symbols);
    literal::weigh(reader, &task.literals, &mut ranking.symbols[..most])?;
    meaning::weigh(reader, task, &mut ranking.symbols[..most])?;
    Ok(ranking)
}

/// By words, names and places alone.
pub(super) fn by_words(
    reader: &Reader,
    task: &Task,
    evidence: &mut Evidence,
    named: &Named,
    focus: &Focus,
) -> Result<Ranking> {
    let best = evidence.files.iter().map(|file| file.score).fold(0.0, f64::max).max(1e-9);
    for file in &mut evidence.files {
        file.score /= best;
        file.score += named.file(file.record.id);
        file.score *= file_factor(reader, &file.record, task, focus)?;
    }
    evidence.files.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.record.id.cmp(&b.record.id)));
    let best = evidence.files.first().map_or(1.0, |file| file.score.max(1e-9));
    let mut symbols = Vec::new();
    let mut files = Vec::new();
    for file in evidence.files.iter().take(MOST_FILES) {
        let view = reader.view_of(file.record.id)?;
        files.push(file.record.id);
        rank_file(task, evidence, file, &view, named, file.score / best, &mut symbols);
        view.check()?;
    }
    sort(&mut symbols);
    Ok(Ranking { symbols, files })
}

/// Best first; equal ones by file and position.
pub(super) fn sort(all: &mut [Ranked]) {
    all.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.row.cmp(&b.row)));
}

fn rank_file(
    task: &Task,
    evidence: &Evidence,
    file: &FileEvidence,
    view: &FileView<'_>,
    named: &Named,
    of_file: f64,
    all: &mut Vec<Ranked>,
) {
    let mut path = Vec::new();
    task.each_word(&view.record.path, |word| path.push(word));
    let total: f64 = evidence.worth.iter().sum::<f64>().max(1e-9);
    let mut names: FxHashMap<SymbolId, Vec<usize>> = FxHashMap::default();
    let mut words_of = |id: SymbolId| {
        names
            .entry(id)
            .or_insert_with(|| {
                let mut words = Vec::new();
                if view.symbol(id).name.is_some() {
                    task.each_word(view.name(id), |word| words.push(word));
                }
                words
            })
            .clone()
    };
    for (id, symbol) in view.symbols().skip(1) {
        let prior = prior(symbol);
        if prior == 0.0 {
            continue;
        }
        let mut counts = Counts::default();
        words_of(id).into_iter().for_each(|word| counts.add(word, IN_NAME));
        let parent = symbol.parent.get().filter(|parent| parent.0 != 0);
        if let Some(parent) = parent {
            words_of(parent).into_iter().for_each(|word| counts.add(word, IN_OWNER));
        }
        let lines = counts.body(view, evidence, file, symbol);
        if counts.0.is_empty() {
            continue;
        }
        path.iter().for_each(|word| counts.add(*word, IN_PATH));
        let (sum, words) = counts.weighed(&evidence.worth, lines);
        let row = SymbolRow::new(view.record.id, id);
        let score = sum / total + named.symbol(row);
        all.push(Ranked { row, score: score * prior * in_file(of_file), words });
    }
}

/// How likely a file of this kind is meant, whatever its words are.
fn file_factor(reader: &Reader, record: &FileRecord, task: &Task, focus: &Focus) -> Result<f64> {
    let path = &record.path;
    let folder = |path: &str| path.rsplit_once('/').map_or(String::new(), |(folder, _)| folder.to_owned());
    let near = match () {
        () if focus.paths.iter().any(|own| own == path) => 1.5,
        () if focus.paths.iter().any(|own| folder(own) == folder(path)) => 1.15,
        () => 1.0,
    };
    let kind = match reader.origin(path)? {
        Some(_) => PACKED,
        None => kind_factor(path, &record.language, record.size / u64::from(record.lines.max(1)), task),
    };
    Ok(near * kind)
}

/// The same, by what a file is: `line` is how many bytes its lines have.
pub(super) fn kind_factor(path: &str, language: &str, line: u64, task: &Task) -> f64 {
    let prose = codegraph_languages::by_name(language).is_some_and(|language| language.prose);
    match () {
        () if prose => PROSE,
        () if line > MOST_BYTES_OF_A_LINE => PACKED,
        () if is_test(path) => task.test_factor(),
        () if is_aside(path) => ASIDE,
        () => 1.0,
    }
}

/// What the best file does for a symbol in it, and what another one leaves of it.
pub(super) fn in_file(of_file: f64) -> f64 {
    (ALONE + of_file).powi(2)
}

/// How often a kind of symbol is what people look for.
pub(super) fn prior(symbol: &Symbol) -> f64 {
    prior_of(symbol.kind)
}

pub(super) fn prior_of(kind: SymbolKind) -> f64 {
    match kind {
        SymbolKind::Impl => 0.0,
        SymbolKind::Heading => 0.3,
        kind if kind.is_type() => 0.7,
        kind if kind.is_callable() => 1.0,
        kind if kind.is_module() => 0.3,
        SymbolKind::TypeAlias | SymbolKind::Macro => 0.8,
        _ => 0.3,
    }
}

/// How often a symbol has each word.
#[derive(Default)]
pub(super) struct Counts(pub(super) Vec<(usize, f64)>);

impl Counts {
    /// What the words are worth together in a text of so many lines; the words, the most telling first.
    pub(super) fn weighed(&self, worth: &[f64], lines: f64) -> (f64, Vec<u16>) {
        let one = |(word, times): &(usize, f64)| {
            (worth[*word] * saturated(*times, lines / USUAL_LINES, LENGTH), *word as u16)
        };
        let mut parts: Vec<(f64, u16)> = self.0.iter().map(one).collect();
        parts.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let sum = parts.iter().map(|part| part.0).sum();
        (sum, parts.iter().filter(|part| part.0 > 0.0).map(|part| part.1).collect())
    }

    pub(super) fn add(&mut self, word: usize, times: f64) {
        match self.0.iter_mut().find(|(known, _)| *known == word) {
            Some((_, known)) => *known += times,
            None => self.0.push((word, times)),
        }
    }

    /// Adds the words of the documentation and the body; how many lines these are.
    fn body(&mut self, view: &FileView<'_>, evidence: &Evidence, file: &FileEvidence, symbol: &Symbol) -> f64 {
        let facts = view.facts();
        let start = if symbol.doc.is_empty() { symbol.span.start } else { symbol.doc.start.min(symbol.span.start) };
        let end = symbol.span.end.max(symbol.doc.end);
        let (first, last) = (facts.line_of(start), facts.line_of(end.saturating_sub(1).max(start)));
        let from = file.hits.partition_point(|hit| hit.line < first);
        for hit in file.hits[from..].iter().take_while(|hit| hit.line <= last) {
            for word in &evidence.terms[hit.term as usize].words {
                self.add(usize::from(*word), times(hit.mask));
            }
        }
        f64::from(last - first + 1)
    }
}
