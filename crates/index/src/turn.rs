//! How many files are parsed at once: as many as there are threads, unless they could take too much memory together.
//!
//! The worst that a file can take is known from its size. Ordinary files take a tenth of that, and most are so small that
//! nobody waits; a tree full of large ones is read by fewer threads.

use std::sync::{Condvar, Mutex, PoisonError};

/// The worst that a byte of source takes in the parser's memory, and the limit that the parser has.
const PER_BYTE: u64 = 256;
const BASE: u64 = 64 << 20;
const MORE_PER_BYTE: u64 = 28;

/// What may be taken in a small tree; larger trees may take more.
const ALWAYS: u64 = 96 << 20;

/// The memory that is still free.
pub(crate) struct Turns {
    all: u64,
    free: Mutex<u64>,
    given_back: Condvar,
}

/// The right to parse a file; given back when dropped.
pub(crate) struct Turn<'t> {
    turns: &'t Turns,
    weight: u64,
}

impl Turns {
    pub(crate) fn new(source_bytes: u64) -> Turns {
        let all = ALWAYS + source_bytes;
        Turns { all, free: Mutex::new(all), given_back: Condvar::new() }
    }

    /// Waits until a file of this size may be parsed.
    pub(crate) fn take(&self, size: u64) -> Turn<'_> {
        let weight = (PER_BYTE * size).min(BASE + MORE_PER_BYTE * size).min(self.all);
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        while *free < weight {
            free = self.given_back.wait(free).unwrap_or_else(PoisonError::into_inner);
        }
        *free -= weight;
        Turn { turns: self, weight }
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        *self.turns.free.lock().unwrap_or_else(PoisonError::into_inner) += self.weight;
        self.turns.given_back.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_files_wait_for_each_other_and_small_ones_do_not() {
        let turns = Turns::new(0);
        let small: Vec<Turn> = (0..64).map(|_| turns.take(4 << 10)).collect();
        drop(small);
        let held = turns.take(40 << 20);
        assert_eq!(*turns.free.lock().expect("nobody panicked"), 0);
        std::thread::scope(|scope| {
            let other = scope.spawn(|| drop(turns.take(1 << 20)));
            assert!(!other.is_finished());
            drop(held);
            other.join().expect("it gets its turn");
        });
        assert_eq!(*turns.free.lock().expect("nobody panicked"), ALWAYS);
    }
}
