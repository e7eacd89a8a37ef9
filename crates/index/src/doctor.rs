//! Checks an index against its tree, and says what is wrong and what to do.

use std::time::Instant;

use codegraph_model::{Advice, Mends};
use codegraph_store::{Access, FileRecord, Store, Watched};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

use crate::build::ms;
use crate::config::Filter;
use crate::discover::discover;
use crate::file::{Parsed, parse};
use crate::freshness::check;
use crate::modules::{Declaration, Namer, Prefix};
use crate::read::{Outcome, read};
use crate::verify::{TermSum, differences};
use crate::{Changes, Error, Freshness, Phase, Progress, Project, Reason, Result};
use codegraph_live::layouts;

fn update() -> Advice {
    Advice::run("update")
}

fn rebuild() -> Advice {
    Advice::run("init")
}

/// Files that are extracted at a time.
const BATCH: usize = 64;

/// How thorough to be.
#[derive(Clone, Copy, Debug)]
pub struct DoctorOptions {
    /// Extract every file again, not just a sample.
    pub full: bool,
    /// How many files to extract again otherwise.
    pub sample: usize,
    /// Build a new index beside this one, and compare all that the two say.
    pub deep: bool,
}

impl Default for DoctorOptions {
    fn default() -> DoctorOptions {
        DoctorOptions { full: false, sample: 50, deep: false }
    }
}

/// Something that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Which check found it.
    pub check: &'static str,
    pub message: String,
    /// The files that it concerns.
    pub paths: Vec<String>,
    pub remedy: Advice,
}

/// What an examination showed.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Health {
    /// Files in the index.
    pub files: u64,
    /// Files whose facts were compared with a new extraction.
    pub compared: u64,
    pub findings: Vec<Finding>,
    pub duration_ms: f64,
}

impl Health {
    fn report(&mut self, check: &'static str, message: &str, paths: Vec<String>, remedy: Advice) {
        if !paths.is_empty() {
            self.findings.push(Finding { check, message: message.to_owned(), paths, remedy });
        }
    }
}

/// Examines the index of a project. What is wrong is in the answer; only a project that cannot be read is an error.
pub fn doctor(project: &Project, options: &DoctorOptions, progress: &dyn Progress) -> Result<Health> {
    let start = Instant::now();
    let mut health = Health::default();
    match examine(project, options, progress, &mut health) {
        Ok(()) => {}
        Err(Error::Store(error)) => health.findings.push(Finding {
            check: "index",
            message: error.to_string(),
            paths: Vec::new(),
            remedy: remedy(&error),
        }),
        Err(error) => return Err(error),
    }
    health.duration_ms = ms(start.elapsed());
    Ok(health)
}

/// What mends an index that cannot be opened. What is not ours is not replaced.
fn remedy(error: &codegraph_store::Error) -> Advice {
    use codegraph_store::Error as Index;
    match error {
        Index::Foreign(_) | Index::NewerSchema { .. } | Index::Locked | Index::File(_) => {
            error.remedy().map_or_else(rebuild, |remedy| remedy.advice())
        }
        _ => rebuild(),
    }
}

fn examine(project: &Project, options: &DoctorOptions, progress: &dyn Progress, health: &mut Health) -> Result<()> {
    let store = project.store(Access::Read)?;
    for complaint in store.integrity()? {
        health.findings.push(Finding { check: "sqlite", message: complaint, paths: Vec::new(), remedy: rebuild() });
    }
    let files = store.files()?;
    health.files = files.len() as u64;
    let filter = Filter::new(project.root(), project.config())?;
    let seen = match check(project, &store)? {
        Freshness::Fresh => Changes::default(),
        Freshness::Changed(changes) => changes,
    };
    let examination = Examination { project, store: &store, filter, files: &files, seen };
    examination.tree(health)?;
    examination.names(health)?;
    let sums = examination.facts(options, progress, health)?;
    examination.postings(&sums, health)?;
    examination.ids(options, health)?;
    // A tree that has changed since differs from its index for that reason alone.
    if options.deep && health.findings.is_empty() {
        for (message, paths) in crate::deep::compare(project, &store, progress)? {
            health.report("deep", message, paths, rebuild());
        }
    }
    Ok(())
}

struct Examination<'a> {
    project: &'a Project,
    store: &'a Store,
    filter: Filter,
    /// By path.
    files: &'a [FileRecord],
    /// What an update would see.
    seen: Changes,
}

