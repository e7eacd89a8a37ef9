//! What an update has to look at: from suspicions to files to read, files that are gone, and new stamps.

use std::collections::BTreeSet;
use std::mem::{Discriminant, discriminant};
use std::sync::Arc;

use codegraph_manifests::Layout;
use codegraph_store::{Input, LineRange, Stamp, Watched};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::build::skipped_input;
use crate::config::Filter;
use crate::discover::{Tree, manifest_input, tracked_files, walk};
use crate::extent::Extent;
use crate::file::parse;
use crate::freshness::{Known, Suspects};
use crate::generated::may_say_generated;
use crate::project::parent;
use crate::read::Outcome;
use crate::rules::{is_git_list, watched};
use crate::stamp::Seen;
use crate::update::FileEdit;
use crate::{Error, Project, Reason, Result, Skipped};

/// A file to be read again.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) path: String,
    pub(crate) lines: Option<LineRange>,
}

/// What an update has to do. Every step reads the current state again, so that a plan that is a little old does no
/// harm.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    /// By path.
    pub(crate) candidates: Vec<Candidate>,
    /// Files that are not there any more, or not to be indexed any more.
    pub(crate) gone: Vec<String>,
    pub(crate) put_inputs: Vec<Input>,
    pub(crate) gone_inputs: Vec<String>,
    /// Manifests, or the project's name, give other names to files that did not change.
    pub(crate) names_change: bool,
    /// What was asked for by name but is left out.
    pub(crate) refused: Vec<Skipped>,
}

/// The plan that brings everything up to date.
pub(crate) fn plan(project: &Project, known: &Known, suspects: &Suspects) -> Result<Plan> {
    let mut plan = Plan { names_change: suspects.name, ..Plan::default() };
    let inputs: Vec<&Input> = suspects.inputs.iter().map(|place| &known.inputs[*place]).collect();
    let extent = extent(project, known, suspects, &inputs);
    let mut candidates: BTreeSet<String> =
        suspects.files.iter().map(|place| known.files[*place].path.clone()).collect();
    plan.gone.extend(suspects.vanished.iter().map(|place| known.files[*place].path.clone()));
    for input in &inputs {
        let waits = matches!(input.watched, Watched::Skipped(_) | Watched::Script);
        if waits && !known.has_file(&input.path) && project.absolute(&input.path).is_file() {
            candidates.insert(input.path.clone());
        }
        match &input.watched {
            Watched::Manifest(said) => plan.manifest(project, input, said),
            Watched::Rules => {}
            _ if !project.absolute(&input.path).exists() => plan.gone_inputs.push(input.path.clone()),
            _ => {}
        }
    }
    for list in inputs.iter().filter(|input| is_git_list(input)) {
        plan.put_inputs.push(watched(project, list.path.clone(), Watched::Rules));
    }
    if let Some(extent) = extent {
        let looks_again = extent.is_everything() || inputs.iter().any(|input| is_git_list(input));
        let (tree, extent) = walked(project, known, extent)?;
        if looks_again {
            plan.leave_out_generated(project, known)?;
        }
        plan.compare(known, &tree, &extent, &mut candidates);
        let (files, inputs) = below_lost_folders(project, known, &extent);
        plan.gone.extend(files);
        plan.gone_inputs.extend(inputs);
    }
    plan.gone.sort_unstable();
    plan.gone.dedup();
    let removed = known.removed();
    candidates.retain(|path| plan.gone.binary_search(path).is_err() && !removed.contains(path.as_str()));
    plan.candidates = candidates.into_iter().map(|path| Candidate { path, lines: None }).collect();
    Ok(plan)
}

/// The plan for files and folders that were asked for by name. `strict`: one that does not exist is an error.
pub(crate) fn plan_files(project: &Project, known: &Known, edits: &[FileEdit], strict: bool) -> Result<Plan> {
    let mut plan = Plan::default();
    let mut extent = Extent::listed([], known.folders());
    let mut lines: FxHashMap<String, Option<LineRange>> = FxHashMap::default();
    for edit in edits {
        let path = project.relative(edit.path.as_ref(), project.root())?;
        if project.absolute(&path).is_dir() {
            extent.add_whole(&path);
        } else {
            extent.add_file(&path);
            lines.insert(path, edit.lines);
        }
    }
    let (tree, extent) = walked(project, known, extent)?;
    let mut candidates: BTreeSet<String> = tree.files.iter().map(|file| file.path.clone()).collect();
    plan.compare(known, &tree, &extent, &mut candidates);
    for path in lines.keys() {
        if !candidates.contains(path) && !known.has_file(path) {
            plan.refuse(project, path, strict)?;
        }
    }
    plan.refused.sort_unstable();
    plan.candidates =
        candidates.into_iter().map(|path| Candidate { lines: lines.get(&path).copied().flatten(), path }).collect();
    Ok(plan)
}

