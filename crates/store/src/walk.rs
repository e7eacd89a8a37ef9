//! One file after the other with what its references mean: for answers about the whole project, which cannot afford a
//! question per target.

use rusqlite::OptionalExtension;

use crate::link::{self, Slots};
use crate::{Error, FileId, FileLinks, Result, Store, Stored, body, outline, wire};

/// A file as a walk over all files meets it.
#[derive(Debug)]
pub struct WalkedFile {
    /// Outline, scopes, references, bindings and imports. Expressions, notes and ordinals are empty.
    pub stored: Stored,
    /// What the references mean. Symbols of targets are *slots* of their files: see [`Slots`].
    pub links: FileLinks,
    /// Turns the slots of this file into its symbols.
    pub slots: Slots,
}

type Row = (Vec<u8>, Vec<u8>, Option<Vec<u8>>, Option<Vec<u8>>);

impl Store {
    /// A file with its links in one read.
    pub fn walk_file(&self, file: FileId) -> Result<WalkedFile> {
        let mut query = self.db.prepare_cached(
            "SELECT outline, body, data, slots FROM facts LEFT JOIN link ON link.file = facts.file
                 WHERE facts.file = ?1",
        )?;
        let row: Option<Row> =
            query.query_row([file.0], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))).optional()?;
        let (packed_outline, packed_body, data, slots) =
            row.ok_or_else(|| Error::packed("facts: a file is missing"))?;
        let mut stored = outline::read(&wire::decompress(&packed_outline, "outline")?)?;
        body::read_uses(&wire::decompress(&packed_body, "body")?, &mut stored)?;
        let links = data.map_or(Ok(FileLinks::default()), |row| link::unpack(&row))?;
        if links.bound.last().is_some_and(|bound| bound.reference.index() >= stored.facts.refs.len()) {
            return Err(Error::packed("links do not fit their file"));
        }
        let slots = slots.map_or(Ok(Slots::default()), |row| Slots::unpack(&row))?;
        Ok(WalkedFile { stored, links, slots })
    }
}
