//! What can go wrong on the write side, and what to do about it.

use std::path::{Path, PathBuf};

use codegraph_model::{Advice, Mends, Remedy};

/// The result of every fallible operation of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a project could not be found, read or indexed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("no codegraph project at or above {0}")]
    NoProject(PathBuf),
    #[error("'{0}' cannot be the folder of the index")]
    DataFolder(String),
    #[error("{root} is a repository of its own without an index")]
    NoIndexHere { root: PathBuf, outer: PathBuf },
    #[error("{0} is not a folder")]
    NotAFolder(PathBuf),
    #[error("{path}:{line}:{column}: {message}")]
    Config { path: PathBuf, line: usize, column: usize, message: String },
    #[error("unknown language '{word}'")]
    UnknownLanguage { word: String, allowed: Vec<String> },
    #[error("'{glob}' is not a valid pattern ({message})")]
    Pattern { glob: String, message: String },
    #[error("{path} is outside the project {root}")]
    Outside { path: PathBuf, root: PathBuf },
    #[error("{0} is outside of what this server was started for")]
    NotServed(PathBuf),
    #[error("the name of {0:?} is not UTF-8")]
    NotUtf8(PathBuf),
    #[error("no file {0}, neither on disk nor in the index")]
    NoSuchFile(String),
    #[error("lines {first}-{last} are no range")]
    Lines { first: u32, last: u32 },
    #[error("another codegraph process{by} is writing {path}")]
    Locked { path: PathBuf, by: String },
    #[error("'{0}' is not a git revision")]
    Revision(String),
    #[error("{} is in no git repository", .0.display())]
    NoRepository(PathBuf),
    #[error("git: {0}")]
    Git(String),
    #[error("the 'git' command could not be run ({0})")]
    NoGit(std::io::Error),
    #[error("stopped before it was finished; nothing was changed")]
    Cancelled,
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: std::io::Error },
    #[error(transparent)]
    File(#[from] codegraph_files::Error),
    #[error(transparent)]
    Store(#[from] codegraph_store::Error),
}

impl Mends for Error {
    fn remedy(&self) -> Option<Remedy> {
        Some(match self {
            Error::DataFolder(_) => "give .codegraph, or a name that begins with .codegraph-".into(),
            Error::NoProject(_) => Advice::run("init").words(" in the project's folder").into(),
            Error::NoIndexHere { outer, .. } => {
                let around = format!(" there, or ask the project around it with --project {}", outer.display());
                Advice::run("init").words(around).into()
            }
            Error::NotAFolder(_) => "give the project's folder".into(),
            Error::Config { .. } => "correct the file, or delete it to go back to the defaults".into(),
            Error::UnknownLanguage { allowed, .. } => Remedy::OneOf(allowed.clone()),
            Error::Pattern { .. } => "patterns are written as in .gitignore".into(),
            Error::Outside { .. } => "give a path inside it".into(),
            Error::NotServed(path) => {
                format!("give the server '--root {}' if it should serve it", path.display()).into()
            }
            Error::NotUtf8(_) => "rename the file".into(),
            Error::NoSuchFile(_) => "check the path".into(),
            Error::Lines { .. } => "give them as FIRST-LAST, from 1".into(),
            Error::Locked { .. } => "wait for it to finish, then try again".into(),
            Error::Revision(_) => "give a commit, branch or tag".into(),
            Error::NoRepository(_) => Advice::new("without a history there is ").ask("update").into(),
            Error::NoGit(_) => Advice::new("install git, or use ").ask("update").into(),
            Error::Io { .. } => "check that it exists and may be accessed".into(),
            Error::Git(_) => {
                Advice::new("check the repository and the revisions; ").ask("update").words(" needs no git").into()
            }
            Error::Cancelled => return None,
            Error::File(error) => return error.remedy(),
            Error::Store(error) => return error.remedy(),
        })
    }
}

impl Error {
    pub(crate) fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::Io { path, source }
    }
}
