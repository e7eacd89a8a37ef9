//! How an answer reads: short text for people and models. A surface asks, and hands the answer to [`Answer::print`] or
//! to a serialiser. What it shows is decided here, once.
//!
//! Knows no command line, no protocol, no terminal: text goes to the writer and in the colours that it was given.

mod answers;
mod dialect;
pub mod human;
mod out;
mod related;
mod screen;

pub use dialect::Dialect;
pub use out::{Answer, Out, Style};
pub use screen::{Screen, shown};
