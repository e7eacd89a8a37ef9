//! What an unpacked table is: where its rows come from, and a function per column.

use rusqlite::types::Value;

use super::file_view::Reader;
use crate::Result;
use codegraph_model::{FileId, TermId};

/// A column: its SQL declaration, how an equality on it narrows the search, its value.
pub(super) struct Column<R> {
    pub(super) declaration: &'static str,
    pub(super) key: Option<Key>,
    pub(super) value: fn(&Reader, &R) -> Result<Value>,
}

/// What a column's value says about where its rows are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    /// The number of a file.
    File,
    /// A row number that contains the file's.
    Row,
    /// The path of a file.
    Path,
    /// The name of a symbol.
    Defined,
    /// A name that a file uses.
    Named,
    /// The number of a term.
    Term,
    /// The text of a term.
    Text,
}

/// What one step of a scan goes over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Over {
    Files,
    Terms,
}

/// A table with rows of one Rust type.
pub(super) struct Table<R: 'static> {
    pub(super) name: &'static str,
    pub(super) over: Over,
    pub(super) columns: &'static [Column<R>],
    /// The rows of one file or term.
    pub(super) rows: fn(&Reader, u32) -> Result<Vec<R>>,
}

/// A table of any row type.
pub(super) trait AnyTable: Send + Sync {
    fn name(&self) -> &'static str;
    fn declaration(&self) -> String;
    /// Name and type of each column.
    fn columns(&self) -> Vec<&'static str>;
    fn key(&self, column: usize) -> Option<Key>;
    fn steps(&self, reader: &Reader, search: Option<(Key, Value)>) -> Result<Vec<u32>>;
    fn load(&self, reader: &Reader, step: u32) -> Result<Box<dyn AnyRows>>;
}

/// Rows of any type.
pub(super) trait AnyRows {
    fn len(&self) -> usize;
    fn value(&self, reader: &Reader, row: usize, column: usize) -> Result<Value>;
}

struct Rows<R: 'static> {
    rows: Vec<R>,
    columns: &'static [Column<R>],
}

impl<R> AnyRows for Rows<R> {
    fn len(&self) -> usize {
        self.rows.len()
    }

    fn value(&self, reader: &Reader, row: usize, column: usize) -> Result<Value> {
        (self.columns[column].value)(reader, &self.rows[row])
    }
}

impl<R> AnyTable for Table<R> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn declaration(&self) -> String {
        format!("CREATE TABLE x({})", self.columns().join(", "))
    }

    fn columns(&self) -> Vec<&'static str> {
        self.columns.iter().map(|column| column.declaration).collect()
    }

    fn key(&self, column: usize) -> Option<Key> {
        self.columns.get(column)?.key
    }

    fn steps(&self, reader: &Reader, search: Option<(Key, Value)>) -> Result<Vec<u32>> {
        match self.over {
            Over::Files => Ok(file_steps(reader, search)?.into_iter().map(|file| file.0).collect()),
            Over::Terms => Ok(term_steps(reader, search)?.into_iter().map(|term| term.0).collect()),
        }
    }

    fn load(&self, reader: &Reader, step: u32) -> Result<Box<dyn AnyRows>> {
        Ok(Box::new(Rows { rows: (self.rows)(reader, step)?, columns: self.columns }))
    }
}

/// The files to look at. SQLite tests every row again, so too many are harmless.
fn file_steps(reader: &Reader, search: Option<(Key, Value)>) -> Result<Vec<FileId>> {
    let store = &reader.store;
    let known = |number: i64| match u32::try_from(number) {
        Ok(id) if store.file(FileId(id))?.is_some() => Ok(vec![FileId(id)]),
        _ => Ok(Vec::new()),
    };
    match search {
        Some((Key::File, Value::Integer(number))) => known(number),
        Some((Key::Row, Value::Integer(number))) => known(number >> 24),
        Some((Key::Path, Value::Text(path))) => {
            Ok(store.file_by_path(&path)?.map(|file| file.id).into_iter().collect())
        }
        Some((Key::Defined, Value::Text(name))) => match store.term(&name)? {
            Some(term) => store.definers(term),
            None => Ok(Vec::new()),
        },
        Some((Key::Named, Value::Text(name))) => match store.term(&name)? {
            Some(term) => store.users(term),
            None => Ok(Vec::new()),
        },
        _ => store.file_ids(),
    }
}

fn term_steps(reader: &Reader, search: Option<(Key, Value)>) -> Result<Vec<TermId>> {
    match search {
        Some((Key::Term, Value::Integer(number))) => Ok(u32::try_from(number).into_iter().map(TermId).collect()),
        Some((Key::Text, Value::Text(text))) => Ok(reader.store.term(&text)?.into_iter().collect()),
        Some((Key::File, Value::Integer(number))) => match u32::try_from(number) {
            Ok(id) if reader.store.file(FileId(id))?.is_some() => {
                Ok(reader.store.outline(FileId(id))?.items().collect())
            }
            _ => Ok(Vec::new()),
        },
        _ => reader.store.term_ids(),
    }
}
