//! What an index says is proven: by the content of files, by where it was made, and by commands that mend what is found.

use std::path::Path;
use std::time::{Duration, SystemTime};

use rusqlite::Connection;

use crate::support::Project;

/// Older than any clock tick, and no whole second: such a time is trusted.
fn old_time() -> SystemTime {
    SystemTime::now() - Duration::from_millis(3_600_123)
}

fn set_time(path: &Path, time: SystemTime) {
    let file = std::fs::File::options().write(true).open(path).expect("a file");
    file.set_modified(time).expect("a time");
}

/// Lets the clock of the file system go on, so that stamps are trusted.
fn settle() {
    std::thread::sleep(Duration::from_millis(60));
}

#[cfg(unix)]
#[test]
fn other_content_of_the_same_size_and_time_is_seen() {
    for renamed in [false, true] {
        let project = Project::bare(&[("a.py", "def first():\n    return 1\n")]);
        let (file, time) = (project.path().join("a.py"), old_time());
        set_time(&file, time);
        settle();
        assert_eq!(project.run(&["init"]).code, 0);
        assert_eq!(project.run(&["find", "first"]).code, 0);
        let target = if renamed { project.path().join("a.tmp") } else { file.clone() };
        std::fs::write(&target, "def other():\n    return 2\n").expect("a file");
        set_time(&target, time);
        if renamed {
            std::fs::rename(&target, &file).expect("a rename");
        }
        let stale = project.run(&["get", "first", "--no-update"]);
        assert!(!stale.out.contains("return"), "renamed {renamed}: {}", stale.out);
        let shown = project.run(&["get", "other"]);
        assert!(shown.code == 0 && shown.out.contains("return 2"), "renamed {renamed}: {}{}", shown.out, shown.err);
        assert_eq!(project.run(&["find", "first"]).code, 1, "renamed {renamed}");
    }
}

#[test]
fn every_answer_shows_only_what_was_indexed() {
    let text = "def first():\n    return second()\n\n\ndef second():\n    return 'secret'\n";
    let project = Project::new(&[("a.py", text)]);
    project.write("a.py", &text.replace("secret", "hidden").replace("first()", "erste()").replace("return", "yield "));
    for arguments in [
        &["get", "first"][..],
        &["find", "first"],
        &["refs", "second"],
        &["callers", "second"],
        &["query", "second"],
        &["chunks", "a.py"],
        &["signature", "a.py"],
        &["context", "second"],
        &["hover", "a.py:1:5"],
        &["definition", "a.py:2:12"],
        &["references", "a.py:5:5"],
        &["ast", "a.py"],
        &["map"],
        &["find-ast", "--kind", "function_definition"],
    ] {
        let run = project.run(&[arguments, &["--no-update"]].concat());
        for new in ["hidden", "erste", "yield"] {
            assert!(!run.out.contains(new), "{arguments:?}: {}", run.out);
        }
        assert!(run.out.contains("a.py") || run.err.contains("a.py"), "{arguments:?}: {}{}", run.out, run.err);
    }
}

#[test]
fn a_skipped_file_that_is_ignored_by_now_stays_out() {
    let project = Project::bare(&[("a.py", "def first(): pass\n")]);
    std::fs::create_dir(project.path().join("gen")).expect("a folder");
    std::fs::write(project.path().join("gen/wide.py"), b"\xff\xfed\0e\0f\0").expect("a file");
    assert_eq!(project.run(&["init"]).code, 0);
    project.write(".gitignore", "gen/\n");
    assert_eq!(project.run(&["update"]).code, 0);
    project.write("gen/wide.py", "def repaired(): pass\n");
    assert_eq!(project.run(&["update"]).code, 0);
    assert_eq!(project.run(&["find", "repaired"]).code, 1);
    let doctor = project.run(&["doctor", "--full"]);
    assert_eq!(doctor.code, 0, "{}{}", doctor.out, doctor.err);
    // The same when both happen before anybody looks.
    let project = Project::bare(&[("a.py", "def first(): pass\n")]);
    std::fs::create_dir(project.path().join("gen")).expect("a folder");
    std::fs::write(project.path().join("gen/wide.py"), b"\xff\xfed\0e\0f\0").expect("a file");
    assert_eq!(project.run(&["init"]).code, 0);
    project.write("gen/wide.py", "def repaired(): pass\n");
    project.write(".gitignore", "gen/\n");
    assert_eq!(project.run(&["find", "repaired"]).code, 1);
}

