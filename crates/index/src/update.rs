//! Changes to an index: what is new, different or gone since it was made, in one transaction.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use codegraph_store::{Access, Change, LineRange};
use serde::Serialize;

use crate::apply::Work;
use crate::build::{ms, open_current, skipped_input};
use crate::freshness::{Known, Suspects, look};
use crate::lock::FileLock;
use crate::plan::{Plan, plan, plan_files};
use crate::stamp::Seen;
use crate::switch::{is_likely, switch};
use crate::{Error, Progress, Project, Reason, Result, Skipped};

/// A file that was edited, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEdit {
    /// Root-relative or absolute; a folder means everything in it.
    pub path: PathBuf,
    /// The lines that an edit replaced, in the numbering before it.
    pub lines: Option<LineRange>,
}

/// What to bring up to date.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Everything that has changed.
    All,
    /// These files and folders.
    Files(Vec<PathBuf>),
    /// One file, of which an edit replaced these lines.
    Lines { file: PathBuf, lines: LineRange },
    /// Several files, each with or without a range.
    Batch(Vec<FileEdit>),
}

/// How to update.
#[derive(Clone, Debug)]
pub struct UpdateOptions {
    /// How long to wait for another writer.
    pub patience: Duration,
}

impl Default for UpdateOptions {
    fn default() -> UpdateOptions {
        UpdateOptions { patience: Duration::from_secs(10) }
    }
}

/// What an update did.
#[derive(Clone, Debug, Default, Serialize)]
pub struct UpdateReport {
    pub added: Vec<String>,
    pub changed: Vec<String>,
    pub removed: Vec<String>,
    /// Files that did not change but whose names did, because of a manifest or a neighbour.
    pub renamed: u64,
    /// Files whose references were looked up again.
    pub relinked: u64,
    /// What was looked at and left out.
    pub skipped: Vec<Skipped>,
    /// Distinct terms per file that came, and that went.
    pub items_added: u64,
    pub items_removed: u64,
    /// Lines with a new id.
    pub lines_updated: u64,
    pub lines_removed: u64,
    pub symbols_added: u64,
    pub symbols_removed: u64,
    pub files_with_syntax_problems: u64,
    pub timed_out: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub dense: Vec<String>,
    /// The index is another file than before: so much has changed that it was built anew, or taken up again where an
    /// earlier state had left it.
    pub replaced: bool,
    pub duration_ms: f64,
}

impl UpdateReport {
    /// Whether the index says the same as before.
    pub fn is_unchanged(&self) -> bool {
        self.added.is_empty() && self.changed.is_empty() && self.removed.is_empty() && self.renamed == 0
    }

    pub(crate) fn count(&mut self, change: Change) {
        self.items_added += u64::from(change.items_added);
        self.items_removed += u64::from(change.items_removed);
        self.lines_updated += u64::from(change.lines_added);
        self.lines_removed += u64::from(change.lines_removed);
        self.symbols_added += u64::from(change.symbols_added);
        self.symbols_removed += u64::from(change.symbols_removed);
    }
}

/// Brings an index up to date. Nothing is written if nothing has changed.
pub fn update(
    project: &Project,
    scope: Scope,
    options: &UpdateOptions,
    progress: &dyn Progress,
) -> Result<UpdateReport> {
    let start = Instant::now();
    let reader = open_current(project, progress)?;
    let (known, plan) = match scope {
        Scope::All => match look(project, &reader)? {
            Some((known, suspects)) => return update_suspects(project, &known, &suspects, options, progress),
            // Nothing has changed; whoever asks for an update is told even so if the index names paths outside.
            None => {
                reader.stamps()?;
                Default::default()
            }
        },
        scope => {
            let known = Known::load(&reader)?;
            let plan = plan_files(project, &known, &edits(scope)?, true)?;
            (known, plan)
        }
    };
    // The reader stays open: the last connection to close removes files that the next one would make again.
    finish(project, &known, plan, options, progress, start)
}

