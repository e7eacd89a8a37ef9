//! What can go wrong with an index, and what to do about it.

use std::path::PathBuf;

use codegraph_model::{Advice, Mends, Remedy};

/// The result of every fallible operation of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Why an index could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("no index at {0}")]
    NotFound(PathBuf),
    #[error("{0} was not made by codegraph and was left untouched")]
    Foreign(PathBuf),
    #[error("the index is damaged ({0})")]
    Corrupt(String),
    #[error("the index {0} was not made here, and what others made is not believed")]
    NotMadeHere(PathBuf),
    #[error("the index {path} has schema {found}, this codegraph knows up to {known}")]
    NewerSchema { path: PathBuf, found: u32, known: u32 },
    #[error("the index has schema {found} and needs an upgrade to {known}")]
    OlderSchema { found: u32, known: u32 },
    #[error("another process is writing the index")]
    Locked,
    #[error("not a read-only SQL statement: {0}")]
    NotReadOnly(String),
    #[error("the statement was stopped after {0} s")]
    TooLong(f64),
    #[error("the statement needs more than {0} MB of memory")]
    TooMuch(u64),
    #[error("SQL: {0}")]
    Statement(String),
    #[error("index: {0}")]
    Sqlite(#[source] rusqlite::Error),
    #[error(transparent)]
    File(#[from] codegraph_files::Error),
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: std::io::Error },
}

/// The tables, as they are written in a statement.
fn tables() -> String {
    format!("the tables are {}", crate::sql::PUBLIC.join(", "))
}

impl Mends for Error {
    fn remedy(&self) -> Option<Remedy> {
        let again = |words: &'static str| Advice::new(words).then(Advice::run("init"));
        Some(match self {
            Error::NotFound(_) | Error::Corrupt(_) | Error::NotMadeHere(_) => Remedy::run("init"),
            Error::Foreign(_) => again("move it away, then ").into(),
            Error::NewerSchema { .. } => again("install a newer codegraph, or delete the index and ").into(),
            Error::OlderSchema { .. } => Remedy::run("update"),
            Error::Locked => "wait for it to finish, then try again".into(),
            Error::NotReadOnly(_) => {
                Advice::default().ask("sql").words(format!(" takes one SELECT; {}", tables())).into()
            }
            Error::TooLong(_) => format!("give more time with --timeout, or ask for less; {}", tables()).into(),
            Error::TooMuch(_) => format!("give it a WHERE or a LIMIT inside; {}", tables()).into(),
            Error::Statement(_) => tables().into(),
            Error::Sqlite(_) => again("if this repeats, delete the index and ").into(),
            Error::File(error) => return error.remedy(),
            Error::Io { .. } => "check that the folder exists and may be written".into(),
        })
    }
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

    /// Whether the index is one of ours that says nothing any more: a new one takes its place without loss.
    pub fn is_damage(&self) -> bool {
        use rusqlite::ErrorCode::SystemIoFailure;
        match self {
            Error::Corrupt(_) => true,
            Error::Sqlite(error) => error.sqlite_error_code() == Some(SystemIoFailure),
            _ => false,
        }
    }

    pub(crate) fn packed(what: &'static str) -> Error {
        Error::Corrupt(format!("packed {what}"))
    }

    pub(crate) fn io(path: &std::path::Path) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::Io { path, source }
    }
}
