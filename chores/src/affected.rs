//! `cargo xtask affected`: whether `codegraph diff --tests` names every test whose result a commit changes, on the history
//! of a real repository whose suite runs here.
//!
//! The suite runs three times per commit: before it, after it, and with the tests of after on the sources of before. A test
//! whose result differs between the last two, or between the first two, was changed by the commit and has to be named.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result};
use serde_json::Value;

use crate::workspace::{self, Profile};

#[derive(clap::Args)]
pub(crate) struct Options {
    /// A clone that may be checked out to and fro
    #[arg(value_name = "REPOSITORY")]
    repository: PathBuf,
    /// How many commits, from the newest that changes sources
    #[arg(long, default_value_t = 20, value_name = "N")]
    commits: usize,
    /// The command that runs the whole suite
    #[arg(long, value_name = "COMMAND")]
    suite: String,
    /// How it says what came out: the summary of `pytest -rA`, or the JSON of mocha or jest
    #[arg(long, value_enum, value_name = "FORM")]
    form: Form,
    /// Where sources are; everything else is tests
    #[arg(long, required = true, value_name = "FOLDER")]
    sources: Vec<String>,
    /// The command to measure; built if not given
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Form {
    Pytest,
    Mocha,
    Jest,
}

/// What came out of each test, by the name that `--tests` prints.
type Results = BTreeMap<String, BTreeSet<String>>;

pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let binary = match &options.binary {
        Some(binary) => binary.canonicalize()?,
        None => workspace::build(Profile::Dev, &["codegraph"])?.join("codegraph"),
    };
    let folder = options.repository.canonicalize()?;
    workspace::output(Command::new(&binary).current_dir(&folder).arg("init"))?;
    println!("| commit | tests | named | of all | changed their result | not named |");
    println!("|---|--:|--:|--:|--:|---|");
    let (mut shares, mut changed, mut lost) = (Vec::new(), 0, 0);
    for commit in commits(options, &folder)? {
        let one = measure(options, &binary, &folder, &commit)?;
        let missing: Vec<&String> = one.changed.difference(&one.named).collect();
        let share = one.named.len() as f64 / one.all.max(1) as f64;
        let (all, named, count) = (one.all, one.named.len(), one.changed.len());
        println!("| {} | {all} | {named} | {:.0} % | {count} | {missing:?} |", &commit[..10], share * 100.0);
        shares.push(share);
        changed += one.changed.len();
        lost += missing.len();
    }
    shares.sort_by(f64::total_cmp);
    let median = shares.get(shares.len() / 2).copied().unwrap_or_default() * 100.0;
    println!("\n{} commits, {changed} tests changed their result, {lost} of them not named;", shares.len());
    println!("named at the median: {median:.0} % of all tests");
    Ok(if lost > 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

/// What one commit did, and what was said about it.
struct Measured {
    all: usize,
    named: BTreeSet<String>,
    changed: BTreeSet<String>,
}

fn git(folder: &Path, arguments: &[&str]) -> Result<String> {
    workspace::output(Command::new("git").current_dir(folder).args(arguments))
}

/// Commits with one parent that change sources, newest first.
fn commits(options: &Options, folder: &Path) -> Result<Vec<String>> {
    let count = options.commits.to_string();
    let branch = git(folder, &["rev-parse", "--abbrev-ref", "origin/HEAD"]).unwrap_or_else(|_| "HEAD".into());
    let mut arguments = vec!["rev-list", "--no-merges", "-n", &count, branch.trim(), "--"];
    arguments.extend(options.sources.iter().map(String::as_str));
    Ok(git(folder, &arguments)?.lines().map(str::to_owned).collect())
}

fn measure(options: &Options, binary: &Path, folder: &Path, commit: &str) -> Result<Measured> {
    let parent = git(folder, &["rev-parse", &format!("{commit}^")])?.trim().to_owned();
    check_out(folder, &parent)?;
    let before = suite(options, folder)?;
    check_out(folder, commit)?;
    let after = suite(options, folder)?;
    let out =
        Command::new(binary).current_dir(folder).args(["diff", &format!("{parent}..{commit}"), "--tests"]).output();
    let named: BTreeSet<String> = String::from_utf8(out?.stdout)?.lines().map(str::to_owned).collect();
    for source in &options.sources {
        git(folder, &["rm", "-rq", "--cached", "--ignore-unmatch", source])?;
        let _ = std::fs::remove_dir_all(folder.join(source));
        // A folder that was not there before stays away.
        let _ = git(folder, &["checkout", "-q", &parent, "--", source]);
    }
    let mixed = suite(options, folder)?;
    check_out(folder, commit)?;
    let differs = |old: &Results| -> BTreeSet<String> {
        let both = after.iter().filter_map(|(name, result)| Some((name, result, old.get(name)?)));
        both.filter(|(_, new, old)| new != old).map(|(name, ..)| name.clone()).collect()
    };
    let mut changed = differs(&before);
    // If nothing could be run, nothing is known.
    if mixed.len() * 2 > after.len() {
        changed.extend(differs(&mixed));
    }
    Ok(Measured { all: after.len(), named, changed })
}

fn check_out(folder: &Path, commit: &str) -> Result<()> {
    git(folder, &["checkout", "-q", "--force", "--detach", commit])?;
    git(folder, &["clean", "-fdq", "-e", ".codegraph", "-e", "node_modules"]).map(drop)
}

/// Runs the suite. That tests fail is a result.
fn suite(options: &Options, folder: &Path) -> Result<Results> {
    let out = Command::new("sh").current_dir(folder).args(["-c", &options.suite]).output().context("sh is there")?;
    let text = String::from_utf8_lossy(&out.stdout).into_owned();
    let mut results = Results::new();
    let mut put = |name: String, result: &str| {
        results.entry(name).or_default().insert(result.to_owned());
    };
    match options.form {
        Form::Pytest => {
            for line in text.lines() {
                let Some((result, rest)) = line.split_once(' ') else { continue };
                if matches!(result, "PASSED" | "FAILED" | "ERROR" | "XFAIL" | "XPASS") {
                    let id = rest.split(" - ").next().unwrap_or(rest);
                    let name = id.split('[').next().unwrap_or(id).trim().to_owned();
                    // One case of several may change.
                    put(name, &format!("{result} {id}"));
                }
            }
        }
        Form::Mocha => {
            let start = text.find("{\n").unwrap_or(0);
            let report: Value = serde_json::from_str(&text[start..]).unwrap_or_default();
            for test in report["tests"].as_array().into_iter().flatten() {
                let passed = test["err"].as_object().is_none_or(serde_json::Map::is_empty);
                put(relative(folder, &test["file"]), &format!("{} {passed}", test["fullTitle"]));
            }
        }
        Form::Jest => {
            let start = text.find('{').unwrap_or(0);
            let report: Value = serde_json::from_str(&text[start..]).unwrap_or_default();
            for file in report["testResults"].as_array().into_iter().flatten() {
                for test in file["assertionResults"].as_array().into_iter().flatten() {
                    put(relative(folder, &file["name"]), &format!("{} {}", test["fullName"], test["status"]));
                }
            }
        }
    }
    Ok(results)
}

fn relative(folder: &Path, path: &Value) -> String {
    let path = Path::new(path.as_str().unwrap_or_default());
    path.strip_prefix(folder).unwrap_or(path).to_string_lossy().into_owned()
}
