//! `cargo xtask economy`: what it costs to ask for all uses of a definition whose name others share, and whether the answer
//! ends the search. Beside it what `rg -w` prints; against compilers, whether what was ruled out was ruled out rightly.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::accuracy::copy;
use crate::workspace::{self, Profile};

#[derive(clap::Args)]
pub(crate) struct Options {
    /// A folder with source trees
    #[arg(long, value_name = "DIR")]
    sources: PathBuf,
    /// A folder with a folder for each source tree that a compiler has indexed: `truth.scip.gz`
    #[arg(long, value_name = "DIR")]
    truth: Option<PathBuf>,
    /// Only these source trees
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    only: Vec<String>,
    /// How many definitions are asked about, over all source trees
    #[arg(long, value_name = "N", default_value_t = 300)]
    count: usize,
    /// Another number, other definitions
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Name the answers that are beyond the bars
    #[arg(long)]
    worst: bool,
    /// Write the table into this document, between `<!-- economy -->` and `<!-- /economy -->`
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// So many others have to have the name.
const SHARED_BY: usize = 5;
/// Median and 90th percentile of answer bytes to search bytes, and of candidates that remain; share rightly ruled out.
const BARS: ([f64; 2], [f64; 2], f64) = ([0.1, 1.0 / 3.0], [0.0, 5.0], 0.995);

/// A place in a file, by byte.
type Site = (String, u64);

/// What the questions of one source tree gave.
#[derive(Default)]
struct Measured {
    ratios: Vec<f64>,
    candidates: Vec<f64>,
    /// Ruled out where a compiler has an opinion, and of these those that it binds to the definition.
    ruled_out: u64,
    wrongly: u64,
}

impl Measured {
    fn add(&mut self, other: &Measured) {
        self.ratios.extend(&other.ratios);
        self.candidates.extend(&other.candidates);
        self.ruled_out += other.ruled_out;
        self.wrongly += other.wrongly;
    }

    fn right(&self) -> Option<f64> {
        (self.ruled_out > 0).then(|| 1.0 - self.wrongly as f64 / self.ruled_out as f64)
    }

