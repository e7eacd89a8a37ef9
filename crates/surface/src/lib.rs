//! What all surfaces share: a fresh index to ask, answers as text, errors with their remedy.
//!
//! A surface takes a question in its own form, calls one function of `query` or `index`, and hands the answer to
//! [`Answer::print`] or to a serialiser. What it shows for an answer is decided here, once.

mod answers;
mod failure;
pub mod human;
mod map;
mod open;
mod out;
mod projects;
mod related;
mod screen;
mod served;
mod watch;

pub use answers::{InitAnswer, SyncAnswer, UpdateAnswer, init};
pub use failure::{Advice, Failure};
pub use map::{keep_map_file, map};
pub use open::open;
pub use out::{Answer, Out, Style};
pub use projects::Projects;
pub use screen::{Screen, shown};
pub use served::{Served, Session};
