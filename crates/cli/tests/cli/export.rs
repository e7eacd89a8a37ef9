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
