//! `grep`: text search over every file of a project, with the engine of ripgrep, and with what the index knows about the
//! place of each hit: the symbol around it, and whether it is code, a comment or a string.
//!
//! A search reads all files once and remembers lines only ([`search`]); the texts of those that are shown are read again
//! ([`FoundLines::show`]). What is searched is on disk: the index decides nothing but what is said about a hit.

mod answer;
mod listing;
mod matching;
mod search;
mod shown;

pub use answer::{FileCount, GrepAnswer, Hit, HitSymbol};
pub use listing::{Listing, listing};
pub use search::{FoundLines, search};

/// A text search.
#[derive(Clone, Debug, Default)]
pub struct Grep {
    /// Regular expressions, of which one has to match.
    pub patterns: Vec<String>,
    /// The patterns are plain texts.
    pub fixed: bool,
    /// Matches are whole words.
    pub word: bool,
    pub ignore_case: bool,
    /// Upper and lower case differ only if a pattern has upper case.
    pub smart_case: bool,
    /// Files and folders; none: the whole project.
    pub paths: Vec<String>,
    /// Globs of paths; with `!` those that are left out.
    pub globs: Vec<String>,
    /// Kinds of files as ripgrep calls them: `py`, `yaml`.
    pub types: Vec<String>,
    pub types_not: Vec<String>,
    pub hidden: bool,
    pub no_ignore: bool,
    /// Lines shown before and after a hit.
    pub before: usize,
    pub after: usize,
    /// Files and numbers are enough.
    pub counts: bool,
    /// The names of files are enough.
    pub files_only: bool,
}
