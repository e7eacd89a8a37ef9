//! Updates: the law that an updated index equals a new one, true counts, line ids, and single files.

mod support;

use std::fs;

use codegraph_index::{
    Error, FileEdit, Freshness, Scope, Silent, UpdateOptions, check, overlaid, overlaid_again, refresh, remove, update,
};
use codegraph_model::Overlay;
use codegraph_store::LineRange;
use support::*;

#[test]
fn nothing_changed_writes_nothing() {
    let sandbox = Sandbox::built(&small_tree());
    // The first update may still have to trust stamps that were too young.
    std::thread::sleep(std::time::Duration::from_millis(30));
    sandbox.update();
    let bytes = |name: &str| fs::read(sandbox.project.folder().join(name)).unwrap_or_default();
    let both = || (bytes("index.db"), bytes("index.db-wal"));
    let before = both();
    let report = sandbox.update();
    assert!(report.is_unchanged());
    assert!(before == both(), "something was written");
    assert_eq!(check(&sandbox.project, &sandbox.store()).expect("a check"), Freshness::Fresh);
    assert!(refresh(&sandbox.project, &sandbox.store(), &UpdateOptions::default()).expect("a refresh").is_none());
}

#[test]
fn a_touched_file_is_not_a_change() {
    let sandbox = Sandbox::built(&small_tree());
    let main = fs::File::options().append(true).open(sandbox.root().join("main.py")).expect("a file");
    main.set_modified(std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(86_400)).expect("a time");
    assert_eq!(check(&sandbox.project, &sandbox.store()).expect("a check"), Freshness::Fresh);
    assert!(sandbox.update().is_unchanged());
}

#[test]
fn a_change_within_the_same_tick_and_size_is_seen() {
    let sandbox = Sandbox::built(&[("a.py", "x = 1\n")]);
    for step in 0..20 {
        let text = format!("x = {}\n", step % 10);
        sandbox.write("a.py", &text);
        sandbox.update();
        assert_same(&sandbox.snapshot(), &sandbox.fresh().snapshot(), "a quick edit");
    }
}

#[test]
fn check_names_what_changed() {
    let sandbox = Sandbox::built(&small_tree());
    sandbox.write("main.py", "import shapes\n");
    sandbox.write("extra/new.py", "x = 1\n");
    sandbox.delete("shapes/base.py");
    let Freshness::Changed(changes) = check(&sandbox.project, &sandbox.store()).expect("a check") else {
        panic!("nothing was seen");
    };
    assert_eq!(changes.changed, ["main.py"]);
    assert_eq!(changes.added, ["extra/new.py"]);
    assert_eq!(changes.removed, ["shapes/base.py"]);
    let report =
        refresh(&sandbox.project, &sandbox.store(), &UpdateOptions::default()).expect("a refresh").expect("work to do");
    assert_eq!((report.changed, report.added, report.removed), (changes.changed, changes.added, changes.removed));
    assert_eq!(check(&sandbox.project, &sandbox.store()).expect("a check"), Freshness::Fresh);
}

#[test]
fn ignore_rules_and_settings_that_change_take_effect() {
    let sandbox = Sandbox::built(&small_tree());
    sandbox.write(".gitignore", "shapes/base.py\n");
    let report = sandbox.update();
    assert_eq!(
        (report.added, report.removed),
        (vec!["build/generated.py".to_owned()], vec!["shapes/base.py".to_owned()])
    );
    sandbox.write("shapes/.gitignore", "circle.py\n");
    assert_eq!(sandbox.update().removed, ["shapes/circle.py"]);
    sandbox.delete("shapes/.gitignore");
    assert_eq!(sandbox.update().added, ["shapes/circle.py"]);
    sandbox.write(".codegraph/config.json", "{\"name\": \"demo\", \"languages\": [\"rust\"]}");
    let project = codegraph_index::Project::open(sandbox.root()).expect("a project");
    update(&project, Scope::All, &UpdateOptions::default(), &Silent).expect("an update");
    assert_eq!(sandbox.paths(), ["counter/src/lib.rs", "counter/src/main.rs"]);
    assert_same(&sandbox.snapshot(), &sandbox.fresh().snapshot(), "other settings");
}

