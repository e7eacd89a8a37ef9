//! `codegraph diff`: both sides at their exact commits, whom a change concerns, and which tests get there.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::support::Project;

fn git(folder: &Path, arguments: &[&str]) -> String {
    let who = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"];
    let output = Command::new("git").arg("-C").arg(folder).args(who).args(arguments).output().expect("git is there");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

fn commit(project: &Project) {
    git(project.path(), &["add", "-A"]);
    git(project.path(), &["commit", "-qm", "next"]);
}

fn repository(files: &[(&str, &str)]) -> Project {
    let project = Project::bare(files);
    git(project.path(), &["init", "-q", "-b", "main"]);
    commit(&project);
    assert_eq!(project.run(&["init", "--name", "demo"]).code, 0);
    project
}

/// `+ app.shop.price body`: what happened to each symbol.
fn fates(answer: &Value) -> Vec<String> {
    let words = |value: &Value| {
        let parts = value.as_array().map(|parts| parts.iter().filter_map(Value::as_str).collect::<Vec<_>>());
        parts.unwrap_or_default().join("+")
    };
    let line = |one: &Value| {
        let (fate, fqn) = (one["fate"].as_str().expect("a fate"), one["symbol"]["fqn"].as_str().expect("a name"));
        format!("{fate} {fqn} {}", words(&one["parts"])).trim().to_owned()
    };
    answer["symbols"].as_array().expect("symbols").iter().map(line).collect()
}

fn names(list: &Value) -> Vec<&str> {
    list.as_array().expect("a list").iter().map(|one| one["name"].as_str().expect("a name")).collect()
}

const SHOP: &str = "\
def price(item):
    return item.cost


def total(items):
    return sum(price(item) for item in items)


def label(item):
    return item.name
";

const TESTS: &str = "\
import pytest

from app.shop import label, total


@pytest.fixture
def items():
    return []


def test_total(items):
    assert total(items) == 0


class TestLabel:
    def test_label(self, item):
        assert label(item) == 'x'
";

#[test]
fn lines_that_only_moved_are_no_difference() {
    let project = repository(&[("app/shop.py", SHOP)]);
    project.write("app/shop.py", &format!("\n\n\n{}", SHOP.replace("    return", "    # a comment\n    return")));
    let answer = project.json(&["diff"]);
    assert_eq!(fates(&answer), [""; 0], "{answer}");
    assert_eq!(answer["files"], serde_json::json!(["app/shop.py"]));
    assert_eq!(project.run(&["diff"]).code, 1);
}

#[test]
fn a_change_is_told_by_its_parts_and_leads_to_its_tests() {
    let project = repository(&[("app/__init__.py", ""), ("app/shop.py", SHOP), ("tests/test_shop.py", TESTS)]);
    project.write("app/shop.py", &format!("\n\n{}", SHOP.replace("item.cost", "item.cost * 2")));
    let answer = project.json(&["diff"]);
    assert_eq!(fates(&answer), ["changed app.shop.price body"]);
    assert_eq!(answer["symbols"][0]["symbol"]["line_number"], 3);
    let concerned = &answer["concerned"][0];
    assert_eq!(concerned["symbol"]["fqn"], "app.shop.total");
    assert_eq!((concerned["level"].as_u64(), concerned["step"].as_str()), (Some(1), Some("call")));
    assert_eq!(names(&answer["tests"]), ["tests/test_shop.py::test_total"]);
    assert_eq!((answer["total_tests"].as_u64(), answer["all_tests"].as_u64()), (Some(1), Some(2)));
    assert_eq!(project.run(&["diff", "--tests"]).out, "tests/test_shop.py::test_total\n");
    assert_eq!(project.run(&["diff", "--tests", "--runner", "jest"]).out, "");

    project.write("app/shop.py", &SHOP.replace("def label(item)", "def label(item, short=False)"));
    let answer = project.json(&["diff"]);
    assert_eq!(fates(&answer), ["changed app.shop.label signature"]);
    assert_eq!(answer["symbols"][0]["old_signature"], "def label(item)");
    assert_eq!(names(&answer["tests"]), ["tests/test_shop.py::TestLabel::test_label"]);

    project.write("app/shop.py", &SHOP.replace("def label(item):\n", "def label(item):\n    \"\"\"Its name.\"\"\"\n"));
    let answer = project.json(&["diff"]);
    assert_eq!(fates(&answer), ["changed app.shop.label documentation"]);
    assert_eq!(names(&answer["tests"]), [""; 0], "comments concern nobody");
}

#[test]
fn a_fixture_and_what_it_uses_lead_to_those_who_ask_for_it() {
    let shared = "import pytest\nfrom app.shop import label\n\n\n@pytest.fixture\ndef named():\n    return label\n";
    let tests = "def test_named(named):\n    assert named\n\n\ndef test_other():\n    pass\n";
    let project = repository(&[
        ("app/__init__.py", ""),
        ("app/shop.py", SHOP),
        ("tests/conftest.py", shared),
        ("tests/test_named.py", tests),
    ]);
    project.write("app/shop.py", &SHOP.replace("item.name", "item.title"));
    assert_eq!(project.run(&["diff", "--tests"]).out, "tests/test_named.py::test_named\n");
}

#[test]
fn who_uses_a_declaration_is_concerned_by_its_definition() {
    let stream = "from typing import overload\n\n\n@overload\ndef stream(x: int) -> int: ...\n\n\n@overload\n\
                  def stream(x: str) -> str: ...\n\n\ndef stream(x):\n    return x\n";
    let tests = "from app.stream import stream\n\n\ndef test_stream():\n    assert stream(1)\n";
    let project = repository(&[("app/__init__.py", ""), ("app/stream.py", stream), ("tests/test_stream.py", tests)]);
    project.write("app/stream.py", &stream.replace("return x", "return x + 1"));
    assert_eq!(project.run(&["diff", "--tests"]).out, "tests/test_stream.py::test_stream\n");
}

#[test]
fn what_came_went_and_moved_between_commits_is_read_at_both() {
    let project = repository(&[("app/shop.py", SHOP), ("app/use.py", "from app.shop import price\n\nx = price(1)\n")]);
    // Moved to another file, below others; one is gone, one is new.
    let rest = "def total(items):\n    return sum(items)\n\n\ndef extra():\n    return 1\n";
    project.write("app/shop.py", rest);
    project.write("app/more.py", "def pad():\n    pass\n\n\ndef label(item):\n    return item.name\n");
    commit(&project);
    // What lies on disk is neither of the two.
    project.write("app/shop.py", "");
    project.write("app/use.py", "y = 1\n");
    let answer = project.json(&["diff", "HEAD~1..HEAD"]);
    let expected = [
        "moved app.more.label", "added app.more.pad", "removed app.shop.price", "changed app.shop.total body",
        "added app.shop.extra",
    ];
    let mut found = fates(&answer);
    found.sort_unstable();
    let mut expected: Vec<String> = expected.iter().map(|line| (*line).to_owned()).collect();
    expected.sort_unstable();
    assert_eq!(found, expected, "{answer}");
    let of = |fate: &str| {
        let list = answer["symbols"].as_array().expect("symbols");
        list.iter().find(|one| one["fate"] == fate).expect("a symbol")["symbol"]["line_number"].clone()
    };
    assert_eq!((of("moved"), of("removed")), (5.into(), 1.into()));
    let concerned: Vec<&str> =
        answer["concerned"].as_array().expect("a list").iter().filter_map(|one| one["via"].as_str()).collect();
    assert!(concerned.contains(&"app.shop.price"), "who used what is gone is found where it was: {answer}");
    // The index is the one of the disk, before and after.
    assert_eq!(project.run(&["find", "extra"]).code, 1);
    assert_eq!(project.run(&["doctor", "--full"]).code, 0);
}

#[test]
fn a_name_that_means_something_else_now_is_a_difference() {
    let project = repository(&[
        ("a.py", "def f():\n    return 1\n"),
        ("b.py", "def f():\n    return 2\n"),
        ("c.py", "from a import f\n\n\ndef g():\n    return f()\n"),
    ]);
    project.write("c.py", "from b import f\n\n\ndef g():\n    return f()\n");
    assert_eq!(fates(&project.json(&["diff"])), ["changed c.g meaning"]);
}

#[test]
fn runners_get_the_names_that_they_understand() {
    let project = repository(&[
        ("go.mod", "module example.com/m\n"),
        ("pkg/a.go", "package pkg\n\nfunc F() int { return 1 }\n"),
        (
            "pkg/a_test.go",
            "package pkg\n\nimport \"testing\"\n\nfunc TestF(t *testing.T) { F() }\nfunc TestG(t *testing.T) { F() }\n",
        ),
        ("lib/x.js", "function x() { return 1; }\nmodule.exports = { x };\n"),
        ("test/x.test.js", "const { x } = require('../lib/x');\ntest('x', () => { x(); });\n"),
        ("Cargo.toml", "[package]\nname = \"krate\"\n"),
        (
            "src/lib.rs",
            "pub fn f() -> u32 { 1 }\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn works() {\n        f();\n    }\n}\n",
        ),
        (
            "src/test/java/p/FTest.java",
            "package p;\n\nclass FTest {\n    @Test\n    void works() { new F().f(); }\n}\n",
        ),
        ("src/main/java/p/F.java", "package p;\n\nclass F {\n    int f() { return 1; }\n}\n"),
    ]);
    for path in ["pkg/a.go", "lib/x.js", "src/lib.rs", "src/main/java/p/F.java"] {
        let text = std::fs::read_to_string(project.path().join(path)).expect("a file");
        project.write(path, &text.replacen("1", "2", 1));
    }
    let of = |runner: &str| project.run(&["diff", "--tests", "--runner", runner]).out;
    assert_eq!(of("go test"), "./pkg -run ^(TestF|TestG)$\n");
    assert_eq!(of("jest"), "test/x.test.js\n");
    assert_eq!(of("cargo test"), "tests::works\n");
    assert_eq!(of("gradle"), "p.FTest.works\n");
}

#[test]
fn what_is_no_revision_is_refused_with_a_remedy() {
    let project = repository(&[("a.py", "x = 1\n")]);
    for given in ["nothing", "HEAD..nothing", "--output=x", "HEAD~9"] {
        let run = project.run(&["diff", given]);
        assert_eq!((run.code, run.err.contains("is not a git revision")), (2, true), "{given}: {}", run.err);
    }
    let bare = Project::new(&[("a.py", "x = 1\n")]);
    assert_eq!(bare.run(&["diff"]).code, 2);
}
