//! What the manifests of a project declare: the packages it needs, and where its programs start.
//!
//! Nothing in the index depends on this, so it is read from the manifests when somebody asks.

mod formats;
mod lines;
mod locks;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use codegraph_live::Manifest;
use codegraph_store::{InputKind, Store};
use serde::Serialize;

use crate::project::parent;
use crate::{Error, Project, Result};

/// When something is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Need {
    Runtime,
    Build,
    Development,
}

/// A package that a manifest asks for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct DeclaredDependency {
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    pub need: Need,
    /// The manifest that asks for it.
    pub manifest: String,
    /// Where it is published.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub ecosystem: &'static str,
    /// The version that a lock file has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub locked: Option<String>,
}

/// A file or function that a manifest names as a start.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct DeclaredEntry {
    /// A root-relative path, or what the manifest calls it.
    pub target: String,
    /// The command that starts it, where it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    pub manifest: String,
}

/// What all manifests of a project declare.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Declared {
    /// Paths of the manifests.
    pub manifests: Vec<String>,
    /// Names of the packages that the project consists of.
    pub packages: Vec<String>,
    /// By name; packages of the project itself are left out.
    pub dependencies: Vec<DeclaredDependency>,
    pub entries: Vec<DeclaredEntry>,
    /// Manifests that could not be read, with the reason.
    pub unread: Vec<(String, String)>,
    /// Versions by registry and name, from lock files.
    #[serde(skip)]
    locked: BTreeMap<(&'static str, String), String>,
}

/// What one manifest declares.
#[derive(Debug, Default)]
struct Found {
    dependencies: Vec<(String, Option<String>, Need)>,
    /// Targets relative to the manifest, and commands.
    entries: Vec<(String, Option<String>)>,
}

type Parse = fn(&str) -> Result<Found, String>;

/// Names of manifests, or how they end, how each is read, and where what they name is published.
const FORMATS: &[(&str, Parse, &str)] = &[
    ("Cargo.toml", formats::cargo, "cargo"),
    ("package.json", formats::package_json, "npm"),
    ("composer.json", formats::composer, "composer"),
    ("pyproject.toml", formats::pyproject, PYTHON_INDEX),
    ("pom.xml", formats::maven, "maven"),
    (".csproj", formats::msbuild, "nuget"),
    (".fsproj", formats::msbuild, "nuget"),
    (".vbproj", formats::msbuild, "nuget"),
    ("Directory.Packages.props", formats::msbuild, "nuget"),
    ("go.mod", lines::go, "golang"),
    ("build.gradle", lines::gradle, "maven"),
    ("build.gradle.kts", lines::gradle, "maven"),
    ("Gemfile", lines::gems, "gem"),
    (".gemspec", lines::gems, "gem"),
    ("CMakeLists.txt", lines::cmake, ""),
];

const PYTHON_INDEX: &str = "pypi";

/// Larger manifests are somebody's data.
const LARGEST: u64 = 4 << 20;

fn format(name: &str) -> Option<(Parse, &'static str)> {
    let fits = |own: &str| if own.starts_with('.') { name.ends_with(own) } else { name == own };
    let known = FORMATS.iter().find(|(own, ..)| fits(own)).map(|(_, parse, registry)| (*parse, *registry));
    let is_list = name.starts_with("requirements") && name.ends_with(".txt");
    known.or_else(|| is_list.then_some((lines::requirements as Parse, PYTHON_INDEX)))
}

/// Reads the manifests in the folders that the index knows. One that is broken is named and passed over.
pub fn declared(project: &Project, store: &Store) -> Result<Declared> {
    let mut out = Declared::default();
    let inputs = store.inputs()?;
    let folders = inputs.iter().filter(|input| input.kind == InputKind::Directory);
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
    let is_known = |name: &String| format(name).is_some() || locks::lock(name).is_some();
    files.filter_map(|entry| entry.file_name().into_string().ok()).filter(is_known).collect()
}

