//! `docs/conformance.md`: what the four design documents name, where it is, and the tests that hold it.
//!
//! The list is `crates/mcp/tests/contract.json`, which the tests read as well: a table, column, tool, parameter or field that
//! is in it and not in the product fails there. A test that is named and does not exist fails here.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::workspace;

const CONTRACT: &str = "crates/mcp/tests/contract.json";
const TESTS: &str = "crates/mcp/tests/every/contract.rs";
const OF_TABLES: &str = "every_table_of_the_documents_can_be_read_by_its_columns";
const OF_TOOLS: &str = "every_tool_takes_the_parameters_and_gives_the_fields_of_the_documents";

const HEAD: &str = "\
# What the design documents ask for

Four documents describe codegraph. This page lists what they name, and the tests that hold it. It is made from
`crates/mcp/tests/contract.json`, which the tests read too: nothing is listed here that no test shows. What no test shows yet is
at the end.

";

pub(super) fn document(_: &Path) -> Result<String> {
    let contract: Value = serde_json::from_str(&std::fs::read_to_string(workspace::root().join(CONTRACT))?)?;
    let mut text = HEAD.to_owned();
    tables(&mut text, &contract["tables"])?;
    tools(&mut text, &contract["tools"])?;
    behaviours(&mut text, &contract["behaviours"])?;
    writeln!(text, "\n## Not shown by a test yet\n\n| document | what |\n|---|---|")?;
    for one in contract["open"].as_array().into_iter().flatten() {
        writeln!(text, "| {} | {} |", word(one, "document"), word(one, "says"))?;
    }
    Ok(text)
}

fn tables(text: &mut String, tables: &Value) -> Result<()> {
    writeln!(
        text,
        "## Tables\n\nRead with `codegraph sql`; `docs/schema.md` describes them. Held by {}.\n",
        shown(TESTS, OF_TABLES)?
    )?;
    writeln!(text, "| document | table | columns |\n|---|---|---|")?;
    for (document, tables) in tables.as_object().into_iter().flatten() {
        for (table, columns) in tables.as_object().into_iter().flatten() {
            writeln!(text, "| {document} | `{table}` | {} |", listed(columns))?;
        }
    }
    Ok(())
}

fn tools(text: &mut String, tools: &Value) -> Result<()> {
    writeln!(
        text,
        "\n## Tools\n\nEach is a command too; `docs/mcp.md` and `docs/cli.md` describe them. Held by {}.\n",
        shown(TESTS, OF_TOOLS)?
    )?;
    writeln!(text, "| document | tool | parameters | fields of the answer |\n|---|---|---|---|")?;
    for (tool, said) in tools.as_object().into_iter().flatten() {
        let parameters: Vec<Value> =
            said["call"].as_object().into_iter().flatten().map(|(name, _)| name.clone().into()).collect();
        let (parameters, fields) = (listed(&parameters.into()), listed(&said["fields"]));
        writeln!(text, "| {} | `{tool}` | {parameters} | {fields} |", word(said, "document"))?;
    }
    Ok(())
}

fn behaviours(text: &mut String, behaviours: &Value) -> Result<()> {
    writeln!(text, "\n## Behaviour\n\n| document | what | held by |\n|---|---|---|")?;
    for one in behaviours.as_array().into_iter().flatten() {
        let tests = one["tests"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let tests = tests.map(|test| {
            let (file, name) = test.split_once("::").with_context(|| format!("'{test}' is not FILE::TEST"))?;
            shown(file, name)
        });
        let tests = tests.collect::<Result<Vec<_>>>()?;
        ensure!(!tests.is_empty(), "'{}' names no test", word(one, "says"));
        writeln!(text, "| {} | {} | {} |", word(one, "document"), word(one, "says"), tests.join(", "))?;
    }
    Ok(())
}

/// A test as a link to its file, if it is there and runs.
fn shown(file: &str, name: &str) -> Result<String> {
    let text = std::fs::read_to_string(workspace::root().join(file)).with_context(|| file.to_owned())?;
    let at = text.find(&format!("fn {name}()")).with_context(|| format!("{file} has no test '{name}'"))?;
    // Tests inside of a module are indented.
    let before: Vec<&str> = text[..at].trim_end_matches(' ').lines().rev().take(4).collect();
    let is_test = before.iter().take_while(|line| line.starts_with("#[") || line.trim_start().starts_with("#["));
    ensure!(is_test.into_iter().any(|line| line.contains("test]")), "'{name}' in {file} is no test");
    ensure!(!before.iter().any(|line| line.contains("#[ignore")), "'{name}' in {file} does not run");
    Ok(format!("[`{name}`](../{file})"))
}

fn listed(names: &Value) -> String {
    let names = names.as_array().into_iter().flatten().filter_map(Value::as_str);
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn word<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}
