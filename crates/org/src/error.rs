//! Why the store of an organisation gave no answer, and what to do about it. No message contains an address.

use codegraph_model::{Mends, Remedy};

pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What can go wrong.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("the address of the organisation's store could not be read")]
    Address,
    #[error("the organisation's store could not be reached: {0}")]
    Connect(String),
    #[error("this build has no encrypted connections, and the address asks for one")]
    NoTls,
    #[error("there is no store of codegraph in this database")]
    NoStore,
    #[error("the organisation's store has schema {found}, this codegraph knows {known}")]
    OtherSchema { found: i32, known: i32 },
    #[error("there is a store in this database already")]
    Exists,
    #[error("a server has parts of another store")]
    OtherParts,
    #[error("SQL: {0}")]
    Statement(String),
    #[error("the statement took longer than {0} s")]
    TooLong(u64),
    #[error("the organisation's store failed: {0}")]
    Server(String),
    #[error("'{0}' is asked of one project, not of the organisation's store")]
    NotHere(&'static str),
    #[error(transparent)]
    Store(#[from] codegraph_store::Error),
    #[error(transparent)]
    Query(#[from] codegraph_query::Error),
    #[error("rows could not be sent: {0}")]
    Send(#[from] std::io::Error),
}

impl From<postgres::Error> for Error {
    fn from(error: postgres::Error) -> Error {
        // What the server says names tables and values; what the driver says about an address stays out.
        match error.as_db_error() {
            Some(said) => Error::Server(said.message().to_owned()),
            None if error.is_closed() => Error::Server("the connection was closed".to_owned()),
            None => Error::Server(error.to_string()),
        }
    }
}

impl Mends for Error {
    fn remedy(&self) -> Option<Remedy> {
        Some(match self {
            Error::Address => "postgresql://USER:PASSWORD@HOST:PORT/DATABASE, or @FILE that holds it".into(),
            Error::Connect(_) => "check host, port, user, password and that the server runs".into(),
            Error::NoTls => "build with --features org, which has them, or say sslmode=disable".into(),
            Error::NoStore => "the first push makes one".into(),
            Error::OtherSchema { .. } => "use the codegraph that pushes, or push again into a new database".into(),
            Error::Exists => {
                "a store is spread over servers when it is made: use another database, and push again".into()
            }
            Error::OtherParts => "name another database on that server, or drop its schema codegraph".into(),
            Error::Statement(_) => {
                "the tables are repositories, files, symbols, references, terms, offers and needs".into()
            }
            Error::TooLong(_) => "give more time with --timeout, or ask for less".into(),
            Error::Server(_) | Error::Send(_) => "if this repeats, look into the server's log".into(),
            Error::NotHere(_) => "leave out --org inside a project".into(),
            Error::Store(error) => return error.remedy(),
            Error::Query(error) => return error.remedy(),
        })
    }
}
