//! An answer never describes a file that has changed since it was read.

use std::path::Path;

use serde_json::json;

use crate::sample::Sample;

fn found(sample: &Sample, name: &str) -> bool {
    let (text, wrong) = sample.call("codegraph_find", json!({"name": name}));
    assert!(!wrong, "{text}");
    !text.contains("no symbol")
}

fn write(sample: &Sample, path: &str, text: &str) {
    let path = sample.folder.path().join(path);
    std::fs::create_dir_all(path.parent().expect("it is in a folder")).expect("a folder");
    std::fs::write(path, text).expect("a file");
}

#[test]
fn every_edit_is_seen_by_the_next_question() {
    let sample = Sample::new();
    for round in 0..40 {
        write(&sample, "app/hot.py", &format!("def version_{round}(): pass\n"));
        assert!(found(&sample, &format!("version_{round}")), "round {round}");
        assert!(round == 0 || !found(&sample, &format!("version_{}", round - 1)), "round {round}");
    }
}

#[test]
fn new_folders_are_watched_too() {
    let sample = Sample::new();
    assert!(found(&sample, "User"));
    write(&sample, "deep/down/here/new.py", "def one(): pass\n");
    assert!(found(&sample, "one"));
    write(&sample, "deep/down/here/new.py", "def two(): pass\n");
    assert!(found(&sample, "two") && !found(&sample, "one"));
    write(&sample, "deep/down/here/other.py", "def three(): pass\n");
    assert!(found(&sample, "three"));
    std::fs::rename(sample.folder.path().join("deep"), sample.folder.path().join("moved")).expect("a rename");
    let (text, _) = sample.call("codegraph_find", json!({"name": "three"}));
    assert!(text.contains("moved/down/here/other.py"), "{text}");
    std::fs::remove_dir_all(sample.folder.path().join("moved")).expect("it is there");
    assert!(!found(&sample, "three") && !found(&sample, "two"));
    write(&sample, "deep/down/here/new.py", "def four(): pass\n");
    assert!(found(&sample, "four"));
}

#[test]
fn rules_and_settings_are_watched_too() {
    let sample = Sample::new();
    write(&sample, "build/made.py", "def made(): pass\n");
    assert!(found(&sample, "made"));
    write(&sample, ".gitignore", "build/\n");
    assert!(!found(&sample, "made"));
    std::fs::remove_file(sample.folder.path().join(".gitignore")).expect("it is there");
    assert!(found(&sample, "made"));
    write(&sample, ".codegraph/config.json", r#"{"name": "sample", "exclude": ["build/"]}"#);
    assert!(!found(&sample, "made"));
}

#[test]
fn an_index_that_others_change_is_read_again() {
    let sample = Sample::new();
    assert!(found(&sample, "User"));
    let project = codegraph_index::Project::open(sample.folder.path()).expect("it is a project");
    for round in 0..3 {
        write(&sample, "app/hot.py", &format!("def by_others_{round}(): pass\n"));
        let how = codegraph_index::BuildOptions::default();
        codegraph_index::build(&project, &how, &codegraph_index::Silent).expect("it can be built");
        assert!(found(&sample, &format!("by_others_{round}")));
        assert!(found(&sample, "User"));
    }
}

#[test]
fn without_an_index_the_remedy_is_named_and_nothing_hangs() {
    let sample = Sample::new();
    assert!(found(&sample, "User"));
    std::fs::remove_dir_all(sample.folder.path().join(".codegraph")).expect("it is there");
    let (text, wrong) = sample.call("codegraph_find", json!({"name": "User"}));
    assert!(wrong && text.contains("hint: run codegraph_init"), "{text}");
    let (text, wrong) = sample.call("codegraph_init", json!({}));
    assert!(!wrong, "{text}");
    assert!(found(&sample, "User"));
}

#[test]
fn files_that_cannot_be_refreshed_are_named() {
    let sample = Sample::new();
    assert!(found(&sample, "User"));
    let config = Path::new(".codegraph/config.json");
    write(&sample, config.to_str().expect("plain"), r#"{"name": "sample", "auto_update": false}"#);
    write(&sample, "app/late.py", "def late(): pass\n");
    let (text, _) = sample.call("codegraph_find", json!({"name": "late"}));
    assert!(text.contains("changed since indexed: app/late.py; run codegraph_update"), "{text}");
    sample.call("codegraph_update", json!({}));
    assert!(found(&sample, "late"));
}

#[cfg(unix)]
#[test]
fn other_content_of_the_same_size_and_time_is_seen() {
    let time = std::time::SystemTime::now() - std::time::Duration::from_millis(3_600_123);
    let stamped = |path: &Path, text: &str| {
        std::fs::write(path, text).expect("a file");
        let file = std::fs::File::options().write(true).open(path).expect("a file");
        file.set_modified(time).expect("a time");
    };
    let sample = Sample::new();
    let file = sample.folder.path().join("app/hot.py");
    stamped(&file, "def one(): pass\n");
    std::thread::sleep(std::time::Duration::from_millis(60));
    assert!(found(&sample, "one"));
    stamped(&file, "def two(): pass\n");
    assert!(found(&sample, "two") && !found(&sample, "one"));
    let beside = sample.folder.path().join("app/hot.tmp");
    stamped(&beside, "def six(): pass\n");
    std::fs::rename(&beside, &file).expect("a rename");
    assert!(found(&sample, "six") && !found(&sample, "two"));
}

#[test]
fn an_index_that_shrinks_is_built_anew_and_the_answer_says_so() {
    for length in [0, 1000, 4096, 20_000] {
        let sample = Sample::new();
        assert!(found(&sample, "User"));
        let index = std::fs::File::options().write(true).open(sample.folder.path().join(".codegraph/index.db"));
        index.and_then(|file| file.set_len(length)).expect("cut off");
        // Until something has to be read again, what is in memory is right.
        let mut said = String::new();
        for (tool, name) in [("codegraph_find", "name"), ("codegraph_query", "term"), ("codegraph_callers", "symbol")] {
            let (text, wrong) = sample.call(tool, json!({name: "User"}));
            assert!(!wrong, "{length}: {tool}: {text}");
            said.push_str(&text);
        }
        write(&sample, "app/late.py", "def late(): pass\n");
        let (text, wrong) = sample.call("codegraph_find", json!({"name": "late"}));
        assert!(!wrong && text.contains("late.py"), "{length}: {text}");
        assert!(format!("{said}{text}").contains("built anew"), "{length}: {said}{text}");
    }
}

#[test]
fn another_branch_is_seen_while_the_server_runs() {
    let sample = Sample::new();
    let switch_to = |branch: &str| {
        for at in 0..130 {
            write(&sample, &format!("many/m{at}.py"), &format!("def {branch}_{at}(): pass\n"));
        }
    };
    // The second time the server finds the state before again.
    for round in 0..2 {
        for (branch, other) in [("main", "topic"), ("topic", "main")] {
            switch_to(branch);
            for at in [0, 77, 129] {
                assert!(found(&sample, &format!("{branch}_{at}")), "{branch}_{at} in round {round}");
                assert!(!found(&sample, &format!("{other}_{at}")), "{other}_{at} in round {round}");
            }
            write(&sample, "many/m5.py", &format!("def edited_{branch}_{round}(): pass\n"));
            assert!(found(&sample, &format!("edited_{branch}_{round}")), "an edit after the switch");
        }
    }
    assert!(sample.folder.path().join(".codegraph/index.db.before").exists());
}
