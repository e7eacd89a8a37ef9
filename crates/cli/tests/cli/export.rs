//! Exports through the binary: what goes with what, where it is written, and that two runs are equal. What the formats
//! contain is read back in `tests/readers`.

use crate::support::Project;

const FILES: &[(&str, &str)] = &[
    ("app/main.py", "from app.store import Store\n\n\ndef main():\n    store = Store()\n    return store.save('x')\n"),
    (
        "app/store.py",
        "class Store:\n    def save(self, item):\n        return helper(item)\n\n\ndef helper(item):\n    return item\n",
    ),
    ("app/__init__.py", ""),
    ("tools/alone.py", "def alone():\n    return 1\n"),
];

fn written(project: &Project, name: &str) -> String {
    std::fs::read_to_string(project.path().join(name)).expect("it was written")
}

#[test]
fn every_format_has_a_usual_name_and_is_the_same_twice() {
    let project = Project::new(FILES);
    for (format, name) in [
        ("lsif", "index.lsif"),
        ("json", "index.json"),
        ("ndjson", "index.ndjson"),
        ("dot", "index.dot"),
        ("mermaid", "index.mmd"),
        ("graphml", "index.graphml"),
    ] {
        let run = project.run(&["export", "--format", format]);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{format}");
        assert!(run.out.starts_with(&format!("wrote {name}: ")), "{}", run.out);
        let first = written(&project, name);
        let piped = project.run(&["export", "--format", format, "--out", "-"]);
        assert!(piped.out == first, "{format} through a pipe");
    }
    let run = project.run(&["export", "--format", "sqlite"]);
    assert!(run.out.contains("4 files"), "{}", run.out);
    let first = std::fs::read(project.path().join("index.sqlite")).expect("it was written");
    project.run(&["export", "--format", "sqlite"]);
    assert!(first == std::fs::read(project.path().join("index.sqlite")).expect("it was written"));
}

#[test]
fn a_picture_shows_what_is_near_its_scope() {
    let project = Project::new(FILES);
    let drawn = |arguments: &[&str]| {
        let run = project.run(&[&["export", "--format", "mermaid", "--out", "-"], arguments].concat());
        assert_eq!(run.code, 0, "{}", run.err);
        let name = |line: &str| Some(line.split_once("[\"")?.1.trim_end_matches("\"]").to_owned());
        let mut names: Vec<String> = run.out.lines().filter(|l| !l.contains("subgraph")).filter_map(name).collect();
        names.sort();
        names
    };
    assert_eq!(drawn(&[]), ["app/__init__.py", "app/main.py", "app/store.py", "tools/alone.py"]);
    assert_eq!(drawn(&["--scope", "app/main.py", "--by", "file"]), ["app/__init__.py", "app/main.py", "app/store.py"]);
    assert_eq!(drawn(&["--scope", "tools"]), ["tools/alone.py"]);
    assert_eq!(drawn(&["--scope", "folder"]), ["app", "tools"]);
    assert_eq!(drawn(&["--scope", "helper"]), ["helper", "save"]);
    assert_eq!(drawn(&["--scope", "helper", "--depth", "2"]), ["helper", "main", "save"]);
    assert_eq!(drawn(&["--scope", "alone", "--depth", "9"]), ["alone"]);
}

/// Ids of a symbol's rows by path.
fn ids(project: &Project, name: &str) -> Vec<(String, String)> {
    let data =
        project.json(&["sql", &format!("SELECT file_path, symbol_id FROM symbols WHERE name = '{name}' ORDER BY 1")]);
    let text = |value: &serde_json::Value| value.as_str().expect("a text").to_owned();
    data["rows"]
        .as_array()
        .expect("rows")
        .iter()
        .map(|row| (text(&row["file_path"]), text(&row["symbol_id"])))
        .collect()
}

