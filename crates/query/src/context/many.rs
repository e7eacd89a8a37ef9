//! The same question to a store of many projects. The store finds files that have the words, and brings their symbols and
//! texts; how both are weighed, and what of them fits into an answer, is as for one project.

use std::ops::Range;

use codegraph_meaning::table;
use codegraph_model::LineType;
use rustc_hash::FxHashMap;

use super::evidence::{IN_PATH, LENGTH, saturated, worth};
use super::excerpt::{Body, Telling};
use super::fit::{Fitter, Found, Near, dedented};
use super::meaning::{LONGEST, MOST, MOST_OF_BODY, MOST_OF_DOC, NEARNESS};
use super::rank::{self, Counts, in_file, kind_factor, prior_of};
use super::task::Task;
use super::{ContextAnswer, ContextQuestion, ContextSymbol, MOST_SUMMARY, Neighbour, ReadRange, clipped};
use crate::relation::SymbolBrief;
use crate::{Note, Remarks};

/// How much a symbol counts that the task names, beside what its words give.
const SAID: f64 = 1.0;

/// A task with what its words are worth in a store.
pub struct ManyTask {
    task: Task,
    budget: usize,
    worth: Vec<f64>,
}

/// A file that has words of the task.
pub struct ManyFile {
    /// What the store calls it.
    pub number: usize,
    /// The project and where its files are told apart.
    pub project: String,
    pub path: String,
    pub language: String,
    pub lines: u32,
    pub size: u64,
    /// The task names it, or something in it.
    pub is_named: bool,
    /// Terms with the lines that they are on.
    pub terms: Vec<(String, Vec<(u32, LineType)>)>,
    pub symbols: Vec<ManySymbol>,
    /// The text, if the store has it.
    pub text: Option<Vec<u8>>,
    score: f64,
}

/// A symbol of such a file.
pub struct ManySymbol {
    pub brief: SymbolBrief,
    pub start_line: u32,
    pub bytes: Range<usize>,
    pub signature: Option<String>,
    pub docs: Option<String>,
    /// The name of what it is a member of.
    pub owner: Option<String>,
    /// The task names it.
    pub is_named: bool,
}

/// Where a symbol is in a list of files, how much it has to do with the task, and the words that led to it.
struct Ranked {
    at: (usize, usize),
    score: f64,
    words: Vec<u16>,
}

impl ManyFile {
    pub fn new(number: usize, project: String, path: String, language: String, (lines, size): (u32, u64)) -> ManyFile {
        let (terms, symbols) = (Vec::new(), Vec::new());
        ManyFile {
            number,
            project,
            path,
            language,
            lines,
            size,
            is_named: false,
            terms,
            symbols,
            text: None,
            score: 0.0,
        }
    }
}

impl ManyTask {
    /// Files that are looked into.
    pub const MOST_FILES: usize = rank::MOST_FILES;
    /// Neighbours that are named.
    pub const MOST_NEIGHBOURS: usize = super::near::MOST_NAMED;

    pub fn of(question: &ContextQuestion) -> crate::Result<ManyTask> {
        super::asks_something(question)?;
        let task = Task::of(&question.task);
        Ok(ManyTask { worth: vec![0.0; task.words.len()], task, budget: question.tokens })
    }

    /// The stems of its words.
    pub fn stems(&self) -> Vec<&str> {
        self.task.words.iter().map(|word| word.stem.as_str()).collect()
    }

    /// What looks like a name in code, without what it is qualified by.
    pub fn names(&self) -> Vec<&str> {
        let last = |name: &'_ str| name.rfind(['.', ':', '#']).map_or(0, |at| at + 1);
        let names = self.task.names.iter().map(|name| &name.text[last(&name.text)..]);
        names.filter(|name| name.len() > 2).collect()
    }

