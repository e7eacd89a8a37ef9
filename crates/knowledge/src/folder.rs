//! Files of ours in `.codegraph/`: read, changed under a lock, and written whole or not at all.

use std::time::Duration;

use codegraph_index::{FileLock, Project};

use crate::{Error, Result};

const PATIENCE: Duration = Duration::from_secs(10);

/// Ours by its name, like everything that begins with that of the index.
const LOCK: &str = "index.db.notes.lock";

/// The text of a file in the folder; nothing if it is not there.
pub(crate) fn read(project: &Project, name: &str) -> Result<Option<String>> {
    let path = project.folder().join(name);
    let Some(bytes) = codegraph_files::read(&path, codegraph_files::SMALL)? else { return Ok(None) };
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
    codegraph_files::replace(&path, new.as_bytes())?;
    Ok((new, true))
}
