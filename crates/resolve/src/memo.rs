//! What is remembered, so that a result never depends on which file was linked before.
//!
//! A value that met no cycle is the same wherever the question starts: it is kept. One that was cut short by a cycle
//! depends on where the question started: it lives only until the outermost question is answered.

use std::collections::hash_map::Entry;
use std::hash::Hash;

use rustc_hash::FxHashMap;

use crate::lookup::Linker;

/// The longest chain of entities that wait for each other: beyond it, an answer is unknown.
const LONGEST: u32 = 300;

/// Answers to one kind of question.
pub(crate) struct Memo<K, V> {
    states: FxHashMap<K, State<V>>,
    /// Answers that hold for the outermost question only.
    scratch: Vec<K>,
}

enum State<V> {
    /// The question is being asked.
    Open,
    Kept(V),
    Scratch(V),
}

impl<K, V> Default for Memo<K, V> {
    fn default() -> Self {
        Memo { states: FxHashMap::default(), scratch: Vec::new() }
    }
}

impl<K, V> Memo<K, V> {
    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    /// Between questions.
    pub(crate) fn clear(&mut self) {
        *self = Memo::default();
    }
}

/// What a memo knows about a question.
enum Known<V> {
    Answer(V),
    /// An answer that holds for the outermost question only, or none because the question is being asked.
    Cut(Option<V>),
    New,
}

impl<K: Copy + Eq + Hash, V: Clone> Memo<K, V> {
    pub(crate) fn end_question(&mut self) {
        for key in self.scratch.drain(..) {
            self.states.remove(&key);
        }
    }

    fn ask(&mut self, key: K) -> Known<V> {
        match self.states.entry(key) {
            Entry::Vacant(place) => {
                place.insert(State::Open);
                Known::New
            }
            Entry::Occupied(known) => match known.get() {
                State::Open => Known::Cut(None),
                State::Kept(value) => Known::Answer(value.clone()),
                State::Scratch(value) => Known::Cut(Some(value.clone())),
            },
        }
    }

    fn answer(&mut self, key: K, value: V, cut: bool) {
        if cut {
            self.scratch.push(key);
        }
        self.states.insert(key, if cut { State::Scratch(value) } else { State::Kept(value) });
    }
}

impl<'p> Linker<'p> {
    /// The answer to a question, remembered; `unknown` where it depends on itself.
    pub(crate) fn remembered<K: Copy + Eq + Hash, V: Clone>(
        &mut self,
        memo: for<'a> fn(&'a mut Linker<'p>) -> &'a mut Memo<K, V>,
        key: K,
        unknown: V,
        compute: impl FnOnce(&mut Linker<'p>) -> V,
    ) -> V {
        match memo(self).ask(key) {
            Known::Answer(value) => return value,
            Known::Cut(value) => {
                self.cut = true;
                return value.unwrap_or(unknown);
            }
            Known::New => {}
        }
        let (value, cut) = self.apart(unknown, compute);
        memo(self).answer(key, value.clone(), cut);
        value
    }

    /// Computes an entity of its own: it has its own depth, and says whether a cycle cut it short.
    pub(crate) fn apart<V>(&mut self, unknown: V, compute: impl FnOnce(&mut Linker<'p>) -> V) -> (V, bool) {
        if self.waiting >= LONGEST {
            self.cut = true;
            return (unknown, true);
        }
        let before = std::mem::replace(&mut self.cut, false);
        let depth = std::mem::replace(&mut self.depth, 0);
        self.waiting += 1;
        let value = compute(self);
        self.waiting -= 1;
        self.depth = depth;
        let cut = self.cut;
        self.cut |= before;
        (value, cut)
    }
}
