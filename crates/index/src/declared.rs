//! What the manifests of a project declare: the packages it needs, and where its programs start.
//!
//! Nothing in the index depends on this, so it is read from the manifests when somebody asks.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use codegraph_manifests::{Decides, Format, Manifest, Need, Published, comparable, format, lock};
use codegraph_store::{Store, Watched};

use crate::project::parent;
use crate::{Error, Project, Result};

/// A package that a manifest asks for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DeclaredDependency {
    pub name: String,
    pub version: Option<String>,
    pub need: Need,
    /// The manifest that asks for it.
    pub manifest: String,
    /// Where it is published.
    pub ecosystem: &'static str,
    /// The version that a lock file has.
    pub locked: Option<String>,
}

/// A file or function that a manifest names as a start.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DeclaredEntry {
    /// A root-relative path, or what the manifest calls it.
    pub target: String,
    /// The command that starts it, where it has one.
    pub command: Option<String>,
    pub manifest: String,
}

/// What all manifests of a project declare.
#[derive(Clone, Debug, Default)]
pub struct Declared {
    /// Names of the packages that the project consists of.
    pub packages: Vec<String>,
    /// By name; packages of the project itself are left out.
    pub dependencies: Vec<DeclaredDependency>,
    pub entries: Vec<DeclaredEntry>,
    /// Packages that folders are published as.
    pub published: Vec<Published>,
    /// Manifests that could not be read, with the reason.
    pub unread: Vec<(String, String)>,
    /// Versions by registry and name, from lock files.
    locked: BTreeMap<(&'static str, String), String>,
}

/// Larger manifests are somebody's data.
const LARGEST: u64 = 4 << 20;

/// A package that a project uses, as registries compare names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NeededPackage {
    /// Where it is published.
    pub ecosystem: &'static str,
    pub package: String,
    pub version: Option<String>,
}

/// The packages that folders of a project are published as.
pub fn published_packages(project: &Project, store: &Store) -> Result<Vec<Published>> {
    Ok(declared(project, store)?.published)
}

/// What a project says that it needs, in the versions that its lock files have, else its manifests.
pub fn needed_packages(project: &Project, store: &Store) -> Result<Vec<NeededPackage>> {
    let mut needs = Vec::new();
    for one in declared(project, store)?.dependencies {
        let version = one.locked.or(one.version);
        // A group and a name: manifests of the package itself may say the name alone.
        let last = one.name.rsplit(':').next().unwrap_or(&one.name);
        for name in [one.name.as_str(), last] {
            let (ecosystem, package) = (one.ecosystem, comparable(name));
            needs.push(NeededPackage { ecosystem, package, version: version.clone() });
        }
    }
    needs.sort_unstable();
    needs.dedup();
    Ok(needs)
}

/// Reads the manifests in the folders that the index knows. One that is broken is named and passed over.
pub fn declared(project: &Project, store: &Store) -> Result<Declared> {
    let mut out = Declared::default();
    let inputs = store.inputs()?;
    let folders = inputs.iter().filter(|input| input.watched == Watched::Folder);
    for folder in folders {
        let mut names = manifests_in(&project.absolute(&folder.path));
        names.sort_unstable();
        for name in names {
            let path = if folder.path.is_empty() { name } else { format!("{}/{name}", folder.path) };
            read(project, &path, &mut out);
        }
    }
    out.finish();
    Ok(out)
}

fn manifests_in(folder: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        // A folder that vanished has no manifests; the freshness check tells about it.
        return Vec::new();
    };
    let files = entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let is_known = |name: &String| of_packages(name).is_some() || lock(name).is_some();
    files.filter_map(|entry| entry.file_name().into_string().ok()).filter(is_known).collect()
}

/// The format of a manifest that says something about packages.
fn of_packages(path: &str) -> Option<&'static Format> {
    format(path).filter(|format| !matches!(format.decides, Decides::Paths | Decides::InheritedPaths))
}

fn read(project: &Project, path: &str, out: &mut Declared) {
    let text = match codegraph_files::read_below(project.root(), path, LARGEST) {
        Ok(text) => text,
        Err(error) => return out.unread.push((path.to_owned(), Error::io(path.as_ref())(error).to_string())),
    };
    if let Some(lock) = lock(path) {
        return match lock.read(&text) {
            Ok(versions) => {
                let versions = versions.into_iter();
                out.locked.extend(versions.map(|(name, version)| ((lock.registry, comparable(&name)), version)));
            }
            Err(reason) => out.unread.push((path.to_owned(), reason)),
        };
    }
    if let Some(format) = of_packages(path) {
        out.add(path, format.registry, format.read(&text));
    }
}

