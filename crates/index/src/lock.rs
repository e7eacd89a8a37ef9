//! One writer at a time: an advisory lock on a file beside the index, freed by the system when its holder dies.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::time::{Duration, Instant};

use crate::{Error, Project, Result};

const RETRY: Duration = Duration::from_millis(10);

/// The right to write; given back when dropped.
pub(crate) struct WriteLock {
    _file: File,
}

impl WriteLock {
    /// Takes the lock; waits up to `patience` for another writer.
    pub(crate) fn take(project: &Project, patience: Duration) -> Result<WriteLock> {
        let path = project.folder().join("index.db.lock");
        let mut file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(&path)
            .map_err(Error::io(&path))?;
        let deadline = Instant::now() + patience;
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if Instant::now() < deadline => std::thread::sleep(RETRY),
                Err(TryLockError::WouldBlock) => {
                    return Err(Error::Locked { path: project.index_path(), by: holder(&mut file) });
                }
                Err(TryLockError::Error(source)) => return Err(Error::Io { path, source }),
            }
        }
        // Only for the message that another process shows; the lock itself does not need it.
        let _ = file.set_len(0).and_then(|()| file.write_all(std::process::id().to_string().as_bytes()));
        Ok(WriteLock { _file: file })
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
