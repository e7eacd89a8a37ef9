//! Linked projects: link, unlink, links, scan, and questions that go on into them.

use serde_json::Value;

use super::support::Project;

/// A library and a program that uses it, linked.
fn pair(library: &[(&str, &str)], program: &[(&str, &str)]) -> (Project, Project) {
    let library = Project::new(library);
    let program = Project::new(program);
    let path = library.path().to_str().expect("UTF-8").to_owned();
    let run = program.run(&["link", &path, "--name", "lib"]);
    assert_eq!(run.code, 0, "{}", run.err);
    (library, program)
}

const LIBRARY: &[(&str, &str)] = &[
    ("pyproject.toml", "[project]\nname = \"mesh-lib\"\n"),
    ("src/mesh/__init__.py", "from .core import Mesh as Mesh, render\n"),
    (
        "src/mesh/core.py",
        "class Mesh:\n    def __init__(self): ...\n\ndef render(m):\n    return Mesh()\n\ndef other():\n    render(1)\n",
    ),
];

const PROGRAM: &[(&str, &str)] = &[(
    "app.py",
    "import mesh\nfrom mesh import render as paint\nfrom mesh.core import Mesh\n\ndef main():\n    paint(Mesh())\n    mesh.render(2)\n\ndef top():\n    main()\n",
)];

fn places(rows: &Value) -> Vec<String> {
    let row = |row: &Value| {
        let project = row["project"].as_str().or(row["user"]["project"].as_str());
        let project = project.map_or_else(String::new, |name| format!("{name}: "));
        format!("{project}{}:{}", row["file"].as_str().expect("a file"), row["line_number"])
    };
    rows.as_array().expect("a list").iter().map(row).collect()
}

#[test]
fn terms_and_symbols_are_found_in_linked_projects_when_asked() {
    let (_library, program) = pair(LIBRARY, PROGRAM);
    let alone = program.json(&["query", "Mesh", "--case-sensitive"]);
    assert_eq!(places(&alone["matches"]), ["app.py:3", "app.py:6"]);
    let all = program.json(&["query", "Mesh", "--case-sensitive", "--include-dependencies"]);
    let own = ["app.py:3", "app.py:6"].map(String::from).to_vec();
    let there = ["lib: src/mesh/__init__.py:1", "lib: src/mesh/core.py:1", "lib: src/mesh/core.py:5"].map(String::from);
    assert_eq!(places(&all["matches"]), [own, there.to_vec()].concat());
    assert_eq!(all["total_matches"], 5);
    let part =
        program.json(&["query", "Mesh", "--case-sensitive", "--include-dependencies", "--limit", "2", "--offset", "1"]);
    assert_eq!(places(&part["matches"]), ["app.py:6", "lib: src/mesh/__init__.py:1"]);
    assert_eq!(part["next_offset"], 3);
    assert_eq!(program.run(&["find", "Mesh", "--kind", "class"]).code, 1);
    let found = program.json(&["find", "Mesh", "--kind", "class", "--include-dependencies"]);
    assert_eq!(places(&found["symbols"]), ["lib: src/mesh/core.py:1"]);
    assert!(found.get("coverage").is_none());
}

