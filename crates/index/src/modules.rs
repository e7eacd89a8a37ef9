//! The first part of a file's names: its package and its module, from its place in the tree and the manifests.
//!
//! Files are asked for in path order. Where a scheme would give two files the same module, the first keeps it and the
//! others get a longer one; schemes in which files share a module by nature are left alone.

use std::mem::{Discriminant, discriminant};
use std::sync::Arc;

use codegraph_languages::Language;
use codegraph_languages::table::ModuleScheme;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::project::parent;
use codegraph_manifests::Layout;

/// The first parts of a file's names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Prefix {
    pub(crate) package: String,
    pub(crate) module: String,
}

/// What decides a module besides the path.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Declaration<'a> {
    /// The file was just read and declares this package.
    Now(Option<&'a str>),
    /// The file was read earlier and had this module then.
    Before(&'a str),
}

/// Gives modules to the files of a project.
pub(crate) struct Namer<'a> {
    project: &'a str,
    /// What the manifests say that name a package, by their paths.
    layouts: FxHashMap<String, Arc<Layout>>,
    /// Whether a path is an indexed file.
    exists: Box<dyn Fn(&str) -> bool + 'a>,
    /// Languages with different schemes cannot meet in an import, so they may use the same words.
    taken: FxHashSet<(Discriminant<ModuleScheme>, String)>,
}

impl<'a> Namer<'a> {
    /// `layouts` are paths of manifests and what each says.
    pub(crate) fn new(
        project: &'a str,
        layouts: impl IntoIterator<Item = (String, Layout)>,
        exists: impl Fn(&str) -> bool + 'a,
    ) -> Namer<'a> {
        let named = layouts.into_iter().filter(|(_, layout)| !layout.name.is_empty());
        let layouts = named.map(|(path, layout)| (path, Arc::new(layout))).collect();
        Namer { project, layouts, exists: Box::new(exists), taken: FxHashSet::default() }
    }

    /// The prefix of the next file in path order; `None` if it has to be read to know.
    pub(crate) fn prefix(&mut self, path: &str, language: &Language, declared: Declaration<'_>) -> Option<Prefix> {
        let home = self.home(path, language);
        let package = home.name.clone();
        let module = match (language.modules, declared) {
            (ModuleScheme::Declared, Declaration::Now(name)) => name.unwrap_or_default().to_owned(),
            (ModuleScheme::Declared, Declaration::Before(module)) => module.to_owned(),
            (ModuleScheme::GoModule, declared) => shared_folder(&home, path, declared)?,
            (ModuleScheme::FilePath, _) => path.to_owned(),
            _ => self.own_module(&home, path, language),
        };
        Some(Prefix { package, module })
    }

    /// The first candidate that no file has taken; the last one is the path in all its detail.
    fn own_module(&mut self, home: &Home, path: &str, language: &Language) -> String {
        let (scheme, separator) = (language.modules, language.separator);
        for attempt in 0..3 {
            let module = match scheme {
                ModuleScheme::Crate => crate_module(home, path, separator, attempt),
                ModuleScheme::DottedPath { package_file, roots } => {
                    let dropped = self.dropped_root(path, language.manifest, package_file, roots);
                    dotted_module(path, dropped, package_file, separator, attempt)
                }
                _ => slash_module(path, attempt),
            };
            if self.taken.insert((discriminant(&scheme), module.clone())) {
                return module;
            }
        }
        path.to_owned()
    }

    /// Where the nearest manifest of the language is; the project itself if there is none.
    fn home(&self, path: &str, language: &Language) -> Home {
        let mut folder = parent(path);
        while !language.manifest.is_empty() {
            if let Some(layout) = self.layouts.get(&join(folder, language.manifest)) {
                let (folder, name) = (folder.to_owned(), layout.name.clone());
                return Home { folder, name, layout: Some(Arc::clone(layout)) };
            }
            if folder.is_empty() {
                break;
            }
            folder = parent(folder);
        }
        let name = match language.modules {
            ModuleScheme::Crate => identifier(self.project),
            _ => self.project.to_owned(),
        };
        Home { folder: String::new(), name, layout: None }
    }

    /// How many leading folders are a source root: `src` at the top or beside a manifest, unless it is a package.
    fn dropped_root(&self, path: &str, manifest: &str, package_file: &str, roots: &[&str]) -> usize {
        let parts: Vec<&str> = path.split('/').collect();
        let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
        let mut folder = String::new();
        for (depth, part) in parts.iter().take(parts.len() - 1).enumerate() {
            let beside_manifest = depth == 0 || self.layouts.contains_key(&join(&folder, manifest));
            folder = join(&folder, part);
            let is_package = || (self.exists)(&format!("{folder}/{package_file}.{extension}"));
            if roots.contains(part) && beside_manifest && !is_package() {
                return depth + 1;
            }
        }
        0
    }
}