fn read(project: &Project, path: &str, out: &mut Declared) {
    let name = path.rsplit('/').next().unwrap_or(path);
    let text = match read_text(project, path) {
        Ok(text) => text,
        Err(error) => return out.unread.push((path.to_owned(), error.to_string())),
    };
    if let Some((registry, parse)) = locks::lock(name) {
        let versions = parse(&text).unwrap_or_default();
        return out.locked.extend(versions.into_iter().map(|(name, version)| ((registry, plain(&name)), version)));
    }
    let Some((parse, registry)) = format(name) else { return };
    match parse(&text) {
        Ok(found) => out.add(path, registry, found),
        Err(reason) => out.unread.push((path.to_owned(), reason)),
    }
    let package = Manifest::parse(path, text.as_bytes()).name;
    if !package.is_empty() {
        out.packages.push(package);
    }
    out.manifests.push(path.to_owned());
}

fn read_text(project: &Project, path: &str) -> Result<String> {
    let bytes = codegraph_files::read_below(project.root(), path, LARGEST).map_err(Error::io(path.as_ref()))?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned())
}

impl Declared {
    fn add(&mut self, manifest: &str, ecosystem: &'static str, found: Found) {
        let folder = parent(manifest);
        for (name, version, need) in found.dependencies {
            let manifest = manifest.to_owned();
            self.dependencies.push(DeclaredDependency { name, version, need, manifest, ecosystem, locked: None });
        }
        for (target, command) in found.entries {
            let target = codegraph_resolve::joined(folder, &target).unwrap_or(target);
            self.entries.push(DeclaredEntry { target, command, manifest: manifest.to_owned() });
        }
    }

