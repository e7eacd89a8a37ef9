//! Reading and changing the rows of postings.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use codegraph_model::{FileId, TermId, TermMask};
use rusqlite::{Connection, OptionalExtension, params};
use rustc_hash::FxHashMap;

use crate::outline::WORD;
use crate::posting::{
    Entry, LARGE, OWN, SHELF, Shelved, entries, file_at, find_in_shelf, key, number_of, place, read_lines, read_shelf,
    segment_of, shelf_key, write_entry, write_shelf,
};
use crate::wire::{pack_row, unpack_row};
use crate::{Encoded, Error, LineMask, Posting, Result, Store, Stored};

/// Shared rows that are kept unpacked, at most.
const KEPT: usize = 256;

/// A shared row of every segment that has one.
type Shelf = Vec<(u32, Vec<u8>)>;

/// Postings for those who ask for many names while nothing is written: neighbours share rows, which are unpacked once.
pub struct Lists<'s> {
    store: &'s Store,
    /// By the number of the shelf.
    shelves: RefCell<FxHashMap<u32, Arc<Shelf>>>,
}

impl<'s> Lists<'s> {
    pub fn new(store: &'s Store) -> Lists<'s> {
        Lists { store, shelves: RefCell::default() }
    }

    /// The files that define a symbol of this name, by number.
    pub fn defining(&self, term: TermId) -> Result<Vec<FileId>> {
        let mut files = Vec::new();
        self.each_entry(term, |file, entry| {
            if read_lines(entry)?.iter().any(|line| line.mask.has(TermMask::DEF)) {
                files.push(file);
            }
            Ok(true)
        })?;
        files.sort_unstable();
        Ok(files)
    }

    /// The files that define a symbol of this name or have it themselves, by number.
    pub fn definers(&self, term: TermId) -> Result<Vec<FileId>> {
        let mut files = Vec::new();
        self.each_entry(term, |file, entry| {
            if read_lines(entry)?.iter().any(|line| line.mask.has(TermMask(TermMask::DEF.0 | OWN.0))) {
                files.push(file);
            }
            Ok(true)
        })?;
        files.sort_unstable();
        Ok(files)
    }

    /// The files whose impl blocks or qualified definitions are about a type of this name, by number.
    pub fn extending(&self, term: TermId) -> Result<Vec<FileId>> {
        let mut files = Vec::new();
        self.each_entry(term, |file, entry| {
            if entry.extends() {
                files.push(file);
            }
            Ok(true)
        })?;
        files.sort_unstable();
        Ok(files)
    }

    /// The files that have a text in some kinds of text, or define it, by number.
    pub fn mentioning(&self, term: TermId, kinds: TermMask) -> Result<Vec<FileId>> {
        let mut files = Vec::new();
        self.each_entry(term, |file, entry| {
            let wanted = TermMask(kinds.0 | TermMask::DEF.0);
            if read_lines(entry)?.iter().any(|line| line.line == 0 || line.mask.has(wanted)) {
                files.push(file);
            }
            Ok(true)
        })?;
        files.sort_unstable();
        Ok(files)
    }

    /// Visits the files of a term until the visitor has enough.
    fn each_entry(&self, term: TermId, mut visit: impl FnMut(FileId, &Entry<'_>) -> Result<bool>) -> Result<()> {
        let mut visit_list = |segment: u32, list: &[u8]| -> Result<bool> {
            for entry in entries(list)? {
                if !visit(file_at(segment, entry.file), &entry)? {
                    return Ok(false);
                }
            }
            Ok(true)
        };
        let range = [key(term, 0), key(term, 0xff_ffff)];
        if !rows(&self.store.db, "posting", range, |key, list| visit_list(segment_of(key), list))? {
            return Ok(());
        }
        for (segment, row) in &*self.shelf(term)? {
            if let Some(list) = find_in_shelf(row, term.0 % SHELF)?
                && !visit_list(*segment, list)?
            {
                break;
            }
        }
        Ok(())
    }

    fn shelf(&self, term: TermId) -> Result<Arc<Shelf>> {
        let number = term.0 / SHELF;
        if let Some(known) = self.shelves.borrow().get(&number) {
            return Ok(Arc::clone(known));
        }
        let mut shelf = Shelf::new();
        let range = [shelf_key(term, 0), shelf_key(term, 0xff_ffff)];
        rows(&self.store.db, "posting_shelf", range, |key, row| {
            shelf.push((segment_of(key), row.to_vec()));
            Ok(true)
        })?;
        let shelf = Arc::new(shelf);
        let mut shelves = self.shelves.borrow_mut();
        if shelves.values().map(|kept| kept.len()).sum::<usize>() >= KEPT {
            shelves.clear();
        }
        shelves.insert(number, Arc::clone(&shelf));
        Ok(shelf)
    }
}

/// The lines of a term in a file, not unpacked yet.
pub struct PackedPosting<'r> {
    pub term: TermId,
    pub file: FileId,
    entry: Entry<'r>,
}

impl PackedPosting<'_> {
    pub fn lines(&self) -> Result<Vec<LineMask>> {
        let mut lines = read_lines(&self.entry)?;
        lines.retain(|line| line.line > 0);
        Ok(lines)
    }
}

