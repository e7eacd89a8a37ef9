//! Plain SQL over the index, read-only.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use codegraph_model::{Span, Symbol};
use codegraph_store::{Access, AstNode, Cell, FileRecord, Sources, SqlLimits, Store, Tables};
use rustc_hash::FxHashMap;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::prototype::prototype;
use crate::source::{self, Texts};
use crate::{Note, Reader, Remarks, Result, vocabulary};

/// The rows of a statement, each an object.
#[derive(Clone, Debug, Serialize)]
pub struct SqlAnswer {
    pub columns: Vec<String>,
    pub rows: Vec<Map<String, Value>>,
    /// There were more rows than the limit.
    pub truncated: bool,
    #[serde(flatten)]
    pub remarks: Remarks,
}

/// Runs one statement that cannot change anything.
pub fn sql(reader: &Reader, statement: &str, limits: SqlLimits) -> Result<SqlAnswer> {
    let answer = reader.store.query_sql(statement, limits, sources(reader))?;
    let columns = distinct(answer.columns);
    let object = |row: Vec<Cell>| columns.iter().cloned().zip(row.into_iter().map(json)).collect();
    let rows = answer.rows.into_iter().map(object).collect();
    let mut remarks = Remarks::of(reader);
    if reader.is_overlaid() {
        remarks.note(Note::SavedOnly);
    }
    Ok(SqlAnswer { rows, columns, truncated: answer.truncated, remarks })
}

/// The same tables from end to end, as they are now.
pub fn tables(reader: &Reader) -> Result<Tables> {
    Ok(reader.store.tables(sources(reader))?)
}

/// Tables are read through a connection of their own, which sees what was saved.
fn sources(reader: &Reader) -> Arc<dyn Sources> {
    let texts = Texts { cancel: reader.texts().cancel.clone(), ..Texts::of(reader.root()) };
    Arc::new(Disk { texts, index: reader.store.path().to_owned(), records: OnceLock::new() })
}

/// A row is an object: a second column of the same name would hide the first.
fn distinct(columns: Vec<String>) -> Vec<String> {
    let mut names: Vec<String> = Vec::with_capacity(columns.len());
    for column in columns {
        let mut name = column.clone();
        let mut number = 2;
        while names.contains(&name) {
            name = format!("{column}_{number}");
            number += 1;
        }
        names.push(name);
    }
    names
}

fn json(cell: Cell) -> Value {
    match cell {
        Cell::Null => Value::Null,
        Cell::Integer(number) => number.into(),
        Cell::Real(number) => serde_json::Number::from_f64(number).map_or(Value::Null, Value::Number),
        Cell::Text(text) | Cell::Blob(text) => text.into(),
    }
}

/// Reads source files for the tables that are made of text.
struct Disk {
    texts: Texts,
    index: PathBuf,
    /// By path; read when the first text is needed.
    records: OnceLock<FxHashMap<String, FileRecord>>,
}

impl Disk {
    fn record(&self, path: &str) -> Option<&FileRecord> {
        let load = || Store::open(&self.index, Access::Read).and_then(|store| store.files()).unwrap_or_default();
        let by_path = || load().into_iter().map(|record| (record.path.clone(), record)).collect();
        self.records.get_or_init(by_path).get(path)
    }
}

impl Sources for Disk {
    fn text(&self, path: &str) -> Option<Arc<[u8]>> {
        source::read(&self.texts, self.record(path)?).ok().map(Arc::from)
    }

    fn prototype(&self, source: &[u8], symbol: &Symbol) -> String {
        prototype(source, symbol)
    }

    fn conditionals(&self, path: &str, language: &str) -> Vec<Span> {
        let parts = || Some(codegraph_extract::conditionals(&self.text(path)?, vocabulary::language(language).ok()?));
        parts().unwrap_or_default()
    }

    fn ast(&self, path: &str, language: &str) -> Option<Vec<AstNode>> {
        let text = self.text(path)?;
        let nodes = codegraph_extract::ast(&text, vocabulary::language(language).ok()?);
        let plain = nodes.into_iter().map(|n| AstNode { parent: n.parent, kind: n.kind, start: n.start, end: n.end });
        Some(plain.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::distinct;

    #[test]
    fn columns_of_one_name_are_told_apart() {
        let names = |list: &[&str]| distinct(list.iter().map(|s| s.to_string()).collect());
        assert_eq!(names(&["id", "id", "x", "id"]), ["id", "id_2", "x", "id_3"]);
    }
}
