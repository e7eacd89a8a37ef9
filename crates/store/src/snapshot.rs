//! An index as one compressed file, to be kept and brought back: its head says what it is, the rest is the index itself.
//!
//! The head is a frame that decompressors skip, so that `zstd -d` gives the index.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;

use rusqlite::OpenFlags;

use crate::build::TEMPORARY;
use crate::schema::{connect, has_wal, neighbour};
use crate::{Access, Error, Result, SCHEMA_VERSION, Store, inspect, origin, row_sum};

/// How a frame begins that is skipped.
const SKIPPED: [u8; 4] = [0x50, 0x2a, 0x4d, 0x18];
/// More is no head of ours.
const LARGEST_HEAD: u32 = 1 << 16;
/// How hard the compressor tries: the index is packed already.
const EFFORT: i32 = 6;

/// Writes an index with a head in front. While it is read nobody writes to it.
pub fn save_snapshot(from: &Path, head: &str, out: &mut dyn Write) -> Result<()> {
    let store = Store::open(from, Access::Write)?;
    // What is in the log goes into the file.
    let busy: i64 = store.db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
    store.db.execute_batch("BEGIN IMMEDIATE")?;
    if busy != 0 || has_wal(from) {
        return Err(Error::Locked);
    }
    let missing = || Error::NotFound(from.to_owned());
    let mut index = codegraph_files::open(from)?.ok_or_else(missing)?;
    let mut write = || -> std::io::Result<()> {
        out.write_all(&SKIPPED)?;
        out.write_all(&(head.len() as u32).to_le_bytes())?;
        out.write_all(head.as_bytes())?;
        zstd::stream::copy_encode(&mut index, &mut *out, EFFORT)?;
        out.flush()
    };
    write().map_err(Error::io(from))
}

/// The head of a snapshot.
pub fn snapshot_head(from: &mut dyn Read, path: &Path) -> Result<String> {
    let foreign = || Error::Foreign(path.to_owned());
    let mut start = [0; 8];
    from.read_exact(&mut start).map_err(|_| foreign())?;
    let length = u32::from_le_bytes(start[4..].try_into().expect("four bytes"));
    if start[..4] != SKIPPED || length > LARGEST_HEAD {
        return Err(foreign());
    }
    let mut head = vec![0; length as usize];
    from.read_exact(&mut head).map_err(|_| foreign())?;
    String::from_utf8(head).map_err(|_| foreign())
}

/// Puts the rest of a snapshot in the place of an index, whole or not at all. Everything that sums protect is looked at
/// first. Who calls this holds the lock of the index.
pub fn load_snapshot(from: &mut dyn Read, path: &Path, to: &Path) -> Result<()> {
    let temporary = neighbour(to, &format!("{TEMPORARY}{}", std::process::id()));
    let made = unpack(from, path, &temporary).and_then(|()| {
        for suffix in ["-wal", "-shm"] {
            let _ = fs::remove_file(neighbour(to, suffix));
        }
        fs::rename(&temporary, to).map_err(Error::io(to))
    });
    if made.is_err() {
        for suffix in ["", "-wal", "-shm"] {
            let _ = fs::remove_file(neighbour(&temporary, suffix));
        }
    }
    made
}

fn unpack(from: &mut dyn Read, path: &Path, to: &Path) -> Result<()> {
    let mut file = codegraph_files::create(to)?;
    zstd::stream::copy_decode(from, &mut file).map_err(|_| Error::Foreign(path.to_owned()))?;
    file.sync_all().map_err(Error::io(to))?;
    let found = inspect(to)?;
    if found != SCHEMA_VERSION {
        return Err(Error::OlderSchema { found, known: SCHEMA_VERSION });
    }
    let db = connect(to, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    row_sum::register(&db)?;
    db.execute_batch("BEGIN IMMEDIATE")?;
    // Whoever brings it back says that it is to be believed.
    origin::write(&db, to)?;
    row_sum::seal_public(&db)?;
    db.execute_batch("COMMIT")?;
    db.close().map_err(|(_, error)| Error::from(error))?;
    let complaints = Store::open(to, Access::Read)?.integrity()?;
    match complaints.into_iter().next() {
        Some(complaint) => Err(Error::Corrupt(complaint)),
        None => Ok(()),
    }
}
