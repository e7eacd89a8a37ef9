//! `codegraph watch`: keeps an index up to date while files change, until it is told to stop.
//!
//! Events say that something happened, never what: after a short silence the index is compared with the tree, as every
//! question does it. So a burst of thousands of files, a moved folder, another branch or new ignore rules are one update
//! each, and an event that was lost costs nothing but the wait for the next look.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use codegraph_index::{Project, Silent, UpdateOptions, UpdateReport, open_current, refresh};

use crate::watch::{Folders, Watch};

/// Files still change while something happens at least this often; a long burst is looked at in between.
const LONGEST_BURST: Duration = Duration::from_secs(5);
/// Writes through mapped memory, and settings of git, are no events: all is looked at this often.
const LOOK_AGAIN: Duration = Duration::from_secs(60);
/// How long another process may be writing.
const PATIENCE: Duration = Duration::from_secs(30);
/// Updates may make folders, whose content has to be looked at once they are watched.
const MOST_ROUNDS: usize = 8;

/// How to watch.
#[derive(Clone, Copy, Debug)]
pub struct WatchOptions {
    /// How long nothing must happen before the index is brought up to date.
    pub silence: Duration,
    /// How often to look where the system tells nothing.
    pub every: Duration,
    /// Look that often in any case, and ask the system for nothing.
    pub poll: bool,
}

impl Default for WatchOptions {
    fn default() -> WatchOptions {
        WatchOptions { silence: Duration::from_millis(100), every: Duration::from_secs(2), poll: false }
    }
}

/// What happens while watching.
#[derive(Debug)]
pub enum Watched<'r> {
    /// The index is up to date and is kept so; without the system's events if there is a reason.
    Started {
        root: &'r Path,
        polling: Option<&'static str>,
    },
    /// The system does not tell any more.
    Polling(&'static str),
    Updated(&'r UpdateReport),
    /// It could not be brought up to date now; the next change, or the next look, tries again.
    Failed(&'r codegraph_index::Error),
}

const ASKED: &str = "as asked for";
const UNTOLD: &str = "the system tells nothing about changes on this file system";
const TOO_MANY: &str = "there are more folders than the system watches for one user";

/// Watches a project until `told` says to stop.
pub fn watch(root: &Path, options: &WatchOptions, told: &mut dyn FnMut(Watched<'_>) -> bool) -> anyhow::Result<()> {
    let mut watching = Watching { root: root.to_owned(), watch: None, options: *options };
    watching.watch = if options.poll { None } else { Watch::new(root) };
    let mut polling = match (options.poll, &watching.watch) {
        (true, _) => Some(ASKED),
        (false, None) => Some(UNTOLD),
        (false, Some(_)) => None,
    };
    let mut started = false;
    loop {
        let armed = watching.watch.is_some();
        let outcome = watching.look();
        if armed && watching.watch.is_none() {
            polling = Some(TOO_MANY);
            if started && !told(Watched::Polling(TOO_MANY)) {
                return Ok(());
            }
        }
        let go_on = match &outcome {
            Ok(Some(report)) if started && !report.is_unchanged() => told(Watched::Updated(report)),
            Ok(_) => true,
            // Without an index there is nothing to keep.
            Err(error) if started => told(Watched::Failed(error)),
            Err(_) => return outcome.map(drop).map_err(Into::into),
        };
        if !go_on || !started && !told(Watched::Started { root, polling }) {
            return Ok(());
        }
        started = true;
        watching.wait();
    }
}

struct Watching {
    root: PathBuf,
    watch: Option<Watch>,
    options: WatchOptions,
}

impl Watching {
    /// Brings the index up to date. Folders are watched before they are looked at, so that nothing is lost in between.
    fn look(&mut self) -> codegraph_index::Result<Option<UpdateReport>> {
        let project = Project::open(&self.root)?;
        let mut store = open_current(&project, &Silent)?;
        let how = UpdateOptions { patience: PATIENCE };
        let mut all: Option<UpdateReport> = None;
        for _ in 0..MOST_ROUNDS {
            self.arm(&Folders::of(&store)?);
            let report = refresh(&project, &store, &how)?;
            let settled = report.is_none();
            if report.as_ref().is_some_and(|report| report.replaced) {
                store = open_current(&project, &Silent)?;
            }
            all = join(all, report);
            if self.arm(&Folders::of(&store)?) == 0 && settled {
                break;
            }
        }
        Ok(all)
    }

    fn arm(&mut self, folders: &Folders) -> usize {
        let added = self.watch.as_mut().map(|watch| watch.add(&self.root, folders));
        match added {
            Some(None) => {
                self.watch = None;
                0
            }
            added => added.flatten().unwrap_or(0),
        }
    }

    /// Returns when something has happened and it is quiet again, or when it is time to look.
    fn wait(&mut self) {
        let Some(watch) = &mut self.watch else { return std::thread::sleep(self.options.every) };
        let start = Instant::now();
        while watch.quiet() {
            let left = LOOK_AGAIN.saturating_sub(start.elapsed());
            if left.is_zero() {
                return;
            }
            watch.wait(left);
        }
        let burst = Instant::now();
        while burst.elapsed() < LONGEST_BURST && watch.wait(self.options.silence) {
            watch.quiet();
        }
    }
}

/// Several updates as one.
fn join(before: Option<UpdateReport>, after: Option<UpdateReport>) -> Option<UpdateReport> {
    let (Some(mut all), Some(after)) = (before.clone(), after.clone()) else { return before.or(after) };
    for (list, more) in
        [(&mut all.added, after.added), (&mut all.changed, after.changed), (&mut all.removed, after.removed)]
    {
        list.extend(more);
        list.sort_unstable();
        list.dedup();
    }
    all.renamed += after.renamed;
    all.relinked += after.relinked;
    all.replaced |= after.replaced;
    all.items_added += after.items_added;
    all.items_removed += after.items_removed;
    all.lines_updated += after.lines_updated;
    all.lines_removed += after.lines_removed;
    all.symbols_added += after.symbols_added;
    all.symbols_removed += after.symbols_removed;
    all.duration_ms += after.duration_ms;
    all.skipped = after.skipped;
    Some(all)
}
