//! A new name, by the command line and by the server: afterwards the program's links are the same, with one name changed.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::client::{Client, at};
use crate::project::Project;

/// The links of a project: each use, and what it means by its number.
fn graph(project: &Project) -> Vec<Value> {
    project.run(&["update"]);
    let sql = "SELECT file_path, referenced_symbol AS name, kind, start_line, target_id, certainty, how \
               FROM \"references\" ORDER BY file_path, byte_start";
    let said: Value = serde_json::from_str(&project.run(&["sql", sql, "--limit", "5000", "--json"])).expect("json");
    said["data"]["rows"].as_array().expect("rows").clone()
}

/// The same links, in which some uses of one name have another.
fn same_but_for(before: &[Value], after: &[Value], old: &str, new: &str) {
    assert_eq!(before.len(), after.len());
    for (before, after) in before.iter().zip(after) {
        let mut expected = before.clone();
        if before["name"] == old && after["name"] == new {
            expected["name"] = json!(new);
        }
        assert_eq!(&expected, after);
    }
    assert!(before != after, "something has the new name");
}

fn said(project: &Project, arguments: &[&str]) -> Value {
    let mut all = vec!["rename"];
    all.extend(arguments);
    all.push("--json");
    serde_json::from_str::<Value>(&project.run(&all)).expect("json")["data"].take()
}

fn reasons(answer: &Value) -> Vec<&str> {
    answer["refused"].as_array().into_iter().flatten().filter_map(|one| one["why"].as_str()).collect()
}

/// Renames and compares: every place that meant it has the new name, and nothing else changed.
fn check(files: &[(&str, &str)], symbol: &str, old: &str, new: &str, total: u64) {
    let project = Project::new(files);
    let before = graph(&project);
    let answer = said(&project, &[symbol, new]);
    assert_eq!(reasons(&answer), [""; 0], "{answer:#}");
    assert_eq!(answer["total"], total, "{}", answer["patch"].as_str().unwrap_or_default());
    let texts = |project: &Project| -> BTreeMap<String, String> {
        let read = |(file, _): &(&str, &str)| {
            ((*file).to_owned(), std::fs::read_to_string(project.path(file)).expect("it is there"))
        };
        files.iter().map(read).collect()
    };
    assert!(texts(&project).iter().all(|(file, text)| files.iter().any(|(own, was)| own == file && was == text)));
    let answer = said(&project, &[symbol, new, "--apply"]);
    assert_eq!(answer["applied"], true, "{answer:#}");
    same_but_for(&before, &graph(&project), old, new);
}

#[test]
fn imports_and_overriding_methods_have_the_new_name_too() {
    let base = "class Base:\n    def run(self):\n        return 'run'  # run\n";
    let heir = "from base import Base as B\n\n\nclass Heir(B):\n    def run(self):\n        return super().run()\n";
    let main = "from base import Base\nfrom heir import Heir\n\n\ndef main(base: Base, heir: Heir):\n    base.run()\n    heir.run()\n";
    let files = [("base.py", base), ("heir.py", heir), ("main.py", main)];
    check(&files, "base.Base.run", "run", "go", 5);
    check(&files, "base.Base", "Base", "Root", 4);
}

#[test]
fn local_names_and_named_arguments_are_renamed_where_they_are_meant() {
    let a = "def helper(count, step=1):\n    count = count + step\n    return [count for count in range(3)]\n";
    let b = "from a import helper\n\n\ndef main(count):\n    return helper(count=count, step=2)\n";
    let project = Project::new(&[("a.py", a), ("b.py", b)]);
    let answer = said(&project, &["a.py:1:11", "total", "--apply"]);
    assert_eq!(reasons(&answer), [""; 0], "{answer:#}");
    let text = std::fs::read_to_string(project.path("a.py")).expect("there");
    assert!(text.contains("def helper(total, step=1)") && text.contains("total = total + step"), "{text}");
    assert!(text.contains("[count for count in range(3)]"), "another scope: {text}");
    let text = std::fs::read_to_string(project.path("b.py")).expect("there");
    assert!(text.contains("helper(total=count, step=2)"), "{text}");
}

#[test]
fn declarations_and_definitions_are_one() {
    let header = "class Shape {\npublic:\n    Shape();\n    int area(int scale);\n};\n";
    let source = "#include \"shape.h\"\n\nShape::Shape() {}\n\nint Shape::area(int scale) {\n    return scale;\n}\n";
    let main = "#include \"shape.h\"\n\nint main() {\n    Shape shape;\n    return shape.area(2);\n}\n";
    let files = [("shape.h", header), ("shape.cpp", source), ("main.cpp", main)];
    check(&files, "main.cpp:5:18", "area", "surface", 3);
    check(&files, "shape.h:1:7", "Shape", "Form", 6);
}

