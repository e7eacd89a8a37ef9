//! Finding symbols by the first digits of their id: per segment, the first 24 bits of every id with its file.
//!
//! 24 bits lead to a few wrong files in the largest projects; their outlines are looked at and dismissed.

use crate::Result;
use crate::wire::{In, put_varint};
use codegraph_model::FileId;

/// The bits of an id that are kept.
pub(crate) const fn prefix(id: u128) -> u32 {
    (id >> 104) as u32
}

/// An entry: prefix and the file's place in its segment.
pub(crate) const fn entry(id: u128, file: FileId) -> u32 {
    prefix(id) << 8 | file.0 & 0xff
}

/// Packs the entries of a segment; sorts them.
pub(crate) fn write(mut entries: Vec<u32>) -> Vec<u8> {
    entries.sort_unstable();
    let mut bytes = Vec::with_capacity(entries.len() * 3 + 8);
    let mut last = 0;
    for entry in entries {
        put_varint(&mut bytes, u64::from(entry - last));
        last = entry;
    }
    bytes
}

/// Unpacks the entries of a segment.
pub(crate) fn read(blob: &[u8]) -> Result<Vec<u32>> {
    let mut input = In::new(blob);
    let mut entries = Vec::with_capacity(blob.len() / 2);
    let mut last = 0u32;
    while !input.is_empty() {
        last = last.wrapping_add(input.number());
        entries.push(last);
    }
    input.finish("symbol prefixes")?;
    Ok(entries)
}

/// The places of the files that have a symbol with this prefix.
pub(crate) fn find(blob: &[u8], prefix: u32) -> Result<Vec<u8>> {
    let entries = read(blob)?;
    let from = entries.partition_point(|entry| entry >> 8 < prefix);
    let mut files: Vec<u8> =
        entries[from..].iter().take_while(|entry| **entry >> 8 == prefix).map(|entry| *entry as u8).collect();
    files.dedup();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_by_the_first_bits() {
        let id = |bits: u128| bits << 104 | 99;
        let all = [(id(0xabcdef), 7), (id(0xabcdef), 7), (id(0xabcdef), 9), (id(1), 255), (id(0xff_ffff), 0)];
        let blob = write(all.iter().map(|(id, file)| entry(*id, FileId(*file))).collect());
        assert_eq!(find(&blob, 0xabcdef).expect("whole"), [7, 9]);
        assert_eq!(find(&blob, 1).expect("whole"), [255]);
        assert_eq!(find(&blob, 0xff_ffff).expect("whole"), [0]);
        assert!(find(&blob, 2).expect("whole").is_empty());
    }
}
