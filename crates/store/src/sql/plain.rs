//! The public tables as plain tables of a database of their own, with keys and indexes: for clients that know nothing of
//! this index.

use std::path::Path;

use rusqlite::types::ToSqlOutput;
use rusqlite::{Connection, ToSql, params_from_iter};

use super::Cell;
use super::stream::{TableShape, Tables};
use crate::schema::new_database;
use crate::{Error, Result};

/// What holds a table together: its key, what its columns refer to, and what is looked for in it.
struct Keys {
    table: &'static str,
    primary: &'static str,
    /// Columns, table and columns there.
    foreign: &'static [(&'static str, &'static str, &'static str)],
    indexes: &'static [&'static str],
}

const FILE: (&str, &str, &str) = ("file_id", "files", "id");

const KEYS: &[Keys] = &[
    Keys { table: "files", primary: "id", foreign: &[], indexes: &["path", "language"] },
    Keys { table: "lines", primary: "file_id, id", foreign: &[FILE], indexes: &["file_id, line_number"] },
    Keys { table: "items", primary: "id", foreign: &[], indexes: &["term"] },
    Keys {
        table: "occurrences",
        primary: "item_id, file_id, line_id",
        foreign: &[FILE, ("item_id", "items", "id"), ("file_id, line_id", "lines", "file_id, id")],
        indexes: &["file_id, line_id"],
    },
    Keys { table: "signatures", primary: "file_id", foreign: &[FILE], indexes: &[] },
    Keys {
        table: "methods",
        primary: "id",
        foreign: &[FILE, ("id", "symbols", "id"), ("class_id", "classes", "id")],
        indexes: &["file_id", "name", "class_id"],
    },
    Keys { table: "types", primary: "id", foreign: &[FILE, ("id", "symbols", "id")], indexes: &["file_id", "name"] },
    Keys { table: "classes", primary: "id", foreign: &[FILE, ("id", "symbols", "id")], indexes: &["file_id", "name"] },
    Keys {
        table: "functions",
        primary: "id",
        foreign: &[FILE, ("id", "symbols", "id")],
        indexes: &["file_id", "name"],
    },
    Keys {
        table: "symbols",
        primary: "id",
        foreign: &[FILE, ("parent_id", "symbols", "id")],
        indexes: &["file_id", "parent_id", "name", "fqn", "symbol_id", "symbol_key"],
    },
    Keys {
        table: "references",
        primary: "id",
        foreign: &[FILE, ("caller_id", "symbols", "id"), ("target_id", "symbols", "id")],
        indexes: &["file_id", "caller_id", "target_id", "referenced_symbol", "target"],
    },
    Keys {
        table: "calls",
        primary: "id",
        foreign: &[FILE, ("id", "references", "id"), ("caller_id", "symbols", "id"), ("callee_id", "symbols", "id")],
        indexes: &["file_id", "caller_id", "callee_id", "callee"],
    },
    Keys {
        table: "usages",
        primary: "id",
        foreign: &[FILE, ("id", "references", "id")],
        indexes: &["file_id", "target_name"],
    },
    Keys {
        table: "entity_cross_ref",
        primary: "id",
        foreign: &[
            FILE,
            ("id", "references", "id"),
            ("caller_class_id", "classes", "id"),
            ("caller_method_id", "methods", "id"),
            ("caller_function_id", "functions", "id"),
            ("callee_class_id", "classes", "id"),
            ("callee_method_id", "methods", "id"),
            ("callee_function_id", "functions", "id"),
        ],
        indexes: &["file_id", "callee_class_id", "callee_method_id", "callee_function_id"],
    },
    Keys {
        table: "ast_nodes",
        primary: "id",
        foreign: &[FILE, ("parent_id", "ast_nodes", "id")],
        indexes: &["file_id", "parent_id", "kind"],
    },
    Keys { table: "dependencies", primary: "id", foreign: &[], indexes: &[] },
    Keys { table: "metadata", primary: "key", foreign: &[], indexes: &[] },
];

impl Tables {
    /// Writes tables into an empty file that becomes a database. Tells after each row that one more of its table is there.
    pub fn write_database(
        &self,
        wanted: &[TableShape],
        path: &Path,
        mut written: impl FnMut(&'static str),
    ) -> Result<()> {
        let db = new_database(path)?;
        db.execute_batch("BEGIN")?;
        for shape in wanted {
            db.execute_batch(&definition(shape, wanted))?;
        }
        for shape in wanted {
            self.copy(shape, &db, &mut written)?;
        }
        for shape in wanted {
            for columns in keys(shape).map_or(&[][..], |keys| keys.indexes) {
                let name = format!("{}_by_{}", shape.name, columns.replace(", ", "_"));
                db.execute_batch(&format!("CREATE INDEX \"{name}\" ON \"{}\"({columns})", shape.name))?;
            }
        }
        Ok(db.execute_batch("COMMIT; PRAGMA optimize;")?)
    }

    fn copy(&self, shape: &TableShape, db: &Connection, written: &mut impl FnMut(&'static str)) -> Result<()> {
        let columns: Vec<&str> = shape.columns.iter().map(|column| column.name).collect();
        let places = vec!["?"; columns.len()].join(", ");
        let mut insert = db.prepare(&format!("INSERT INTO \"{}\" VALUES ({places})", shape.name))?;
        self.each_row(shape.name, &columns, |row| {
            insert.execute(params_from_iter(row))?;
            written(shape.name);
            Ok::<(), Error>(())
        })
    }
}

fn keys(shape: &TableShape) -> Option<&'static Keys> {
    KEYS.iter().find(|keys| keys.table == shape.name)
}

/// Refers only to tables that are written too.
fn definition(shape: &TableShape, wanted: &[TableShape]) -> String {
    let mut parts: Vec<String> = shape.columns.iter().map(|column| column.declaration()).collect();
    if let Some(keys) = keys(shape) {
        parts.push(format!("PRIMARY KEY({})", keys.primary));
        let there = keys.foreign.iter().filter(|(_, table, _)| wanted.iter().any(|other| other.name == *table));
        parts.extend(there.map(|(own, table, other)| format!("FOREIGN KEY({own}) REFERENCES \"{table}\"({other})")));
    }
    format!("CREATE TABLE \"{}\"({})", shape.name, parts.join(", "))
}

impl ToSql for Cell {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Cell::Null => rusqlite::types::Null.to_sql()?,
            Cell::Integer(number) => ToSqlOutput::from(*number),
            Cell::Real(number) => ToSqlOutput::from(*number),
            Cell::Text(text) | Cell::Blob(text) => ToSqlOutput::from(text.as_str()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_public_table_has_a_key_and_refers_to_columns_that_are_there() {
        for shape in Tables::shapes() {
            let keys = keys(&shape).unwrap_or_else(|| panic!("{} has no key", shape.name));
            let has = |table: &str, columns: &str| {
                let shape = Tables::shape(table).expect("a public table");
                columns.split(", ").all(|name| shape.columns.iter().any(|column| column.name == name))
            };
            assert!(has(shape.name, keys.primary), "{}", shape.name);
            assert!(keys.indexes.iter().all(|columns| has(shape.name, columns)), "{}", shape.name);
            for (own, table, other) in keys.foreign {
                assert!(has(shape.name, own) && has(table, other), "{} {own}", shape.name);
            }
        }
    }
}
