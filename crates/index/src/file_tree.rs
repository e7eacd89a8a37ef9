//! All files of a project as a flat list: what git would see, indexed or not.

use ignore::WalkBuilder;
use serde::Serialize;

use crate::project::{FOLDER, slashed};
use crate::rules::Rules;
use crate::{Project, Result};

/// The files of a project.
#[derive(Clone, Debug, Serialize)]
pub struct FileTree {
    /// Root-relative, sorted.
    pub files: Vec<String>,
    pub total: usize,
}

/// Lists the files of a project, or of a folder of it. Ignored files, `.git` and `.codegraph` are left out.
pub fn file_tree(project: &Project, folder: &str) -> Result<FileTree> {
    let mut builder = WalkBuilder::new(project.absolute(folder));
    Rules::of(project.root()).apply(&mut builder);
    builder.hidden(false).filter_entry(|entry| entry.file_name() != ".git" && entry.file_name() != FOLDER);
    let mut files: Vec<String> = Vec::new();
    for entry in builder.build().flatten() {
        if entry.file_type().is_some_and(|kind| kind.is_file()) {
            files.extend(entry.path().strip_prefix(project.root()).ok().and_then(slashed));
        }
    }
    files.sort_unstable();
    Ok(FileTree { total: files.len(), files })
}
