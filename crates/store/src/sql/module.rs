//! The unpacked tables as SQLite virtual tables.

// SQLite's virtual tables are C structs that the implementations extend; the trait is unsafe to say that the base comes
// first. Nothing else here is unsafe.
#![allow(unsafe_code, reason = "rusqlite's virtual table traits are unsafe to implement")]

use std::borrow::Cow;
use std::ffi::{CStr, CString, c_int};
use std::marker::PhantomData;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::vtab::{
    Context, Filters, IndexConstraintOp, IndexInfo, Module, VTab, VTabConfig, VTabConnection, VTabCursor, sqlite3_vtab,
    sqlite3_vtab_cursor,
};
use rusqlite::{Connection, Error, Result};

use super::file_view::Reader;
use super::table::{AnyRows, AnyTable, Key};
use super::tables::TABLES;

/// What each virtual table is made of.
#[derive(Clone)]
struct Source {
    table: &'static dyn AnyTable,
    reader: Arc<Mutex<Reader>>,
}

impl Source {
    fn reader(&self) -> MutexGuard<'_, Reader> {
        // A reader only has caches that can be rebuilt: it is fine after a panic elsewhere.
        self.reader.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Registers all unpacked tables on a connection.
pub(super) fn register(db: &Connection, reader: &Arc<Mutex<Reader>>) -> crate::Result<()> {
    const MODULE: Module<'static, Unpacked> = Module::eponymous_only_module();
    for table in TABLES {
        let source = Source { table: *table, reader: reader.clone() };
        db.create_module(table.name(), &MODULE, Some(source))?;
    }
    Ok(())
}

#[repr(C)]
struct Unpacked {
    base: sqlite3_vtab,
    source: Source,
}

// SAFETY: `repr(C)`, and the base is the first field.
unsafe impl<'vtab> VTab<'vtab> for Unpacked {
    type Aux = Source;
    type Cursor = Cursor<'vtab>;

    fn connect(
        db: &mut VTabConnection,
        source: Option<&Source>,
        _module: &[u8],
        _database: &[u8],
        _table: &[u8],
        _arguments: &[&[u8]],
    ) -> Result<(Cow<'static, CStr>, Unpacked)> {
        let source = source.expect("every module is registered with its source").clone();
        db.config(VTabConfig::Innocuous)?;
        let sql = CString::new(source.table.declaration()).expect("declarations have no NUL");
        Ok((Cow::Owned(sql), Unpacked { base: sqlite3_vtab::default(), source }))
    }

    fn best_index(&self, info: &mut IndexInfo) -> Result<bool> {
        let equal = |op| op == IndexConstraintOp::SQLITE_INDEX_CONSTRAINT_EQ;
        let usable: Vec<(usize, usize, Key)> = info
            .constraints()
            .enumerate()
            .filter(|(_, constraint)| constraint.is_usable() && equal(constraint.operator()))
            .filter_map(|(at, constraint)| {
                let column = usize::try_from(constraint.column()).ok()?;
                Some((at, column, self.source.table.key(column)?))
            })
            .collect();
        let exact = usable.into_iter().filter(|(at, ..)| info.collation(*at).is_ok_and(|name| name == "BINARY"));
        let best = exact.min_by_key(|(.., key)| cost(*key));
        match best {
            Some((at, column, key)) => {
                info.constraint_usage(at).set_argv_index(1);
                info.set_idx_num(column as c_int + 1);
                info.set_estimated_cost(cost(key) as f64);
                info.set_estimated_rows(cost(key));
            }
            None => {
                info.set_estimated_cost(1e7);
                info.set_estimated_rows(1_000_000);
            }
        }
        Ok(true)
    }

    fn open(&'vtab mut self) -> Result<Cursor<'vtab>> {
        Ok(Cursor {
            base: sqlite3_vtab_cursor::default(),
            source: self.source.clone(),
            steps: Vec::new().into_iter(),
            rows: None,
            row: 0,
            number: 0,
            table: PhantomData,
        })
    }
}

/// About how many rows an equality leaves.
const fn cost(key: Key) -> i64 {
    match key {
        Key::Text => 1,
        Key::File | Key::Row | Key::Path => 100,
        Key::Term => 200,
        Key::Defined => 1000,
        Key::Named => 10_000,
    }
}

#[repr(C)]
struct Cursor<'vtab> {
    base: sqlite3_vtab_cursor,
    source: Source,
    steps: std::vec::IntoIter<u32>,
    rows: Option<Box<dyn AnyRows>>,
    row: usize,
    /// Counts rows over the whole scan.
    number: i64,
    table: PhantomData<&'vtab Unpacked>,
}

impl Cursor<'_> {
    /// Goes to the next step that has rows, if the current one is used up.
    fn settle(&mut self) -> Result<()> {
        while self.rows.as_ref().is_none_or(|rows| self.row >= rows.len()) {
            self.row = 0;
            match self.steps.next() {
                Some(step) => self.rows = Some(self.source.table.load(&self.source.reader(), step).map_err(error)?),
                None => {
                    self.rows = None;
                    break;
                }
            }
        }
        Ok(())
    }
}

// SAFETY: `repr(C)`, and the base is the first field.
unsafe impl VTabCursor for Cursor<'_> {
    fn filter(&mut self, index: c_int, _text: Option<&str>, arguments: &Filters<'_>) -> Result<()> {
        let table = self.source.table;
        let search = match usize::try_from(index - 1).ok().and_then(|column| table.key(column)) {
            Some(key) => Some((key, arguments.get(0)?)),
            None => None,
        };
        self.steps = table.steps(&self.source.reader(), search).map_err(error)?.into_iter();
        (self.rows, self.row, self.number) = (None, 0, 0);
        self.settle()
    }

    fn next(&mut self) -> Result<()> {
        self.row += 1;
        self.number += 1;
        self.settle()
    }

    fn eof(&self) -> bool {
        self.rows.is_none()
    }

    fn column(&self, context: &mut Context, column: c_int) -> Result<()> {
        let rows = self.rows.as_ref().expect("SQLite asks for columns of rows that are there");
        let value = rows.value(&self.source.reader(), self.row, column as usize).map_err(error)?;
        context.set_result(value)
    }

    fn rowid(&self) -> Result<i64> {
        Ok(self.number)
    }
}

fn error(error: crate::Error) -> Error {
    Error::ModuleError(error.to_string())
}
