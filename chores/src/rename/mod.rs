//! `cargo xtask rename`: whether a real project still compiles after a new name, for random names of all kinds.
//!
//! Every name is given a new one by `codegraph rename --apply` on the untouched tree; its changes are kept and taken back.
//! The checker then runs on several of them at once. What it says that it did not say before is a failure: the changes are
//! halved until one is left that breaks the project.

mod check;
mod pick;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::workspace::{self, Profile};
use check::Checker;
use pick::Name;

#[derive(clap::Args)]
pub(crate) struct Options {
    /// A source tree that may be changed; every file is put back
    #[arg(value_name = "DIR")]
    tree: PathBuf,
    /// The command that checks it, run in its folder: every line that it prints is an error
    #[arg(long, value_name = "COMMAND")]
    check: String,
    /// How many names
    #[arg(long, default_value_t = 200, value_name = "N")]
    count: usize,
    /// Other names for another number
    #[arg(long, default_value_t = 1, value_name = "N")]
    seed: u64,
    /// Only names of files below these folders
    #[arg(long, value_name = "FOLDER")]
    under: Vec<String>,
    /// Only names of these kinds, as the table says them
    #[arg(long, value_name = "KIND")]
    kind: Vec<String>,
    /// Give a name that something else in the same file has, instead of one that nothing has
    #[arg(long)]
    taken: bool,
    /// How many changes are checked at once
    #[arg(long, default_value_t = 12, value_name = "N")]
    group: usize,
    /// The command to measure; built if not given
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
}

/// A new name that was given, and what that changes.
pub(crate) struct Given {
    name: Name,
    new: String,
    edits: Edits,
}

/// What changes, by file.
pub(crate) type Edits = BTreeMap<String, FileEdits>;

/// What changes in a file.
#[derive(Default)]
pub(crate) struct FileEdits {
    /// What it is called afterwards, if not as before.
    new_file: Option<String>,
    /// Byte ranges and what they become.
    changes: Vec<(usize, usize, String)>,
}

/// What came out for one name.
enum Outcome {
    Given(Given),
    /// The classes of the reasons, and the reasons in words.
    Refused(Vec<String>, String),
}

/// What came out for one kind of names.
#[derive(Default)]
struct Row {
    tried: usize,
    given: usize,
    refused: usize,
    broken: usize,
}

pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let binary = match &options.binary {
        Some(binary) => binary.canonicalize()?,
        None => workspace::build(Profile::Dev, &["codegraph"])?.join("codegraph"),
    };
    let tree = options.tree.canonicalize()?;
    workspace::output(Command::new(&binary).current_dir(&tree).args(["init", "."]))?;
    let (names, texts) = pick::pick(&tree, options)?;
    let mut checker = Checker::new(&tree, &options.check, texts)?;
    eprintln!("{} names, {} lines of the checker before", names.len(), checker.known());
    let (mut rows, mut reasons) = (BTreeMap::<String, Row>::new(), BTreeMap::<String, usize>::new());
    let mut given = Vec::new();
    for name in names {
        let row = rows.entry(name.kind.clone()).or_default();
        row.tried += 1;
        let place = name.place();
        let (kind, text) = (name.kind.clone(), name.text.clone());
        match give(&binary, &tree, &checker, name)? {
            Outcome::Given(one) => {
                let places: usize = one.edits.values().map(|file| file.changes.len()).sum();
                eprintln!("given    {kind} {text} {place}: {places} places");
                row.given += 1;
                given.push(one);
            }
            Outcome::Refused(classes, words) => {
                eprintln!("refused  {kind} {text} {place}: {words}");
                row.refused += 1;
                classes.into_iter().for_each(|class| *reasons.entry(class).or_default() += 1);
            }
        }
    }
    let broken = checker.broken(given, options.group)?;
    for (one, said) in &broken {
        rows.entry(one.name.kind.clone()).or_default().broken += 1;
        eprintln!("BROKEN   {} {} {} -> {}", one.name.kind, one.name.text, one.name.place(), one.new);
        said.iter().take(6).for_each(|line| eprintln!("         {line}"));
    }
    report(&rows, &reasons);
    Ok(if broken.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Asks for a new name, compares what was written with what was said, and takes it back.
fn give(binary: &Path, tree: &Path, checker: &Checker, name: Name) -> Result<Outcome> {
    let new = name.new.clone();
    let mut command = Command::new(binary);
    command.current_dir(tree).args(["rename", &name.place(), &new, "--apply", "--json"]);
    let out = command.output().context("the command could not be started")?;
    let said = String::from_utf8_lossy(&out.stdout);
    let Ok(answer) = serde_json::from_str::<Value>(&said) else {
        let words = String::from_utf8_lossy(&out.stderr).lines().next().unwrap_or_default().to_owned();
        return Ok(Outcome::Refused(vec!["error".to_owned()], words));
    };
    let data = &answer["data"];
    if data["applied"] != true {
        return Ok(refused(data));
    }
    let mut edits = Edits::new();
    for file in data["files"].as_array().into_iter().flatten() {
        let changes = file["changes"].as_array().into_iter().flatten().map(|change| {
            let at = |field: &str| change["range"][field].as_u64().context("a change has a range");
            let text = change["text"].as_str().context("a change has a text")?.to_owned();
            Ok((at("byte_start")? as usize, at("byte_end")? as usize, text))
        });
        let new_file = file["new_file"].as_str().map(str::to_owned);
        let path = file["file"].as_str().context("a file has a path")?.to_owned();
        edits.insert(path, FileEdits { new_file, changes: changes.collect::<Result<_>>()? });
    }
    let written = checker.is_written(&edits)?;
    checker.put_back(&edits)?;
    ensure!(written, "{}: what was written is not what was said", name.place());
    Ok(Outcome::Given(Given { name, new, edits }))
}

fn refused(data: &Value) -> Outcome {
    let objections: Vec<&Value> = data["refused"].as_array().into_iter().flatten().collect();
    if objections.is_empty() {
        return Outcome::Refused(vec!["unselected".to_owned()], "no single symbol stands there".to_owned());
    }
    let why = |one: &&Value| one["why"].as_str().unwrap_or("?").to_owned();
    let mut classes: Vec<String> = objections.iter().map(why).collect();
    classes.dedup();
    let words = objections.iter().take(3).map(|one| {
        let word = |field: &str| one[field].as_str().unwrap_or_default().to_owned();
        format!("{}: {} {}:{}", why(one), word("message"), word("file"), one["line_number"])
    });
    let open = data["unproven"].as_array().into_iter().flatten().take(3);
    let open = open.map(|site| format!("{}:{}", site["file"].as_str().unwrap_or_default(), site["line_number"]));
    Outcome::Refused(classes, words.chain(open).collect::<Vec<_>>().join("; "))
}

fn report(rows: &BTreeMap<String, Row>, reasons: &BTreeMap<String, usize>) {
    println!("| kind | tried | given | refused | broken |\n|---|--:|--:|--:|--:|");
    let mut all = Row::default();
    for (kind, row) in rows {
        println!("| {kind} | {} | {} | {} | {} |", row.tried, row.given, row.refused, row.broken);
        all.tried += row.tried;
        all.given += row.given;
        all.refused += row.refused;
        all.broken += row.broken;
    }
    println!("| all | {} | {} | {} | {} |", all.tried, all.given, all.refused, all.broken);
    let reasons: Vec<String> = reasons.iter().map(|(class, count)| format!("{class} {count}")).collect();
    println!("\nrefused because: {}", reasons.join(", "));
}
