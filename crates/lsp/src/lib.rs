//! The LSP server of `codegraph lsp`: what the index knows, in every editor. It formats and decides nothing: a request
//! becomes one question of `query`, asked with the unsaved texts of the editor as an overlay.
//!
//! The only crate that sees the protocol. One thread reads messages and keeps the open texts, a few answer requests.

mod documents;
mod folders;
mod indexing;
mod kinds;
mod position;
mod protocol;
mod requests;
mod server;
mod snapshot;
mod transport;
mod uri;

pub use transport::{serve_socket, serve_stdio, serve_stream};
