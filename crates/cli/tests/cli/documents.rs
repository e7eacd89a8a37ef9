//! What the design documents say in tables and examples that no other test takes at its word.

use serde_json::Value;

use crate::support::Project;

const MODELS: &str = "\
import json as j
from .store import save

class Base:
    def __init__(self, name):
        self.name = name
    async def load(self, path: str, deep=False) -> int:
        return 1

class User(Base):
    def keep(self):
        save(self)
        return Base(1).load
";

fn shop() -> Project {
    Project::new(&[
        ("app/__init__.py", ""),
        ("app/models.py", MODELS),
        ("app/store.py", "from . import models\n\ndef save(x): return models.User(x)\n"),
    ])
}

fn rows(project: &Project, statement: &str) -> Vec<Vec<String>> {
    let answer = project.json(&["sql", statement]);
    let columns: Vec<&str> = answer["columns"].as_array().expect("columns").iter().filter_map(Value::as_str).collect();
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let row = |row: &Value| columns.iter().map(|column| text(&row[column])).collect();
    answer["rows"].as_array().expect("rows").iter().map(row).collect()
}

#[test]
fn every_extension_of_the_documents_has_its_language() {
    let expected = [
        ("cs", "csharp"),
        ("ts", "typescript"),
        ("tsx", "tsx"),
        ("js", "javascript"),
        ("jsx", "javascript"),
        ("mjs", "javascript"),
        ("cjs", "javascript"),
        ("py", "python"),
        ("pyw", "python"),
        ("rs", "rust"),
        ("c", "c"),
        ("h", "c"),
        ("cpp", "cpp"),
        ("cc", "cpp"),
        ("cxx", "cpp"),
        ("hpp", "cpp"),
        ("hxx", "cpp"),
        ("java", "java"),
        ("go", "go"),
        ("php", "php"),
        ("rb", "ruby"),
        ("rake", "ruby"),
    ];
    let names: Vec<String> = expected.iter().map(|(extension, _)| format!("f_{extension}.{extension}")).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), "\n")).collect();
    let project = Project::new(&files);
    for ((_, language), name) in expected.iter().zip(&names) {
        let found = rows(&project, &format!("select language from files where path = '{name}'"));
        assert_eq!(found, [[language.to_string()]], "{name}");
    }
}

#[test]
fn kinds_and_separators_are_those_of_the_documents() {
    let project = Project::new(&[
        (
            "a.rs",
            "const C: u8 = 1;\nstatic S: u8 = 1;\ntype T = u8;\nunion U { a: u8 }\nstruct P;\nenum E { A }\ntrait R { fn m(&self); }\nimpl P { fn n(&self) {} }\nmod inner { pub fn f() {} }\nfn main() {}\n",
        ),
        ("b.py", "class K:\n    def m(self): ...\n\ndef f(): ...\n"),
        ("c.ts", "function f() {}\nclass K { m() {} }\ninterface I {}\ntype T = string;\n"),
        ("D.java", "class D { void m() {} }\ninterface I {}\nenum E { A }\n"),
        ("e.cpp", "class K { void m(); };\nstruct P {};\nenum Q { A };\nint f() { return 1; }\n"),
    ]);
    let kinds = |file: &str| -> Vec<String> {
        let all = rows(&project, &format!("select name, kind_normalized from symbols where file_path = '{file}'"));
        let named = all.iter().filter(|row| row[0] != "A" && row[0] != "a" && !row[0].is_empty() && row[0] != "null");
        named.map(|row| format!("{}={}", row[0], row[1])).collect()
    };
    assert_eq!(
        kinds("a.rs"),
        [
            "C=const", "S=const", "T=type", "U=union", "P=struct", "E=enum", "R=trait", "m=method", "P=impl",
            "n=method", "inner=module", "f=fn", "main=fn",
        ]
    );
    assert_eq!(kinds("b.py"), ["K=struct", "m=method", "f=fn"]);
    assert_eq!(kinds("c.ts"), ["f=fn", "K=struct", "m=method", "I=trait", "T=type"]);
    assert_eq!(kinds("D.java"), ["D=struct", "m=method", "I=trait", "E=enum"]);
    assert_eq!(kinds("e.cpp"), ["K=struct", "m=method", "P=struct", "Q=enum", "f=fn"]);
    for (file, ending) in [("a.rs", "P::n"), ("b.py", "b.K.m"), ("c.ts", "c.K.m"), ("D.java", "D.m"), ("e.cpp", "K::m")]
    {
        let names = rows(&project, &format!("select display_fqn from symbols where file_path = '{file}'"));
        assert!(names.iter().any(|row| row[0].ends_with(ending)), "{file}: {names:?}");
    }
}

#[test]
fn references_and_calls_have_the_kinds_and_places_of_the_documents() {
    let project = Project::new(&[(
        "m.ts",
        "import { Far } from './far';\nclass A {}\nclass B extends A {}\nlet n: number = 1;\nfunction f(b: B) { n = 2; return n; }\nf(new B());\n",
    )]);
    let kinds: Vec<String> =
        rows(&project, "select distinct kind_normalized from references order by 1").into_iter().flatten().collect();
    assert_eq!(kinds, ["call", "import", "inheritance", "read", "type_ref", "write"]);
    let ids = rows(&project, "select reference_id from references");
    assert!(!ids.is_empty() && ids.iter().all(|row| row[0].starts_with("ref_")), "{ids:?}");
    let calls = rows(&project, "select caller, callee, start_line, start_col from calls where callee = 'f'");
    assert_eq!(calls.len(), 1, "{calls:?}");
    assert_eq!(calls[0][1..], ["f", "6", "0"], "{calls:?}");
}