    /// The paths that it mentions, and the ends of them.
    pub fn paths(&self) -> Vec<&str> {
        let ends = |path: &'_ str| -> Vec<usize> {
            let starts = path.match_indices('/').map(|(at, _)| at + 1);
            std::iter::once(0).chain(starts).filter(|at| path[*at..].contains('/')).collect()
        };
        let places = self.task.places.iter();
        places.flat_map(|place| ends(&place.path).into_iter().map(|at| &place.path[at..])).collect()
    }

    /// Says how many of all files have each word; then what each is worth is known.
    pub fn learn(&mut self, have: &FxHashMap<String, u64>, total: u64) {
        for (place, word) in self.task.words.iter().enumerate() {
            let files = have.get(&word.stem).copied().unwrap_or(0).min(total);
            self.worth[place] = worth(&self.task, place, files as f64, total as f64);
        }
    }

    /// The stems that stand somewhere, the most telling first.
    pub fn telling(&self) -> Vec<&str> {
        let mut places: Vec<usize> = (0..self.worth.len()).filter(|place| self.worth[*place] > 0.0).collect();
        places.sort_by(|a, b| self.worth[*b].total_cmp(&self.worth[*a]).then(a.cmp(b)));
        places.into_iter().map(|place| self.task.words[place].stem.as_str()).collect()
    }

    /// Puts the files that are likeliest meant first, and leaves out all beyond `most`; how many these are.
    pub fn best_files(&self, files: &mut Vec<ManyFile>, most: usize) -> usize {
        let lines = files.iter().map(|file| f64::from(file.lines)).sum::<f64>() / files.len().max(1) as f64;
        for file in files.iter_mut() {
            let mut counts = vec![0.0; self.worth.len()];
            for (term, lines) in &file.terms {
                let times: f64 = lines.iter().map(|(_, kind)| times(*kind)).sum();
                self.task.each_word(term, |word| counts[word] += times);
            }
            self.task.each_word(&file.path, |word| counts[word] += IN_PATH);
            let long = f64::from(file.lines) / lines.max(1.0);
            file.score = counts.iter().zip(&self.worth).map(|(n, worth)| worth * saturated(*n, long, LENGTH)).sum();
        }
        let best = files.iter().map(|file| file.score).fold(0.0, f64::max).max(1e-9);
        for file in files.iter_mut() {
            let line = file.size / u64::from(file.lines.max(1));
            file.score = file.score / best + if file.is_named { SAID } else { 0.0 };
            file.score *= kind_factor(&file.path, &file.language, line, &self.task);
        }
        files.sort_by(|a, b| {
            b.score.total_cmp(&a.score).then_with(|| (&a.project, &a.path).cmp(&(&b.project, &b.path)))
        });
        let more = files.len().saturating_sub(most);
        files.truncate(most);
        more
    }

    fn ranked(&self, files: &[ManyFile]) -> Vec<Ranked> {
        let best = files.first().map_or(1.0, |file| file.score.max(1e-9));
        let total: f64 = self.worth.iter().sum::<f64>().max(1e-9);
        let mut all = Vec::new();
        for (place, file) in files.iter().enumerate() {
            let mut hits: Vec<(u32, usize, f64)> = Vec::new();
            for (term, lines) in &file.terms {
                let of_term = |word: usize| lines.iter().map(move |(line, kind)| (*line, word, times(*kind)));
                self.task.each_word(term, |word| hits.extend(of_term(word)));
            }
            hits.sort_unstable_by_key(|hit| (hit.0, hit.1));
            for (at, symbol) in file.symbols.iter().enumerate() {
                let prior = prior_of(symbol.brief.kind);
                let counts = self.counts(file, symbol, &hits);
                if prior > 0.0 && (!counts.0.is_empty() || symbol.is_named) {
                    let (sum, words) = counts.weighed(&self.worth, f64::from(length(symbol)));
                    let said = if symbol.is_named { SAID } else { 0.0 };
                    let score = (sum / total + said) * prior * in_file(file.score / best);
                    all.push(Ranked { at: (place, at), score, words });
                }
            }
        }
        sort(&mut all);
        self.weigh_by_meaning(files, &mut all);
        all
    }

    fn counts(&self, file: &ManyFile, symbol: &ManySymbol, hits: &[(u32, usize, f64)]) -> Counts {
        let mut counts = Counts::default();
        self.task.each_word(&symbol.brief.name, |word| counts.add(word, rank::IN_NAME));
        if let Some(owner) = &symbol.owner {
            self.task.each_word(owner, |word| counts.add(word, rank::IN_OWNER));
        }
        if let Some(docs) = &symbol.docs {
            self.task.each_word(docs, |word| counts.add(word, 1.0));
        }
        let from = hits.partition_point(|hit| hit.0 < symbol.start_line);
        let within = hits[from..].iter().take_while(|hit| hit.0 <= symbol.brief.end_line);
        within.for_each(|(_, word, times)| counts.add(*word, *times));
        if !counts.0.is_empty() {
            self.task.each_word(&file.path, |word| counts.add(word, rank::IN_PATH));
        }
        counts
    }

    fn weigh_by_meaning(&self, files: &[ManyFile], all: &mut [Ranked]) {
        let Some(table) = table() else { return };
        let asked = table.question(&clipped(&self.task.title, LONGEST));
        let most = all.len().min(MOST);
        for one in &mut all[..most] {
            let file = &files[one.at.0];
            let symbol = &file.symbols[one.at.1];
            let docs = symbol.docs.as_deref().map(|docs| clipped(docs, MOST_OF_DOC)).unwrap_or_default();
            let said = format!("{} {docs}", symbol.brief.name);
            let place = [file.path.as_str(), symbol.owner.as_deref().unwrap_or_default(), &symbol.brief.name];
            let body = text_of(file, symbol.bytes.start..symbol.bytes.end.min(symbol.bytes.start + MOST_OF_BODY));
            let near = asked.near(&table.code(&said, &place, body.as_deref().into_iter())).max(0.0);
            one.score *= 1.0 + NEARNESS * f64::from(near);
        }
        sort(&mut all[..most]);
    }

    /// The answer from the files that were looked into. `callers` says who calls a symbol, and how many more there are.
    pub fn answer<E>(
        &self,
        question: &ContextQuestion,
        files: &[ManyFile],
        more_files: usize,
        callers: impl Fn((usize, usize)) -> Result<(Vec<Neighbour>, usize), E>,
    ) -> Result<ContextAnswer, E> {
        let all = self.ranked(files);
        let unknown =
            self.task.words.iter().zip(&self.worth).filter(|(word, worth)| **worth == 0.0 && word.said >= 1.0);
        let mut answer = ContextAnswer {
            task: question.task.clone(),
            budget: self.budget,
            words: self.task.words.iter().take(super::MOST_SHOWN_WORDS).map(|word| word.word.clone()).collect(),
            unknown_words: unknown.map(|(word, _)| word.word.clone()).take(super::MOST_SHOWN_WORDS / 2).collect(),
            remarks: Remarks::default(),
            ..ContextAnswer::default()
        };
        answer.left_out.files = more_files;
        let found = Stored { files, all: &all, task: &self.task, callers };
        Fitter::new(found, Telling { task: &self.task, worth: &self.worth }).fill(&mut answer)?;
        if all.is_empty() {
            if self.task.words.is_empty() {
                answer.remarks.note(Note::VagueTask);
            }
        } else if answer.symbols.is_empty() {
            answer.remarks.note(Note::NothingFits { tokens: question.tokens });
        }
        Ok(answer)
    }
}

