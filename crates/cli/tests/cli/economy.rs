//! Answers that end a search: what is known to be something else is no candidate, several symbols are one question, and
//! lists are short and bounded.

use expect_test::expect;
use serde_json::Value;

use crate::support::Project;

const STORE: &str = "class Store:\n    def save(self, item):\n        return item\n";
const LEDGER: &str = "class Ledger:\n    def open(self):\n        return 1\n";
const USE: &str = "\
import io
from store import Store
from ledger import Ledger

def known(name):
    store = Store()
    store.save(name)
    book = Ledger()
    book.save(name)
    io.StringIO().save(name)
    [].save(name)

def unknown(thing, other):
    thing.save(1)
    thing.save(2)
    other.save(3)
    other.save()
    other.save(*thing)
";

fn store() -> Project {
    Project::new(&[
        ("store.py", STORE),
        ("ledger.py", LEDGER),
        ("use.py", USE),
        ("more/use.py", "def run(x):\n    x.save(1)\n"),
    ])
}

#[test]
fn what_is_known_to_be_something_else_is_no_candidate() {
    let unbound = store().json(&["refs", "Store.save"])["unbound"].take();
    // Another class of the project, a type outside it, a literal, and a call with too few arguments.
    assert_eq!((&unbound["total"], &unbound["elsewhere"]), (&5.into(), &4.into()), "{unbound}");
    let receivers: Vec<(&str, u64)> = unbound["receivers"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| (one["receiver"].as_str().expect("a text"), one["sites"].as_u64().expect("a number")))
        .collect();
    assert_eq!(receivers, [("other", 2), ("thing", 2), ("x", 1)]);
}

