//! `docs/languages.md`: what the registry says about each language, and the kinds of symbols that its fixtures show.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

use anyhow::Result;
use codegraph_languages::{ALL, Language};

use crate::workspace;

const INTRODUCTION: &str = "# Languages

A file belongs to a language by its extension or its name; a script without an extension by the interpreter in its
first line. Where two languages share an extension, the content decides; a `.def` is read where it begins as C and C++ do.
The kinds of symbols are those that the fixtures of the language show.

";

pub(super) fn document(_binary: &Path) -> Result<String> {
    let mut out = INTRODUCTION.to_owned();
    out += "| language | extensions | file names | interpreters | kinds of symbols |\n|---|---|---|---|---|\n";
    for language in ALL {
        let kinds: Vec<&str> = kinds(language)?.into_iter().collect();
        let all = language.extensions.iter().chain(language.fragments.extensions);
        let extensions: Vec<String> = all.map(|extension| format!(".{extension}")).collect();
        let extensions: Vec<&str> = extensions.iter().map(String::as_str).collect();
        writeln!(
            out,
            "| {} | {} | {} | {} | {} |",
            language.name,
            code(&extensions),
            code(language.filenames),
            code(language.interpreters),
            kinds.join(", ")
        )?;
    }
    Ok(out)
}

/// The kinds of all symbols in the fixtures of a language, apart from the file itself.
fn kinds(language: &'static Language) -> Result<BTreeSet<&'static str>> {
    let folder = workspace::root().join("crates/languages/src").join(language.name).join("fixtures");
    let mut kinds = BTreeSet::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension != "facts" && extension != "graph") {
            let facts = codegraph_extract::extract(&std::fs::read(path)?, language);
            kinds.extend(facts.symbols.iter().skip(1).map(|symbol| symbol.kind.word()));
        }
    }
    Ok(kinds)
}

fn code(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(" ")
}
