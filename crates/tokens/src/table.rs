//! The vocabulary as it lies in the binary: classes of characters, then the bytes of every token in the order of their ranks.
//!
//! `cargo xtask tokens` writes it. Putting it up takes some milliseconds: nothing is copied, there is a place for each token
//! and a table of hashes.

use std::sync::OnceLock;

/// Ranges of characters with their classes, and tokens, each after its length.
const BYTES: &[u8] = include_bytes!("../o200k.bin");

/// Larger than all ranks.
pub(crate) const NONE: u32 = u32::MAX;

/// What the pattern of the vocabulary tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Upper,
    Lower,
    /// Letters without case.
    Letter,
    /// What goes with letters of either case, and is none.
    Mark,
    Number,
    Space,
    Other,
}

const CLASSES: [Class; 7] =
    [Class::Upper, Class::Lower, Class::Letter, Class::Mark, Class::Number, Class::Space, Class::Other];

/// The vocabulary, put up.
pub(crate) struct Table {
    /// First and last character, and the class. What is in none of them is `Other`.
    ranges: Vec<(u32, u32, Class)>,
    /// Where each token begins, by rank, and where the last one ends.
    starts: Vec<u32>,
    /// Ranks by hash; `NONE` is free.
    slots: Vec<u32>,
}

impl Table {
    pub(crate) fn get() -> &'static Table {
        static TABLE: OnceLock<Table> = OnceLock::new();
        TABLE.get_or_init(Table::put_up)
    }

    fn put_up() -> Table {
        let number = |at: usize| u32::from_le_bytes(BYTES[at..at + 4].try_into().expect("four bytes"));
        let (ranges, tokens) = (number(0) as usize, number(4) as usize);
        let range = |i: usize| {
            let at = 8 + i * 9;
            (number(at), number(at + 4), CLASSES[usize::from(BYTES[at + 8])])
        };
        let mut table = Table {
            ranges: (0..ranges).map(range).collect(),
            starts: Vec::with_capacity(tokens + 1),
            slots: vec![NONE; (tokens * 2).next_power_of_two()],
        };
        let mut at = 8 + ranges * 9;
        for rank in 0..tokens as u32 {
            table.starts.push(at as u32 + 1);
            at += 1 + usize::from(BYTES[at]);
            let mut slot = table.slot(table.token(rank, at));
            while table.slots[slot] != NONE {
                slot = (slot + 1) % table.slots.len();
            }
            table.slots[slot] = rank;
        }
        table.starts.push(at as u32 + 1);
        table
    }

    fn token(&self, rank: u32, end: usize) -> &'static [u8] {
        &BYTES[self.starts[rank as usize] as usize..end]
    }

    fn slot(&self, bytes: &[u8]) -> usize {
        hash(bytes) as usize & (self.slots.len() - 1)
    }

    /// The rank of a token; `NONE` if these bytes are none.
    pub(crate) fn rank(&self, bytes: &[u8]) -> u32 {
        let mut slot = self.slot(bytes);
        loop {
            let rank = self.slots[slot];
            if rank == NONE || self.token(rank, self.starts[rank as usize + 1] as usize - 1) == bytes {
                return rank;
            }
            slot = (slot + 1) % self.slots.len();
        }
    }

    pub(crate) fn class(&self, c: char) -> Class {
        match c {
            'a'..='z' => Class::Lower,
            'A'..='Z' => Class::Upper,
            '0'..='9' => Class::Number,
            '\t'..='\r' | ' ' => Class::Space,
            '\0'..='\x7f' => Class::Other,
            _ => {
                let found = self.ranges.partition_point(|(_, last, _)| *last < c as u32);
                self.ranges.get(found).filter(|(first, ..)| *first <= c as u32).map_or(Class::Other, |range| range.2)
            }
        }
    }
}

/// Multiplies and turns, eight bytes at a time: tokens are short.
fn hash(bytes: &[u8]) -> u64 {
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut sum = bytes.len() as u64;
    for part in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..part.len()].copy_from_slice(part);
        sum = (sum.rotate_left(5) ^ u64::from_le_bytes(word)).wrapping_mul(FACTOR);
    }
    sum ^ sum >> 29
}
