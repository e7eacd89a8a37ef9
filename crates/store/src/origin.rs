//! Where an index was made: in this very file, or somewhere else.
//!
//! A repository can bring an index along that says whatever its author likes. An index therefore remembers the file that
//! it was written into: the number that the system gave it and the time when it came into being, which nobody who writes
//! a repository can know beforehand. A file that is moved keeps both; a copy does not, and is built anew.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension};

use crate::update::set_metadata;
use crate::{Error, Result};

const KEY: &str = "made_as";

/// Writes into a new index which file it is.
pub(crate) fn write(db: &Connection, path: &Path) -> Result<()> {
    set_metadata(db, KEY, &identity(path)?)
}

/// Refuses an index that was written into another file.
pub(crate) fn check(db: &Connection, path: &Path) -> Result<()> {
    let mut query = db.prepare("SELECT value FROM metadata WHERE key = ?1")?;
    let made_as: Option<Option<String>> = query.query_row([KEY], |row| row.get(0)).optional()?;
    match made_as.flatten() == Some(identity(path)?) {
        true => Ok(()),
        false => Err(Error::NotMadeHere(path.to_owned())),
    }
}

pub(crate) fn identity(path: &Path) -> Result<String> {
    let found = path.symlink_metadata().map_err(Error::io(path))?;
    let birth = found.created().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    Ok(format!("{:x}-{:x}", number(&found), birth.map_or(0, |birth| birth.as_nanos())))
}

#[cfg(unix)]
fn number(found: &std::fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(found)
}

#[cfg(not(unix))]
fn number(_: &std::fs::Metadata) -> u64 {
    0
}
