//! Whole indexes of toy files: builds, updates, refusals.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use codegraph_model::{FileFacts, FileId, Strings, SymbolId, TermId, TermMask};

use crate::origin;
use crate::testing::*;
use crate::*;

fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("index.db");
    (folder, path)
}

fn read(path: &Path) -> Store {
    Store::open(path, Access::Read).expect("the index is there")
}

/// The facts as they should come back: strings renamed to their places in the name table, terms gone.
fn renamed(facts: &FileFacts, ids: &[TermId]) -> FileFacts {
    let mut names: Vec<TermId> = ids.to_vec();
    names.sort_unstable();
    let rank = |id: codegraph_model::StrId| match id.get() {
        Some(id) => codegraph_model::StrId(names.binary_search(&ids[id.index()]).expect("it is there") as u32),
        None => id,
    };
    let mut facts = facts.clone();
    facts.strings = Strings::default();
    facts.terms.clear();
    facts.package = rank(facts.package);
    for s in &mut facts.symbols {
        (s.name, s.qualifier) = (rank(s.name), rank(s.qualifier));
    }
    facts.bindings.iter_mut().for_each(|b| b.name = rank(b.name));
    facts.refs.iter_mut().for_each(|r| r.name = rank(r.name));
    facts.imports.iter_mut().for_each(|i| (i.source, i.alias) = (rank(i.source), rank(i.alias)));
    for e in &mut facts.exprs {
        if matches!(
            e.op,
            codegraph_model::ExprOp::Key | codegraph_model::ExprOp::Literal | codegraph_model::ExprOp::Named
        ) {
            e.b = rank(codegraph_model::StrId(e.b)).0;
        }
    }
    facts
}

#[test]
fn arbitrary_facts_come_back_exactly() {
    let record = FileRecord::default();
    for seed in 0..300 {
        let facts = arbitrary_facts(seed);
        let ids: Vec<TermId> = (0..facts.strings.len() as u32).map(|n| TermId((n * 7919) % 1009 + 1)).collect();
        let lines = LineIds { runs: vec![(3, 5), (1, 1)] };
        let encoded = encode(&facts, &ids, FileNames::of(&record), &lines);
        let mut stored = outline::read(&encoded.outline).expect("an outline");
        body::read(&encoded.body, &mut stored).expect("a body");
        assert_eq!(stored.facts, renamed(&facts, &ids), "seed {seed}");
        assert_eq!(stored.line_ids, lines);
        assert_eq!(stored.classes.len(), facts.line_starts.len());
    }
}

#[test]
fn cut_off_blobs_are_errors_and_never_panics() {
    let facts = arbitrary_facts(4);
    let ids: Vec<TermId> = (1..=facts.strings.len() as u32).map(TermId).collect();
    let encoded = encode(&facts, &ids, FileNames::of(&FileRecord::default()), &LineIds::default());
    let (outline, body) = (encoded.outline, encoded.body);
    for cut in 0..outline.len() {
        assert!(outline::read(&outline[..cut]).is_err());
    }
    for cut in 0..body.len() {
        assert!(body::read(&body[..cut], &mut outline::read(&outline).expect("whole")).is_err());
    }
}

#[test]
fn a_built_index_answers_terms_and_symbols() {
    let (_folder, path) = folder();
    toy_build(&path, [("a.toy", "class Foo\n def run\nhelp run // x\n"), ("b.toy", "// run here\ndef help\nFOO\n")]);
    let store = read(&path);
    let run = &store.terms_equal("RUN", false).expect("readable")[0];
    assert_eq!(run.text, "run");
    assert!(store.terms_equal("RUN", true).expect("readable").is_empty());
    let lines: Vec<_> = store.postings(run.id).expect("whole").into_iter().map(|p| (p.file.0, p.lines)).collect();
    let line = |line, mask| LineMask { line, mask: TermMask(mask) };
    assert_eq!(lines, [(1, vec![line(2, 9), line(3, 1)]), (2, vec![line(1, 2)])]);
    assert_eq!(store.definers(run.id).expect("whole"), [FileId(1)]);
    let foo: Vec<_> = store.terms_equal("FOO", false).expect("readable").into_iter().map(|t| t.text).collect();
    assert_eq!(foo, ["FOO", "Foo"]);
    let starts: Vec<_> = store.terms_starting("h", true).expect("readable").into_iter().map(|t| t.text).collect();
    assert_eq!(starts, ["help", "here"]);
    let record = store.file(FileId(1)).expect("readable").expect("it is there");
    let stored = store.outline(FileId(1)).expect("whole");
    assert_eq!(store.fqn(&record, &stored, SymbolId(2)).expect("whole"), "a.Foo.run");
    let statistics = store.statistics().expect("readable");
    assert_eq!((statistics.files, statistics.methods, statistics.types), (2, 2, 1));
    assert_eq!(store.word_count().expect("readable"), 6);
}