#[test]
fn an_id_stays_when_another_file_gets_a_symbol_of_the_same_name() {
    let own = "package p;\n\nclass Twin {\n    void run() {}\n}\n";
    let project = Project::new(&[("b/Twin.java", own), ("m/util.c", "static int helper(void) { return 1; }\n")]);
    let before = [ids(&project, "run"), ids(&project, "helper")].concat();
    // The same text before it in the order of paths, and another behind it.
    project.write("a/Twin.java", own);
    project.write("a/util.c", "static int helper(void) { return 1; }\n");
    project.write("z/util.c", "/* */ static int helper(void) { return 2; }\n");
    let after = [ids(&project, "run"), ids(&project, "helper")].concat();
    assert_eq!(after.len(), 5, "{after:?}");
    assert!(before.iter().all(|row| after.contains(row)), "{before:?} {after:?}");
    let distinct: std::collections::BTreeSet<&String> = after.iter().map(|(_, id)| id).collect();
    assert_eq!(distinct.len(), after.len());
    assert!(project.run(&["collisions"]).out.contains("no collisions"));
    let found = project.json(&["find", &before[0].1[..10]]);
    assert_eq!(found["symbols"][0]["file"], "b/Twin.java");
}

#[test]
fn a_snapshot_is_brought_back_and_what_differs_is_read_again() {
    let project = Project::new(FILES);
    let saved = project.run(&["snapshot", "save", "index.zst"]);
    assert_eq!(saved.code, 0, "{}", saved.err);
    let other = Project::bare(FILES);
    other.write("app/store.py", "class Store:\n    def keep(self):\n        return 1\n");
    std::fs::copy(project.path().join("index.zst"), other.path().join("index.zst")).expect("a copy");
    let loaded = other.run(&["snapshot", "load", "index.zst"]);
    assert_eq!((loaded.code, loaded.err.as_str()), (0, ""));
    assert!(loaded.out.contains("1 file read again, 0 gone"), "{}", loaded.out);
    assert_eq!(other.json(&["find", "keep"])["total"], 1);
    assert_eq!(other.json(&["find", "helper"])["total"], 0);
    assert_eq!(other.json(&["find", "alone"])["total"], 1);
    assert_eq!(other.run(&["doctor", "--deep"]).code, 0);
    // What is no snapshot changes nothing.
    other.write("broken.zst", "nothing of ours");
    let refused = other.run(&["snapshot", "load", "broken.zst"]);
    assert_eq!(refused.code, 2, "{}", refused.out);
    let mut cut = std::fs::read(project.path().join("index.zst")).expect("it is there");
    cut.truncate(cut.len() / 2);
    std::fs::write(other.path().join("cut.zst"), cut).expect("a file");
    assert_eq!(other.run(&["snapshot", "load", "cut.zst"]).code, 2);
    assert_eq!(other.json(&["find", "keep"])["total"], 1);
}

#[test]
fn what_does_not_go_together_is_refused_with_the_way_on() {
    let project = Project::new(FILES);
    for (arguments, hint) in [
        (&["--format", "dot", "--tables", "files"][..], "--tables goes with"),
        (&["--format", "json", "--scope", "app"], "--scope, --by and --depth go with"),
        (&["--format", "csv", "--tables", "nothing"], "the tables are files, lines"),
        (&["--format", "csv", "--out", "-"], "name one with --tables"),
        (&["--format", "dot", "--scope", "no_such_thing"], "a path below the project's root"),
        (&["--format", "json", "--out", "no/such/folder/x"], "folder is there"),
    ] {
        let run = project.run(&[&["export"], arguments].concat());
        assert_eq!(run.code, 2, "{arguments:?}: {}", run.out);
        assert!(run.err.contains(hint), "{arguments:?}: {}", run.err);
    }
}

#[test]
fn one_table_goes_to_a_pipe_and_several_to_a_folder() {
    let project = Project::new(FILES);
    let run = project.run(&["export", "--format", "csv", "--tables", "functions", "--out", "-"]);
    let names: Vec<_> = run.out.lines().skip(1).map(|line| line.split(',').nth(2).expect("a name")).collect();
    assert_eq!(names, ["main", "helper", "alone"]);
    let run = project.run(&["export", "--format", "csv", "--tables", "files,symbols", "--out", "tables"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(written(&project, "tables/files.csv").contains("app/store.py"));
    assert!(written(&project, "tables/symbols.csv").lines().count() > 8);
}
