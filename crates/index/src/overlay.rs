//! The index with files as they are being written: an update in a transaction that is never committed. What it says is
//! what the index will say when the files are saved; nobody else sees it, and closing the connection undoes it.

use codegraph_model::Overlay;
use codegraph_store::{Access, Store};

use crate::apply::Work;
use crate::freshness::Known;
use crate::plan::{Candidate, Plan};
use crate::update::UpdateReport;
use crate::{Project, Result};

/// What the index said of the tree before anything was put over it.
pub struct Base(Known);

/// A connection that sees the overlay, for one question: nobody else can write while it is open.
pub fn overlaid(project: &Project, overlay: &Overlay) -> Result<(Store, Base)> {
    let store = project.store(Access::Write)?;
    let base = Base(Known::load(&store)?);
    Ok((put(project, store, &base, overlay.paths(), overlay)?, base))
}

/// The same connection with another overlay: what differs between the two is read again, and nothing else.
pub fn overlaid_again(project: &Project, store: Store, base: &Base, old: &Overlay, new: &Overlay) -> Result<Store> {
    let gone = old.paths().filter(|path| new.get(path).is_none());
    let changed = new.paths().filter(|path| old.get(path) != new.get(path));
    put(project, store, base, changed.chain(gone), new)
}

fn put<'p>(
    project: &Project,
    mut store: Store,
    base: &Base,
    paths: impl Iterator<Item = &'p str>,
    overlay: &Overlay,
) -> Result<Store> {
    let candidates = paths.map(|path| Candidate { path: path.to_owned(), lines: None }).collect();
    let plan = Plan { candidates, ..Plan::default() };
    let mut report = UpdateReport::default();
    Work::new(project, &base.0, &mut store, &mut report)?.preview(&plan, overlay)?;
    Ok(store)
}

/// Whether a file with this path may be indexed at all.
pub fn is_source(path: &str) -> bool {
    codegraph_languages::for_path(path).next().is_some() || codegraph_languages::is_told_by_text(path)
}
