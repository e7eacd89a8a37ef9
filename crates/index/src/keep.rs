//! Small facts that later answers build on, kept in the index's metadata.

use std::time::Duration;

use codegraph_store::Access;

use crate::lock::FileLock;
use crate::{Project, Result};

/// Another writer is not waited for long: what is kept here can be found again.
const PATIENCE: Duration = Duration::from_millis(500);

/// Keeps pairs of key and value.
pub fn keep_metadata(project: &Project, pairs: &[(&str, String)]) -> Result<()> {
    let _lock = FileLock::of_index(project, PATIENCE)?;
    let mut store = project.store(Access::Write)?;
    let mut update = store.update()?;
    for (key, value) in pairs {
        update.set_metadata(key, value)?;
    }
    Ok(update.commit()?)
}