#[test]
fn an_index_that_was_cut_off_is_refused_and_init_builds_it_anew() {
    for length in [0, 60, 5000] {
        let project = Project::new(&[("a.py", "def first(): pass\n")]);
        let index = std::fs::File::options().write(true).open(project.path().join(".codegraph/index.db"));
        index.and_then(|file| file.set_len(length)).expect("cut off");
        let run = project.run(&["find", "first"]);
        assert_eq!(run.code, 2, "{length}: {}", run.out);
        assert!(run.err.contains("hint: run 'codegraph init'"), "{length}: {}", run.err);
        let init = project.run(&["init"]);
        assert_eq!(init.code, 0, "{length}: {}", init.err);
        assert_eq!(project.run(&["find", "first"]).code, 0, "{length}");
    }
}

fn change_index(project: &Project, sql: &str) {
    let index = Connection::open(project.path().join(".codegraph/index.db")).expect("an index");
    index.execute_batch(sql).expect("a table of the index");
}

#[test]
fn paths_in_an_index_that_lead_outside_are_refused() {
    for sql in [
        "UPDATE place SET folder = '/etc/'", "UPDATE place SET folder = '../'", "UPDATE place SET folder = 'a/../../'",
        "UPDATE file SET name = '../secret.py'", "UPDATE file SET name = '/etc/passwd'",
    ] {
        let project = Project::bare(&[("a.py", "def first(): pass\n")]);
        assert_eq!(project.run(&["init"]).code, 0);
        // All stamps are old enough to be trusted then: an update has no reason to look at the file again.
        std::thread::sleep(std::time::Duration::from_millis(60));
        assert_eq!(project.run(&["update"]).code, 0);
        change_index(&project, sql);
        let ways = [&["find", "first"][..], &["get", "first"], &["doctor"], &["map"], &["tree"], &["update"]];
        for arguments in ways {
            let run = project.run(arguments);
            assert_ne!(run.code, 0, "{sql}: {arguments:?}: {}", run.out);
            let said = run.err + &run.out;
            assert!(said.contains("outside of the project"), "{sql}: {arguments:?}: {said}");
        }
        assert_eq!(project.run(&["init"]).code, 0);
        assert_eq!(project.run(&["find", "first"]).code, 0);
    }
}

#[test]
fn an_index_from_elsewhere_is_not_believed() {
    let other = Project::new(&[("b.py", "def theirs(): pass\n")]);
    let made = Project::new(&[("a.py", "def first(): pass\n")]);
    let linked = format!("INSERT INTO dependencies(path, name) VALUES ('{}', 'other')", other.path().display());
    change_index(&made, &linked);
    assert!(made.run(&["links"]).out.contains("other"));
    let cloned = Project::bare(&[("a.py", "def first(): pass\n")]);
    std::fs::create_dir(cloned.path().join(".codegraph")).expect("a folder");
    for name in ["index.db", "config.json"] {
        let from = made.path().join(".codegraph").join(name);
        std::fs::copy(from, cloned.path().join(".codegraph").join(name)).expect("a copy");
    }
    let links = cloned.run(&["links"]);
    assert!(!links.out.contains("other"), "{}", links.out);
    assert_eq!(cloned.run(&["find", "first"]).code, 0);
    assert!(!cloned.run(&["links"]).out.contains("other"));
}

#[test]
fn a_checkout_that_moves_keeps_its_index() {
    let around = tempfile::tempdir().expect("a temporary folder");
    let project = Project::new(&[("a.py", "def first(): pass\n")]);
    let made = |folder: &Path| {
        let run = project.run_in(folder, &["sql", "SELECT value FROM metadata WHERE key = 'created_at'"], "");
        assert_eq!(run.code, 0, "{}", run.err);
        run.out
    };
    change_index(&project, "UPDATE metadata SET value = '12345' WHERE key = 'created_at'");
    assert!(made(project.path()).contains("12345"));
    let moved = around.path().join("moved");
    std::fs::rename(project.path(), &moved).expect("on the same disk");
    assert!(made(&moved).contains("12345"));
    // A copy is built anew, and answers all the same.
    let copied = around.path().join("copied");
    assert!(std::process::Command::new("cp").arg("-r").args([&moved, &copied]).status().expect("cp").success());
    assert!(!made(&copied).contains("12345"));
    assert_eq!(project.run_in(&copied, &["find", "first"], "").code, 0);
    std::fs::rename(&moved, project.path()).expect("back");
}
