//! Macro arguments are read as code where they are code.

use codegraph_languages::by_name;
use codegraph_model::RefKind;

fn facts(source: &str) -> codegraph_model::FileFacts {
    codegraph_extract::extract(source.as_bytes(), by_name("rust").expect("a language with macros"))
}

#[test]
fn arguments_in_any_brackets_are_code_and_no_syntax_problem() {
    let facts = facts("fn f() { print!(\"{}\", g(1)); let v = vec![h(2)]; once! { fn inner() { i() } } }\n");
    assert_eq!(facts.problems, []);
    let calls = facts.refs.iter().filter(|r| r.kind == RefKind::Call).map(|r| facts.name(r.name));
    assert_eq!(calls.collect::<Vec<_>>(), ["g", "h", "i"]);
    assert!(facts.symbols.iter().any(|s| s.name.is_some() && facts.name(s.name) == "inner"));
}

#[test]
fn arguments_at_the_very_end_of_a_file_are_read() {
    assert_eq!(facts("m!(a)").problems, []);
}

#[test]
fn arguments_that_are_no_code_are_names_and_no_syntax_problem() {
    let facts = facts("fn f() { choose!(recv(a) -> _ => g(1), => else b); }\n");
    assert_eq!(facts.problems, []);
    assert!(facts.refs.iter().any(|r| facts.name(r.name) == "g"));
}
