//! Questions about the name under a cursor: what it means, where it is used, what it is.

use serde_json::Value;

use crate::support::Project;

/// A project whose files have one `$0` before a name, and the place of that name.
pub(crate) fn with_cursor(files: &[(&str, &str)]) -> (Project, String) {
    let mut place = String::new();
    let plain: Vec<(&str, String)> = files.iter().map(|(path, text)| (*path, text.replace("$0", ""))).collect();
    for (path, text) in files {
        if let Some(at) = text.find("$0") {
            let line = text[..at].matches('\n').count() + 1;
            let column = at - text[..at].rfind('\n').map_or(0, |end| end + 1);
            place = format!("{path}:{line}:{column}");
        }
    }
    let plain: Vec<(&str, &str)> = plain.iter().map(|(path, text)| (*path, text.as_str())).collect();
    (Project::new(&plain), place)
}

/// `file:line kind name` of each definition.
fn definitions(answer: &Value) -> Vec<String> {
    let all = answer["definitions"].as_array().unwrap_or_else(|| panic!("a list in {answer}"));
    let one = |d: &Value| {
        let text = |key: &str| d[key].as_str().unwrap_or_default().to_owned();
        format!("{}:{} {} {}", text("file"), d["range"]["start_line"], text("kind"), text("name"))
    };
    all.iter().map(one).collect()
}

const CASES: &[(&[(&str, &str)], &str)] = &[
    (&[("m.py", "def f(count):\n    total = count\n    return $0total\n")], "m.py:2 local total"),
    (&[("m.py", "def f(count):\n    total = $0count\n    return total\n")], "m.py:1 parameter count"),
    (
        &[
            ("pkg/__init__.py", ""),
            ("pkg/a.py", "class User:\n    def save(self): ...\n"),
            ("b.py", "from pkg.a import User\n\ndef main():\n    u = User()\n    u.$0save()\n"),
        ],
        "pkg/a.py:2 method save",
    ),
    (&[("a.rs", "fn f(count: u32) -> u32 {\n    let total = count;\n    $0total\n}\n")], "a.rs:2 local total"),
    (
        &[("a.ts", "export function add(a: number) { return a }\n"), ("b.ts", "import { $0add } from './a'\nadd(1)\n")],
        "a.ts:1 function add",
    ),
    (&[("a.js", "const f = (item) => {\n  return $0item.x\n}\n")], "a.js:1 parameter item"),
    (
        &[(
            "A.java",
            "class A {\n  int size;\n  int f(int n) {\n    int twice = n * 2;\n    return $0twice + size;\n  }\n}\n",
        )],
        "A.java:4 local twice",
    ),
    (
        &[
            ("go.mod", "module demo\n"),
            ("a.go", "package main\n\ntype User struct{ Name string }\n\nfunc (u *User) Save() {}\n"),
            ("b.go", "package main\n\nfunc main() {\n\tu := User{}\n\tu.$0Save()\n}\n"),
        ],
        "a.go:5 method Save",
    ),
    (&[("a.c", "int add(int a, int b)\n{\n  int sum = a + b;\n  return $0sum;\n}\n")], "a.c:3 local sum"),
    (
        &[(
            "a.cpp",
            "struct Box { int size() const; };\nint Box::size() const { return 1; }\nint f(Box b) {\n  return b.$0size();\n}\n",
        )],
        "a.cpp:2 method size",
    ),
    (
        &[("a.cs", "class A {\n  int Twice(int n) {\n    var two = n * 2;\n    return $0two;\n  }\n}\n")],
        "a.cs:3 local two",
    ),
    (&[("a.rb", "def f(count)\n  total = count\n  $0total\nend\n")], "a.rb:2 local total"),
    (
        &[(
            "a.php",
            "<?php\nfunction f($count) {\n  return helper($count);\n}\nfunction helper($n) { return $n; }\n$0f(1);\n",
        )],
        "a.php:2 function f",
    ),
];

