//! Why knowledge could not be read or kept, and what to do about it.

use std::path::{Path, PathBuf};

use codegraph_model::{Advice, Mends, Remedy};

/// The result of every function of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{path}:{line}: {message}")]
    Damaged { path: PathBuf, line: usize, message: String },
    #[error("{path} was not written by codegraph")]
    Foreign { path: PathBuf },
    #[error("'{word}' is no section")]
    UnknownSection { word: String, allowed: Vec<String> },
    #[error("{0} is this project itself")]
    Itself(PathBuf),
    #[error("'{word}' is not linked")]
    NotLinked { word: String, links: Vec<String> },
    #[error("'{word}' is the name of several links")]
    LinkedTwice { word: String, links: Vec<String> },
    #[error("{what}")]
    Invalid { what: String, give: &'static str },
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: std::io::Error },
    #[error(transparent)]
    File(#[from] codegraph_files::Error),
    #[error(transparent)]
    Index(#[from] codegraph_index::Error),
    #[error(transparent)]
    Query(#[from] codegraph_query::Error),
    #[error(transparent)]
    Store(#[from] codegraph_store::Error),
}

impl Mends for Error {
    fn remedy(&self) -> Option<Remedy> {
        Some(match self {
            Error::Damaged { .. } => "correct the file by hand; nothing was changed".into(),
            Error::Foreign { .. } => "move it away, or delete it".into(),
            Error::UnknownSection { allowed, .. } => Remedy::OneOf(allowed.clone()),
            Error::Itself(_) => "give another one".into(),
            Error::NotLinked { links, .. } if links.is_empty() => {
                Advice::default().ask("link").words(" links projects").into()
            }
            Error::NotLinked { links, .. } => Remedy::OneOf(links.clone()),
            Error::LinkedTwice { links, .. } => format!("give the path of one of {}", links.join(", ")).into(),
            Error::Invalid { give, .. } => (*give).into(),
            Error::Io { .. } => "check that it exists and may be accessed".into(),
            Error::File(error) => return error.remedy(),
            Error::Index(error) => return error.remedy(),
            Error::Query(error) => return error.remedy(),
            Error::Store(error) => return error.remedy(),
        })
    }
}

impl Error {
    /// Something that was given cannot be taken, and what could.
    pub(crate) fn invalid(what: impl Into<String>, give: &'static str) -> Error {
        Error::Invalid { what: what.into(), give }
    }

    pub(crate) fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::Io { path, source }
    }

    /// Whether the folder may be read but not written: then there is still something to answer.
    pub fn is_read_only(&self) -> bool {
        use std::io::ErrorKind::{PermissionDenied, ReadOnlyFilesystem, StorageFull};
        let kind = match self {
            Error::Io { source, .. } => source.kind(),
            Error::File(codegraph_files::Error::Io { source, .. }) => source.kind(),
            Error::Index(codegraph_index::Error::Io { source, .. }) => source.kind(),
            Error::Index(codegraph_index::Error::File(codegraph_files::Error::Io { source, .. })) => source.kind(),
            _ => return false,
        };
        matches!(kind, PermissionDenied | ReadOnlyFilesystem | StorageFull)
    }
}
