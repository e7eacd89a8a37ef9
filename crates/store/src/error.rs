//! What can go wrong with an index, and what to do about it.

use std::path::PathBuf;

/// The result of every fallible operation of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why an index could not be read or written. Each message names the remedy.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("no index at {0}: run 'codegraph init'")]
    NotFound(PathBuf),
    #[error("{0} was not made by codegraph and was left untouched: move it away, then run 'codegraph init'")]
    Foreign(PathBuf),
    #[error("the index is damaged ({0}): delete .codegraph/index.db and run 'codegraph init'")]
    Corrupt(String),
    #[error(
        "the index {path} has schema {found}, this codegraph knows up to {known}: \
         install a newer codegraph, or delete the index and run 'codegraph init'"
    )]
    NewerSchema { path: PathBuf, found: u32, known: u32 },
    #[error("the index has schema {found} and needs an upgrade to {known}: run 'codegraph update'")]
    OlderSchema { found: u32, known: u32 },
    #[error("another process is writing the index: wait for it to finish, then try again")]
    Locked,
    #[error("not a read-only SQL statement: {0}; 'codegraph sql' takes one SELECT")]
    NotReadOnly(String),
    #[error("the statement was stopped after {0} s: give more time with --timeout, or ask for less")]
    TooLong(f64),
    #[error("the statement needs more than {0} MB of memory: give it a WHERE or a LIMIT inside")]
    TooMuch(u64),
    #[error("SQL: {0}")]
    Statement(String),
    #[error("index: {0}; if this repeats, delete the index and run 'codegraph init'")]
    Sqlite(#[source] rusqlite::Error),
    #[error("{path}: {source}; check that the folder exists and may be written")]
    Io { path: PathBuf, source: std::io::Error },
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Error {
        use rusqlite::ErrorCode::{DatabaseBusy, DatabaseCorrupt, DatabaseLocked, NotADatabase};
        match error.sqlite_error_code() {
            Some(DatabaseBusy | DatabaseLocked) => Error::Locked,
            Some(DatabaseCorrupt | NotADatabase) => Error::Corrupt(error.to_string()),
            _ => Error::Sqlite(error),
        }
    }
}

impl Error {
    /// Whether SQLite could not open or write a file beside the index.
    pub(crate) fn is_about_files(error: &rusqlite::Error) -> bool {
        use rusqlite::ErrorCode::{CannotOpen, PermissionDenied, ReadOnly, SystemIoFailure};
        matches!(error.sqlite_error_code(), Some(CannotOpen | PermissionDenied | ReadOnly | SystemIoFailure))
    }

    pub(crate) fn packed(what: &'static str) -> Error {
        Error::Corrupt(format!("packed {what}"))
    }

    pub(crate) fn io(path: &std::path::Path) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::Io { path, source }
    }
}