#[test]
fn candidates_are_grouped_filtered_and_listed_alone() {
    let project = store();
    expect![[r#"
        method Store.save  store.py:2
        1 reference in 1 file
        use.py
          7~  known: store.save(name)
        5 sites by name only may mean it, no other can; 4 others known to be something else:
        more/use.py
          2?  run: x.save(1)
        use.py
          14?  unknown: thing.save(1)
          15?  thing.save(2)
          16?  other.save(3)
          18?  other.save(*thing)
        ~ is proved too: by a type that was inferred instead of declared
    "#]]
    .assert_eq(&project.transcript(&["refs", "Store.save"]));
    expect![[r#"
        method Store.save  store.py:2
        0 references in 0 files
        1 site by name only may mean it, no other can:
        more/use.py
          2?  run: x.save(1)
        --- exit 1
    "#]]
    .assert_eq(&project.transcript(&["refs", "Store.save", "--candidates", "--file-filter", "more"]));
    let shown = project.json(&["refs", "Store.save", "--candidates", "--limit", "2"]);
    assert_eq!(shown["references"], Value::Array(Vec::new()));
    assert_eq!(shown["unbound"]["candidates"].as_array().map(Vec::len), Some(2));
    assert_eq!(shown["unbound"]["next_offset"], 2);
    let callers = project.json(&["callers", "Store.save", "--file-filter", "more"]);
    assert_eq!((&callers["total"], &callers["unbound"]["total"]), (&0.into(), &1.into()));
}

#[test]
fn the_few_candidates_beside_many_are_shown_with_their_places() {
    let many: String = (0..20).map(|at| format!("    runner.save({at})\n")).collect();
    let use_it = format!("def crowd(runner, box):\n{many}    box.save(1); box.save(2)\n    box.save(3)\n");
    let project = Project::new(&[("store.py", STORE), ("use.py", &use_it)]);
    expect![[r#"
        method Store.save  store.py:2
        0 references in 0 files
        23 sites by name only may mean it (runner 20, box 3), see --candidates
          box  use.py: 22, 22, 23
        --- exit 1
    "#]]
    .assert_eq(&project.transcript(&["refs", "Store.save"]));
    let unbound = project.json(&["refs", "Store.save"])["unbound"].take();
    assert_eq!(unbound["receivers"][0]["places"], Value::Null, "{unbound}");
    assert_eq!(unbound["receivers"][1]["places"][2]["line_number"], 23, "{unbound}");
}

#[test]
fn compact_lists_count_uses_of_a_line_and_name_those_of_overriding_methods() {
    let base = "class Base:\n    def run(self): ...\n\nclass Low(Base):\n    def run(self): ...\n\nclass Silent(Base):\n    \
        def run(self): ...\n\ndef use(base: Base, low: Low):\n    base.run(); base.run()\n    low.run()\n";
    let project = Project::new(&[("a.py", base)]);
    expect![[r#"
        method Base.run  a.py:2
        2 references in 1 file; that is all
        a.py: 11×2
        1 further reference to methods that override it: Low.run 1
          a.py: 12
        also overridden by Silent.run
    "#]]
    .assert_eq(&project.transcript(&["refs", "Base.run", "--compact"]));
}

#[test]
fn the_end_of_a_path_is_enough_where_one_file_has_it() {
    let project = Project::new(&[
        ("src/deep/one.py", "def first():\n    return 1\n"),
        ("tests/deep/one.py", "def other(): ...\n"),
        ("src/a/two.py", "x = 1\n"),
        ("src/b/two.py", "y = 1\n"),
    ]);
    for asked in ["one.py:1", "deep/one.py:2", "one.py:first"] {
        let found = project.json(&["get", asked]);
        assert_eq!(found["symbol"]["file"], "src/deep/one.py", "{asked}: {found}");
    }
    assert!(project.run(&["signature", "one.py"]).out.contains("src/deep/one.py"));
    // Two files of the product have the name, and what is there but not indexed is no other file.
    assert_eq!(project.run(&["get", "two.py:1"]).code, 1);
    project.write(".gitignore", "/one.py\n");
    project.write("one.py", "z = 1\n");
    assert_eq!(project.run(&["get", "one.py:1"]).code, 1);
}

#[test]
fn a_name_of_a_few_short_symbols_is_shown_as_a_whole() {
    let project = Project::new(&[(
        "a.py",
        "class A:\n    def go(self):\n        return 1\n\nclass B:\n    def go(self):\n        return 2\n",
    )]);
    let run = project.run(&["get", "go"]);
    assert!(run.code == 1 && run.out.contains("return 1") && run.out.contains("return 2"), "{}", run.out);
    assert_eq!(project.json(&["get", "go"])["sources"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_long_type_is_shown_by_its_members() {
    let body: String = (0..60).map(|at| format!("    def m{at}(self, x):\n        return {at}\n\n")).collect();
    let project = Project::new(&[("a.py", &format!("class Long:\n    \"\"\"Says much.\"\"\"\n\n{body}"))]);
    let run = project.run(&["get", "Long"]);
    for part in ["class Long:", "Says much.", "def m59(self, x)", "its members, of 182 lines; --full shows all of them"]
    {
        assert!(run.out.contains(part), "{part}: {}", run.out);
    }
    assert!(!run.out.contains("return 1"), "{}", run.out);
    assert!(project.run(&["get", "Long", "--full"]).out.contains("return 59"));
    assert!(project.run(&["get", "a.py:5"]).out.contains("return 0"), "a member is shown as before");
    // Data is complete.
    assert!(project.json(&["get", "Long"])["content"].as_str().expect("a text").contains("return 59"));
}

#[test]
fn callers_that_are_handed_on_are_named_at_every_level() {
    let text = "function low() {}\nfunction View() { low(); }\nView.prototype.a = 1;\nregister(View);\n";
    let project = Project::new(&[("a.js", text)]);
    let run = project.run(&["callers", "low", "--depth", "3"]);
    assert!(run.out.contains("View is used as a value: a.js:4"), "{}", run.out);
    assert!(!run.out.contains("that is all"), "{}", run.out);
}

#[test]
fn an_answer_that_is_complete_says_so() {
    let project = Project::program(
        "
//- /a.py
def stop():
    pass

stop()
//- /b.py
import io

io.StringIO().stop()

def inner(x):
    x.stop()
",
    );
    let run = project.run(&["refs", "stop"]);
    assert!(
        run.out.contains("1 reference in 1 file; that is all; 2 others of this name are something else"),
        "{}",
        run.out
    );
    // A module that is held in a variable may be what a name is asked of.
    project.write("c.py", "import a\nimport b\n\nb.inner(a)\n");
    let unbound = project.json(&["refs", "stop"])["unbound"].take();
    assert_eq!((&unbound["total"], &unbound["elsewhere"]), (&1.into(), &1.into()), "{unbound}");
}

/// How many sites of a name remain, and how many are something else.
fn left(project: &Project, symbol: &str) -> (u64, u64) {
    let unbound = project.json(&["refs", symbol])["unbound"].take();
    (unbound["total"].as_u64().expect("a number"), unbound["elsewhere"].as_u64().expect("a number"))
}

#[test]
fn what_cannot_be_seen_is_no_candidate() {
    let java = Project::program(
        "
//- /a/A.java
package a;
class A {
    private void run() {}
    void stay() {}
}
//- /b/B.java
package b;
class B {
    void go(missing.C c) { c.run(); c.stay(); }
}
",
    );
    assert_eq!((left(&java, "A.run"), left(&java, "A.stay")), ((0, 1), (0, 1)));
    let c = Project::new(&[
        ("a.c", "static int helper(void) { return 1; }\nint use(void) { return helper(); }\n"),
        ("b.c", "int other(void) { return helper(); }\n"),
    ]);
    assert_eq!(left(&c, "helper"), (0, 1));
}

#[test]
fn a_type_that_answers_for_others_may_mean_anything() {
    let class = |body: &str| format!("class Proxy:\n    def other(self):\n        pass\n{body}");
    let user = "from proxy import Proxy\n\ndef run():\n    Proxy().save(1)\n";
    for (body, expected) in [("", (0, 1)), ("    def __getattr__(self, name):\n        return name\n", (1, 0))] {
        let project = Project::new(&[("store.py", STORE), ("proxy.py", &class(body)), ("user.py", user)]);
        assert_eq!(left(&project, "Store.save"), expected, "{body}");
    }
}

#[test]
fn a_name_assigned_twice_is_known_only_if_both_are() {
    let user = |second: &str| format!("def run(x):\n    value = []\n    value = {second}\n    value.save(1)\n");
    for (second, expected) in [("{}", (0, 1)), ("x", (1, 0))] {
        let project = Project::new(&[("store.py", STORE), ("user.py", &user(second))]);
        assert_eq!(left(&project, "Store.save"), expected, "{second}");
    }
}

#[test]
fn several_symbols_are_one_question() {
    let project = store();
    for command in ["refs", "callers", "callees", "get", "hover", "hierarchy", "impact"] {
        let both = project.json(&[command, "Store", "Ledger"]);
        let answers = both["answers"].as_array().unwrap_or_else(|| panic!("{command}: {both}"));
        assert_eq!(answers.len(), 2, "{command}");
        assert_eq!(answers[0], project.json(&[command, "Store"]), "{command}");
        assert_eq!(answers[1], project.json(&[command, "Ledger"]), "{command}");
    }
    let outlines = project.json(&["signature", "store.py", "ledger.py"]);
    assert_eq!(outlines["answers"][1]["file"], "ledger.py");
    let run = project.run(&["get", "Store", "nothing_such"]);
    assert_eq!(run.code, 0);
    assert!(run.out.contains("def save") && run.out.contains("no symbol 'nothing_such'"), "{}", run.out);
}

#[test]
fn compact_lists_are_files_and_lines() {
    let text = "def f():\n    pass\n\ndef g():\n    f()\n    f(); f()\n";
    let project = Project::new(&[("m.py", text), ("n.py", "from m import f\nf()\n")]);
    expect![[r#"
        function f  m.py:1
        5 references in 2 files; that is all
        m.py: 5, 6×2
        n.py: 1, 2
    "#]]
    .assert_eq(&project.transcript(&["refs", "f", "--compact"]));
    let usages = project.run(&["find-usages", "f", "--compact"]).out;
    assert!(usages.contains("m.py: 5, 6×2\nn.py: 1, 2\n"), "{usages}");
}

#[test]
fn a_hierarchy_is_bounded_and_names_where_relations_are_written() {
    let heirs: String = (0..60).map(|n| format!("class Heir{n}(Base):\n    pass\n\n")).collect();
    let project = Project::new(&[("base.py", &format!("class Base:\n    pass\n\n{heirs}"))]);
    let first = project.json(&["hierarchy", "Base"]);
    assert_eq!(first["heirs"].as_array().map(Vec::len), Some(50));
    assert_eq!((&first["total_heirs"], &first["next_offset"]), (&60.into(), &50.into()));
    let rest = project.json(&["hierarchy", "Base", "--offset", "50"]);
    assert_eq!(rest["heirs"].as_array().map(Vec::len), Some(10));
    let rust = "pub trait Shape {}\npub struct Square;\n\nimpl Shape for Square {}\n";
    let project = Project::new(&[("src/lib.rs", rust)]);
    assert_eq!(project.json(&["hierarchy", "Shape"])["heirs"][0]["line_number"], 4);
    expect![[r#"
        trait Shape  src/lib.rs:1
        bases: none
        heirs: 1
          Square  src/lib.rs:4
    "#]]
    .assert_eq(&project.transcript(&["hierarchy", "Shape"]));
}

#[test]
fn impact_names_what_only_dispatch_reaches() {
    let text = "class Shape:\n    def area(self):\n        return 0\n\nclass Circle(Shape):\n    def area(self):\n        return 3\n\ndef total(shape: Shape):\n    return shape.area()\n";
    let project = Project::new(&[("shapes.py", text)]);
    let answer = project.json(&["impact", "Circle.area"]);
    let one = &answer["affected"][0];
    assert_eq!((&one["symbol"]["name"], &one["certainty"]), (&"total".into(), &"candidate".into()), "{answer}");
    assert_eq!((&one["through"], &one["via"]), (&"shapes.Shape.area".into(), &"shapes.Circle.area".into()));
    let run = project.run(&["impact", "Circle.area"]);
    assert!(run.out.contains("shapes.py: total?:10"), "{}", run.out);
}

#[test]
fn a_declaration_speaks_for_its_definition() {
    let project = Project::program(
        r#"
//- /a.h
int twice(int x);
//- /a.c
#include "a.h"
int twice(int x) { return 2 * x; }
//- /b.c
#include "a.h"
int use(void) { return twice(1); }
"#,
    );
    let (declared, defined) = (project.json(&["refs", "a.h:1"]), project.json(&["refs", "a.c:2"]));
    assert_eq!(declared["total"], 1, "{declared}");
    assert_eq!(declared["references"], defined["references"]);
}

#[test]
fn a_name_means_what_nearly_all_uses_mean() {
    let mut files = vec![("pkg/free.py".to_owned(), "def free():\n    pass\n".to_owned())];
    files.push(("tests/free.py".to_owned(), "def free():\n    pass\n".to_owned()));
    files.extend((0..4).map(|n| (format!("use{n}.py"), "from pkg.free import free\nfree()\n".to_owned())));
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let project = Project::new(&files);
    let run = project.run(&["refs", "free", "--compact"]);
    assert!(run.out.starts_with("function free  pkg/free.py:1\n8 references in 4 files"), "{}", run.out);
    assert!(run.out.contains("nearly all uses of 'free' mean this one; 1 other: tests/free.py:1"), "{}", run.out);
    // What nobody prefers is still a choice.
    let project = Project::program(
        "
//- /a.py
def free():
    pass
//- /b.py
def free():
    pass
",
    );
    assert!(project.run(&["refs", "free"]).out.contains("'free' means 2 symbols"));
}

#[test]
fn lines_are_those_of_names() {
    let project = Project::program(
        "
//- /m.py
import functools


@functools.cache
def f():
    pass
",
    );
    for command in ["find", "get", "refs", "hover"] {
        let run = project.run(&[command, "f"]);
        assert!(run.out.contains("m.py:5"), "{command}: {}", run.out);
    }
}

#[test]
fn an_outline_is_filtered_and_has_no_licence() {
    let text = "// Copyright 2020 Somebody\n// Licensed under some terms.\n\nclass A {\n  save() {}\n  load() {}\n}\nclass B {\n  load() {}\n}\n";
    let project = Project::new(&[("a.js", text)]);
    let whole = project.run(&["signature", "a.js"]).out;
    assert!(!whole.contains("Copyright") && whole.contains("load"), "{whole}");
    let part = project.json(&["signature", "a.js", "--filter", "SAV"]);
    let names = |list: &str| -> Vec<String> {
        part[list].as_array().expect("a list").iter().map(|one| one["name"].as_str().expect("a name").into()).collect()
    };
    assert_eq!((names("types"), names("methods")), (vec!["A".to_owned()], vec!["save".to_owned()]));
}

#[test]
fn a_value_of_a_type_comes_only_where_its_file_is_used() {
    // The type of what is asked is not known in any of these files, but one of them cannot have come by it.
    let project = Project::program(
        "
//- /a/Door.java
package a;
public class Door {
    public void shut() {}
}
//- /b/House.java
package b;
import a.Door;
class House {
    Door front;
    void go(Box<?> x) { x.any().shut(); }
}
//- /c/Ship.java
package c;
class Ship {
    void go(Box<?> x) { x.any().shut(); }
}
",
    );
    assert_eq!(left(&project, "Door.shut"), (1, 1));
}

#[test]
fn what_a_test_declares_stays_with_what_the_test_uses() {
    let project = Project::program(
        "
//- /lib/run.js
export function run(task) {
  return task.finish()
}
//- /lib/other.js
export function other(task) {
  return task.finish()
}
//- /one.test.js
import { run } from './lib/run.js'
run({ finish() { return 1 } })
//- /two.test.js
import { run } from './lib/run.js'
export function go(x) {
  x.finish()
}
",
    );
    let answer = project.json(&["refs", "one.test.js:2:7", "--candidates"]);
    let files: Vec<&str> = answer["unbound"]["candidates"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|one| one["file"].as_str().expect("a path"))
        .collect();
    assert_eq!(files, ["lib/run.js"], "{answer}");
    // Fixtures are handed to tests that do not import them.
    let python = |name: &str| {
        let user = "import os\n\ndef test(tool):\n    tool.finish()\n";
        Project::new(&[
            (name, "import os\n\nclass Tool:\n    def finish(self):\n        pass\n"),
            ("test_use.py", user),
        ])
    };
    assert_eq!(left(&python("conftest.py"), "Tool.finish"), (1, 0));
    assert_eq!(left(&python("test_tool.py"), "Tool.finish"), (0, 1));
}

#[test]
fn overloads_are_answered_together() {
    let project = Project::program(
        r#"
//- /A.java
class A {
    void put(int a) {}
    void put(String a) {}
    void go() { put(1); put("x"); }
}
//- /B.java
class B {
    void put(int a) {}
}
"#,
    );
    let run = project.run(&["refs", "A.put", "--compact"]);
    assert!(run.out.contains("2 references in 1 file; that is all"), "{}", run.out);
    assert!(run.out.contains("all 2 of 'A.put' together: A.java:2, A.java:3"), "{}", run.out);
    assert!(project.run(&["refs", "put"]).out.contains("'put' means 3 symbols"));
}

#[test]
fn what_was_built_and_what_only_declares_is_not_meant() {
    let class = "export class Headers {\n  set(name) { return name }\n}\n";
    let project = Project::new(&[
        ("lib/headers.js", class),
        ("dist/all.js", class),
        ("index.d.ts", "export class Headers {\n  set(name: string): string;\n}\n"),
        ("use.js", "import { Headers } from './lib/headers.js'\nnew Headers().set('a')\n"),
    ]);
    let run = project.run(&["refs", "Headers.set", "--compact"]);
    assert!(run.out.starts_with("method Headers.set  lib/headers.js:2\n1 reference"), "{}", run.out);
    assert!(
        run.out.contains("'Headers.set' is this one in the product; 2 others: dist/all.js:2, index.d.ts:2"),
        "{}",
        run.out
    );
}

#[test]
fn a_base_that_is_imported_and_not_there_is_outside() {
    let project = Project::program(
        r#"
//- /a.php
<?php
namespace Shop\Core;
use Shop\Vendor\Manager;
interface Store extends Manager {}
class Unit {
    public function clear(): void {}
}
//- /b.php
<?php
namespace Shop\Use;
use Shop\Core\Store;
function go(Store $store) {
    $store->clear();
}
"#,
    );
    assert_eq!(left(&project, "Unit\\clear"), (0, 1));
}

#[test]
fn a_key_of_one_object_is_no_key_of_another() {
    let user = "import { send } from './lib.js'\nsend({ colour: 1 })\n";
    let project = Project::new(&[
        (
            "lib.js",
            "/** @param {object} what */\nexport function send(what) {\n  return what\n}\nexport const plain = { colour: 2 }\n",
        ),
        ("use.js", user),
    ]);
    assert_eq!(project.json(&["refs", "lib.js:5:23"])["unbound"]["total"], 0);
}

/// Nothing declares the type of the block, so nobody knows who has a value of it.
#[test]
fn a_member_of_a_type_that_a_macro_makes_may_be_meant_anywhere() {
    let project = Project::program(
        r#"
//- /Cargo.toml
[package]
name = "demo"
version = "0.1.0"
//- /src/lib.rs
pub mod gates;
mod read;
//- /src/gates.rs
use outside::make;

make! { Gates { a, b } }

impl Gates {
    pub fn need(&self, name: &str) -> bool {
        !name.is_empty()
    }
}
//- /src/read.rs
use crate::gates::Gates;

fn read(gates: &Gates) -> bool {
    gates.need("a")
}
"#,
    );
    assert_eq!(left(&project, "need"), (1, 0));
}

/// A file that has a value of a type need not use the file that adds a method to it.
#[test]
fn a_method_is_in_sight_where_its_type_is() {
    let project = Project::program(
        r#"
//- /go.mod
module demo

go 1.22
//- /shop/cart.go
package shop

type Cart struct{}
//- /shop/total.go
package shop

func (c *Cart) Total() int { return 1 }
//- /app/main.go
package main

import (
	"demo/shop"
	"outside/box"
)

var kept shop.Cart

func main() {
	box.Of(kept).Total()
	box.New().Total()
}
"#,
    );
    // A function outside may give back what it was given, and nothing else of the project.
    assert_eq!(left(&project, "Cart.Total"), (1, 1));
}

/// A value of which only such a type is known may be of any type of the project.
#[test]
fn a_type_that_says_nothing_rules_nothing_out() {
    let project = Project::program(
        r#"
//- /a.py
from typing import Any


class Box:
    def shut(self): ...


def f(x: Any, y: object, z: dict[str, Any], k: type):
    x.shut()
    y.shut()
    z["a"].shut()
    k.shut()
//- /b.cs
class Lid { public void Lift() {} }
class Use { void F(dynamic d) { d.Lift(); } }
//- /c.ts
export class Cup { fill() {} }
export function f(x: any, r: Record<string, any>) {
  x.fill();
  r.k.fill();
}
//- /d.rb
class Jar
  def self.all; end
end
def f
  Class.new(Jar).all
end
"#,
    );
    assert_eq!(left(&project, "Box.shut"), (4, 0));
    assert_eq!(left(&project, "Lid.Lift"), (1, 0));
    assert_eq!(left(&project, "Cup.fill"), (2, 0));
    assert_eq!(left(&project, "Jar.all"), (1, 0));
}

/// Types in the head of a method are read where the class is, and functions may have type parameters of their own.
#[test]
fn heads_of_methods_see_what_their_class_declares() {
    let project = Project::program(
        r#"
//- /a.py
class Box:
    class Item: ...

    def put(self, item: Item, more: "list[Item]") -> Item:
        return item

class Case[T: Box](list[T]):
    def one[U](self, u: U) -> T: ...
"#,
    );
    let refs = project.json(&["refs", "Box.Item"]);
    assert_eq!((&refs["total"], &refs["unbound"]["total"]), (&3.into(), &0.into()), "{refs}");
    for (place, at) in [("a.py:8:24", "a.py:8:12"), ("a.py:8:30", "a.py:7:11")] {
        let text = project.run(&["definition", place]).out;
        assert!(text.starts_with(at), "{place}: {text}");
    }
}

#[test]
fn a_long_body_is_cut_to_what_was_asked_about() {
    let steps: String = (0..60).map(|step| format!("    step_{step}(value)\n")).collect();
    let text = format!(
        "def parse(value):\n    \"\"\"Reads a date.\n\n    One.\n    Two.\n    Three.\n    Four.\n    \"\"\"\n{steps}    calendar.set_lenient(False)\n    return value\n"
    );
    let project = Project::new(&[("a.py", &text)]);
    let all = project.run(&["get", "parse"]).out;
    assert!(all.contains("Reads a date.") && !all.contains("Three.") && all.contains("…9\n"), "{all}");
    assert!(all.contains("step_33(value)") && all.contains("set_lenient"), "{all}");
    let about = project.run(&["get", "parse", "--about", "lenient calendar"]).out;
    assert!(about.contains("def parse") && about.contains("calendar.set_lenient(False)"), "{about}");
    assert!(!about.contains("step_33(value)") && about.lines().count() < 28, "{about}");
    let full = project.run(&["get", "parse", "--full"]).out;
    assert!(full.contains("Three.") && full.contains("step_33(value)"), "{full}");
    // As data it is always the text that the checksum is about.
    let data = project.json(&["get", "parse", "--about", "lenient"]);
    assert!(data["content"].as_str().is_some_and(|text| text.contains("step_33(value)")), "{data}");
}

#[test]
fn a_type_says_what_it_has_from_the_types_above_it() {
    let text = "class Base:\n    def start(self): pass\n    def stop(self): pass\n\n\nclass Own(Base):\n    def stop(self): pass\n";
    let project = Project::new(&[("a.py", text)]);
    let own = project.run(&["get", "Own"]).out;
    assert!(own.ends_with("from Base a.py:1: start\n"), "{own}");
    let data = project.json(&["get", "Own"]);
    assert_eq!(data["inherited"][0]["members"], serde_json::json!(["start"]));
}

/// Who copies an object has its members; a file that exports keeps its names to itself; what a function takes as any type is
/// its own.
#[test]
fn objects_and_modules_are_told_apart() {
    let project = Project::program(
        r#"
//- /base.js
export const base = { save(a) { return a } };
export class Box {}
//- /plain.js
export function f(other) {
  const own = { ...other, more: 1 };
  own.save(1);
}
const plain = { more: 1 };
plain.save(2);
//- /script.js
new Box();
//- /def.ts
export interface Def { kind: "one"; left: number }
export declare function make(def: Def): void;
export declare function shape<T extends Record<string, any>>(of: T): T;
shape({ kind: 1 });
"#,
    );
    assert_eq!(left(&project, "base.save"), (1, 1));
    assert_eq!(left(&project, "Box"), (0, 1));
    assert_eq!(left(&project, "Def.kind"), (0, 1));
}

/// A word of the language for a type is a type like others, and what holds values is none of them.
#[test]
fn plain_values_are_none_of_the_project() {
    let project = Project::program(
        r#"
//- /Cargo.toml
[package]
name = "demo"
version = "0.1.0"
//- /src/lib.rs
use std::collections::VecDeque;

pub struct Types;
impl Types {
    pub fn len(&self) -> usize { 1 }
}
impl Clone for Types {
    fn clone(&self) -> Self { Types }
}
pub fn of(bytes: &[u8], text: &str, queue: &VecDeque<u8>) -> usize {
    let other = queue.clone();
    bytes.len() + text.len()
}
pub fn apart(thing: impl Fn() -> outside::Thing) -> usize { thing().len() }
"#,
    );
    assert_eq!(left(&project, "Types::len"), (0, 3));
    assert_eq!(left(&project, "clone"), (0, 1));
}

/// An argument that is known not to be what a function takes rules it out among its overloads.
#[test]
fn arguments_say_which_overload_is_not_meant() {
    let project = Project::program(
        r#"
//- /Writer.cs
class Writer {
    public void Write(short value) {}
    public void Write(decimal value) {}
    public void Write(string value) {}
    static void Use(Writer writer, outside.Thing thing) {
        writer.Write(1.5m);
        writer.Write(thing.Some());
        writer.Write("a");
    }
}
"#,
    );
    assert_eq!(left(&project, "Writer.cs:2"), (1, 0));
    let decimal = project.json(&["refs", "Writer.cs:3"]);
    assert_eq!((&decimal["total"], &decimal["unbound"]["total"]), (&1.into(), &1.into()), "{decimal}");
}

/// The members of a type of a file that nobody includes are known there and in what it includes.
#[test]
fn a_type_of_one_file_has_its_members_there() {
    let project = Project::program(
        r#"
//- /one.c
struct buffer { int len; };
int one(struct buffer *b) { return b->len; }
//- /two.c
#include <outside.h>
int two(outside_vec v) { return v.len; }
//- /box.h
template<class T> int size(const T &of) { return of.length(); }
//- /three.cpp
#include "box.h"
struct Own { int length() const { return 1; } };
int three() { return size(Own()); }
//- /four.cpp
#include <outside.h>
int four(outside_vec v) { return v.length(); }
"#,
    );
    assert_eq!(left(&project, "buffer.len"), (0, 1));
    assert_eq!(left(&project, "Own::length"), (0, 2));
}

#[test]
fn what_is_computed_is_no_parameter() {
    let project = Project::program(
        r#"
//- /a.py
class Credentials:
    @property
    def name(self):
        return self._name
//- /b.py
import outside
outside.create(name="a")
"#,
    );
    assert_eq!(left(&project, "Credentials.name"), (0, 1));
}

#[test]
fn a_report_may_begin_like_an_option() {
    let project = Project::new(&[("a.py", "def set_paging(mode):\n    return mode\n")]);
    for arguments in [
        vec!["context", "-P does not override --paging=always"],
        vec!["context", "--paging does not work", "--tokens", "500"],
        vec!["context", "--tokens=500", "--paging does not work"],
    ] {
        let shown = project.run(&arguments);
        assert!(shown.code == 0 && shown.out.contains("set_paging"), "{arguments:?}: {}", shown.out);
    }
    assert_eq!(project.run(&["context", "--no-such-option", "paging"]).code, 2);
}

#[test]
fn a_few_callers_more_than_usual_are_shown() {
    let callers: String = (0..57).map(|at| format!("def f{at}():\n    stop()\n\n")).collect();
    let project = Project::new(&[("a.py", &format!("def stop():\n    pass\n\n{callers}"))]);
    let found = project.json(&["callers", "stop"]);
    assert_eq!((&found["total"], found["calls"].as_array().map(Vec::len)), (&57.into(), Some(57)));
    let found = project.json(&["callers", "stop", "--limit", "20"]);
    assert_eq!((found["calls"].as_array().map(Vec::len), &found["next_offset"]), (Some(20), &20.into()));
}

#[test]
fn where_a_file_was_hardly_understood_nothing_is_said_to_be_all() {
    let broken = "class Wire {\n    int stop() { return 1; }\n    int a = = 1;\n    int b = ] 2;\n}\n";
    let whole = "class Other {\n    int stop() { return 2; }\n    int run(Other other) { return other.stop(); }\n}\n";
    let project = Project::new(&[("Wire.java", broken), ("Other.java", whole)]);
    let run = project.run(&["refs", "Wire.stop"]);
    assert!(run.out.contains("not sure: the parser did not understand much of Wire.java"), "{}", run.out);
    assert!(!run.out.contains("that is all"), "{}", run.out);
    let run = project.run(&["refs", "Other.stop"]);
    assert!(run.out.contains("1 reference in 1 file; that is all"), "{}", run.out);
}

#[test]
fn a_type_is_meant_before_its_own_constructors() {
    let wire = "namespace App;\nclass Wire {\n    public Wire(int a) { }\n    public Wire() { }\n    int Stop() { return 1; }\n}\n";
    let project = Project::new(&[("Wire.cs", wire)]);
    let run = project.run(&["get", "Wire"]);
    assert!(run.out.contains("class Wire") && run.out.contains("int Stop()"), "{}", run.out);
    assert!(run.out.contains("Wire.cs:3"), "the constructors are named: {}", run.out);
}