#[test]
fn re_exports_pass_the_new_name_on() {
    let files = [
        ("lib/a.ts", "export function helper(n: number) {\n    return n;\n}\n"),
        ("lib/index.ts", "export { helper } from './a';\n"),
        ("main.ts", "import { helper } from './lib';\n\nexport function main() {\n    return helper(1);\n}\n"),
    ];
    check(&files, "lib/a.ts:1:17", "helper", "assist", 4);
}

#[test]
fn names_that_are_taken_captured_or_unproven_are_refused() {
    let a =
        "LIMIT = 1\n\n\ndef first():\n    return LIMIT\n\n\ndef second():\n    limit = 2\n    return limit + LIMIT\n";
    let b = "from a import first\n\n\ndef use(thing):\n    thing.first()\n    return first()\n";
    let project = Project::new(&[("a.py", a), ("b.py", b)]);
    assert_eq!(reasons(&said(&project, &["a.first", "second"])), ["collides", "unproven"]);
    assert_eq!(reasons(&said(&project, &["a.first", "one two"])), ["not_a_name"]);
    assert_eq!(reasons(&said(&project, &["a.first", "first"])), ["not_a_name"]);
    assert_eq!(reasons(&said(&project, &["a.LIMIT", "limit"])), ["changes_meaning"], "a local name would hide it");
    assert_eq!(reasons(&said(&project, &["a.LIMIT", "class"])), ["changes_meaning"], "a word of the language");
    let answer = said(&project, &["a.first", "third"]);
    assert_eq!(reasons(&answer), ["unproven"]);
    assert_eq!(answer["unproven"][0]["line_number"], 5);
    let answer = said(&project, &["a.first", "third", "--leave-unproven", "--apply"]);
    assert_eq!((answer["applied"].as_bool(), answer["total_unproven"].as_u64()), (Some(true), Some(1)));
    let text = std::fs::read_to_string(project.path("b.py")).expect("there");
    assert_eq!(text, "from a import third\n\n\ndef use(thing):\n    thing.first()\n    return third()\n");
}

#[test]
fn a_parameter_that_several_methods_share_keeps_its_name() {
    let text = "class Base:\n    def run(self, fast):\n        return fast\n\n\nclass Heir(Base):\n    def run(self, fast):\n        \
                return not fast\n\n\ndef alone(fast):\n    return fast\n";
    let project = Project::new(&[("a.py", text)]);
    assert_eq!(reasons(&said(&project, &["a.py:2:18", "quick"])), ["may_override"], "Heir().run(fast=1) may be meant");
    assert_eq!(reasons(&said(&project, &["a.py:11:10", "quick"])), [""; 0]);
    let text = "from typing import overload\n\n\n@overload\ndef pick(x: int) -> int: ...\n@overload\ndef pick(x: str) -> str: ...\n\
                def pick(x):\n    return x\n";
    let project = Project::new(&[("a.py", text)]);
    assert_eq!(reasons(&said(&project, &["a.py:8:9", "y"])), ["may_override"], "its stubs have it too");
}

#[test]
fn names_that_texts_say_are_refused() {
    let a = "import typing as t\n\nHandler = t.Callable[['State'], None]\n\n\nclass State:\n    __slots__ = ('order',)\n\n    \
             def __init__(self):\n        self.order = []\n";
    let project = Project::new(&[("a.py", a)]);
    let answer = said(&project, &["a.State", "Situation"]);
    assert_eq!((reasons(&answer), &answer["unproven"][0]["line_number"]), (vec!["unproven"], &json!(3)), "{answer:#}");
    assert_eq!(reasons(&said(&project, &["a.py:10:13", "rank"])), ["unproven"], "a slot");
    let text = "pub static LIMIT: u8 = 1;\npub fn f() {\n    let held = 2;\n    let other = 3;\n    \
                println!(\"{LIMIT} {held:>4} other\", );\n    drop((held, other));\n}\n";
    let project = Project::new(&[("src/lib.rs", text), ("Cargo.toml", "[package]\nname = \"x\"\n")]);
    assert_eq!(reasons(&said(&project, &["LIMIT", "MOST"])), ["unproven"]);
    assert_eq!(reasons(&said(&project, &["src/lib.rs:3:8", "kept"])), ["unproven"]);
    assert_eq!(reasons(&said(&project, &["src/lib.rs:4:8", "rest"])), [""; 0], "that is a word in a text");
}

