//! Why a file is not opened, and what to do about it.

use std::path::{Path, PathBuf};

use codegraph_model::{Mends, Remedy};

/// The result of every fallible operation of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why a file of ours was not opened.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{path} is {what}, and codegraph opens only files of its own there")]
    Odd { path: PathBuf, what: &'static str },
    #[error("{path} has more than {limit} bytes, which is too much for this file")]
    TooLarge { path: PathBuf, limit: u64 },
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: std::io::Error },
}

impl Mends for Error {
    fn remedy(&self) -> Option<Remedy> {
        Some(match self {
            Error::Odd { .. } | Error::TooLarge { .. } => "delete it, then try again".into(),
            Error::Io { .. } => "check that it exists and may be accessed".into(),
        })
    }
}

impl Error {
    pub(crate) fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::Io { path, source }
    }

    pub(crate) fn odd(path: &Path, what: &'static str) -> Error {
        Error::Odd { path: path.to_owned(), what }
    }
}
