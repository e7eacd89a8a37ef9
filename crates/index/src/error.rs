//! What can go wrong on the write side, and what to do about it.

use std::path::{Path, PathBuf};

/// The result of every fallible operation of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a project could not be found, read or indexed. Each message names the remedy.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("no codegraph project at or above {0}: run 'codegraph init' in the project's folder")]
    NoProject(PathBuf),
    #[error(
        "{root} is a repository of its own without an index: run 'codegraph init' there, or ask the project around it \
         with --project {outer}"
    )]
    NoIndexHere { root: PathBuf, outer: PathBuf },
    #[error("{0} is not a folder: give the project's folder")]
    NotAFolder(PathBuf),
    #[error("{path}:{line}:{column}: {message}: correct the file, or delete it to go back to the defaults")]
    Config { path: PathBuf, line: usize, column: usize, message: String },
    #[error("unknown language '{word}': the languages are {allowed}")]
    UnknownLanguage { word: String, allowed: String },
    #[error("'{glob}' is not a valid pattern ({message}): patterns are written as in .gitignore")]
    Pattern { glob: String, message: String },
    #[error("{path} is outside the project {root}: give a path inside it")]
    Outside { path: PathBuf, root: PathBuf },
    #[error("{0} is outside of what this server was started for: give the server '--root {0}' if it should serve it")]
    NotServed(PathBuf),
    #[error("the name of {0:?} is not UTF-8: rename the file")]
    NotUtf8(PathBuf),
    #[error("no file {0}, neither on disk nor in the index: check the path")]
    NoSuchFile(String),
    #[error("lines {first}-{last} are no range: give them as FIRST-LAST, from 1")]
    Lines { first: u32, last: u32 },
    #[error("another codegraph process{by} is writing {path}: wait for it to finish, then try again")]
    Locked { path: PathBuf, by: String },
    #[error("'{0}' is not a git revision: give a commit, branch or tag")]
    Revision(String),
    #[error("git: {0}")]
    Git(String),
    #[error("the 'git' command could not be run ({0}): install git, or use 'codegraph update'")]
    NoGit(std::io::Error),
    #[error("stopped before it was finished; nothing was changed")]
    Cancelled,
    #[error("{path}: {source}; check that it exists and may be accessed")]
    Io { path: PathBuf, source: std::io::Error },
    #[error(transparent)]
    Store(#[from] codegraph_store::Error),
}

impl Error {
    pub(crate) fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::Io { path, source }
    }
}
