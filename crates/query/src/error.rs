//! Why a question could not be answered, and what to do about it.

use std::path::PathBuf;

/// The result of every question.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A question that has no answer. An empty answer is not an error.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Store(#[from] codegraph_store::Error),
    #[error("'{0}' is outside the project")]
    OutsideProject(String),
    #[error("'{path}' is not in the index")]
    UnknownFile { path: String, nearest: Vec<String> },
    #[error("'{path}' has changed since it was indexed")]
    Changed { path: String },
    #[error("'{path}' could not be read: {reason}")]
    Unreadable { path: PathBuf, reason: String },
    #[error("'{word}' is not a {what}")]
    UnknownWord { what: &'static str, word: String, allowed: String },
    #[error("the regular expression '{pattern}' does not compile: {reason}")]
    Regex { pattern: String, reason: String },
    #[error("the glob '{pattern}' does not compile: {reason}")]
    Glob { pattern: String, reason: String },
    #[error("{0}")]
    Invalid(String),
}

impl Error {
    /// What to do next, where the message does not say it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Error::Store(_) | Error::Invalid(_) => None,
            Error::OutsideProject(_) => Some("give a path inside the project folder".into()),
            Error::UnknownFile { nearest, .. } if !nearest.is_empty() => Some(format!("near: {}", nearest.join(", "))),
            Error::UnknownFile { .. } => Some("'codegraph tree' lists the indexed files".into()),
            Error::Changed { path } => Some(format!("run 'codegraph update {path}'")),
            Error::Unreadable { .. } => Some("check that it is there and readable, then run 'codegraph update'".into()),
            Error::UnknownWord { allowed, .. } => Some(format!("one of: {allowed}")),
            Error::Regex { .. } => {
                Some("the syntax is that of the Rust regex crate: no look-around, no references".into())
            }
            Error::Glob { .. } => Some("for example 'src/**/*.rs' or '*.py'".into()),
        }
    }
}
