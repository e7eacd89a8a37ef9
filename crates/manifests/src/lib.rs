//! Manifests: text in, [`Manifest`] out. It says which package the folder is, where its modules lie, what it needs and where
//! its programs start. One function per format, and [`lock`] for what lock files add.
//!
//! Pure: it opens nothing. A broken text gives a manifest that says what is wrong with it and nothing else.

#![warn(clippy::disallowed_methods, clippy::disallowed_types)]

mod cargo;
mod cmake;
mod composer;
mod defines;
mod format;
mod gems;
mod go_module;
mod jvm;
mod layout;
mod locks;
mod node;
mod nuget;
mod pypi;

pub use format::{Decides, Format, format, is_decisive, manifest_beside, read};
pub use layout::{Layout, Mapping, PathsNote};
pub use locks::{Lock, Locked, lock};

/// What one manifest says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    /// What names and links depend on.
    pub layout: Layout,
    pub dependencies: Vec<Dependency>,
    pub entries: Vec<Entry>,
    /// What is published under another name than `layout.name`, or has none: Maven's group and name, the name of a gem. Nothing in
    /// an index depends on it.
    pub publishes: Option<String>,
    /// Why the text could not be read; then all else is empty.
    pub problem: Option<String>,
}

/// A package that a manifest asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependency {
    pub name: String,
    /// As written: a version, or what it has to satisfy.
    pub version: Option<String>,
    pub need: Need,
}

/// A package that is made of a folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Published {
    /// Where it is published.
    pub registry: &'static str,
    pub folder: String,
    pub package: String,
}

/// When something is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    Runtime,
    Build,
    Development,
}

/// A file or function that is a start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// A path from the manifest, or what the manifest calls it.
    pub target: String,
    /// The command that starts it, where it has one.
    pub command: Option<String>,
}

/// What a parser of a format gives: the reason is the parser's own.
type Parsed = Result<Manifest, String>;

impl Dependency {
    fn new(name: impl Into<String>, version: Option<&str>, need: Need) -> Dependency {
        Dependency { name: name.into(), version: version.map(str::to_owned), need }
    }
}

impl Entry {
    fn new(target: impl Into<String>, command: Option<&str>) -> Entry {
        Entry { target: target.into(), command: command.map(str::to_owned) }
    }
}

/// The name of a package as registries compare it.
pub fn comparable(package: &str) -> String {
    package.to_ascii_lowercase().replace(['-', '.'], "_")
}

/// The folder of a path; empty for the root.
fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The first text in quotes.
fn quoted(text: &str) -> Option<&str> {
    let start = text.find(['"', '\''])?;
    let mark = text[start..].chars().next()?;
    text[start + 1..].split(mark).next().filter(|inside| !inside.is_empty())
}

fn toml_table(text: &str) -> Result<toml::Table, String> {
    toml::from_str(text).map_err(|error| error.message().to_owned())
}

fn json(text: &str) -> Result<serde_json::Value, String> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

/// Packages and versions under keys of an object. What is in the workspace itself is none that it depends on.
fn json_packages(value: &serde_json::Value, kinds: &[(&str, Need)]) -> Vec<Dependency> {
    let mut found = Vec::new();
    for (key, need) in kinds {
        for (name, version) in value.get(key).and_then(serde_json::Value::as_object).into_iter().flatten() {
            let version = version.as_str();
            if !version.is_some_and(|text| text.starts_with("workspace:") || text.starts_with("link:")) {
                found.push(Dependency::new(name, version, *need));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests;
