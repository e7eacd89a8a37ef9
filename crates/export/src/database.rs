//! Tables as a SQLite database for any client.

use std::path::Path;

use codegraph_query::Reader;
use codegraph_store::TableShape;

use crate::{Listener, Report, Result};

/// Writes tables into an empty file, with keys and indexes.
pub fn database(reader: &Reader, wanted: &[TableShape], path: &Path, listener: &dyn Listener) -> Result<Report> {
    let mut report = Report::default();
    wanted.iter().for_each(|shape| report.begin(shape.name));
    codegraph_query::tables(reader)?.write_database(wanted, path, |table| report.count_of(table, listener))?;
    Ok(report)
}
