//! Registers the server with the programs that use it, each in its own file and format, and takes that back.
//!
//! [`CLIENTS`] is the list: one row per program. There is one mechanism per format. Every edit is an insertion that can
//! be found and removed again, so that files with comments, odd formatting and unknown keys stay as they are. Everything
//! is planned before anything is written: a file that does not parse stops the whole run.

mod allow;
mod clients;
mod error;
mod instructions;
mod json;
mod places;
mod plan;
mod toml;
mod value;

pub use clients::{CLIENTS, Client, Scope};
pub use error::{Error, Result};
pub use places::Places;
pub use plan::{Action, Change, Install, InstallAnswer, Theirs, install};

/// What the server is called in the files of others.
pub(crate) const NAME: &str = "codegraph";

/// How the server is started, after the command.
pub(crate) const ARGUMENTS: &[&str] = &["mcp", "--tools", "core"];

/// The tools of that server that only read: programs are told that these need no question.
pub const READING: &[&str] = &[
    "codegraph_context", "codegraph_query", "codegraph_find", "codegraph_signature", "codegraph_map", "codegraph_get",
    "codegraph_callers", "codegraph_callees", "codegraph_find_usages", "codegraph_impact",
];
