//! One file after the other with what its references mean: for answers about the whole project, which cannot afford a
//! question per target.

use crate::link::Slots;
use crate::{Error, FileLinks, Result, Store, Stored, body};
use codegraph_model::FileId;

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

impl Store {
    /// A file with its links.
    pub fn walk_file(&self, file: FileId) -> Result<WalkedFile> {
        let stored = self.read_facts(file, Some(body::read_uses))?;
        let links = self.slot_links(file)?;
        if links.bound.last().is_some_and(|bound| bound.reference.index() >= stored.facts.refs.len()) {
            return Err(Error::packed("links do not fit their file"));
        }
        Ok(WalkedFile { stored, links, slots: self.slots(file)? })
    }
}
