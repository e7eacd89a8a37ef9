//! The first build, or a new one from nothing: into a temporary file that is moved into place when it is complete.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use codegraph_live::{layouts, workspace};
use codegraph_store::{Access, Build, Input, Store, Watched, inspect, kept_dependencies};
use serde::Serialize;

use crate::discover::{Tree, discover};
use crate::link::{LINKER_KEY, link_all};
use crate::lock::FileLock;
use crate::modules::Namer;
use crate::pipeline::{self, Extracted, Tally};
use crate::rules::{Rules, input};
use crate::stamp::Seen;
use crate::update::update;
use crate::worktree::start_from_sibling;
use crate::{Error, Phase, Progress, Project, Reason, Result, Scope, Skipped, UpdateOptions};

/// The metadata key under which an index remembers how ignore rules were found.
pub(crate) const RULES_KEY: &str = "ignore_rules";

/// The metadata key of the project's name.
pub(crate) const NAME_KEY: &str = "project_name";

/// How to build.
#[derive(Clone, Debug)]
pub struct BuildOptions {
    /// All cores if not given.
    pub threads: Option<usize>,
    /// How long to wait for another writer.
    pub patience: Duration,
}

impl Default for BuildOptions {
    fn default() -> BuildOptions {
        BuildOptions { threads: None, patience: Duration::from_secs(10) }
    }
}

/// Where the time went, in milliseconds.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Phases {
    pub discover_ms: f64,
    pub extract_ms: f64,
    pub link_ms: f64,
    pub finish_ms: f64,
}

/// What a build did.
#[derive(Clone, Debug, Default, Serialize)]
pub struct BuildReport {
    pub files: u64,
    pub source_bytes: u64,
    pub lines: u64,
    pub symbols: u64,
    /// Files per language.
    pub languages: BTreeMap<&'static str, u64>,
    /// Files in which the parser met text that it did not understand; what it understood is indexed.
    pub files_with_syntax_problems: u64,
    /// Files of which only the words were taken, because parsing took too long.
    pub timed_out: Vec<String>,
    /// Files of which only words were taken, because they have more parts than are kept for their size.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dense: Vec<String>,
    pub skipped: Vec<Skipped>,
    pub phases: Phases,
    pub duration_ms: f64,
}

/// Builds the index of a project from nothing. An index that is there stays until the new one is complete; one that
/// is not ours is refused.
pub fn build(project: &Project, options: &BuildOptions, progress: &dyn Progress) -> Result<BuildReport> {
    let _lock = FileLock::of_index(project, options.patience)?;
    let path = project.index_path();
    match inspect(&path) {
        Ok(_) | Err(codegraph_store::Error::NotFound(_)) => {}
        // It says nothing any more, and all of it can be found out again.
        Err(error) if error.is_damage() => {}
        Err(error) => return Err(error.into()),
    }
    build_at(project, &path, options, progress)
}

/// Gives a project its first index: that of a sibling brought up to date where there is one, else a new one.
pub fn start_or_build(project: &Project, options: &BuildOptions, progress: &dyn Progress) -> Result<BuildReport> {
    let start = Instant::now();
    if project.index_path().exists() || !start_from_sibling(project)? {
        return build(project, options, progress);
    }
    let how = UpdateOptions { patience: options.patience };
    let updated = update(project, Scope::All, &how, progress)?;
    let known = project.store(Access::Read)?.statistics()?;
    let languages = known
        .languages
        .iter()
        .filter_map(|(name, files, _)| codegraph_languages::by_name(name).map(|language| (language.name, *files)));
    Ok(BuildReport {
        files: known.files,
        source_bytes: known.source_bytes,
        lines: known.lines,
        symbols: known.symbols,
        languages: languages.collect(),
        files_with_syntax_problems: known.files_with_problems,
        timed_out: updated.timed_out,
        dense: updated.dense,
        skipped: updated.skipped,
        phases: Phases::default(),
        duration_ms: ms(start.elapsed()),
    })
}