impl Store {
    /// Visits all postings, row by row: less work than asking for the postings of every term.
    pub fn each_posting(&self, mut visit: impl FnMut(&PackedPosting<'_>) -> Result<()>) -> Result<()> {
        let mut visit_list = |term: TermId, segment: u32, list: &[u8]| -> Result<()> {
            for entry in entries(list)? {
                visit(&PackedPosting { term, file: file_at(segment, entry.file), entry })?;
            }
            Ok(())
        };
        rows(&self.db, "posting", [0, i64::MAX], |key, list| {
            visit_list(TermId(number_of(key)), segment_of(key), list)?;
            Ok(true)
        })?;
        rows(&self.db, "posting_shelf", [0, i64::MAX], |key, shelf| {
            for (place, list) in read_shelf(shelf)? {
                visit_list(TermId(number_of(key) * SHELF + place), segment_of(key), list)?;
            }
            Ok(true)
        })?;
        Ok(())
    }

    fn lists(&self) -> Lists<'_> {
        Lists::new(self)
    }

    /// Where a term stands, by file number. Empty for names that are no words.
    pub fn postings(&self, term: TermId) -> Result<Vec<Posting>> {
        let mut found = Vec::new();
        self.lists().each_entry(term, |file, entry| {
            let mut lines = read_lines(entry)?;
            lines.retain(|line| line.line > 0);
            if !lines.is_empty() {
                found.push(Posting { file, lines });
            }
            Ok(true)
        })?;
        found.sort_unstable_by_key(|posting| posting.file);
        Ok(found)
    }

    /// The files whose impl blocks or qualified definitions are about a type of this name, by number.
    pub fn extending(&self, term: TermId) -> Result<Vec<FileId>> {
        self.lists().extending(term)
    }

    /// See [`Lists::definers`].
    pub fn definers(&self, term: TermId) -> Result<Vec<FileId>> {
        self.lists().definers(term)
    }

    /// The files that have a text in their facts or on their lines, by number.
    pub fn users(&self, term: TermId) -> Result<Vec<FileId>> {
        let mut files = Vec::new();
        self.lists().each_entry(term, |file, _| {
            files.push(file);
            Ok(true)
        })?;
        files.sort_unstable();
        Ok(files)
    }

    /// Whether any file uses a text at all, and whether it is a word.
    pub(crate) fn usage(&self, term: TermId) -> Result<(bool, bool)> {
        let (mut used, mut word) = (false, false);
        self.lists().each_entry(term, |_, entry| {
            used = true;
            word |= read_lines(entry)?.last().is_some_and(|line| line.line > 0);
            Ok(!word)
        })?;
        Ok((used, word))
    }

    /// See [`Lists::mentioning`].
    pub fn mentioning(&self, term: TermId, kinds: TermMask) -> Result<Vec<FileId>> {
        self.lists().mentioning(term, kinds)
    }
}

