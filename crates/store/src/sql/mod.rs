//! `codegraph sql`: one read-only statement over the physical tables and the unpacked ones.

mod columns;
mod file_view;
mod linked;
mod module;
mod plain;
mod shell;
mod stream;
mod table;
mod tables;
#[cfg(test)]
mod tests;

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use codegraph_model::{Span, Symbol};
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Statement};
use serde::Serialize;

use crate::store::open_for_reading;
use crate::{Access, Error, Result, Store};
use file_view::Reader;
pub(crate) use shell::PUBLIC;
pub use stream::{ColumnKind, ColumnShape, TableShape, Tables};

/// Gives the SQL tables what the index does not store.
pub trait Sources: Send + Sync {
    /// The bytes of an indexed file, if it is there and unchanged.
    fn text(&self, path: &str) -> Option<Arc<[u8]>>;

    /// The syntax tree of a file in document order, parents first.
    fn ast(&self, path: &str, language: &str) -> Option<Vec<AstNode>>;

    /// The parts of a file of which only a part runs.
    fn conditionals(&self, _path: &str, _language: &str) -> Vec<Span> {
        Vec::new()
    }

    /// The head of a symbol on one line, given the bytes of its file.
    fn prototype(&self, source: &[u8], symbol: &Symbol) -> String {
        let head = source.get(symbol.span.start as usize..symbol.head_end as usize).unwrap_or_default();
        String::from_utf8_lossy(head).split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// A node of a syntax tree for the table `ast_nodes`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AstNode {
    /// Index of the parent in the list.
    pub parent: Option<u32>,
    pub kind: &'static str,
    pub start: u32,
    pub end: u32,
}

/// A value of an SQL answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Cell {
    Null,
    Integer(i64),
    Real(f64),
    Text(String),
    /// In hex.
    Blob(String),
}

/// What a statement may take. One that asks for everything times everything must not take the machine with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SqlLimits {
    pub rows: usize,
    pub time: Duration,
    /// Bytes of an answer; rows beyond are left out, as if the limit of rows were reached.
    pub bytes: usize,
}

impl SqlLimits {
    /// So many rows, with the usual rest.
    pub fn rows(rows: usize) -> SqlLimits {
        SqlLimits { rows, time: Duration::from_secs(60), bytes: 64 << 20 }
    }
}

/// Bytes of one value, and of what SQLite holds for all statements of the process; larger sorts go to files.
const MOST_VALUE: i32 = 16 << 20;
const MOST_HEAP: u32 = 512 << 20;
/// Instructions between two looks at the clock: well below a millisecond.
const LOOK_EVERY: i32 = 2000;

/// The rows of an SQL statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    pub columns: Vec<String>,
    pub rows: Vec<Vec<Cell>>,
    /// There were more rows than the limit.
    pub truncated: bool,
}

impl Store {
    /// Runs one statement that cannot write, attach or change settings.
    pub fn query_sql(&self, sql: &str, limits: SqlLimits, sources: Arc<dyn Sources>) -> Result<Answer> {
        let sql = &shell::meant(sql)?;
        let mut db = open_for_reading(self.path())?;
        let reader = Reader::new(Store::open(self.path(), Access::Read)?, sources);
        module::register(&db, &Arc::new(Mutex::new(reader)))?;
        db.set_limit(Limit::SQLITE_LIMIT_LENGTH, MOST_VALUE)?;
        db.execute_batch(&format!("PRAGMA hard_heap_limit = {MOST_HEAP}"))?;
        db.authorizer(Some(authorize))?;
        let deadline = Instant::now() + limits.time;
        db.progress_handler(LOOK_EVERY, Some(move || Instant::now() >= deadline))?;
        run(&db, sql, &limits).map_err(|error| match error {
            Error::Statement(_) if Instant::now() >= deadline => Error::TooLong(limits.time.as_secs_f64()),
            error => error,
        })
    }
}

/// Allows reading and nothing else.
fn authorize(context: AuthContext<'_>) -> Authorization {
    match context.action {
        AuthAction::Select | AuthAction::Read { .. } | AuthAction::Recursive => Authorization::Allow,
        AuthAction::Function { function_name } if function_name != "load_extension" => Authorization::Allow,
        AuthAction::Pragma { pragma_name, .. } if READING_PRAGMAS.contains(&pragma_name) => Authorization::Allow,
        _ => Authorization::Deny,
    }
}

/// The settings that only tell something, whatever argument they get.
const READING_PRAGMAS: &[&str] = &[
    "compile_options", "database_list", "foreign_key_list", "freelist_count", "function_list", "index_info",
    "index_list", "index_xinfo", "integrity_check", "module_list", "page_count", "quick_check", "table_info",
    "table_list", "table_xinfo",
];

fn run(db: &Connection, sql: &str, limits: &SqlLimits) -> Result<Answer> {
    let mut statement = prepare(db, sql)?;
    let columns: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let mut answer = Answer { rows: Vec::new(), truncated: false, columns };
    let (count, mut bytes) = (answer.columns.len(), 0);
    let mut rows = statement.query([]).map_err(statement_error)?;
    while let Some(row) = rows.next().map_err(statement_error)? {
        let cells = (0..count).map(|at| row.get_ref(at).map(cell)).collect::<rusqlite::Result<Vec<Cell>>>();
        let cells = cells.map_err(statement_error)?;
        bytes += cells.iter().map(Cell::size).sum::<usize>();
        if answer.rows.len() >= limits.rows || bytes > limits.bytes {
            answer.truncated = true;
            break;
        }
        answer.rows.push(cells);
    }
    Ok(answer)
}

fn prepare<'c>(db: &'c Connection, sql: &str) -> Result<Statement<'c>> {
    let statement = db.prepare(sql).map_err(|error| match error {
        rusqlite::Error::MultipleStatement => Error::NotReadOnly("several statements".to_owned()),
        error if error.sqlite_error_code() == Some(rusqlite::ErrorCode::AuthorizationForStatementDenied) => {
            Error::NotReadOnly(error.to_string())
        }
        error => statement_error(error),
    })?;
    if !statement.readonly() || statement.column_count() == 0 {
        return Err(Error::NotReadOnly("it gives no rows".to_owned()));
    }
    Ok(statement)
}

impl Cell {
    fn size(&self) -> usize {
        let text = match self {
            Cell::Text(text) | Cell::Blob(text) => text.len(),
            _ => 0,
        };
        size_of::<Cell>() + text
    }
}

fn statement_error(error: rusqlite::Error) -> Error {
    if error.sqlite_error_code() == Some(rusqlite::ErrorCode::OutOfMemory) {
        return Error::TooMuch(u64::from(MOST_HEAP) >> 20);
    }
    match Error::from(error) {
        Error::Sqlite(rusqlite::Error::SqliteFailure(_, Some(message))) => Error::Statement(message),
        Error::Sqlite(rusqlite::Error::SqlInputError { msg, .. }) => Error::Statement(msg),
        Error::Sqlite(error) => Error::Statement(error.to_string()),
        other => other,
    }
}

fn cell(value: ValueRef<'_>) -> Cell {
    match value {
        ValueRef::Null => Cell::Null,
        ValueRef::Integer(number) => Cell::Integer(number),
        ValueRef::Real(number) => Cell::Real(number),
        ValueRef::Text(bytes) => Cell::Text(String::from_utf8_lossy(bytes).into_owned()),
        ValueRef::Blob(bytes) => Cell::Blob(bytes.iter().map(|byte| format!("{byte:02x}")).collect()),
    }
}
