//! What a picture shows: files, folders or symbols, around which of them, and how far.

use codegraph_query::Selector;

/// What the nodes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    Symbol,
    File,
    Folder,
}

/// The part that is drawn.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// What the nodes are; what fits the format and the centre, if it is not said.
    pub level: Option<Level>,
    /// A file, a folder or a symbol that the picture is about; everything if there is none.
    pub around: Option<Selector>,
    /// Steps away from it. Without it, levels of folders.
    pub depth: Option<u32>,
}