/// Where the package of a file is rooted.
struct Home {
    folder: String,
    name: String,
    layout: Option<Arc<Layout>>,
}

impl Home {
    fn inside<'p>(&self, path: &'p str) -> &'p str {
        if self.folder.is_empty() { path } else { &path[self.folder.len() + 1..] }
    }
}

/// All files of a folder are one module; tests that declare another package (`x_test`) are outside of it.
fn shared_folder(home: &Home, path: &str, declared: Declaration<'_>) -> Option<String> {
    let inside = parent(home.inside(path));
    let module = if inside.is_empty() { home.name.clone() } else { format!("{}/{inside}", home.name) };
    if !stem(path).ends_with("_test") {
        return Some(module);
    }
    let outside = format!("{module}_test");
    match declared {
        Declaration::Now(name) if name.is_some_and(|name| name.ends_with("_test")) => Some(outside),
        Declaration::Now(_) => Some(module),
        Declaration::Before(old) if old == module || old == outside => Some(old.to_owned()),
        Declaration::Before(_) => None,
    }
}

fn crate_module(home: &Home, path: &str, separator: &str, attempt: usize) -> String {
    let inside = home.inside(path);
    let roots = home.layout.as_deref().map_or(&[][..], |layout| &layout.roots);
    let root = roots.iter().find(|(root, _)| root == inside);
    let mut parts: Vec<&str> = match root {
        Some((_, module)) => module.split('/').filter(|part| !part.is_empty()).collect(),
        None => stem(inside).split('/').collect(),
    };
    if root.is_none() && attempt == 0 {
        shorten_crate_path(&mut parts, home.layout.as_deref().and_then(|layout| layout.source.as_deref()));
    } else if attempt == 1 && parts.first() == Some(&"src") {
        parts.remove(0);
    }
    parts.insert(0, &home.name);
    parts.join(separator)
}

fn shorten_crate_path(parts: &mut Vec<&str>, source: Option<&str>) {
    if *parts == ["build"] {
        // The compiler's own name for it; `build` is free for a module.
        parts[0] = "build_script_build";
        return;
    }
    let source: Vec<&str> = source.unwrap_or("src").split('/').filter(|part| !part.is_empty()).collect();
    if parts.len() > source.len() && parts.starts_with(&source) {
        parts.drain(..source.len());
    }
    let of_target = parts.len() == 3 && ["bin", "tests", "examples", "benches"].contains(&parts[0]);
    let is_root = match parts.last() {
        Some(&"mod") => parts.len() > 1,
        Some(&"main") => parts.len() == 1 || of_target,
        Some(&"lib") => parts.len() == 1,
        _ => false,
    };
    if is_root {
        parts.pop();
    }
}

fn dotted_module(path: &str, dropped: usize, package_file: &str, separator: &str, attempt: usize) -> String {
    let full = if attempt == 2 { path } else { stem(path) };
    let mut parts: Vec<&str> = full.split('/').collect();
    if attempt == 0 {
        parts.drain(..dropped);
    }
    if attempt < 2 && parts.len() > 1 && parts.last() == Some(&package_file) {
        parts.pop();
    }
    parts.join(separator)
}

fn slash_module(path: &str, attempt: usize) -> String {
    match attempt {
        0 => stem(path).strip_suffix("/index").unwrap_or(stem(path)).to_owned(),
        1 => stem(path).to_owned(),
        _ => path.to_owned(),
    }
}

/// A path without the extension of its file.
fn stem(path: &str) -> &str {
    match path.rfind('.') {
        Some(dot) if dot > path.rfind('/').map_or(0, |slash| slash + 1) => &path[..dot],
        _ => path,
    }
}

fn join(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") }
}