#[test]
fn duplicate_names_are_numbered_in_path_order() {
    let (_folder, path) = folder();
    toy_build(&path, [("x/m.toy", "def f\ndef f\n"), ("y/m.toy", "def f\ndef g\n"), ("z/m.toy", "def f\n")]);
    let names = |store: &Store| -> Vec<String> {
        let files = store.files().expect("readable");
        let of = |file: &FileRecord| -> Vec<String> {
            let stored = store.outline(file.id).expect("whole");
            (1..stored.facts.symbols.len() as u32)
                .map(|s| store.fqn(file, &stored, SymbolId(s)).expect("whole"))
                .collect()
        };
        files.iter().flat_map(of).collect()
    };
    assert_eq!(names(&read(&path)), ["m.f", "m.f#2", "m.f#3", "m.g", "m.f#4"]);
    let mut store = Store::open(&path, Access::Write).expect("the index is there");
    let mut update = store.update().expect("nobody else writes");
    toy_put(&mut update, "x/m.toy", "def f\n");
    update.commit().expect("the disk has room");
    assert_eq!(names(&store), ["m.f", "m.f#2", "m.g", "m.f#3"]);
    let mut update = store.update().expect("nobody else writes");
    update.rename_module(FileId(2), "pkg", "other").expect("the file is there");
    update.commit().expect("the disk has room");
    assert_eq!(names(&store), ["m.f", "other.f", "other.g", "m.f#2"]);
}

#[test]
fn any_sequence_of_updates_equals_a_fresh_build() {
    let (_folder, path) = folder();
    let words = ["run", "f", "g", "Foo", "Bar", "def f", "def g", "class Foo", " def run", "// f todo", "def Foo", "m"];
    let paths = ["a/m.toy", "b/m.toy", "c/n.toy", "d.toy", "e/m.n.toy"];
    for seed in 0..12 {
        let mut dice = Dice(seed);
        let text = |dice: &mut Dice| -> String {
            (0..dice.roll(8)).map(|_| format!("{}\n", words[dice.roll(words.len() as u32) as usize])).collect()
        };
        let mut tree: BTreeMap<&str, String> = paths[..3].iter().map(|path| (*path, text(&mut dice))).collect();
        toy_build(&path, tree.iter().map(|(path, text)| (*path, text.as_str())));
        let mut store = Store::open(&path, Access::Write).expect("the index is there");
        for _ in 0..12 {
            let mut update = store.update().expect("nobody else writes");
            for _ in 0..dice.roll(3) + 1 {
                let file = paths[dice.roll(paths.len() as u32) as usize];
                if dice.roll(3) == 0 {
                    tree.remove(file);
                    if let Some(record) = update.store().file_by_path(file).expect("readable") {
                        update.remove(record.id).expect("it can be removed");
                    }
                } else {
                    let new = text(&mut dice);
                    toy_put(&mut update, file, &new);
                    tree.insert(file, new);
                }
            }
            update.commit().expect("the disk has room");
            let (_other, fresh) = folder();
            toy_build(&fresh, tree.iter().map(|(path, text)| (*path, text.as_str())));
            assert_eq!(dump(&store), dump(&read(&fresh)), "seed {seed}");
        }
        drop(store);
    }
}

