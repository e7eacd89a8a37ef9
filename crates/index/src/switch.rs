//! A change of so many files at once that the project is in another state, most often that of another branch.
//!
//! The index of the state before stays beside the new one. When the project comes back to that state, the update starts
//! from there: some stamps instead of a thousand files. A state that is new, and mostly different, is not reached by an
//! update: a build links on all cores and packs each row once.

use std::path::{Path, PathBuf};

use codegraph_store::{Access, Store, start_from};

use crate::build::{BuildOptions, build_at};
use crate::freshness::{Changes, Known, confirm, look};
use crate::lock::FileLock;
use crate::plan::{Plan, plan};
use crate::update::{UpdateOptions, UpdateReport, update_rest};
use crate::{Progress, Project, Result};

/// The name of the index of the state before.
pub(crate) const BEFORE: &str = "index.db.before";

/// Fewer files, or a smaller part of all, are an update like any other.
const MANY: usize = 100;
const PART: usize = 20;

/// An update of so large a part of all files takes longer than a build.
const LARGE_PART: usize = 8;

/// So many of the files that may have changed tell whether most have: a new stamp alone is no other state.
const SAMPLE: usize = 64;

/// The state before is taken up again if at most so small a part of what has changed would be left to update.
const LEFT: usize = 4;

/// Whether a plan seems to be about another state of the project.
pub(crate) fn is_likely(project: &Project, known: &Known, plan: &Plan) -> Result<bool> {
    if !is_many(plan.candidates.len() + plan.gone.len(), known.files.len()) {
        return Ok(false);
    }
    let step = plan.candidates.len().div_ceil(SAMPLE).max(1);
    let sample = Plan { candidates: plan.candidates.iter().step_by(step).cloned().collect(), ..Plan::default() };
    let changes = confirm(project, &project.store(Access::Read)?, &sample)?;
    Ok(is_many(changes.files() * step + plan.gone.len(), known.files.len()))
}

fn is_many(changed: usize, files: usize) -> bool {
    changed >= MANY && changed * PART >= files
}

/// Brings the index to another state of the project, if that is where the project is now. The index is another file then.
/// `None` if this is an update like any other.
pub(crate) fn switch(
    project: &Project,
    options: &UpdateOptions,
    progress: &dyn Progress,
) -> Result<Option<UpdateReport>> {
    let lock = FileLock::of_index(project, options.patience)?;
    // Somebody else may have done it while this one waited.
    let store = project.store(Access::Read)?;
    let Some((known, changes)) = differences(project, &store)? else { return Ok(None) };
    if !is_many(changes.files(), known.files.len()) || has_more_than_the_tree(&store, &known)? {
        return Ok(None);
    }
    let (index, before) = (project.index_path(), before(project));
    // Where somebody reads for long, files cannot change places: then it takes longer, and is right all the same.
    let rest = if is_back(project, &store, &changes) && exchange(&index, &before).is_ok() {
        drop(lock);
        update_rest(project, options, progress)?
    } else {
        // Without it the way back only takes longer.
        let _ = start_from(&index, &before);
        if changes.files() * LARGE_PART < known.files.len() {
            return Ok(None);
        }
        anew(project, options, progress)?
    };
    let mut report = UpdateReport { replaced: true, ..rest };
    count(&mut report, changes, &store, &project.store(Access::Read)?)?;
    Ok(Some(report))
}

fn anew(project: &Project, options: &UpdateOptions, progress: &dyn Progress) -> Result<UpdateReport> {
    let how = BuildOptions { threads: None, patience: options.patience };
    let built = build_at(project, &project.index_path(), &how, progress)?;
    Ok(UpdateReport {
        skipped: built.skipped,
        timed_out: built.timed_out,
        dense: built.dense,
        files_with_syntax_problems: built.files_with_syntax_problems,
        relinked: built.files,
        ..UpdateReport::default()
    })
}

fn before(project: &Project) -> PathBuf {
    project.folder().join(BEFORE)
}

/// How the tree differs from an index, by content; `None` if it does not.
fn differences(project: &Project, store: &Store) -> Result<Option<(Known, Changes)>> {
    let Some((known, suspects)) = look(project, store)? else { return Ok(None) };
    let plan = plan(project, &known, &suspects)?;
    let changes = confirm(project, store, &plan)?;
    Ok(Some((known, changes)))
}

/// Whether an index has what cannot be found again in the tree: what a compiler said, and what was taken out by name.
fn has_more_than_the_tree(store: &Store, known: &Known) -> Result<bool> {
    Ok(!store.imported_files()?.is_empty() || !known.removed().is_empty())
}

/// Whether the project is, almost, in the state before. An index that cannot be read is of no use; that is no failure.
fn is_back(project: &Project, store: &Store, changes: &Changes) -> bool {
    let distance = || -> Result<Option<usize>> {
        let before = Store::open(&before(project), Access::Read)?;
        let same_links = before.dependencies()? == store.dependencies()?;
        let Some((known, changes)) = differences(project, &before)? else { return Ok(same_links.then_some(0)) };
        let usable = same_links && !has_more_than_the_tree(&before, &known)?;
        Ok(usable.then(|| changes.files()))
    };
    matches!(distance(), Ok(Some(left)) if left * LEFT <= changes.files())
}

/// The index and that of the state before change places.
fn exchange(index: &Path, before: &Path) -> Result<()> {
    let aside = before.with_extension(format!("new-{}-before", std::process::id()));
    let exchanged = start_from(index, &aside).and_then(|()| start_from(before, index));
    if exchanged.is_ok() && std::fs::rename(&aside, before).is_ok() {
        return Ok(());
    }
    // What stays is whole, and of no use: it is what the index says now.
    let _ = std::fs::remove_file(&aside);
    Ok(exchanged?)
}

/// What a file had is counted as gone, what it has now as new: no more is known of a file that is replaced as a whole.
fn count(report: &mut UpdateReport, changes: Changes, old: &Store, new: &Store) -> Result<()> {
    let sums = |store: &Store, lists: [&[String]; 2]| -> Result<[u64; 3]> {
        let mut sums = [0; 3];
        for path in lists.concat() {
            let file = store.file_by_path(&path)?.unwrap_or_default();
            for (sum, of_file) in sums.iter_mut().zip([file.items, file.lines, file.symbols]) {
                *sum += u64::from(of_file);
            }
        }
        Ok(sums)
    };
    [report.items_removed, report.lines_removed, report.symbols_removed] =
        sums(old, [&changes.changed, &changes.removed])?;
    [report.items_added, report.lines_updated, report.symbols_added] = sums(new, [&changes.changed, &changes.added])?;
    (report.added, report.changed, report.removed) = (changes.added, changes.changed, changes.removed);
    Ok(())
}
