//! The linker: from the facts of all files to what each reference means, how that was found and how sure it is.
//!
//! Pure and demand-driven: names are looked up in scopes, imports are followed, types are inferred only when a member
//! needs them. Names no language: each brings a small policy. The same facts give the same links in any order.

#![warn(clippy::disallowed_methods, clippy::disallowed_types)]

mod abroad;
mod beyond;
mod blanket;
mod calls;
mod conditional;
mod container;
mod convert;
mod entry;
mod everywhere;
mod expected;
mod exports;
mod extension;
mod external;
mod full_names;
mod generics;
mod headers;
mod hierarchy;
mod homes;
mod import;
mod include;
mod infer;
mod interface;
mod kinds;
mod known;
mod lookup;
mod made;
mod member;
mod memo;
mod module;
mod namespace;
mod offers;
mod open;
mod open_method;
mod opened;
mod outline;
mod overload;
mod partial;
mod pattern;
mod prototype;
mod spaces;
mod standing;
mod stars;
mod stranger;
mod translation;
mod types;
mod typing;
mod unit;
mod words;
mod workspace;
mod yielded;

use std::ops::Deref;
use std::sync::Arc;

use codegraph_languages::Language;
use codegraph_model::{Certainty, How, RefId, SymbolId};

pub use abroad::UsedAbroad;
pub use external::External;
pub use import::joined;
pub use interface::{Changed, Interface, Reached, UNNAMED, words};
pub use lookup::Linker;
pub use offers::{Offer, Offers, Origin, Thing};
pub use stranger::{Asked, Chance};
pub use unit::{Decl, Unit};
pub use workspace::{Mapping, Package, PathRules, Using, Workspace};

/// Changes when the same facts would be linked differently.
pub const VERSION: u32 = 11;

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

/// Files: a list that is there anyway, or one that others share.
#[derive(Clone, Debug)]
pub enum Files<'p> {
    There(&'p [FileId]),
    Shared(Arc<[FileId]>),
}

impl Deref for Files<'_> {
    type Target = [FileId];

    fn deref(&self) -> &[FileId] {
        match self {
            Files::There(files) => files,
            Files::Shared(files) => files,
        }
    }
}

/// What the linker asks about the project. Answers are shared, not copied: they may come from a store.
pub trait Program {
    fn unit(&self, file: FileId) -> Arc<Unit>;
    fn language(&self, file: FileId) -> &'static Language;
    fn text(&self, term: TermId) -> Arc<str>;
    fn term(&self, text: &str) -> Option<TermId>;
    /// Files in which a symbol of this name is defined, in the order of their paths.
    fn defining(&self, name: TermId) -> Files<'_>;
    /// Files that declare a name at their top level in any way, as a symbol or not; more are allowed. Asked of files that
    /// are included or imported as a whole only.
    fn declaring(&self, name: TermId) -> Files<'_>;
    /// Files with an impl block, an extension or a qualified definition about a type of this name, in the order of
    /// their paths; more are allowed.
    fn extending(&self, name: TermId) -> Files<'_>;
    /// Files in which a type has a base or interface of this name, in the order of their paths; more are allowed.
    fn inheriting(&self, name: TermId) -> Files<'_>;
    fn path(&self, file: FileId) -> Arc<str>;
    fn file_at(&self, path: &str) -> Option<FileId>;
    /// Files with this name in any folder, in the order of their paths.
    fn files_named(&self, name: &str) -> Files<'_>;
    /// The module prefix of a file's names.
    fn module(&self, file: FileId) -> Arc<str>;
    /// The package that a file belongs to (crate, npm package, ...).
    fn package(&self, file: FileId) -> Arc<str>;
    /// Files whose module is exactly this, in the order of their paths.
    fn files_of_module(&self, module: &str) -> Arc<[FileId]>;
    /// Whether some file's module starts with this and the separator.
    fn is_module_prefix(&self, module: &str) -> bool;
    /// Root folder of the package with this name, if the project has it.
    fn package_root(&self, name: &str) -> Option<Arc<str>>;
    /// What manifests say about the places of modules.
    fn workspace(&self) -> &Workspace;
    /// Whether two files have the same module.
    fn same_module(&self, a: FileId, b: FileId) -> bool {
        if a == b {
            return true;
        }
        let (a, b) = (self.module(a), self.module(b));
        Arc::ptr_eq(&a, &b) || a == b
    }
}

/// What a reference means.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Target {
    Symbol(Sym),
    /// A local name of the same file: position in its bindings.
    Local(u32),
    /// A parameter of a function of another file, named in a call: position in that file's bindings.
    Parameter(FileId, u32),
    /// A module: the file that it is, or a package without a file of its own.
    Module(FileId),
    Package(Arc<str>),
    /// Something outside the project.
    External(External),
}

/// One resolved reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    pub reference: RefId,
    pub target: Target,
    /// Exact: scopes, imports and declared types prove it. Inferred: a local type inference was needed.
    pub certainty: Certainty,
    pub how: How,
}