fn identifier(name: &str) -> String {
    name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn language(modules: ModuleScheme, separator: &'static str, manifest: &'static str) -> Language {
        Language { modules, separator, manifest, ..Language::DEFAULT }
    }

    fn modules(language: &Language, manifests: &[(&str, &str)], paths: &[&str]) -> Vec<String> {
        let read = |path: &str, text: &str| codegraph_manifests::read(path, text.as_bytes()).layout;
        let layouts = manifests.iter().map(|(path, text)| (path.to_string(), read(path, text)));
        let exists = |path: &str| paths.contains(&path);
        let mut namer = Namer::new("my-project", layouts, exists);
        let mut prefix = |path: &&str| namer.prefix(path, language, Declaration::Now(None)).expect("just read").module;
        paths.iter().map(&mut prefix).collect()
    }

    const DOTTED: ModuleScheme = ModuleScheme::DottedPath { package_file: "__init__", roots: &["src", "lib"] };

    #[test]
    fn crate_modules_follow_the_files() {
        let cargo =
            [("Cargo.toml", "[package]\nname = \"my-crate\"\n"), ("sub/Cargo.toml", "[package]\nname = \"sub\"\n")];
        let paths = [
            "build.rs", "examples/demo.rs", "src/a/b.rs", "src/a/mod.rs", "src/bin/tool.rs", "src/bin/x/main.rs",
            "src/build.rs", "src/lib.rs", "src/main.rs", "sub/src/lib.rs", "tests/it.rs",
        ];
        let expected = [
            "my_crate::build_script_build", "my_crate::examples::demo", "my_crate::a::b", "my_crate::a",
            "my_crate::bin::tool", "my_crate::bin::x", "my_crate::build", "my_crate", "my_crate::main", "sub",
            "my_crate::tests::it",
        ];
        assert_eq!(modules(&language(ModuleScheme::Crate, "::", "Cargo.toml"), &cargo, &paths), expected);
    }

    #[test]
    fn without_a_manifest_the_project_is_the_crate() {
        let found = modules(&language(ModuleScheme::Crate, "::", "Cargo.toml"), &[], &["main.rs", "math.rs"]);
        assert_eq!(found, ["my_project", "my_project::math"]);
    }

    #[test]
    fn targets_in_unusual_places_keep_their_names() {
        let text = "[package]\nname = \"x\"\n[lib]\npath = \"lib/x.rs\"\n[[bin]]\nname = \"t\"\npath = \"tool/t.rs\"\n";
        let found = modules(
            &language(ModuleScheme::Crate, "::", "Cargo.toml"),
            &[("Cargo.toml", text)],
            &["lib/a.rs", "lib/x.rs", "tool/t.rs"],
        );
        assert_eq!(found, ["x::a", "x", "x::bin::t"]);
    }

    #[test]
    fn dotted_modules_leave_out_roots_and_package_files() {
        let paths = ["app.py", "pkg/__init__.py", "pkg/a.py", "pkg/a.pyi", "src/app.py", "src/tool/run.py"];
        let expected = ["app", "pkg", "pkg.a", "pkg.a.pyi", "src.app", "tool.run"];
        assert_eq!(modules(&language(DOTTED, ".", "pyproject.toml"), &[], &paths), expected);
        let package = ["src/__init__.py", "src/a.py"];
        assert_eq!(modules(&language(DOTTED, ".", "pyproject.toml"), &[], &package), ["src", "src.a"]);
    }

    #[test]
    fn a_source_root_beside_a_nested_manifest_is_left_out() {
        let manifest = [("packages/one/pyproject.toml", "[project]\nname = \"one\"\n")];
        let paths = ["packages/one/src/one/a.py", "packages/one/tests/test_a.py"];
        assert_eq!(
            modules(&language(DOTTED, ".", "pyproject.toml"), &manifest, &paths),
            ["one.a", "packages.one.tests.test_a"]
        );
    }

    #[test]
    fn slash_modules_leave_out_index_unless_it_is_taken() {
        let paths = ["index.js", "lib/foo.ts", "lib/foo/index.ts", "lib/foo/index.tsx", "ui/index.ts"];
        let expected = ["index", "lib/foo", "lib/foo/index", "lib/foo/index.tsx", "ui"];
        assert_eq!(modules(&language(ModuleScheme::SlashPath, ".", "package.json"), &[], &paths), expected);
    }

    #[test]
    fn folders_share_a_module_but_outer_tests_are_apart() {
        let exists = |_: &str| false;
        let layout = Layout { name: "example.com/m".to_owned(), ..Layout::default() };
        let mut namer = Namer::new("p", [("go.mod".to_owned(), layout)], exists);
        let go = language(ModuleScheme::GoModule, ".", "go.mod");
        let mut module = |path, declared| namer.prefix(path, &go, declared).map(|prefix| prefix.module);
        assert_eq!(module("a/x.go", Declaration::Now(Some("a"))).as_deref(), Some("example.com/m/a"));
        assert_eq!(module("a/x_test.go", Declaration::Now(Some("a_test"))).as_deref(), Some("example.com/m/a_test"));
        assert_eq!(module("a/x_test.go", Declaration::Before("example.com/m/a")).as_deref(), Some("example.com/m/a"));
        assert_eq!(module("a/x_test.go", Declaration::Before("old/a")), None);
        assert_eq!(module("main.go", Declaration::Now(None)).as_deref(), Some("example.com/m"));
    }
}
