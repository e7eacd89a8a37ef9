//! CPU seconds of parsing alone and of extraction for all files under a folder, one thread.
#![allow(clippy::unwrap_used, reason = "a tool for developers")]

use std::time::Instant;

fn main() {
    let root = std::env::args().nth(1).expect("usage: speed FOLDER");
    let mut files = Vec::new();
    collect(std::path::Path::new(&root), &mut files);
    let bytes: usize = files.iter().map(|(_, s)| s.len()).sum();
    for _ in 0..2 {
        let start = Instant::now();
        for (language, source) in &files {
            codegraph_extract::parse_only(source, language);
        }
        let parse = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let (mut symbols, mut refs, mut exprs, mut terms) = (0, 0, 0, 0);
        for (language, source) in &files {
            let facts = codegraph_extract::extract(source, language);
            symbols += facts.symbols.len();
            refs += facts.refs.len();
            exprs += facts.exprs.len();
            terms += facts.terms.len();
        }
        let all = start.elapsed().as_secs_f64();
        println!(
            "{} files {bytes} bytes: parse {parse:.2}s extract {all:.2}s ratio {:.2}; {symbols} symbols {refs} refs {exprs} exprs {terms} terms",
            files.len(),
            all / parse
        );
    }
}

fn collect(folder: &std::path::Path, files: &mut Vec<(&'static codegraph_languages::Language, Vec<u8>)>) {
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let path = entry.path();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && !entry.file_name().to_string_lossy().starts_with('.') => collect(&path, files),
            Ok(kind) if kind.is_file() => {
                let name = path.to_string_lossy().into_owned();
                if codegraph_languages::for_path(&name).next().is_some() {
                    let source = std::fs::read(&path).unwrap();
                    let language = codegraph_languages::detect(&name, &source).unwrap();
                    files.push((language, source));
                }
            }
            _ => {}
        }
    }
}
