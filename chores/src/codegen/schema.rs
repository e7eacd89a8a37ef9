//! `docs/schema.md`: the public tables and their columns, asked from the index of a small project.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::workspace::output;

const INTRODUCTION: &str = "# Tables

`codegraph sql \"SELECT …\"` reads all of these. It cannot write. With `--json`, `data.rows` has an object for each row.
Tables marked with *any client* can also be read by any other SQLite client from `.codegraph/index.db`; the others are
unpacked while they are read.

";

/// Every public table and what a row of it is.
const TABLES: &[(&str, &str)] = &[
    ("files", "an indexed file"),
    ("lines", "a line of a file"),
    ("items", "a term: an identifier, or a word of a comment or string"),
    ("occurrences", "a term on a line"),
    ("symbols", "a definition"),
    ("signatures", "a file with the comment at its top"),
    ("methods", "a function, method or macro with its prototype"),
    ("types", "a class, struct, interface, enum or type alias"),
    ("classes", "a type that can have members"),
    ("functions", "a function or macro that is not a member of a type"),
    ("references", "a use of a name"),
    ("calls", "a call"),
    ("usages", "a use of a class, method or function"),
    ("entity_cross_ref", "a use of one entity by another"),
    ("ast_nodes", "a node of a syntax tree"),
    ("dependencies", "a link to another project"),
    ("metadata", "a fact about the index itself"),
];

pub(super) fn document(binary: &Path) -> Result<String> {
    let project = tempfile::tempdir()?;
    std::fs::write(project.path().join("README.md"), "# Title\n")?;
    output(Command::new(binary).arg("init").current_dir(project.path()))?;
    let stored = stored(binary, project.path())?;
    let mut out = INTRODUCTION.to_owned();
    for (table, row) in TABLES {
        let any_client = if stored.iter().any(|name| name == table) { " (*any client*)" } else { "" };
        let columns = columns(binary, project.path(), table)?;
        write!(out, "## `{table}`{any_client}\n\nA row is {row}.\n\n{columns}\n\n")?;
    }
    Ok(out.trim_end().to_owned() + "\n")
}

/// The names of the tables and views that are in the file itself.
fn stored(binary: &Path, project: &Path) -> Result<Vec<String>> {
    let data = sql(binary, project, "SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')")?;
    let rows = data["rows"].as_array().context("the answer has rows")?;
    Ok(rows.iter().filter_map(|row| Some(row["name"].as_str()?.to_owned())).collect())
}

fn columns(binary: &Path, project: &Path, table: &str) -> Result<String> {
    let data = sql(binary, project, &format!("SELECT * FROM \"{table}\" LIMIT 0"))?;
    let columns = data["columns"].as_array().with_context(|| format!("{table} has columns"))?;
    let names: Vec<String> = columns.iter().filter_map(|name| Some(format!("`{}`", name.as_str()?))).collect();
    Ok(names.join(", "))
}

fn sql(binary: &Path, project: &Path, statement: &str) -> Result<Value> {
    let mut command = Command::new(binary);
    command.current_dir(project).args(["sql", "--json", statement]);
    // An answer without rows is an answer: exit status 1.
    let out = command.output()?;
    let text = String::from_utf8_lossy(&out.stderr);
    let mut answer: Value = serde_json::from_slice(&out.stdout).with_context(|| format!("{statement}: {text}"))?;
    Ok(answer["data"].take())
}