#[test]
fn changes_are_counted_truly() {
    let (_folder, path) = folder();
    toy_build(&path, [("a.toy", "def f\ng h\nx\n")]);
    let mut store = Store::open(&path, Access::Write).expect("the index is there");
    let mut update = store.update().expect("nobody else writes");
    let change = toy_put(&mut update, "a.toy", "def f\nlonger g\nanother\nx\n");
    assert_eq!(
        change,
        Change {
            items_added: 2,
            items_removed: 1,
            lines_added: 2,
            lines_removed: 1,
            symbols_added: 0,
            symbols_removed: 0
        }
    );
    update.commit().expect("the disk has room");
    let stored = store.outline(FileId(1)).expect("whole");
    assert_eq!((1..=5).map(|line| stored.line_ids.id(line)).collect::<Vec<_>>(), [1, 5, 6, 3, 4]);
    let mut update = store.update().expect("nobody else writes");
    let change = update.remove(FileId(1)).expect("it is there");
    assert_eq!((change.items_removed, change.lines_removed, change.symbols_removed), (5, 5, 2));
    assert_eq!(update.remove(FileId(1)).expect("twice is fine"), Change::default());
    update.commit().expect("the disk has room");
    for table in ["file", "facts", "dictionary", "posting", "posting_shelf", "symbol_prefix"] {
        let rows: i64 =
            store.db.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0)).expect("a table");
        assert_eq!(rows, 0, "{table} keeps nothing");
    }
}

#[test]
fn updates_that_are_dropped_change_nothing() {
    let (_folder, path) = folder();
    toy_build(&path, [("a.toy", "def f\n")]);
    let mut store = Store::open(&path, Access::Write).expect("the index is there");
    let before = dump(&store);
    let mut update = store.update().expect("nobody else writes");
    toy_put(&mut update, "b.toy", "def f\nnew\n");
    drop(update);
    assert_eq!(dump(&store), before);
}

#[test]
fn five_reindex_cycles_keep_the_size() {
    let (_folder, path) = folder();
    let text: String = (0..400).map(|n| format!("def name{n}\nother{n} // word{n}\n")).collect();
    toy_build(&path, [("a.toy", text.as_str()), ("b.toy", "def f\n")]);
    let mut sizes = Vec::new();
    for _ in 0..5 {
        let mut store = Store::open(&path, Access::Write).expect("the index is there");
        let mut update = store.update().expect("nobody else writes");
        toy_put(&mut update, "a.toy", "nothing\n");
        toy_put(&mut update, "a.toy", &text);
        update.commit().expect("the disk has room");
        drop(store);
        sizes.push(fs::metadata(&path).expect("it is there").len());
    }
    assert!(sizes.iter().all(|size| *size == sizes[1]) || sizes[4] <= sizes[0] * 11 / 10, "{sizes:?}");
}

#[test]
fn missing_foreign_damaged_and_newer_files_are_refused_untouched() {
    let (_folder, path) = folder();
    assert!(matches!(Store::open(&path, Access::Write), Err(Error::NotFound(_))));
    assert!(!path.exists());
    let refuse = |bytes: &[u8], expected: fn(&Error) -> bool| {
        fs::write(&path, bytes).expect("writable");
        for access in [Access::Read, Access::Write] {
            let error = Store::open(&path, access).err().expect("it is refused");
            assert!(expected(&error), "{error}");
        }
        assert_eq!(fs::read(&path).expect("readable"), bytes);
        assert!(!schema::neighbour(&path, "-wal").exists());
    };
    refuse(b"", |e| matches!(e, Error::Corrupt(_)));
    refuse(b"x", |e| matches!(e, Error::Foreign(_)));
    refuse(&[b'x'; 5000], |e| matches!(e, Error::Foreign(_)));
    fs::remove_file(&path).expect("it is there");
    let other = rusqlite::Connection::open(&path).expect("writable");
    other.execute_batch("CREATE TABLE metadata(key, value)").expect("writable");
    drop(other);
    refuse(&fs::read(&path).expect("readable"), |e| matches!(e, Error::Foreign(_)));
    toy_build(&path, [("a.toy", "def f\n")]);
    let good = fs::read(&path).expect("readable");
    let mut newer = good.clone();
    newer[60..64].copy_from_slice(&99u32.to_be_bytes());
    refuse(&newer, |e| matches!(e, Error::NewerSchema { found: 99, .. }));
    refuse(&good[..good.len() / 2], |e| matches!(e, Error::Corrupt(_)));
    let mut broken = good.clone();
    broken[100..2000].fill(0xee);
    refuse(&broken, |e| matches!(e, Error::Corrupt(_)));
}

#[test]
fn an_unfinished_build_leaves_nothing_and_an_old_index_alone() {
    let (folder, path) = folder();
    toy_build(&path, [("a.toy", "def f\n")]);
    let before = fs::read(&path).expect("readable");
    fs::write(schema::neighbour(&path, ".new-1"), b"leftover").expect("writable");
    let build = Build::create(&path).expect("writable");
    drop(build);
    assert_eq!(fs::read(&path).expect("readable"), before);
    assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 1);
}

