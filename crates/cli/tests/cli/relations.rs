//! Who uses whom: references, callers, impact and the questions that follow from them.

use expect_test::expect;
use serde_json::Value;

use crate::support::Project;

/// The names of the callers or callees in an answer.
fn names(answer: &Value) -> Vec<&str> {
    answer["calls"].as_array().expect("a list").iter().map(|call| call["name"].as_str().expect("a name")).collect()
}

#[test]
fn a_call_into_another_module_is_bound_in_either_spelling_and_order() {
    for call in ["math::add(1, 2)", "crate::math::add(1, 2)"] {
        let project = Project::new(&[
            ("src/main.rs", &format!("mod math;\nfn main() {{\n    {call};\n}}\n")),
            ("src/math.rs", "pub fn add(a: i32, b: i32) -> i32 {\n    a + b\n}\n"),
        ]);
        assert_eq!(names(&project.json(&["callees", "src/main.rs:2"])), ["demo::math::add"]);
        let callers = project.json(&["callers", "add"]);
        assert_eq!(names(&callers), ["demo::main"]);
        assert_eq!(callers["total_sites"], 1);
        assert_eq!(callers["calls"][0]["certainty"], "exact");
    }
}

#[test]
fn equal_names_in_two_files_stay_apart() {
    let worker = "struct Worker;\nimpl Worker {\n    fn same_name(&self) {}\n    fn boot(&self) {\n        self.same_name();\n    }\n}\n";
    let project = Project::new(&[("src/a.rs", worker), ("src/b.rs", worker), ("src/lib.rs", "mod a;\nmod b;\n")]);
    for file in ["a", "b"] {
        let callees = project.json(&["callees", &format!("{file}::Worker::boot")]);
        assert_eq!(names(&callees), [format!("demo::{file}::Worker::same_name")]);
    }
}

#[test]
fn sites_and_distinct_callees_are_counted_apart() {
    let text = "def inner1(): pass\n\ndef inner2(): pass\n\ndef outer():\n    inner1(); inner2(); inner1()\n\ndef again(n):\n    return again(n - 1)\n";
    let project = Project::new(&[("m.py", text)]);
    let callees = project.json(&["callees", "outer"]);
    assert_eq!((callees["total"].as_u64(), callees["total_sites"].as_u64()), (Some(2), Some(3)));
    let callers = project.json(&["callers", "again"]);
    assert_eq!(callers["calls"][0]["recursive"], true);
}

#[test]
fn a_name_that_two_files_define_is_a_candidate_not_a_fact() {
    let project = Project::program(
        "
//- /a.js
export class A {
  shared() {}
}
//- /b.js
export class B {
  shared() {}
}
//- /c.js
function run(x) {
  x.shared();
}
",
    );
    let callers = project.json(&["callers", "a.js:2"]);
    assert_eq!(names(&callers), Vec::<&str>::new());
    assert_eq!(callers["unbound"]["total"], 1);
    let shown = project.json(&["callers", "a.js:2", "--candidates"]);
    assert_eq!(shown["unbound"]["candidates"][0]["file"], "c.js");
    assert_eq!(shown["unbound"]["candidates"][0]["certainty"], "candidate");
    let run = project.run(&["callers", "a.js:2"]);
    assert_eq!(run.code, 1);
    assert!(
        run.out.contains("1 site by name only may mean it, no other can:\nc.js\n  2?  run: x.shared();"),
        "{}",
        run.out
    );
}

