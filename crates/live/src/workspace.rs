//! What manifests say about the places of modules, joined for the linker: packages, their entry points, mapped paths.

use std::collections::BTreeMap;

use codegraph_manifests::{Decides, Layout, PathsNote, format};
use codegraph_resolve::{Mapping, Package, PathRules, Using, Workspace, joined};
use codegraph_store::{Input, Watched};

use crate::parent;

/// What the manifests among the watched inputs say, by their paths.
pub fn layouts(inputs: &[Input]) -> impl Iterator<Item = (String, Layout)> {
    inputs.iter().filter_map(|input| match &input.watched {
        Watched::Manifest(layout) => Some((input.path.clone(), Layout::from_note(layout))),
        _ => None,
    })
}

/// The workspace that the inputs of an index describe.
pub fn workspace(inputs: &[Input]) -> Workspace {
    let layouts: BTreeMap<String, Layout> = layouts(inputs).collect();
    let mut out = Workspace::default();
    for (path, layout) in &layouts {
        match decides(path) {
            Decides::Entries => add_package(path, layout, &mut out),
            Decides::Build => add_build(&layouts, path, &mut out),
            Decides::Paths => {
                if let Some(rules) = path_rules(&layouts, path, 0) {
                    out.paths.entry(parent(path).to_owned()).or_insert(rules);
                }
            }
            Decides::Macros => add_macros(path, layout, &mut out),
            Decides::Nothing | Decides::Package | Decides::InheritedPaths | Decides::Builds => {}
        }
    }
    out
}

fn add_macros(path: &str, layout: &Layout, out: &mut Workspace) {
    let folder = built_folder(parent(path));
    if let Some(standard) = layout.standard {
        // Of two descriptions of one build the older standard has to do.
        let own = out.standards.entry(folder.to_owned()).or_insert(standard);
        *own = (*own).min(standard);
    }
    if layout.defines.is_empty() {
        return;
    }
    let own = out.defines.entry(folder.to_owned()).or_default();
    // What one target has and another has not is defined.
    for (name, value) in &layout.defines {
        let known = own.entry(name.clone()).or_insert(*value);
        *known = (*known).max(*value);
    }
}

/// The folder that a build in another folder is about: descriptions of builds may lie apart from what they build.
fn built_folder(folder: &str) -> &str {
    let apart = |part: &str| {
        let part = part.to_ascii_lowercase();
        part.contains("build") || part.contains("cmake")
    };
    let mut end = 0;
    for part in folder.split('/') {
        if apart(part) {
            return folder[..end].trim_end_matches('/');
        }
        end += part.len() + 1;
    }
    folder
}

fn decides(path: &str) -> Decides {
    format(path).map_or(Decides::Nothing, |format| format.decides)
}

fn add_package(path: &str, layout: &Layout, out: &mut Workspace) {
    let folder = parent(path);
    if !layout.name.is_empty() {
        // Of two packages with one name, the first in path order stands.
        out.packages.entry(layout.name.clone()).or_insert_with(|| Package {
            folder: folder.to_owned(),
            exports: layout.exports.clone(),
            imports: layout.imports.clone(),
        });
    }
    if let Some((_, places)) = layout.exports.iter().find(|(key, _)| key == ".") {
        let places = places.iter().filter_map(|place| joined(folder, place)).collect();
        out.entries.insert(folder.to_owned(), places);
    }
}

/// A build imports what its own description says and what those of the folders around it say.
fn add_build(layouts: &BTreeMap<String, Layout>, path: &str, out: &mut Workspace) {
    let build = out.builds.entry(parent(path).to_owned()).or_default();
    let around = |(other, _): &(&String, &Layout)| {
        let folder = parent(other);
        let inside = folder.is_empty() || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
        *other == path || inside && decides(other) == Decides::Builds
    };
    for (path, alias, members) in layouts.iter().filter(around).flat_map(|(_, layout)| &layout.usings) {
        let using = Using { path: path.clone(), alias: alias.clone(), members: *members };
        if !build.contains(&using) {
            build.push(using);
        }
    }
}

/// The deepest chain of configurations that extend each other.
const DEEPEST: usize = 8;

/// The path rules of a configuration; what it does not say, the one that it extends says.
fn path_rules(layouts: &BTreeMap<String, Layout>, path: &str, depth: usize) -> Option<PathRules> {
    let note = layouts.get(path)?.paths.as_ref()?;
    let folder = parent(path);
    let mut rules = PathRules { base: None, mappings: Vec::new() };
    if depth < DEEPEST {
        // Of several, the last one that says something counts.
        for base in &note.extends {
            if let Some(inherited) = extended(layouts, folder, base, depth) {
                rules.base = inherited.base.or(rules.base);
                rules.mappings = if inherited.mappings.is_empty() { rules.mappings } else { inherited.mappings };
            }
        }
    }
    own_rules(note, folder, &mut rules);
    Some(rules)
}

fn extended(layouts: &BTreeMap<String, Layout>, folder: &str, base: &str, depth: usize) -> Option<PathRules> {
    if !base.starts_with('.') {
        return None;
    }
    let path = joined(folder, base)?;
    let names = [path.clone(), format!("{path}.json"), format!("{path}/tsconfig.json")];
    names.iter().find_map(|name| path_rules(layouts, name, depth + 1))
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
        let note = codegraph_manifests::read(path, text.as_bytes()).layout.to_note();
        Input { path: path.to_owned(), watched: Watched::Manifest(note), mtime_ns: 0, size: 0, mark: 0 }
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
