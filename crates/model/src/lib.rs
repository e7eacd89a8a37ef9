//! The nouns of codegraph: kinds, spans, symbols, references and the facts of one file.
//!
//! No logic, no I/O. Every other crate speaks in these words.

#![warn(clippy::disallowed_methods, clippy::disallowed_types)]

mod facts;
mod kind;

pub use facts::*;
pub use kind::*;
