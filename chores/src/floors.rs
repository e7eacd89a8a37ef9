//! `cargo xtask floors`: what must not get worse, measured so that it is the same on every machine: shares of references that
//! are linked, labels that are held, bytes, and counted instructions. `benches/floors.txt` has the bounds.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::workspace::{self, Profile};

#[derive(clap::Args)]
pub(crate) struct Options {
    /// Write the bounds anew, from what is measured now and with room for noise
    #[arg(long)]
    write: bool,
}

const FILE: &str = "benches/floors.txt";

/// Where instructions of questions are counted: it has something of every language, and changes seldom.
const ASKED: &str = "crates/languages/src";

/// Questions about it, by the names of their rows.
const QUESTIONS: &[(&str, &[&str])] = &[
    ("find", &["find", "Language"]),
    ("query", &["query", "separator"]),
    ("callers", &["callers", "for_path"]),
    ("signature", &["signature", "crates/languages/src/table.rs"]),
];

/// A direction and a number.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Bound {
    AtLeast(f64),
    AtMost(f64),
}

/// What is measured, in the order in which it is listed.
type Rows = Vec<(String, Kind, f64)>;

/// How a number is bounded, and how much room it is given.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// Counted things of which none may go.
    Count,
    /// A share from 0 to 1.
    Share,
    /// Bytes per byte.
    Size,
    /// Instructions.
    Work,
}

impl Kind {
    fn bound(self, value: f64) -> Bound {
        match self {
            Kind::Count => Bound::AtLeast(value),
            Kind::Share => Bound::AtLeast((value - 0.03).max(0.0)),
            Kind::Size => Bound::AtMost(value * 1.08),
            Kind::Work => Bound::AtMost(value * 1.25),
        }
    }
}

impl Bound {
    fn holds(self, value: f64) -> bool {
        match self {
            Bound::AtLeast(floor) => value >= floor,
            Bound::AtMost(ceiling) => value <= ceiling,
        }
    }
}

pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let binary = workspace::build(Profile::Dev, &["codegraph"])?.join("codegraph");
    hold(&binary, options)
}

