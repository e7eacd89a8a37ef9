//! Where the words of a task stand: how often each file has each of them, weighed as search engines weigh words.

use codegraph_model::{FileId, TermId, TermMask};
use codegraph_store::FileRecord;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::task::Task;
use crate::{Reader, Result};

/// Terms whose places are read: those that say most.
const MOST_TERMS: usize = 2000;
/// How soon more of the same word adds nothing, and how much the length of a text counts.
const SATURATION: f64 = 1.5;
pub(super) const LENGTH: f64 = 0.75;
/// How often a word in the path counts.
pub(super) const IN_PATH: f64 = 2.0;

/// A line that has words of the task.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    pub(super) line: u32,
    pub(super) mask: TermMask,
    /// Which of the terms that were looked up.
    pub(super) term: u32,
}

/// A text of the dictionary that has words of the task.
#[derive(Debug)]
pub(super) struct Term {
    pub(super) id: TermId,
    /// Which words, each once.
    pub(super) words: Vec<u16>,
    /// How many words it has in all.
    parts: u32,
}

/// The hits of a file.
pub(super) struct FileEvidence {
    pub(super) record: FileRecord,
    /// By line.
    pub(super) hits: Vec<Hit>,
    pub(super) score: f64,
}

/// What the index says about the words of a task.
pub(super) struct Evidence {
    /// All files that have some of the words.
    pub(super) files: Vec<FileEvidence>,
    pub(super) terms: Vec<Term>,
    /// What each word is worth: how telling it is, and how much the task says it.
    pub(super) worth: Vec<f64>,
    /// How many files there are.
    pub(super) total_files: usize,
}

/// Collects what the index says about the words.
pub(super) fn collect(reader: &Reader, task: &Task) -> Result<Evidence> {
    let records = reader.store.files()?;
    let mut evidence =
        Evidence { files: Vec::new(), terms: terms(reader, task)?, worth: Vec::new(), total_files: records.len() };
    let mut by_file: FxHashMap<FileId, Vec<Hit>> = FxHashMap::default();
    for (number, term) in evidence.terms.iter().enumerate() {
        for posting in reader.store.postings(term.id)? {
            let hits = posting.lines.iter().map(|line| Hit { line: line.line, mask: line.mask, term: number as u32 });
            by_file.entry(posting.file).or_default().extend(hits);
        }
    }
    let length = records.iter().map(|record| f64::from(record.occurrences)).sum::<f64>() / records.len().max(1) as f64;
    for record in records {
        if let Some(mut hits) = by_file.remove(&record.id) {
            hits.sort_unstable_by_key(|hit| (hit.line, hit.term));
            evidence.files.push(FileEvidence { record, hits, score: 0.0 });
        }
    }
    weigh(task, &mut evidence, length);
    Ok(evidence)
}

/// The texts of the dictionary that have words of the task, the most telling ones, by number.
fn terms(reader: &Reader, task: &Task) -> Result<Vec<Term>> {
    let vocabulary = reader.vocabulary()?;
    let starts = Starts::of(task);
    let one = |id: TermId| {
        let text = vocabulary.text(id).ok()?;
        if !starts.may_have(text) {
            return None;
        }
        let mut words = Vec::new();
        let parts = task.each_word(text, |word| words.push(word as u16));
        words.sort_unstable();
        words.dedup();
        (!words.is_empty()).then_some(Term { id, words, parts })
    };
    let mut found: Vec<Term> = vocabulary.ids().into_par_iter().filter_map(one).collect();
    let mut counts = vec![0u32; task.words.len()];
    for term in &found {
        term.words.iter().for_each(|word| counts[usize::from(*word)] += 1);
    }
    let rare = |word: &u16| said(task, usize::from(*word)) / (1.0 + f64::from(counts[usize::from(*word)])).ln_1p();
    let worth = |term: &Term| term.words.iter().map(rare).sum::<f64>() / f64::from(term.parts.max(1)).sqrt();
    found.sort_by(|a, b| worth(b).total_cmp(&worth(a)).then(a.id.cmp(&b.id)));
    found.truncate(MOST_TERMS);
    found.sort_unstable_by_key(|term| term.id);
    Ok(found)
}

/// What words begin with: most texts of a dictionary have no word that begins like one of the task.
struct Starts(Vec<bool>);

impl Starts {
    fn of(task: &Task) -> Starts {
        let mut known = vec![false; 1 << 16];
        for word in &task.words {
            if let [a, b, ..] = word.stem.as_bytes() {
                known[usize::from(*a) << 8 | usize::from(*b)] = true;
            }
        }
        Starts(known)
    }

    fn may_have(&self, text: &str) -> bool {
        let pairs = text.as_bytes().windows(2);
        !text.is_ascii()
            || pairs.into_iter().any(|pair| {
                self.0[usize::from(pair[0].to_ascii_lowercase()) << 8 | usize::from(pair[1].to_ascii_lowercase())]
            })
    }
}

/// How much the task says a word.
pub(super) fn said(task: &Task, word: usize) -> f64 {
    let said = task.words[word].said;
    if said >= 1.0 { 1.0 + said.ln() } else { said }
}

/// How often a hit counts.
pub(super) fn times(mask: TermMask) -> f64 {
    match () {
        () if mask.has(TermMask::DEF) => 2.0,
        () if mask.has(TermMask(TermMask::CODE.0 | TermMask::COMMENT.0)) => 1.0,
        () => 0.7,
    }
}

/// Weighs files by the words that they have.
fn weigh(task: &Task, evidence: &mut Evidence, length: f64) {
    let count = task.words.len();
    let mut have = vec![0u32; count];
    let counts: Vec<Vec<f64>> = evidence
        .files
        .par_iter()
        .map(|file| {
            let mut counts = vec![0.0; count];
            for hit in &file.hits {
                for word in &evidence.terms[hit.term as usize].words {
                    counts[usize::from(*word)] += times(hit.mask);
                }
            }
            task.each_word(&file.record.path, |word| counts[word] += IN_PATH);
            counts
        })
        .collect();
    for counts in &counts {
        counts.iter().zip(&mut have).for_each(|(times, have)| *have += u32::from(*times > 0.0));
    }
    let total = evidence.total_files as f64;
    evidence.worth = (0..count).map(|word| worth(task, word, f64::from(have[word]), total)).collect();
    for (file, counts) in evidence.files.iter_mut().zip(&counts) {
        let long = f64::from(file.record.occurrences) / length.max(1.0);
        let worth = counts.iter().zip(&evidence.worth);
        file.score = worth.map(|(times, worth)| worth * saturated(*times, long, LENGTH)).sum();
    }
}

/// What a word is worth that so many of all files have.
pub(super) fn worth(task: &Task, word: usize, have: f64, total: f64) -> f64 {
    if have == 0.0 { 0.0 } else { said(task, word) * (1.0 + (total - have + 0.5) / (have + 0.5)).ln() }
}

/// What more of the same word adds, the less the longer the text is.
pub(super) fn saturated(times: f64, long: f64, length: f64) -> f64 {
    if times == 0.0 { 0.0 } else { times * (SATURATION + 1.0) / (times + SATURATION * (1.0 - length + length * long)) }
}
