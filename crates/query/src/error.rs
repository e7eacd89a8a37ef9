//! Why a question could not be answered, and what to do about it.

use std::path::PathBuf;

use codegraph_model::{Advice, Mends, Remedy};

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
    UnknownWord { what: &'static str, word: String, allowed: Vec<String> },
    #[error("'{kind}' is not a node kind of any language")]
    UnknownNode { kind: String, nearest: Vec<String> },
    #[error("the regular expression '{pattern}' does not compile: {reason}")]
    Regex { pattern: String, reason: String },
    #[error("the glob '{pattern}' does not compile: {reason}")]
    Glob { pattern: String, reason: String },
    #[error("'{path}' has no {what}: it has {most}")]
    Beyond { path: String, what: String, most: usize },
    #[error("'{0}' is no place")]
    NoPlace(String),
    #[error("nobody waits for the answer any more")]
    Cancelled,
    #[error("{what}")]
    Invalid { what: String, give: &'static str },
}

impl Mends for Error {
    fn remedy(&self) -> Option<Remedy> {
        Some(match self {
            Error::Store(error) => return error.remedy(),
            Error::OutsideProject(_) => "give a path inside the project folder".into(),
            Error::UnknownFile { nearest, .. } if !nearest.is_empty() => Remedy::Near(nearest.clone()),
            Error::UnknownFile { .. } => Advice::default().ask("tree").words(" lists the indexed files").into(),
            Error::Changed { path } => Advice::new("run ").ask_about("update", [path.clone()]).into(),
            Error::Unreadable { .. } => {
                Advice::new("check that it is there and readable, then ").then(Advice::run("update")).into()
            }
            Error::UnknownWord { allowed, .. } => Remedy::OneOf(allowed.clone()),
            Error::UnknownNode { nearest, .. } if !nearest.is_empty() => Remedy::OneOf(nearest.clone()),
            Error::UnknownNode { .. } => Advice::new("see ").ask_about("ast", ["FILE".to_owned()]).into(),
            Error::Regex { .. } => "the syntax is that of the Rust regex crate: no look-around, no references".into(),
            Error::Glob { .. } => "for example 'src/**/*.rs' or '*.py'".into(),
            Error::Beyond { .. } => Advice::default().ask("signature").words(" shows what is on which lines").into(),
            Error::Cancelled => return None,
            Error::NoPlace(_) => "write FILE:LINE:COLUMN".into(),
            Error::Invalid { give, .. } => (*give).into(),
        })
    }
}

impl Error {
    /// A word that is not one of a closed list.
    pub(crate) fn unknown(what: &'static str, word: &str, allowed: impl IntoIterator<Item = &'static str>) -> Error {
        Error::UnknownWord { what, word: word.to_owned(), allowed: allowed.into_iter().map(str::to_owned).collect() }
    }
}
