//! All files of a project as a flat list: what git would see, indexed or not.

use std::sync::Arc;

use ignore::WalkBuilder;
use serde::Serialize;

use crate::data_folder::is_ours;
use crate::project::slashed;
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
    let start = project.absolute(folder);
    let rules = Rules::of(project.root());
    let ignores = Arc::new(rules.ignores(project.root()));
    let mut way: Vec<_> = start.ancestors().take_while(|part| *part != project.root()).collect();
    way.reverse();
    way.into_iter().for_each(|folder| _ = ignores.enter(folder));
    let mut builder = WalkBuilder::new(&start);
    builder.standard_filters(false).follow_links(false).filter_entry(move |entry| {
        let is_dir = entry.file_type().is_some_and(|kind| kind.is_dir());
        let known = entry.depth() == 0;
        let ours = entry.file_name() == ".git" || is_ours(entry.file_name());
        let admitted = known || !ours && !ignores.ignores(entry.path(), is_dir);
        if admitted && is_dir && !known {
            ignores.enter(entry.path());
        }
        admitted
    });
    let mut files: Vec<String> = Vec::new();
    for entry in builder.build().flatten() {
        if entry.file_type().is_some_and(|kind| kind.is_file()) {
            files.extend(entry.path().strip_prefix(project.root()).ok().and_then(slashed));
        }
    }
    files.extend(rules.tracked(project.root()).into_iter().filter(|path| is_below(path, folder)).filter(|path| {
        let absolute = project.absolute(path);
        absolute.symlink_metadata().is_ok_and(|found| found.is_file())
    }));
    files.retain(|path| !path.split('/').any(|part| is_ours(part.as_ref())));
    files.sort_unstable();
    files.dedup();
    Ok(FileTree { total: files.len(), files })
}

fn is_below(path: &str, folder: &str) -> bool {
    folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}
