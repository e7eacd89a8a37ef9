//! Postings of a first build: gathered per segment of files, sorted, and merged into key order at the end.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::outline::{MENTION, WORD};
use crate::posting::{write_entry, write_files};
use crate::{Encoded, TermId};

/// The postings of the files of one segment, while they come in.
#[derive(Default)]
pub(crate) struct Gathering {
    lines: Vec<u8>,
    words: Vec<Word>,
    /// term << 8 | file
    mentions: Vec<u64>,
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

/// The blobs of one segment by term.
#[derive(Default)]
pub(crate) struct Sorted {
    terms: Vec<u32>,
    ends: Vec<u32>,
    data: Vec<u8>,
}

impl Gathering {
    /// Adds a file; files come in ascending order.
    pub(crate) fn add(&mut self, file: u8, encoded: &Encoded) {
        for (place, (name, uses)) in encoded.names.iter().zip(&encoded.uses).enumerate() {
            if uses & WORD != 0 {
                let lines = encoded.lines_of(place);
                self.words.push(Word {
                    term: name.0,
                    start: self.lines.len() as u32,
                    length: lines.len() as u32,
                    count: encoded.counts[place],
                    file,
                });
                self.lines.extend_from_slice(lines);
            }
            if uses & MENTION != 0 {
                self.mentions.push(u64::from(name.0) << 8 | u64::from(file));
            }
        }
    }

    /// The blobs of postings and of mentions.
    pub(crate) fn sort(mut self) -> (Sorted, Sorted) {
        // Each file's terms come sorted, and a stable sort merges such runs.
        self.words.sort_by_key(|word| word.term);
        self.mentions.sort_unstable();
        let mut postings = Sorted::default();
        for run in self.words.chunk_by(|a, b| a.term == b.term) {
            let mut last = 0;
            for word in run {
                let lines = &self.lines[word.start as usize..(word.start + word.length) as usize];
                write_entry(
                    &mut postings.data,
                    u32::from(word.file) - last,
                    word.count,
                    lines,
                );
                last = u32::from(word.file);
            }
            postings.close(run[0].term);
        }
        let mut mentions = Sorted::default();
        for run in self.mentions.chunk_by(|a, b| a >> 8 == b >> 8) {
            write_files(&mut mentions.data, run.iter().map(|entry| *entry as u8));
            mentions.close((run[0] >> 8) as u32);
        }
        (postings, mentions)
    }
}

impl Sorted {
    fn close(&mut self, term: u32) {
        self.terms.push(term);
        self.ends.push(self.data.len() as u32);
    }

    fn blob(&self, place: usize) -> &[u8] {
        let start = if place == 0 {
            0
        } else {
            self.ends[place - 1] as usize
        };
        &self.data[start..self.ends[place] as usize]
    }
}

/// Visits the blobs of all segments in the order of their keys.
pub(crate) fn merge<E>(
    segments: &[Sorted],
    mut visit: impl FnMut(TermId, u32, &[u8]) -> Result<(), E>,
) -> Result<(), E> {
    let heads = segments
        .iter()
        .enumerate()
        .filter_map(|(s, list)| Some(Reverse((*list.terms.first()?, s, 0))));
    let mut heap: BinaryHeap<_> = heads.collect();
    while let Some(Reverse((term, segment, place))) = heap.pop() {
        let list = &segments[segment];
        visit(TermId(term), segment as u32, list.blob(place))?;
        if let Some(next) = list.terms.get(place + 1) {
            heap.push(Reverse((*next, segment, place + 1)));
        }
    }
    Ok(())
}