#[test]
fn ignore_rules_of_a_packager_that_leave_nothing_are_not_followed() {
    let sandbox = Sandbox::built(&[("a/x.py", "x = 1\n"), (".gitignore", "*.o\n/*\n!/debian/\n")]);
    assert_eq!(sandbox.paths(), ["a/x.py"]);
    sandbox.write("debian/y.py", "y = 1\n");
    sandbox.update();
    assert_eq!(sandbox.paths(), ["debian/y.py"]);
    sandbox.delete("debian/y.py");
    std::fs::remove_dir(sandbox.root().join("debian")).expect("it is empty");
    sandbox.update();
    assert_eq!(sandbox.paths(), ["a/x.py"]);
}

#[test]
fn a_manifest_renames_what_is_below_it() {
    let sandbox = Sandbox::built(&small_tree());
    sandbox.write("counter/Cargo.toml", "[package]\nname = \"other\"\n");
    let report = sandbox.update();
    assert_eq!(report.renamed, 2);
    assert_same(&sandbox.snapshot(), &sandbox.fresh().snapshot(), "another name");
    sandbox.delete("counter/src/lib.rs");
    assert_eq!(sandbox.update().renamed, 1);
    assert_same(&sandbox.snapshot(), &sandbox.fresh().snapshot(), "no library");
    sandbox.delete("counter/Cargo.toml");
    assert_eq!(sandbox.update().renamed, 1);
    assert_same(&sandbox.snapshot(), &sandbox.fresh().snapshot(), "no manifest");
}

#[test]
fn a_range_keeps_the_ids_of_all_other_lines() {
    let text = "a = 1\nb = 2\nc = 3\nd = 4\n";
    let sandbox = Sandbox::built(&[("a.py", text)]);
    sandbox.write("a.py", "a = 1\nnew = 5\nb2 = 6\nc = 3\nd = 4\n");
    let lines = LineRange { first: 2, last: 2 };
    let report = sandbox.update_scope(Scope::Lines { file: path("a.py"), lines });
    assert_eq!((report.items_added, report.items_removed), (2, 1));
    assert_eq!((report.lines_updated, report.lines_removed), (2, 1));
    let store = sandbox.store();
    let stored = store.outline(store.files().expect("files")[0].id).expect("an outline");
    let ids: Vec<u32> = (1..=5).map(|line| stored.line_ids.id(line)).collect();
    assert_eq!((ids[0], ids[3], ids[4]), (1, 3, 4));
    assert!(ids[1] > 4 && ids[2] > 4);
}

#[test]
fn ranges_that_are_none_are_refused() {
    let sandbox = Sandbox::built(&[("a.py", "x = 1\n")]);
    let lines = LineRange { first: 3, last: 2 };
    let scope = Scope::Lines { file: path("a.py"), lines };
    let refused = update(&sandbox.project, scope, &UpdateOptions::default(), &Silent);
    assert!(matches!(refused, Err(Error::Lines { .. })));
}

#[test]
fn files_by_name_are_updated_and_others_left_stale() {
    let sandbox = Sandbox::built(&small_tree());
    sandbox.write("main.py", "first = 1\n");
    sandbox.write("shapes/base.py", "second = 1\n");
    sandbox.write("notes.txt", "still nothing\n");
    let batch = ["main.py", "notes.txt", "build/generated.py"].map(|name| FileEdit { path: path(name), lines: None });
    let report = sandbox.update_scope(Scope::Batch(batch.to_vec()));
    assert_eq!(report.changed, ["main.py"]);
    let skipped: Vec<String> = report.skipped.iter().map(|one| format!("{}: {}", one.path, one.reason)).collect();
    assert_eq!(
        skipped,
        ["build/generated.py: excluded by ignore rules or configuration", "notes.txt: no known language"]
    );
    assert_eq!(sandbox.update().changed, ["shapes/base.py"]);
    sandbox.write("deep/er/one.py", "x = 1\n");
    sandbox.write("deep/er/two.py", "x = 1\n");
    assert_eq!(sandbox.update_scope(Scope::Files(vec![path("deep/er/one.py")])).added, ["deep/er/one.py"]);
    assert_eq!(sandbox.update().added, ["deep/er/two.py"]);
    sandbox.delete("deep/er/one.py");
    assert_eq!(sandbox.update_scope(Scope::Files(vec![path("deep")])).removed, ["deep/er/one.py"]);
    assert_same(&sandbox.snapshot(), &sandbox.fresh().snapshot(), "files by name");
}

