//! What a compiler knows about files, taken over into their links.

use codegraph_model::FileId;
use codegraph_store::{Access, ImportedLinks};

use crate::link::{Dirty, relink};
use crate::lock::FileLock;
use crate::{Project, Result, UpdateOptions};

/// Keeps what a compiler said about files and links them again; gives how many. A file whose content is no longer the
/// one with the given hash is passed over.
pub fn import_links(
    project: &Project,
    files: &[(FileId, [u8; 32], ImportedLinks)],
    options: &UpdateOptions,
) -> Result<u64> {
    let _lock = FileLock::of_index(project, options.patience)?;
    let mut store = project.store(Access::Write)?;
    let mut update = store.update()?;
    let mut dirty = Dirty::default();
    for (file, hash, links) in files {
        if update.store().file(*file)?.is_some_and(|record| record.hash == *hash) {
            update.put_import(*file, links)?;
            dirty.add_file(*file);
        }
    }
    let relinked = relink(&mut update, dirty)?;
    update.commit()?;
    Ok(relinked)
}
