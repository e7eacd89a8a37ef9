//! The numbers of what a whole index has: files and texts.

use serde::Serialize;

/// The number of a file; stays the same while the file is in the index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct FileId(pub u32);

/// The number of a text in the dictionary.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct TermId(pub u32);