#[test]
fn names_that_do_not_exist_or_lead_out_are_refused() {
    let sandbox = Sandbox::built(&small_tree());
    let try_update = |name: &str| {
        update(&sandbox.project, Scope::Files(vec![path(name)]), &UpdateOptions::default(), &Silent).expect_err(name)
    };
    assert!(matches!(try_update("nothing.py"), Error::NoSuchFile(_)));
    assert!(matches!(try_update("../etc/passwd"), Error::Outside { .. }));
    assert!(matches!(try_update("/etc/passwd"), Error::Outside { .. }));
}

#[test]
fn removing_twice_is_fine_and_leaves_nothing() {
    let sandbox = Sandbox::built(&small_tree());
    let options = UpdateOptions::default();
    let first = remove(&sandbox.project, "shapes/circle.py".as_ref(), &options).expect("a removal");
    assert_eq!(first.removed, ["shapes/circle.py"]);
    assert!(first.items_removed > 0 && first.symbols_removed > 0);
    let second = remove(&sandbox.project, "shapes/circle.py".as_ref(), &options).expect("a removal");
    assert!(second.is_unchanged());
    sandbox.delete("shapes/circle.py");
    sandbox.update();
    assert_same(&sandbox.snapshot(), &sandbox.fresh().snapshot(), "a removed file");
}

#[test]
fn five_cycles_keep_counts() {
    let sandbox = Sandbox::built(&small_tree());
    let before = sandbox.snapshot();
    for _ in 0..5 {
        sandbox.write("shapes/circle.py", "other = 1\n");
        sandbox.update();
        sandbox.write("shapes/circle.py", PYTHON);
        sandbox.update();
    }
    assert_same(&before, &sandbox.snapshot(), "five cycles");
}

#[cfg(unix)]
#[test]
fn a_folder_that_becomes_a_link_is_gone() {
    let sandbox = Sandbox::built(&small_tree());
    let root = sandbox.root();
    fs::rename(root.join("shapes"), root.join("forms")).expect("a rename");
    std::os::unix::fs::symlink("forms", root.join("shapes")).expect("a link");
    let report = sandbox.update();
    assert_eq!(report.removed, ["shapes/__init__.py", "shapes/base.py", "shapes/circle.py"]);
    assert_eq!(report.added, ["forms/__init__.py", "forms/base.py", "forms/circle.py"]);
}

#[test]
fn a_rename_of_case_alone_leaves_one_file() {
    let sandbox = Sandbox::built(&small_tree());
    let root = sandbox.root();
    fs::rename(root.join("main.py"), root.join("Main.py")).expect("a rename");
    sandbox.update();
    assert!(sandbox.paths().contains(&"Main.py".to_owned()) && !sandbox.paths().contains(&"main.py".to_owned()));
    assert_same(&sandbox.snapshot(), &sandbox.fresh().snapshot(), "a rename");
}

#[test]
fn a_project_that_moves_keeps_its_index() {
    let sandbox = Sandbox::built(&small_tree());
    let before = sandbox.snapshot();
    let elsewhere = tempfile::tempdir().expect("a temporary folder");
    let moved = elsewhere.path().join("moved");
    fs::rename(sandbox.root(), &moved).expect("a move");
    let project = codegraph_index::Project::find(&moved.join("shapes")).expect("a project");
    let report = update(&project, Scope::All, &UpdateOptions::default(), &Silent).expect("an update");
    assert!(report.is_unchanged());
    assert_same(&before, &snapshot(&project.store(codegraph_store::Access::Read).expect("an index")), "a move");
}

