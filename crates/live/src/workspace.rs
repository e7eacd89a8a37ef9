//! What manifests say about the places of modules, joined for the linker: packages, their entry points, mapped paths.

use std::collections::BTreeMap;

use codegraph_resolve::{Mapping, Package, PathRules, Using, Workspace, joined};
use codegraph_store::{Input, InputKind};

use crate::manifest::{BUILD_FILE, Manifest, PathsNote};
use crate::parent;

/// The manifests among the watched inputs.
pub fn manifests(inputs: &[Input]) -> impl Iterator<Item = (String, Manifest)> {
    let all = inputs.iter().filter(|input| input.kind == InputKind::Manifest);
    all.map(|input| (input.path.clone(), Manifest::from_note(&input.note)))
}

/// The workspace that the inputs of an index describe.
pub fn workspace(inputs: &[Input]) -> Workspace {
    let manifests: BTreeMap<String, Manifest> = manifests(inputs).collect();
    let mut out = Workspace::default();
    for (path, manifest) in &manifests {
        if path.ends_with("package.json") && !manifest.name.is_empty() {
            // Of two packages with one name, the first in path order stands.
            out.packages.entry(manifest.name.clone()).or_insert_with(|| package(path, manifest));
        }
        let entry = manifest.exports.iter().find(|(key, _)| key == ".");
        if let Some((_, places)) = entry.filter(|_| path.ends_with("package.json")) {
            let folder = parent(path);
            let places = places.iter().filter_map(|place| joined(folder, place)).collect();
            out.entries.insert(folder.to_owned(), places);
        }
        if path.ends_with(BUILD_FILE) {
            add_build(&manifests, path, &mut out);
        }
        let name = path.rsplit('/').next().unwrap_or(path);
        if matches!(name, "tsconfig.json" | "jsconfig.json")
            && let Some(rules) = path_rules(&manifests, path, 0)
        {
            out.paths.entry(parent(path).to_owned()).or_insert(rules);
        }
    }
    out
}

/// A build imports what its own description says and what those of the folders around it say.
fn add_build(manifests: &BTreeMap<String, Manifest>, path: &str, out: &mut Workspace) {
    let build = out.builds.entry(parent(path).to_owned()).or_default();
    let around = |(other, _): &(&String, &Manifest)| {
        let folder = parent(other);
        let inside = folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
        *other == path || inside && !other.ends_with(BUILD_FILE)
    };
    for (path, alias, members) in manifests.iter().filter(around).flat_map(|(_, manifest)| &manifest.usings) {
        let using = Using { path: path.clone(), alias: alias.clone(), members: *members };
        if !build.contains(&using) {
            build.push(using);
        }
    }
}

fn package(path: &str, manifest: &Manifest) -> Package {
    Package { folder: parent(path).to_owned(), exports: manifest.exports.clone(), imports: manifest.imports.clone() }
}

/// The deepest chain of configurations that extend each other.
const DEEPEST: usize = 8;

/// The path rules of a configuration; what it does not say, the one that it extends says.
fn path_rules(manifests: &BTreeMap<String, Manifest>, path: &str, depth: usize) -> Option<PathRules> {
    let note = manifests.get(path)?.paths.as_ref()?;
    let folder = parent(path);
    let mut rules = PathRules { base: None, mappings: Vec::new() };
    if depth < DEEPEST {
        // Of several, the last one that says something counts.
        for base in &note.extends {
            if let Some(inherited) = extended(manifests, folder, base, depth) {
                rules.base = inherited.base.or(rules.base);
                rules.mappings = if inherited.mappings.is_empty() { rules.mappings } else { inherited.mappings };
            }
        }
    }
    own_rules(note, folder, &mut rules);
    Some(rules)
}

fn extended(manifests: &BTreeMap<String, Manifest>, folder: &str, base: &str, depth: usize) -> Option<PathRules> {
    if !base.starts_with('.') {
        return None;
    }
    let path = joined(folder, base)?;
    let names = [path.clone(), format!("{path}.json"), format!("{path}/tsconfig.json")];
    names.iter().find_map(|name| path_rules(manifests, name, depth + 1))
}

fn own_rules(note: &PathsNote, folder: &str, rules: &mut PathRules) {
    if let Some(base) = &note.base {
        rules.base = joined(folder, base);
    }
    if note.mappings.is_empty() {
        return;
    }
    let start = if note.base.is_some() { rules.base.clone() } else { Some(folder.to_owned()) };
    let start = start.unwrap_or_default();
    let place = |(pattern, places): &Mapping| {
        let places = places.iter().filter_map(|place| joined(&start, place)).collect();
        (pattern.clone(), places)
    };
    rules.mappings = note.mappings.iter().map(place).collect();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(path: &str, text: &str) -> Input {
        let note = Manifest::parse(path, text.as_bytes()).to_note();
        Input { path: path.to_owned(), kind: InputKind::Manifest, mtime_ns: 0, size: 0, mark: 0, hash: [0; 32], note }
    }

    #[test]
    fn packages_are_found_by_name_with_all_their_entries() {
        let text = r##"{"name": "@me/one", "main": "./dist/index.cjs", "exports": {
            ".": {"source": "./src/main.ts", "import": {"types": "./dist/main.d.ts", "default": "./dist/main.js"}},
            "./*": "./dist/*.js"}, "imports": {"#x": "./src/x.ts"}}"##;
        let found = workspace(&[input("packages/one/package.json", text)]);
        let package = &found.packages["@me/one"];
        assert_eq!(package.folder, "packages/one");
        let entry =
            ["./dist/main.js", "./dist/main.d.ts", "./src/main.ts", "./dist/index.cjs"].map(String::from).to_vec();
        assert_eq!(package.exports[0], (".".to_owned(), entry));
        assert_eq!(package.exports[1], ("./*".to_owned(), vec!["./dist/*.js".to_owned()]));
        assert_eq!(package.imports[0].0, "#x");
    }

    #[test]
    fn path_rules_come_through_extends_relative_to_where_they_are_written() {
        let base = "{ // all\n \"compilerOptions\": {\"baseUrl\": \".\", \"paths\": {\"@/*\": [\"./src/*\",],},}, }";
        let inputs = [
            input("config/tsconfig.base.json", base),
            input("app/tsconfig.json", r#"{"extends": "../config/tsconfig.base.json"}"#),
        ];
        let found = workspace(&inputs);
        let rules = &found.paths["app"];
        assert_eq!(rules.base.as_deref(), Some("config"));
        assert_eq!(rules.mappings, [("@/*".to_owned(), vec!["config/src/*".to_owned()])]);
    }
}
