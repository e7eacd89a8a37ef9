//! The table `facts`: the packed facts of neighbouring files share a row.
//!
//! A small file alone compresses badly and leaves holes in pages. A row belongs to the files from its key on and has two
//! frames, the outlines and the bodies: how many files they are, the length of each, then the bytes of all. A number
//! without a file has no bytes. A change of one file writes its row anew.

use std::ops::Range;
use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension, params};

use crate::wire::{self, Frame, In, Out};
use crate::{Encoded, Error, FileId, Result, Store, Stored, body, outline};

/// Bytes of a row before compression, about. More would save little, and cost every reader of one file.
const FULL: usize = 16 << 10;

/// The compressed facts of neighbouring files.
struct Row {
    outlines: Vec<u8>,
    bodies: Vec<u8>,
}

/// The packed facts of one file, as a part of its row.
pub struct PackedFacts {
    row: Arc<Row>,
    place: usize,
}

impl PackedFacts {
    pub fn unpack(&self) -> Result<Stored> {
        let mut stored = outline::read(part(&wire::frame(&self.row.outlines, "outline")?, self.place)?)?;
        body::read(part(&wire::frame(&self.row.bodies, "body")?, self.place)?, &mut stored)?;
        Ok(stored)
    }
}

/// Packs the facts of files that get neighbouring numbers in this order. Their own copies are gone then.
pub fn pack_neighbours(files: &mut [Encoded]) -> Vec<PackedFacts> {
    let sizes: Vec<usize> = files.iter().map(Encoded::size).collect();
    let mut packed = Vec::with_capacity(files.len());
    for range in cut(&sizes, FULL) {
        let files = &mut files[range];
        let parts: Vec<Parts> =
            files.iter_mut().map(|file| (std::mem::take(&mut file.outline), std::mem::take(&mut file.body))).collect();
        let row = Arc::new(Row::pack(&parts));
        packed.extend((0..parts.len()).map(|place| PackedFacts { row: row.clone(), place }));
    }
    packed
}

/// Outline and body of one file.
type Parts = (Vec<u8>, Vec<u8>);

impl Row {
    fn pack(files: &[Parts]) -> Row {
        let pack = |part: fn(&Parts) -> &[u8]| {
            let bytes = files.iter().map(|file| part(file).len() + 3).sum::<usize>();
            let mut out = Out { bytes: Vec::with_capacity(bytes + 3) };
            out.number(files.len() as u32);
            files.iter().for_each(|file| out.number(part(file).len() as u32));
            files.iter().for_each(|file| out.bytes.extend_from_slice(part(file)));
            wire::compress(&out.bytes)
        };
        Row { outlines: pack(|file| &file.0), bodies: pack(|file| &file.1) }
    }

    fn unpack(&self) -> Result<Vec<Parts>> {
        let (outlines, bodies) = (wire::frame(&self.outlines, "outline")?, wire::frame(&self.bodies, "body")?);
        let count = In::new(&outlines).count();
        (0..count).map(|place| Ok((part(&outlines, place)?.to_vec(), part(&bodies, place)?.to_vec()))).collect()
    }
}

/// The bytes of the file at a place.
fn part(frame: &[u8], place: usize) -> Result<&[u8]> {
    let mut input = In::new(frame);
    let count = input.count();
    let (mut start, mut length) = (0, 0);
    for at in 0..count {
        let next = input.number() as usize;
        start += if at < place { next } else { 0 };
        length = if at == place { next } else { length };
    }
    let start = input.position().saturating_add(start);
    frame.get(start..start.saturating_add(length)).filter(|_| place < count).ok_or_else(|| Error::packed("facts"))
}

/// Cuts a list of files into rows of about the same size, unless one row of it has at most so many bytes.
fn cut(sizes: &[usize], most: usize) -> Vec<Range<usize>> {
    let total: usize = sizes.iter().sum();
    let enough = if total <= most { usize::MAX } else { total.div_ceil(total.div_ceil(FULL)) };
    let (mut rows, mut start, mut size) = (Vec::new(), 0, 0);
    for (at, next) in sizes.iter().enumerate() {
        size += next;
        if size >= enough || at + 1 == sizes.len() {
            rows.push(start..at + 1);
            (start, size) = (at + 1, 0);
        }
    }
    rows
}

/// Writes the row that a file is the first of.
pub(crate) fn insert(db: &Connection, file: FileId, facts: &PackedFacts) -> Result<()> {
    if facts.place == 0 { write_row(db, file.0, &facts.row) } else { Ok(()) }
}

fn write_row(db: &Connection, first: u32, row: &Row) -> Result<()> {
    db.prepare_cached("INSERT OR REPLACE INTO facts VALUES (?1, ?2, ?3)")?.execute(params![
        first,
        row.outlines,
        row.bodies
    ])?;
    Ok(())
}

