//! SCIP, the exchange format of code indexes: export of what the index knows, import of what a compiler knows, and the
//! measure of one against the other.
//!
//! The only crate that sees the SCIP types. Writes no SQL: what is imported goes through `codegraph-store`.

mod bases;
mod document;
mod error;
mod export;
mod import;
mod lint;
mod lsif;
mod name;
mod range;
mod read;
mod score;
pub mod types;
mod verify;

pub use error::{Error, Result};
pub use export::{ExportReport, Options as ExportOptions, export};
pub use import::{ImportReport, import};
pub use lint::lint;
pub use lsif::{LsifReport, lsif};
pub use read::{Truth, encode, parse, read};
pub use score::{Edges, Example, MissClass, RangesFrom, Row, Table};
pub use verify::{Files, Verification, Who, verify};
