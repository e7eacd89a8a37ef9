//! The linker on an index: what it asks about the project is read from the store, when it is asked for. Those who write
//! use it to link again, those who answer use it for what is not stored: local names, and what could be written at a
//! place.

mod live;
mod local;
mod origins;
mod workspace;

use codegraph_languages::Language;
use codegraph_model::FileId;
use codegraph_resolve::{Linker, Program, Unit};
use codegraph_store::Stored;

pub use codegraph_manifests::{Published, comparable};
pub use live::Live;
pub use local::Locals;
pub use origins::{ATTRIBUTES, Origins};
pub use workspace::{layouts, workspace};

/// A file as the linker sees it.
pub fn unit(program: &dyn Program, file: FileId, language: &'static Language, stored: Stored) -> Unit {
    let names = stored.names.iter().map(|name| name.0).collect();
    Unit::new(file.0, language, stored.facts, names, |text| program.term(text))
}

/// Runs something that links on a stack that is large enough for it: chains of inferences can be deep.
pub fn on_deep_stack<T>(work: impl FnOnce() -> T) -> T {
    stacker::grow(Linker::STACK, work)
}

/// The folder of a path; empty for the root.
fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}
