//! The SQL tables over a toy index.

use std::path::PathBuf;
use std::sync::Arc;

use super::*;
use crate::SCHEMA_VERSION;
use crate::testing::toy_build;

const A: &str = "// head\nclass Foo\n def run\nhelp run\n";
const B: &str = "def help\nFoo\n";

/// The toy files as they were indexed.
struct Toy;

impl Sources for Toy {
    fn text(&self, path: &str) -> Option<Arc<[u8]>> {
        match path {
            "a.toy" => Some(A.as_bytes().into()),
            "b.toy" => Some(B.as_bytes().into()),
            _ => None,
        }
    }

    fn ast(&self, path: &str, language: &str) -> Option<Vec<AstNode>> {
        assert_eq!(language, "toy");
        let end = self.text(path)?.len() as u32;
        let root = AstNode { parent: None, kind: "file", start: 0, end };
        Some(vec![root, AstNode { parent: Some(0), kind: "line", start: 0, end: 7 }])
    }
}

fn store() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("index.db");
    toy_build(&path, [("a.toy", A), ("b.toy", B)]);
    (folder, path)
}

fn ask(sql: &str) -> Result<Answer> {
    let (_folder, path) = store();
    Store::open(&path, Access::Read)?.query_sql(sql, SqlLimits::rows(100), Arc::new(Toy))
}

/// The rows as text, cells joined by `|`.
fn rows(sql: &str) -> Vec<String> {
    let cell = |cell: &Cell| match cell {
        Cell::Null => "NULL".to_owned(),
        Cell::Integer(number) => number.to_string(),
        Cell::Real(number) => number.to_string(),
        Cell::Text(text) | Cell::Blob(text) => text.clone(),
    };
    let answer = ask(sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
    answer.rows.iter().map(|row| row.iter().map(cell).collect::<Vec<_>>().join("|")).collect()
}

#[test]
fn plain_tables_are_readable() {
    assert_eq!(
        rows("SELECT id, path, length(hash), last_indexed FROM files"),
        ["1|a.toy|64|1700000000", "2|b.toy|64|1700000000"]
    );
    assert_eq!(rows("SELECT term FROM items ORDER BY term"), ["Foo", "head", "help", "run"]);
    assert_eq!(rows("SELECT value FROM metadata WHERE key = 'schema_version'"), [SCHEMA_VERSION.to_string()]);
    assert!(rows("SELECT * FROM dependencies").is_empty());
}

#[test]
fn lines_and_occurrences_have_types() {
    assert_eq!(
        rows("SELECT id, line_number, line_type FROM lines WHERE file_id = 1"),
        ["1|1|comment", "2|2|struct", "3|3|method", "4|4|code"]
    );
    let join = "SELECT path, line_id, line_type FROM occurrences o JOIN items i ON i.id = o.item_id
                JOIN files f ON f.id = o.file_id WHERE term = 'run'";
    assert_eq!(rows(join), ["a.toy|3|method", "a.toy|4|code"]);
    assert_eq!(rows("SELECT count(*) FROM occurrences"), ["7"]);
    assert_eq!(rows("SELECT count(*) FROM occurrences WHERE file_id = 2"), ["2"]);
}

#[test]
fn symbols_come_in_every_projection() {
    assert_eq!(
        rows("SELECT name, kind, kind_normalized, fqn, canonical_fqn, start_line FROM symbols WHERE name = 'run'"),
        ["run|Method|method|a.Foo.run|pkg::a.toy::Method Foo.run|3"]
    );
    assert_eq!(
        rows("SELECT name, prototype, class_id = (SELECT id FROM classes) FROM methods"),
        ["run|def run|1", "help|def help|NULL"]
    );
    assert_eq!(rows("SELECT name, kind, line_number FROM types"), ["Foo|class|2"]);
    assert_eq!(rows("SELECT name, line, end_line FROM functions"), ["help|1|1"]);
    assert_eq!(rows("SELECT s.name FROM symbols s JOIN classes c ON c.id = s.parent_id"), ["run"]);
    assert_eq!(rows("SELECT count(*), count(DISTINCT symbol_id), min(length(symbol_id)) FROM symbols"), ["5|5|32"]);
}

#[test]
fn references_are_listed_without_targets() {
    assert_eq!(
        rows("SELECT referenced_symbol, kind, start_line, target_id FROM \"references\" WHERE file_path = 'a.toy'"),
        ["help|call|4|NULL", "run|call|4|NULL"]
    );
    assert_eq!(rows("SELECT file_path, caller, callee FROM calls WHERE callee = 'Foo'"), ["b.toy|<file>|Foo"]);
    assert_eq!(rows("SELECT count(*) FROM usages WHERE target_name = 'help'"), ["1"]);
    assert!(rows("SELECT * FROM entity_cross_ref").is_empty());
}

#[test]
fn text_and_trees_come_from_the_sources() {
    assert_eq!(rows("SELECT file_id, header_comments FROM signatures"), ["1|NULL", "2|NULL"]);
    assert_eq!(
        rows("SELECT kind, parent_id IS NULL, byte_end FROM ast_nodes WHERE file_path = 'b.toy'"),
        ["file|1|13", "line|0|7"]
    );
}

#[test]
fn nothing_can_be_written() {
    for sql in [
        "DELETE FROM file", "CREATE TABLE x(y)", "CREATE TEMP TABLE x(y)", "ATTACH 'other.db' AS other",
        "PRAGMA journal_mode = DELETE", "PRAGMA user_version = 9", "VACUUM INTO 'other.db'", "BEGIN",
        "SELECT 1; DELETE FROM file", "SELECT load_extension('x')", "",
    ] {
        let error = ask(sql).expect_err(sql);
        assert!(matches!(error, Error::NotReadOnly(_) | Error::Statement(_)), "{sql}: {error:?}");
    }
}

#[test]
fn mistakes_are_told() {
    let error = ask("SELECT nothing FROM files").expect_err("there is no such column");
    assert!(error.to_string().contains("nothing"), "{error}");
}

#[test]
fn answers_are_bounded() {
    let (_folder, path) = store();
    let store = Store::open(&path, Access::Read).expect("the index is there");
    let answer = store.query_sql("SELECT id FROM symbols", SqlLimits::rows(2), Arc::new(Toy)).expect("a plain query");
    assert_eq!((answer.rows.len(), answer.truncated), (2, true));
    let answer = store.query_sql("SELECT id FROM files", SqlLimits::rows(2), Arc::new(Toy)).expect("a plain query");
    assert_eq!((answer.rows.len(), answer.truncated), (2, false));
}
