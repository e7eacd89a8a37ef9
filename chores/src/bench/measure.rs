//! The measurements of one source tree, every tool on the same files in the same run.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use serde_json::Value;

use super::corpus::Corpus;
use super::process::{Cost, Latencies, latency, run};
use super::sample::{Edit, edits, words};
use crate::workspace::output;

const WORDS: usize = 20;
const EDITED_FILES: usize = 15;
/// Runs per word and repeat, so that a p99 means something.
const ASKED: usize = 5;
const UNCHANGED_RUNS: usize = 10;
/// The smaller a source tree, the more a slow moment of the machine weighs, and the more often it is indexed.
const BYTES_INDEXED: u64 = 60_000_000;
const MOST_RUNS: usize = 15;

/// The programs that are measured.
pub(super) struct Tools {
    pub(super) codegraph: PathBuf,
    pub(super) chores: PathBuf,
    pub(super) ripgrep: bool,
    pub(super) ctags: bool,
    pub(super) threads: usize,
    pub(super) repeats: usize,
}

impl Tools {
    /// Looks which other tools are installed.
    pub(super) fn find(folder: &Path, threads: usize, repeats: usize) -> Tools {
        let says = |program: &str, word: &str| {
            output(Command::new(program).arg("--version")).is_ok_and(|version| version.contains(word))
        };
        Tools {
            codegraph: folder.join("codegraph"),
            chores: folder.join("chores"),
            ripgrep: says("rg", "ripgrep"),
            ctags: says("ctags", "Universal Ctags"),
            threads,
            repeats,
        }
    }
}

/// What came out for one source tree.
pub(super) struct Measured {
    pub(super) name: String,
    pub(super) commit: Option<String>,
    pub(super) files: usize,
    pub(super) source_bytes: u64,
    pub(super) threads: usize,
    pub(super) parse: Cost,
    pub(super) index: Cost,
    /// CPU seconds of linking, a part of the index.
    pub(super) linking: f64,
    pub(super) index_bytes: u64,
    pub(super) query: Latencies,
    pub(super) ripgrep: Option<Latencies>,
    pub(super) unchanged: Latencies,
    pub(super) changed: Latencies,
    pub(super) ctags: Option<Cost>,
}

/// Measures a source tree.
pub(super) fn measure(original: &Path, tools: &Tools) -> Result<Measured> {
    let mut corpus = Corpus::copy(original)?;
    eprintln!("{}: {} files, {} MB", corpus.name, corpus.files.len(), corpus.bytes / 1_000_000);
    let bench = Bench { tools, root: corpus.root() };
    corpus.remove(&bench.left_out()?)?;
    let (parse, index) = bench.costs(&corpus, bench.runs(&corpus))?;
    let linking = bench.linking(&corpus)? * index.cpu.unwrap_or(0.0);
    let index_bytes = bench.index_bytes()?;
    let words = words(&corpus, WORDS)?;
    let unchanged = bench.unchanged()?;
    let query = bench.each(&words, |word| bench.codegraph(&["query", word]))?;
    let ripgrep = tools.ripgrep.then(|| bench.each(&words, |word| bench.ripgrep(word))).transpose()?;
    let changed = bench.changed(&edits(&corpus, EDITED_FILES)?)?;
    let ctags = tools.ctags.then(|| bench.ctags(&corpus.beside("tags"))).transpose()?;
    Ok(Measured {
        files: corpus.files.len(),
        source_bytes: corpus.bytes,
        name: corpus.name,
        commit: corpus.commit,
        threads: tools.threads,
        parse,
        index,
        linking,
        index_bytes,
        query,
        ripgrep,
        unchanged,
        changed,
        ctags,
    })
}

/// What came out for one source tree of many: the full index and its parts.
pub(super) struct Brief {
    pub(super) name: String,
    pub(super) commit: Option<String>,
    pub(super) files: usize,
    pub(super) source_bytes: u64,
    pub(super) parse: Cost,
    pub(super) index: Cost,
    /// The share of the index's CPU time that links take.
    pub(super) linking: f64,
    pub(super) index_bytes: u64,
    pub(super) changed: Latencies,
}

/// Measures the full index of a source tree, and how long one changed file takes.
pub(super) fn measure_briefly(original: &Path, tools: &Tools) -> Result<Brief> {
    let mut corpus = Corpus::copy(original)?;
    eprintln!("{}: {} files, {} MB", corpus.name, corpus.files.len(), corpus.bytes / 1_000_000);
    let bench = Bench { tools, root: corpus.root() };
    let (linking, skipped) = bench.linked()?;
    corpus.remove(&skipped)?;
    let (parse, index) = bench.costs(&corpus, tools.repeats)?;
    let index_bytes = bench.index_bytes()?;
    let changed = bench.changed(&edits(&corpus, EDITED_FILES)?)?;
    let files = corpus.files.len();
    Ok(Brief {
        files,
        source_bytes: corpus.bytes,
        name: corpus.name,
        commit: corpus.commit,
        parse,
        index,
        linking,
        index_bytes,
        changed,
    })
}

struct Bench<'a> {
    tools: &'a Tools,
    root: PathBuf,
}

