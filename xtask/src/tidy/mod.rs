//! `cargo xtask tidy`: the house rules that the compiler does not know, as a list of small checks.
//!
//! A check is a function from the files of the workspace to problems; a new one is a function and a line in [`CHECKS`].

mod boundary;
mod house;
mod languages;

use std::io;
use std::process::ExitCode;

use crate::workspace;

/// Every check.
const CHECKS: &[Check] = &[
    house::files_say_what_they_are,
    house::files_are_short,
    house::file_names_say_something,
    house::type_names_are_said_once,
    house::no_machine_paths,
    house::changelog_is_open,
    house::the_map_is_one_page_and_whole,
    boundary::syntax_trees_stay_inside,
    boundary::sql_stays_inside,
    boundary::one_place_opens_files,
    boundary::languages_stay_inside,
    boundary::manifests_stay_inside,
    boundary::commands_are_data,
    boundary::certainty_is_typed,
    boundary::dependencies_point_down,
    boundary::pure_crates_say_so,
    languages::folders_have_fixtures,
];

type Check = fn(&[Source], &mut Vec<Problem>);

/// A text file of the workspace.
struct Source {
    path: String,
    text: String,
}

/// A broken rule.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Problem {
    path: String,
    /// 1-based.
    line: usize,
    rule: &'static str,
}

impl Problem {
    fn at(source: &Source, line: usize, rule: &'static str) -> Problem {
        Problem { path: source.path.clone(), line, rule }
    }
}

impl Source {
    /// The 1-based number and the text of each line.
    fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text.lines().enumerate().map(|(index, line)| (index + 1, line))
    }

    /// The lines before the tests at the end of a Rust file.
    fn product_lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.lines().take_while(|(_, line)| line.trim() != "#[cfg(test)]")
    }

    fn is_rust(&self) -> bool {
        self.path.ends_with(".rs") && !self.is_fixture()
    }

    /// Fixtures are input: they look as the code of other people does.
    fn is_fixture(&self) -> bool {
        self.path.contains("/fixtures/")
    }

    /// The crate's folder name, for files of its product code.
    fn product_of(&self) -> Option<&str> {
        let (name, rest) = self.path.strip_prefix("crates/")?.split_once('/')?;
        (rest.starts_with("src/") && self.is_rust() && !rest.contains("tests")).then_some(name)
    }
}

pub(crate) fn run() -> ExitCode {
    let mut problems = Vec::new();
    let sources = match read() {
        Ok(sources) => sources,
        Err(error) => {
            eprintln!("tidy: {error}");
            return ExitCode::FAILURE;
        }
    };
    for check in CHECKS {
        check(&sources, &mut problems);
    }
    problems.sort();
    for problem in &problems {
        eprintln!("{}:{}: {}", problem.path, problem.line, problem.rule);
    }
    match problems.len() {
        0 => println!("tidy: {} files, {} checks, nothing to say", sources.len(), CHECKS.len()),
        count => eprintln!("tidy: {count} broken rules"),
    }
    if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The text files of the workspace; fixtures may be of any kind.
fn read() -> io::Result<Vec<Source>> {
    let mut sources = Vec::new();
    for path in workspace::files()? {
        if let Ok(text) = String::from_utf8(std::fs::read(workspace::root().join(&path))?) {
            sources.push(Source { path, text });
        }
    }
    Ok(sources)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the checks say about one file.
    pub(super) fn rules(path: &str, text: &str) -> Vec<(usize, &'static str)> {
        let sources = [Source { path: path.to_owned(), text: text.to_owned() }];
        let mut problems = Vec::new();
        for check in CHECKS {
            check(&sources, &mut problems);
        }
        problems.retain(|problem| problem.path == path);
        problems.into_iter().map(|problem| (problem.line, problem.rule)).collect()
    }

    #[test]
    fn a_tidy_file_has_no_problems() {
        assert_eq!(rules("crates/index/src/walk.rs", "//! Walks.\n\nfn walk() {}\n"), []);
    }

    #[test]
    fn lines_of_tests_are_not_product_lines() {
        let text = "//! Reads.\n#[cfg(test)]\nmod tests { const X: &str = \"exact\"; }\n";
        assert_eq!(rules("crates/index/src/read.rs", text), []);
    }
}
