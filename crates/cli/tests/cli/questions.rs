//! The commands that answer questions.

use expect_test::expect;

use crate::support::Project;

const MODELS: &str = r#"# Models of the shop.
# Kept small.

from dataclasses import dataclass

LIMIT = 10


class User(object):
    """A person who buys."""

    def __init__(self, name: str):
        self.name = name

    def save(self, force=False) -> bool:
        # save the user, not the cart
        return store(self.name)


@dataclass
class Cart(
    object,
):
    items: list = None

    async def checkout(
        self,
        user: User,  # who pays
        *, dry: bool = False,
    ) -> int:
        """Pays for everything."""
        print("save the cart")
        return user.save()


def store(name):
    message = "Please Restart the Service"
    return True
"#;

const APP: &str = r#"from shop.models import User


def save():
    User("x").save()
    Save = 1
    return Save
"#;

fn shop() -> Project {
    Project::new(&[("shop/models.py", MODELS), ("shop/__init__.py", ""), ("app.py", APP)])
}

#[test]
fn query_lists_lines_with_the_exact_case_first() {
    expect![[r#"
        app.py:4           method    def save():
        app.py:5           code      User("x").save()
        shop/models.py:15  method    def save(self, force=False) -> bool:
        shop/models.py:16  comment   # save the user, not the cart
        shop/models.py:33  code      return user.save()
        app.py:6           code      Save = 1
        app.py:7           code      return Save
        +1 line in strings (--type string)
    "#]]
    .assert_eq(&shop().transcript(&["query", "save"]));
}

#[test]
fn query_narrows_by_case_type_and_file() {
    let shop = shop();
    expect![[r#"
        app.py:6  code      Save = 1
        app.py:7  code      return Save
    "#]]
    .assert_eq(&shop.transcript(&["query", "Save", "--case-sensitive"]));
    expect![[r#"
        shop/models.py:32  string    print("save the cart")
    "#]]
    .assert_eq(&shop.transcript(&["query", "save", "--type", "string"]));
    expect![[r#"
        app.py:4           method    def save():
        shop/models.py:15  method    def save(self, force=False) -> bool:
        +1 line in strings (--type string)
    "#]]
    .assert_eq(&shop.transcript(&["query", "save", "--type", "method"]));
    expect![[r#"
        shop/models.py:16  comment   # save the user, not the cart
        +1 line in strings (--type string)
    "#]]
    .assert_eq(&shop.transcript(&["query", "save", "--type", "comment", "--file-filter", "shop/**"]));
}

#[test]
fn query_pages_through_a_list() {
    let shop = shop();
    expect![[r#"
        app.py:5           code      User("x").save()
        shop/models.py:15  method    def save(self, force=False) -> bool:
        2 of 7; go on with --offset 3
        +1 line in strings (--type string)
    "#]]
    .assert_eq(&shop.transcript(&["query", "save", "--limit", "2", "--offset", "1"]));
    let page = shop.envelope(&["query", "save", "--limit", "2"]);
    assert_eq!(page["partial"], true);
    assert_eq!(page["data"]["total_matches"], 7);
    assert_eq!(page["data"]["next_offset"], 2);
}

#[test]
fn query_modes() {
    let shop = shop();
    let terms = |arguments: &[&str]| {
        let data = shop.json(&[&["query"], arguments].concat());
        let matches = data["matches"].as_array().expect("a list").clone();
        let mut terms: Vec<String> = matches.iter().map(|m| m["term"].as_str().expect("a term").to_owned()).collect();
        terms.sort();
        terms.dedup();
        terms.join(" ")
    };
    assert_eq!(terms(&["ser", "--mode", "contains"]), "User user");
    assert_eq!(terms(&["check", "--starts-with"]), "checkout");
    assert_eq!(terms(&["^l?i[mt]", "--regex"]), "LIMIT items");
    assert_eq!(terms(&["^l", "--regex", "--case-sensitive"]), "list");
}

#[test]
fn a_phrase_stands_on_one_line_with_any_white_space() {
    let shop = shop();
    expect![[r#"
        shop/models.py:37  string    message = "Please Restart the Service"
        note: found in strings only
    "#]]
    .assert_eq(&shop.transcript(&["query", "please  Restart\tthe Service"]));
    expect![[r#"
        shop/models.py:16  comment   # save the user, not the cart
        +1 line in strings (--type string)
    "#]]
    .assert_eq(&shop.transcript(&["query", "save the"]));
    expect![[r#"
        shop/models.py:33  code      return user.save()
        note: not indexed, compared with the text only: return
    "#]]
    .assert_eq(&shop.transcript(&["query", "return user.save("]));
    assert_eq!(shop.run(&["query", "check out"]).code, 1);
}

#[test]
fn an_empty_answer_says_what_was_covered() {
    let shop = shop();
    expect![[r#"
        no match for 'chekcout'
        searched 3 files (python)
        near: checkout
        --- exit 1
    "#]]
    .assert_eq(&shop.transcript(&["query", "chekcout"]));
    expect![[r#"
        no match for 'async'
        note: 'async' is a keyword of python: uses as a keyword are not indexed
        searched 3 files (python)
        --- exit 1
    "#]]
    .assert_eq(&shop.transcript(&["query", "async"]));
    expect![[r#"
        app.py:2  comment   # if it is
        note: 'if' is a keyword of python: uses as a keyword are not indexed
    "#]]
    .assert_eq(&Project::new(&[("app.py", "if x: pass\n# if it is\n")]).transcript(&["query", "if"]));
    expect![[r#"
        no match for ' '
        note: a blank term matches nothing
        --- exit 1
    "#]]
    .assert_eq(&shop.transcript(&["query", " "]));
}

#[test]
fn find_takes_names_qualified_names_places_and_ids() {
    let shop = shop();
    expect![[r#"
        Function  app.save               app.py:4           def save()
        Method    shop.models.User.save  shop/models.py:15  def save(self, force=False) -> bool
    "#]]
    .assert_eq(&shop.transcript(&["find", "save"]));
    let one = |name: &str| {
        let data = shop.json(&["find", name]);
        data["symbols"][0]["fqn"].as_str().unwrap_or_default().to_owned()
    };
    assert_eq!(one("User.save"), "shop.models.User.save");
    assert_eq!(one("User::save"), "shop.models.User.save");
    assert_eq!(one("shop/models.py:16"), "shop.models.User.save");
    assert_eq!(one("shop/models.py:9"), "shop.models.User");
    let id = shop.json(&["find", "User.save"])["symbols"][0]["symbol_id"].as_str().expect("an id").to_owned();
    assert_eq!(id.len(), 32);
    assert_eq!(one(&id), "shop.models.User.save");
    assert_eq!(one(&id[..8]), "shop.models.User.save");
}

#[test]
fn find_narrows_by_kind_and_language() {
    let shop = shop();
    expect![[r#"
        Class  shop.models.User  shop/models.py:9   class User(object)
        Class  shop.models.Cart  shop/models.py:21  class Cart(object)
    "#]]
    .assert_eq(&shop.transcript(&["find", "--kind", "class", "--label", "python"]));
    assert_eq!(shop.json(&["find", "--kind", "struct"])["total"], 2);
    assert_eq!(shop.json(&["find", "s", "--starts-with", "--kind", "fn"])["total"], 2);
}

#[test]
fn symbols_have_all_their_ids() {
    let symbol = shop().json(&["find", "User.save"])["symbols"][0].take();
    expect![[r#"
        {
          "byte_end": 306,
          "byte_start": 200,
          "canonical_fqn": "demo::shop/models.py::Method User.save",
          "display_fqn": "shop.models.User.save",
          "end_col": 31,
          "end_line": 17,
          "file": "shop/models.py",
          "fqn": "shop.models.User.save",
          "kind": "Method",
          "kind_normalized": "method",
          "language": "python",
          "line_number": 15,
          "match_id": "…",
          "name": "save",
          "parent": "shop.models.User",
          "signature": "def save(self, force=False) -> bool",
          "span_id": "…",
          "start_col": 4,
          "start_line": 15,
          "symbol_id": "…",
          "symbol_key": "…",
          "visibility": "public"
        }"#]]
    .assert_eq(&hide_ids(&symbol));
}

/// Keeps the order of the fields; replaces hashes by dots.
fn hide_ids(symbol: &serde_json::Value) -> String {
    let text = serde_json::to_string_pretty(symbol).expect("JSON");
    let hidden = text.lines().map(|line| {
        let hash =
            ["symbol_id", "symbol_key", "span_id", "match_id"].iter().any(|id| line.contains(&format!("\"{id}\"")));
        match line.split_once(": ") {
            Some((name, _)) if hash => format!("{name}: \"…\","),
            _ => line.to_owned(),
        }
    });
    hidden.collect::<Vec<_>>().join("\n")
}

#[test]
fn get_prints_the_source_with_decorators_and_checks_it() {
    let shop = shop();
    let run = shop.run(&["get", "Cart"]);
    assert!(run.out.contains("\n@dataclass\nclass Cart(\n"), "{}", run.out);
    let data = shop.json(&["get", "store"]);
    assert_eq!(data["content"], "def store(name):\n    message = \"Please Restart the Service\"\n    return True");
    assert_eq!(data["symbol"]["name"], "store");
    shop.write("shop/models.py", &MODELS.replace("True", "None"));
    let run = shop.run(&["get", "store", "--no-update"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("has changed since it was indexed"), "{}", run.err);
    assert!(shop.run(&["get", "store"]).out.contains("return None"));
}

#[test]
fn an_ambiguous_name_is_answered_with_the_choices() {
    let shop = shop();
    let run = shop.run(&["get", "save"]);
    assert_eq!(run.code, 1);
    assert!(run.out.starts_with("'save' means 2 symbols"), "{}", run.out);
    let data = shop.json(&["get", "save"]);
    assert_eq!((data["ambiguous"].clone(), data["choices"].as_array().map(Vec::len)), (true.into(), Some(2)));
    expect![[r#"
        no symbol 'safe'
        searched 3 files (python)
        near: Save, save
        --- exit 1
    "#]]
    .assert_eq(&shop.transcript(&["get", "safe"]));
}

#[test]
fn a_name_means_the_type_not_its_blocks_and_the_definition_not_its_declarations() {
    let rust = "pub struct Wheel;\nimpl Wheel {\n    pub fn turn(&self) {}\n}\nimpl Drop for Wheel {\n    fn drop(&mut self) {}\n}\n";
    let project = Project::new(&[
        ("src/lib.rs", rust),
        ("a.h", "int spin(int x);\n"),
        ("a.c", "#include \"a.h\"\nint spin(int x) { return x; }\n"),
    ]);
    assert_eq!(project.json(&["get", "Wheel"])["content"], "pub struct Wheel;");
    assert_eq!(project.json(&["get", "spin"])["content"], "int spin(int x) { return x; }");
    assert_eq!(project.json(&["find", "Wheel"])["total"], 2);
}

#[test]
fn signature_outlines_a_file() {
    let shop = shop();
    expect![[r#"
        shop/models.py  python, 39 lines
          Models of the shop.
          Kept small.
          6      constant           LIMIT = 10
          9-17   class              class User(object)
          12-13  constructor          def __init__(self, name: str)
          13     instance_variable    name
          15-17  method               def save(self, force=False) -> bool
          21-33  class              class Cart(object)
          24     field                items: list = None
          26-33  method               async def checkout(self, user: User, *, dry: bool = False) -> int
          36-38  function           def store(name)
    "#]]
    .assert_eq(&shop.transcript(&["signature", "shop/models.py"]));
    let data = shop.json(&["signature", "shop/models.py"]);
    assert_eq!(data["header_comments"], "Models of the shop.\nKept small.");
    assert_eq!(data["types"][0]["name"], "User");
    assert_eq!(data["types"][0]["kind"], "class");
    let methods = data["methods"].as_array().expect("a list");
    let checkout = methods.iter().find(|m| m["name"] == "checkout").expect("a method");
    assert_eq!(checkout["is_async"], true);
    assert_eq!(checkout["line_number"], 26);
    assert_eq!(checkout["summary"], "Pays for everything.");
}

#[test]
fn signatures_take_a_glob_a_folder_or_a_list() {
    let shop = shop();
    let files = |arguments: &[&str]| {
        let data = shop.json(&[&["signatures"], arguments].concat());
        let list = data["signatures"].as_array().expect("a list").clone();
        list.iter().map(|s| s["file"].as_str().expect("a path").to_owned()).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(files(&["shop/*.py"]), "shop/__init__.py shop/models.py");
    assert_eq!(files(&["shop"]), "shop/__init__.py shop/models.py");
    assert_eq!(files(&["shop/models.py", "app.py"]), "app.py shop/models.py");
    assert_eq!(shop.run(&["signatures", "*.go"]).code, 1);
}

#[test]
fn tree_shows_folders_depth_and_counts() {
    let shop = shop();
    expect![[r#"
        .  3 files
          app.py
          shop/  2 files
            __init__.py
            models.py
    "#]]
    .assert_eq(&shop.transcript(&["tree"]));
    expect![[r#"
        .  3 files
          app.py
          shop/  2 files
    "#]]
    .assert_eq(&shop.transcript(&["tree", "--depth", "1"]));
    let data = shop.json(&["tree", "shop", "--stats"]);
    assert_eq!(data["entries"][1]["path"], "shop/models.py");
    assert_eq!(data["entries"][1]["method_count"], 4);
    assert!(data["entries"][1]["item_count"].as_u64().expect("a number") > 10);
}

#[test]
fn ast_prints_a_tree_or_what_is_around_a_position() {
    let shop = shop();
    expect![[r#"
        module  1:0 [0..93]
          function_definition  4:0 [31..92]
            identifier  4:4 [35..39]  save
    "#]]
    .assert_eq(&shop.transcript(&["ast", "app.py", "--position", "37"]));
    let by_line = shop.json(&["ast", "app.py", "--position", "4:5"]);
    assert_eq!(by_line["nodes"][2]["kind"], "identifier");
    let data = shop.json(&["ast", "app.py", "--depth", "1"]);
    assert_eq!(data["nodes"][0]["parent_id"], serde_json::Value::Null);
    assert_eq!(data["total"], 1);
}

#[test]
fn find_ast_finds_nodes_in_all_files() {
    let shop = shop();
    expect![[r#"
        app.py:7:4           return Save
        shop/models.py:17:8  return store(self.name)
        shop/models.py:33:8  return user.save()
        shop/models.py:38:4  return True
    "#]]
    .assert_eq(&shop.transcript(&["find-ast", "--kind", "return_statement"]));
    let cut = shop.json(&["find-ast", "--kind", "return_statement", "--limit", "1"]);
    assert_eq!((cut["next_offset"].clone(), cut["total"].clone()), (1.into(), 4.into()));
    let run = shop.run(&["find-ast", "--kind", "retrun_statement"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("hint: one of: return_statement"), "{}", run.err);
}

#[test]
fn chunks_cut_a_file_at_definitions() {
    let shop = shop();
    let data = shop.json(&["chunks", "shop/models.py"]);
    let chunks = data["chunks"].as_array().expect("a list");
    let names: Vec<&str> = chunks.iter().map(|c| c["fqn"].as_str().unwrap_or("-")).collect();
    assert_eq!(names, ["-", "shop.models.LIMIT", "shop.models.User", "shop.models.Cart", "shop.models.store"]);
    let text: String = chunks.iter().map(|c| c["content"].as_str().expect("text")).collect();
    assert_eq!(text.split_whitespace().collect::<String>(), MODELS.split_whitespace().collect::<String>());
    assert_eq!(chunks[0]["checksum"].as_str().map(str::len), Some(64));
    assert_eq!(chunks[0]["span_id"].as_str().map(str::len), Some(16));
    let small = shop.json(&["chunks", "User", "--max-bytes", "60"]);
    assert!(small["total"].as_u64().expect("a number") > 2);
}

#[test]
fn label_counts_and_lists() {
    let shop = shop();
    let counts = shop.json(&["label"]);
    assert_eq!(counts["counts"][0]["label"], "python");
    assert_eq!(counts["counts"][0]["files"], 3);
    expect![[r#"
        Class  shop.models.User  shop/models.py:9   class User(object)
        Class  shop.models.Cart  shop/models.py:21  class Cart(object)
    "#]]
    .assert_eq(&shop.transcript(&["label", "python", "class"]));
}

#[test]
fn there_are_no_collisions() {
    let twice = "def f(): pass\ndef f(): pass\nclass A:\n    def f(self): pass\n    def f(self): pass\n";
    let project = Project::new(&[("a.py", twice), ("b/a.py", twice)]);
    let data = project.json(&["collisions", "--field", "fqn", "--field", "fqn"]);
    assert_eq!(data["collisions"], serde_json::json!([]));
    let data = project.json(&["collisions"]);
    assert_eq!(data["collisions"], serde_json::json!([]));
    assert!(data["checked"].as_u64().expect("a number") >= 10);
    assert_eq!(project.json(&["find", "a.f#2"])["symbols"][0]["line_number"], 2);
    let index = rusqlite::Connection::open(project.path().join(".codegraph/index.db")).expect("an index");
    index.execute("UPDATE file SET ordinals = NULL", []).expect("numbers of names that repeat");
    let data = project.json(&["collisions", "--field", "fqn"]);
    let values: Vec<&str> =
        data["collisions"].as_array().expect("a list").iter().filter_map(|one| one["value"].as_str()).collect();
    assert_eq!(values, ["a.A.f", "a.f", "b.a.A.f", "b.a.f"]);
    assert_eq!(data["collisions"][1]["symbols"][1]["line_number"], 2);
}

#[test]
fn sql_reads_the_tables() {
    let shop = shop();
    expect![[r#"
        path              n
        app.py            1
        shop/__init__.py  1
        shop/models.py    1
    "#]]
    .assert_eq(&shop.transcript(&["sql", "SELECT path, 1 AS n FROM files ORDER BY path"]));
    let data = shop.json(&["sql", "SELECT 1 AS a, 2 AS a"]);
    assert_eq!(data["columns"], serde_json::json!(["a", "a_2"]));
    assert_eq!(data["rows"], serde_json::json!([{"a": 1, "a_2": 2}]));
    let cut = shop.envelope(&["sql", "SELECT path FROM files", "--limit", "1"]);
    assert_eq!((cut["partial"].clone(), cut["data"]["truncated"].clone()), (true.into(), true.into()));
}

#[test]
fn status_counts_what_there_is() {
    let shop = shop();
    let data = shop.json(&["status"]);
    assert_eq!(data["project_name"], "demo");
    assert_eq!(data["statistics"]["files"], 3);
    assert_eq!(data["statistics"]["types"], 2);
    assert_eq!(data["languages"][0]["language"], "python");
    assert!(shop.run(&["status"]).out.contains("files                 3"));
}