    /// One row per dependency: that of the strongest need, then of the first manifest. Own packages are not foreign.
    fn finish(&mut self) {
        let own: BTreeSet<String> = self.packages.iter().map(|name| plain(name)).collect();
        self.dependencies.retain(|one| !own.contains(&plain(&one.name)));
        for one in &mut self.dependencies {
            one.locked = self.locked.get(&(one.ecosystem, plain(&one.name))).cloned();
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
    }
}

/// A name as registries compare it.
fn plain(name: &str) -> String {
    name.to_ascii_lowercase().replace(['-', '.'], "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> Vec<String> {
        let (parse, _) = format(path).expect("a manifest");
        let found = parse(text).expect("it parses");
        let row = |(name, version, need): (String, Option<String>, Need)| {
            format!("{name} {} {need:?}", version.unwrap_or_default()).replace("  ", " ")
        };
        found.dependencies.into_iter().map(row).collect()
    }

    #[test]
    fn every_kind_of_manifest_names_what_it_needs() {
        let cargo = "[dependencies]\nserde = \"1\"\nown = { path = \"x\" }\n[dev-dependencies]\nb = { version = \"2\" }\n\
                     [target.'cfg(unix)'.dependencies]\nlibc = \"0.2\"\n";
        assert_eq!(found("Cargo.toml", cargo), ["serde 1 Runtime", "b 2 Development", "libc 0.2 Runtime"]);
        let package = r#"{"dependencies": {"a": "^1", "w": "workspace:*"}, "devDependencies": {"b": "2"}}"#;
        assert_eq!(found("package.json", package), ["a ^1 Runtime", "b 2 Development"]);
        let composer = r#"{"require": {"php": ">=8", "ext-json": "*", "psr/log": "^3"}}"#;
        assert_eq!(found("composer.json", composer), ["psr/log ^3 Runtime"]);
        let pyproject = "[project]\ndependencies = [\"a[x] >=1,<2; os_name == 'nt'\", \"b\"]\n\
                         [dependency-groups]\ndev = [\"c==3\", {include-group = \"x\"}]\n\
                         [tool.poetry.dependencies]\npython = \"^3\"\nd = \"^4\"\n";
        let named = ["a >=1,<2 Runtime", "b Runtime", "c ==3 Development", "d ^4 Runtime"];
        assert_eq!(found("pyproject.toml", pyproject), named);
        let requirements = "# all\n-r base.txt\na==1.0  # why\nb>=2 ; python_version < '4'\ngit+https://x.y/z\n";
        assert_eq!(found("requirements-dev.txt", requirements), ["a ==1.0 Runtime", "b >=2 Runtime"]);
        let go = "module m\n\nrequire one.io/a v1.0.0\nrequire (\n\ttwo.io/b v2.0.0\n\tthree.io/c v3 // indirect\n)\n";
        assert_eq!(found("go.mod", go), ["one.io/a v1.0.0 Runtime", "two.io/b v2.0.0 Runtime"]);
    }

    #[test]
    fn build_scripts_and_documents_name_what_they_need() {
        let pom = "<project xmlns=\"http://maven.apache.org/POM/4.0.0\"><dependencies><dependency><groupId>g</groupId>\
                   <artifactId>a</artifactId><version>1</version><scope>test</scope></dependency></dependencies></project>";
        assert_eq!(found("pom.xml", pom), ["g:a 1 Development"]);
        let gradle = "plugins { id 'java' }\ndependencies {\n  implementation 'g:a:1'\n  api(project(':own'))\n  \
                      testImplementation(\"g:t:2\")\n}\n";
        assert_eq!(found("build.gradle.kts", gradle), ["g:a 1 Runtime", "g:t 2 Development"]);
        let csproj = "<Project><ItemGroup><PackageReference Include=\"P\" Version=\"1\" /><PackageReference Include=\"Q\">\
                      <Version>2</Version><PrivateAssets>all</PrivateAssets></PackageReference>\
                      <ProjectReference Include=\"..\\lib\\My.Lib.csproj\" /></ItemGroup></Project>";
        assert_eq!(found("App.csproj", csproj), ["P 1 Runtime", "Q 2 Build", "My.Lib Runtime"]);
        let gems =
            "source 'x'\ngem 'rack', '~> 3.0'\ngem \"own\", path: \"../own\"\ngroup :test do\n  gem 'rspec'\nend\n";
        assert_eq!(found("Gemfile", gems), ["rack ~> 3.0 Runtime", "rspec Development"]);
        let spec = "Gem::Specification.new do |s|\n  s.add_dependency 'a', '>= 1'\nend\n";
        assert_eq!(found("x.gemspec", spec), ["a >= 1 Runtime"]);
        let cmake = "# find_package(No)\nfind_package(ZLIB 1.2 REQUIRED)\nFetchContent_Declare(\n  googletest\n  URL x)\n\
                     pkg_check_modules(GTK REQUIRED gtk4)\n";
        assert_eq!(found("CMakeLists.txt", cmake), ["ZLIB 1.2 Runtime", "googletest Runtime", "gtk4 Runtime"]);
    }

    #[test]
    fn a_broken_manifest_says_why() {
        let (parse, _) = format("package.json").expect("a manifest");
        assert!(parse("{ nonsense").is_err());
        assert!(format("packages.json").is_none() && format("requirements.md").is_none());
    }

    #[test]
    fn own_packages_are_left_out_and_each_dependency_stands_once() {
        let mut all = Declared { packages: vec!["my_lib".to_owned()], ..Declared::default() };
        let found = |names: &[(&str, Need)]| Found {
            dependencies: names.iter().map(|(name, need)| ((*name).to_owned(), None, *need)).collect(),
            entries: Vec::new(),
        };
        all.add("b/Cargo.toml", "cargo", found(&[("serde", Need::Development), ("my-lib", Need::Runtime)]));
        all.add("a/Cargo.toml", "cargo", found(&[("serde", Need::Runtime)]));
        all.finish();
        let rows: Vec<_> = all.dependencies.iter().map(|one| (one.name.as_str(), one.need)).collect();
        assert_eq!(rows, [("serde", Need::Runtime)]);
    }
}