    fn holds(&self) -> bool {
        let within = |list: &[f64], bars: [f64; 2]| at(list, 0.5) <= bars[0] && at(list, 0.9) <= bars[1];
        let right = self.right().is_none_or(|share| share >= BARS.2);
        within(&self.ratios, BARS.0) && within(&self.candidates, BARS.1) && right
    }
}

pub(crate) fn run(options: &Options) -> Result<ExitCode> {
    let binary = workspace::build(Profile::Dev, &["codegraph"])?.join("codegraph");
    let mut names = Vec::new();
    for entry in std::fs::read_dir(&options.sources).with_context(|| options.sources.display().to_string())? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if entry.file_type()?.is_dir() && (options.only.is_empty() || options.only.contains(&name)) {
            names.push(name);
        }
    }
    names.sort_unstable();
    ensure!(!names.is_empty(), "no source trees in {}", options.sources.display());
    let share = options.count.div_ceil(names.len());
    let (mut rows, mut all) = (Vec::new(), Measured::default());
    for name in &names {
        let measured = measure(&binary, name, share, options).with_context(|| name.clone())?;
        rows.push(row(name, &measured));
        eprintln!("{}", rows[rows.len() - 1]);
        all.add(&measured);
    }
    rows.push(row("all", &all));
    let table = table(&rows);
    println!("{table}");
    if let Some(file) = &options.out {
        workspace::put_between(file, "economy", &table)?;
    }
    Ok(if all.holds() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// A copy of a source tree with its index.
struct Tree<'b> {
    binary: &'b Path,
    folder: tempfile::TempDir,
}

impl<'b> Tree<'b> {
    fn new(binary: &'b Path, sources: &Path) -> Result<Tree<'b>> {
        let tree = Tree { binary, folder: tempfile::tempdir()? };
        copy(sources, tree.folder.path())?;
        tree.text(&["init", "--json"])?;
        Ok(tree)
    }

    /// What a command prints, found or not.
    fn text(&self, arguments: &[&str]) -> Result<String> {
        let output = Command::new(self.binary).current_dir(self.folder.path()).args(arguments).output()?;
        let failed = output.status.code().is_none_or(|code| code > 1);
        ensure!(!failed, "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    fn data(&self, arguments: &[&str]) -> Result<Value> {
        let text = self.text(&[arguments, &["--json", "--limit", "10000000"]].concat())?;
        Ok(serde_json::from_str::<Value>(&text)?["data"].take())
    }

    fn rows(&self, query: &str) -> Result<Vec<Value>> {
        Ok(self.data(&["sql", query])?["rows"].as_array().cloned().unwrap_or_default())
    }
}

fn measure(binary: &Path, name: &str, share: usize, options: &Options) -> Result<Measured> {
    let sources = options.sources.join(name);
    let tree = Tree::new(binary, &sources)?;
    let truth = options.truth.as_ref().map(|folder| folder.join(name).join("truth.scip.gz"));
    let truth = match truth.filter(|file| file.is_file()) {
        Some(file) => {
            let compiled = Tree::new(binary, &sources)?;
            compiled.text(&["import", "scip", &file.to_string_lossy()])?;
            Some((compiled, open_sites(&tree)?))
        }
        None => None,
    };
    let mut measured = Measured::default();
    for definition in sample(&tree, share, options.seed)? {
        ask(&tree, truth.as_ref(), &definition, options.worst, &mut measured)?;
    }
    Ok(measured)
}

/// A definition whose name others share.
struct Definition {
    id: String,
    name: String,
    place: String,
}

/// Some of them, by the hash of their ids.
fn sample(tree: &Tree<'_>, share: usize, seed: u64) -> Result<Vec<Definition>> {
    let kinds = "'module', 'heading', 'impl', 'namespace', 'package'";
    let rows = tree.rows(&format!(
        "SELECT symbol_id, name, file_path, start_line FROM symbols WHERE lower(kind) NOT IN ({kinds}) AND length(name) > 1"
    ))?;
    let text = |row: &Value, key: &str| row[key].as_str().unwrap_or_default().to_owned();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    rows.iter().for_each(|row| *counts.entry(text(row, "name")).or_default() += 1);
    let shared = rows.iter().filter(|row| counts[&text(row, "name")] > SHARED_BY);
    let mut all: Vec<(u64, Definition)> = shared
        .map(|row| {
            let id = text(row, "symbol_id");
            let place = format!("{}:{}", text(row, "file_path"), row["start_line"]);
            (hash(&format!("{seed} {id}")), Definition { id, name: text(row, "name"), place })
        })
        .collect();
    all.sort_by_key(|(order, _)| *order);
    Ok(all.into_iter().take(share).map(|(_, definition)| definition).collect())
}

/// FNV-1a: the same everywhere, for ever.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// All sites that have the name of something and are not bound.
fn open_sites(tree: &Tree<'_>) -> Result<BTreeSet<Site>> {
    let rows = tree.rows("SELECT file_path, byte_start FROM \"references\" WHERE certainty = 'candidate'")?;
    Ok(rows.iter().map(|row| site(row, "file_path")).collect())
}

fn site(row: &Value, file: &str) -> Site {
    (row[file].as_str().unwrap_or_default().to_owned(), row["byte_start"].as_u64().unwrap_or_default())
}

fn ask(
    tree: &Tree<'_>,
    truth: Option<&(Tree<'_>, BTreeSet<Site>)>,
    definition: &Definition,
    worst: bool,
    measured: &mut Measured,
) -> Result<()> {
    let answer = tree.text(&["refs", &definition.id, "--compact"])?;
    let search = Command::new("rg")
        .current_dir(tree.folder.path())
        .args(["-n", "-w", "-F", "--", &definition.name, "."])
        .output()
        .context("ripgrep is needed to compare with")?;
    let listed = tree.data(&["refs", &definition.id, "--candidates"])?;
    let unbound = &listed["unbound"];
    let left = unbound["total"].as_u64().unwrap_or_default();
    let ratio = answer.len() as f64 / search.stdout.len().max(1) as f64;
    if worst && (left as f64 > BARS.1[1] || ratio > BARS.0[1]) {
        eprintln!("  {} {}: {left} candidates, ratio {ratio:.2}", definition.name, definition.place);
    }
    measured.ratios.push(ratio);
    measured.candidates.push(left as f64);
    if let Some((compiled, open)) = truth {
        let sites = |list: &Value| -> BTreeSet<Site> {
            list.as_array().into_iter().flatten().map(|one| site(one, "file")).collect()
        };
        let candidates = sites(&unbound["candidates"]);
        let said = compiled.data(&["refs", &definition.id])?;
        let wrong: Vec<Site> = sites(&said["references"])
            .into_iter()
            .filter(|one| open.contains(one) && !candidates.contains(one))
            .collect();
        measured.ruled_out += unbound["elsewhere"].as_u64().unwrap_or_default();
        measured.wrongly += wrong.len() as u64;
        if worst && !wrong.is_empty() {
            eprintln!("  {} {}: wrongly ruled out {wrong:?}", definition.name, definition.place);
        }
    }
    Ok(())
}

/// The value that a share of all values do not exceed.
fn at(list: &[f64], share: f64) -> f64 {
    let mut sorted = list.to_vec();
    sorted.sort_by(f64::total_cmp);
    let place = ((sorted.len() as f64 * share).ceil() as usize).clamp(1, sorted.len().max(1)) - 1;
    sorted.get(place).copied().unwrap_or_default()
}

fn row(name: &str, measured: &Measured) -> String {
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    format!(
        "| {name} | {} | {} / {} | {} / {} | {} | {} |",
        measured.ratios.len(),
        percent(at(&measured.ratios, 0.5)),
        percent(at(&measured.ratios, 0.9)),
        at(&measured.candidates, 0.5),
        at(&measured.candidates, 0.9),
        if measured.ruled_out > 0 { measured.ruled_out.to_string() } else { "–".to_owned() },
        measured.right().map_or("–".to_owned(), |share| format!("{:.2} %", 100.0 * share)),
    )
}

fn table(rows: &[String]) -> String {
    let head = "| source tree | definitions | bytes beside `rg -w`: median / p90 | candidates that remain: median / p90 \
                | ruled out | rightly |\n|---|--:|--:|--:|--:|--:|";
    format!("{head}\n{}\n", rows.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_values_of_the_list() {
        let list = [5.0, 1.0, 3.0, 2.0, 4.0];
        assert_eq!((at(&list, 0.5), at(&list, 0.9), at(&[], 0.5)), (3.0, 5.0, 0.0));
    }
}