#[test]
fn definition_finds_locals_parameters_members_and_imports() {
    let mut wrong = Vec::new();
    for (files, expected) in CASES {
        let (project, place) = with_cursor(files);
        let found = definitions(&project.json(&["definition", &place]));
        if found != [*expected] {
            wrong.push(format!("{place}: {found:?}, not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn a_place_without_a_column_means_all_names_of_its_line() {
    let project = Project::program(
        "
//- /m.py
def one(): ...
def two(): ...
def run():
    one(); two()
",
    );
    let found = definitions(&project.json(&["definition", "m.py:4"]));
    assert_eq!(found, ["m.py:1 function one", "m.py:2 function two"]);
    assert_eq!(definitions(&project.json(&["definition", "m.py:2"])), ["m.py:2 function two"]);
    assert_eq!(definitions(&project.json(&["definition", "one"])), ["m.py:1 function one"]);
}

#[test]
fn what_nothing_proves_is_listed_by_name_and_marked() {
    let (project, place) = with_cursor(&[("m.py", "class A:\n    def go(self): ...\n\ndef f(x):\n    x.$0go()\n")]);
    let answer = project.json(&["definition", &place]);
    assert_eq!(definitions(&answer), ["m.py:2 method go"]);
    assert_eq!(answer["definitions"][0]["certainty"], "candidate");
    assert!(project.run(&["definition", &place]).out.contains("nothing proves what 'go' means"));
}

#[test]
fn what_lies_outside_is_named_by_its_path() {
    let (project, place) = with_cursor(&[("m.py", "import os\nos.path.$0join('a')\n")]);
    let answer = project.json(&["definition", &place]);
    assert_eq!(answer["external"][0], "os.path.join");
    assert_eq!(definitions(&answer), Vec::<String>::new());
    assert!(project.run(&["hover", &place]).out.contains("`os.path.join` (outside the project)"));
}

#[test]
fn what_lies_outside_leads_to_its_import_and_a_key_that_is_its_own_value_to_the_value() {
    let program = "
//- /m.py
import os
from json import dumps as text
os
text(os)
//- /m.js
import x, { y as z } from 'other'
const own = z
run({ own, x })
";
    let project = Project::program(program);
    let definition = |place: &str| definitions(&project.json(&["definition", place]));
    assert_eq!(definition("m.py:3:0"), ["m.py:1 import os"]);
    assert_eq!(definition("m.py:4:0"), ["m.py:2 import text"]);
    assert_eq!(definition("m.py:2:17"), Vec::<String>::new());
    assert_eq!(definition("m.js:2:12"), ["m.js:1 import z"]);
    assert_eq!(definition("m.js:3:6"), ["m.js:2 constant own"]);
    assert_eq!(definition("m.js:3:11"), ["m.js:1 import x"]);
}

#[test]
fn a_place_without_a_name_is_an_empty_answer_and_a_wrong_place_an_error() {
    let project = Project::new(&[("m.py", "def one():\n    return 1\n")]);
    for command in ["definition", "references", "hover"] {
        let run = project.run(&[command, "m.py:2:4"]);
        assert_eq!(run.code, 1, "{command}: {}{}", run.out, run.err);
        assert!(run.out.contains("no name stands at m.py:2:4"), "{}", run.out);
        assert_eq!(project.run(&[command, "m.py:99:0"]).code, 2, "{command} on a missing line");
        assert_eq!(project.run(&[command, "m.py:1:4294967295"]).code, 1, "{command} on a huge column");
        assert_eq!(project.run(&[command, "nowhere.py:1:0"]).code, 2, "{command} on a missing file");
        assert_eq!(project.run(&[command, "../m.py:1:0"]).code, 2, "{command} outside the project");
        assert_eq!(project.run(&[command, "unknown_name"]).code, 1, "{command} on an unknown name");
        assert_eq!(project.run(&[command, ""]).code, 1, "{command} on nothing");
    }
}

/// `file:line` of each reference.
fn sites(answer: &Value) -> Vec<String> {
    let all = answer["references"].as_array().unwrap_or_else(|| panic!("a list in {answer}"));
    all.iter().map(|r| format!("{}:{}", r["file"].as_str().unwrap_or_default(), r["range"]["start_line"])).collect()
}

#[test]
fn references_of_a_local_stay_in_its_function() {
    let text = "def f():\n    n = 1\n    n = n + 1\n    return $0n\n\ndef g():\n    n = 2\n    return n\n";
    let (project, place) = with_cursor(&[("m.py", text)]);
    let answer = project.json(&["references", &place]);
    assert_eq!(answer["definition"]["range"]["start_line"], 2);
    assert_eq!(sites(&answer), ["m.py:3", "m.py:3", "m.py:4"]);
}

#[test]
fn references_of_a_parameter_include_the_callers_that_name_it() {
    let (project, place) = with_cursor(&[
        ("a.py", "def area($0width, height):\n    return width * height\n"),
        ("b.py", "from a import area\n\nprint(area(width=1, height=2))\n"),
    ]);
    assert_eq!(sites(&project.json(&["references", &place])), ["a.py:2", "b.py:3"]);
}

#[test]
fn references_of_a_symbol_are_the_same_from_its_name_and_from_a_use() {
    let (project, place) = with_cursor(&[
        ("src/main.rs", "mod math;\nfn main() {\n    math::$0add(1, 2);\n    math::add(3, 4);\n}\n"),
        ("src/math.rs", "pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n"),
    ]);
    let expected = ["src/main.rs:3", "src/main.rs:4"];
    assert_eq!(sites(&project.json(&["references", &place])), expected);
    assert_eq!(sites(&project.json(&["references", "add"])), expected);
    assert_eq!(sites(&project.json(&["references", "src/math.rs:1:7"])), expected);
    let first = project.json(&["references", "add", "--limit", "1"]);
    assert_eq!((first["total"].as_u64(), first["next_offset"].as_u64()), (Some(2), Some(1)));
}

#[test]
fn hover_shows_signature_parameters_and_documentation() {
    let text = "def area(width: int, height: int = 2) -> int:\n    \"\"\"The area.\"\"\"\n    return width * height\n\n$0area(1)\n";
    let (project, place) = with_cursor(&[("a.py", text)]);
    let hover = project.json(&["hover", &place]);
    assert_eq!(
        hover["contents"],
        "```python\ndef area(width: int, height: int = 2) -> int\n```\nfunction `a.area`, a.py:1\n\nThe area."
    );
    assert_eq!(hover["parameters"][1]["name"], "height");
    assert_eq!(hover["parameters"][1]["default"], "2");
    assert_eq!(hover["return_type"], "int");
    let width = project.json(&["hover", "a.py:3:12"]);
    assert_eq!(width["contents"], "(parameter) `width: int`");
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_no_half_index() {
    let text: String = (0..4000).map(|at| format!("def function_{at}(first_{at}): return first_{at}\n")).collect();
    for blocks in [2, 40, 120] {
        let project = Project::bare(&[("a.py", &text), ("b.py", &text.replace("function", "other"))]);
        // A file that may not grow is as good as a disk that is full.
        let limited = format!("trap '' XFSZ; ulimit -f {blocks}; exec {} init", env!("CARGO_BIN_EXE_codegraph"));
        let output = std::process::Command::new("sh").args(["-c", &limited]).current_dir(project.path()).output();
        let output = output.expect("a shell");
        assert_eq!(output.status.code(), Some(2), "{blocks}: {}", String::from_utf8_lossy(&output.stderr));
        let names: Vec<String> = std::fs::read_dir(project.path().join(".codegraph"))
            .expect("a folder")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .filter(|name| name.starts_with("index.db") && name != "index.db.lock")
            .collect();
        assert!(names.is_empty(), "{blocks}: {names:?}");
        assert_eq!(project.run(&["init"]).code, 0);
    }
}

/// Uses in many files are read in another way than those in a few.
#[test]
fn many_users_say_the_same_as_few() {
    let user = "from lib import mark, Base\n\nclass User(Base):\n    @mark\n    def run(self, how=mark):\n        é = 'é'; mark(é)\n        \
                return [mark for _ in 'x']\n\n    def close(self):\n        pass\n\nmark(User)\n";
    let answers = [8, 40].map(|count| {
        let users: Vec<String> = (0..count).map(|i| format!("user_{i:02}.py")).collect();
        let mut files = vec![("lib.py", "def mark(f):\n    return f\n\nclass Base:\n    def close(self): ...\n")];
        files.extend(users.iter().map(|path| (path.as_str(), user)));
        let project = Project::new(&files);
        // A file that changes gets a row of its own; the symbols of one that others use keep their slots.
        project.write("user_03.py", &format!("# moved\n{user}"));
        project.write(
            "lib.py",
            "def first(): ...\n\ndef mark(f):\n    return f\n\nclass Base:\n    def close(self): ...\n",
        );
        project.run(&["update"]);
        let mut answer = project.json(&["references", "lib.mark", "--limit", "1000"]);
        let found = answer["references"].take();
        let heirs = project.json(&["refs", "lib.Base.close"])["relatives"].as_array().expect("a list").len();
        (found.as_array().expect("a list").clone(), heirs)
    });
    let [(few, _), (many, heirs)] = &answers;
    assert_eq!(few.len(), 8 * 6);
    assert_eq!(many.len(), 40 * 6);
    assert_eq!(many[..few.len()], few[..]);
    assert_eq!(*heirs, 40);
}