#[test]
fn an_entity_refers_to_exactly_one_entity_from_exactly_one() {
    let project = shop();
    let one = |end: &str| {
        ["class", "method", "function"].map(|kind| format!("({end}_{kind}_id is not null)")).join(" + ") + " <> 1"
    };
    let wrong = format!("select count(*) from entity_cross_ref where {} or {}", one("caller"), one("callee"));
    assert_eq!(rows(&project, &wrong), [["0"]]);
    let kinds = rows(&project, "select distinct ref_type from entity_cross_ref order by 1");
    assert_eq!(kinds, [["attribute"], ["call"], ["inherit"], ["instantiation"]]);
    assert_eq!(rows(&project, "select line, end_line from classes where name = 'Base'"), [["4", "8"]]);
    assert_eq!(rows(&project, "select line, end_line from methods where name = 'keep'"), [["11", "13"]]);
    assert_eq!(rows(&project, "select line, end_line from functions where name = 'save'"), [["3", "3"]]);
    std::fs::remove_file(project.path().join("app/store.py")).expect("it is there");
    assert_eq!(rows(&project, "select count(*) from entity_cross_ref where ref_type = 'call'"), [["0"]]);
}

#[test]
fn the_reference_index_answers_its_five_queries() {
    let project = shop();
    let files = |answer: &Value| -> Vec<String> {
        let rows = answer["references"].as_array().expect("rows");
        rows.iter().map(|row| format!("{}:{}", row["file"].as_str().expect("a file"), row["line_number"])).collect()
    };
    assert_eq!(files(&project.json(&["refs", "save"])), ["app/models.py:2", "app/models.py:12"]);
    assert_eq!(files(&project.json(&["refs", "app/models.py"])), ["app/store.py:1", "app/store.py:3"]);
    let around = project.run(&["deps", "app/store.py"]).out;
    assert!(
        around.contains("app/store.py → app/models.py") && around.contains("app/models.py → app/store.py"),
        "{around}"
    );
    assert_eq!(project.run(&["deps", "--mutual"]).out.matches("app/models.py").count(), 1);
}

#[test]
fn a_symbol_has_all_that_the_documents_list() {
    let project = shop();
    let hover = project.json(&["hover", "app/models.py:7:16"]);
    assert_eq!((&hover["name"], &hover["return_type"]), (&"load".into(), &"int".into()), "{hover}");
    assert_eq!(hover["parameters"][0]["name"], "path", "{hover}");
    assert_eq!(hover["parameters"][1]["default"], "False", "{hover}");
    let outline = project.json(&["signature", "app/models.py"]);
    let load = outline["methods"].as_array().expect("methods").iter().find(|one| one["name"] == "load");
    assert_eq!(load.expect("a method")["is_async"], true);
    let members: Vec<&Value> = outline["members"].as_array().expect("members").iter().map(|one| &one["name"]).collect();
    assert!(members.contains(&&"name".into()), "instance variables: {outline}");
    assert_eq!(rows(&project, "select bases from classes where name = 'User'"), [["[\"Base\"]"]]);
    let calls = project.json(&["callees", "keep"]);
    let save = &calls["calls"][0];
    assert_eq!((&save["name"], &save["symbol"]["file"]), (&"app.store.save".into(), &"app/store.py".into()), "{save}");
    assert_eq!((&save["lines"][0], &save["is_conditional"]), (&12.into(), &false.into()), "{save}");
    // What is inherited stands with the parent alone.
    let map = project.run(&["map"]).out;
    assert_eq!(map.matches("load(path,deep?)").count(), 1, "{map}");
}

#[test]
fn the_graph_has_the_nodes_and_edges_of_the_schema() {
    let project = shop();
    assert_eq!(project.run(&["export", "--format", "json", "--out", "graph.json"]).code, 0);
    let text = std::fs::read_to_string(project.path().join("graph.json")).expect("it was written");
    let graph: Value = serde_json::from_str(&text).expect("JSON");
    let of = |list: &str, key: &str, word: &str| -> Vec<Value> {
        graph[list].as_array().expect("a list").iter().filter(|one| one[key] == word).cloned().collect()
    };
    for (kind, fields) in [
        ("File", &["path", "hash", "last_indexed_at", "last_modified"][..]),
        (
            "Symbol",
            &["symbol_id", "fqn", "canonical_fqn", "display_fqn", "name", "kind", "kind_normalized", "byte_start"],
        ),
        ("Reference", &["file", "byte_start", "byte_end", "start_line", "start_col", "end_line", "end_col"]),
        ("Call", &["file", "caller", "callee", "caller_symbol_id", "callee_symbol_id", "byte_start", "end_col"]),
    ] {
        let nodes = of("nodes", "kind", kind);
        assert!(!nodes.is_empty(), "no {kind}");
        for (node, field) in nodes.iter().flat_map(|node| fields.iter().map(move |field| (node, field))) {
            assert!(node["data"].get(field).is_some(), "{kind}: {field}: {node}");
        }
    }
    for kind in ["DEFINES", "REFERS", "CALLS"] {
        let edges = of("edges", "edge_type", kind);
        assert!(
            !edges.is_empty() && edges.iter().all(|edge| edge["from"].is_number() && edge["to"].is_number()),
            "{kind}"
        );
    }
}
