//! Files of ours in `.codegraph/`: read, changed under a lock, and written whole or not at all.

use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::time::Duration;

use codegraph_index::{FileLock, Project};

use crate::{Error, Result};

const PATIENCE: Duration = Duration::from_secs(10);

/// Ours by its name, like everything that begins with that of the index.
const LOCK: &str = "index.db.notes.lock";

/// The text of a file in the folder; nothing if it is not there.
pub(crate) fn read(project: &Project, name: &str) -> Result<Option<String>> {
    let path = project.folder().join(name);
    match path.symlink_metadata() {
        Ok(metadata) if !metadata.is_file() => return Err(Error::NoFile { path }),
        Ok(_) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Error::io(&path)(error)),
    }
    let bytes = std::fs::read(&path).map_err(Error::io(&path))?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Some(text)),
        Err(error) => {
            let line = 1 + error.as_bytes()[..error.utf8_error().valid_up_to()].iter().filter(|b| **b == b'\n').count();
            Err(Error::Damaged { path, line, message: "not UTF-8".to_owned() })
        }
    }
}

/// Changes a file. `change` sees what is there now and says what is to be there; others wait meanwhile. Says whether
/// something was written.
pub(crate) fn change(
    project: &Project,
    name: &str,
    change: impl FnOnce(Option<&str>) -> Result<String>,
) -> Result<(String, bool)> {
    let path = project.folder().join(name);
    let _lock = FileLock::take(&project.folder().join(LOCK), &path, PATIENCE)?;
    let old = read(project, name)?;
    let new = change(old.as_deref())?;
    if old.as_deref() == Some(&new) {
        return Ok((new, false));
    }
    replace(project, &path, &new)?;
    Ok((new, true))
}

fn replace(project: &Project, path: &Path, text: &str) -> Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let temporary = project.folder().join(format!("index.db.{name}.{}", std::process::id()));
    let written = File::create(&temporary).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()
    });
    let moved = written.and_then(|()| std::fs::rename(&temporary, path));
    moved.map_err(|error| {
        // What could not be moved is of no use to anybody.
        let _ = std::fs::remove_file(&temporary);
        Error::io(path)(error)
    })
}