#[test]
fn two_builds_are_byte_equal() {
    let (_folder, path) = folder();
    let files = [("a.toy", "def f\nx y\n"), ("b.toy", "def f\n// y\n")];
    // Each says which file it is; everything else is the same.
    let read = || {
        let (own, mut bytes) = (origin::identity(&path).expect("it is there"), fs::read(&path).expect("readable"));
        let at = bytes.windows(own.len()).position(|part| part == own.as_bytes()).expect("it says which file it is");
        bytes[at..at + own.len()].fill(0);
        bytes
    };
    toy_build(&path, files);
    let first = read();
    toy_build(&path, files);
    let second = read();
    let differing = first.iter().zip(&second).filter(|(a, b)| a != b).count();
    assert!(first.len() == second.len() && differing < 16, "{differing} bytes differ: only times may");
}

#[test]
fn one_writer_at_a_time() {
    let (_folder, path) = folder();
    toy_build(&path, [("a.toy", "def f\n")]);
    let mut one = Store::open(&path, Access::Write).expect("the index is there");
    let mut two = Store::open(&path, Access::Write).expect("the index is there");
    two.db.busy_timeout(std::time::Duration::from_millis(10)).expect("a plain setting");
    let update = one.update().expect("nobody else writes");
    assert!(matches!(two.update().err(), Some(Error::Locked)));
    assert_eq!(read(&path).files().expect("readers go on").len(), 1);
    update.commit().expect("the disk has room");
    two.update().expect("the other is done");
}

#[test]
fn inputs_and_links_are_kept() {
    let (_folder, path) = folder();
    toy_build(&path, [("a.toy", "def f\n")]);
    let mut store = Store::open(&path, Access::Write).expect("the index is there");
    let input = Input { path: "sub".to_owned(), watched: Watched::Folder, mtime_ns: 9, mark: 8, size: 0 };
    let mut update = store.update().expect("nobody else writes");
    update.change_inputs(&[], &[&input]).expect("writable");
    update.put_dependency("/lib", Some("Lib"), None).expect("writable");
    update.put_dependency("/lib", Some("Library"), Some(5)).expect("writable");
    update.set_metadata("project_name", "toy").expect("writable");
    update.commit().expect("the disk has room");
    assert_eq!(store.inputs().expect("readable"), [input]);
    let links = store.dependencies().expect("readable");
    assert_eq!((links.len(), links[0].name.as_deref(), links[0].last_checked), (1, Some("Library"), Some(5)));
    assert_eq!(store.metadata("project_name").expect("readable").as_deref(), Some("toy"));
}

#[test]
fn reading_leaves_nothing_beside_the_index() {
    let (folder, path) = folder();
    toy_build(&path, [("a.toy", "def f\n")]);
    let before = fs::read(&path).expect("readable");
    let store = read(&path);
    assert!(store.db.execute_batch("DELETE FROM file").is_err());
    drop(store);
    assert_eq!(fs::read(&path).expect("readable"), before);
    assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 1);
}

#[test]
fn the_paths_that_are_looked_at_are_those_of_the_files() {
    let (_folder, path) = folder();
    let names: Vec<String> = (0..300).map(|number| format!("folder/{number:03}.toy")).collect();
    toy_build(&path, names.iter().map(|name| (name.as_str(), "fn run")));
    let mut store = Store::open(&path, Access::Write).expect("the index is there");
    let mut update = store.update().expect("nobody else writes");
    toy_put(&mut update, "folder/400.toy", "fn late");
    toy_put(&mut update, "folder/007.toy", "fn other");
    let gone = update.store().file_id("folder/008.toy").expect("whole").expect("it is there");
    update.remove(gone).expect("it is there");
    update.commit().expect("the disk has room");
    let glances = store.packed_glances().expect("whole");
    let looked_at: usize = glances.iter().map(|glance| glance.unpack().expect("whole").paths().count()).sum();
    assert_eq!((glances.len(), looked_at), (2, 300));
    assert!(store.integrity().expect("whole").is_empty());
    store.db.execute_batch("UPDATE file SET mtime_ns = mtime_ns + 1 WHERE id = 5").expect("a file");
    crate::files::seal(&store.db, FileId(5)).expect("a file");
    assert_eq!(store.integrity().expect("whole").len(), 1);
}
