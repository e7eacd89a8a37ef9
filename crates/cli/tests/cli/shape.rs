//! What all commands have in common: envelope, exit status, colour, pipes, folders.

use std::process::{Command, Stdio};

use crate::support::Project;

#[test]
fn the_envelope_names_schema_run_tool_and_time() {
    let project = Project::new(&[("a.py", "x = 1\n")]);
    let envelope = project.envelope(&["status"]);
    assert_eq!(envelope["schema_version"], "1.0");
    assert_eq!(envelope["tool"], "status");
    let id = envelope["execution_id"].as_str().expect("an id");
    let (time, process) = id.split_once('-').expect("two parts");
    assert!(i64::from_str_radix(time, 16).is_ok() && i64::from_str_radix(process, 16).is_ok());
    assert!(envelope["timestamp"].as_str().expect("a time").ends_with('Z'));
    assert!(envelope.get("partial").is_none());
}

#[test]
fn colour_only_where_it_is_wanted() {
    let project = Project::new(&[("a.py", "x = 1\n")]);
    assert!(!project.run(&["query", "x"]).out.contains('\x1b'));
    assert!(project.run(&["query", "x", "--color", "always"]).out.contains('\x1b'));
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let text: String = (0..20_000).map(|i| format!("name_{i} = 1\n")).collect();
    let project = Project::new(&[("a.py", &text)]);
    let mut child = Command::new(env!("CARGO_BIN_EXE_codegraph"))
        .args(["sql", "SELECT term FROM items", "--limit", "100000"])
        .current_dir(project.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the binary ends");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn paths_are_taken_from_the_current_folder_first() {
    let project = Project::new(&[("lib/a.py", "x = 1\n"), ("a.py", "y = 1\n")]);
    let below = project.path().join("lib");
    assert!(project.run_in(&below, &["signature", "a.py"], "").out.starts_with("lib/a.py"));
    assert!(project.run_in(&below, &["signature", "../a.py"], "").out.starts_with("a.py"));
    assert!(project.run_in(&below, &["signature", "lib/a.py"], "").out.starts_with("lib/a.py"));
    let elsewhere = tempfile::TempDir::new().expect("a folder");
    let root = project.path().to_str().expect("UTF-8");
    let run = project.run_in(elsewhere.path(), &["query", "y", "--project", root], "");
    assert_eq!((run.code, run.out.as_str()), (0, "a.py:1  code      y = 1\n"));
}

#[test]
fn answers_are_fresh_unless_that_is_switched_off() {
    let project = Project::new(&[("a.py", "x = 1\n")]);
    project.write("b.py", "fresh = 1\n");
    let old = project.run(&["query", "fresh", "--no-update"]);
    assert_eq!(old.code, 1);
    assert!(old.out.contains("changed since indexed: b.py"), "{}", old.out);
    assert_eq!(project.run(&["query", "fresh"]).out, "b.py:1  code      fresh = 1\n");
    std::fs::remove_file(project.path().join("b.py")).expect("it is there");
    assert_eq!(project.run(&["query", "fresh"]).code, 1);
}

#[test]
fn answers_do_not_depend_on_the_run() {
    let project = Project::new(&[("a.py", "x = 1\ndef f(): return x\n"), ("b.py", "from a import x\n")]);
    for arguments in [&["query", "x"][..], &["find", "f"], &["signatures", "*.py"], &["tree", "--stats"]] {
        assert_eq!(project.json(arguments), project.json(arguments));
    }
}

#[test]
fn help_completions_and_manual_pages() {
    let project = Project::bare(&[]);
    let help = project.run(&["help", "--all"]);
    assert_eq!(help.code, 0);
    for command in ["init", "update-batch", "find-ast", "completions-script"] {
        assert!(help.out.contains(command), "{command}");
    }
    assert!(project.run(&["completions-script", "bash"]).out.contains("_codegraph"));
    assert!(project.run(&["completions-script", "fish"]).out.contains("complete -c codegraph"));
    assert!(project.run(&["man"]).out.contains(".TH codegraph"));
    assert!(project.run(&["man", "query"]).out.contains("file\\-filter"));
    assert_eq!(project.run(&["man", "nothing"]).code, 2);
}

/// Methods belong to their types where they stand outside of them, too.
#[test]
fn methods_have_their_class_in_every_language() {
    let go = "package shop\n\ntype Cart struct{}\n\nfunc (c *Cart) Add() {}\n\nfunc Free() {}\n";
    let rust = "pub struct Order;\n\nimpl Order {\n    pub fn ship(&self) {}\n}\n";
    let cpp = "class Stock {\n  void fill();\n};\nvoid Stock::fill() {}\n";
    let project = Project::new(&[("cart.go", go), ("go.mod", "module shop\n"), ("order.rs", rust), ("stock.cpp", cpp)]);
    let sql = "SELECT m.name AS method, c.name AS class FROM methods m LEFT JOIN classes c ON c.id = m.class_id \
               ORDER BY m.name, m.line";
    let said = project.json(&["sql", sql]);
    let rows: Vec<(&str, &str)> = said["rows"]
        .as_array()
        .expect("rows")
        .iter()
        .map(|row| (row["method"].as_str().expect("a name"), row["class"].as_str().unwrap_or("")))
        .collect();
    let expected = [("Add", "Cart"), ("Free", ""), ("fill", "Stock"), ("fill", "Stock"), ("ship", "Order")];
    assert_eq!(rows, expected);
}