#[test]
fn links_follow_renames_removals_and_returns() {
    let project = Project::new(&[
        ("src/app.ts", "import { add } from \"./math.js\";\nexport const three = () => add(1, 2);\n"),
        ("src/math.ts", "export function add(a: number, b: number) { return a + b; }\n"),
    ]);
    let bound = || {
        project.json(&["sql", "SELECT count(*) AS n FROM calls WHERE callee_id IS NOT NULL"])["rows"][0]["n"].clone()
    };
    assert_eq!(bound(), 1);
    project.write("src/math.ts", "export function plus(a: number, b: number) { return a + b; }\n");
    assert_eq!(bound(), 0);
    project.write("src/math.ts", "// moved down\nexport function add(a: number, b: number) { return a + b; }\n");
    assert_eq!(bound(), 1);
    std::fs::remove_file(project.path().join("src/math.ts")).expect("it is there");
    assert_eq!(bound(), 0);
    let kept = project.json(&["sql", "SELECT count(*) AS n FROM calls WHERE callee = 'add'"]);
    assert_eq!(kept["rows"][0]["n"], 1);
}

const SHAPES: &str =
    "class Shape:\n    def area(self):\n        return 0\n\n    def double(self):\n        return self.area() * 2\n";
const ROUND: &str = "from shapes import Shape\n\nclass Circle(Shape):\n    def area(self):\n        return 3\n\ndef make():\n    circle = Circle()\n    return circle.double()\n";

fn shapes() -> Project {
    Project::new(&[
        ("shapes.py", SHAPES),
        ("round.py", ROUND),
        ("test_round.py", "from round import make\n\ndef test_make():\n    assert make() == 6\n"),
    ])
}

#[test]
fn impact_goes_through_others_and_sets_tests_apart() {
    let answer = shapes().json(&["impact", "Shape.area"]);
    let list = |key: &str| -> Vec<(u64, String)> {
        let rows = answer[key].as_array().expect("a list").iter();
        rows.map(|row| {
            (row["depth"].as_u64().expect("a number"), row["symbol"]["fqn"].as_str().expect("a name").into())
        })
        .collect()
    };
    assert_eq!(list("affected"), [(1, "shapes.Shape.double".into()), (2, "round.make".into())]);
    assert_eq!(list("tests")[0].1, "test_round");
    assert_eq!(list("tests")[1].1, "test_round.test_make");
}

