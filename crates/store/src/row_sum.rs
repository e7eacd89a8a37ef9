//! A sum in every row, over its key and all its columns: a bit that flips on a disk or in memory changes it.
//!
//! SQLite's own check sees pages and trees, not what is written in a row, and not every row can be made again and compared.
//! Four bytes a row can. Tables that are public have no column for it; they are small, and have one sum each in `seal`.

use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension};

use crate::Result;
use crate::schema::expected_schema;

/// The tables whose rows have a sum, with the columns that it is made of.
const TABLES: &[(&str, &str)] = &[
    ("input", "first, data"),
    ("place", "id, folder, language, separator, package, module"),
    ("file", FILE),
    ("file_key", "bucket, data"),
    ("facts", "first, outlines, bodies"),
    ("dictionary", "block, texts"),
    ("term_order", "first, ids"),
    ("posting", "key, data"),
    ("posting_shelf", "key, data"),
    ("glance", "segment, data"),
    ("symbol_prefix", "segment, data"),
    ("link", "first, data"),
    ("slots", "file, data"),
    ("imported", "file, hash, data"),
    ("backlink", "file, data"),
    ("unbound", "term, data"),
];

const FILE: &str = "id, place, name, stem, size, mtime_ns, mark, hash, extractor, indexed_at, lines, problems, items, occurrences, symbols, methods, types, \
    generated, ordinals";

/// Public tables, with what orders their rows.
const PUBLIC: &[(&str, &str, &str)] =
    &[("metadata", "key, value", "key"), ("dependencies", "id, path, name, last_checked", "id")];

/// The columns of a table that are summed up.
pub(crate) fn columns(table: &str) -> &'static str {
    TABLES.iter().find(|(name, _)| *name == table).map_or("", |(_, columns)| columns)
}

/// Makes `row_sum(…)` known to a connection.
pub(crate) fn register(db: &Connection) -> Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_INNOCUOUS;
    Ok(db.create_scalar_function("row_sum", -1, flags, |context| Ok(sum_of(context)))?)
}

fn sum_of(context: &Context<'_>) -> i32 {
    let mut sum = Sum::default();
    (0..context.len()).for_each(|at| sum.value(context.get_raw(at)));
    sum.finish()
}

/// Sums up the public tables.
pub(crate) fn seal_public(db: &Connection) -> Result<()> {
    for (table, columns, order) in PUBLIC {
        let sum = table_sum(db, table, columns, order)?;
        db.prepare_cached("INSERT OR REPLACE INTO seal VALUES (?1, ?2)")?.execute((table, sum))?;
    }
    Ok(())
}

fn table_sum(db: &Connection, table: &str, columns: &str, order: &str) -> Result<i32> {
    let mut query = db.prepare_cached(&format!("SELECT {columns} FROM {table} ORDER BY {order}"))?;
    let count = query.column_count();
    let (mut rows, mut sum) = (query.query([])?, Sum::default());
    while let Some(row) = rows.next()? {
        for at in 0..count {
            sum.value(row.get_ref(at)?);
        }
    }
    Ok(sum.finish())
}

/// What is not as it was written.
pub(crate) fn complaints(db: &Connection) -> Result<Vec<String>> {
    let mut found = Vec::new();
    for (table, columns) in TABLES {
        let sql = format!("SELECT count(*) FROM {table} WHERE sum IS NOT row_sum({columns})");
        let wrong: i64 = db.query_row(&sql, [], |row| row.get(0))?;
        if wrong > 0 {
            found.push(format!("rows of the table '{table}' that are not what was written: {wrong}"));
        }
    }
    for (table, columns, order) in PUBLIC {
        let mut query = db.prepare("SELECT sum FROM seal WHERE name = ?1")?;
        let sealed: Option<i32> = query.query_row([table], |row| row.get(0)).optional()?.flatten();
        if sealed != Some(table_sum(db, table, columns, order)?) {
            found.push(format!("the table '{table}' is not what was written"));
        }
    }
    if schema(db)? != expected_schema()? {
        found.push("the tables are not those of this release".to_owned());
    }
    Ok(found)
}

/// How the tables and views of an index are defined.
pub(crate) fn schema(db: &Connection) -> Result<Vec<(String, String, Option<String>)>> {
    let mut query = db.prepare("SELECT name, tbl_name, sql FROM sqlite_master ORDER BY name")?;
    let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

/// Eight bytes at a time; one bit more or less is another sum.
#[derive(Default)]
struct Sum(u64);

impl Sum {
    fn value(&mut self, value: ValueRef<'_>) {
        match value {
            ValueRef::Null => self.word(1),
            ValueRef::Integer(number) => {
                self.word(2);
                self.word(number as u64);
            }
            ValueRef::Real(number) => {
                self.word(3);
                self.word(number.to_bits());
            }
            ValueRef::Text(bytes) => self.bytes(4, bytes),
            ValueRef::Blob(bytes) => self.bytes(5, bytes),
        }
    }

    fn bytes(&mut self, kind: u64, bytes: &[u8]) {
        self.word(kind ^ (bytes.len() as u64) << 8);
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|word| self.word(u64::from_le_bytes(*word)));
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        self.word(u64::from_le_bytes(last));
    }

    fn word(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    }

    /// Signed: SQLite needs six bytes for half of the others.
    fn finish(&self) -> i32 {
        let mixed = (self.0 ^ self.0 >> 32).wrapping_mul(0xff51_afd7_ed55_8ccd);
        (mixed >> 32) as i32
    }
}
