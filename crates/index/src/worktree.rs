//! Linked working trees: each is a project of its own, and its first index starts from a sibling's.
//!
//! Git leads from a working tree to its repository, and from there to all its working trees. Only where both ends agree is
//! a folder a sibling: one that merely says so gets nothing, and gives nothing.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::lock::FileLock;
use crate::repository::{Repository, small};
use crate::{Project, Result};

/// How long to wait for another process that starts the same index.
const PATIENCE: Duration = Duration::from_secs(10);

/// The other working trees of the repository that a folder is a linked working tree of; the main one first.
pub(crate) fn siblings(folder: &Path) -> Vec<PathBuf> {
    let own = Repository::at(folder).filter(Repository::is_linked);
    let Some((own, common)) = own.and_then(|own| own.common.canonicalize().ok().map(|common| (own, common))) else {
        return Vec::new();
    };
    if !agrees(&own, &common) {
        return Vec::new();
    }
    let mut found: Vec<PathBuf> = Vec::new();
    if common.file_name().is_some_and(|name| name == ".git") {
        found.extend(common.parent().map(Path::to_owned));
    }
    let entries = std::fs::read_dir(common.join("worktrees")).into_iter().flatten().flatten();
    let mut linked: Vec<PathBuf> = entries.filter_map(|entry| tree_of(&entry.path())).collect();
    linked.sort_unstable();
    let other = |tree: &PathBuf| tree != folder && Repository::at(tree).is_some_and(|tree| agrees(&tree, &common));
    found.extend(linked.into_iter().filter(other));
    found
}

/// Whether a working tree and its repository lead to each other.
fn agrees(tree: &Repository, common: &Path) -> bool {
    let Ok(own) = tree.own.canonicalize() else { return false };
    own.parent() == Some(&common.join("worktrees")) && tree_of(&own).as_deref() == Some(&tree.folder)
}

/// The working tree that an entry of a repository leads to.
fn tree_of(entry: &Path) -> Option<PathBuf> {
    let pointer = small(&entry.join("gitdir"))?;
    entry.join(pointer.trim()).parent()?.canonicalize().ok()
}

/// Starts the index of a linked working tree that has none from that of a sibling. False if there is none to start from.
pub(crate) fn start_from_sibling(project: &Project) -> Result<bool> {
    if !project.config().auto_update {
        return Ok(false);
    }
    for sibling in siblings(project.root()) {
        let Ok(sibling) = Project::open(&sibling) else { continue };
        let _lock = FileLock::of_index(project, PATIENCE)?;
        // Somebody else may have started it meanwhile.
        if project.index_path().exists()
            || codegraph_store::start_from(&sibling.index_path(), &project.index_path()).is_ok()
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The settings of a sibling that has an index, for a working tree that has no settings of its own.
pub(crate) fn settings_of_sibling(folder: &Path) -> Option<crate::Config> {
    let indexed = siblings(folder).into_iter().filter_map(|sibling| Project::open(&sibling).ok());
    let mut indexed = indexed.filter(|sibling| sibling.index_path().exists());
    indexed.find(|sibling| sibling.config().auto_update).map(|sibling| sibling.config().clone())
}
