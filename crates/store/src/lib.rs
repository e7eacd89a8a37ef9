//! The SQLite index: schema, migrations, packed facts, typed reads and writes. The only crate with SQL.
//!
//! A first build goes through [`Build`], everything later through [`Update`]; reads go through [`Store`].
//! The facts of a file are packed by the pure function [`encode`]. This crate knows no language and
//! reads no source file: what needs source text asks a [`Sources`].
//!
//! # The index file
//!
//! `.codegraph/index.db` is a SQLite file in WAL mode (`index/src/data_folder.rs` says when it is in another folder).
//! `docs/schema.md` lists the tables that are public. They are either plain tables and views that any SQLite client reads, or virtual tables that `codegraph sql` unpacks while it reads.
//! The physical tables behind them:
//!
//! | table | a row is | holds |
//! |---|---|---|
//! | `file` | a file | name, place, stamp, hash, extractor version, counts, problems |
//! | `place` | a language in a folder | what its files share: folder, language, package, beginning of the module |
//! | `file_key` | hashes with the same first byte | files by path, by module, and by the modules around theirs |
//! | `facts` | a few neighbouring files | two compressed blobs: their *outlines* and their *bodies* |
//! | `dictionary` | 64 neighbouring terms | the texts of names and words, each stored once, compressed; which of them are words |
//! | `term_order` | 128 neighbouring terms in the order of their lower-case text | their numbers: finds a text, or a prefix |
//! | `posting` | a term in a segment of 256 files | where the term stands, if it stands in many places |
//! | `posting_shelf` | 512 neighbouring terms in a segment | the same, for terms whose lists are short |
//! | `link` | a few neighbouring files | what their references mean: distinct targets, then reference, target and rule of each |
//! | `slots` | a file that changed | which symbol has which slot, see `index/src/link` |
//! | `backlink` | a file that is used | which of its symbols are used by which files |
//! | `unbound` | a name that the project defines | the files that use it without proof of what it means, with how often |
//! | `symbol_prefix` | a segment | the first bits of each symbol's id, to find a symbol by its id |
//! | `imported` | a file | what a compiler said about its references, kept while the file is what it was |
//! | `glance` | a segment | the paths of its files and one sum of their stamps |
//! | `input` | 256 neighbouring folders, ignore files and manifests | their stamps: what else decides about the content of the index |
//! | `metadata`, `dependencies` | a fact, a linked project | |
//!
//! **Outline** has what most answers need: the table of names, line lengths and line classes, symbols. **Body** has what
//! linking needs: scopes, bindings, imports, references, expressions. Both are delta-coded varints. Neighbouring files share
//! a row until it has about 16 KB, and then zstd: a small file alone compresses badly and leaves holes in pages. Workers pack
//! rows, since neighbours are extracted together; an update writes the row of the file anew. Links share rows in the same way
//! (`neighbours.rs`).
//!
//! **Postings** are lists of lines per term and segment. An entry for a line says in which kinds of text the term stands
//! there (code, comment, string) and whether a symbol of that name is defined there; the first one, whether the file adds
//! to a type of that name from outside. So `find NAME` reads the lists of one term and decodes only the outlines of files that define it. Short lists share a row, because most are shorter than the
//! row around them would be.
//!
//! **Files** have short rows: where most files are small, paths and modules would be a third of the index, and SQL indexes
//! over them another. The view `files` puts path and module together again.
//!
//! **The dictionary** is ordered by packed rows instead of an SQL index: an eighth of the size, and prefixes come for free.
//!
//! **Segments** keep updates cheap. Changing one file rewrites the posting rows of its terms in its own segment; their size
//! does not grow with the project.
//!
//! # Identity
//!
//! | id | made of | survives |
//! |---|---|---|
//! | qualified name | module prefix of the file, scopes, name; `#2`, `#3` for remaining duplicates | edits that keep the name |
//! | `symbol_id` | BLAKE3 of language, qualified name, byte span | nothing: it names one version |
//! | `symbol_key` | BLAKE3 of language, path, kind, scoped name | edits above the symbol |
//! | `span_id` | SHA-256 of path and byte span | |
//! | row id | file number and ordinal in the file | it is internal |
//!
//! The ordinals of duplicates run in (path, position) order over the whole project. When a file changes, the files that
//! share a base name with it are found through the dictionary and the postings, and renumbered in the same transaction.
//!
//! Paths are root-relative with `/`. A checkout that moves keeps its index.

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
mod users;
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
pub use names::{FileNames, Identity, NameSource, parse_symbol_id, span_id};
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
pub use users::SymbolUse;
pub use vocabulary::Vocabulary;
pub use walk::WalkedFile;