/// The part of the tree that has to be walked; `None` if nothing came or went.
fn extent(project: &Project, known: &Known, suspects: &Suspects, inputs: &[&Input]) -> Option<Extent> {
    // A list of git that is gone was that of a repository whose rules are gone too.
    let decides = |input: &&Input| {
        input.watched == Watched::Rules && !(is_git_list(input) && project.absolute(&input.path).exists())
    };
    if suspects.rules || inputs.iter().copied().any(|input| decides(&input)) {
        return Some(Extent::everything());
    }
    let lists: Vec<&&Input> = inputs.iter().filter(|input| is_git_list(input)).collect();
    let paths = |wanted: fn(&Watched) -> bool| {
        inputs.iter().filter(move |input| wanted(&input.watched)).map(|input| input.path.clone())
    };
    let folders: Vec<String> = paths(|watched| *watched == Watched::Folder).collect();
    let skipped = paths(|watched| matches!(watched, Watched::Skipped(_)));
    let opened: Vec<String> = skipped.filter(|path| project.absolute(path).is_dir()).collect();
    if folders.is_empty() && opened.is_empty() && lists.is_empty() {
        return None;
    }
    let mut extent = Extent::listed(folders, known.folders());
    if !lists.is_empty() {
        listed_otherwise(project, known).iter().for_each(|path| extent.add_file(path));
    }
    opened.iter().for_each(|folder| extent.add_whole(folder));
    Some(extent)
}

/// The files for which it matters that git tracks others than before: those that it tracks and the index has not, and the
/// other way round. Most often there are none.
fn listed_otherwise(project: &Project, known: &Known) -> Vec<String> {
    let tracked = tracked_files(project, known);
    let waits = |path: &str| {
        let found = known.inputs.binary_search_by(|input| input.path.as_str().cmp(path));
        found.is_ok_and(|place| !matches!(&known.inputs[place].watched, Watched::Skipped(why) if why.is_untracked()))
    };
    let new = tracked.iter().filter(|path| !known.has_file(path) && !waits(path)).cloned();
    let old = known.files.iter().filter(|file| !tracked.contains(&file.path)).map(|file| file.path.clone());
    new.chain(old).collect()
}

/// Walks the extent. An ignore file that is new in a known folder may concern anything, so then everything is walked.
fn walked(project: &Project, known: &Known, extent: Extent) -> Result<(Tree, Arc<Extent>)> {
    let extent = Arc::new(extent);
    let tree = walk(project, Arc::clone(&extent))?;
    let folders = known.folders();
    let known_rules: FxHashSet<&str> =
        known.inputs.iter().filter(|input| input.watched == Watched::Rules).map(|input| input.path.as_str()).collect();
    let is_new = |input: &Input| {
        let holder = input.path.strip_suffix("/.git/info/exclude").unwrap_or_else(|| parent(&input.path));
        input.watched == Watched::Rules && !known_rules.contains(input.path.as_str()) && folders.contains(holder)
    };
    if extent.is_everything() || !tree.inputs.iter().any(is_new) {
        return Ok((tree, extent));
    }
    let extent = Arc::new(Extent::everything());
    Ok((walk(project, Arc::clone(&extent))?, extent))
}

impl Plan {
    /// Whether there is nothing to look at.
    pub(crate) fn is_empty(&self) -> bool {
        let files = self.candidates.is_empty() && self.gone.is_empty();
        files && self.put_inputs.is_empty() && self.gone_inputs.is_empty() && !self.names_change
    }

    /// Compares what a walk saw with what the index knows.
    fn compare(&mut self, known: &Known, tree: &Tree, extent: &Extent, candidates: &mut BTreeSet<String>) {
        let found = |path: &str| tree.files.binary_search_by(|file| file.path.as_str().cmp(path)).is_ok();
        let unseen = known.files.iter().filter(|file| extent.sees_file(&file.path) && !found(&file.path));
        self.gone.extend(unseen.map(|file| file.path.clone()));
        // What waited for being readable may be left out by now.
        candidates.retain(|path| !extent.sees_file(path) || found(path));
        candidates.extend(tree.files.iter().filter(|file| !known.has_file(&file.path)).map(|file| file.path.clone()));
        self.compare_inputs(known, tree, extent);
    }

