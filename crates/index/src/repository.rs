//! Where git keeps what belongs to a folder: in `.git`, or where a file of that name leads.

use std::path::{Path, PathBuf};

use crate::git_command::{Question, ask_git};
use crate::tracked;

/// More is no list of files.
const LARGEST_LIST: u64 = 1 << 30;
/// More is no pointer.
const LARGEST_POINTER: u64 = 1 << 16;

/// A repository whose working tree begins at a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Repository {
    pub(crate) folder: PathBuf,
    /// What belongs to this working tree alone.
    pub(crate) own: PathBuf,
    /// What all working trees of the repository share.
    pub(crate) common: PathBuf,
}

impl Repository {
    /// The repository of which a folder is the top.
    pub(crate) fn at(folder: &Path) -> Option<Repository> {
        let git = folder.join(".git");
        let found = git.symlink_metadata().ok()?;
        if found.is_dir() {
            return Some(Repository { folder: folder.to_owned(), own: git.clone(), common: git });
        }
        let pointer = small(&git)?;
        let own = folder.join(pointer.strip_prefix("gitdir:")?.trim());
        let common = small(&own.join("commondir")).map_or_else(|| own.clone(), |common| own.join(common.trim()));
        Some(Repository { folder: folder.to_owned(), own, common })
    }

    /// Whether this is a linked working tree, a folder that shares the repository of another.
    pub(crate) fn is_linked(&self) -> bool {
        self.own != self.common
    }

    /// Whether this is a part of the repository around it.
    pub(crate) fn is_submodule(&self) -> bool {
        !self.is_linked() && self.own != self.folder.join(".git")
    }

    /// The repository's own list of rules.
    pub(crate) fn exclude(&self) -> PathBuf {
        self.common.join("info/exclude")
    }

    /// The list of the files that git tracks.
    pub(crate) fn list(&self) -> PathBuf {
        self.own.join("index")
    }

    /// The files that git tracks, from the top of the working tree; none if that cannot be found out.
    pub(crate) fn tracked(&self) -> Vec<String> {
        let Some(bytes) = plain(&self.list(), LARGEST_LIST) else { return Vec::new() };
        tracked::parse(&bytes).or_else(|| self.ask()).unwrap_or_default()
    }

    fn ask(&self) -> Option<Vec<String>> {
        let names = ask_git(&self.folder, Question::LsFiles, &["-z"]).ok()?;
        let names = names.split(|byte| *byte == 0).filter(|name| !name.is_empty());
        Some(names.filter_map(|name| String::from_utf8(name.to_vec()).ok()).collect())
    }
}

/// The text of a file that says where something is.
pub(crate) fn small(path: &Path) -> Option<String> {
    String::from_utf8(plain(path, LARGEST_POINTER)?).ok()
}

/// The content of a plain file.
fn plain(path: &Path, most: u64) -> Option<Vec<u8>> {
    codegraph_files::read_below(path.parent()?, path.file_name()?.to_str()?, most).ok()
}
