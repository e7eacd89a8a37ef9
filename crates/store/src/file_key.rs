//! Files by path, by module and by the modules around theirs: buckets of hashes in the table `file_key`.
//!
//! An SQL index would repeat the texts, which are most of what is stored of a small file. A bucket has the hashes that
//! start with its number, sorted, each with a file; who asks compares the text itself.

use rusqlite::Connection;

use crate::postings::{blob, put_blob};
use crate::wire::{In, put_varint};
use crate::{FileRecord, Result};
use codegraph_model::FileId;

/// What a hash was made of.
#[derive(Clone, Copy)]
pub(crate) enum Key {
    Path,
    Module,
    /// A module that the file's module is inside of.
    Around,
}

/// A hash and a file. The first byte of the hash is the bucket.
pub(crate) type KeyEntry = (u32, FileId);

const TABLE: &str = "file_key";

/// FNV-1a: short, and the same in every release.
pub(crate) fn hash(key: Key, text: &str) -> u32 {
    let step = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    text.bytes().fold(step(0x811c_9dc5, key as u8), step)
}

/// The hashes that lead to a file.
pub(crate) fn hashes(record: &FileRecord) -> Vec<u32> {
    let mut all = vec![hash(Key::Path, &record.path)];
    if !record.module.is_empty() {
        all.push(hash(Key::Module, &record.module));
    }
    let mut rest = record.module.as_str();
    while let Some((around, _)) = rest.rsplit_once(record.separator.as_str()).filter(|_| !record.separator.is_empty()) {
        all.push(hash(Key::Around, around));
        rest = around;
    }
    all
}

const fn bucket(hash: u32) -> i64 {
    (hash >> 24) as i64
}

/// Writes all entries of a first build.
pub(crate) fn write(db: &Connection, mut entries: Vec<KeyEntry>) -> Result<()> {
    entries.sort_unstable();
    for run in entries.chunk_by(|a, b| bucket(a.0) == bucket(b.0)) {
        put_blob(db, TABLE, bucket(run[0].0), &[], &pack(run))?;
    }
    Ok(())
}

/// Makes other hashes lead to a file.
pub(crate) fn replace(db: &Connection, file: FileId, before: &[u32], after: &[u32]) -> Result<()> {
    for hash in before.iter().filter(|hash| !after.contains(hash)) {
        change(db, *hash, |entries| entries.retain(|entry| *entry != (*hash, file)))?;
    }
    for hash in after.iter().filter(|hash| !before.contains(hash)) {
        change(db, *hash, |entries| entries.push((*hash, file)))?;
    }
    Ok(())
}

fn change(db: &Connection, hash: u32, edit: impl FnOnce(&mut Vec<KeyEntry>)) -> Result<()> {
    let old = blob(db, TABLE, bucket(hash))?.unwrap_or_default();
    let mut entries = unpack(&old, hash)?;
    edit(&mut entries);
    entries.sort_unstable();
    entries.dedup();
    put_blob(db, TABLE, bucket(hash), &old, &pack(&entries))
}

/// The files that a hash leads to, by number.
pub(crate) fn find(db: &Connection, hash: u32) -> Result<Vec<FileId>> {
    let row = blob(db, TABLE, bucket(hash))?.unwrap_or_default();
    let found = unpack(&row, hash)?.into_iter().filter(|entry| entry.0 == hash);
    Ok(found.map(|(_, file)| file).collect())
}

fn pack(entries: &[KeyEntry]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(entries.len() * 5);
    let (mut last, mut file) = (entries.first().map_or(0, |entry| entry.0 & 0xff00_0000), 0);
    for (hash, own) in entries {
        file = if *hash == last { file } else { 0 };
        put_varint(&mut bytes, u64::from(hash - last));
        put_varint(&mut bytes, u64::from(own.0 - file));
        (last, file) = (*hash, own.0);
    }
    bytes
}

/// The entries of the bucket of a hash.
fn unpack(bytes: &[u8], hash: u32) -> Result<Vec<KeyEntry>> {
    let mut input = In::new(bytes);
    let mut entries = Vec::with_capacity(bytes.len() / 4);
    let (mut last, mut file) = (hash & 0xff00_0000, 0u32);
    while !input.is_empty() {
        let step = input.number();
        file = if step == 0 { file } else { 0 }.wrapping_add(input.number());
        last = last.wrapping_add(step);
        entries.push((last, FileId(file)));
    }
    input.finish("keys of files")?;
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_back() {
        let entries: Vec<KeyEntry> = [(0x0700_0000, 3), (0x0700_0000, 9), (0x0700_0001, 2), (0x07ff_ffff, 70_000)]
            .map(|(hash, file)| (hash, FileId(file)))
            .to_vec();
        assert_eq!(unpack(&pack(&entries), 0x0712_3456).expect("whole"), entries);
        assert!(unpack(&[0x80], 0).is_err());
    }

    #[test]
    fn a_file_is_found_by_its_path_its_module_and_those_around() {
        let record = FileRecord {
            path: "src/a/b.rs".to_owned(),
            module: "x::a::b".to_owned(),
            separator: "::".to_owned(),
            ..FileRecord::default()
        };
        let around = |module| hash(Key::Around, module);
        let expected = [hash(Key::Path, "src/a/b.rs"), hash(Key::Module, "x::a::b"), around("x::a"), around("x")];
        assert_eq!(hashes(&record), expected);
        let db = Connection::open_in_memory().expect("memory");
        crate::schema::create_tables(&db).expect("tables");
        write(&db, expected.map(|hash| (hash, FileId(5))).to_vec()).expect("written");
        replace(&db, FileId(6), &[], &[around("x")]).expect("written");
        assert_eq!(find(&db, around("x")).expect("whole"), [FileId(5), FileId(6)]);
        replace(&db, FileId(5), &expected, &expected[..3]).expect("written");
        assert_eq!(find(&db, around("x")).expect("whole"), [FileId(6)]);
        assert_eq!(find(&db, expected[0]).expect("whole"), [FileId(5)]);
    }
}