impl Bench<'_> {
    fn codegraph(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.tools.codegraph);
        command.current_dir(&self.root).args(arguments);
        command
    }

    fn init(&self) -> Command {
        self.codegraph(&["init", "--threads", &self.tools.threads.to_string()])
    }

    fn parse(&self) -> Command {
        let mut command = Command::new(&self.tools.chores);
        command.arg("parse").arg(&self.root).args(["--threads", &self.tools.threads.to_string()]);
        command
    }

    fn ripgrep(&self, word: &str) -> Command {
        let mut command = Command::new("rg");
        command.current_dir(&self.root).args(["--no-config", "--line-number", "--word-regexp", word, "."]);
        command
    }

    /// Files whose content is not indexed: binary, too large, in two bytes per character.
    fn left_out(&self) -> Result<Vec<String>> {
        let answer: Value = serde_json::from_str(&output(self.init().arg("--json"))?)?;
        paths(&answer["data"]["report"]["skipped"])
    }

    /// Raw parsing and indexing in turns, so that a slow moment of the machine meets both.
    fn costs(&self, corpus: &Corpus, runs: usize) -> Result<(Cost, Cost)> {
        let list: String = corpus.files.iter().map(|path| format!("{path}\0")).collect();
        let once = || -> Result<(Cost, Cost)> {
            let parse = run(&mut self.parse(), list.as_bytes())?;
            corpus.clear()?;
            Ok((parse, run(&mut self.init(), b"")?))
        };
        let mut rounds = (0..runs).map(|_| once()).collect::<Result<Vec<_>>>()?;
        let most_memory = rounds.iter().filter_map(|(_, index)| index.peak_bytes).max();
        // Both of a round met the same moment of the machine: the round in the middle is the fairest.
        let ratio =
            |(parse, index): &(Cost, Cost)| index.cpu.zip(parse.cpu).map_or(0.0, |(index, parse)| index / parse);
        rounds.sort_by(|a, b| ratio(a).total_cmp(&ratio(b)));
        let (parse, index) = rounds.swap_remove(rounds.len() / 2);
        Ok((parse, Cost { peak_bytes: most_memory, ..index }))
    }

    fn runs(&self, corpus: &Corpus) -> usize {
        ((BYTES_INDEXED / corpus.bytes.max(1)) as usize).min(MOST_RUNS).max(self.tools.repeats)
    }

    /// The share of the index's CPU time that links take.
    fn linking(&self, corpus: &Corpus) -> Result<f64> {
        let mut runs = Vec::new();
        for _ in 0..self.runs(corpus) {
            corpus.clear()?;
            runs.push(self.linked()?.0);
        }
        runs.sort_by(f64::total_cmp);
        Ok(runs[runs.len() / 2])
    }

    /// The same of one run, and the files whose content is not indexed.
    fn linked(&self) -> Result<(f64, Vec<String>)> {
        let mut command = Command::new(&self.tools.chores);
        command.arg("link").arg(&self.root).args(["--threads", &self.tools.threads.to_string()]);
        let answer: Value = serde_json::from_str(&output(&mut command)?)?;
        Ok((answer["linking"].as_f64().context("it says what linking took")?, paths(&answer["skipped"])?))
    }

    fn index_bytes(&self) -> Result<u64> {
        let entries = std::fs::read_dir(self.root.join(".codegraph"))?;
        let sizes = entries.map(|entry| Ok(entry?.metadata()?.len()));
        sizes.sum::<std::io::Result<u64>>().context("the size of the index")
    }

    fn each(&self, words: &[String], command: impl Fn(&str) -> Command) -> Result<Latencies> {
        let mut samples = Vec::new();
        for _ in 0..self.tools.repeats * ASKED {
            for word in words {
                samples.push(latency(&mut command(word))?);
            }
        }
        Ok(Latencies::of(samples))
    }

    fn unchanged(&self) -> Result<Latencies> {
        let samples = (0..UNCHANGED_RUNS * self.tools.repeats).map(|_| latency(&mut self.codegraph(&["update"])));
        Ok(Latencies::of(samples.collect::<Result<_>>()?))
    }

    /// A file changes, and changes back.
    fn changed(&self, edits: &[Edit]) -> Result<Latencies> {
        let mut samples = Vec::new();
        for edit in edits.iter().cycle().take(edits.len() * self.tools.repeats) {
            for text in [&edit.after, &edit.before] {
                std::fs::write(self.root.join(&edit.path), text)?;
                samples.push(latency(&mut self.codegraph(&["update"]))?);
            }
        }
        Ok(Latencies::of(samples))
    }

    fn ctags(&self, tags: &Path) -> Result<Cost> {
        let mut command = Command::new("ctags");
        command.current_dir(&self.root).args(["--options=NONE", "--quiet=yes", "-R", "-f"]).arg(tags).arg(".");
        let mut once = || run(&mut command, b"");
        let first = once()?;
        (1..self.tools.repeats).try_fold(first, |best, _| Ok(best.best(once()?)))
    }
}

fn paths(skipped: &Value) -> Result<Vec<String>> {
    let skipped = skipped.as_array().context("what was skipped is listed")?;
    Ok(skipped.iter().filter_map(|file| Some(file["path"].as_str()?.to_owned())).collect())
}