/// Measures a binary, and compares or writes.
fn hold(binary: &Path, options: &Options) -> Result<ExitCode> {
    let mut rows = labels()?;
    rows.extend(own_tree(binary)?);
    rows.extend(instructions(binary)?);
    let file = workspace::root().join(FILE);
    if options.write {
        std::fs::write(&file, written(&rows))?;
        println!("{FILE} has {} bounds", rows.len());
        return Ok(ExitCode::SUCCESS);
    }
    let bounds = bounds(&std::fs::read_to_string(&file)?)?;
    for (name, _, value) in &rows {
        println!("{value:>9.3}  {name}");
    }
    let missed = missed(&rows, &bounds);
    missed.iter().for_each(|line| eprintln!("missed: {line}"));
    Ok(if missed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// `name | at least 0.9` or `name | at most 1.5`, a line each.
fn bounds(text: &str) -> Result<BTreeMap<String, Bound>> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let parsed = lines.map(|line| {
        let (name, bound) = line.split_once(" | ").with_context(|| format!("no bound: {line}"))?;
        let bound = match (bound.strip_prefix("at least "), bound.strip_prefix("at most ")) {
            (Some(number), _) => Bound::AtLeast(number.trim().parse()?),
            (_, Some(number)) => Bound::AtMost(number.trim().parse()?),
            _ => bail!("neither a floor nor a ceiling: {line}"),
        };
        Ok((name.trim().to_owned(), bound))
    });
    parsed.collect()
}

/// A line for each row that is out of bounds or has none.
fn missed(rows: &Rows, bounds: &BTreeMap<String, Bound>) -> Vec<String> {
    let out = |(name, _, value): &(String, Kind, f64)| match bounds.get(name) {
        None => Some(format!("{name} has no bound: cargo xtask floors --write")),
        Some(bound) if bound.holds(*value) => None,
        Some(Bound::AtLeast(floor)) => Some(format!("{name}: {value:.3}, not at least {floor}")),
        Some(Bound::AtMost(ceiling)) => Some(format!("{name}: {value:.3}, not at most {ceiling}")),
    };
    rows.iter().filter_map(out).collect()
}

fn written(rows: &Rows) -> String {
    let mut out = String::from(
        "# What must not get worse: see `cargo xtask floors`. Written by `cargo xtask floors --write`; a commit that moves a\n\
         # bound the wrong way says why.\n",
    );
    for (name, kind, value) in rows {
        let bound = match kind.bound(*value) {
            Bound::AtLeast(floor) => format!("at least {}", rounded(floor)),
            Bound::AtMost(ceiling) => format!("at most {}", rounded(ceiling)),
        };
        writeln!(out, "{name} | {bound}").expect("a String takes everything");
    }
    out
}

fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

/// The labels of the small programs: the tests hold all of them, and none goes unnoticed.
fn labels() -> Result<Rows> {
    let folder = workspace::root().join("crates/resolve/tests/programs");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    files.sort();
    let count = |file: &PathBuf| {
        let (_, labels) = codegraph_fixture::labelled(&std::fs::read_to_string(file)?);
        let language = file.file_stem().unwrap_or_default().to_string_lossy();
        Ok((format!("labels, {language}"), Kind::Count, labels.len() as f64))
    };
    files.iter().map(count).collect()
}

/// Links and bytes of the index of this repository, in which there is something of every language.
fn own_tree(binary: &Path) -> Result<Rows> {
    let folder = copied(&["crates", "chores", "xtask", "page/src"])?;
    workspace::output(Command::new(binary).current_dir(folder.path()).args(["init", "--json"]))?;
    let rows = |statement: &str| -> Result<Vec<Value>> {
        let mut command = Command::new(binary);
        command.current_dir(folder.path()).args(["sql", "--json", "--limit", "1000", statement]);
        let answer: Value = serde_json::from_str(&workspace::output(&mut command)?)?;
        Ok(answer["data"]["rows"].as_array().cloned().unwrap_or_default())
    };
    let shares = rows(
        "SELECT f.language AS language, avg(coalesce(r.certainty, '') IN ('exact', 'inferred')) AS share \
         FROM \"references\" r JOIN files f ON f.id = r.file_id GROUP BY f.language ORDER BY f.language",
    )?;
    let mut out: Rows = Vec::new();
    for row in shares {
        let language = row["language"].as_str().context("a language")?;
        out.push((
            format!("references that are linked, {language}"),
            Kind::Share,
            row["share"].as_f64().unwrap_or(0.0),
        ));
    }
    let status: Value = serde_json::from_str(&workspace::output(
        Command::new(binary).current_dir(folder.path()).args(["status", "--json"]),
    )?)?;
    let number = |key: &str| status["data"][key].as_f64().with_context(|| format!("status has {key}"));
    let size = number("database_size_bytes")? / number("source_bytes")?;
    out.push(("bytes of the index per byte of source".to_owned(), Kind::Size, size));
    Ok(out)
}

/// Folders of this repository, as git has them, somewhere else.
fn copied(folders: &[&str]) -> Result<tempfile::TempDir> {
    let target = tempfile::tempdir()?;
    let list = workspace::output(Command::new("git").current_dir(workspace::root()).arg("ls-files").args(folders))?;
    for path in list.lines() {
        let to = target.path().join(path);
        std::fs::create_dir_all(to.parent().context("a file is in a folder")?)?;
        // A file that is removed and not committed yet.
        if workspace::root().join(path).is_file() {
            std::fs::copy(workspace::root().join(path), to)?;
        }
    }
    // What was written within a tick of the clock is not trusted, and looked at again before each answer.
    std::thread::sleep(std::time::Duration::from_millis(100));
    Ok(target)
}

/// Instructions of a few questions, each a process of its own.
fn instructions(binary: &Path) -> Result<Rows> {
    if Command::new("valgrind").arg("--version").output().is_err() {
        eprintln!("SKIPPED: valgrind is not installed, instructions are not counted");
        return Ok(Vec::new());
    }
    let folder = copied(&[ASKED])?;
    workspace::output(Command::new(binary).current_dir(folder.path()).args(["init", "--json"]))?;
    let count = |(name, arguments): &(&str, &[&str])| {
        let instructions = counted(binary, folder.path(), arguments)?;
        Ok((format!("million instructions, {name}"), Kind::Work, instructions / 1e6))
    };
    QUESTIONS.iter().map(count).collect()
}

/// The instructions of a process, which is run on a simulated processor.
fn counted(program: &Path, folder: &Path, arguments: &[&str]) -> Result<f64> {
    let mut command = Command::new("valgrind");
    command
        .args(["--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"])
        .arg(program)
        .args(arguments);
    let run = command.arg("--no-update").current_dir(folder).output().context("valgrind could not be started")?;
    let said = String::from_utf8_lossy(&run.stderr);
    ensure!(run.status.success(), "{} {arguments:?}: {said}", program.display());
    let line = said.lines().find_map(|line| line.split_once("refs:").filter(|(before, _)| before.contains(" I ")));
    let (_, number) = line.with_context(|| format!("no count: {said}"))?;
    Ok(number.trim().replace(',', "").parse()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows() -> Rows {
        vec![
            ("labels".to_owned(), Kind::Count, 12.0),
            ("linked".to_owned(), Kind::Share, 0.9),
            ("bytes".to_owned(), Kind::Size, 0.5),
            ("work".to_owned(), Kind::Work, 2.0),
        ]
    }

    #[test]
    fn what_is_written_holds_for_what_was_measured() {
        let bounds = bounds(&written(&rows())).expect("it can be read again");
        assert_eq!(bounds["linked"], Bound::AtLeast(0.87));
        assert_eq!(missed(&rows(), &bounds), [""; 0]);
    }

    #[test]
    fn each_kind_of_loss_is_named() {
        let bounds = bounds(&written(&rows())).expect("it can be read again");
        let worse = [11.0, 0.86, 0.55, 2.6];
        let worse = rows().into_iter().zip(worse).map(|((name, kind, _), value)| (name, kind, value)).collect();
        let found = [
            "labels: 11.000, not at least 12", "linked: 0.860, not at least 0.87", "bytes: 0.550, not at most 0.54",
            "work: 2.600, not at most 2.5",
        ];
        assert_eq!(missed(&worse, &bounds), found);
        let new = vec![("new".to_owned(), Kind::Count, 1.0)];
        assert_eq!(missed(&new, &bounds), ["new has no bound: cargo xtask floors --write"]);
    }

    #[test]
    fn a_line_without_a_bound_is_refused() {
        assert!(super::bounds("a | about 3\n").is_err() && super::bounds("a\n").is_err());
    }
}
