//! Rules about language folders: what the tests of every language need in order to find something to test.

use codegraph_languages::table::Act;
use codegraph_languages::{ALL, Language};

use super::{Problem, Source};

pub(super) fn folders_have_fixtures(sources: &[Source], problems: &mut Vec<Problem>) {
    // Without the registry among the files there is nothing to say about its languages.
    let Some(registry) = sources.iter().find(|source| source.path == "crates/languages/src/lib.rs") else { return };
    for language in ALL {
        let folder = format!("crates/languages/src/{}/fixtures/", language.name);
        let inside = || sources.iter().filter_map(|source| source.path.strip_prefix(&folder));
        let mut complain = |rule| problems.push(Problem { path: folder.clone(), ..Problem::at(registry, 1, rule) });
        if !inside().any(|name| !name.ends_with(".facts") && !name.starts_with("same.")) {
            complain("a language has a fixture of its own");
        }
        if has_calls(language) && !inside().any(|name| name.starts_with("same.")) {
            complain("a language has the program that every language has: `same.EXT`");
        }
    }
}

/// Outlines of documents have no calls, and so cannot be the same program.
fn has_calls(language: &Language) -> bool {
    language.rules.iter().copied().flatten().any(|rule| matches!(rule.act, Act::Call))
}

#[cfg(test)]
mod tests {
    use super::super::tests::rules;
    use super::*;

    #[test]
    fn a_language_without_fixtures_is_named() {
        let source = |path: &str| Source { path: path.to_owned(), text: String::new() };
        let mut problems = Vec::new();
        folders_have_fixtures(&[source("crates/languages/src/lib.rs")], &mut problems);
        let programming = ALL.iter().filter(|language| has_calls(language)).count();
        assert_eq!(problems.len(), ALL.len() + programming);
        assert_eq!(rules("crates/languages/src/go/table.rs", "//! Go.\n"), []);
    }
}