#[test]
fn a_path_names_each_step() {
    expect![[r#"
        function test_make  test_round.py:3
          call → round.make  test_round.py:4
          call ~ → shapes.Shape.double  round.py:9
          call → shapes.Shape.area  shapes.py:6
        3 steps
    "#]]
    .assert_eq(&shapes().run(&["path", "test_make", "Shape.area"]).out);
}

#[test]
fn a_hierarchy_shows_bases_and_heirs() {
    let project = shapes();
    expect![[r#"
        class Shape  shapes.py:1
        bases: none
        heirs: 1
          Circle  round.py:3
    "#]]
    .assert_eq(&project.run(&["hierarchy", "Shape"]).out);
    assert_eq!(project.json(&["hierarchy", "Circle"])["bases"][0]["name"], "shapes.Shape");
}

#[test]
fn a_base_that_nothing_defines_is_shown_as_written() {
    let project = Project::program(
        "
//- /a.py
from lib import Outer

class A(Outer): ...
class B(A, missing.Thing[int]): ...
//- /io.go
package io
type Reader interface{ Read() }
type File struct{}
type Both interface{ Reader }
type Log struct{ File }
",
    );
    expect![[r#"
        class B  a.py:4
        bases: 3
          A  a.py:4
          missing.Thing[int]  a.py:4  (unresolved)
            lib.Outer  a.py:3  (external)  of A
        heirs: none
    "#]]
    .assert_eq(&project.run(&["hierarchy", "B"]).out);
    assert_eq!(project.json(&["hierarchy", "Both"])["bases"][0]["name"], "demo.Reader");
    assert_eq!(project.json(&["hierarchy", "File"])["heirs"][0]["name"], "demo.Log");
}

#[test]
fn a_call_that_says_whose_method_runs_runs_no_other() {
    let python = "class Base:\n    def run(self): ...\n\nclass Child(Base):\n    def run(self):\n        super().run()\n\n\
        class Last(Child):\n    def run(self):\n        Base.run(self)\n\ndef use(base: Base):\n    base.run()\n";
    let java = "class Up { void m(int x) {} void m(String s) {} }\nclass Low extends Up { void m(int x) {} }\n\
        class Use { void a(Up u) { u.m(1); } void b(Up u) { u.m(\"\"); } }\n";
    let go = "package io\ntype Reader interface{ Read() }\ntype File struct{}\nfunc (f File) Read() {}\n\
        type Log struct{ File }\nfunc (l Log) Read() {}\nfunc use(r Reader) { r.Read() }\nfunc other(f File) { f.Read() }\n";
    let project = Project::new(&[("a.py", python), ("Up.java", java), ("io.go", go)]);
    let dispatch = |symbol: &str| -> Vec<String> {
        let answer = project.json(&["callers", symbol]);
        let rows = answer["dispatch"].as_array().expect("a list").iter();
        rows.map(|row| row["symbol"]["fqn"].as_str().expect("a name").to_owned()).collect()
    };
    assert_eq!(dispatch("Last.run"), ["a.use"]);
    assert_eq!(dispatch("Low.m"), ["Use.a"]);
    assert_eq!(dispatch("Log.Read"), ["demo.use"]);
}

#[test]
fn variants_of_a_symbol_are_asked_for_together() {
    let text = "import sys\n\nif sys.platform == 'win32':\n    def lock(f): ...\nelse:\n    def lock(f): ...\n\n\
        def twice(): ...\ndef twice(): ...\n\ndef use():\n    lock(1)\n    twice()\n";
    let project = Project::new(&[("a.py", text)]);
    expect![[r#"
        function lock  a.py:4
        1 caller, 1 call; that is all
          a.py: use:12
        note: all 2 of 'lock' together: a.py:4, a.py:6
    "#]]
    .assert_eq(&project.run(&["callers", "lock"]).out);
    assert_eq!(project.json(&["callers", "a.py:6"])["total"], 1);
    assert_eq!(project.json(&["definition", "a.py:12:4"])["total"], 2);
    let stubs = "from typing import overload\n\n@overload\ndef pick(x: int) -> int: ...\ndef pick(x): ...\n\npick(1)\n";
    let overloads = Project::new(&[("a.py", stubs)]);
    assert_eq!(overloads.json(&["callers", "pick"])["symbol"]["line_number"], 5);
    assert_eq!(overloads.json(&["callers", "pick"])["total"], 1);
    assert_eq!(overloads.json(&["definition", "a.py:7:0"])["definitions"][1]["range"]["start_line"], 5);
    for name in ["twice", "a.twice"] {
        let answer = project.json(&["callers", name]);
        assert_eq!((&answer["symbol"]["line_number"], &answer["total"]), (&9.into(), &1.into()));
    }
}

#[test]
fn files_that_use_each_other_are_a_pair_and_a_circle() {
    let project = Project::program(
        "
//- /a.py
import b

def one():
    return b.two()
//- /b.py
import a

def two():
    return a.one()
//- /c.py
import a
",
    );
    let pairs = project.json(&["deps", "--mutual"]);
    assert_eq!(pairs["total"], 1);
    assert_eq!((&pairs["edges"][0]["from"], &pairs["edges"][0]["to"]), (&"a.py".into(), &"b.py".into()));
    let circle = project.json(&["cycles"]);
    assert_eq!(circle["cycles"][0]["members"], serde_json::json!(["a.py", "b.py"]));
    let circle = project.json(&["cycles", "--symbols"]);
    assert_eq!(circle["cycles"][0]["example"], serde_json::json!(["a.one", "b.two", "a.one"]));
    assert_eq!(project.json(&["deps", "a.py"])["total"], 3);
}

#[test]
fn what_may_be_used_unseen_is_not_called_dead() {
    let project = Project::program(
        r#"
//- /load.js
const { join, dead } = require('path')
const { own } = require('./lib')
module.exports = () => join(own())
//- /lib.js
exports.own = function () {}
//- /view.py
class View:
    def run(self, kind):
        return getattr(self, '_get_%s' % kind)()

    def _get_day(self): ...

    def _lost(self): ...
//- /ctl.c
#define CTL(n) n##_ctl
static int reset_ctl(void) { return 1; }
static int gone(void) { return 1; }
int (*all[])(void) = { CTL(reset) };
#ifdef A
static int twin(void) { return 1; }
#else
static int twin(void) { return 2; }
#endif
int use(void) { return twin(); }
//- /Cargo.toml
[package]
name = "shapes"
version = "0.1.0"
//- /src/lib.rs
trait Flag { fn name(&self) -> u8; }
struct A;
impl Flag for A { fn name(&self) -> u8 { 1 } }
pub fn all() -> u8 { let f: &dyn Flag = &A; f.name() }
fn unused() {}
//- /Ext.cs
static class Ext { internal static int Twice(this int x) => x; }
class Use { public int A() => 1.Twice(); }
"#,
    );
    let answer = project.json(&["dead-code"]);
    let found = answer["symbols"].as_array().expect("a list").iter();
    let mut found: Vec<&str> = found.map(|row| row["symbol"]["name"].as_str().expect("a name")).collect();
    found.sort_unstable();
    assert_eq!(found, ["Use", "_lost", "dead", "gone", "unused"]);
}

#[test]
fn tables_say_what_is_used_and_annotations_are_no_calls() {
    let java = "@interface Mark {}\nclass A {\n  static int make() { return 1; }\n  @Override @Mark int use() { return make() + out.get(); }\n}\n";
    let python = "import app\n\ndef wrap(f): ...\n\n@wrap\n@app.route\ndef page(): ...\n";
    let project = Project::new(&[("A.java", java), ("a.py", python)]);
    let rows = |statement: &str| -> Vec<String> {
        let answer = project.json(&["sql", statement]);
        let rows = answer["rows"].as_array().expect("a list").iter();
        let cell = |value: &serde_json::Value| value.as_str().unwrap_or("-").to_owned();
        rows.map(|row| row.as_object().expect("a row").values().map(cell).collect::<Vec<_>>().join(" ")).collect()
    };
    assert_eq!(rows("SELECT callee FROM calls ORDER BY callee"), ["get", "make", "route", "wrap"]);
    let types =
        "SELECT target_name AS a, target_type AS b FROM usages WHERE usage_type IN ('call', 'decorator') ORDER BY 1";
    let expected = ["Mark class", "Override class", "get method", "make method", "route function", "wrap function"];
    assert_eq!(rows(types), expected);
}

#[test]
fn a_change_reaches_where_a_function_runs_as_a_value() {
    let text = "def handler(): ...\n\ndef run(callback):\n    callback()\n\ndef start():\n    run(handler)\n";
    let project = Project::new(&[("a.py", text)]);
    let answer = project.json(&["impact", "handler", "--depth", "1"]);
    let rows = answer["affected"].as_array().expect("a list").iter();
    let rows: Vec<(&str, &str)> = rows
        .map(|row| (row["symbol"]["name"].as_str().expect("a name"), row["certainty"].as_str().expect("a word")))
        .collect();
    assert_eq!(rows, [("start", "exact"), ("run", "inferred")]);
}

#[test]
fn unused_private_functions_are_dead() {
    let project = Project::program(
        "
//- /m.py
def _used():
    pass

def _unused():
    pass

def public():
    _used()

def _by_name(x):
    x._maybe()

def _maybe():
    _by_name(1)
",
    );
    let found = project.json(&["dead-code"]);
    let names: Vec<_> = found["symbols"].as_array().expect("a list").iter().map(|s| &s["symbol"]["name"]).collect();
    assert_eq!(names, ["_unused"]);
    assert_eq!(found["undecided"], 1);
}

#[test]
fn what_is_a_value_or_stands_in_a_string_is_not_dead() {
    let project = Project::program(
        "
//- /m.js
register(function handler() {});
function named() {}
call('named');
function unused() {}
//- /view.jsx
export const view = () => <a onClick={() => 1} />;
//- /bridge.py
import sys

def _linux_add(): pass
def _lost(): pass

def run(kernel, verb):
    return getattr(sys.modules[__name__], f'_{kernel}_{verb}')()
//- /Kept.java
public class Kept implements java.io.Serializable {
    private static final long serialVersionUID = 1;
}
",
    );
    let found = project.json(&["dead-code"]);
    let names: Vec<_> = found["symbols"].as_array().expect("a list").iter().map(|s| &s["symbol"]["name"]).collect();
    assert_eq!(names, ["_lost", "unused"]);
    assert_eq!(found["undecided"], 2);
}

/// What platforms choose, other languages call, symbols name and base classes collect is in use.
#[test]
fn what_others_reach_without_a_reference_is_not_dead() {
    let project = Project::program(
        "
//- /go.mod
module demo
//- /trap.go
package demo

func Run() { trap() }
//- /trap_posix.go
package demo

func trap() {}
//- /trap_windows.go
package demo

func trap() {}

func forgotten() {}
//- /set.go
package demo

type setter interface{ touched() bool }
type all[K any] []setter
type one[K any] struct{}

func (o *one[K]) touched() bool { return false }
//- /shapes.rb
class Shape
  def self.inherited(heir)
    all << heir
  end
end
class Round < Shape
end
class Table
  def rows
    lines.select(&method(:wide?))
  end

  private

  def wide?(line) = line.size > 80

  def never?(line) = line.size > 90
end
//- /ffi/lib.h
int ring_open(int size);
//- /src/ring.rs
export! {
    fn ring_open(size: i32) -> i32 { size }
}
fn lonely() {}
//- /show.py
class _Table:
    def _repr_html_(self):
        pass

    def _unused(self):
        pass

def show():
    return _Table()
",
    );
    let found = project.json(&["dead-code"]);
    let names = found["symbols"].as_array().expect("a list").iter();
    let mut names: Vec<&str> = names.map(|s| s["symbol"]["name"].as_str().expect("a name")).collect();
    names.sort_unstable();
    assert_eq!(names, ["_unused", "all", "forgotten", "lonely", "never?"]);
}

#[test]
fn an_exported_key_and_a_declaration_have_the_callers_of_what_they_name() {
    let project = Project::program(
        "
//- /lib.js
function work() {}
module.exports = { work, other: 1 };
//- /app.js
const lib = require('./lib');
function run() {
  lib.work();
}
//- /over.py
from typing import overload
@overload
def f(x: int): ...
@overload
def f(x: str): ...
def f(x): return x

def g():
    f(1)
",
    );
    let found = project.json(&["callers", "lib.work"]);
    assert_eq!(found["calls"][0]["symbol"]["name"], "run", "{found}");
    let found = project.json(&["callers", "over.py:6"]);
    assert_eq!(found["calls"][0]["symbol"]["name"], "g", "{found}");
}

#[test]
fn entities_know_their_dependencies_and_dependents() {
    let project = shapes();
    let dependents = project.json(&["get_entity_dependents", "Circle"]);
    assert_eq!(dependents["references"][0]["ref_type"], "instantiation");
    assert_eq!(dependents["references"][0]["name"], "round.make");
    let dependencies = project.json(&["get-entity-dependencies", "Circle"]);
    assert_eq!(dependencies["references"][0]["ref_type"], "inherit");
    assert_eq!(dependencies["references"][0]["name"], "shapes.Shape");
    let table = project.json(&[
        "sql",
        "SELECT ref_type, c.name AS callee FROM entity_cross_ref x JOIN classes c ON c.id = x.callee_class_id ORDER BY 1",
    ]);
    let inherit = serde_json::json!({"ref_type": "inherit", "callee": "Shape"});
    assert!(table["rows"].as_array().expect("rows").contains(&inherit), "{table}");
    let usages = project.json(&["find_usages", "area"]);
    assert_eq!((&usages["total"], &usages["candidates"]), (&1.into(), &0.into()));
    let uses = project.json(&["find_dependencies", "round.py"]);
    assert_eq!(uses["dependencies"][0]["name"], "shapes");
}

#[test]
fn unknown_and_ambiguous_symbols_are_answered_with_what_to_do() {
    let project = shapes();
    let run = project.run(&["refs", "Shap"]);
    assert_eq!(run.code, 1);
    assert!(run.out.contains("near: Shape"), "{}", run.out);
    let run = project.run(&["callers", "area"]);
    assert!(run.out.contains("'area' means 2 symbols"), "{}", run.out);
    let run = project.run(&["refs", "Shape", "--kind", "calling"]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("instantiation"), "{}", run.err);
}

#[test]
fn implementations_are_listed_apart_from_what_is_proved() {
    let go = "package m\n\ntype Shape interface {\n\tArea() int\n\tName() string\n}\n\ntype Square struct{}\n\nfunc (s Square) Area() int { return 1 }\nfunc (s *Square) Name() string { return \"\" }\n\ntype Half struct{}\n\nfunc (h Half) Area() int { return 2 }\n\nfunc Total(s Shape) int { return s.Area() }\n";
    let rust = "pub trait Shape {\n    fn area(&self) -> i32;\n}\npub struct Square;\nimpl Shape for Square {\n    fn area(&self) -> i32 {\n        1\n    }\n}\npub fn total(shape: &dyn Shape) -> i32 {\n    shape.area()\n}\n";
    let java = "interface Shape {\n    int area();\n}\nclass Square implements Shape {\n    public int area() { return 1; }\n}\nclass Use {\n    int total(Shape shape) { return shape.area(); }\n}\n";
    let cases = [
        ("go.go", go, "Total", "Shape.Area", "Square.Area"),
        ("src/lib.rs", rust, "total", "Shape::area", "<Square as Shape>::area"),
        ("Shape.java", java, "total", "Shape.area", "Square.area"),
    ];
    for (file, text, user, bound, method) in cases {
        let project = Project::new(&[(file, text)]);
        let callees = project.json(&["callees", user]);
        assert_eq!(callees["total"], 1, "{file}: {callees}");
        assert!(callees["calls"][0]["name"].as_str().expect("a name").ends_with(bound), "{file}: {callees}");
        let dispatch = callees["dispatch"].as_array().expect("a list");
        assert_eq!(dispatch.len(), 1, "{file}: {callees}");
        assert!(dispatch[0]["symbol"]["fqn"].as_str().expect("a name").ends_with(method), "{callees}");
        let callers = project.json(&["callers", method]);
        assert_eq!(callers["total"], 0, "{file}: {callers}");
        assert_eq!(callers["total_dispatch"], 1, "{file}: {callers}");
    }
}

#[test]
fn a_method_that_takes_other_types_implements_no_interface() {
    let go = "package m\n\nimport \"io\"\n\ntype Getter interface {\n\tGet(name any) io.Reader\n}\n\ntype Cache struct{}\n\n\
        func (c Cache) Get(id string) (int, error) { return 1, nil }\n\ntype Store struct{}\n\n\
        func (s *Store) Get(key interface{}) io.Reader { return nil }\n\nfunc use(g Getter) { g.Get(1) }\n";
    let project = Project::new(&[("m.go", go)]);
    let dispatch = project.json(&["callees", "use"])["dispatch"].take();
    let names: Vec<&str> =
        dispatch.as_array().expect("a list").iter().map(|one| one["symbol"]["fqn"].as_str().expect("a name")).collect();
    assert_eq!(names, ["demo.Store.Get"]);
    assert_eq!(project.json(&["callers", "Cache.Get"])["total_dispatch"], 0);
}

#[test]
fn a_method_far_from_its_type_may_run_too() {
    let project = Project::program(
        r#"
//- /Cargo.toml
[package]
name = "shapes"
version = "0.1.0"
//- /src/lib.rs
pub mod circle;
mod area;
pub trait Shape { fn area(&self) -> u32; }
pub fn sum(one: &dyn Shape) -> u32 { one.area() }
//- /src/circle.rs
pub struct Circle;
//- /src/area.rs
use crate::{Shape, circle::Circle};
impl Shape for Circle { fn area(&self) -> u32 { 3 } }
"#,
    );
    let data = project.json(&["callees", "sum"]);
    assert_eq!(data["dispatch"][0]["symbol"]["file"], "src/area.rs", "{data}");
}

#[test]
fn what_was_surely_written_last_is_what_a_member_is() {
    let js = "function one() {}\nfunction two() {}\nclass K { constructor(f) { this.f = f; } put(f) { this.f = f; } }\n\
              function direct() { const k = new K(one); k.f = two; k.f(); }\n\
              function called() { const k = new K(one); k.put(two); k.f(); }\n\
              function maybe(x) { const k = new K(one); x && k.put(two); k.f(); }\n\
              function again() { const t = { 1: one, '1': two }; t[1](); }\n\
              function key() { const t = { b: one }; t.b = two; t['b'](); }\n\
              function between(g) { const k = new K(one); k.f = two; g(k); k.f(); }\nbetween(k => { k.f = one; });\n";
    let py = "def one(): ...\ndef two(): ...\ndef number():\n    d = {1: one, '1': two}\n    d[1]()\n\
              def alias():\n    d = {}\n    d['x'] = one\n    e = d\n    e['x'] = two\n    d['x']()\n";
    let project = Project::new(&[("a.js", js), ("b.py", py)]);
    let runs = |name: &str| {
        let answer = project.json(&["callees", name]);
        let calls = answer["calls"].as_array().expect("a list").iter();
        let mut found: Vec<String> =
            calls.filter_map(|call| Some(call["symbol"]["name"].as_str()?.to_owned())).collect();
        found.retain(|name| name == "one" || name == "two");
        found
    };
    assert_eq!(runs("direct"), ["two"]);
    assert_eq!(runs("called"), ["two"]);
    assert_eq!(runs("maybe"), ["one", "two"]);
    assert_eq!(runs("again"), ["two"]);
    assert_eq!(runs("key"), ["two"]);
    assert_eq!(runs("between"), ["one"], "the only function that it is given");
    assert_eq!(runs("number"), ["one", "two"], "a number and its text are two keys, of which neither is lost");
    assert_eq!(runs("alias"), ["one", "two"], "another name of the object is written to");
}

#[test]
fn a_member_is_defined_where_the_values_of_its_object_have_it() {
    let js = "const held = { bar: 1 };\nclass K { m() {} static s() {} }\nfunction same(x) { return x; }\nsame(held).bar;\n\
              same(new K()).m();\nfunction T(x) { this.field = x; }\nnew T({ baz: 5 }).field.baz;\nsame(K).m();\n\
              function pass(o) { o.bar; }\npass(held);\npass({ bar: 2 });\n";
    let py = "class K:\n    def m(self):\n        pass\n\n\ndef same(x):\n    return x\n\n\nsame(K()).m()\nkept = same(K())\nkept.m()\n";
    let project = Project::new(&[("a.js", js), ("b.py", py)]);
    let at = |place: &str| {
        let found = project.json(&["definition", place])["definitions"].take();
        let one = |one: &Value| (one["range"]["start_line"].as_u64(), one["certainty"].as_str().map(str::to_owned));
        found.as_array().into_iter().flatten().map(one).collect::<Vec<_>>()
    };
    let sure = |line: u64| vec![(Some(line), Some("inferred".to_owned()))];
    assert_eq!(at("a.js:4:11"), sure(1), "a function that gives back what it is given");
    assert_eq!(at("a.js:5:14"), sure(2));
    assert_eq!(at("a.js:7:24"), sure(7), "a key of a value that is passed on");
    assert_eq!(at("b.py:10:10"), sure(2));
    assert_eq!(at("b.py:12:5"), sure(2));
    let maybe = at("a.js:9:21");
    assert!(maybe.len() == 2 && maybe.iter().all(|(_, sure)| sure.as_deref() == Some("candidate")), "{maybe:?}");
}
