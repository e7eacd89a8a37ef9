//! Tables in which neighbouring files share a row.
//!
//! The packed data of a small file alone compresses badly and leaves holes in pages. A row belongs to the files from its
//! key on and has a frame for each part of their data: how many files they are, the length of each, then the bytes of
//! all. A number without a file has no bytes. A change of one file writes its row anew.

use std::ops::Range;

use rusqlite::types::ToSql;
use rusqlite::{Connection, OptionalExtension, Row};

use crate::wire::{self, Frame, In, Out};
use crate::{Error, Result};
use codegraph_model::FileId;

/// Bytes of a row before compression, about. More would save little, and cost every reader of one file.
pub(crate) const FULL: usize = 16 << 10;

/// The data of one file, part by part.
pub(crate) type Parts<const N: usize> = [Vec<u8>; N];

/// A row without its key: a compressed frame for each part.
pub(crate) type Frames<const N: usize> = [Vec<u8>; N];

/// A table of rows that files share: the first file, then the frames.
pub(crate) struct Table<const N: usize>(pub(crate) &'static str);

/// A row that some files are in.
pub(crate) struct SharedRow<const N: usize> {
    pub(crate) first: u32,
    pub(crate) frames: Frames<N>,
    /// Which of the files that were asked for.
    pub(crate) files: Range<usize>,
}

impl<const N: usize> Table<N> {
    /// Packs the data of neighbouring files.
    pub(crate) fn pack(&self, files: &[Parts<N>]) -> Frames<N> {
        std::array::from_fn(|part| {
            let bytes = files.iter().map(|file| file[part].len() + 3).sum::<usize>();
            let mut out = Out { bytes: Vec::with_capacity(bytes + 3) };
            out.number(files.len() as u32);
            files.iter().for_each(|file| out.number(file[part].len() as u32));
            files.iter().for_each(|file| out.bytes.extend_from_slice(&file[part]));
            wire::compress(&out.bytes)
        })
    }

    fn unpack(&self, frames: &Frames<N>) -> Result<Vec<Parts<N>>> {
        let frames = frames.iter().map(|frame| wire::frame(frame, self.0)).collect::<Result<Vec<Frame>>>()?;
        let count = In::new(&frames[0]).count();
        let mut files = vec![[const { Vec::new() }; N]; count];
        for (place, file) in files.iter_mut().enumerate() {
            for (bytes, frame) in file.iter_mut().zip(&frames) {
                *bytes = part(frame, place)?.to_vec();
            }
        }
        Ok(files)
    }

    /// The row that a file is in, with its key, as far as it is asked for.
    pub(crate) fn find<T>(
        &self,
        db: &Connection,
        file: FileId,
        columns: &str,
        read: impl FnOnce(u32, &Row<'_>) -> Result<T>,
    ) -> Result<Option<T>> {
        let sql = format!("SELECT first, {columns} FROM {} WHERE first <= ?1 ORDER BY first DESC LIMIT 1", self.0);
        let mut query = db.prepare_cached(&sql)?;
        let mut rows = query.query([file.0])?;
        match rows.next()? {
            Some(row) => Ok(Some(read(row.get(0)?, row)?)),
            None => Ok(None),
        }
    }

    /// The rows that files are in, with their packed columns and which of the files they are of: neighbours that follow each
    /// other share one. There is none for a file that comes before all of them.
    pub(crate) fn rows(&self, db: &Connection, columns: &str, files: &[FileId]) -> Result<Vec<SharedRow<N>>> {
        let after = format!("SELECT first FROM {} WHERE first > ?1 ORDER BY first LIMIT 1", self.0);
        let mut after = db.prepare_cached(&after)?;
        let mut rows: Vec<SharedRow<N>> = Vec::new();
        let mut next = 0;
        for (index, file) in files.iter().enumerate() {
            match rows.last_mut() {
                Some(row) if (row.first..next).contains(&file.0) => row.files.end = index + 1,
                _ => {
                    let found = self.find(db, *file, columns, |first, row| {
                        let mut frames = [const { Vec::new() }; N];
                        for (part, frame) in frames.iter_mut().enumerate() {
                            *frame = row.get(part + 1).map_err(|_| Error::packed(self.0))?;
                        }
                        Ok(SharedRow { first, frames, files: index..index + 1 })
                    })?;
                    rows.extend(found);
                    next = after.query_row([file.0], |row| row.get(0)).optional()?.unwrap_or(u32::MAX);
                }
            }
        }
        Ok(rows)
    }

    /// Writes the row from a file on.
    pub(crate) fn insert(&self, db: &Connection, first: FileId, frames: &Frames<N>) -> Result<()> {
        let places: String = (0..N).map(|part| format!(", ?{}", part + 2)).collect();
        let mut insert =
            db.prepare_cached(&format!("INSERT OR REPLACE INTO {} VALUES (?1{places}, row_sum(?1{places}))", self.0))?;
        let values = std::iter::once(&first.0 as &dyn ToSql).chain(frames.iter().map(|frame| frame as &dyn ToSql));
        insert.execute(rusqlite::params_from_iter(values))?;
        Ok(())
    }

    /// Changes the data of a file; empty for a file that is gone.
    pub(crate) fn replace(&self, db: &Connection, file: FileId, parts: Parts<N>) -> Result<()> {
        let sql = format!("SELECT * FROM {} WHERE first <= ?1 ORDER BY first DESC LIMIT 1", self.0);
        let mut query = db.prepare_cached(&sql)?;
        let frames = |row: &Row<'_>| {
            let mut frames = [const { Vec::new() }; N];
            for (part, frame) in frames.iter_mut().enumerate() {
                *frame = row.get(part + 1)?;
            }
            Ok((row.get(0)?, frames))
        };
        let (mut first, mut files) = match query.query_row([file.0], frames).optional()? {
            Some((first, frames)) => (first, self.unpack(&frames)?),
            None => (file.0, Vec::new()),
        };
        let mut place = (file.0 - first) as usize;
        if place > files.len() || place == files.len() && files.iter().map(size).sum::<usize>() >= FULL {
            (first, place) = (file.0, 0);
            files.clear();
        }
        if place == files.len() {
            files.push([const { Vec::new() }; N]);
        }
        files[place] = parts;
        self.write(db, first, &files)
    }

    /// Writes the files of a row, as several if they became large.
    fn write(&self, db: &Connection, first: u32, files: &[Parts<N>]) -> Result<()> {
        db.prepare_cached(&format!("DELETE FROM {} WHERE first = ?1", self.0))?.execute([first])?;
        let sizes: Vec<usize> = files.iter().map(size).collect();
        let has_data = |range: &Range<usize>| sizes[range.clone()].iter().any(|size| *size > 0);
        for range in cut(&sizes, 2 * FULL).into_iter().filter(has_data) {
            self.insert(db, FileId(first + range.start as u32), &self.pack(&files[range]))?;
        }
        Ok(())
    }
}

fn size<const N: usize>(file: &Parts<N>) -> usize {
    file.iter().map(Vec::len).sum()
}

/// The bytes of the file at a place.
pub(crate) fn part(frame: &[u8], place: usize) -> Result<&[u8]> {
    let mut input = In::new(frame);
    let count = input.count();
    let (mut start, mut length) = (0, 0);
    for at in 0..count {
        let next = input.number() as usize;
        start += if at < place { next } else { 0 };
        length = if at == place { next } else { length };
    }
    let start = input.position().saturating_add(start);
    frame.get(start..start.saturating_add(length)).filter(|_| place < count).ok_or_else(|| Error::packed("a row"))
}

/// Cuts a list of files into rows of about the same size, unless one row of it has at most so many bytes.
pub(crate) fn cut(sizes: &[usize], most: usize) -> Vec<Range<usize>> {
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

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: Table<2> = Table("facts");

    fn sizes(db: &Connection) -> Vec<(u32, usize)> {
        let mut query = db.prepare("SELECT * FROM facts").expect("a table");
        let rows = query.query_map([], |row| Ok((row.get(0)?, [row.get(1)?, row.get(2)?])));
        let rows = rows.expect("rows").map(|row| row.expect("a row"));
        rows.map(|(first, row)| (first, TABLE.unpack(&row).expect("whole").len())).collect()
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
        let replace = |file: u32, parts| TABLE.replace(&db, FileId(file), parts).expect("written");
        let put = |file: u32, size: usize| replace(file, [vec![1; size], vec![file as u8]]);
        (1..=4).for_each(|file| put(file, 10));
        assert_eq!(sizes(&db), [(1, 4)]);
        put(2, FULL);
        put(5, 10);
        assert_eq!(sizes(&db), [(1, 4), (5, 1)]);
        put(3, 2 * FULL);
        assert_eq!(sizes(&db), [(1, 2), (3, 1), (4, 1), (5, 1)]);
        replace(4, Parts::default());
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
