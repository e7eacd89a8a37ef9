//! `cargo xtask accuracy`: the links of real source trees against those of their compilers.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};
use ignore::WalkBuilder;
use serde_json::Value;

use crate::workspace::{self, Profile};

#[derive(clap::Args)]
pub(crate) struct Options {
    /// A folder with a folder for each source tree: `truth.scip.gz` and `COMMIT`, which names the commit and the project
    #[arg(long, value_name = "DIR")]
    truth: PathBuf,
    /// A folder with the source trees, each at its commit, under the same names
    #[arg(long, value_name = "DIR")]
    sources: PathBuf,
    /// Write the table into this document, between `<!-- accuracy -->` and `<!-- /accuracy -->`
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// The rows of the table: heading, section, row.
const COLUMNS: &[(&str, &str, &str)] = &[
    ("all", "references", "all"),
    ("cross-file", "references", "cross-file"),
    ("calls", "references", "call"),
    ("types", "references", "type"),
    ("variables, fields", "references", "variable/field"),
    ("locals", "references", "local"),
    ("exact only", "references", "exact only"),
    ("inferred only", "references", "inferred only"),
    ("edges", "edges", "function to function"),
];

pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let binary = workspace::build(Profile::Dev, &["codegraph"])?.join("codegraph");
    let mut names: Vec<String> = Vec::new();
    for entry in std::fs::read_dir(&options.truth).with_context(|| options.truth.display().to_string())? {
        names.extend(entry?.file_name().into_string().ok());
    }
    names.sort_unstable();
    let mut rows = Vec::new();
    for name in names {
        let (truth, sources) = (options.truth.join(&name), options.sources.join(&name));
        let index = truth.join("truth.scip.gz");
        if !index.is_file() {
            continue;
        }
        if !sources.is_dir() {
            eprintln!("{name}: no sources");
            continue;
        }
        rows.push(row(&name, &truth, &measure(&binary, &index, &sources).with_context(|| name.clone())?));
        eprintln!("{}", rows[rows.len() - 1]);
    }
    let table = table(&rows);
    println!("{table}");
    if let Some(file) = &options.out {
        workspace::put_between(file, "accuracy", &table)?;
    }
    Ok(if rows.is_empty() { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// Indexes a copy of a source tree and verifies it.
fn measure(binary: &Path, truth: &Path, sources: &Path) -> Result<Value> {
    let folder = tempfile::tempdir()?;
    copy(sources, folder.path())?;
    let run = |arguments: &[&str]| {
        workspace::output(Command::new(binary).current_dir(folder.path()).args(arguments).args(["--scip"]).arg(truth))
    };
    workspace::output(Command::new(binary).current_dir(folder.path()).args(["init", "--json"]))?;
    let mut answer: Value = serde_json::from_str(&run(&["verify", "--json"])?)?;
    Ok(answer["data"].take())
}

/// Copies a source tree with its manifests.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<()> {
    let tool_folder = |name: &std::ffi::OsStr| name == ".git" || name == ".codegraph";
    let mut walk = WalkBuilder::new(from);
    walk.standard_filters(false).filter_entry(move |entry| !tool_folder(entry.file_name()));
    for entry in walk.build() {
        let entry = entry?;
        if entry.file_type().is_some_and(|kind| kind.is_file()) {
            let target = to.join(entry.path().strip_prefix(from)?);
            std::fs::create_dir_all(target.parent().expect("it is inside the copy"))?;
            std::fs::copy(entry.path(), &target).with_context(|| entry.path().display().to_string())?;
        }
    }
    Ok(())
}

/// `| flask | pallets/flask 2ac89889 | 98.7 / 99.1 (3337) | …`
fn row(name: &str, truth: &Path, measured: &Value) -> String {
    let commit = std::fs::read_to_string(truth.join("COMMIT")).unwrap_or_default();
    let mut words = commit.split_whitespace();
    let commit = words.next().map_or(String::new(), |hash| hash.chars().take(8).collect());
    let project = words.next().unwrap_or(name).to_owned();
    let tool = measured["truth"]["tool"].as_str().unwrap_or_default();
    let cells = COLUMNS.iter().map(|(_, section, row)| cell(&measured[section][row]));
    format!("| {project} {commit} | {tool} | {} |", cells.collect::<Vec<_>>().join(" | "))
}

fn cell(row: &Value) -> String {
    let percent = |value: &Value| value.as_f64().map_or("–".to_owned(), |value| format!("{:.1}", 100.0 * value));
    match row["truth"].as_u64() {
        None | Some(0) => "–".to_owned(),
        Some(_) => format!("{} / {}", percent(&row["precision"]), percent(&row["recall"])),
    }
}

fn table(rows: &[String]) -> String {
    let heads: Vec<&str> = COLUMNS.iter().map(|(head, ..)| *head).collect();
    let line = COLUMNS.iter().map(|_| "--:").collect::<Vec<_>>().join(" | ");
    format!("| project | truth by | {} |\n| --- | --- | {line} |\n{}\n", heads.join(" | "), rows.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_precision_and_recall() {
        let row = serde_json::json!({"truth": 10, "precision": 0.9951, "recall": 0.5});
        assert_eq!(cell(&row), "99.5 / 50.0");
        assert_eq!(cell(&Value::Null), "–");
    }
}