/// What was found, as answers show it.
struct Stored<'t, C> {
    files: &'t [ManyFile],
    all: &'t [Ranked],
    task: &'t Task,
    callers: C,
}

impl<C> Stored<'_, C> {
    fn at(&self, place: usize) -> (&ManyFile, &ManySymbol) {
        let file = &self.files[self.all[place].at.0];
        (file, &file.symbols[self.all[place].at.1])
    }
}

impl<E, C: Fn((usize, usize)) -> Result<(Vec<Neighbour>, usize), E>> Found for Stored<'_, C> {
    type Error = E;

    fn len(&self) -> usize {
        self.all.len()
    }

    fn symbol(&mut self, place: usize) -> Result<ContextSymbol, E> {
        let (one, own) = (&self.all[place], self.at(place).1);
        let docs = own.docs.as_deref().and_then(|docs| docs.lines().map(str::trim).find(|line| !line.is_empty()));
        Ok(ContextSymbol {
            line_number: own.start_line,
            signature: own.signature.clone(),
            summary: docs.map(|docs| clipped(docs, MOST_SUMMARY)).unwrap_or_default(),
            ..ContextSymbol::of(own.brief.clone(), one.score, self.task, &one.words)
        })
    }

    fn near(&mut self, place: usize) -> Result<Near, E> {
        Ok(Near { callers: (self.callers)(self.all[place].at)?, callees: Default::default() })
    }

    fn span(&mut self, place: usize) -> Result<(usize, Range<usize>), E> {
        Ok((self.all[place].at.0, self.at(place).1.bytes.clone()))
    }

    fn body(&mut self, place: usize) -> Result<Option<Body<'static>>, E> {
        let (file, own) = self.at(place);
        let name = own.brief.line_number.saturating_sub(own.start_line) as usize;
        let body = |text: String| Body { text: dedented(&text).into(), first_line: own.start_line, doc: 0..0, name };
        Ok(text_of(file, own.bytes.clone()).map(body))
    }

    fn range(&mut self, place: usize) -> Result<(Option<String>, String, ReadRange), E> {
        let SymbolBrief { project, file, line_number, end_line, name, .. } = self.at(place).1.brief.clone();
        Ok((project, file, ReadRange { start_line: line_number, end_line, name }))
    }
}

fn sort(all: &mut [Ranked]) {
    all.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.at.cmp(&b.at)));
}

fn length(symbol: &ManySymbol) -> u32 {
    symbol.brief.end_line.saturating_sub(symbol.start_line) + 1
}

/// How often a place counts, by the type of its line.
fn times(kind: LineType) -> f64 {
    match kind {
        LineType::Code | LineType::Comment => 1.0,
        LineType::String => 0.7,
        LineType::Struct | LineType::Method | LineType::Property => 2.0,
    }
}

/// A part of a file's text from the beginning of its line on.
fn text_of(file: &ManyFile, bytes: Range<usize>) -> Option<String> {
    let text = file.text.as_ref()?;
    let start = text.get(..bytes.start)?.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    Some(String::from_utf8_lossy(text.get(start..bytes.end.min(text.len()))?).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_says_what_to_look_for() {
        let question = ContextQuestion {
            task: "Crash in Canvas.draw\n  File \"/x/app/views.py\", line 12, in show".to_owned(),
            ..ContextQuestion::default()
        };
        let task = ManyTask::of(&question);
        let task = task.expect("there is a task");
        assert_eq!(task.names(), ["draw"]);
        assert!(task.paths().contains(&"app/views.py"), "{:?}", task.paths());
    }
}
