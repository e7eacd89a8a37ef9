//! Why an export failed, and what to do about it.

use codegraph_model::{Mends, Remedy};
use codegraph_store::Tables;

/// The result of every export.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What can go wrong.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error(transparent)]
    Store(#[from] codegraph_store::Error),
    #[error(transparent)]
    Query(#[from] codegraph_query::Error),
    #[error(transparent)]
    File(#[from] codegraph_files::Error),
    #[error("the export could not be written: {0}")]
    Write(#[from] std::io::Error),
    #[error("there is no table '{0}'")]
    NoTable(String),
    #[error("'{0}' is no file and no folder of the project, and no symbol has the name")]
    NoScope(String),
    #[error("'{name}' names {count} symbols")]
    SeveralScopes { name: String, count: usize, choices: Vec<String> },
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Error {
        Error::Write(error.into())
    }
}

impl Mends for Error {
    fn remedy(&self) -> Option<Remedy> {
        match self {
            Error::Store(error) => error.remedy(),
            Error::Query(error) => error.remedy(),
            Error::File(error) => error.remedy(),
            Error::Write(_) => None,
            Error::NoTable(_) => {
                let names: Vec<&str> = Tables::shapes().iter().map(|shape| shape.name).collect();
                Some(format!("the tables are {}", names.join(", ")).into())
            }
            Error::NoScope(_) => {
                Some("give a path below the project's root, a qualified name, FILE:LINE or an id".into())
            }
            Error::SeveralScopes { choices, .. } => Some(format!("one of them: {}", choices.join(", ")).into()),
        }
    }
}