/// A small generator of random numbers, so that a failure can be repeated.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }
}

const NAMES: &[&str] = &[
    "main.py", "shapes/circle.py", "shapes/base.py", "shapes/new.py", "lib/base.py", "src/main.py", "deep/er/x.py",
    "deep/y.py", "script", "counter/src/lib.rs", "counter/src/a.rs", "counter/src/a/mod.rs", "counter/src/main.rs",
    "web/app.ts", "web/app/index.ts", "web/app.js", "api/a.go", "api/a_test.go", "deep/Main.java", "lib/x.h",
    "lib/x.c",
];

fn random_text(dice: &mut Dice, name: &str) -> String {
    let mut text = String::new();
    let extension = name.rsplit('.').next().unwrap_or(name);
    match extension {
        "script" if dice.roll(2) == 0 => text.push_str("#!/usr/bin/env python3\n"),
        "go" => text.push_str(["package api\n", "package api_test\n"][dice.roll(2)]),
        "java" => text.push_str(["", "package a.b;\n", "package c;\n"][dice.roll(3)]),
        _ => {}
    }
    for _ in 0..dice.roll(6) {
        let (a, b) = (dice.roll(4), dice.roll(9));
        text.push_str(&match extension {
            "rs" => format!("/// Doc {b}.\npub fn f{a}(x: T{b}) -> U {{ g{b}(x.h{a}()) }}\nimpl S{a} {{ fn m{b}(&self) {{}} }}\n"),
            "ts" | "js" => format!("// Words {b}.\nexport function f{a}(x) {{ return g{b}(x.h{a}, 'text'); }}\nclass C{b} {{ m{a}() {{}} }}\n"),
            "go" => format!("// Words {b}.\nfunc F{a}(x T{b}) int {{ return g{b}(x.H{a}) }}\ntype S{a} struct {{ v{b} int }}\n"),
            "java" => format!("class C{a} {{ int v{b}; /** Doc. */ int m{b}(int x) {{ return g{a}(x); }} }}\n"),
            "h" if b == 0 => format!("namespace n{a} {{ class C{b} {{ int v; }}; }}\n"),
            "c" | "h" => format!("struct s{a} {{ int v{b}; }};\nint f{a}(int x) {{ return g{b}(x); }}\n"),
            _ => format!("def f{a}(x, y={b}):\n    # Words {b}.\n    return g{b}(x.h{a}, 'text {a}')\nclass C{a}:\n    v{b} = {a}\n"),
        });
    }
    text
}

fn random_edit(dice: &mut Dice, sandbox: &Sandbox) {
    let name = NAMES[dice.roll(NAMES.len())];
    let exists = sandbox.root().join(name).is_file();
    match dice.roll(16) {
        0 | 1 if exists => sandbox.delete(name),
        2 if exists => {
            let to = NAMES[dice.roll(NAMES.len())];
            fs::create_dir_all(sandbox.root().join(to).parent().expect("a folder")).expect("a folder");
            fs::rename(sandbox.root().join(name), sandbox.root().join(to)).expect("a rename");
        }
        3 => sandbox.write(".gitignore", ["", "lib/\n", "*.rs\n", "deep/*\n!deep/y.py\n"][dice.roll(4)]),
        4 => sandbox.write(
            "counter/Cargo.toml",
            ["", "[package]\nname = \"one\"\n", "[package]\nname = \"two\"\n"][dice.roll(3)],
        ),
        5 => {
            let _ = fs::remove_dir_all(sandbox.root().join(["deep", "lib", "counter/src"][dice.roll(3)]));
        }
        7 => sandbox.write("api/go.mod", ["", "module example.com/a\n", "module example.com/b\n"][dice.roll(3)]),
        8 => sandbox.write("package.json", ["", "{\"name\": \"web\"}"][dice.roll(2)]),
        6 => sandbox.write("shapes/.ignore", ["", "base.py\n"][dice.roll(2)]),
        _ => sandbox.write(name, &random_text(dice, name)),
    }
}

