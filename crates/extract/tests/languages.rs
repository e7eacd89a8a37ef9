//! Every language folder's fixtures: `fixtures/NAME.EXT` must extract to `fixtures/NAME.EXT.facts`, and
//! `fixtures/same.EXT` must give the graph that every language gives for the same program.

use std::fs;
use std::path::{Path, PathBuf};

use codegraph_languages::Language;
use expect_test::expect_file;

fn folder(language: &Language) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../languages/src").join(language.name).join("fixtures")
}

fn sources(language: &Language) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder(language))
        .unwrap_or_else(|e| panic!("{}: every language has a fixtures folder: {e}", language.name));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e != "facts" && e != "graph"));
    paths.sort();
    paths
}

fn facts_of(path: &Path, language: &'static Language) -> (Vec<u8>, codegraph_model::FileFacts) {
    let source = fs::read(path).expect("a readable fixture");
    let facts = codegraph_extract::extract(&source, language);
    (source, facts)
}

#[test]
fn tables_name_only_kinds_and_fields_of_their_grammar() {
    let unknown: Vec<String> =
        codegraph_languages::ALL.iter().flat_map(|language| codegraph_extract::unknown_names(language)).collect();
    assert_eq!(unknown, Vec::<String>::new());
}

#[test]
fn fixtures_extract_to_their_facts() {
    for language in codegraph_languages::ALL {
        for path in sources(language) {
            let (source, facts) = facts_of(&path, language);
            let expected = PathBuf::from(format!("{}.facts", path.display()));
            expect_file![expected].assert_eq(&codegraph_fixture::render(&facts, &source));
        }
    }
}

/// As it is while somebody writes it.
#[test]
fn a_file_that_ends_anywhere_is_read() {
    for language in codegraph_languages::ALL {
        for path in sources(language) {
            let source = fs::read(&path).expect("a readable fixture");
            for end in 0..source.len() {
                let facts = codegraph_extract::extract(&source[..end], language);
                assert_eq!(facts.length as usize, end, "{} up to {end}", path.display());
            }
        }
    }
}

#[test]
fn the_same_program_gives_the_same_graph_in_every_language() {
    for language in codegraph_languages::ALL {
        for path in sources(language) {
            if path.file_stem().is_some_and(|stem| stem == "same") {
                let (_, facts) = facts_of(&path, language);
                let own = PathBuf::from(format!("{}.graph", path.display()));
                let common = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/same.graph");
                let expected = if own.exists() { own } else { common };
                expect_file![expected].assert_eq(&codegraph_fixture::graph(&facts));
            }
        }
    }
}
