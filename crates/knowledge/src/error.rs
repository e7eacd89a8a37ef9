//! Why knowledge could not be read or kept, and what to do about it.

use std::path::{Path, PathBuf};

/// The result of every function of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong. Each message names the remedy.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{path}:{line}: {message}: correct the file by hand; nothing was changed")]
    Damaged { path: PathBuf, line: usize, message: String },
    #[error("{path} was not written by codegraph: move it away, or delete it")]
    Foreign { path: PathBuf },
    #[error("{path} is a link or no file: move it away, so that codegraph can write there")]
    NoFile { path: PathBuf },
    #[error("'{word}' is no section: give one of {allowed}")]
    UnknownSection { word: String, allowed: String },
    #[error("{0} is this project itself: give another one")]
    Itself(PathBuf),
    #[error("'{word}' is not linked: {known}")]
    NotLinked { word: String, known: String },
    #[error("{0}")]
    Invalid(String),
    #[error("{path}: {source}; check that it exists and may be accessed")]
    Io { path: PathBuf, source: std::io::Error },
    #[error(transparent)]
    Index(#[from] codegraph_index::Error),
    #[error(transparent)]
    Query(#[from] codegraph_query::Error),
    #[error(transparent)]
    Store(#[from] codegraph_store::Error),
}

impl Error {
    pub(crate) fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::Io { path, source }
    }

    /// Whether the folder may be read but not written: then there is still something to answer.
    pub fn is_read_only(&self) -> bool {
        use std::io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem, StorageFull};
        let kind = match self {
            Error::Io { source, .. } => source.kind(),
            Error::Index(codegraph_index::Error::Io { source, .. }) => source.kind(),
            _ => return false,
        };
        matches!(kind, PermissionDenied | ReadOnlyFilesystem | StorageFull)
    }
}
