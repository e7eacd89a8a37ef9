//! Whether an index still describes its tree: one stat for each file, folder and manifest that it knows, in parallel.
//!
//! Every question is preceded by this one. Every known file, folder, ignore file and manifest has a stamp: size,
//! time of change, and a *mark* of what nobody can set back, the time of the last change of the inode and its number. Where
//! a stamp differs the content decides, so a copied or restored tree is hashed once and its stamps are renewed. One parallel
//! pass of `stat` calls compares them: about a microsecond each. Neighbouring files have one sum of their stamps: while it
//! stays the same, their paths are all that is read of them. A folder's time changes when files come or go, so new files
//! are seen without walking. If something changed, the surface updates the index and then answers; with
//! `auto_update: false` the answer names the stale files.
//!
//! A server asks the kernel instead (`runtime/src/watch.rs`): a queue of events that is read when a question comes. Git's own
//! settings, which no watched folder holds, are compared every few seconds; all files are still looked at once a minute,
//! because writes through mapped memory are no events.
//!
//! `codegraph watch` waits for the same events (`runtime/src/watching.rs`) and brings the index up to date when it is quiet
//! again. Other systems tell by way of the `notify` crate (`notified.rs`), a little late: there silence proves nothing, and
//! servers look at the stamps. Where a system watches no more folders, all is looked at every few seconds, which is said.
//!
//! A stamp that is too young to be trusted (a second change could fall into the same tick of the clock) is stored as
//! untrusted, and the content decides next time.

use codegraph_store::{Glance, Input, PackedGlance, PackedInputs, Stamp, StampSum, Store, Watched};
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use serde::Serialize;

use crate::build::{NAME_KEY, RULES_KEY};
use crate::config::Filter;
use crate::link::LINKER_KEY;
use crate::plan::{Plan, plan};
use crate::read::{Outcome, read};
use crate::rules::Rules;
use crate::stamp::{Kind, Links, Root, Seen};
use crate::update::{UpdateOptions, UpdateReport, update_suspects};
use crate::{Error, Project, Reason, Result};

/// Whether an index is up to date.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Freshness {
    Fresh,
    Changed(Changes),
}

/// How the tree differs from the index.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Changes {
    /// Files that would be indexed now.
    pub added: Vec<String>,
    /// Files with other content, or that a newer extractor would read differently.
    pub changed: Vec<String>,
    pub removed: Vec<String>,
    /// Manifests or settings that change the names of packages and modules.
    pub renamed: bool,
}

impl Changes {
    pub fn is_empty(&self) -> bool {
        *self == Changes::default()
    }

    /// Files that came, went or are different.
    pub(crate) fn files(&self) -> usize {
        self.added.len() + self.changed.len() + self.removed.len()
    }
}

/// Compares an index with its tree. Nothing is walked and nothing is read unless a stat shows a difference; then it
/// is looked at, so that a file that was only touched is not reported.
pub fn check(project: &Project, store: &Store) -> Result<Freshness> {
    let Some((known, suspects)) = look(project, store)? else { return Ok(Freshness::Fresh) };
    let plan = plan(project, &known, &suspects)?;
    let changes = confirm(project, store, &plan)?;
    Ok(if changes.is_empty() { Freshness::Fresh } else { Freshness::Changed(changes) })
}

/// Brings an index up to date if it is not: what a query does before it answers. `None` if there was nothing to do.
/// `store` is the index, open for reading; it stays valid, unless the report says that the index is another file now.
pub fn refresh(project: &Project, store: &Store, options: &UpdateOptions) -> Result<Option<UpdateReport>> {
    let Some((known, suspects)) = look(project, store)? else { return Ok(None) };
    update_suspects(project, &known, &suspects, options, &crate::Silent).map(Some)
}

/// Whether the settings that no file of the tree holds are those that the index was made with: git's own, and the
/// project's name.
pub fn same_settings(project: &Project, store: &Store) -> Result<bool> {
    Ok(!other_rules(project, store)? && !other_name(project, store)?)
}

