//! Where names of packages and mapped paths lead, as the manifests of a project say.
//!
//! A specifier such as `@scope/name/part` or `~/part` gives paths to look at, the likeliest first. Whether something is
//! there is for the linker to find out: entry points often name what a build will make, so the sources they are made
//! from are named too.

use std::collections::BTreeMap;

/// A rule that maps a specifier, with at most one `*`, to places; the `*` stands for the same text in both.
pub type Mapping = (String, Vec<String>);

/// What the manifests of a project say about the places of modules. Paths are root-relative.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Workspace {
    /// Packages by name.
    pub packages: BTreeMap<String, Package>,
    /// Entry points of folders with a manifest, by the folder.
    pub entries: BTreeMap<String, Vec<String>>,
    /// Path rules by the folder that they hold for.
    pub paths: BTreeMap<String, PathRules>,
    /// What the files of a folder and those below it import without a word, by the folder that they are built from.
    pub builds: BTreeMap<String, Vec<Using>>,
    /// Macros that builds define for the files of a folder and those below it, by the folder: whether their value is not zero,
    /// or nothing for those that stay undefined.
    pub defines: BTreeMap<String, BTreeMap<String, Option<bool>>>,
    /// The standards of C++ that builds ask for, for the files of a folder and those below it, by the folder.
    pub standards: BTreeMap<String, u32>,
}

/// An import that a manifest gives to all files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Using {
    /// A namespace or a type, by its full name.
    pub path: String,
    /// The name that it has in the files; empty if they take what is in it.
    pub alias: String,
    /// It is a type, and its members are taken.
    pub members: bool,
}

/// A package of the project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Package {
    pub folder: String,
    /// What importers of the package can reach: `.` and `./part`.
    pub exports: Vec<Mapping>,
    /// Names that begin with `#`, for the package's own files.
    pub imports: Vec<Mapping>,
}

/// How the files of a folder write paths that are not relative.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PathRules {
    /// The folder in which every path is looked up.
    pub base: Option<String>,
    pub mappings: Vec<Mapping>,
}

/// Folders that hold sources.
const SOURCES: &[&str] = &["src", "source", "lib"];

impl Workspace {
    /// Paths that a specifier in a file of `folder` may lead to, the likeliest first. Without an extension, or with one
    /// that a build gives.
    pub fn places(&self, folder: &str, source: &str) -> Vec<String> {
        let mut found = Vec::new();
        if source.starts_with('#')
            && let Some(package) = self.package_around(folder)
        {
            package.mapped(&package.imports, source, &mut found);
        }
        for folder in upwards(folder) {
            if let Some(rules) = self.paths.get(folder) {
                rules.places(source, &mut found);
            }
        }
        let (name, part) = split(source);
        if let Some(package) = self.packages.get(name) {
            package.places(part, &mut found);
        }
        found
    }

    /// What a build defines a macro as, for the files of a folder.
    pub fn defined(&self, folder: &str, name: &str) -> Option<Option<bool>> {
        upwards(folder).find_map(|folder| self.defines.get(folder)?.get(name).copied())
    }

    /// The standard of C++ that the build of the files of a folder asks for.
    pub fn standard(&self, folder: &str) -> Option<u32> {
        upwards(folder).find_map(|folder| self.standards.get(folder).copied())
    }

    /// The folder of the build that the files of a folder belong to.
    pub fn build_around(&self, folder: &str) -> Option<&str> {
        if self.builds.is_empty() {
            return None;
        }
        let known = |folder| self.builds.get_key_value(folder).map(|(home, _)| home.as_str());
        upwards(folder).find_map(known)
    }

    fn package_around(&self, folder: &str) -> Option<&Package> {
        upwards(folder).find_map(|folder| self.packages.values().find(|p| p.folder == folder))
    }
}

impl PathRules {
    fn places(&self, source: &str, found: &mut Vec<String>) {
        found.extend(best_match(&self.mappings, source));
        if let Some(base) = &self.base {
            found.push(join(base, source));
        }
    }
}

impl Package {
    /// Places of `part` of the package; an empty one is the package itself.
    fn places(&self, part: &str, found: &mut Vec<String>) {
        let key = if part.is_empty() { ".".to_owned() } else { format!("./{part}") };
        self.mapped(&self.exports, &key, found);
        let part = if part.is_empty() { "index" } else { part };
        found.push(join(&self.folder, part));
        found.extend(SOURCES.iter().map(|sources| join(&self.folder, &format!("{sources}/{part}"))));
    }