#[test]
fn keys_of_values_that_go_elsewhere_are_refused_and_written_out() {
    let text = "export function limit(inclusive: boolean, list: unknown[]) {\n  \
                return send({ checks: [...list, { kind: 'min', inclusive }] })\n}\n\
                declare function send(it: any): void\n";
    let project = Project::new(&[("a.ts", text)]);
    assert_eq!(reasons(&said(&project, &["a.ts:2:36", "sort"])), ["unproven"], "nobody knows who reads it");
    let answer = said(&project, &["a.ts:1:22", "open"]);
    assert_eq!(reasons(&answer), [""; 0], "{answer:#}");
    let patch = answer["patch"].as_str().expect("a patch");
    assert!(patch.contains("{ kind: 'min', inclusive: open }"), "{patch}");
}

#[test]
fn what_something_outside_may_call_keeps_its_name() {
    let text = "import threading\n\n\nclass Worker(threading.Thread):\n    def run(self):\n        return 1\n";
    let project = Project::new(&[("a.py", text)]);
    assert_eq!(reasons(&said(&project, &["a.Worker.run", "go"])), ["may_override"]);
    let text =
        "class Tasks {\n    Object one = new Thread() {\n        @Override\n        public void run() {}\n    };\n}\n";
    let project = Project::new(&[("Tasks.java", text)]);
    assert_eq!(reasons(&said(&project, &["Tasks.java:4:21", "go"])), ["may_override"], "the type has no name");
}

#[test]
fn a_file_that_is_found_by_the_name_of_its_type_is_renamed_with_it() {
    let text = "package a;\n\npublic class Shape {\n    public Shape() {}\n    int area() { return 1; }\n}\n";
    let other = "package a;\n\nclass Other {\n    int area(Shape shape) { return shape.area(); }\n}\n";
    let files = [("a/Shape.java", text), ("a/Rest.java", other)];
    let project = Project::new(&files);
    let answer = said(&project, &["a/Shape.java:3:13", "Form", "--apply"]);
    assert_eq!(reasons(&answer), [""; 0], "{answer:#}");
    let patch = answer["patch"].as_str().expect("a patch");
    assert!(patch.contains("rename from a/Shape.java\nrename to a/Form.java\n"), "{patch}");
    assert!(!project.path("a/Shape.java").exists());
    let form = std::fs::read_to_string(project.path("a/Form.java")).expect("there");
    assert_eq!(form, text.replace("Shape", "Form"));
    assert_eq!(reasons(&said(&project, &["a/Form.java:3:13", "Rest"])), ["collides"], "there is such a file");
    // A client that cannot rename files is not told to.
    let project = Project::new(&files);
    for moves in [false, true] {
        let operations = json!({"workspace": {"workspaceEdit":
            {"documentChanges": true, "resourceOperations": if moves { json!(["rename"]) } else { json!([]) }}}});
        let mut client = Client::with(&project.root(), operations, json!({}));
        let uri = client.open(&project.path("a/Shape.java"));
        let mut params = at(&uri, 2, 14);
        params["newName"] = json!("Form");
        let id = client.begin("textDocument/rename", params);
        let response = client.response(id);
        match moves {
            false => assert_eq!(response["error"]["code"], -32803, "{response}"),
            true => {
                let changes = response["result"]["documentChanges"].as_array().expect("changes");
                let last = changes.last().expect("some");
                assert_eq!((changes.len(), &last["kind"], &last["oldUri"]), (3, &json!("rename"), &json!(uri)));
            }
        }
    }
}

#[test]
fn what_the_language_calls_or_finds_by_name_keeps_it() {
    let text = "class A {\n    public String toString() { return \"\"; }\n}\n";
    let project = Project::new(&[("A.java", text)]);
    assert_eq!(reasons(&said(&project, &["A.toString", "text"])), ["not_renamable"]);
    let project = Project::new(&[("a.py", "class A:\n    def __init__(self):\n        self.n = 1\n")]);
    assert_eq!(reasons(&said(&project, &["a.py:2:8", "start"])), ["not_renamable"]);
    let project = Project::new(&[("a.py", "from typing import TypeVar\n\nT = TypeVar('T')\n")]);
    assert_eq!(reasons(&said(&project, &["a.T", "U"])), ["unproven"], "a type checker compares the two");
    let files = [("Cargo.toml", "[package]\nname = \"p\"\n"), ("src/lib.rs", "mod inner;\n"), ("src/inner.rs", "")];
    let project = Project::new(&files);
    assert_eq!(reasons(&said(&project, &["src/lib.rs:1:4", "outer"])), ["names_file"]);
    let text = "use std::str::FromStr;\n\nstruct A;\n\nimpl FromStr for A {\n    type Err = ();\n\n    \
                fn from_str(_: &str) -> Result<A, ()> {\n        Ok(A)\n    }\n}\n";
    let project = Project::new(&[("src/lib.rs", text)]);
    assert_eq!(reasons(&said(&project, &["src/lib.rs:6:9", "Wrong"])), ["may_override"], "a type of an outside trait");
    assert_eq!(reasons(&said(&project, &["src/lib.rs:8:7", "read"])), ["may_override"]);
}

