//! One writer at a time: an advisory lock on a file beside the index, freed by the system when its holder dies.

use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use crate::{Error, Project, Result};

const RETRY: Duration = Duration::from_millis(10);

/// The right to write; given back when dropped.
pub struct FileLock {
    _file: File,
}

impl FileLock {
    /// Takes the lock on a file; waits up to `patience` for another holder. `guarded` is what it protects, for messages.
    pub fn take(path: &Path, guarded: &Path, patience: Duration) -> Result<FileLock> {
        let mut file = codegraph_files::lock(path)?;
        let deadline = Instant::now() + patience;
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if Instant::now() < deadline => std::thread::sleep(RETRY),
                Err(TryLockError::WouldBlock) => {
                    return Err(Error::Locked { path: guarded.to_owned(), by: holder(&mut file) });
                }
                Err(TryLockError::Error(source)) => return Err(Error::io(path)(source)),
            }
        }
        // Only for the message that another process shows; the lock itself does not need it.
        let _ = file.set_len(0).and_then(|()| file.write_all(std::process::id().to_string().as_bytes()));
        Ok(FileLock { _file: file })
    }

    /// The lock on the index of a project.
    pub(crate) fn of_index(project: &Project, patience: Duration) -> Result<FileLock> {
        FileLock::take(&project.folder().join("index.db.lock"), &project.index_path(), patience)
    }
}

fn holder(file: &mut File) -> String {
    let mut text = String::new();
    let read = file.rewind().and_then(|()| file.read_to_string(&mut text));
    match (read, text.trim().parse::<u32>()) {
        (Ok(_), Ok(pid)) => format!(" ({pid})"),
        _ => String::new(),
    }
}
