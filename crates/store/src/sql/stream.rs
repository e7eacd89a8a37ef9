//! Whole public tables, row by row, as they were at one moment: for those who write them in other formats.

use std::sync::Arc;

use rusqlite::types::{Value, ValueRef};

use super::file_view::Reader;
use super::shell::PUBLIC;
use super::table::AnyTable;
use super::tables::TABLES;
use super::{Cell, Sources, cell};
use crate::{Access, Error, Result, Store};
use codegraph_model::FileId;

/// What the values of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    Integer,
    Real,
    Text,
}

/// A column of a public table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnShape {
    pub name: &'static str,
    pub kind: ColumnKind,
}

impl ColumnShape {
    fn of(declaration: &'static str) -> ColumnShape {
        let (name, kind) = declaration.split_once(' ').unwrap_or((declaration, "TEXT"));
        let kind = match kind {
            "INTEGER" => ColumnKind::Integer,
            "REAL" => ColumnKind::Real,
            _ => ColumnKind::Text,
        };
        ColumnShape { name, kind }
    }

    pub(super) fn declaration(&self) -> String {
        let kind = match self.kind {
            ColumnKind::Integer => "INTEGER",
            ColumnKind::Real => "REAL",
            ColumnKind::Text => "TEXT",
        };
        format!("\"{}\" {kind}", self.name)
    }
}

/// A public table and its columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableShape {
    pub name: &'static str,
    pub columns: Vec<ColumnShape>,
}

/// The tables that need no unpacking: their columns, and what their rows are ordered by.
const STORED: &[(&str, &[&str], &str)] = &[
    (
        "files",
        &[
            "id INTEGER", "path TEXT", "hash TEXT", "last_indexed INTEGER", "last_modified INTEGER", "language TEXT",
            "size INTEGER", "lines INTEGER", "items INTEGER", "occurrences INTEGER", "symbols INTEGER", "package TEXT",
            "module TEXT", "problems TEXT", "generated INTEGER",
        ],
        "id",
    ),
    ("dependencies", &["id INTEGER", "path TEXT", "name TEXT", "last_checked INTEGER"], "id"),
    ("metadata", &["key TEXT", "value TEXT"], "key"),
];

/// The public tables of an index as they are now, whatever others write meanwhile.
pub struct Tables {
    reader: Reader,
}

fn unpacked(name: &str) -> Option<&'static dyn AnyTable> {
    TABLES.iter().copied().find(|table| table.name() == name)
}

impl Store {
    /// All public tables, for reading them from end to end.
    pub fn tables(&self, sources: Arc<dyn Sources>) -> Result<Tables> {
        let store = Store::open(self.path(), Access::Read)?;
        store.hold()?;
        Ok(Tables { reader: Reader::for_streams(store, sources) })
    }
}

impl Tables {
    /// Every public table, in the order in which they are listed.
    pub fn shapes() -> Vec<TableShape> {
        PUBLIC.iter().filter_map(|name| Tables::shape(name)).collect()
    }

    /// The table of a name.
    pub fn shape(name: &str) -> Option<TableShape> {
        let stored = STORED.iter().find(|(own, ..)| *own == name);
        let columns = match stored {
            Some((_, columns, _)) => columns.to_vec(),
            None => unpacked(name)?.columns(),
        };
        let name = PUBLIC.iter().find(|own| **own == name)?;
        Some(TableShape { name, columns: columns.into_iter().map(ColumnShape::of).collect() })
    }

    /// Gives every row of a table: the columns that are named, in that order. The order of the rows is always the same.
    pub fn each_row<E: From<Error>>(
        &self,
        table: &str,
        columns: &[&str],
        mut take: impl FnMut(&[Cell]) -> Result<(), E>,
    ) -> Result<(), E> {
        match STORED.iter().find(|(own, ..)| *own == table) {
            Some((name, _, order)) => self.each_stored(name, columns, order, &mut take),
            None => {
                let unknown = || Error::Statement(format!("no such table: {table}"));
                self.each_unpacked(unpacked(table).ok_or_else(unknown)?, columns, &mut take)
            }
        }
    }

    /// The same for the rows of one file, of a table that has a row for each thing in a file.
    pub fn each_row_in<E: From<Error>>(
        &self,
        table: &str,
        file: FileId,
        columns: &[&str],
        mut take: impl FnMut(&[Cell]) -> Result<(), E>,
    ) -> Result<(), E> {
        let unknown = || Error::Statement(format!("no such table: {table}"));
        let table = unpacked(table).ok_or_else(unknown)?;
        self.each_of(table, &[file.0], columns, &mut take)
    }

    fn each_stored<E: From<Error>>(
        &self,
        table: &str,
        columns: &[&str],
        order: &str,
        take: &mut impl FnMut(&[Cell]) -> Result<(), E>,
    ) -> Result<(), E> {
        let sql = format!("SELECT {} FROM {table} ORDER BY {order}", columns.join(", "));
        let failed = |error: rusqlite::Error| E::from(Error::from(error));
        let mut statement = self.reader.store.db.prepare(&sql).map_err(failed)?;
        let mut rows = statement.query([]).map_err(failed)?;
        let mut cells = Vec::with_capacity(columns.len());
        while let Some(row) = rows.next().map_err(failed)? {
            cells.clear();
            for at in 0..columns.len() {
                cells.push(cell(row.get_ref(at).map_err(failed)?));
            }
            take(&cells)?;
        }
        Ok(())
    }

    fn each_unpacked<E: From<Error>>(
        &self,
        table: &'static dyn AnyTable,
        columns: &[&str],
        take: &mut impl FnMut(&[Cell]) -> Result<(), E>,
    ) -> Result<(), E> {
        let steps = table.steps(&self.reader, None)?;
        self.each_of(table, &steps, columns, take)
    }

    fn each_of<E: From<Error>>(
        &self,
        table: &'static dyn AnyTable,
        steps: &[u32],
        columns: &[&str],
        take: &mut impl FnMut(&[Cell]) -> Result<(), E>,
    ) -> Result<(), E> {
        let all: Vec<ColumnShape> = table.columns().into_iter().map(ColumnShape::of).collect();
        let place = |name: &&str| {
            let missing = || Error::Statement(format!("no such column: {}.{name}", table.name()));
            all.iter().position(|column| column.name == *name).ok_or_else(missing)
        };
        let places = columns.iter().map(place).collect::<Result<Vec<usize>>>()?;
        let mut cells = Vec::with_capacity(columns.len());
        for step in steps {
            let rows = table.load(&self.reader, *step)?;
            for row in 0..rows.len() {
                cells.clear();
                for place in &places {
                    cells.push(owned(rows.value(&self.reader, row, *place)?));
                }
                take(&cells)?;
            }
        }
        Ok(())
    }
}

fn owned(value: Value) -> Cell {
    match value {
        Value::Null => Cell::Null,
        Value::Integer(number) => Cell::Integer(number),
        Value::Real(number) => Cell::Real(number),
        Value::Text(text) => Cell::Text(text),
        Value::Blob(bytes) => cell(ValueRef::Blob(&bytes)),
    }
}