#[test]
fn every_block_about_a_trait_has_the_new_name() {
    let text = "use std::fmt::Debug;\n\npub trait Sink: Debug {\n    type Error;\n    fn begin(&mut self) -> Option<Self::Error>;\n}\n\n\
                impl<'a, S: Sink> Sink for &'a mut S {\n    type Error = S::Error;\n    \
                fn begin(&mut self) -> Option<S::Error> {\n        (**self).begin()\n    }\n}\n\n\
                impl<S: Sink> Sink for Box<S> {\n    type Error = S::Error;\n    \
                fn begin(&mut self) -> Option<S::Error> {\n        None\n    }\n}\n";
    let project = Project::new(&[("Cargo.toml", "[package]\nname = \"p\"\n"), ("src/lib.rs", text)]);
    let answer = said(&project, &["src/lib.rs:5:7", "start", "--leave-unproven", "--apply"]);
    assert_eq!(reasons(&answer), [""; 0], "{answer:#}");
    let text = std::fs::read_to_string(project.path("src/lib.rs")).expect("there");
    assert_eq!(text.matches("fn start(&mut self)").count(), 3, "{text}");
    let answer = said(&project, &["src/lib.rs:4:9", "Wrong", "--leave-unproven", "--apply"]);
    assert_eq!(reasons(&answer), [""; 0], "{answer:#}");
    let text = std::fs::read_to_string(project.path("src/lib.rs")).expect("there");
    assert_eq!(text.matches("type Wrong").count(), 3, "{text}");
}

#[test]
fn a_macro_is_meant_where_one_is_called() {
    let text = "macro_rules! twice {\n    ($e:expr) => { $e + $e };\n}\n\nmacro_rules! call {\n    \
                ($name:ident) => { A.$name() };\n}\n\npub struct A;\n\nimpl A {\n    pub fn twice(&self) -> u8 {\n        \
                2\n    }\n}\n\npub fn main_of() -> u8 {\n    call!(twice) + twice!(1)\n}\n";
    let project = Project::new(&[("Cargo.toml", "[package]\nname = \"p\"\n"), ("src/lib.rs", text)]);
    let answer = said(&project, &["src/lib.rs:1:13", "double", "--leave-unproven", "--apply"]);
    assert_eq!(answer["total"], 2, "{answer:#}");
    let text = std::fs::read_to_string(project.path("src/lib.rs")).expect("there");
    assert!(text.contains("call!(twice) + double!(1)"), "{text}");
}

#[test]
fn labels_are_renamed_with_the_statements_that_name_them() {
    let text = "package a\n\nfunc run(n int) int {\nLoop:\n\tfor {\n\t\tif n > 3 {\n\t\t\tbreak Loop\n\t\t}\n\t\t\
                n++\n\t\tcontinue Loop\n\t}\n\treturn n\n}\n\nfunc other() {\nLoop:\n\tfor {\n\t\tbreak Loop\n\t}\n}\n";
    let project = Project::new(&[("a.go", text)]);
    let answer = said(&project, &["a.go:4:0", "Again", "--apply"]);
    assert_eq!((reasons(&answer).len(), &answer["total"]), (0, &json!(3)), "{answer:#}");
    let new = std::fs::read_to_string(project.path("a.go")).expect("there");
    assert_eq!(new, text.replacen("Loop", "Again", 3));
    let text = "package a\n\nfunc run() {\nLoop:\n\tfor {\n\t\tbreak Loop // Loop\n\t}\n}\n";
    let project = Project::new(&[("a.go", text)]);
    assert_eq!(reasons(&said(&project, &["a.go:4:0", "Again"])), ["unproven"], "which of the two is the comment's?");
}

