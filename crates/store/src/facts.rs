//! The table `facts`: outlines and bodies of files.

use std::sync::Arc;

use rusqlite::Connection;

use crate::neighbours::{FULL, Frames, Parts, Table, cut, part};
use crate::wire::{self, Frame};
use crate::{Encoded, Error, Result, Store, Stored, body, outline};
use codegraph_model::FileId;

pub(crate) const FACTS: Table<2> = Table("facts");

/// The packed facts of one file, as a part of its row.
pub struct PackedFacts {
    row: Arc<Frames<2>>,
    place: usize,
}

impl PackedFacts {
    pub fn unpack(&self) -> Result<Stored> {
        let [outlines, bodies] = &*self.row;
        let mut stored = outline::read(part(&wire::frame(outlines, "outline")?, self.place)?)?;
        body::read(part(&wire::frame(bodies, "body")?, self.place)?, &mut stored)?;
        Ok(stored)
    }
}

/// Packs the facts of files that get neighbouring numbers in this order. Their own copies are gone then.
pub fn pack_neighbours(files: &mut [Encoded]) -> Vec<PackedFacts> {
    let sizes: Vec<usize> = files.iter().map(Encoded::size).collect();
    let mut packed = Vec::with_capacity(files.len());
    for range in cut(&sizes, FULL) {
        let files = files[range].iter_mut();
        let parts: Vec<Parts<2>> =
            files.map(|file| [std::mem::take(&mut file.outline), std::mem::take(&mut file.body)]).collect();
        let row = Arc::new(FACTS.pack(&parts));
        packed.extend((0..parts.len()).map(|place| PackedFacts { row: row.clone(), place }));
    }
    packed
}

/// Writes the row that a file is the first of.
pub(crate) fn insert(db: &Connection, file: FileId, facts: &PackedFacts) -> Result<()> {
    if facts.place == 0 { FACTS.insert(db, file, &facts.row) } else { Ok(()) }
}

/// Unpacks a body, or a part of it, into facts whose outline is there.
pub(crate) type ReadBody = fn(&[u8], &mut Stored) -> Result<()>;

impl Store {
    /// The outline of a file, with what is asked for of its body.
    pub(crate) fn read_facts(&self, file: FileId, read_body: Option<ReadBody>) -> Result<Stored> {
        let columns = if read_body.is_some() { "outlines, bodies" } else { "outlines" };
        let found = FACTS.find(&self.db, file, columns, |first, row| {
            let place = (file.0 - first) as usize;
            let frame = |at: usize, what| -> Result<Frame> {
                wire::frame(row.get_ref(at)?.as_blob().map_err(|_| Error::packed("facts"))?, what)
            };
            let mut stored = outline::read(part(&frame(1, "outline")?, place)?)?;
            if let Some(read) = read_body {
                read(part(&frame(2, "body")?, place)?, &mut stored)?;
            }
            Ok(stored)
        });
        found?.ok_or_else(|| Error::packed("facts: a file is missing"))
    }
}
