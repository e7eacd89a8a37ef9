//! The store of an organisation: many repositories in one PostgreSQL, pushed from their indexes and asked by the same
//! questions, with the answers of `codegraph-query`. Each row says its repository and commit.
//!
//! The only crate that sees PostgreSQL. Nothing here shards, routes or replicates: that is the server's affair.

mod ask;
mod connect;
mod copy;
mod error;
mod names;
mod push;
mod schema;

pub use connect::Org;
pub use error::{Error, Result};
pub use names::{needs, offers};
pub use push::{Need, Offer, Push, PushReport, push};
