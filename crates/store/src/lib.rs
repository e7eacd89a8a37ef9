//! The SQLite index: schema, migrations, packed facts, typed reads and writes. The only crate with SQL.
//!
//! A first build goes through [`Build`], everything later through [`Update`]; reads go through [`Store`].
//! The facts of a file are packed by the pure function [`encode`]. This crate knows no language and
//! reads no source file: what needs source text asks a [`Sources`].

mod body;
mod build;
mod comment;
mod dictionary;
mod duplicates;
mod encode;
mod error;
mod facts;
mod file_key;
mod files;
mod glance;
mod imported;
mod input;
mod inside;
mod integrity;
mod intern;
mod lines;
mod link;
mod names;
mod neighbours;
mod origin;
mod outline;
mod posting;
mod postings;
mod record;
mod relink;
mod row_sum;
mod schema;
mod segment;
mod snapshot;
mod sql;
mod start;
mod store;
mod stored;
mod symbol_prefix;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod update;
mod vocabulary;
mod walk;
mod wire;

pub use build::Build;
pub use comment::plain_comment;
pub use encode::{Encoded, encode};
pub use error::{Error, Result};
pub use facts::{PackedFacts, pack_neighbours};
pub use glance::{Glance, PackedGlance, StampSum};
pub use imported::{ImportedLinks, ImportedTarget};
pub use input::PackedInputs;
pub use intern::Interner;
pub use lines::{LineIds, LineRange};
pub use link::{BoundRef, FileLinks, LinkTarget, Slots};
pub use names::{FileNames, NameSource, parse_symbol_id, span_id};
pub use posting::{LineMask, Posting};
pub use postings::{Lists, PackedPosting};
pub use record::{Dependency, FileRecord, Input, Stamp, Statistics, SymbolRow, Term, Watched};
pub use schema::{SCHEMA_VERSION, inspect};
pub use snapshot::{load_snapshot, save_snapshot, snapshot_head};
pub use sql::{Answer, AstNode, Cell, ColumnKind, ColumnShape, Sources, SqlLimits, TableShape, Tables};
pub use start::start_from;
pub use store::{Access, Snapshot, Store, SymbolTexts, kept_dependencies};
pub use stored::{LineClass, Stored};
pub use update::{Change, Update};
pub use vocabulary::Vocabulary;
pub use walk::WalkedFile;