    fn compare_inputs(&mut self, known: &Known, tree: &Tree, extent: &Extent) {
        let found = |path: &str| tree.files.binary_search_by(|file| file.path.as_str().cmp(path)).is_ok();
        let skipped = tree.skipped.iter().map(|one| skipped_input(&one.path, one.reason.clone(), Seen::ABSENT));
        let now: Vec<Input> = tree.inputs.iter().cloned().chain(skipped).collect();
        let seen: FxHashSet<&str> = now.iter().map(|input| input.path.as_str()).collect();
        for input in &known.inputs {
            let in_reach = match input.watched {
                Watched::Folder => extent.lists(&input.path),
                // One that goes away makes the whole tree be walked.
                Watched::Rules => extent.is_everything(),
                // A file that waits for being readable, or for another content, is looked at as a candidate.
                _ => extent.sees_file(&input.path) && !found(&input.path),
            };
            if in_reach && !seen.contains(input.path.as_str()) {
                self.gone_inputs.push(input.path.clone());
                self.names_change |= matches!(input.watched, Watched::Manifest(_));
            }
        }
        fn key(input: &Input) -> (&str, Discriminant<Watched>) {
            (&input.path, discriminant(&input.watched))
        }
        let before: FxHashMap<_, &Input> = known.inputs.iter().map(|input| (key(input), input)).collect();
        for input in &now {
            let old = before.get(&key(input)).copied();
            if old != Some(input) {
                let is_manifest = matches!(input.watched, Watched::Manifest(_));
                self.names_change |= is_manifest && old.is_none_or(|old| old.watched != input.watched);
                self.put_inputs.push(input.clone());
            }
        }
    }

    /// A manifest whose stamp changed.
    fn manifest(&mut self, project: &Project, old: &Input, said: &str) {
        if !codegraph_files::is_plain(&project.absolute(&old.path)) {
            self.names_change |= Layout::from_note(said) != Layout::default();
            self.gone_inputs.push(old.path.clone());
            return;
        }
        let now = manifest_input(project, &old.path);
        self.names_change |= now.watched != old.watched;
        self.put_inputs.push(now);
    }

    /// What was read because git tracked it, or because the settings said so, may be left out by now.
    fn leave_out_generated(&mut self, project: &Project, known: &Known) -> Result<()> {
        let filter = Filter::new(project.root(), project.config())?;
        let may =
            |file: &&Stamp| filter.leaves_out_generated(&file.path) && may_say_generated(project.root(), &file.path);
        for file in known.files.iter().filter(may) {
            if let Outcome::Skipped(reason @ Reason::Made(_), seen) = parse(project, &filter, &file.path) {
                self.gone.push(file.path.clone());
                self.put_inputs.push(skipped_input(&file.path, reason, seen));
            }
        }
        Ok(())
    }

    /// A file that was asked for and that the walk did not find.
    fn refuse(&mut self, project: &Project, path: &str, strict: bool) -> Result<()> {
        if !project.absolute(path).exists() {
            return if strict { Err(Error::NoSuchFile(path.to_owned())) } else { Ok(()) };
        }
        let claimed = codegraph_languages::for_path(path).next().is_some();
        let reason = if claimed { Reason::Excluded } else { Reason::NoLanguage };
        self.refused.push(Skipped { path: path.to_owned(), reason });
        Ok(())
    }
}

/// Everything that lies below folders which are folders no longer: deleted, or replaced by a link.
fn below_lost_folders(project: &Project, known: &Known, extent: &Extent) -> (Vec<String>, Vec<String>) {
    let is_lost = |input: &&Input| {
        let inside = input.watched == Watched::Folder && !input.path.is_empty();
        let parent_listed = inside && extent.lists(parent(&input.path));
        parent_listed && !project.absolute(&input.path).symlink_metadata().is_ok_and(|metadata| metadata.is_dir())
    };
    let lost: FxHashSet<&str> = known.inputs.iter().filter(is_lost).map(|input| input.path.as_str()).collect();
    if lost.is_empty() {
        return Default::default();
    }
    let below = |path: &str| {
        let mut folder = path;
        while !folder.is_empty() {
            if lost.contains(folder) {
                return true;
            }
            folder = parent(folder);
        }
        false
    };
    let files = known.files.iter().filter(|file| below(&file.path)).map(|file| file.path.clone()).collect();
    let inputs = known.inputs.iter().filter(|input| below(&input.path)).map(|input| input.path.clone()).collect();
    (files, inputs)
}