fn other_rules(project: &Project, store: &Store) -> Result<bool> {
    Ok(store.metadata(RULES_KEY)?.as_deref() != Some(&Rules::of(project.root()).fingerprint()))
}

fn other_name(project: &Project, store: &Store) -> Result<bool> {
    Ok(store.metadata(NAME_KEY)?.as_deref() != Some(project.name()))
}

/// What an index knows about the tree.
#[derive(Default)]
pub(crate) struct Known {
    /// By path.
    pub(crate) files: Vec<Stamp>,
    pub(crate) inputs: Vec<Input>,
}

impl Known {
    pub(crate) fn load(store: &Store) -> Result<Known> {
        Ok(Known { files: stamps(store)?, inputs: store.inputs()? })
    }

    pub(crate) fn has_file(&self, path: &str) -> bool {
        self.files.binary_search_by(|file| file.path.as_str().cmp(path)).is_ok()
    }

    /// What was taken out by name.
    pub(crate) fn removed(&self) -> FxHashSet<&str> {
        let removed = self.inputs.iter().filter(|input| input.watched == Watched::Skipped(Reason::Removed));
        removed.map(|input| input.path.as_str()).collect()
    }

    pub(crate) fn folders(&self) -> FxHashSet<String> {
        let folders = self.inputs.iter().filter(|input| input.watched == Watched::Folder);
        folders.map(|input| input.path.clone()).collect()
    }
}

/// What a stat says has changed, as places in [`Known`].
#[derive(Debug, Default)]
pub(crate) struct Suspects {
    pub(crate) files: Vec<usize>,
    pub(crate) vanished: Vec<usize>,
    pub(crate) inputs: Vec<usize>,
    /// Ignore rules are found in other places than before.
    pub(crate) rules: bool,
    /// Another release of the linker made the links.
    pub(crate) linker: bool,
    /// The project has another name.
    pub(crate) name: bool,
}

impl Suspects {
    pub(crate) fn is_empty(&self) -> bool {
        self.files.is_empty()
            && self.vanished.is_empty()
            && self.inputs.is_empty()
            && !self.rules
            && !self.linker
            && !self.name
    }
}

/// Files per task: enough that handing out work costs nothing.
const CHUNK: usize = 128;

/// Looks at everything that an index knows; none if it has not changed. Single files are read of the index only where
/// one of their neighbourhood has changed.
pub(crate) fn look(project: &Project, store: &Store) -> Result<Option<(Known, Suspects)>> {
    let root = &Root::open(project.root()).map_err(Error::io(project.root()))?;
    let (inputs, glances) = (store.packed_inputs()?, store.packed_glances()?);
    let look_at = |packed: &PackedInputs| -> Result<Vec<(Input, State)>> {
        let with_state = |input: Input| {
            let state = input_state(&input, root);
            (input, state)
        };
        Ok(packed.unpack()?.into_iter().map(with_state).collect())
    };
    // What cannot be unpacked tells nothing: its files are looked at one by one.
    let is_other = |packed: &&PackedGlance| !packed.unpack().is_ok_and(|glance| is_same(&glance, root));
    let (inputs, other) = rayon::join(
        || inputs.par_iter().map(look_at).collect::<Result<Vec<_>>>(),
        || glances.par_iter().filter(is_other).collect::<Vec<&PackedGlance>>(),
    );
    let (inputs, input_states): (Vec<Input>, Vec<State>) = inputs?.into_iter().flatten().unzip();
    let places = |states: &[State], wanted| -> Vec<usize> {
        states.iter().enumerate().filter(|(_, state)| **state == wanted).map(|(place, _)| place).collect()
    };
    let mut suspects = Suspects {
        inputs: places(&input_states, State::Changed),
        rules: other_rules(project, store)?,
        linker: store.metadata(LINKER_KEY)?.as_deref() != Some(&codegraph_resolve::VERSION.to_string()),
        name: other_name(project, store)?,
        ..Suspects::default()
    };
    if other.is_empty() && suspects.is_empty() {
        return Ok(None);
    }
    let known = Known { files: stamps(store)?, inputs };
    let state = |file: &Stamp| match other.iter().any(|glance| glance.covers(file.id)) {
        true => file_state(file, root),
        false => State::Same,
    };
    let states: Vec<State> = known.files.par_iter().with_min_len(CHUNK).map(state).collect();
    suspects.files = places(&states, State::Changed);
    suspects.vanished = places(&states, State::Gone);
    Ok((!suspects.is_empty()).then_some((known, suspects)))
}

