//! What could be written at a place, in code that is not complete there.

use serde_json::Value;

use crate::places::with_cursor;
use crate::support::Project;

fn labels(answer: &Value) -> Vec<&str> {
    let all = answer["completions"].as_array().unwrap_or_else(|| panic!("a list in {answer}"));
    all.iter().map(|one| one["label"].as_str().expect("a label")).collect()
}

type Files = &'static [(&'static str, &'static str)];

/// Files with a cursor, and the labels that come first.
const CASES: &[(Files, &[&str])] = &[
    (
        &[("m.py", "class A:\n    def save(self): ...\n    def load(self): ...\n\ndef f():\n    a = A()\n    a.$0\n")],
        &["load", "save"],
    ),
    (&[("m.py", "def f(count):\n    total = count\n    return to$0\n")], &["total"]),
    (&[("pkg.py", "def one(): ...\ndef two(): ...\n"), ("m.py", "from pkg import $0\n")], &["one", "two"]),
    (
        &[(
            "a.rs",
            "struct User { name: String }\nimpl User { fn grow(&self) {} }\nfn f(user: User) {\n    user.$0\n    let x = 1;\n}\n",
        )],
        &["grow", "name"],
    ),
    (
        &[
            ("b.ts", "export interface Box { width: number; area(): number }\nfunction hidden() {}\n"),
            ("a.ts", "import { Box } from './b'\nfunction f(box: Box) {\n  box.$0\n}\n"),
        ],
        &["area", "width"],
    ),
    (&[("b.js", "export const one = 1\nconst two = 2\n"), ("a.js", "import { $0 } from './b'\n")], &["one"]),
    (
        &[(
            "A.java",
            "class Base { int shared() { return 1; } }\nclass A extends Base {\n  int size;\n  int f(A other) {\n    other.$0\n    return 1;\n  }\n}\n",
        )],
        &["f", "size", "shared"],
    ),
    (
        &[(
            "a.go",
            "package main\n\ntype User struct{ Name string }\n\nfunc (u *User) Save() {}\n\nfunc f(u *User) {\n\tu.$0\n}\n",
        )],
        &["Name", "Save"],
    ),
    (&[("a.cpp", "struct Box { int size() const; int width; };\nint g(Box* p) { p->$0 }\n")], &["size", "width"]),
    (&[("a.c", "struct box { int width; };\nint g(struct box *p) {\n  return p->$0;\n}\n")], &["width"]),
    (
        &[(
            "a.cs",
            "class User { public string Name; public void Save() {} }\nclass B { void F(User user) {\n  user.$0\n} }\n",
        )],
        &["Name", "Save"],
    ),
    (
        &[(
            "a.php",
            "<?php\nclass User { public $name; public function save() {} }\nfunction f(User $user) {\n  $user->$0\n}\n",
        )],
        &["name", "save"],
    ),
    (&[("a.rb", "class User\n  def save; end\nend\ndef f\n  u = User.new\n  u.$0\nend\n")], &["save"]),
];

#[test]
fn members_and_visible_names_are_offered_in_every_language() {
    let mut wrong = Vec::new();
    for (files, expected) in CASES {
        let (project, place) = with_cursor(files);
        let answer = project.json(&["completions", &place]);
        if !labels(&answer).starts_with(expected) {
            wrong.push(format!("{place}: {:?}, not {expected:?}", labels(&answer)));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn nearer_names_come_first_and_only_those_with_the_prefix() {
    let text = "import operator\n\ndef open_all(opened):\n    option = opened\n    op$0\n";
    let (project, place) = with_cursor(&[("m.py", text)]);
    let answer = project.json(&["completions", &place]);
    assert_eq!(labels(&answer), ["opened", "option", "open_all", "operator", "open"]);
    assert_eq!(answer["prefix"], "op");
    let first = project.json(&["completions", &place, "--limit", "2"]);
    assert_eq!((first["total"].as_u64(), first["next_offset"].as_u64()), (Some(5), Some(2)));
}

#[test]
fn the_text_may_be_one_that_was_never_saved() {
    let project = Project::new(&[("m.py", "class A:\n    def save(self): ...\n")]);
    let unsaved = "class A:\n    def save(self): ...\n    def brand_new(self): ...\n\nA().\n";
    let run = project.run_in(project.path(), &["completions", "m.py:5:4", "--stdin"], unsaved);
    assert!(run.out.contains("brand_new") && run.out.contains("save"), "{}{}", run.out, run.err);
}

#[test]
fn places_where_nothing_is_known_say_so() {
    let project = Project::new(&[("m.py", "# a comment he\ndef f(x):\n    return x.y\n")]);
    assert!(project.run(&["completions", "m.py:1:14"]).out.contains("inside a comment or a string"));
    let unknown = project.run(&["completions", "m.py:3:14"]);
    assert_eq!(unknown.code, 1);
    assert!(unknown.out.contains("nothing proves what stands before the name"), "{}", unknown.out);
    for wrong in ["f", "m.py", "m.py:99:0", "nowhere.py:1:0", "../m.py:1:1", ""] {
        let run = project.run(&["completions", wrong]);
        assert_eq!(run.code, 2, "{wrong}: {}{}", run.out, run.err);
    }
}
