//! The linker: from the facts of all files to what each reference means, how that was found and how sure it is.
//!
//! Pure and demand-driven: names are looked up in scopes, imports are followed, types are inferred only when a member
//! needs them. Names no language: each brings a small policy. The same facts give the same links in any order.

#![warn(clippy::disallowed_methods, clippy::disallowed_types)]

mod import;
mod lookup;
mod member;
mod module;
mod types;
mod unit;

use std::sync::Arc;

use codegraph_model::{RefId, SymbolId};

pub use lookup::Linker;
pub use unit::{Decl, Unit};

/// A file's number in the project.
pub type FileId = u32;
/// A name's number in the project.
pub type TermId = u32;

/// A symbol anywhere in the project.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Sym {
    pub file: FileId,
    pub symbol: SymbolId,
}

/// What the linker asks about the project.
pub trait Program: Sync {
    fn unit(&self, file: FileId) -> Arc<Unit>;
    fn text(&self, term: TermId) -> String;
    fn term(&self, text: &str) -> Option<TermId>;
    /// Files in which a symbol of this name is defined, in ascending order.
    fn defining(&self, name: TermId) -> Vec<FileId>;
    fn path(&self, file: FileId) -> String;
    fn file_at(&self, path: &str) -> Option<FileId>;
    /// The module prefix of a file's names.
    fn module(&self, file: FileId) -> String;
    /// The package that a file belongs to (crate, npm package, ...).
    fn package(&self, file: FileId) -> String;
    /// Files whose module is exactly this, in ascending order.
    fn files_of_module(&self, module: &str) -> Vec<FileId>;
    /// Whether some file's module starts with this and the separator.
    fn is_module_prefix(&self, module: &str) -> bool;
    /// Root folder of the package with this name, if the project has it.
    fn package_root(&self, name: &str) -> Option<String>;
}

/// What a reference means.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Target {
    Symbol(Sym),
    /// A local name of the same file: position in its bindings.
    Local(u32),
    /// A module: the file that it is, or a package without a file of its own.
    Module(FileId),
    Package(String),
    /// Something outside the project.
    External(String),
}

/// How sure a link is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Certainty {
    /// Scope, import or declared type proves it.
    Exact,
    /// A local type inference proves it.
    Inferred,
}

/// One resolved reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    pub reference: RefId,
    pub target: Target,
    pub certainty: Certainty,
}