/// Whether some files look as they did.
fn is_same(glance: &Glance, root: &Root) -> bool {
    let mut sum = StampSum::default();
    let is_file = |path: &str| match root.look(path, Links::Stay) {
        Some((Kind::File, seen)) => {
            sum.add(seen.size, seen.mtime_ns, seen.mark, codegraph_extract::VERSION);
            true
        }
        _ => false,
    };
    glance.paths().all(is_file) && sum == glance.sum
}

/// The files of an index, by path.
fn stamps(store: &Store) -> Result<Vec<Stamp>> {
    let mut files = store.stamps()?;
    if !files.is_sorted_by(|a, b| a.path < b.path) {
        files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    }
    Ok(files)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Same,
    Changed,
    Gone,
}

fn file_state(file: &Stamp, root: &Root) -> State {
    match root.look(&file.path, Links::Stay) {
        Some((Kind::File, seen)) => {
            let same = seen == Seen { mtime_ns: file.mtime_ns, size: file.size, mark: file.mark };
            if same && file.extractor == codegraph_extract::VERSION { State::Same } else { State::Changed }
        }
        _ => State::Gone,
    }
}

fn input_state(input: &Input, root: &Root) -> State {
    let before = Seen { mtime_ns: input.mtime_ns, size: input.size, mark: input.mark };
    match &input.watched {
        Watched::Skipped(Reason::Unreadable(_)) => {
            return if root.opens(&input.path) { State::Changed } else { State::Same };
        }
        // What was taken out stays out, whatever becomes of it.
        Watched::Skipped(Reason::Removed) => return State::Same,
        // Links and odd names: the folder that they are in tells when they change.
        Watched::Skipped(_) if before == Seen::ABSENT => return State::Same,
        _ => {}
    }
    let now = root.look(&input.path, Links::Follow).map_or(Seen::ABSENT, |(_, seen)| seen);
    if now == before { State::Same } else { State::Changed }
}

/// Looks at what a plan would read.
pub(crate) fn confirm(project: &Project, store: &Store, plan: &Plan) -> Result<Changes> {
    let filter = Filter::new(project.root(), project.config())?;
    let mut changes = Changes { renamed: plan.names_change, ..Changes::default() };
    for path in &plan.gone {
        if store.file_by_path(path)?.is_some() {
            changes.removed.push(path.clone());
        }
    }
    let fingerprint = |path: &str| match read(project, &filter, path) {
        Outcome::Read(source) => Some((source.hash, source.language.name)),
        _ => None,
    };
    let outcomes: Vec<_> = plan.candidates.par_iter().map(|candidate| fingerprint(&candidate.path)).collect();
    for (candidate, outcome) in plan.candidates.iter().zip(outcomes) {
        let path = candidate.path.clone();
        match (store.file_by_path(&path)?, outcome) {
            (None, Some(_)) => changes.added.push(path),
            (Some(_), None) => changes.removed.push(path),
            (Some(old), Some((hash, language))) => {
                let same = old.hash == hash && old.language == language;
                if !same || old.extractor != codegraph_extract::VERSION {
                    changes.changed.push(path);
                }
            }
            (None, None) => {}
        }
    }
    changes.removed.sort_unstable();
    Ok(changes)
}
