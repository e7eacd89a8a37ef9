//! The part of a manifest that names and links depend on. An index keeps it as JSON, so that a change elsewhere in the manifest
//! costs nothing.

use serde::{Deserialize, Serialize};

/// What an importer writes, and the places that it may mean.
pub type Mapping = (String, Vec<String>);

/// Which package a folder is, and where its modules lie.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Layout {
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The folder of the library's root file, if it is not the usual one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    /// Root files in unusual places: (path from the manifest, module below the package; empty for the package itself).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub roots: Vec<(String, String)>,
    /// Entry points of the package, by what an importer writes; `.` is the package itself.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exports: Vec<Mapping>,
    /// The same for names that only the package itself may use.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub imports: Vec<Mapping>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paths: Option<PathsNote>,
    /// What all files of a build import: path, alias, whether the members of a type are meant.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub usings: Vec<(String, String, bool)>,
    /// Macros that a build defines, and whether their value is not zero; nothing for those that it defines only when asked to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub defines: Vec<(String, Option<bool>)>,
    /// The standard of C++ that a build asks for, as compilers number it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub standard: Option<u32>,
}

/// What a compiler's configuration says about paths, as written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct PathsNote {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub mappings: Vec<Mapping>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub extends: Vec<String>,
}

impl Layout {
    /// A package that has a name and its modules in the usual places.
    pub(crate) fn named(name: impl Into<String>) -> Layout {
        Layout { name: name.into(), ..Layout::default() }
    }

    /// What a build of C and C++ says.
    pub(crate) fn building(mut defines: Vec<(String, Option<bool>)>, standard: Option<u32>) -> Layout {
        defines.sort();
        defines.dedup();
        Layout { defines, standard, ..Layout::default() }
    }

    pub fn to_note(&self) -> String {
        serde_json::to_string(self).expect("a layout is always valid JSON")
    }

    /// What an index kept. A note of another release is like an empty one.
    pub fn from_note(note: &str) -> Layout {
        serde_json::from_str(note).unwrap_or_default()
    }
}
