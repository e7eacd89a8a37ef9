//! The index of a project as one file, for caches: saved with its repository and commit, compared with the tree when it is
//! brought back. Files that differ are read again.

use std::io::{Read, Write};
use std::path::Path;
use std::time::Duration;

use codegraph_store::{load_snapshot, save_snapshot, snapshot_head};
use serde::{Deserialize, Serialize};

use crate::identity::Identity;
use crate::lock::FileLock;
use crate::{Error, Progress, Project, Result, Scope, UpdateOptions, UpdateReport, update};

const PATIENCE: Duration = Duration::from_secs(10);

/// What a snapshot is of.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SnapshotHead {
    /// Always `codegraph`.
    pub made_by: String,
    #[serde(flatten)]
    pub identity: Identity,
}

/// What was brought back, and what had to be read again.
#[derive(Clone, Debug, Serialize)]
pub struct LoadReport {
    #[serde(flatten)]
    pub head: SnapshotHead,
    pub update: UpdateReport,
}

const MADE_BY: &str = "codegraph";

/// Writes the index of a project.
pub fn save(project: &Project, out: &mut dyn Write) -> Result<SnapshotHead> {
    let _lock = FileLock::of_index(project, PATIENCE)?;
    let head = SnapshotHead { made_by: MADE_BY.to_owned(), identity: Identity::of(project) };
    let text = serde_json::to_string(&head).expect("a head is always valid JSON");
    save_snapshot(&project.index_path(), &text, out)?;
    Ok(head)
}

/// Puts a snapshot in the place of the project's index and brings it up to date.
pub fn load(project: &Project, from: &mut dyn Read, path: &Path, progress: &dyn Progress) -> Result<LoadReport> {
    let foreign = || Error::from(codegraph_store::Error::Foreign(path.to_owned()));
    let head: SnapshotHead = serde_json::from_str(&snapshot_head(from, path)?).map_err(|_| foreign())?;
    if head.made_by != MADE_BY {
        return Err(foreign());
    }
    {
        let _lock = FileLock::of_index(project, PATIENCE)?;
        load_snapshot(from, path, &project.index_path())?;
    }
    let update = update(project, Scope::All, &UpdateOptions::default(), progress)?;
    Ok(LoadReport { head, update })
}
