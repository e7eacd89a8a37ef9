//! Rules about files as such: what they open with, how long they are, what they are called, what they must not name.

use std::collections::BTreeMap;

use super::{Problem, Source};

const MOST_LINES: usize = 900;

/// Names that say nothing about what is inside.
const EMPTY_NAMES: &[&str] = &["utils", "util", "helpers", "helper", "manager", "common", "misc"];

/// Folders of somebody's machine, without their slashes.
const MACHINE_FOLDERS: &[&str] = &["work", "root", "farm"];

pub(super) fn files_say_what_they_are(sources: &[Source], problems: &mut Vec<Problem>) {
    for source in sources.iter().filter(|source| source.is_rust()) {
        if !source.text.starts_with("//! ") {
            problems.push(Problem::at(source, 1, "a file opens with `//!` and says what it is"));
        }
    }
}

pub(super) fn files_are_short(sources: &[Source], problems: &mut Vec<Problem>) {
    for source in sources.iter().filter(|source| source.is_rust()) {
        if source.lines().count() > MOST_LINES {
            problems.push(Problem::at(source, MOST_LINES, "a file has at most 900 lines"));
        }
    }
}

pub(super) fn file_names_say_something(sources: &[Source], problems: &mut Vec<Problem>) {
    for source in sources.iter().filter(|source| source.is_rust()) {
        let mut parts = source.path.trim_end_matches(".rs").split('/');
        if parts.any(|part| EMPTY_NAMES.contains(&part)) {
            problems.push(Problem::at(source, 1, "a module is named after what it does"));
        }
    }
}

/// Whoever reads a type's name in a crate need not ask which one is meant. Twins in one file are for different systems; what a
/// command of the command line takes is called after the command.
pub(super) fn type_names_are_said_once(sources: &[Source], problems: &mut Vec<Problem>) {
    let mut known: BTreeMap<(&str, &str), &str> = BTreeMap::new();
    for source in sources {
        let Some(product) = source.product_of().filter(|name| *name != "cli") else { continue };
        for (line, text) in source.product_lines() {
            let Some(name) = declared_type(text) else { continue };
            let first = *known.entry((product, name)).or_insert(&source.path);
            if first != source.path {
                problems.push(Problem::at(source, line, "another type of this crate has the same name"));
            }
        }
    }
}

/// The name of the type that a line declares for others than its own file.
fn declared_type(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("pub(crate) ").or_else(|| line.strip_prefix("pub "))?;
    let rest = ["struct ", "enum ", "trait ", "type "].iter().find_map(|word| rest.strip_prefix(word))?;
    rest.split(|c: char| !c.is_alphanumeric()).next()
}

pub(super) fn no_machine_paths(sources: &[Source], problems: &mut Vec<Problem>) {
    for source in sources {
        for (line, text) in source.lines() {
            if MACHINE_FOLDERS.iter().any(|folder| names_folder(text, folder)) {
                problems.push(Problem::at(source, line, "no absolute path of somebody's machine"));
            }
        }
    }
}

/// Whether a line has `/folder/` where an absolute path begins.
fn names_folder(line: &str, folder: &str) -> bool {
    let path = format!("/{folder}/");
    line.match_indices(&path).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || "/._-}])*~".contains(c))
    })
}

const MOST_LINES_OF_THE_MAP: usize = 250;

/// Whoever reads `ARCHITECTURE.md` finds every crate in it, and reads to the end.
pub(super) fn the_map_is_one_page_and_whole(sources: &[Source], problems: &mut Vec<Problem>) {
    let Some(map) = sources.iter().find(|source| source.path == "ARCHITECTURE.md") else { return };
    if map.lines().count() > MOST_LINES_OF_THE_MAP {
        problems.push(Problem::at(
            map,
            MOST_LINES_OF_THE_MAP,
            "the map has at most 250 lines: details stand in `lib.rs`",
        ));
    }
    let crates = sources.iter().filter_map(|source| source.path.strip_prefix("crates/")?.strip_suffix("/Cargo.toml"));
    for name in crates {
        let heading = format!("`crates/{name}`");
        if !map.lines().any(|(_, line)| line.starts_with("## ") && line.contains(&heading)) {
            let path = format!("crates/{name}/");
            problems.push(Problem { path, ..Problem::at(map, 1, "a crate has a heading in `ARCHITECTURE.md`") });
        }
    }
}

pub(super) fn changelog_is_open(sources: &[Source], problems: &mut Vec<Problem>) {
    for source in sources.iter().filter(|source| source.path == "CHANGELOG.md") {
        if !source.lines().any(|(_, line)| line == "## Unreleased") {
            problems.push(Problem::at(source, 1, "the changelog has a section `## Unreleased`"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Source;
    use super::super::tests::rules;
    use super::MACHINE_FOLDERS;

    #[test]
    fn a_file_without_a_heading_is_named() {
        let said = rules("crates/index/src/walk.rs", "use std::fs;\n");
        assert_eq!(said, [(1, "a file opens with `//!` and says what it is")]);
    }

    #[test]
    fn an_empty_name_is_named() {
        let said = rules("crates/index/src/utils.rs", "//! Things.\n");
        assert_eq!(said, [(1, "a module is named after what it does")]);
    }

    #[test]
    fn a_second_type_of_a_name_is_named() {
        let source = |path: &str, text: &str| Source { path: path.into(), text: text.into() };
        let sources = [
            source("crates/query/src/a.rs", "//! A.\npub struct Reach;\n"),
            source("crates/query/src/b.rs", "//! B.\nstruct Near;\npub(crate) enum Reach {}\n"),
            source("crates/index/src/c.rs", "//! C.\npub struct Reach;\n"),
        ];
        let mut problems = Vec::new();
        super::type_names_are_said_once(&sources, &mut problems);
        let found: Vec<_> = problems.iter().map(|problem| (problem.path.as_str(), problem.line)).collect();
        assert_eq!(found, [("crates/query/src/b.rs", 3)]);
    }

    #[test]
    fn a_path_of_a_machine_is_told_from_a_relative_one() {
        let text = format!("see /{0}/notes\nand doc/{0}/notes\n", MACHINE_FOLDERS[0]);
        assert_eq!(rules("README.md", &text), [(1, "no absolute path of somebody's machine")]);
    }

    #[test]
    fn a_crate_that_is_not_on_the_map_is_named() {
        let source = |path: &str, text: &str| Source { path: path.into(), text: text.into() };
        let long = "x\n".repeat(251);
        let sources = [
            source("ARCHITECTURE.md", &format!("# Map\n## `crates/a` and `crates/b`\n{long}")),
            source("crates/a/Cargo.toml", ""),
            source("crates/b/Cargo.toml", ""),
            source("crates/c/Cargo.toml", ""),
        ];
        let mut problems = Vec::new();
        super::the_map_is_one_page_and_whole(&sources, &mut problems);
        let found: Vec<_> = problems.iter().map(|problem| (problem.path.as_str(), problem.line)).collect();
        assert_eq!(found, [("ARCHITECTURE.md", 250), ("crates/c/", 1)]);
    }

    #[test]
    fn a_changelog_without_an_open_section_is_named() {
        let said = rules("CHANGELOG.md", "# Changelog\n");
        assert_eq!(said, [(1, "the changelog has a section `## Unreleased`")]);
    }
}
