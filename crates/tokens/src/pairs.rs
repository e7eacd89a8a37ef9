//! How many tokens a piece of text is: neighbours that are a token together are joined, those of the lowest rank first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::table::{NONE, Table};

/// The tokens of a piece.
pub(crate) fn count(table: &Table, piece: &[u8]) -> usize {
    match piece.len() {
        0 => 0,
        1 => 1,
        _ if table.rank(piece) != NONE => 1,
        length => Joined::of(table, piece, length).run(),
    }
}

/// The parts of a piece, as a list of where each begins.
struct Joined<'t> {
    table: &'t Table,
    piece: &'t [u8],
    /// By the first byte of a part: where the next and the one before begin, and the rank of it with the next.
    next: Vec<u32>,
    before: Vec<u32>,
    ranks: Vec<u32>,
    parts: usize,
}

impl Joined<'_> {
    fn of<'t>(table: &'t Table, piece: &'t [u8], length: usize) -> Joined<'t> {
        let next = (1..=length as u32 + 1).collect();
        let before = (0..=length as u32).map(|at| at.wrapping_sub(1)).collect();
        Joined { table, piece, next, before, ranks: vec![NONE; length + 1], parts: length }
    }

    fn run(mut self) -> usize {
        let mut heap = BinaryHeap::new();
        (0..self.piece.len() as u32 - 1).for_each(|at| self.rate(at, &mut heap));
        while let Some(Reverse((rank, at))) = heap.pop() {
            // One that was joined meanwhile has another rank, or none.
            if self.ranks[at as usize] != rank {
                continue;
            }
            let gone = self.next[at as usize];
            let after = self.next[gone as usize];
            self.ranks[gone as usize] = NONE;
            self.next[at as usize] = after;
            if (after as usize) < self.piece.len() {
                self.before[after as usize] = at;
            }
            self.parts -= 1;
            self.rate(at, &mut heap);
            if at > 0 {
                self.rate(self.before[at as usize], &mut heap);
            }
        }
        self.parts
    }

    /// Finds out whether a part and the next are a token together.
    fn rate(&mut self, at: u32, heap: &mut BinaryHeap<Reverse<(u32, u32)>>) {
        let middle = self.next[at as usize] as usize;
        let rank = match middle < self.piece.len() {
            true => self.table.rank(&self.piece[at as usize..self.next[middle] as usize]),
            false => NONE,
        };
        self.ranks[at as usize] = rank;
        if rank != NONE {
            heap.push(Reverse((rank, at)));
        }
    }
}