#[test]
fn an_updated_index_equals_a_new_one() {
    for seed in 0..4 {
        let mut dice = Dice(seed);
        let sandbox = Sandbox::built(&small_tree());
        for step in 0..25 {
            for _ in 0..=dice.roll(4) {
                random_edit(&mut dice, &sandbox);
            }
            sandbox.update();
            let when = format!("seed {seed}, step {step}");
            assert_same(&sandbox.snapshot(), &sandbox.fresh().snapshot(), &when);
        }
    }
}

#[test]
fn edits_while_updates_run_end_in_the_final_state() {
    let sandbox = Sandbox::built(&small_tree());
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for step in 0..60 {
                sandbox.write("main.py", &format!("def f{step}():\n    return g{step}\n"));
                sandbox.write(&format!("many/m{}.py", step % 7), &format!("x{step} = 1\n"));
            }
        });
        for _ in 0..2 {
            scope.spawn(|| {
                for _ in 0..15 {
                    sandbox.update();
                }
            });
        }
    });
    sandbox.update();
    assert_same(&sandbox.snapshot(), &sandbox.fresh().snapshot(), "after the storm");
}

#[test]
fn nothing_is_removed_by_an_empty_name() {
    let sandbox = Sandbox::built(&small_tree());
    let before = sandbox.store().file_ids().expect("readable").len();
    let outcome = remove(&sandbox.project, "".as_ref(), &UpdateOptions::default());
    assert!(matches!(outcome, Err(Error::NoSuchFile(_))), "{outcome:?}");
    assert_eq!(sandbox.store().file_ids().expect("readable").len(), before);
}

#[test]
fn a_common_name_links_only_those_who_use_it() {
    let one = |number: usize| {
        (format!("pkg/c{number}.py"), "class Command:\n    def handle(self):\n        return Command().handle()\n")
    };
    let files: Vec<(String, &str)> = (0..40).map(one).collect();
    let mut list: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    list.push(("user.py", "from pkg.c7 import Command\n\n\ndef run():\n    return Command().handle()\n"));
    let sandbox = Sandbox::built(&list);
    sandbox.write("pkg/c7.py", &files[7].1.replace("handle", "perform"));
    assert_eq!(sandbox.update().relinked, 2, "the file and its user");
    sandbox.write("pkg/c7.py", files[7].1);
    assert_eq!(sandbox.update().relinked, 2, "the name comes back");
    sandbox.write("pkg/c9.py", &files[9].1.replace("Command", "Order"));
    assert_eq!(sandbox.update().relinked, 1, "nobody uses it");
}

/// A project of many files, in one of the states that a branch may have.
fn state(sandbox: &Sandbox, branch: &str, files: usize) {
    for at in 0..files {
        let callee = (at + 1) % files;
        let text = format!("from m{callee} import f{callee}\n\ndef f{at}():\n    f{callee}()\n    return '{branch}'\n");
        // What the other branch has in it as well is written anew all the same, as git does.
        sandbox.write(&format!("m{at}.py"), if at % 3 == 0 { &text } else { text.trim_end() });
    }
    sandbox.write(&format!("only_{branch}.py"), &format!("import m0\n\ndef {branch}():\n    return m0.f0()\n"));
}

#[test]
fn another_branch_and_back() {
    let sandbox = Sandbox::built(&[("start.py", "x = 1\n")]);
    state(&sandbox, "main", 120);
    let first = sandbox.update();
    assert!(first.replaced && first.added.len() == 121, "{first:?}");
    assert_same(&sandbox.snapshot(), &sandbox.fresh().snapshot(), "the first state");
    for round in 0..2 {
        sandbox.delete("only_main.py");
        state(&sandbox, "topic", 120);
        let there = sandbox.update();
        assert!(there.replaced, "{there:?}");
        assert_eq!(
            (there.changed.len(), &*there.added, &*there.removed),
            (120, &["only_topic.py".to_owned()][..], &["only_main.py".to_owned()][..])
        );
        assert_eq!((there.symbols_added, there.symbols_removed), (there.symbols_removed, there.symbols_added));
        assert!(there.relinked >= if round == 0 { 120 } else { 0 } && (round == 0 || there.relinked < 5), "{there:?}");
        assert_same(&sandbox.snapshot(), &sandbox.fresh().snapshot(), "the other state");
        sandbox.delete("only_topic.py");
        state(&sandbox, "main", 120);
        // Not quite what it was.
        sandbox.write("m7.py", "def f7():\n    return 'new'\n");
        let back = sandbox.update();
        assert!(back.replaced && back.relinked < 5, "{back:?}");
        assert_eq!((back.changed.len(), &*back.added), (120, &["only_main.py".to_owned()][..]));
        assert_same(&sandbox.snapshot(), &sandbox.fresh().snapshot(), "the first state again");
    }
}