/// Updates what a check has found.
pub(crate) fn update_suspects(
    project: &Project,
    known: &Known,
    suspects: &Suspects,
    options: &UpdateOptions,
    progress: &dyn Progress,
) -> Result<UpdateReport> {
    let start = Instant::now();
    let plan = plan(project, known, suspects)?;
    if is_likely(project, known, &plan)?
        && let Some(report) = switch(project, options, progress)?
    {
        return Ok(UpdateReport { duration_ms: ms(start.elapsed()), ..report });
    }
    finish(project, known, plan, options, progress, start)
}

/// Updates what is left to do in an index that was just put in place.
pub(crate) fn update_rest(project: &Project, options: &UpdateOptions, progress: &dyn Progress) -> Result<UpdateReport> {
    let Some((known, suspects)) = look(project, &project.store(Access::Read)?)? else {
        return Ok(UpdateReport::default());
    };
    finish(project, &known, plan(project, &known, &suspects)?, options, progress, Instant::now())
}

/// Updates what git or another source named; names that mean nothing here are passed over.
pub(crate) fn update_named(
    project: &Project,
    edits: &[FileEdit],
    options: &UpdateOptions,
    progress: &dyn Progress,
) -> Result<UpdateReport> {
    let start = Instant::now();
    let known = Known::load(&open_current(project, progress)?)?;
    let plan = plan_files(project, &known, edits, false)?;
    finish(project, &known, plan, options, progress, start)
}

/// Takes a file, or all files of a folder, out of the index. What is not there is not missed.
pub fn remove(project: &Project, path: &std::path::Path, options: &UpdateOptions) -> Result<UpdateReport> {
    let start = Instant::now();
    // Nothing is not the project's folder: a variable that is not set must not empty the index.
    if path.as_os_str().is_empty() {
        return Err(Error::NoSuchFile("''".to_owned()));
    }
    let path = project.relative(path, project.root())?;
    let known = Known::load(&open_current(project, &crate::Silent)?)?;
    let inside = |file: &str| file == path || path.is_empty() || file.starts_with(&format!("{path}/"));
    let gone: Vec<String> =
        known.files.iter().filter(|file| inside(&file.path)).map(|file| file.path.clone()).collect();
    let stays_out = |path: &String| {
        let is_there = project.absolute(path).exists();
        is_there.then(|| skipped_input(path, Reason::Removed, Seen::ABSENT))
    };
    let put_inputs = gone.iter().filter_map(stays_out).collect();
    let plan = Plan { gone, put_inputs, ..Plan::default() };
    finish(project, &known, plan, options, &crate::Silent, start)
}

fn edits(scope: Scope) -> Result<Vec<FileEdit>> {
    let edits = match scope {
        Scope::All => Vec::new(),
        Scope::Files(files) => files.into_iter().map(|path| FileEdit { path, lines: None }).collect(),
        Scope::Lines { file, lines } => vec![FileEdit { path: file, lines: Some(lines) }],
        Scope::Batch(edits) => edits,
    };
    let bad = edits.iter().filter_map(|edit| edit.lines).find(|lines| lines.first == 0 || lines.last < lines.first);
    match bad {
        Some(LineRange { first, last }) => Err(Error::Lines { first, last }),
        None => Ok(edits),
    }
}

fn finish(
    project: &Project,
    known: &Known,
    plan: Plan,
    options: &UpdateOptions,
    progress: &dyn Progress,
    start: Instant,
) -> Result<UpdateReport> {
    let mut report = UpdateReport { skipped: plan.refused.clone(), ..UpdateReport::default() };
    if !plan.is_empty() {
        let _lock = FileLock::of_index(project, options.patience)?;
        let mut store = project.store(Access::Write)?;
        Work::new(project, known, &mut store, &mut report)?.run(&plan, progress)?;
    }
    report.duration_ms = ms(start.elapsed());
    Ok(report)
}
