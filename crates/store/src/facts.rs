//! The table `facts`: outlines and bodies of files.

use std::sync::Arc;

use rayon::prelude::*;
use rusqlite::{Connection, Row};

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

/// Rows from which on it is worth to wake other threads.
const WORTH_THREADS: usize = 4;

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

    /// Outlines and bodies without expressions and notes, in the order of the files, unpacked on all cores. Neighbours that
    /// follow each other are read once.
    pub fn many_uses(&self, files: &[FileId]) -> Result<Vec<Stored>> {
        let missing = || Error::packed("facts: a file is missing");
        let mut rows: Vec<(u32, PackedRow)> = Vec::new();
        for file in files {
            let first = FACTS.find(&self.db, *file, "NULL", |first, _| Ok(first))?.ok_or_else(missing)?;
            if rows.last().is_none_or(|(last, _)| *last != first) {
                let blob = |row: &Row<'_>, at| row.get(at).map_err(|_| Error::packed("facts"));
                let read = |_, row: &Row<'_>| Ok([blob(row, 1)?, blob(row, 2)?]);
                let frames = FACTS.find(&self.db, *file, "outlines, bodies", read)?.ok_or_else(missing)?;
                rows.push((first, PackedRow { frames, places: Vec::new() }));
            }
            let (first, row) = rows.last_mut().expect("pushed above");
            row.places.push((file.0 - *first) as usize);
        }
        let uses = |(_, row): &(u32, PackedRow)| row.uses();
        let unpacked: Vec<Vec<Stored>> = match rows.len() < WORTH_THREADS {
            true => rows.iter().map(uses).collect::<Result<_>>()?,
            false => rows.par_iter().map(uses).collect::<Result<_>>()?,
        };
        let mut all: Vec<Stored> = unpacked.into_iter().flatten().collect();
        for (file, stored) in files.iter().zip(&mut all) {
            stored.ordinals = self.ordinals(*file)?;
        }
        Ok(all)
    }
}

/// A row as it is stored, and the places of the files in it that are wanted.
struct PackedRow {
    frames: Frames<2>,
    places: Vec<usize>,
}

impl PackedRow {
    fn uses(&self) -> Result<Vec<Stored>> {
        let (outlines, bodies) = (wire::frame(&self.frames[0], "outline")?, wire::frame(&self.frames[1], "body")?);
        let one = |place: &usize| {
            let mut stored = outline::read(part(&outlines, *place)?)?;
            body::read_uses(part(&bodies, *place)?, &mut stored)?;
            Ok(stored)
        };
        self.places.iter().map(one).collect()
    }
}