#[test]
fn what_was_taken_out_survives_another_branch() {
    let sandbox = Sandbox::built(&[("start.py", "x = 1\n")]);
    state(&sandbox, "main", 110);
    sandbox.update();
    remove(&sandbox.project, "m5.py".as_ref(), &UpdateOptions::default()).expect("a removal");
    state(&sandbox, "topic", 110);
    let there = sandbox.update();
    assert!(!there.replaced && !there.changed.contains(&"m5.py".to_owned()), "{there:?}");
    assert!(sandbox.store().file_by_path("m5.py").expect("an index").is_none());
}

#[test]
fn the_state_before_is_not_believed_when_it_is_damaged() {
    let sandbox = Sandbox::built(&[("start.py", "x = 1\n")]);
    state(&sandbox, "main", 110);
    sandbox.update();
    state(&sandbox, "topic", 110);
    sandbox.update();
    let before = sandbox.project.folder().join("index.db.before");
    let bytes = fs::read(&before).expect("the state before");
    for damage in [&b""[..], &bytes[..bytes.len() / 2], b"no index"] {
        fs::write(&before, damage).expect("written");
        state(&sandbox, "main", 110);
        assert!(sandbox.update().replaced);
        assert_same(&sandbox.snapshot(), &sandbox.fresh().snapshot(), "built anew");
        state(&sandbox, "topic", 110);
        assert!(sandbox.update().replaced);
        assert_same(&sandbox.snapshot(), &sandbox.fresh().snapshot(), "and back");
    }
}

#[test]
fn a_long_question_does_not_stop_the_way_back() {
    let sandbox = Sandbox::built(&[("start.py", "x = 1\n")]);
    state(&sandbox, "main", 110);
    sandbox.update();
    state(&sandbox, "topic", 110);
    sandbox.update();
    let asked = sandbox.store();
    let snapshot = asked.snapshot().expect("a snapshot");
    assert!(asked.file_by_path("m3.py").expect("an index").is_some());
    // What is written now cannot leave the log while the question is being answered.
    sandbox.write("start.py", "y = 2\n");
    sandbox.update();
    state(&sandbox, "main", 110);
    sandbox.update();
    assert_same(&sandbox.snapshot(), &sandbox.fresh().snapshot(), "the first state");
    assert!(asked.file_by_path("m3.py").expect("still the state that was asked about").is_some());
    drop(snapshot);
}

#[test]
fn a_search_sees_what_is_being_written() {
    let sandbox = Sandbox::built(&[("a.py", "def old(): pass\n")]);
    let project = &sandbox.project;
    let written = |text: &str| {
        let mut overlay = Overlay::default();
        overlay.put("a.py", text.as_bytes());
        overlay
    };
    let (one, other) = (written("def first(): pass\n"), written("def second(): pass\n"));
    let words = |store: &codegraph_store::Store| -> Vec<String> {
        let found = store.terms_matching(|text| ["old", "first", "second"].contains(&text)).expect("texts");
        found.into_iter().map(|term| term.text).collect()
    };
    let (store, base) = overlaid(project, &one).expect("an overlay");
    assert_eq!(words(&store), ["first"]);
    let store = overlaid_again(project, store, &base, &one, &other).expect("another");
    assert_eq!(words(&store), ["second"]);
    let store = overlaid_again(project, store, &base, &other, &Overlay::default()).expect("none");
    assert_eq!(words(&store), ["old"]);
}
