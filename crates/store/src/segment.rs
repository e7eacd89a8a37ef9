//! Postings of a first build: gathered per segment of files, sorted, and merged into key order at the end.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::Encoded;
use crate::posting::{LARGE, SHELF, key, shelf_key, write_entry, write_shelf};
use codegraph_model::TermId;

/// The postings of the files of one segment, while they come in.
#[derive(Default)]
pub(crate) struct Gathering {
    lines: Vec<u8>,
    words: Vec<Word>,
}

/// One term in one file.
#[derive(Clone, Copy)]
struct Word {
    term: u32,
    start: u32,
    length: u32,
    count: u32,
    file: u8,
}

/// The lists of one segment by term.
#[derive(Default)]
pub(crate) struct Sorted {
    terms: Vec<u32>,
    ends: Vec<u32>,
    data: Vec<u8>,
}

impl Gathering {
    /// Adds a file; files come in ascending order.
    pub(crate) fn add(&mut self, file: u8, encoded: &Encoded) {
        let mut start = self.lines.len() as u32;
        self.lines.extend_from_slice(&encoded.lines);
        let mut from = 0;
        for ((name, end), count) in encoded.names.iter().zip(&encoded.ends).zip(&encoded.counts) {
            let length = end - from;
            self.words.push(Word { term: name.0, start, length, count: *count, file });
            start += length;
            from = *end;
        }
    }

    /// The lists by term.
    pub(crate) fn sort(mut self) -> Sorted {
        // Each file's terms come sorted, and a stable sort merges such runs.
        self.words.sort_by_key(|word| word.term);
        let mut sorted = Sorted { data: Vec::with_capacity(self.lines.len() * 2), ..Default::default() };
        for run in self.words.chunk_by(|a, b| a.term == b.term) {
            let mut last = 0;
            for word in run {
                let lines = &self.lines[word.start as usize..(word.start + word.length) as usize];
                write_entry(&mut sorted.data, u32::from(word.file) - last, word.count, lines);
                last = u32::from(word.file);
            }
            sorted.terms.push(run[0].term);
            sorted.ends.push(sorted.data.len() as u32);
        }
        sorted.data.shrink_to_fit();
        sorted
    }
}

impl Sorted {
    fn list(&self, place: usize) -> &[u8] {
        let start = if place == 0 { 0 } else { self.ends[place - 1] as usize };
        &self.data[start..self.ends[place] as usize]
    }
}

/// A row of postings: its table is decided by whether it is shared.
pub(crate) struct PostingRow<'a> {
    pub(crate) shared: bool,
    pub(crate) key: i64,
    pub(crate) data: &'a [u8],
}

/// Visits the rows of all segments, those of each table in the order of their keys.
pub(crate) fn merge<E>(segments: &[Sorted], mut visit: impl FnMut(PostingRow<'_>) -> Result<(), E>) -> Result<(), E> {
    let heads = segments.iter().enumerate().filter_map(|(s, list)| Some(Reverse((*list.terms.first()? / SHELF, s, 0))));
    let mut heap: BinaryHeap<_> = heads.collect();
    let mut shelf = None;
    let mut large: Vec<(i64, &[u8])> = Vec::new();
    let mut lists = Vec::new();
    while let Some(Reverse((current, segment, mut place))) = heap.pop() {
        if shelf.replace(current) != Some(current) {
            visit_large(&mut large, &mut visit)?;
        }
        let list = &segments[segment];
        lists.clear();
        while let Some(term) = list.terms.get(place).filter(|term| **term / SHELF == current) {
            let data = list.list(place);
            match data.len() > LARGE {
                true => large.push((key(TermId(*term), segment as u32), data)),
                false => lists.push((term % SHELF, data)),
            }
            place += 1;
        }
        if !lists.is_empty() {
            let key = shelf_key(TermId(current * SHELF), segment as u32);
            visit(PostingRow { shared: true, key, data: &write_shelf(&lists) })?;
        }
        if let Some(next) = list.terms.get(place) {
            heap.push(Reverse((next / SHELF, segment, place)));
        }
    }
    visit_large(&mut large, &mut visit)
}

fn visit_large<E>(
    large: &mut Vec<(i64, &[u8])>,
    visit: &mut impl FnMut(PostingRow<'_>) -> Result<(), E>,
) -> Result<(), E> {
    large.sort_unstable_by_key(|(key, _)| *key);
    large.drain(..).try_for_each(|(key, data)| visit(PostingRow { shared: false, key, data }))
}
