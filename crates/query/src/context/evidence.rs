//! Where the words of a task stand: names that have them, comments and code that mention them, file by file.

use codegraph_model::TermMask;
use codegraph_store::{FileId, TermId};
use rustc_hash::FxHashMap;

use super::words::Asked;
use crate::paths::is_test;
use crate::{Reader, Result};

/// Terms whose places are read: those that say most.
const MOST_TERMS: usize = 400;
/// Files that are looked into.
const MOST_FILES: usize = 48;

/// A line that has words of the task.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    pub(super) line: u32,
    pub(super) mask: TermMask,
    pub(super) term: TermId,
    /// Which words.
    pub(super) bits: u32,
    /// How many words the term has in all.
    pub(super) parts: u32,
}

/// The hits of a file.
pub(super) struct FileEvidence {
    pub(super) file: FileId,
    pub(super) hits: Vec<Hit>,
    score: f64,
}

/// What the index says about the words of a task.
pub(super) struct Evidence {
    pub(super) files: Vec<FileEvidence>,
    /// How rare each word is.
    pub(super) rarity: Vec<f64>,
    /// Words that stand nowhere.
    pub(super) unknown: Vec<String>,
    /// Files that have some of the words but were not looked into.
    pub(super) other_files: usize,
}

struct Found {
    term: TermId,
    bits: u32,
    parts: u32,
}

/// Collects what the index says about the words, best files first.
pub(super) fn collect(reader: &Reader, asked: &Asked) -> Result<Evidence> {
    let mut evidence = Evidence { files: Vec::new(), rarity: Vec::new(), unknown: Vec::new(), other_files: 0 };
    if asked.words.is_empty() {
        return Ok(evidence);
    }
    let (mut terms, total) = terms(reader, asked)?;
    let mut counts = vec![0u32; asked.words.len()];
    for term in &terms {
        each_bit(term.bits, |place| counts[place] += 1);
    }
    evidence.rarity = counts.iter().map(|count| (1.0 + total as f64 / (1.0 + f64::from(*count))).ln()).collect();
    let unknown = asked.words.iter().zip(&counts).filter(|(_, count)| **count == 0);
    evidence.unknown = unknown.map(|((_, word), _)| word.clone()).collect();
    let worth = |term: &Found| weight(term.bits, &evidence.rarity) / f64::from(term.parts.max(1)).sqrt();
    terms.sort_by(|a, b| worth(b).total_cmp(&worth(a)).then(a.term.cmp(&b.term)));
    terms.truncate(MOST_TERMS);
    let mut by_file: FxHashMap<FileId, Vec<Hit>> = FxHashMap::default();
    for term in &terms {
        for posting in reader.store.postings(term.term)? {
            let hits = posting.lines.iter().map(|line| Hit {
                line: line.line,
                mask: line.mask,
                term: term.term,
                bits: term.bits,
                parts: term.parts,
            });
            by_file.entry(posting.file).or_default().extend(hits);
        }
    }
    rank_files(reader, asked, by_file, &mut evidence)?;
    Ok(evidence)
}

/// The terms of the dictionary that have words of the task, and how many terms there are.
fn terms(reader: &Reader, asked: &Asked) -> Result<(Vec<Found>, usize)> {
    let vocabulary = reader.vocabulary()?;
    // Beyond ASCII capitals count: what can be looked for is the part before.
    let stems: Vec<&str> = asked.words.iter().map(|(stem, _)| ascii_head(stem)).collect();
    let mut found = Vec::new();
    for term in vocabulary.containing(&stems) {
        let (bits, parts) = asked.bits(vocabulary.text(term)?);
        if bits != 0 {
            found.push(Found { term, bits, parts });
        }
    }
    Ok((found, vocabulary.len()))
}

/// What a word has before its first letter beyond ASCII; all of it if that is nothing.
fn ascii_head(word: &str) -> &str {
    let end = word.find(|c: char| !c.is_ascii()).unwrap_or(word.len());
    if end == 0 { word } else { &word[..end] }
}

/// Keeps the files that say most about the words.
fn rank_files(
    reader: &Reader,
    asked: &Asked,
    by_file: FxHashMap<FileId, Vec<Hit>>,
    evidence: &mut Evidence,
) -> Result<()> {
    let rarity = &evidence.rarity;
    let mut files: Vec<FileEvidence> =
        by_file.into_iter().map(|(file, hits)| FileEvidence { file, score: file_score(&hits, rarity), hits }).collect();
    files.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.file.cmp(&b.file)));
    evidence.other_files = files.len().saturating_sub(MOST_FILES);
    // Only files that may still come to the front have to be told apart.
    files.truncate(MOST_FILES * 4);
    for one in &mut files {
        let path = &reader.record(one.file)?.path;
        one.score += 0.4 * weight(asked.bits(path).0, rarity);
        if is_test(path) && !asked.tests {
            one.score *= 0.4;
        }
    }
    files.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.file.cmp(&b.file)));
    files.truncate(MOST_FILES);
    evidence.files = files;
    Ok(())
}

/// What a file says about each word: in a name most, then in a comment, then in code.
fn file_score(hits: &[Hit], rarity: &[f64]) -> f64 {
    let mut best = vec![0.0f64; rarity.len()];
    let mut name = 0.0f64;
    for hit in hits {
        let says = match () {
            () if hit.mask.has(TermMask::DEF) => 1.0,
            () if hit.mask.has(TermMask::COMMENT) => 0.4,
            () => 0.3,
        };
        if says == 1.0 {
            name = name.max(weight(hit.bits, rarity) / f64::from(hit.parts.max(1)).sqrt());
        }
        each_bit(hit.bits, |place| best[place] = best[place].max(says));
    }
    name + best.iter().zip(rarity).map(|(says, rare)| says * rare).sum::<f64>()
}

/// The sum of the rarities of some words.
pub(super) fn weight(bits: u32, rarity: &[f64]) -> f64 {
    rarity.iter().enumerate().filter(|(place, _)| bits & (1 << place) != 0).map(|(_, rare)| rare).sum()
}

pub(super) fn each_bit(bits: u32, mut take: impl FnMut(usize)) {
    (0..32).filter(|place| bits & (1 << place) != 0).for_each(|place| take(place as usize));
}