impl Declared {
    fn add(&mut self, manifest: &str, ecosystem: &'static str, found: Manifest) {
        let folder = parent(manifest);
        let named = Some(&found.layout.name).filter(|name| !name.is_empty()).cloned();
        if let Some(package) = found.publishes.clone().or(named).or_else(|| named_by_place(manifest, ecosystem)) {
            self.published.push(Published { registry: ecosystem, folder: folder.to_owned(), package });
        }
        for one in found.dependencies {
            let (name, version, need) = (one.name, one.version, one.need);
            let manifest = manifest.to_owned();
            self.dependencies.push(DeclaredDependency { name, version, need, manifest, ecosystem, locked: None });
        }
        for entry in found.entries {
            let target = codegraph_resolve::joined(folder, &entry.target).unwrap_or(entry.target);
            self.entries.push(DeclaredEntry { target, command: entry.command, manifest: manifest.to_owned() });
        }
        self.unread.extend(found.problem.map(|problem| (manifest.to_owned(), problem)));
        if !found.layout.name.is_empty() && !is_of_tests(manifest) {
            self.packages.push(found.layout.name);
        }
    }

    /// One row per dependency: that of the strongest need, then of the first manifest. Own packages are not foreign.
    fn finish(&mut self) {
        let own: BTreeSet<String> = self.packages.iter().map(|name| comparable(name)).collect();
        self.dependencies.retain(|one| !own.contains(&comparable(&one.name)));
        for one in &mut self.dependencies {
            one.locked = self.locked.get(&(one.ecosystem, comparable(&one.name))).cloned();
        }
        self.dependencies.sort_by(|a, b| (&a.name, a.need, &a.manifest).cmp(&(&b.name, b.need, &b.manifest)));
        self.dependencies.dedup_by(|next, kept| {
            let same = next.name == kept.name;
            if same && kept.version.is_none() {
                kept.version = next.version.take();
            }
            same
        });
        self.packages.sort_unstable();
        self.packages.dedup();
        self.entries.sort_unstable();
        self.entries.dedup();
        self.published.sort_unstable();
        self.published.dedup();
    }
}

/// Whether a manifest stands among tests: what it is called is made up.
fn is_of_tests(manifest: &str) -> bool {
    let is_one = |folder: &str| {
        matches!(folder.to_ascii_lowercase().as_str(), "test" | "tests" | "spec" | "testdata" | "fixtures")
    };
    manifest.rsplit_once('/').is_some_and(|(folders, _)| folders.split('/').any(is_one))
}

/// Where a manifest does not say the name of its package, the place does: the file's own name, or that of its folder.
fn named_by_place(manifest: &str, ecosystem: &str) -> Option<String> {
    let (folder, file) = manifest.rsplit_once('/').unwrap_or(("", manifest));
    let (stem, ending) = file.rsplit_once('.')?;
    let folder = folder.rsplit('/').next().filter(|folder| !folder.is_empty());
    match (ecosystem, ending) {
        ("nuget", "csproj" | "fsproj" | "vbproj") | ("gem", "gemspec") => Some(stem.to_owned()),
        ("maven", "gradle" | "kts") => folder.map(str::to_owned),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use codegraph_manifests::{Dependency, Layout};

    use super::*;

    #[test]
    fn own_packages_are_left_out_and_each_dependency_stands_once() {
        let mut all = Declared { packages: vec!["my_lib".to_owned()], ..Declared::default() };
        let found = |names: &[(&str, Need)]| {
            let one = |(name, need): &(&str, Need)| Dependency { name: (*name).to_owned(), version: None, need: *need };
            Manifest { dependencies: names.iter().map(one).collect(), ..Manifest::default() }
        };
        all.add("b/Cargo.toml", "cargo", found(&[("serde", Need::Development), ("my-lib", Need::Runtime)]));
        all.add("a/Cargo.toml", "cargo", found(&[("serde", Need::Runtime)]));
        // A package that tests make up does not stand for one of its name.
        let made_up =
            Manifest { layout: Layout { name: "serde".to_owned(), ..Layout::default() }, ..Manifest::default() };
        all.add("tests/Fixtures/serde/Cargo.toml", "cargo", made_up);
        all.finish();
        let rows: Vec<_> = all.dependencies.iter().map(|one| (one.name.as_str(), one.need)).collect();
        assert_eq!(rows, [("serde", Need::Runtime)]);
    }
}
