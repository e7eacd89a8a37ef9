//! The store of an organisation: many repositories in one PostgreSQL, pushed from their indexes and asked by the same
//! questions, with the answers of `codegraph-query`. Each row says its repository and commit.
//!
//! The only crate that sees PostgreSQL. Nothing here shards, routes or replicates: that is the server's affair.

mod abroad;
mod ask;
mod connect;
mod copy;
mod error;
mod push;
mod schema;
mod send;
mod servers;
mod words;

pub use connect::Org;
pub use error::{Error, Result};
pub use push::{Push, PushReport, push};
