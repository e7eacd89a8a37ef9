//! Texts to dictionary numbers during a first build.

use std::hash::{BuildHasher, Hasher};

use codegraph_model::{Strings, TermId};
use rustc_hash::FxBuildHasher;

/// Numbers texts in the order of the calls. Used by one thread, over files in path order, so that the numbers do not
/// depend on timing.
///
/// An open-addressing table over one text buffer: a first build asks millions of times, and a map of owned strings
/// costs twice the time and three times the memory.
pub struct Interner {
    text: String,
    ends: Vec<usize>,
    /// Upper hash bits and number + 1; 0 is free.
    slots: Vec<(u32, u32)>,
}

impl Default for Interner {
    fn default() -> Interner {
        Interner { text: String::new(), ends: Vec::new(), slots: vec![(0, 0); 1 << 12] }
    }
}

impl Interner {
    pub fn new() -> Interner {
        Interner::default()
    }

    /// The numbers of all strings of a file, in the order of its own string table.
    pub fn intern(&mut self, strings: &Strings) -> Vec<TermId> {
        strings.iter().map(|text| self.one(text)).collect()
    }

    /// The number of a text that was interned.
    pub fn find(&self, text: &str) -> Option<TermId> {
        let (place, tag) = hash(text);
        let mask = self.slots.len() - 1;
        let mut at = place as usize & mask;
        loop {
            match self.slots[at] {
                (_, 0) => return None,
                (other, number) if other == tag && self.get(number - 1) == text => return Some(TermId(number)),
                _ => at = (at + 1) & mask,
            }
        }
    }

    /// The text of a number that was given out.
    pub fn text(&self, term: TermId) -> &str {
        self.get(term.0 - 1)
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    fn one(&mut self, text: &str) -> TermId {
        if self.ends.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let (place, tag) = hash(text);
        let mask = self.slots.len() - 1;
        let mut at = place as usize & mask;
        loop {
            match self.slots[at] {
                (_, 0) => break,
                (other, number) if other == tag && self.get(number - 1) == text => {
                    return TermId(number);
                }
                _ => at = (at + 1) & mask,
            }
        }
        self.text.push_str(text);
        self.ends.push(self.text.len());
        let number = self.ends.len() as u32;
        self.slots[at] = (tag, number);
        TermId(number)
    }

    fn get(&self, index: u32) -> &str {
        let index = index as usize;
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        &self.text[start..self.ends[index]]
    }

    fn grow(&mut self) {
        let mask = self.slots.len() * 2 - 1;
        let mut slots = vec![(0, 0); mask + 1];
        for number in 1..=self.ends.len() as u32 {
            let (place, tag) = hash(self.get(number - 1));
            let mut at = place as usize & mask;
            while slots[at].1 != 0 {
                at = (at + 1) & mask;
            }
            slots[at] = (tag, number);
        }
        self.slots = slots;
    }

    /// All texts with their numbers, which start at 1.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (TermId, &str)> {
        (0..self.ends.len() as u32).map(|index| (TermId(index + 1), self.get(index)))
    }
}

/// A place in the table and a tag to compare.
fn hash(text: &str) -> (u32, u32) {
    let mut hasher = FxBuildHasher.build_hasher();
    hasher.write(text.as_bytes());
    let hash = hasher.finish();
    (hash as u32, (hash >> 32) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_follow_the_order_of_the_calls() {
        let mut interner = Interner::new();
        let mut strings = Strings::default();
        for word in ["b", "a", ""] {
            strings.push(word);
        }
        assert_eq!(interner.intern(&strings), [TermId(1), TermId(2), TermId(3)]);
        let mut more = Strings::default();
        more.push("a");
        more.push("c");
        assert_eq!(interner.intern(&more), [TermId(2), TermId(4)]);
        let all: Vec<_> = interner.iter().map(|(id, text)| (id.0, text)).collect();
        assert_eq!(all, [(1, "b"), (2, "a"), (3, ""), (4, "c")]);
    }

    #[test]
    fn many_texts_stay_apart() {
        let mut interner = Interner::new();
        let mut strings = Strings::default();
        for n in 0..50_000 {
            strings.push(&format!("name_{n}"));
        }
        let first = interner.intern(&strings);
        assert_eq!(first.len(), 50_000);
        assert_eq!(interner.intern(&strings), first);
        assert_eq!(interner.len(), 50_000);
    }
}
