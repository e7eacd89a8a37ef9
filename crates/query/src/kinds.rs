//! What answers say about names beyond the model's own vocabularies. Each has one word; serialising gives it.

use codegraph_model::{BindingKind, RefKind, SymbolKind};
use serde::{Serialize, Serializer};

/// Lets types that have a word be written as it.
macro_rules! written_as_words {
    ($($name:ident)*) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.word())
            }
        }
    )*};
}

written_as_words! { NameKind OutlineKind EntityKind UseKind }

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameKind {
    Symbol(SymbolKind),
    Local,
    Parameter,
    TypeParameter,
    Label,
    /// Something that is imported from outside the project.
    Import,
    /// A word of the language.
    Builtin,
}

impl NameKind {
    pub const fn word(self) -> &'static str {
        match self {
            NameKind::Symbol(kind) => kind.word(),
            NameKind::Local => "local",
            NameKind::Parameter => "parameter",
            NameKind::TypeParameter => "type parameter",
            NameKind::Label => "label",
            NameKind::Import => "import",
            NameKind::Builtin => "builtin",
        }
    }
}

impl From<BindingKind> for NameKind {
    fn from(kind: BindingKind) -> NameKind {
        match kind {
            BindingKind::Param => NameKind::Parameter,
            BindingKind::TypeParam => NameKind::TypeParameter,
            BindingKind::Label => NameKind::Label,
            BindingKind::Local | BindingKind::Global | BindingKind::Nonlocal | BindingKind::Again => NameKind::Local,
        }
    }
}

/// A symbol's kind as outlines show it: types by what they are to their users.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutlineKind(pub SymbolKind);

impl OutlineKind {
    pub fn word(self) -> &'static str {
        self.0.type_kind().unwrap_or(self.0.word())
    }
}

/// What an end of a dependency is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntityKind {
    /// A class, a method, a function; something else by its normalized kind.
    Symbol(SymbolKind),
    /// Code outside of all functions.
    Module,
    /// Not in the project.
    External,
}

impl EntityKind {
    pub fn word(self) -> &'static str {
        match self {
            EntityKind::Symbol(kind) => kind.entity().unwrap_or(kind.normalized()),
            EntityKind::Module => "module",
            EntityKind::External => "external",
        }
    }
}

/// What one entity does to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum UseKind {
    Attribute,
    Call,
    Import,
    Inherit,
    Instantiation,
}

impl UseKind {
    pub const fn word(self) -> &'static str {
        match self {
            UseKind::Attribute => "attribute",
            UseKind::Call => "call",
            UseKind::Import => "import",
            UseKind::Inherit => "inherit",
            UseKind::Instantiation => "instantiation",
        }
    }
}

impl From<RefKind> for UseKind {
    fn from(kind: RefKind) -> UseKind {
        match kind {
            RefKind::Call | RefKind::Macro | RefKind::Decorator => UseKind::Call,
            RefKind::Instantiation => UseKind::Instantiation,
            RefKind::Inherit | RefKind::Implements => UseKind::Inherit,
            RefKind::Attribute | RefKind::Read | RefKind::Write | RefKind::TypeRef => UseKind::Attribute,
            RefKind::Import => UseKind::Import,
        }
    }
}

/// Writes a kind by the word of canonical names.
pub(crate) fn displayed<S: Serializer>(kind: &SymbolKind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.display())
}

pub(crate) fn displayed_if_any<S: Serializer>(kind: &Option<SymbolKind>, serializer: S) -> Result<S::Ok, S::Error> {
    kind.map(SymbolKind::display).serialize(serializer)
}

/// Writes a kind by the word that it shares with those like it.
pub(crate) fn normalized<S: Serializer>(kind: &SymbolKind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.normalized())
}
