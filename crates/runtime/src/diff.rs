//! What differs between two states of a project: each side is opened, asked and closed again, because only one of them can
//! be an index that stands for a commit.

use codegraph_index::{Project, Revisions, at_commit, changed_paths};
use codegraph_query::{Comparison, Diff, DiffAnswer, Reader, side};

/// Compares a commit with another one or with the working tree, which is what `reader` reads.
pub fn diff(
    project: &Project,
    reader: &Reader,
    revisions: Option<&str>,
    question: &Diff,
) -> anyhow::Result<DiffAnswer> {
    let revisions = Revisions::parse(project, revisions)?;
    let paths = changed_paths(project, &revisions)?;
    let before = Some(revisions.from.as_str());
    let old = at(project, reader, before, |reader| side(reader, &paths))?;
    let mut compared = at(project, reader, revisions.to.as_deref(), |reader| {
        let mut compared = Comparison::of(old, side(reader, &paths)?);
        compared.reach_new(reader, question)?;
        Ok(compared)
    })?;
    if compared.has_removed() {
        at(project, reader, before, |reader| compared.reach_old(reader, question))?;
    }
    Ok(DiffAnswer { from: revisions.from, to: revisions.to, ..compared.answer(paths, question) })
}

/// Asks the project as it is at a commit, or as it is.
fn at<T>(
    project: &Project,
    reader: &Reader,
    commit: Option<&str>,
    question: impl FnOnce(&Reader) -> codegraph_query::Result<T>,
) -> anyhow::Result<T> {
    match commit {
        Some(commit) => {
            let past = at_commit(project, commit)?;
            Ok(question(&reader.beside(past.store, past.overlay))?)
        }
        None => Ok(question(reader)?),
    }
}
