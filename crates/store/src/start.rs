//! An index that starts as a copy of another one: that of a working tree from its sibling's, that of a branch from the
//! state before. Where the file system can, the copy shares its blocks with the original, and the disk grows by what
//! differs.

use std::fs;
use std::path::Path;
use std::time::Duration;

use rusqlite::OpenFlags;

use crate::build::{BESIDE, TEMPORARY};
use crate::schema::{connect, has_wal, neighbour};
use crate::{Access, Error, Result, Store, origin, row_sum};

/// How long to wait for those who read or write the original: without the copy everything only takes longer.
const PATIENCE: Duration = Duration::from_secs(1);

/// Makes a copy of an index, whole or not at all, in place of what is there. The tree that it describes is the other one
/// until it is brought up to date. Who calls this holds the lock of the new one.
pub fn start_from(from: &Path, to: &Path) -> Result<()> {
    let theirs = Store::open(from, Access::Write)?;
    theirs.db.busy_timeout(PATIENCE)?;
    // What is in the log goes into the file; then nobody writes to it until the copy is made.
    let busy: i64 = theirs.db.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
    theirs.db.execute_batch("BEGIN IMMEDIATE")?;
    if busy != 0 || has_wal(from) {
        return Err(Error::Locked);
    }
    let temporary = neighbour(to, &format!("{TEMPORARY}{}", std::process::id()));
    let made = copy(from, &temporary).and_then(|()| {
        // The log of a replaced index would be replayed into the new one.
        for suffix in BESIDE {
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

fn copy(from: &Path, to: &Path) -> Result<()> {
    codegraph_files::copy(from, to)?;
    let db = connect(to, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    row_sum::register(&db)?;
    db.execute_batch("BEGIN IMMEDIATE")?;
    // The copy is made here, by us, of one that was.
    origin::write(&db, to)?;
    row_sum::seal_public(&db)?;
    db.execute_batch("COMMIT")?;
    db.close().map_err(|(_, error)| error.into())
}