/// Changes the facts of a file; empty ones for a file that is gone.
pub(crate) fn replace(db: &Connection, file: FileId, outline: &[u8], body: &[u8]) -> Result<()> {
    let mut query = db.prepare_cached("SELECT * FROM facts WHERE first <= ?1 ORDER BY first DESC LIMIT 1")?;
    let row = query.query_row([file.0], |row| Ok((row.get(0)?, Row { outlines: row.get(1)?, bodies: row.get(2)? })));
    let (mut first, mut files) = match row.optional()? {
        Some((first, row)) => (first, row.unpack()?),
        None => (file.0, Vec::new()),
    };
    let mut place = (file.0 - first) as usize;
    let size = |files: &[Parts]| files.iter().map(|file| file.0.len() + file.1.len()).sum::<usize>();
    if place > files.len() || place == files.len() && size(&files) >= FULL {
        (first, place) = (file.0, 0);
        files.clear();
    }
    if place == files.len() {
        files.push(Parts::default());
    }
    files[place] = (outline.to_vec(), body.to_vec());
    write_rows(db, first, &files)
}

/// Writes the files of a row, as several if they became large.
fn write_rows(db: &Connection, first: u32, files: &[Parts]) -> Result<()> {
    db.prepare_cached("DELETE FROM facts WHERE first = ?1")?.execute([first])?;
    let sizes: Vec<usize> = files.iter().map(|file| file.0.len() + file.1.len()).collect();
    for range in cut(&sizes, 2 * FULL).into_iter().filter(|range| sizes[range.clone()].iter().any(|size| *size > 0)) {
        write_row(db, first + range.start as u32, &Row::pack(&files[range]))?;
    }
    Ok(())
}

/// Unpacks a body, or a part of it, into facts whose outline is there.
pub(crate) type ReadBody = fn(&[u8], &mut Stored) -> Result<()>;

impl Store {
    /// The outline of a file, with what is asked for of its body.
    pub(crate) fn read_facts(&self, file: FileId, read_body: Option<ReadBody>) -> Result<Stored> {
        let mut query = self.db.prepare_cached(match read_body {
            Some(_) => "SELECT first, outlines, bodies FROM facts WHERE first <= ?1 ORDER BY first DESC LIMIT 1",
            None => "SELECT first, outlines FROM facts WHERE first <= ?1 ORDER BY first DESC LIMIT 1",
        })?;
        let mut rows = query.query([file.0])?;
        let row = rows.next()?.ok_or_else(|| Error::packed("facts: a file is missing"))?;
        let place = (file.0 - row.get::<_, u32>(0)?) as usize;
        let frame = |at: usize, what| -> Result<Frame> {
            wire::frame(row.get_ref(at)?.as_blob().map_err(|_| Error::packed("facts"))?, what)
        };
        let mut stored = outline::read(part(&frame(1, "outline")?, place)?)?;
        if let Some(read) = read_body {
            read(part(&frame(2, "body")?, place)?, &mut stored)?;
        }
        Ok(stored)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(db: &Connection) -> Vec<(u32, usize)> {
        let mut query = db.prepare("SELECT first, outlines, bodies FROM facts").expect("a table");
        let rows = query.query_map([], |row| Ok((row.get(0)?, Row { outlines: row.get(1)?, bodies: row.get(2)? })));
        let rows = rows.expect("rows").map(|row| row.expect("a row"));
        rows.map(|(first, row)| (first, row.unpack().expect("whole").len())).collect()
    }

    #[test]
    fn files_share_rows_until_they_are_full() {
        assert!(cut(&[], FULL).is_empty());
        assert_eq!(cut(&[1, 2, 3], FULL).len(), 1);
        assert_eq!(cut(&[FULL, FULL], 2 * FULL).len(), 1);
        assert_eq!(cut(&[FULL; 3], FULL), [0..1, 1..2, 2..3]);
        assert_eq!(cut(&[FULL / 2 + 1; 4], FULL), [0..2, 2..4]);
        assert_eq!(cut(&[0, 3 * FULL, 0, 1], FULL), [0..2, 2..4]);
    }

    #[test]
    fn a_row_follows_its_files() {
        let db = Connection::open_in_memory().expect("memory");
        crate::schema::create_tables(&db).expect("tables");
        let put = |file: u32, size: usize| replace(&db, FileId(file), &vec![1; size], &[file as u8]).expect("written");
        (1..=4).for_each(|file| put(file, 10));
        assert_eq!(sizes(&db), [(1, 4)]);
        put(2, FULL);
        put(5, 10);
        assert_eq!(sizes(&db), [(1, 4), (5, 1)]);
        put(3, 2 * FULL);
        assert_eq!(sizes(&db), [(1, 2), (3, 1), (4, 1), (5, 1)]);
        replace(&db, FileId(4), &[], &[]).expect("written");
        assert_eq!(sizes(&db), [(1, 2), (3, 1), (5, 1)]);
        put(4, 1);
        assert_eq!(sizes(&db), [(1, 2), (3, 1), (4, 1), (5, 1)]);
    }

    #[test]
    fn damaged_frames_have_no_parts() {
        assert_eq!(part(&[2, 1, 2, 7, 8, 9], 1).expect("whole"), [8, 9]);
        for damaged in [&[][..], &[9], &[1, 5, 1], &[2, 0, 255, 255, 255, 255, 15]] {
            assert!(part(damaged, damaged.len().min(1)).is_err());
        }
        assert!(part(&[1, 0], 1).is_err());
    }
}
