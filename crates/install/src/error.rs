//! Why nothing was registered, and what to do about it.

use std::path::{Path, PathBuf};

use codegraph_model::{Mends, Remedy};

/// The result of every function of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong. Nothing was changed then.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("{path}:{line}: {message}")]
    Unparsed { path: PathBuf, line: usize, message: String },
    #[error("unknown client '{word}'")]
    UnknownClient { word: String, allowed: Vec<String> },
    #[error("{client} has no settings for a {scope}")]
    NoScope { client: &'static str, scope: &'static str, other: &'static str },
    #[error("{0} leads out of the project")]
    LeadsOut(PathBuf),
    #[error("{0} is no plain file")]
    NotPlain(PathBuf),
    #[error("the home folder is not known")]
    NoHome,
    #[error("{path}: {source}")]
    Io { path: PathBuf, source: std::io::Error },
}

impl Mends for Error {
    fn remedy(&self) -> Option<Remedy> {
        Some(match self {
            Error::Unparsed { .. } => "correct the file by hand; nothing was changed".into(),
            Error::UnknownClient { allowed, .. } => Remedy::OneOf(allowed.clone()),
            Error::NoScope { other, .. } => format!("give --scope {other}").into(),
            Error::LeadsOut(_) => "delete the link, or give --scope user; nothing was changed".into(),
            Error::NotPlain(_) => "move it away; nothing was changed".into(),
            Error::NoHome => "give it in the variable HOME".into(),
            Error::Io { .. } => "check that it may be accessed".into(),
        })
    }
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
