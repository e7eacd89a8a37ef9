//! Why something about SCIP failed, and what to do about it.

use std::path::PathBuf;

use codegraph_model::{Mends, Remedy};

/// The result of everything about SCIP.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What can go wrong.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Store(#[from] codegraph_store::Error),
    #[error(transparent)]
    Index(#[from] codegraph_index::Error),
    #[error(transparent)]
    Query(#[from] codegraph_query::Error),
    #[error("'{path}' could not be read: {reason}")]
    Unreadable { path: PathBuf, reason: String },
    #[error("'{path}' is no SCIP index ({reason})")]
    NotScip { path: PathBuf, reason: String },
    #[error("the index could not be written: {0}")]
    Write(#[from] std::io::Error),
    #[error("it is no message of the format: {0}")]
    Decode(#[from] prost::DecodeError),
}

impl Mends for Error {
    fn remedy(&self) -> Option<Remedy> {
        match self {
            Error::Store(error) => error.remedy(),
            Error::Index(error) => error.remedy(),
            Error::Query(error) => error.remedy(),
            Error::Unreadable { .. } => Some("check that it is there and readable".into()),
            Error::NotScip { .. } => Some("give a file that a SCIP indexer wrote, packed with gzip or not".into()),
            Error::Write(_) | Error::Decode(_) => None,
        }
    }
}