#[test]
fn names_that_are_passed_on_under_themselves_are_passed_on_under_the_new_one() {
    let files = [
        ("lib/__init__.py", "from .core import Thing as Thing\n"),
        ("lib/core.py", "class Thing:\n    pass\n\n\nLIMIT = 1\n\n\ndef use():\n    return LIMIT\n"),
        ("main.py", "from lib import Thing\n\nthing = Thing()\n"),
    ];
    let project = Project::new(&files);
    let answer = said(&project, &["lib.core.Thing", "Part", "--apply"]);
    assert_eq!((reasons(&answer).len(), &answer["total"]), (0, &json!(5)), "{answer:#}");
    let text = std::fs::read_to_string(project.path("lib/__init__.py")).expect("there");
    assert_eq!(text, "from .core import Part as Part\n");
    let answer = said(&project, &["lib.core.LIMIT", "bound"]);
    assert_eq!(reasons(&answer), [""; 0], "how a name is written makes no other thing of it");
}

#[test]
fn a_word_that_is_key_and_value_is_written_out() {
    let text = "export function make(name: string) {\n    const size = 1;\n    return { name, size };\n}\n";
    let project = Project::new(&[("a.ts", text)]);
    let answer = said(&project, &["a.ts:2:11", "length", "--apply"]);
    assert_eq!(reasons(&answer), [""; 0], "{answer:#}");
    let text = std::fs::read_to_string(project.path("a.ts")).expect("there");
    assert!(text.contains("const length = 1;") && text.contains("return { name, size: length };"), "{text}");
}

/// `P { x, y }` in a language whose facts know the values alone: what has to be written out is shown and left to the asker.
#[test]
fn a_field_that_is_given_a_value_of_its_name_is_never_broken() {
    let text = "pub struct P {\n    pub x: u8,\n    pub y: u8,\n}\n\npub fn make(x: u8) -> P {\n    let y = x;\n    P { x, y }\n}\n\n\
                pub fn take(p: P) -> u8 {\n    let P { x, y } = p;\n    x + y\n}\n\npub fn id(x: u8) -> u8 { x }\n";
    let project = Project::new(&[("Cargo.toml", "[package]\nname = \"p\"\n"), ("src/lib.rs", text)]);
    for (place, shown) in [
        ("src/lib.rs:2:8", ["+    P { zz: x, y }", "+    let P { zz: x, y } = p;"]),
        ("src/lib.rs:6:12", ["+    P { x: zz, y }", "+    let y = zz;"]),
        ("src/lib.rs:7:8", ["+    P { x, y: zz }", "+    let zz = x;"]),
    ] {
        let answer = said(&project, &[place, "zz", "--apply"]);
        assert_eq!(reasons(&answer), ["changes_meaning"], "{answer:#}");
        let patch = answer["patch"].as_str().expect("a patch");
        assert!(shown.iter().all(|line| patch.contains(line)), "{place}: {patch}");
        assert_eq!(std::fs::read_to_string(project.path("src/lib.rs")).expect("there"), text);
    }
    let answer = said(&project, &["src/lib.rs:16:10", "zz", "--apply"]);
    assert_eq!(reasons(&answer), [""; 0], "{answer:#}");
    let text = std::fs::read_to_string(project.path("src/lib.rs")).expect("there");
    assert!(text.contains("P { x, y }") && text.contains("pub fn id(zz: u8) -> u8 { zz }"), "{text}");
}

#[test]
fn the_server_prepares_and_renames_in_unsaved_texts() {
    let a = "def helper(n):\n    return n\n";
    let b = "from a import helper\n\nprint('😀', helper(1))\n";
    let project = Project::new(&[("a.py", a), ("b.py", b)]);
    let mut client = Client::of(&project.root());
    let uri = client.open_as(&project.path("b.py"), &format!("\n{b}"));
    let prepared = client.at("prepareRename", &uri, 3, 14);
    assert_eq!(prepared["placeholder"], "helper");
    assert_eq!(prepared["range"]["start"], json!({"line": 3, "character": 12}), "{prepared}");
    assert_eq!(client.at("prepareRename", &uri, 3, 1), Value::Null, "nothing of the project");
    let mut params = at(&uri, 3, 14);
    params["newName"] = json!("assist");
    let edit = client.ask("textDocument/rename", params.clone());
    let changes = edit["changes"].as_object().expect("changes");
    assert_eq!(changes.len(), 2);
    let own = changes[&uri].as_array().expect("edits");
    let lines: Vec<u64> = own.iter().filter_map(|one| one["range"]["start"]["line"].as_u64()).collect();
    assert_eq!(lines, [1, 3]);
    params["newName"] = json!("not a name");
    let id = client.begin("textDocument/rename", params);
    let response = client.response(id);
    assert_eq!(response["error"]["code"], -32803, "{response}");
    assert_eq!(std::fs::read_to_string(project.path("a.py")).expect("there"), a, "the editor makes the changes");
}
