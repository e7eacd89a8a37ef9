//! First builds: what is found, what is left out, and that nothing depends on threads or on being killed.

mod support;

use std::fs;
use std::time::Duration;

use codegraph_index::{BuildOptions, Error, Phase, Progress, Project, Silent, build};
use support::*;

#[test]
fn files_are_found_by_ignore_rules_and_language() {
    let sandbox = Sandbox::new(&small_tree());
    let report = sandbox.build();
    let expected = [
        "counter/src/lib.rs", "counter/src/main.rs", "main.py", "shapes/__init__.py", "shapes/base.py",
        "shapes/circle.py",
    ];
    assert_eq!(sandbox.paths(), expected);
    assert_eq!(report.files, 6);
    assert_eq!(report.languages["python"], 4);
    assert!(report.skipped.is_empty());
}

#[test]
fn names_follow_manifests_and_paths() {
    let sandbox = Sandbox::built(&small_tree());
    let store = sandbox.store();
    let module = |path: &str| store.file_by_path(path).expect("a row").expect("a file").module;
    assert_eq!(module("shapes/circle.py"), "shapes.circle");
    assert_eq!(module("counter/src/lib.rs"), "word_counter");
    assert_eq!(module("counter/src/main.rs"), "word_counter::main");
    let file = store.file_by_path("counter/src/lib.rs").expect("a row").expect("a file");
    assert_eq!(file.package, "word_counter");
    assert_eq!(store.metadata("project_name").expect("metadata").as_deref(), Some("demo"));
}

#[test]
fn numbers_and_bytes_do_not_depend_on_threads() {
    let mut files: Vec<(String, String)> = Vec::new();
    for number in 0..700 {
        let text =
            format!("def f{number}(a, b):\n    return shared_{} + a\n{}", number % 7, "x = 1\n".repeat(number % 40));
        files.push((format!("p{}/m{number}.py", number % 13), text));
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let sandbox = Sandbox::new(&files);
    let with_threads = |threads| {
        let options = BuildOptions { threads: Some(threads), ..BuildOptions::default() };
        build(&sandbox.project, &options, &Silent).expect("a build");
        let store = sandbox.store();
        let ids: Vec<_> = store.files().expect("files").into_iter().map(|file| (file.id, file.path)).collect();
        let terms: Vec<_> = store.terms_matching(|_| true).expect("terms");
        (ids, terms, snapshot(&store))
    };
    let one = with_threads(1);
    assert!(one == with_threads(5), "five threads give another index than one");
    assert!(one == with_threads(2), "two threads give another index than one");
}

#[test]
fn include_exclude_and_languages_narrow_the_tree() {
    let sandbox = Sandbox::new(&small_tree());
    let config = "{\"name\": \"demo\", \"languages\": [\"python\"], \"include\": [\"shapes/\", \"main.py\"], \"exclude\": [\"base.py\"]}";
    sandbox.write(".codegraph/config.json", config);
    let project = Project::open(sandbox.root()).expect("a project");
    build(&project, &BuildOptions::default(), &Silent).expect("a build");
    assert_eq!(sandbox.paths(), ["main.py", "shapes/__init__.py", "shapes/circle.py"]);
}

#[test]
fn a_script_is_known_by_its_first_line() {
    let sandbox = Sandbox::built(&[("tool", "#!/usr/bin/env python3\ndef run():\n    pass\n"), ("LICENSE", "Free.\n")]);
    assert_eq!(sandbox.paths(), ["tool"]);
    sandbox.write("LICENSE", "#!/usr/bin/env python3\nx = 1\n");
    assert_eq!(sandbox.update().added, ["LICENSE"]);
    sandbox.write("tool", "just text now, and more of it\n");
    assert_eq!(sandbox.update().removed, ["tool"]);
    assert_same(&sandbox.snapshot(), &sandbox.fresh().snapshot(), "scripts");
}

/// Stops after some files, as Ctrl-C would.
struct Impatient;

impl Progress for Impatient {
    fn begin(&self, phase: Phase, _: u64) {
        assert_ne!(phase, Phase::Finish, "it was told to stop");
    }

    fn cancelled(&self) -> bool {
        true
    }
}

#[test]
fn a_build_that_is_stopped_leaves_the_old_index() {
    let sandbox = Sandbox::built(&small_tree());
    let before = sandbox.snapshot();
    sandbox.write("new.py", "y = 2\n");
    let stopped = build(&sandbox.project, &BuildOptions::default(), &Impatient);
    assert!(matches!(stopped, Err(Error::Cancelled)));
    assert_same(&before, &sandbox.snapshot(), "after a stopped build");
    let names = fs::read_dir(sandbox.project.folder()).expect("a folder");
    let left: Vec<String> =
        names.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8")).collect();
    let odd: Vec<&String> = left.iter().filter(|name| name.contains("tmp") || name.contains("building")).collect();
    assert!(odd.is_empty(), "left behind: {odd:?}");
}

#[test]
fn two_writers_do_not_clash() {
    let sandbox = Sandbox::built(&small_tree());
    let lock =
        fs::File::options().write(true).open(sandbox.project.folder().join("index.db.lock")).expect("the lock file");
    lock.lock().expect("the lock");
    let options = BuildOptions { patience: Duration::from_millis(50), ..BuildOptions::default() };
    let refused = build(&sandbox.project, &options, &Silent);
    assert!(matches!(refused, Err(Error::Locked { .. })), "{refused:?}");
    drop(lock);
    build(&sandbox.project, &options, &Silent).expect("the lock is free");
}

#[test]
fn a_foreign_index_is_refused_untouched() {
    let sandbox = Sandbox::new(&small_tree());
    fs::write(sandbox.project.index_path(), b"somebody else's data").expect("a file");
    assert!(build(&sandbox.project, &BuildOptions::default(), &Silent).is_err());
    assert_eq!(fs::read(sandbox.project.index_path()).expect("a file"), b"somebody else's data");
}

#[test]
fn concurrent_builds_end_in_one_whole_index() {
    let sandbox = Sandbox::new(&small_tree());
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| sandbox.build());
        }
    });
    assert_eq!(sandbox.paths().len(), 6);
    assert_same(&sandbox.snapshot(), &sandbox.fresh().snapshot(), "after concurrent builds");
}
