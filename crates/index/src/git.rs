//! `sync_git`: exactly what git says has changed between two revisions, by the `git` command.

use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::git_command::{Question, ask_git};
use crate::update::{FileEdit, update_named};
use crate::{Error, Progress, Project, Result, UpdateOptions, UpdateReport};

/// How a file differs between two revisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum GitStatus {
    Added,
    Modified,
    Deleted,
    /// Turned into a link, or back.
    TypeChanged,
}

/// A file that differs between two revisions. Root-relative.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GitChange {
    pub path: String,
    pub status: GitStatus,
}

/// What git named, and what the index made of it.
#[derive(Clone, Debug, Serialize)]
pub struct GitReport {
    /// Everything inside the project that git says has changed, indexable or not, by path.
    pub changes: Vec<GitChange>,
    pub update: UpdateReport,
}

/// Brings the files up to date that differ between two revisions. They are read from the working tree: a file that
/// git deleted but that is there stays.
pub fn sync_git(
    project: &Project,
    from: &str,
    to: &str,
    options: &UpdateOptions,
    progress: &dyn Progress,
) -> Result<GitReport> {
    let changes = changes(project, from, to)?;
    let edits: Vec<FileEdit> = changes
        .iter()
        .filter(|change| is_plain(project, &change.path))
        .map(|change| FileEdit { path: PathBuf::from(&change.path), lines: None })
        .collect();
    let mut update = update_named(project, &edits, options, progress)?;
    // Files that are not source are no surprise here.
    update.skipped.retain(|skipped| codegraph_languages::for_path(&skipped.path).next().is_some());
    Ok(GitReport { changes, update })
}

/// Links and submodules are not indexed; what a link points to is not what git named.
fn is_plain(project: &Project, path: &str) -> bool {
    match project.absolute(path).symlink_metadata() {
        Ok(metadata) => metadata.is_file(),
        Err(_) => true,
    }
}

/// Fails where there is no history to ask about.
pub(crate) fn in_repository(project: &Project) -> Result<()> {
    let has_one = |folder: &Path| folder.join(".git").exists();
    match project.root().ancestors().any(has_one) || std::env::var_os("GIT_DIR").is_some() {
        true => Ok(()),
        false => Err(Error::NoRepository(project.root().to_owned())),
    }
}

fn changes(project: &Project, from: &str, to: &str) -> Result<Vec<GitChange>> {
    in_repository(project)?;
    for revision in [from, to] {
        // It would be taken for an option.
        if revision.is_empty() || revision.starts_with('-') {
            return Err(Error::Revision(revision.to_owned()));
        }
    }
    let how = ["-r", "-z", "--name-status", "--no-renames", "--relative", "--end-of-options", from, to, "--"];
    Ok(parse(&ask_git(project.root(), Question::DiffTree, &how)?))
}

/// `STATUS NUL PATH NUL`, again and again. Names that are not UTF-8 cannot be in the index.
fn parse(output: &[u8]) -> Vec<GitChange> {
    let mut fields = output.split(|byte| *byte == 0);
    let mut changes = Vec::new();
    while let (Some(status), Some(path)) = (fields.next(), fields.next()) {
        let status = match status.first() {
            Some(b'A') => GitStatus::Added,
            Some(b'D') => GitStatus::Deleted,
            Some(b'T') => GitStatus::TypeChanged,
            _ => GitStatus::Modified,
        };
        if let Ok(path) = std::str::from_utf8(path) {
            changes.push(GitChange { path: path.to_owned(), status });
        }
    }
    changes.sort_by(|a, b| a.path.cmp(&b.path));
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_newlines_are_read_whole() {
        let changes = parse(b"M\0a b.py\0D\0new\nline.py\0");
        assert_eq!(changes.len(), 2);
        assert_eq!(changes[1], GitChange { path: "new\nline.py".to_owned(), status: GitStatus::Deleted });
    }
}