/// Builds an index that stands at a path, whatever is there.
pub(crate) fn build_at(
    project: &Project,
    path: &Path,
    options: &BuildOptions,
    progress: &dyn Progress,
) -> Result<BuildReport> {
    let start = Instant::now();
    progress.begin(Phase::Discover, 0);
    let rules = Rules::of(project.root()).fingerprint();
    let tree = discover(project)?;
    let discovered = start.elapsed();
    progress.begin(Phase::Extract, tree.files.len() as u64);
    let build = Build::create(path)?;
    let exists = |path: &str| tree.files.binary_search_by(|file| file.path.as_str().cmp(path)).is_ok();
    let namer = Namer::new(project.name(), layouts(&tree.inputs), exists);
    let threads = options.threads.unwrap_or_else(all_cores);
    let Extracted { mut build, interner, tally, files } =
        pipeline::run(project, &tree.files, namer, build, threads, progress)?;
    build.close_files()?;
    let extracted = start.elapsed();
    link_all(files, &interner, workspace(&tree.inputs), &mut build, threads, progress)?;
    let linked = start.elapsed();
    progress.begin(Phase::Finish, 0);
    put_surroundings(project, &mut build, &tree, &tally, &rules)?;
    if progress.cancelled() {
        return Err(Error::Cancelled);
    }
    build.finish(interner)?;
    let phases = Phases {
        discover_ms: ms(discovered),
        extract_ms: ms(extracted - discovered),
        link_ms: ms(linked - extracted),
        finish_ms: ms(start.elapsed() - linked),
    };
    Ok(report(tree, tally, phases, start))
}

pub(crate) fn ms(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The input that remembers a file which was left out.
pub(crate) fn skipped_input(path: &str, reason: Reason, seen: Seen) -> Input {
    input(path.to_owned(), Watched::Skipped(reason), seen)
}

/// The input that remembers a file which its content keeps out for now.
pub(crate) fn unclaimed_input(path: &str, seen: Seen) -> Input {
    input(path.to_owned(), Watched::Script, seen)
}

fn put_surroundings(project: &Project, build: &mut Build, tree: &Tree, tally: &Tally, rules: &str) -> Result<()> {
    let mut inputs = tree.inputs.clone();
    let of_walk = tree.skipped.iter();
    inputs.extend(of_walk.map(|skipped| skipped_input(&skipped.path, skipped.reason.clone(), Seen::ABSENT)));
    inputs.extend(tally.skipped.iter().map(|(path, reason, seen)| skipped_input(path, reason.clone(), *seen)));
    inputs.extend(tally.unclaimed.iter().map(|(path, seen)| unclaimed_input(path, *seen)));
    build.put_inputs(inputs)?;
    // Links to other projects are the user's; a new build keeps them.
    for dependency in kept_dependencies(&project.index_path()).unwrap_or_default() {
        build.put_dependency(&dependency)?;
    }
    build.set_metadata(NAME_KEY, project.name())?;
    build.set_metadata(RULES_KEY, rules)?;
    build.set_metadata(LINKER_KEY, &codegraph_resolve::VERSION.to_string())?;
    Ok(())
}

/// The index of a project, open for reading. One that an older release made, or that was not made here, is built anew
/// first.
pub fn open_current(project: &Project, progress: &dyn Progress) -> Result<Store> {
    use codegraph_store::Error::{NotMadeHere, OlderSchema};
    match project.store(Access::Read) {
        Err(Error::Store(OlderSchema { .. } | NotMadeHere(_))) => {
            build(project, &BuildOptions::default(), progress)?;
            project.store(Access::Read)
        }
        // A working tree that is new starts from what its sibling knows.
        Err(Error::Store(codegraph_store::Error::NotFound(path))) => match start_from_sibling(project)? {
            true => project.store(Access::Read),
            false => Err(Error::Store(codegraph_store::Error::NotFound(path))),
        },
        store => store,
    }
}

fn report(tree: Tree, tally: Tally, phases: Phases, start: Instant) -> BuildReport {
    let mut skipped = tree.skipped;
    skipped.extend(tally.skipped.into_iter().map(|(path, reason, _)| Skipped { path, reason }));
    skipped.sort_unstable();
    BuildReport {
        files: tally.files,
        source_bytes: tally.bytes,
        lines: tally.lines,
        symbols: tally.symbols,
        languages: tally.languages.into_iter().collect(),
        files_with_syntax_problems: tally.defects.syntax,
        timed_out: tally.defects.timed_out,
        dense: tally.defects.dense,
        skipped,
        phases,
        duration_ms: ms(start.elapsed()),
    }
}
