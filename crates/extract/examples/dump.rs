//! Prints the symbols (`S path line kind name`) and terms (`T path line mask term`) of all files under a folder.
#![allow(clippy::unwrap_used, reason = "a tool for developers of tables")]

use std::io::Write;
use std::path::{Path, PathBuf};

fn main() {
    let root = PathBuf::from(std::env::args().nth(1).expect("usage: dump FOLDER [terms] [LANGUAGE]"));
    let rest: Vec<String> = std::env::args().skip(2).collect();
    let terms = rest.iter().any(|a| a == "terms");
    let only = rest.iter().find(|a| *a != "terms");
    let mut files = Vec::new();
    collect(&root, &mut files);
    files.sort();
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for path in files {
        let relative = path.strip_prefix(&root).unwrap().to_string_lossy().into_owned();
        if codegraph_languages::for_path(&relative).next().is_none() {
            continue;
        }
        let Ok(source) = std::fs::read(&path) else { continue };
        let Some(language) = codegraph_languages::detect(&relative, &source) else { continue };
        if only.is_some_and(|name| name != language.name) {
            continue;
        }
        let facts = codegraph_extract::extract(&source, language);
        for symbol in &facts.symbols[1..] {
            let line = facts.line_of(symbol.name_span.start);
            writeln!(out, "S\t{relative}\t{line}\t{}\t{}", symbol.kind.word(), facts.name(symbol.name)).unwrap();
        }
        if terms {
            for term in &facts.terms {
                writeln!(out, "T\t{relative}\t{}\t{}\t{}", term.line, term.mask.0, facts.name(term.term)).unwrap();
            }
        }
    }
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let hidden = entry.file_name().to_string_lossy().starts_with('.');
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && !hidden => collect(&path, files),
            Ok(kind) if kind.is_file() => files.push(path),
            _ => {}
        }
    }
}
