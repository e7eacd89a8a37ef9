//! The nouns of codegraph: kinds, spans, symbols, references and the facts of one file.
//!
//! No logic, no I/O. Every other crate speaks in these words.

#![warn(clippy::disallowed_methods, clippy::disallowed_types)]

mod advice;
mod facts;
mod id;
mod kind;
mod overlay;
mod reason;

pub use advice::{Advice, Ask, Mends, Piece, Remedy};
pub use facts::*;
pub use id::{FileId, TermId};
pub use kind::*;
pub use overlay::Overlay;
pub use reason::Reason;