/// Visits rows until the visitor has enough; whether it never had.
fn rows(
    db: &Connection,
    table: &str,
    range: [i64; 2],
    mut visit: impl FnMut(i64, &[u8]) -> Result<bool>,
) -> Result<bool> {
    let mut query = db.prepare_cached(&format!("SELECT key, data FROM {table} WHERE key BETWEEN ?1 AND ?2"))?;
    let mut rows = query.query(range)?;
    while let Some(row) = rows.next()? {
        let data = row.get_ref(1)?.as_blob().map_err(|_| Error::packed("posting"))?;
        if !visit(row.get(0)?, &unpack_row(data, "posting")?)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Count and lines of a term in a file; nothing to remove the file.
type Packed = Option<(u32, Vec<u8>)>;

/// Changes of postings that wait to be written, so that each row is written once.
#[derive(Default)]
pub(crate) struct PostingChanges {
    /// By shared row; then by term and file.
    shelves: BTreeMap<i64, BTreeMap<(TermId, u8), Packed>>,
}

impl PostingChanges {
    /// Takes a file out of the lists of all its names.
    pub(crate) fn retract(&mut self, file: FileId, stored: &Stored) {
        let (segment, place) = place(file);
        for name in &stored.names {
            self.shelves.entry(shelf_key(*name, segment)).or_default().insert((*name, place), None);
        }
    }

    /// Enters a file into the lists of all its names.
    pub(crate) fn announce(&mut self, file: FileId, encoded: &Encoded) {
        let (segment, place) = place(file);
        for (at, name) in encoded.names.iter().enumerate() {
            let entry = (encoded.counts[at], encoded.lines_of(at).to_vec());
            self.shelves.entry(shelf_key(*name, segment)).or_default().insert((*name, place), Some(entry));
        }
    }

    /// Writes the changed rows.
    pub(crate) fn write(self, db: &Connection) -> Result<()> {
        for (shelf, changes) in self.shelves {
            let old_row = list_row(db, "posting_shelf", shelf)?;
            let first = TermId(number_of(shelf) * SHELF);
            let kept = read_shelf(&old_row)?.into_iter();
            let mut lists: BTreeMap<TermId, Cow<'_, [u8]>> =
                kept.map(|(place, list)| (TermId(first.0 + place), Cow::Borrowed(list))).collect();
            let changes: Vec<_> = changes.into_iter().collect();
            for run in changes.chunk_by(|a, b| a.0.0 == b.0.0) {
                let term = run[0].0.0;
                let own = key(term, segment_of(shelf));
                let (old, large) = match lists.remove(&term) {
                    Some(list) => (list, false),
                    None => (Cow::Owned(list_row(db, "posting", own)?), true),
                };
                let new = changed_list(&old, run)?;
                let stays_large = new.len() > LARGE;
                if large || stays_large {
                    let old_own: &[u8] = if large { &old } else { &[] };
                    put_list_row(db, "posting", own, old_own, if stays_large { &new } else { &[] })?;
                }
                if !stays_large && !new.is_empty() {
                    lists.insert(term, Cow::Owned(new));
                }
            }
            let lists: Vec<Shelved<'_>> = lists.iter().map(|(term, list)| (term.0 % SHELF, &**list)).collect();
            let row = if lists.is_empty() { Vec::new() } else { write_shelf(&lists) };
            put_list_row(db, "posting_shelf", shelf, &old_row, &row)?;
        }
        Ok(())
    }
}

/// A list with the changes of some files.
fn changed_list(old: &[u8], changes: &[((TermId, u8), Packed)]) -> Result<Vec<u8>> {
    let kept = entries(old)?.into_iter().map(|entry| (entry.file, (entry.count, entry.lines)));
    let mut files: BTreeMap<u8, (u32, &[u8])> = kept.collect();
    for ((_, file), change) in changes {
        match change {
            Some((count, lines)) => files.insert(*file, (*count, lines)),
            None => files.remove(file),
        };
    }
    let (mut list, mut last) = (Vec::with_capacity(old.len() + 16), 0);
    for (file, (count, lines)) in files {
        write_entry(&mut list, u32::from(file) - last, count, lines);
        last = u32::from(file);
    }
    Ok(list)
}

/// The unpacked bytes of a row of postings; nothing if there is none.
fn list_row(db: &Connection, table: &str, key: i64) -> Result<Vec<u8>> {
    match blob(db, table, key)? {
        Some(row) => Ok(unpack_row(&row, "posting")?.into_owned()),
        None => Ok(Vec::new()),
    }
}

/// Writes a row of postings if it changed; an empty one goes away.
fn put_list_row(db: &Connection, table: &str, key: i64, old: &[u8], new: &[u8]) -> Result<()> {
    match (old == new, new.is_empty()) {
        (true, _) => Ok(()),
        (_, true) => put_blob(db, table, key, old, new),
        _ => put_blob(db, table, key, &[], &pack_row(new)),
    }
}

/// The blob of a row in a table of (key, data).
pub(crate) fn blob(db: &Connection, table: &str, key: i64) -> Result<Option<Vec<u8>>> {
    let mut query = db.prepare_cached(&format!("SELECT data FROM {table} WHERE rowid = ?1"))?;
    Ok(query.query_row([key], |row| row.get(0)).optional()?)
}

/// Writes the blob of a row if it changed; an empty one removes the row.
pub(crate) fn put_blob(db: &Connection, table: &str, key: i64, old: &[u8], new: &[u8]) -> Result<()> {
    if old == new {
        return Ok(());
    }
    if new.is_empty() {
        db.prepare_cached(&format!("DELETE FROM {table} WHERE rowid = ?1"))?.execute([key])?;
    } else {
        db.prepare_cached(&format!("INSERT OR REPLACE INTO {table} VALUES (?1, ?2, row_sum(?1, ?2))"))?
            .execute(params![key, new])?;
    }
    Ok(())
}

/// The words of packed facts.
pub(crate) fn words(encoded: &Encoded) -> impl Iterator<Item = TermId> + '_ {
    encoded.names.iter().zip(&encoded.uses).filter(|(_, uses)| **uses & WORD != 0).map(|(name, _)| *name)
}
