//! Why nothing was registered, and what to do about it.

use std::path::{Path, PathBuf};

/// The result of every function of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong. Nothing was changed then.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{path}:{line}: {message}: correct the file by hand; nothing was changed")]
    Unparsed { path: PathBuf, line: usize, message: String },
    #[error("unknown client '{word}': give one of {allowed}")]
    UnknownClient { word: String, allowed: String },
    #[error("{client} has no settings for a {scope}: give --scope {other}")]
    NoScope { client: &'static str, scope: &'static str, other: &'static str },
    #[error("{0} leads out of the project: delete the link, or give --scope user; nothing was changed")]
    LeadsOut(PathBuf),
    #[error("{0} is no plain file: move it away; nothing was changed")]
    NotPlain(PathBuf),
    #[error("the home folder is not known: give it in the variable HOME")]
    NoHome,
    #[error("{path}: {source}; check that it may be accessed")]
    Io { path: PathBuf, source: std::io::Error },
}

impl Error {
    pub(crate) fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.to_owned();
        move |source| Error::Io { path, source }
    }
}

/// A place in a text that an edit cannot get past.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    /// From 1.
    pub(crate) line: usize,
    pub(crate) message: String,
}

impl Problem {
    /// A problem at a byte of a text.
    pub(crate) fn at(text: &str, byte: usize, message: impl Into<String>) -> Problem {
        let before = &text.as_bytes()[..byte.min(text.len())];
        Problem { line: 1 + before.iter().filter(|byte| **byte == b'\n').count(), message: message.into() }
    }
}

/// What an edit gave.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Edit {
    /// The new text, and what was put into it.
    Added { text: String, inserted: String },
    /// It is there as it should be.
    Same,
    /// It is there, but says something else.
    Differs,
}
