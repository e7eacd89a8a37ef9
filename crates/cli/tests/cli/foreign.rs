//! A `.codegraph` folder that another tool made: the index goes beside it, and not a byte of theirs changes.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use crate::support::Project;

const SOURCE: &str = "def area(side):\n    return side * side\n\ndef main():\n    return area(2)\n";

/// What a folder holds, by name.
fn content(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.map(|path| (path.display().to_string(), std::fs::read(&path).expect("a file"))).collect()
}

fn foreign() -> Project {
    let project = Project::bare(&[("app/shapes.py", SOURCE)]);
    project.write(".codegraph/config.json", "{\"version\": 1, \"include\": [\"**/*.py\"], \"maxFileSize\": 1000}\n");
    project.write(".codegraph/codegraph.db", "theirs\n");
    project.write(".codegraph/.gitignore", "*.db\n");
    // A database of somebody else, under our name.
    let mut database = b"SQLite format 3\0".to_vec();
    database.resize(4096, 1);
    std::fs::write(project.path().join(".codegraph/index.db"), database).expect("a file");
    project
}

#[test]
fn init_works_beside_it_and_leaves_it_as_it_is() {
    let project = foreign();
    let before = content(&project.path().join(".codegraph"));
    let run = project.run(&["find", "area"]);
    assert!(run.code == 2 && run.err.contains("hint: run 'codegraph init'"), "{}", run.err);
    for _ in 0..2 {
        let run = project.run(&["init"]);
        assert_eq!(run.code, 0, "{}{}", run.out, run.err);
        let said = ".codegraph belongs to another tool: the index is in .codegraph-index";
        assert!(format!("{}{}", run.out, run.err).contains(said), "{}{}", run.out, run.err);
    }
    for arguments in
        [&["callers", "area"][..], &["status"], &["summary"], &["docs"], &["update"], &["doctor"], &["map"]]
    {
        let run = project.run(arguments);
        assert!(run.code < 2, "{arguments:?}: {}{}", run.out, run.err);
    }
    assert!(project.run(&["callers", "area"]).out.contains("app/shapes.py: main:5"));
    project.write("app/more.py", "from app.shapes import area\narea(3)\n");
    assert!(project.run(&["callers", "area"]).out.contains("app/more.py"));
    assert!(!project.run(&["file-tree"]).out.contains("codegraph"));
    assert_eq!(content(&project.path().join(".codegraph")), before);
    assert!(project.path().join(".codegraph-index/index.db").exists());
}

#[test]
fn the_folder_is_named_by_option_variable_or_settings() {
    let project = Project::bare(&[("a.py", SOURCE)]);
    let run = project.run(&["init", "--data-dir", ".codegraph-two"]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(project.path().join(".codegraph-two/index.db").exists() && !project.path().join(".codegraph").exists());
    // It is found again without being named.
    assert!(project.run(&["callers", "area"]).out.contains("main"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_codegraph"));
    command.arg("init").current_dir(project.path()).env("CODEGRAPH_DIR", ".codegraph-three");
    assert!(command.output().expect("it runs").status.success());
    assert!(project.path().join(".codegraph-three/index.db").exists());
    let project = Project::bare(&[("a.py", SOURCE)]);
    project.write(".codegraph/config.json", "{\"data_dir\": \".codegraph-four\"}");
    let run = project.run(&["init"]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    assert!(project.path().join(".codegraph-four/index.db").exists());
    assert!(!project.path().join(".codegraph/index.db").exists());
    assert!(project.run(&["callers", "area"]).out.contains("main"));
}

#[test]
fn the_index_cannot_be_put_among_other_files() {
    for name in ["src", ".git", "..", "/tmp", ".codegraph-a/b"] {
        let project = Project::bare(&[("src/a.py", SOURCE)]);
        let run = project.run(&["init", "--data-dir", name]);
        assert!(run.code == 2 && run.err.contains("hint: give .codegraph, or a name that begins with"), "{}", run.err);
        project.write(".codegraph/config.json", &format!("{{\"data_dir\": \"{name}\"}}"));
        let run = project.run(&["init"]);
        assert!(run.code == 2 && run.err.contains("cannot be the folder of the index"), "{name}: {}", run.err);
        assert!(!project.path().join("src/index.db").exists());
    }
}