    fn mapped(&self, mappings: &[Mapping], key: &str, found: &mut Vec<String>) {
        let places = best_match(mappings, key);
        found.extend(places.iter().map(|place| join(&self.folder, place)));
        for place in places {
            self.made_from(place.trim_start_matches("./"), found);
        }
    }

    /// The sources of what a build makes: the same path below a folder of sources instead of one for products.
    fn made_from(&self, place: &str, found: &mut Vec<String>) {
        let mut rest = place;
        while let Some((_, below)) = rest.split_once('/') {
            rest = below;
            found.extend(SOURCES[..2].iter().map(|sources| join(&self.folder, &format!("{sources}/{rest}"))));
        }
        found.push(join(&self.folder, &format!("{}/{rest}", SOURCES[0])));
    }
}

/// The places of the most specific rule for a specifier.
fn best_match(mappings: &[Mapping], source: &str) -> Vec<String> {
    let fitting = mappings.iter().filter_map(|(pattern, places)| Some((pattern, matched(pattern, source)?, places)));
    // An exact rule wins, then the one with the longest text before its `*`.
    let rank = |pattern: &str| (!pattern.contains('*'), pattern.find('*').unwrap_or(pattern.len()));
    let best = fitting.max_by_key(|(pattern, ..)| rank(pattern));
    best.map_or(Vec::new(), |(_, star, places)| places.iter().map(|place| place.replacen('*', star, 1)).collect())
}

/// What the `*` of a pattern stands for in a specifier.
fn matched<'s>(pattern: &str, source: &'s str) -> Option<&'s str> {
    let Some((before, after)) = pattern.split_once('*') else {
        return (pattern == source).then_some("");
    };
    source.strip_prefix(before)?.strip_suffix(after)
}

/// The name of the package that a specifier starts with, and the rest.
fn split(source: &str) -> (&str, &str) {
    let from = if source.starts_with('@') { source.find('/').map_or(source.len(), |i| i + 1) } else { 0 };
    match source[from..].find('/') {
        Some(slash) => (&source[..from + slash], &source[from + slash + 1..]),
        None => (source, ""),
    }
}

/// A folder and those around it, innermost first; the root is empty.
fn upwards(folder: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folder), |folder| parent(folder))
}

fn parent(folder: &str) -> Option<&str> {
    match folder.rsplit_once('/') {
        Some((parent, _)) => Some(parent),
        None => (!folder.is_empty()).then_some(""),
    }
}

fn join(folder: &str, path: &str) -> String {
    let path = path.trim_start_matches("./");
    if folder.is_empty() { path.to_owned() } else { format!("{folder}/{path}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mapping(pattern: &str, places: &[&str]) -> Mapping {
        (pattern.to_owned(), places.iter().map(|place| place.to_string()).collect())
    }

    fn workspace() -> Workspace {
        let package = Package {
            folder: "packages/one".to_owned(),
            exports: vec![mapping(".", &["./dist/index.mjs"]), mapping("./ui/*", &["./dist/esm/ui/*.js"])],
            imports: vec![mapping("#inner/*", &["./src/inner/*"])],
        };
        let rules =
            PathRules { base: None, mappings: vec![mapping("~/*", &["app/*"]), mapping("~/special", &["app/s.ts"])] };
        Workspace {
            packages: [("@me/one".to_owned(), package)].into(),
            paths: [("packages".to_owned(), rules)].into(),
            ..Workspace::default()
        }
    }

    #[test]
    fn a_package_leads_to_its_entry_and_to_the_source_of_it() {
        let found = workspace().places("other", "@me/one");
        assert_eq!(found[..2], ["packages/one/dist/index.mjs", "packages/one/src/index.mjs"]);
        assert!(found.contains(&"packages/one/index".to_owned()));
    }

    #[test]
    fn a_part_of_a_package_follows_its_patterns() {
        let found = workspace().places("", "@me/one/ui/button");
        assert_eq!(found[0], "packages/one/dist/esm/ui/button.js");
        assert!(found.contains(&"packages/one/src/ui/button.js".to_owned()));
        assert!(found.contains(&"packages/one/src/ui/button".to_owned()));
    }

    #[test]
    fn the_most_specific_path_rule_around_a_file_wins() {
        assert_eq!(workspace().places("packages/one/src", "~/special"), ["app/s.ts"]);
        assert_eq!(workspace().places("packages/one/src", "~/a/b"), ["app/a/b"]);
        assert_eq!(workspace().places("elsewhere", "~/a/b"), Vec::<String>::new());
    }

    #[test]
    fn own_names_begin_with_a_hash() {
        assert_eq!(workspace().places("packages/one/src", "#inner/x")[0], "packages/one/src/inner/x");
    }
}