#[test]
fn references_are_bound_into_a_linked_project_through_its_own_re_exports() {
    let (_library, program) = pair(LIBRARY, PROGRAM);
    let found = program.json(&["refs", "render", "--include-dependencies"]);
    assert_eq!(found["symbol"]["project"], "lib");
    let expected = ["app.py:2", "app.py:6", "app.py:7", "lib: src/mesh/__init__.py:1", "lib: src/mesh/core.py:8"];
    assert_eq!(places(&found["references"]), expected);
    let text = program.transcript(&["callers", "render", "--include-dependencies", "--depth", "2"]);
    expect_test::expect![[r#"
        function render  lib: src/mesh/core.py:4
        3 callers, 4 calls
          app.py: main:6,7
            app.py: top:10  via main
          lib: src/mesh/core.py: other:8
    "#]]
    .assert_eq(&text);
    assert_eq!(program.run(&["refs", "render"]).code, 1);
}

#[test]
fn each_language_binds_by_the_names_of_its_packages() {
    type Files = &'static [(&'static str, &'static str)];
    let cases: &[(Files, Files, &str, &[&str])] = &[
        (
            &[
                ("Cargo.toml", "[package]\nname = \"mesh-lib\"\n"),
                ("src/lib.rs", "mod core;\npub use core::render;\n"),
                ("src/core.rs", "pub fn render() {}\n"),
            ],
            &[
                ("Cargo.toml", "[package]\nname = \"app\"\n"),
                ("src/main.rs", "use mesh_lib::render;\nfn main() {\n    render();\n    mesh_lib::render();\n}\n"),
            ],
            "render",
            &["src/main.rs:1", "src/main.rs:3", "src/main.rs:4"],
        ),
        (
            &[
                ("package.json", "{\"name\": \"@me/mesh\", \"main\": \"./src/index.ts\"}"),
                ("src/index.ts", "export * from './core';\n"),
                ("src/core.ts", "export function render(): void {}\n"),
            ],
            &[
                ("package.json", "{\"name\": \"app\"}"),
                ("app.ts", "import { render as paint } from '@me/mesh';\nexport function main() {\n  paint();\n}\n"),
            ],
            "render",
            &["app.ts:1", "app.ts:3"],
        ),
        (
            &[("go.mod", "module example.com/mesh\n"), ("core/core.go", "package core\n\nfunc Render() {}\n")],
            &[
                ("go.mod", "module example.com/app\n"),
                ("main.go", "package main\n\nimport \"example.com/mesh/core\"\n\nfunc main() {\n\tcore.Render()\n}\n"),
            ],
            "Render",
            &["main.go:6"],
        ),
        (
            &[(
                "src/org/mesh/Core.java",
                "package org.mesh;\n\npublic class Core {\n    public static void render() {}\n}\n",
            )],
            &[(
                "src/app/Main.java",
                "package app;\n\nimport org.mesh.Core;\n\npublic class Main {\n    void main() {\n        Core.render();\n    }\n}\n",
            )],
            "render",
            &["src/app/Main.java:7"],
        ),
    ];
    for (library, program, symbol, expected) in cases {
        let (_library, program) = pair(library, program);
        let found = program.json(&["refs", symbol, "--include-dependencies"]);
        let mut own: Vec<String> =
            places(&found["references"]).into_iter().filter(|place| !place.starts_with("lib")).collect();
        own.dedup();
        assert_eq!(own, *expected, "{found}");
    }
}

#[test]
fn a_name_that_only_looks_the_same_is_not_bound() {
    let (_library, program) = pair(
        &[("mesh/__init__.py", "def render(): ...\n")],
        &[(
            "app.py",
            "import meshes\nfrom other import render\n\ndef main(x):\n    meshes.render()\n    render()\n    x.render()\n",
        )],
    );
    let found = program.json(&["refs", "render", "--include-dependencies"]);
    assert_eq!(found["total"], 0, "{found}");
}

#[test]
fn links_are_listed_renamed_and_removed() {
    let (library, program) = pair(LIBRARY, PROGRAM);
    let path = library.path().canonicalize().expect("there");
    let path = path.to_str().expect("UTF-8");
    let inner = format!("{path}/.codegraph");
    let again = program.json(&["link", &inner]);
    assert_eq!((&again["name"], &again["files_available"]), (&"demo".into(), &2.into()));
    let all = program.json(&["links"]);
    assert_eq!((&all["total"], &all["links"][0]["state"]), (&1.into(), &"available".into()));
    assert_eq!(all["links"][0]["path"], path);
    assert_eq!(program.json(&["status"])["statistics"]["dependencies"], 1);
    let refused = program.run(&["unlink", "nothing"]);
    assert_eq!(refused.code, 2);
    assert!(refused.err.contains("hint: one of: demo ("), "{}", refused.err);
    assert_eq!(program.run(&["init"]).code, 0);
    assert_eq!(program.json(&["links"])["total"], 1, "a new build keeps links");
    assert_eq!(program.run(&["unlink", "demo"]).code, 0);
    assert_eq!(program.run(&["links"]).code, 1);
}

#[test]
fn what_cannot_be_linked_is_refused() {
    let program = Project::new(PROGRAM);
    let bare = Project::bare(&[("a.py", "x = 1\n")]);
    let said = |path: &str| {
        let run = program.run(&["link", path]);
        assert_eq!(run.code, 2);
        run.err
    };
    assert!(said(".").contains("is this project itself"));
    assert!(said("nowhere").contains("nowhere"));
    let error = said(bare.path().to_str().expect("UTF-8"));
    assert!(error.contains("no codegraph project") && error.contains("hint: run 'codegraph init'"), "{error}");
}

#[test]
fn links_that_lead_nowhere_say_so_and_are_skipped() {
    let (library, program) = pair(LIBRARY, PROGRAM);
    let index = library.path().join(".codegraph/index.db");
    let states = |state: &str, note: &str| {
        let link = program.json(&["links"])["links"][0].take();
        assert_eq!(link["state"], state, "{link}");
        assert!(link["note"].as_str().expect("a note").contains(note), "{link}");
        let answer = program.json(&["query", "Mesh", "--include-dependencies"]);
        assert!(answer["notes"][0].as_str().expect("a note").starts_with("lib was not asked: "), "{answer}");
        assert_eq!(places(&answer["matches"])[0], "app.py:3");
    };
    let bytes = std::fs::read(&index).expect("an index");
    // The version of the schema, where SQLite keeps it for its users.
    let mut newer = bytes.clone();
    newer[60..64].copy_from_slice(&99u32.to_be_bytes());
    std::fs::write(&index, newer).expect("written");
    states("unreadable", "newer");
    let mut older = bytes.clone();
    older[60..64].copy_from_slice(&1u32.to_be_bytes());
    std::fs::write(&index, older).expect("written");
    states("older", "run 'update'");
    std::fs::write(&index, "no index at all").expect("written");
    states("unreadable", "index.db");
    std::fs::remove_file(&index).expect("removed");
    states("missing", "there is no index");
    drop(library);
    states("missing", "moved or deleted");
}

#[test]
fn an_index_of_an_older_release_is_built_anew_with_its_links() {
    for question in [&["query", "paint"][..], &["update"], &["find", "main"]] {
        let (_library, program) = pair(LIBRARY, PROGRAM);
        let index = program.path().join(".codegraph/index.db");
        let mut bytes = std::fs::read(&index).expect("an index");
        bytes[60..64].copy_from_slice(&1u32.to_be_bytes());
        std::fs::write(&index, bytes).expect("written");
        let run = program.run(question);
        assert_eq!(run.code, 0, "{question:?}: {}", run.err);
        assert_eq!(std::fs::read(&index).expect("an index")[60..63], [0; 3]);
        assert_ne!(std::fs::read(&index).expect("an index")[63], 1);
        assert_eq!(program.json(&["links"])["links"][0]["name"], "lib");
    }
}

#[test]
fn a_linked_project_is_read_and_never_written() {
    let (library, program) = pair(LIBRARY, PROGRAM);
    library.write("src/mesh/core.py", "class Mesh:\n    pass\n\n\ndef render(m): ...\n");
    let before = std::fs::read(library.path().join(".codegraph/index.db")).expect("an index");
    let answer = program.json(&["query", "render", "--include-dependencies"]);
    assert_eq!(answer["stale_files"][0], "lib: src/mesh/core.py");
    let text = program.run(&["query", "Mesh", "--include-dependencies"]).out;
    let advice = format!("run 'codegraph update' in {}", library.path().canonicalize().expect("it is there").display());
    assert!(text.contains(&advice), "{text}");
    let stale = places(&answer["matches"]).into_iter().filter(|place| place.contains("core.py")).count();
    assert!(
        stale > 0
            && answer["matches"]
                .as_array()
                .expect("rows")
                .iter()
                .all(|row| row["project"].is_null() || row["file"] != "src/mesh/core.py" || row["text"].is_null())
    );
    assert_eq!(std::fs::read(library.path().join(".codegraph/index.db")).expect("an index"), before);
    assert!(program.run(&["links"]).out.contains("1 file has changed since indexed"));
}

#[test]
fn a_scan_finds_the_projects_below_a_folder() {
    let outer =
        Project::bare(&[("one/a.py", "x = 1\n"), ("two/deep/b.py", "y = 1\n"), ("node_modules/p/c.js", "1;\n")]);
    for folder in ["one", "two/deep", "node_modules/p"] {
        assert_eq!(outer.run(&["init", folder]).code, 0);
    }
    std::fs::create_dir_all(outer.path().join("three/.codegraph")).expect("a folder");
    let found = outer.json(&["scan"]);
    let names: Vec<&str> =
        found["projects"].as_array().expect("a list").iter().filter_map(|one| one["name"].as_str()).collect();
    assert_eq!(names, ["one", "deep"]);
    assert_eq!(outer.json(&["scan", "--depth", "1"])["total"], 1);
    assert_eq!(outer.run(&["scan", "three"]).code, 1);
    assert_eq!(outer.run(&["scan", "nowhere"]).code, 2);
}
