//! The words of a repository: which terms have each, for questions in words. The largest table has a row for each term and
//! file; this one has a row for each word, so that what is rare is known before anything is read.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

/// Terms that are kept for a word: those with the fewest other words.
const MOST_TERMS: usize = 200;
/// A longer term is no name.
const LONGEST: usize = 120;

/// Words while terms are counted.
pub(crate) struct Words<'t> {
    texts: &'t FxHashMap<i64, String>,
    files: FxHashMap<i64, usize>,
}

impl<'t> Words<'t> {
    pub(crate) fn new(texts: &'t FxHashMap<i64, String>) -> Words<'t> {
        Words { texts, files: FxHashMap::default() }
    }

    pub(crate) fn stands_in_a_file(&mut self, item: i64) {
        *self.files.entry(item).or_default() += 1;
    }

    /// Each word with how many of the files have it, at most, and the terms, in lower case, that it is in.
    pub(crate) fn all(&self, files: usize) -> Vec<(String, usize, Vec<String>)> {
        let mut words: BTreeMap<String, (usize, Vec<(u32, String)>)> = BTreeMap::new();
        for (item, count) in &self.files {
            let Some(text) = self.texts.get(item).filter(|text| text.len() <= LONGEST) else { continue };
            let mut stems: Vec<String> = Vec::new();
            let parts = codegraph_query::each_stem(text, |stem| stems.push(stem.to_owned()));
            stems.sort_unstable();
            stems.dedup();
            for stem in stems {
                let word = words.entry(stem).or_default();
                word.0 += count;
                word.1.push((parts, text.to_lowercase()));
            }
        }
        let one = |(stem, (count, mut terms)): (String, (usize, Vec<(u32, String)>))| {
            terms.sort_unstable();
            terms.dedup();
            terms.truncate(MOST_TERMS);
            (stem, count.min(files), terms.into_iter().map(|(_, term)| term).collect())
        };
        words.into_iter().map(one).collect()
    }
}
