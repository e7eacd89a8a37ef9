//! Why something about SCIP failed, and what to do about it.

use std::path::PathBuf;

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
    #[error("'{path}' could not be read: {reason}; check that it is there and readable")]
    Unreadable { path: PathBuf, reason: String },
    #[error("'{path}' is no SCIP index ({reason}): give a file that a SCIP indexer wrote, packed with gzip or not")]
    NotScip { path: PathBuf, reason: String },
    #[error("the index could not be written: {0}")]
    Write(#[from] std::io::Error),
    #[error("a document could not be encoded: {0}")]
    Encode(#[from] protobuf::Error),
}
