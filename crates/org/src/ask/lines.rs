//! Lines of source from the texts of the store, where they were pushed.

use rustc_hash::FxHashMap;

use crate::{Org, Result};

/// A text beyond this was not pushed by us.
const LARGEST: usize = 64 << 20;

/// Texts by hash.
pub(super) struct Texts(FxHashMap<String, Vec<u8>>);

impl Org {
    pub(super) fn texts<'h>(&self, hashes: impl Iterator<Item = &'h str>) -> Result<Texts> {
        let mut wanted: Vec<String> = hashes.map(str::to_owned).collect();
        wanted.sort_unstable();
        wanted.dedup();
        let rows = self.rows("SELECT hash, text FROM content WHERE hash = ANY($1)", &[&wanted])?;
        let mut texts = FxHashMap::default();
        for row in rows {
            let packed: Vec<u8> = row.get(1);
            let capacity = zstd::bulk::Decompressor::upper_bound(&packed).unwrap_or(LARGEST).min(LARGEST);
            texts.insert(row.get(0), zstd::bulk::decompress(&packed, capacity)?);
        }
        Ok(Texts(texts))
    }
}

impl Texts {
    pub(super) fn whole(&self, hash: &str) -> Option<Vec<u8>> {
        self.0.get(hash).cloned()
    }

    /// A line, counted from 1, without the white space around it.
    pub(super) fn line(&self, hash: &str, number: u32) -> Option<String> {
        let text = self.0.get(hash)?;
        let line = text.split(|byte| *byte == b'\n').nth(number.checked_sub(1)? as usize)?;
        Some(String::from_utf8_lossy(line).trim().chars().take(300).collect())
    }
}
