//! The table `glance`: the paths of neighbouring files and one sum of what a stat said about them.
//!
//! An index is compared with its tree before every answer, and mostly nothing has changed: this is all that has to be
//! read then.

use rusqlite::{Connection, params};

use crate::input::{read_text, shared_prefix, text};
use crate::inside::is_inside;
use crate::posting::SEGMENT;
use crate::wire::{In, Out, pack_row, unpack_row};
use crate::{Error, FileRecord, Result, Stamp, Store};
use codegraph_model::FileId;

/// What the stats of some files said, in their order. A change of one file always changes it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StampSum(u64);

impl StampSum {
    pub fn add(&mut self, size: u64, mtime_ns: i64, mark: i64, extractor: u32) {
        for value in [size, mtime_ns as u64, mark as u64, extractor.into()] {
            self.0 = (self.0 ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        }
    }
}

/// The files of a segment, as they are stored.
pub struct PackedGlance {
    segment: u32,
    row: Vec<u8>,
}

impl PackedGlance {
    pub fn unpack(&self) -> Result<Glance> {
        Glance::unpack(self.segment, &self.row)
    }

    pub fn covers(&self, file: FileId) -> bool {
        file.0 / SEGMENT == self.segment
    }
}

/// The files of a segment.
pub struct Glance {
    segment: u32,
    text: String,
    ends: Vec<usize>,
    pub sum: StampSum,
}

impl Glance {
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.ends.iter().enumerate().map(|(at, end)| &self.text[if at == 0 { 0 } else { self.ends[at - 1] }..*end])
    }

    fn unpack(segment: u32, row: &[u8]) -> Result<Glance> {
        let damaged = || Error::packed("glance");
        let bytes = unpack_row(row, "glance")?;
        let mut input = In::new(&bytes);
        let (mut text, mut ends, mut last) = (String::with_capacity(bytes.len() * 4), Vec::new(), 0);
        for _ in 0..input.count() {
            let start = text.len();
            let shared = last + input.number() as usize;
            if shared > start || !text.is_char_boundary(shared) {
                return Err(damaged());
            }
            text.extend_from_within(last..shared);
            text.push_str(read_text(&mut input).ok_or_else(damaged)?);
            if !is_inside(&text[start..]) {
                return Err(damaged());
            }
            ends.push(text.len());
            last = start;
        }
        let sum = input.take(8).try_into().map_err(|_| damaged())?;
        input.finish("glance")?;
        Ok(Glance { segment, text, ends, sum: StampSum(u64::from_le_bytes(sum)) })
    }
}

/// What is known about files, as far as a glance needs it.
#[derive(Default)]
pub(crate) struct Paths {
    out: Out,
    count: u32,
    last: String,
    sum: StampSum,
}

impl Paths {
    pub(crate) fn add(&mut self, path: &str, size: u64, mtime_ns: i64, mark: i64, extractor: u32) {
        let shared = shared_prefix(&self.last, path);
        self.out.number(shared as u32);
        text(&mut self.out, &path[shared..]);
        path.clone_into(&mut self.last);
        self.count += 1;
        self.sum.add(size, mtime_ns, mark, extractor);
    }

    pub(crate) fn add_record(&mut self, record: &FileRecord) {
        self.add(&record.path, record.size, record.mtime_ns, record.mark, record.extractor);
    }

    pub(crate) fn write(self, db: &Connection, segment: u32) -> Result<()> {
        if self.count == 0 {
            db.prepare_cached("DELETE FROM glance WHERE segment = ?1")?.execute([segment])?;
            return Ok(());
        }
        let mut row = Out::default();
        row.number(self.count);
        row.bytes.extend_from_slice(&self.out.bytes);
        row.bytes.extend_from_slice(&self.sum.0.to_le_bytes());
        db.prepare_cached("INSERT OR REPLACE INTO glance VALUES (?1, ?2, row_sum(?1, ?2))")?
            .execute(params![segment, pack_row(&row.bytes)])?;
        Ok(())
    }
}

impl Store {
    /// What to look at to know that no file has changed, to be unpacked on all cores.
    pub fn packed_glances(&self) -> Result<Vec<PackedGlance>> {
        let mut query = self.db.prepare_cached("SELECT segment, data FROM glance ORDER BY segment")?;
        let rows = query.query_map([], |row| Ok(PackedGlance { segment: row.get(0)?, row: row.get(1)? }))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// Writes the glance of a segment anew.
    pub(crate) fn renew_glance(&self, segment: u32) -> Result<()> {
        let mut paths = Paths::default();
        for Stamp { path, size, mtime_ns, mark, extractor, .. } in self.stamps_of(segment)? {
            paths.add(&path, size, mtime_ns, mark, extractor);
        }
        paths.write(&self.db, segment)
    }

    /// Whether the glances say what the files say.
    pub(crate) fn glances_fit(&self) -> Result<bool> {
        let glances = self.packed_glances()?.iter().map(PackedGlance::unpack).collect::<Result<Vec<Glance>>>()?;
        let mut segments: Vec<u32> = self.stamps()?.iter().map(|stamp| stamp.id.0 / SEGMENT).collect();
        segments.dedup();
        for (at, segment) in segments.iter().enumerate() {
            let stamps = self.stamps_of(*segment)?;
            let mut sum = StampSum::default();
            stamps.iter().for_each(|stamp| sum.add(stamp.size, stamp.mtime_ns, stamp.mark, stamp.extractor));
            let fits = |glance: &Glance| {
                glance.segment == *segment
                    && glance.sum == sum
                    && glance.paths().eq(stamps.iter().map(|stamp| stamp.path.as_str()))
            };
            if !glances.get(at).is_some_and(fits) {
                return Ok(false);
            }
        }
        Ok(segments.len() == glances.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(paths: &[&str]) -> Vec<u8> {
        let db = Connection::open_in_memory().expect("memory");
        crate::schema::create_tables(&db).expect("tables");
        let mut all = Paths::default();
        paths.iter().for_each(|path| all.add(path, 1, 2, 3, 4));
        all.write(&db, 0).expect("written");
        db.query_row("SELECT data FROM glance", [], |row| row.get(0)).expect("a row")
    }

    #[test]
    fn paths_come_back() {
        let paths = ["a/b.rs", "a/bä.rs", "a/bö.rs", "a/bö.rs/c", "z", ""];
        let glance = Glance::unpack(0, &packed(&paths)).expect("whole");
        assert!(glance.paths().eq(paths));
    }

    #[test]
    fn any_change_changes_the_sum() {
        let sum = |stamps: &[(u64, i64)]| {
            let mut sum = StampSum::default();
            stamps.iter().for_each(|(size, mtime_ns)| sum.add(*size, *mtime_ns, 0, 1));
            sum
        };
        let marked = |mark: i64| {
            let mut sum = StampSum::default();
            sum.add(0, 0, mark, 1);
            sum
        };
        assert!(marked(1) != marked(2) && marked(0) == sum(&[(0, 0)]));
        let all =
            [sum(&[]), sum(&[(0, 0)]), sum(&[(0, 1)]), sum(&[(1, 0)]), sum(&[(0, 1), (1, 0)]), sum(&[(1, 0), (0, 1)])];
        assert!((0..all.len()).all(|at| !all[..at].contains(&all[at])));
    }

    #[test]
    fn damaged_rows_are_errors() {
        for damaged in [&[0, 1, 0][..], &[0, 2, 0, 1, b'a', 2, 0], &[0, 1, 0, 1, b'a'], &[7]] {
            assert!(Glance::unpack(0, damaged).is_err());
        }
    }
}
