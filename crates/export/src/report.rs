//! What was written, and who is told while it is.

use serde::Serialize;

/// Told while rows are written.
pub trait Listener {
    /// So many rows of a part are there.
    fn written(&self, part: &str, rows: u64);
}

/// Tells nobody.
pub struct Unheard;

impl Listener for Unheard {
    fn written(&self, _: &str, _: u64) {}
}

/// How often a listener is told.
const EVERY: u64 = 1000;

/// How many rows of each part were written, in the order of the parts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    pub written: Vec<Part>,
}

/// A table, or the nodes or edges of a kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Part {
    pub name: String,
    pub rows: u64,
}

impl Report {
    /// A part begins; it is listed even if it stays empty.
    pub(crate) fn begin(&mut self, name: &str) {
        self.written.push(Part { name: name.to_owned(), rows: 0 });
    }

    /// One more row of the last part.
    pub(crate) fn count(&mut self, listener: &dyn Listener) {
        let last = self.written.len() - 1;
        self.count_at(last, listener);
    }

    /// One more row of a part that has begun.
    pub(crate) fn count_of(&mut self, name: &str, listener: &dyn Listener) {
        let place = self.written.iter().position(|part| part.name == name).expect("the part has begun");
        self.count_at(place, listener);
    }

    fn count_at(&mut self, place: usize, listener: &dyn Listener) {
        let part = &mut self.written[place];
        part.rows += 1;
        if part.rows.is_multiple_of(EVERY) {
            listener.written(&part.name, part.rows);
        }
    }
}