impl Examination<'_> {
    /// Reports files that differ from the tree: an update mends what it sees, a new build the rest.
    fn report(&self, health: &mut Health, check: &'static str, message: &str, paths: Vec<String>) {
        let seen = &self.seen;
        let sees = |path: &String| [&seen.added, &seen.changed, &seen.removed].iter().any(|all| all.contains(path));
        let (by_update, unseen) = paths.into_iter().partition(sees);
        health.report(check, message, by_update, update());
        health.report(check, message, unseen, rebuild());
    }

    /// Files that the tree has and the index has not, and the other way round.
    fn tree(&self, health: &mut Health) -> Result<()> {
        let tree = discover(self.project)?;
        let found: FxHashSet<&str> = tree.files.iter().map(|file| file.path.as_str()).collect();
        let known: FxHashSet<&str> = self.files.iter().map(|file| file.path.as_str()).collect();
        let inputs = self.store.inputs()?;
        let removed: FxHashSet<&str> = inputs
            .iter()
            .filter(|input| input.watched == Watched::Skipped(Reason::Removed))
            .map(|input| input.path.as_str())
            .collect();
        let left_out = |path: &str| known.contains(path) || removed.contains(path);
        let candidates = tree.files.par_iter().filter(|file| !left_out(&file.path));
        let (project, filter) = (self.project, &self.filter);
        let readable = |path: &str| matches!(read(project, filter, path), Outcome::Read(_));
        let missing = candidates.filter(|file| readable(&file.path)).map(|file| file.path.clone()).collect();
        let extra = self.files.iter().filter(|file| !found.contains(file.path.as_str()));
        self.report(health, "files", "not in the index", missing);
        let extra = extra.map(|file| file.path.clone()).collect();
        self.report(health, "files", "in the index but not in the tree", extra);
        Ok(())
    }

    /// Whether packages and modules are what manifests and paths say.
    fn names(&self, health: &mut Health) -> Result<()> {
        let inputs = self.store.inputs()?;
        let exists = |path: &str| self.files.binary_search_by(|file| file.path.as_str().cmp(path)).is_ok();
        let mut namer = Namer::new(self.project.name(), layouts(&inputs), exists);
        let mut wrong = Vec::new();
        let mut unknown = Vec::new();
        for file in self.files {
            let Some(language) = codegraph_languages::by_name(&file.language) else {
                unknown.push(file.path.clone());
                continue;
            };
            let prefix = namer.prefix(&file.path, language, Declaration::Before(&file.module));
            let same = |prefix: Prefix| prefix.package == file.package && prefix.module == file.module;
            if !prefix.is_some_and(same) {
                wrong.push(file.path.clone());
            }
        }
        health.report("names", "the package or module is not what it should be", wrong, rebuild());
        health.report("languages", "the language is not known to this release", unknown, rebuild());
        Ok(())
    }

    /// Extracts files again and compares. Gives the sums of the terms of those that are as they were.
    fn facts(
        &self,
        options: &DoctorOptions,
        progress: &dyn Progress,
        health: &mut Health,
    ) -> Result<FxHashMap<u32, TermSum>> {
        let sample = self.sample(options);
        progress.begin(Phase::Verify, sample.len() as u64);
        let mut sums = FxHashMap::default();
        let (mut stale, mut old, mut differ) = (Vec::new(), Vec::new(), Vec::new());
        for batch in sample.chunks(BATCH) {
            if progress.cancelled() {
                return Err(Error::Cancelled);
            }
            let (project, filter) = (self.project, &self.filter);
            let extracted: Vec<Outcome<Parsed>> =
                batch.par_iter().map(|file| parse(project, filter, &file.path)).collect();
            for (file, outcome) in batch.iter().zip(extracted) {
                health.compared += 1;
                progress.advance(health.compared, &file.path);
                match outcome {
                    Outcome::Read(new) if new.record.hash == file.hash && new.record.language == file.language => {
                        let parts = differences(self.store, file, &new.facts)?;
                        if file.extractor != codegraph_extract::VERSION {
                            old.push(file.path.clone());
                        } else if !parts.is_empty() {
                            differ.push(format!("{} ({})", file.path, parts.join(", ")));
                        } else {
                            sums.insert(file.id.0, TermSum::of(&new.facts));
                        }
                    }
                    Outcome::Vanished => {}
                    _ => stale.push(file.path.clone()),
                }
            }
        }
        self.report(health, "content", "changed since it was indexed", stale);
        self.report(health, "extractor", "read by another version of the extractor", old);
        health.report("facts", "stored facts are not what extraction gives", differ, rebuild());
        Ok(sums)
    }

    /// All files, or some that are spread evenly.
    fn sample(&self, options: &DoctorOptions) -> Vec<&FileRecord> {
        if options.full || self.files.len() <= options.sample {
            return self.files.iter().collect();
        }
        let step = self.files.len().div_ceil(options.sample.max(1));
        self.files.iter().step_by(step).collect()
    }

    /// Whether the postings hold exactly the terms of the compared files.
    fn postings(&self, expected: &FxHashMap<u32, TermSum>, health: &mut Health) -> Result<()> {
        let mut found: FxHashMap<u32, TermSum> = expected.keys().map(|file| (*file, TermSum::default())).collect();
        let known: FxHashSet<u32> = self.files.iter().map(|file| file.id.0).collect();
        let mut strangers = Vec::new();
        self.store.each_posting(|posting| {
            if let Some(sum) = found.get_mut(&posting.file.0) {
                let term = self.store.text(posting.term)?;
                posting.lines()?.iter().for_each(|line| sum.add(&term, line.line, line.mask.0));
            } else if !known.contains(&posting.file.0) {
                strangers.push(self.store.text(posting.term)?.to_string());
            }
            Ok(())
        })?;
        let wrong = self.files.iter().filter(|file| expected.get(&file.id.0) != found.get(&file.id.0));
        let wrong: Vec<String> = wrong.map(|file| file.path.clone()).collect();
        health.report("terms", "the lines of its terms are not what extraction gives", wrong, rebuild());
        strangers.sort_unstable();
        strangers.dedup();
        health.report("terms", "terms with lines in files that are not in the index", strangers, rebuild());
        Ok(())
    }

    /// Whether every symbol is found by its id and no two have the same one.
    fn ids(&self, options: &DoctorOptions, health: &mut Health) -> Result<()> {
        let mut lost = Vec::new();
        let mut seen: FxHashMap<u128, &str> = FxHashMap::default();
        let mut shared = Vec::new();
        for file in self.sample(options) {
            let ids = self.store.symbol_ids(file.id)?;
            lost.extend(self.store.lost_ids(file.id, &ids)?.iter().map(|id| format!("{} ({id:032x})", file.path)));
            for id in ids {
                if let Some(other) = seen.insert(id, &file.path) {
                    shared.push(format!("{other}, {} ({id:032x})", file.path));
                }
            }
        }
        health.report("ids", "a symbol is not found by its id", lost, rebuild());
        health.report("ids", "two symbols have the same id", shared, rebuild());
        Ok(())
    }
}
