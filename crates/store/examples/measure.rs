//! Extracts a folder, builds an index of it, and prints what each step costs and each table takes.
//!
//! `cargo run --release -p codegraph-store --example measure -- FOLDER`

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use codegraph_store::{Access, Build, FileNames, FileRecord, Interner, LineIds, Store, encode};

fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && entry.file_name() != ".git" => walk(&entry.path(), files),
            Ok(kind) if kind.is_file() => files.push(entry.path()),
            _ => {}
        }
    }
}

fn timed<T>(total: &mut Duration, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let value = work();
    *total += start.elapsed();
    value
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = PathBuf::from(std::env::args().nth(1).ok_or("a folder is needed")?);
    let index = std::env::temp_dir().join(format!("measure-{}.db", std::process::id()));
    let mut paths = Vec::new();
    walk(&root, &mut paths);
    let relative = |path: &Path| path.strip_prefix(&root).unwrap_or(path).to_string_lossy().into_owned();
    let mut paths: Vec<(String, PathBuf)> = paths.into_iter().map(|path| (relative(&path), path)).collect();
    paths.sort();

    let (mut extraction, mut interning, mut encoding, mut writing) = Default::default();
    let (mut bytes, mut packed, mut files, mut symbols) = (0, 0, 0, 0);
    let mut interner = Interner::new();
    let mut build = Build::create(&index)?;
    for (path, full) in &paths {
        let source = fs::read(full)?;
        let Some(language) = codegraph_languages::detect(path, &source) else { continue };
        let facts = timed(&mut extraction, || codegraph_extract::extract(&source, language));
        let record = FileRecord {
            path: path.clone(),
            language: language.name.to_owned(),
            separator: language.separator.to_owned(),
            size: source.len() as u64,
            mtime_ns: 1_700_000_000_000_000_000,
            indexed_ns: 1_700_000_000_000_000_000,
            hash: std::array::from_fn(|i| (source.len() >> (i % 3)) as u8 ^ (files as u8).wrapping_mul(i as u8)),
            package: "measured".to_owned(),
            module: path.rsplit_once('.').map_or("", |(stem, _)| stem).replace('/', language.separator),
            ..Default::default()
        };
        bytes += source.len();
        files += 1;
        symbols += facts.symbols.len();
        let ids = timed(&mut interning, || interner.intern(&facts.strings));
        let encoded = timed(&mut encoding, || encode(&facts, &ids, FileNames::of(&record), &LineIds::default()));
        packed += encoded.size();
        timed(&mut writing, || build.put(&record, &encoded))?;
    }
    let terms = interner.len();
    let mut finishing = Duration::ZERO;
    timed(&mut finishing, || build.finish(interner))?;

    let size = fs::metadata(&index)?.len();
    println!("{files} files, {bytes} bytes, {symbols} symbols, {terms} texts");
    println!(
        "extract {extraction:?}, intern {interning:?}, encode {encoding:?}, put {writing:?}, finish {finishing:?}"
    );
    let share = (interning + encoding + writing + finishing).as_secs_f64() / extraction.as_secs_f64();
    println!("store work: {:.1} % of extraction", share * 100.0);
    println!("index {size} bytes = {:.3} x source; packed facts {packed}", size as f64 / bytes as f64);

    read_back(&index, files)?;
    println!("kept at {}", index.display());
    Ok(())
}

fn read_back(index: &Path, files: usize) -> Result<(), Box<dyn std::error::Error>> {
    let start = Instant::now();
    let store = Store::open(index, Access::Read)?;
    println!("open {:?}", start.elapsed());
    let all = store.stamps()?;
    let (mut outlines, mut bodies) = (Duration::ZERO, Duration::ZERO);
    for file in &all {
        timed(&mut outlines, || store.outline(file.id))?;
        timed(&mut bodies, || store.facts(file.id))?;
    }
    println!("outline {:?} a file, with body {:?}", outlines / files as u32, bodies / files as u32);
    for word in ["self", "get", "QuerySet", "main", "error"] {
        let mut time = Duration::ZERO;
        let lines: usize = timed(&mut time, || -> codegraph_store::Result<usize> {
            let mut lines = 0;
            for term in store.terms_equal(word, false)? {
                lines += store.postings(term.id)?.iter().map(|posting| posting.lines.len()).sum::<usize>();
            }
            Ok(lines)
        })?;
        println!("{word}: {lines} lines in {time:?}");
    }
    let mut time = Duration::ZERO;
    let found = timed(&mut time, || store.terms_matching(|text| text.contains("query")))?.len();
    println!("contains 'query': {found} terms in {time:?}");
    let ids = store.symbol_ids(all[all.len() / 2].id)?;
    let found = timed(&mut time, || store.symbols_by_id(&format!("{:032x}", ids[0])[..8]))?.len();
    println!("by id: {found} in {time:?}");
    println!("{:?}", store.statistics()?);
    Ok(())
}
