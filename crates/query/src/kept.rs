//! Unpacked files, kept while there is room: an answer goes back to the same files, and so does the next question.

use std::collections::VecDeque;
use std::sync::Arc;

use codegraph_model::FileId;
use codegraph_store::Stored;
use rustc_hash::FxHashMap;

use crate::graph::LinkedFile;

/// About as many bytes while a question is answered, between questions, and when nobody asks.
const BUSY: usize = 32 << 20;
const IDLE: usize = 12 << 20;
const ASLEEP: usize = 2 << 20;

/// Files by number; the oldest leave first.
#[derive(Default)]
pub(crate) struct Kept {
    files: FxHashMap<FileId, Entry>,
    order: VecDeque<(FileId, usize)>,
    weight: usize,
}

struct Entry {
    stored: Arc<Stored>,
    linked: Option<Arc<LinkedFile>>,
}

impl Kept {
    /// At least the outline of a file.
    pub(crate) fn outline(&self, id: FileId) -> Option<Arc<Stored>> {
        self.files.get(&id).map(|entry| entry.stored.clone())
    }

    pub(crate) fn linked(&self, id: FileId) -> Option<Arc<LinkedFile>> {
        self.files.get(&id)?.linked.clone()
    }

    pub(crate) fn keep_outline(&mut self, id: FileId, stored: &Arc<Stored>) {
        self.keep(id, Entry { stored: stored.clone(), linked: None });
    }

    pub(crate) fn keep_linked(&mut self, file: &Arc<LinkedFile>) {
        self.keep(file.id, Entry { stored: file.stored.clone(), linked: Some(file.clone()) });
    }

    fn keep(&mut self, id: FileId, entry: Entry) {
        let weight = weight(&entry);
        self.files.insert(id, entry);
        self.order.push_back((id, weight));
        self.weight += weight;
        self.shrink(BUSY);
    }

    /// Leaves what the next question may find.
    pub(crate) fn rest(&mut self) {
        self.shrink(IDLE);
    }

    /// Leaves little: nobody asks.
    pub(crate) fn sleep(&mut self) {
        self.shrink(ASLEEP);
    }

    fn shrink(&mut self, room: usize) {
        while self.weight > room {
            let Some((oldest, weight)) = self.order.pop_front() else { return };
            self.weight -= weight;
            self.files.remove(&oldest);
        }
    }
}

fn weight(entry: &Entry) -> usize {
    let facts = &entry.stored.facts;
    let outline = size_of_val(&*facts.symbols) + size_of_val(&*facts.line_starts) + entry.stored.names.len() * 8;
    let body = size_of_val(&*facts.refs) + size_of_val(&*facts.bindings) + size_of_val(&*facts.scopes);
    let links = entry.linked.as_ref().map_or(0, |file| {
        size_of_val(&*file.links.bound) + size_of_val(&*file.links.targets) + size_of_val(&*file.links.unbound)
    });
    outline + body + links
}
