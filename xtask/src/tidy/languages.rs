//! Rules about language folders: what the tests of every language need in order to find something to test. Which languages
//! there are is read from the text of the registry: nothing of the product is built for that.

use super::{Problem, Source};

const FOLDER: &str = "crates/languages/src/";

/// The modules of the registry: the words of `languages! { … }`.
pub(super) fn modules(sources: &[Source]) -> Vec<&str> {
    let registry = sources.iter().find(|source| source.path == format!("{FOLDER}lib.rs"));
    let list =
        registry.and_then(|source| source.text.split_once("\nlanguages! {")).and_then(|(_, rest)| rest.split_once('}'));
    list.map_or("", |(list, _)| list).split(',').map(str::trim).filter(|word| !word.is_empty()).collect()
}

/// The names of all languages, as their tables say them.
pub(super) fn names(sources: &[Source]) -> Vec<&str> {
    let name = |module: &str| {
        let table = sources.iter().find(|source| source.path == format!("{FOLDER}{module}/mod.rs"))?;
        table.text.split_once("name: \"")?.1.split_once('"').map(|(name, _)| name)
    };
    modules(sources).into_iter().map(|module| name(module).unwrap_or(module)).collect()
}

pub(super) fn folders_have_fixtures(sources: &[Source], problems: &mut Vec<Problem>) {
    // Without the registry among the files there is nothing to say about its languages.
    let Some(registry) = sources.iter().find(|source| source.path == format!("{FOLDER}lib.rs")) else { return };
    let modules = modules(sources);
    if modules.is_empty() {
        problems.push(Problem::at(registry, 1, "the registry lists the languages in one line `languages! { … }`"));
    }
    for module in &modules {
        let folder = format!("{FOLDER}{module}/fixtures/");
        let inside = || sources.iter().filter_map(|source| source.path.strip_prefix(&folder));
        let mut complain = |rule| problems.push(Problem { path: folder.clone(), ..Problem::at(registry, 1, rule) });
        if !inside().any(|name| !name.ends_with(".facts") && !name.starts_with("same.")) {
            complain("a language has a fixture of its own");
        }
        if has_calls(sources, module, &modules) && !inside().any(|name| name.starts_with("same.")) {
            complain("a language has the program that every language has: `same.EXT`");
        }
    }
}

/// Outlines of documents have no calls, and so cannot be the same program. A table may be made from another one.
fn has_calls(sources: &[Source], module: &str, modules: &[&str]) -> bool {
    let folder = format!("{FOLDER}{module}/");
    let code = sources.iter().filter(|source| source.is_rust() && source.path.starts_with(&folder));
    code.flat_map(Source::lines).any(|(_, line)| {
        let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
        words.any(|word| word == "Call" || (word != module && modules.contains(&word) && line.contains("::")))
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::rules;
    use super::*;

    fn source(path: &str, text: &str) -> Source {
        Source { path: path.to_owned(), text: text.to_owned() }
    }

    #[test]
    fn a_language_without_fixtures_is_named() {
        let sources = [
            source("crates/languages/src/lib.rs", "//! Registry.\nlanguages! { gopher, prose, snake }\n"),
            source("crates/languages/src/gopher/mod.rs", "//! Gopher.\nname: \"gopher\", act: Act::Call,\n"),
            source("crates/languages/src/snake/mod.rs", "//! Snake.\nuse super::gopher::TABLE;\n"),
            source("crates/languages/src/prose/mod.rs", "//! Prose.\nname: \"text\",\n"),
        ];
        let mut problems = Vec::new();
        folders_have_fixtures(&sources, &mut problems);
        assert_eq!(problems.len(), 3 + 2, "prose has no calls: {problems:?}");
        assert_eq!(names(&sources), ["gopher", "text", "snake"]);
        assert_eq!(rules("crates/languages/src/gopher/table.rs", "//! Gopher.\n"), []);
    }
}
