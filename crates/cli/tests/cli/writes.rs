//! The commands that make and change an index.

use std::process::Command;

use expect_test::expect;

use crate::support::Project;

#[test]
fn init_says_what_it_found() {
    let project = Project::bare(&[("a.py", "def f(): pass\n"), ("b.rs", "fn main() {}\n"), ("notes.txt", "x")]);
    project.write("c.py", "x = '\0'\n");
    expect![[r#"
        python        1 file         2 symbols
        rust          1 file         2 symbols
        not read, of no known language: 1 txt
        skipped c.py: binary
        indexed demo: 2 files, 27 B in N U; index N U
    "#]]
    .assert_eq(&project.transcript(&["init", "--name", "demo"]));
    let data = project.json(&["init"]);
    assert_eq!(data["success"], true);
    assert_eq!(data["files_indexed"], 2);
    assert_eq!(data["project_name"], "demo");
    assert_eq!(data["report"]["skipped"][0]["path"], "c.py");
    assert!(project.path().join(".codegraph/config.json").is_file());
}

#[test]
fn init_takes_languages_excludes_and_a_folder() {
    let project = Project::bare(&[("p/a.py", "x = 1\n"), ("p/gen/b.py", "y = 1\n"), ("p/c.rs", "fn f() {}\n")]);
    let data = project.json(&["init", "p", "--languages", "python", "--exclude", "gen/", "--threads", "1"]);
    assert_eq!(data["files_indexed"], 1);
    let run = project.run(&["tree", "--project", "p"]);
    assert_eq!(run.out, ".  1 file\n  a.py\n");
}

#[test]
fn init_leaves_a_folder_of_another_tool_alone() {
    let project = Project::bare(&[
        ("a.py", "x = 1\n"),
        (".codegraph/codegraph.db", "theirs"),
        (".codegraph/.gitignore", "*.db\n"),
    ]);
    let run = project.run(&["init"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("left alone: .codegraph/codegraph.db is not ours"), "{}", run.out);
    let theirs = std::fs::read_to_string(project.path().join(".codegraph/codegraph.db")).expect("still there");
    assert_eq!(theirs, "theirs");
}

#[test]
fn update_names_what_changed() {
    let project = Project::new(&[("a.py", "x = 1\n"), ("b.py", "y = 1\n")]);
    assert!(project.run(&["update"]).out.starts_with("nothing has changed"));
    project.write("a.py", "x = 1\nz = 2\n");
    project.write("c.py", "w = 1\n");
    std::fs::remove_file(project.path().join("b.py")).expect("it is there");
    let run = project.run(&["update"]);
    assert!(run.out.starts_with("+ c.py\n~ a.py\n- b.py\n"), "{}", run.out);
    assert!(project.run(&["update"]).out.starts_with("nothing has changed"));
}

#[test]
fn update_takes_files_and_lines() {
    let project = Project::new(&[("a.py", "one = 1\ntwo = 2\nthree = 3\n"), ("b.py", "y = 1\n")]);
    project.write("a.py", "one = 1\nnew = 2\nmore = 2\nthree = 3\n");
    project.write("b.py", "y = 2\n");
    let data = project.json(&["update", "a.py", "--lines", "2-2"]);
    assert_eq!(data["changed"], serde_json::json!(["a.py"]));
    assert_eq!(data["file"], "a.py");
    assert_eq!((data["items_added"].clone(), data["items_removed"].clone()), (2.into(), 1.into()));
    let ids = project.json(&[
        "sql",
        "SELECT l.id, line_number FROM lines l JOIN files f ON f.id = file_id WHERE path = 'a.py' ORDER BY line_number",
    ]);
    let first_last = (ids["rows"][0]["id"].clone(), ids["rows"][3]["id"].clone());
    assert_eq!(first_last, (1.into(), 3.into()));
    assert_eq!(project.run(&["update", "a.py", "--lines", "3-2"]).code, 2);
    assert_eq!(project.run(&["update", "a.py", "b.py", "--lines", "1-2"]).code, 2);
}

#[test]
fn update_batch_takes_arguments_and_json() {
    let project = Project::new(&[("a.py", "x = 1\n"), ("b.py", "y = 1\n")]);
    let edit = |n: u32| {
        project.write("a.py", &format!("x{n} = 1\n"));
        project.write("b.py", &format!("y{n} = 1\n"));
    };
    let both = serde_json::json!(["a.py", "b.py"]);
    edit(2);
    assert_eq!(project.json(&["update-batch", "a.py", "b.py:1-1"])["changed"], both);
    edit(3);
    let list = r#"[{"file": "a.py"}, {"file": "b.py", "from_line": 1, "to_line": 1}]"#;
    assert_eq!(project.json(&["update-batch", list])["changed"], both);
    edit(4);
    let run = project.run_in(project.path(), &["update-batch", "-", "--json"], r#"{"files": ["a.py", "b.py"]}"#);
    assert!(run.out.contains(r#""changed":["a.py","b.py"]"#), "{}{}", run.out, run.err);
    let run = project.run(&["update-batch", "[{}]"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("hint: give [{"), "{}", run.err);
}

#[test]
fn remove_takes_out_a_file_and_again() {
    let project = Project::new(&[("a.py", "x = 1\n"), ("d/b.py", "y = 1\n"), ("d/c.py", "y = 1\n")]);
    assert_eq!(project.json(&["remove", "a.py"])["removed"], serde_json::json!(["a.py"]));
    assert_eq!(project.json(&["remove", "a.py"])["removed"], serde_json::json!([]));
    assert_eq!(project.json(&["remove", "d"])["removed"], serde_json::json!(["d/b.py", "d/c.py"]));
    assert_eq!(project.run(&["query", "y", "--no-update"]).code, 1);
}

#[test]
fn sync_git_follows_git() {
    let project = Project::bare(&[("a.py", "x = 1\n"), ("b.py", "y = 1\n")]);
    let git = |arguments: &[&str]| {
        let identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"];
        let status =
            Command::new("git").current_dir(project.path()).args(identity).args(arguments).output().expect("git");
        assert!(status.status.success(), "{}", String::from_utf8_lossy(&status.stderr));
    };
    git(&["init", "-q"]);
    git(&["add", "-A"]);
    git(&["commit", "-qm", "one"]);
    assert_eq!(project.run(&["init"]).code, 0);
    project.write("a.py", "x2 = 1\n");
    git(&["rm", "-q", "b.py"]);
    git(&["add", "a.py"]);
    git(&["commit", "-qm", "two"]);
    let data = project.json(&["sync-git", "--from", "HEAD~1", "--to", "HEAD"]);
    assert_eq!(data["changed"], serde_json::json!(["a.py"]));
    assert_eq!(data["removed"], serde_json::json!(["b.py"]));
    assert_eq!(project.run(&["sync-git", "--from", "--oops"]).code, 2);
    assert_eq!(project.run(&["sync-git", "--from", "nowhere"]).code, 2);
}

#[test]
fn doctor_finds_nothing_in_a_fresh_index() {
    let project = Project::new(&[("a.py", "def f(): pass\n"), ("b.rs", "struct S;\n")]);
    let run = project.run(&["doctor", "--full"]);
    assert!(run.out.starts_with("healthy: 2 files, 2 read again"), "{}{}", run.out, run.err);
    assert_eq!(run.code, 0);
    project.write("a.py", "def g(): pass\n");
    let run = project.run(&["doctor"]);
    assert_eq!(run.code, 1);
    assert!(run.out.contains("a.py"), "{}", run.out);
}
