//! Links to other projects, in the index of the one that uses them.

use codegraph_store::{Access, Dependency};

use crate::lock::FileLock;
use crate::{Project, Result, UpdateOptions};

/// Adds a link to another project, or changes its name.
pub fn put_dependency(
    project: &Project,
    path: &str,
    name: &str,
    last_checked: i64,
    options: &UpdateOptions,
) -> Result<Option<Dependency>> {
    let _lock = FileLock::of_index(project, options.patience)?;
    let mut store = project.store(Access::Write)?;
    let mut update = store.update()?;
    update.put_dependency(path, Some(name), Some(last_checked))?;
    update.commit()?;
    Ok(store.dependencies()?.into_iter().find(|one| one.path == path))
}

/// Removes a link; says whether there was one.
pub fn remove_dependency(project: &Project, path: &str, options: &UpdateOptions) -> Result<bool> {
    let _lock = FileLock::of_index(project, options.patience)?;
    let mut store = project.store(Access::Write)?;
    let mut update = store.update()?;
    let removed = update.remove_dependency(path)?;
    update.commit()?;
    Ok(removed)
}
