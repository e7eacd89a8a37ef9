//! A project opened for questions, its index brought up to date first.

use std::sync::Arc;

use codegraph_index::{Changes, Freshness, Project, Result, Silent, UpdateOptions, check, open_current, refresh};
use codegraph_query::{Reader, Unread};
use codegraph_store::Store;

/// The index of a project, brought up to date if `update` says so and the project allows it.
pub fn open(project: &Project, update: bool) -> Result<Reader> {
    // Opened before and kept during the update: the last connection to close removes files that the next one makes.
    let store = open_current(project, &Silent)?;
    let how = UpdateOptions::default();
    let Freshened { stale, replaced } = freshen(project, &store, update.then_some(&how))?;
    let store = if replaced { open_current(project, &Silent)? } else { store };
    Ok(Reader::new(project.root(), store).with_stale(stale).counting(unread(project)))
}

/// Finds out what was not read, when an answer has to say it.
pub(crate) fn unread(project: &Project) -> Arc<Unread> {
    let project = project.clone();
    Arc::new(move || codegraph_index::unread(&project).unwrap_or_default())
}

/// What came of bringing an index up to date.
#[derive(Default)]
pub(crate) struct Freshened {
    /// Where that was not wanted or not possible, the files that are stale.
    pub(crate) stale: Vec<String>,
    /// The index is another file now.
    pub(crate) replaced: bool,
}

/// Brings the index up to date, if that is wanted and possible.
pub(crate) fn freshen(project: &Project, store: &Store, update: Option<&UpdateOptions>) -> Result<Freshened> {
    if let Some(options) = update.filter(|_| project.config().auto_update) {
        match refresh(project, store, options) {
            Ok(report) => {
                let replaced = report.is_some_and(|report| report.replaced);
                return Ok(Freshened { stale: Vec::new(), replaced });
            }
            Err(error) if answerable(&error) => {}
            Err(error) => return Err(error),
        }
    }
    let stale = match check(project, store)? {
        Freshness::Fresh => Vec::new(),
        Freshness::Changed(changes) => names(changes),
    };
    Ok(Freshened { stale, replaced: false })
}

/// Another writer at work or a folder that may not be written: the index can still be asked.
fn answerable(error: &codegraph_index::Error) -> bool {
    use codegraph_index::Error::{Io, Locked, Store};
    use codegraph_store::Error as Index;
    matches!(error, Locked { .. } | Io { .. } | Store(Index::Locked | Index::Io { .. } | Index::Sqlite(_)))
}

fn names(changes: Changes) -> Vec<String> {
    let mut names: Vec<String> = [changes.added, changes.changed, changes.removed].concat();
    names.sort_unstable();
    names.dedup();
    if names.is_empty() && changes.renamed {
        names.push("(names of packages or modules)".to_owned());
    }
    names
}
