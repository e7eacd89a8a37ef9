//! Wrong usage and hostile inputs: a message with its remedy, exit status 2, and nothing changed.

use expect_test::expect;

use crate::support::Project;

fn small() -> Project {
    Project::new(&[("a.py", "def f(x):\n    return x\n")])
}

#[test]
fn without_an_index_the_remedy_is_named() {
    let project = Project::bare(&[("a.py", "x = 1\n")]);
    expect![[r#"
        --- stderr
        error: no codegraph project at or above ROOT
        hint: run 'codegraph init' in the project's folder
        --- exit 2
    "#]]
    .assert_eq(&project.transcript(&["query", "x"]));
    assert!(!project.path().join(".codegraph").exists());
    project.write(".codegraph/config.json", "{}");
    expect![[r#"
        --- stderr
        error: no index at ROOT/.codegraph/index.db
        hint: run 'codegraph init'
        --- exit 2
    "#]]
    .assert_eq(&project.transcript(&["status"]));
    assert!(!project.path().join(".codegraph/index.db").exists());
}

#[test]
fn words_outside_the_vocabulary_are_refused_with_the_list() {
    let project = small();
    expect![[r#"
        --- stderr
        error: 'codee' is not a line type
        hint: one of: code, comment, struct, method, property, string
        --- exit 2
    "#]]
    .assert_eq(&project.transcript(&["query", "x", "--type", "codee"]));
    for arguments in [
        &["find", "x", "--kind", "clazz"][..],
        &["find", "x", "--label", "klingon"],
        &["label", "klingon"],
        &["collisions", "--field", "name"],
        &["init", "--languages", "klingon"],
        &["find-ast", "--kind", "no_such_node_kind_at_all"],
    ] {
        let run = project.run(arguments);
        assert_eq!(run.code, 2, "{arguments:?}: {}", run.out);
        assert!(run.err.starts_with("error: ") && run.err.contains("\nhint: "), "{arguments:?}: {}", run.err);
    }
}

#[test]
fn a_bad_regular_expression_or_glob_is_refused() {
    let project = small();
    expect![[r#"
        --- stderr
        error: the regular expression '(' does not compile: unclosed group
        hint: the syntax is that of the Rust regex crate: no look-around, no references
        --- exit 2
    "#]]
    .assert_eq(&project.transcript(&["query", "(", "--regex"]));
    assert_eq!(project.run(&["query", "x{1000}{1000}{1000}", "--regex"]).code, 2);
    assert_eq!(project.run(&["query", "x", "--file-filter", "a[b"]).code, 2);
}

#[test]
fn sql_cannot_write_and_cannot_break() {
    let project = small();
    let index = project.path().join(".codegraph/index.db");
    let before = std::fs::read(&index).expect("an index");
    for statement in [
        "DELETE FROM files", "DROP TABLE metadata", "UPDATE metadata SET value = 'x'", "PRAGMA user_version = 7",
        "ATTACH 'x.db' AS x", "SELECT 1; DELETE FROM files", "VACUUM INTO 'copy.db'", "SELECT", "nonsense", "",
    ] {
        let run = project.run(&["sql", statement, "--no-update"]);
        assert_eq!(run.code, 2, "{statement}: {}", run.out);
        assert!(run.err.starts_with("error: "), "{statement}: {}", run.err);
    }
    assert!(std::fs::read(&index).expect("an index") == before, "the index has changed");
    assert!(!project.path().join("x.db").exists() && !project.path().join("copy.db").exists());
}

#[test]
fn paths_outside_the_project_are_refused() {
    let project = small();
    for arguments in [
        &["signature", "../../etc/passwd"][..],
        &["signature", "/etc/passwd"],
        &["ast", "/etc/passwd"],
        &["tree", "../.."],
        &["update", "/etc/passwd"],
        &["update", "../x.py"],
        &["remove", "/etc"],
        &["query", "f", "--file-filter", "../*"],
    ] {
        let run = project.run(arguments);
        assert_ne!(run.code, 0, "{arguments:?}: {}", run.out);
        assert!(!run.out.contains("root:"), "{arguments:?}: {}", run.out);
    }
    expect![[r#"
        --- stderr
        error: '/etc/passwd' is outside the project
        hint: give a path inside the project folder
        --- exit 2
    "#]]
    .assert_eq(&project.transcript(&["signature", "/etc/passwd"]));
}

#[cfg(unix)]
#[test]
fn a_link_that_replaced_a_folder_is_not_followed_out() {
    let project = Project::new(&[("d/a.py", "secret = 1\n")]);
    let outside = tempfile::TempDir::new().expect("a folder");
    std::fs::write(outside.path().join("a.py"), "secret = 2\n").expect("a file");
    std::fs::remove_dir_all(project.path().join("d")).expect("it is there");
    std::os::unix::fs::symlink(outside.path(), project.path().join("d")).expect("a link");
    for arguments in [&["get", "secret"][..], &["get", "secret", "--no-update"], &["query", "secret", "--no-update"]] {
        assert!(!project.run(arguments).out.contains("secret = 2"), "{arguments:?}");
    }
}

#[test]
fn an_unknown_file_or_position_is_refused_with_neighbours() {
    let project = small();
    expect![[r#"
        --- stderr
        error: 'b.py' is not in the index
        hint: near: a.py
        --- exit 2
    "#]]
    .assert_eq(&project.transcript(&["signature", "b.py"]));
    for arguments in [
        &["ast", "a.py", "--position", "99999"][..],
        &["ast", "a.py", "--position", "9:9"],
        &["ast", "a.py", "--position", "x"],
        &["update", "nothing.py"],
        &["find"],
        &["nothing"],
        &[],
    ] {
        let run = project.run(arguments);
        assert_ne!(run.code, 0, "{arguments:?}: {}", run.out);
    }
}

/// An index that is not ours, or not readable, stays as it is.
fn refused(bytes: &[u8], message: &str) {
    let project = small();
    let index = project.path().join(".codegraph/index.db");
    for extra in ["index.db-wal", "index.db-shm"] {
        let _ = std::fs::remove_file(project.path().join(".codegraph").join(extra));
    }
    std::fs::write(&index, bytes).expect("written");
    for arguments in [&["query", "f"][..], &["status"], &["update"], &["sql", "SELECT 1"], &["init"]] {
        let run = project.run(arguments);
        assert_eq!(run.code, 2, "{arguments:?}: {}", run.out);
        assert!(run.err.contains(message), "{arguments:?}: {}", run.err);
        assert!(run.err.contains("\nhint: "), "{arguments:?}: {}", run.err);
        assert!(std::fs::read(&index).expect("still there") == bytes, "changed by {arguments:?}");
    }
}

#[test]
fn a_file_that_is_no_database_is_refused_untouched() {
    refused(b"this is not a database, but somebody's notes\n", "was not made by codegraph");
}

#[test]
fn a_database_of_another_program_is_refused_untouched() {
    let mut header = vec![0u8; 4096];
    header[..16].copy_from_slice(b"SQLite format 3\0");
    header[16..18].copy_from_slice(&4096u16.to_be_bytes());
    header[18..20].copy_from_slice(&[1, 1]);
    header[21..24].copy_from_slice(&[64, 32, 32]);
    header[31] = 1;
    header[47] = 4;
    header[59] = 1;
    header[68..72].copy_from_slice(&0x1234_5678u32.to_be_bytes());
    header[100] = 13;
    header[105..107].copy_from_slice(&4096u16.to_be_bytes());
    refused(&header, "was not made by codegraph");
}

#[test]
fn a_newer_schema_is_refused_untouched() {
    let project = small();
    let index = project.path().join(".codegraph/index.db");
    let mut bytes = std::fs::read(&index).expect("an index");
    // `user_version` of the database header.
    bytes[60..64].copy_from_slice(&999u32.to_be_bytes());
    refused(&bytes, "schema 999");
}

#[test]
fn a_damaged_index_fails_with_the_remedy() {
    let project = small();
    let index = project.path().join(".codegraph/index.db");
    let mut bytes = std::fs::read(&index).expect("an index");
    let end = bytes.len();
    bytes[200..end].fill(0xa5);
    std::fs::write(&index, &bytes).expect("written");
    for arguments in [&["query", "f"][..], &["find", "f"], &["status"], &["sql", "SELECT * FROM files"]] {
        let run = project.run(arguments);
        assert_eq!(run.code, 2, "{arguments:?}: {}", run.out);
        assert!(run.err.contains("error: ") && run.err.contains("hint: "), "{arguments:?}: {}", run.err);
    }
}

/// SQLite's own files are never proof: a torn or foreign log, a torn or foreign map of it, alone and together.
#[test]
fn what_lies_beside_an_index_changes_no_answer() {
    let project = small();
    let own = |name: &str| project.path().join(".codegraph").join(name);
    let expected = project.run(&["find", "f"]).out;
    let index = std::fs::read(own("index.db")).expect("an index");
    let texts: [&[u8]; 5] = [b"", b"x", &[0xa5; 32], &[0; 40_000], &index];
    for (wal, shm) in texts.iter().flat_map(|wal| texts.iter().map(move |shm| (wal, shm))) {
        std::fs::write(own("index.db-wal"), wal).expect("written");
        std::fs::write(own("index.db-shm"), shm).expect("written");
        let run = project.run(&["find", "f"]);
        assert_eq!((run.code, &run.out), (0, &expected), "{} and {} bytes: {}", wal.len(), shm.len(), run.err);
        assert_eq!(project.run(&["doctor", "--full"]).code, 0, "{} and {} bytes", wal.len(), shm.len());
    }
    project.write("a.py", "def other():\n    return 1\n");
    assert!(project.run(&["find", "other"]).out.contains("a.other"));
}

#[test]
fn a_configuration_that_does_not_parse_is_reported_and_kept() {
    let project = small();
    project.write(".codegraph/config.json", "{\n  \"languages\": [\n");
    let run = project.run(&["query", "f"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("config.json:"), "{}", run.err);
    assert_eq!(project.run(&["init"]).code, 2);
    let kept = std::fs::read_to_string(project.path().join(".codegraph/config.json")).expect("kept");
    assert_eq!(kept, "{\n  \"languages\": [\n");
}

#[test]
fn odd_names_and_texts_do_not_break_anything() {
    let project = Project::new(&[
        ("a b/c'd \"e\".py", "def naïve(): pass\n"),
        ("emoji 🦀.py", "def crab(): return '🦀' * 3\n"),
        ("crlf.py", "def win():\r\n    pass\r\n"),
        ("empty.py", ""),
        ("bom.py", "\u{feff}def marked(): pass\n"),
        ("broken.py", "def (((:\n  class\n"),
    ]);
    for name in ["naïve", "crab", "win", "marked"] {
        assert_eq!(project.run(&["find", name]).code, 0, "{name}");
        assert_eq!(project.run(&["query", name]).code, 0, "{name}");
        assert_eq!(project.run(&["get", name]).code, 0, "{name}");
    }
    for file in ["a b/c'd \"e\".py", "emoji 🦀.py", "empty.py", "broken.py"] {
        for command in ["signature", "ast", "chunks"] {
            assert_ne!(project.run(&[command, file]).code, 2, "{command} {file}");
        }
    }
    for text in ["'", "\"", "%", "_", "\\", "*", "🦀", "->", "a' OR 1=1"] {
        for command in ["query", "find", "get"] {
            assert_ne!(project.run(&[command, text]).code, 2, "{command} {text}");
        }
    }
}

#[test]
fn a_statement_that_takes_everything_is_stopped() {
    let project = Project::new(&[("a.py", "def f(): pass\n")]);
    let endless = "WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t) SELECT count(*) FROM t";
    let run = project.run(&["sql", "--timeout", "1", endless]);
    assert!(run.code == 2 && run.err.contains("stopped after 1 s") && run.err.contains("hint: give"), "{}", run.err);
    let large = ["hex(randomblob(7000000))"; 60].join(", ");
    let run = project.run(&["sql", &format!("SELECT {large}")]);
    assert!(run.code == 2 && run.err.contains("more than 512 MB"), "{}", run.err);
    let run = project.run(&["sql", "SELECT hex(zeroblob(100000000))"]);
    assert!(run.code == 2 && run.err.contains("too big"), "{}", run.err);
    let many = "WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t) SELECT x, hex(zeroblob(500000)) FROM t";
    let answer = project.json(&["sql", "--limit", "100000", many]);
    assert_eq!(answer["truncated"], true);
}
