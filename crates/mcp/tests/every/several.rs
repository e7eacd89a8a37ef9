//! Tools that take one symbol or several, and lists of lines alone.

use serde_json::json;

use crate::sample::Sample;

#[test]
fn a_list_of_symbols_gives_the_answers_one_after_the_other() {
    let sample = Sample::new();
    for (tool, parameter, first, second) in [
        ("codegraph_get", "symbol", "User.save", "main"),
        ("codegraph_callers", "symbol", "User.save", "main"),
        ("codegraph_callees", "symbol", "User.save", "main"),
        ("codegraph_impact", "symbol", "User.save", "User"),
        ("codegraph_hover", "place", "User.save", "main"),
        ("codegraph_signature", "file", "app/models.py", "app/main.py"),
    ] {
        let one = |name: &str| sample.call(tool, json!({parameter: name}));
        let (both, wrong) = sample.call(tool, json!({parameter: [first, second]}));
        assert!(!wrong, "{tool}: {both}");
        assert_eq!(both, format!("{}\n{}", one(first).0, one(second).0), "{tool}");
        let (text, wrong) = sample.call(tool, json!({parameter: []}));
        assert!(wrong && text.contains("a string or a list of strings"), "{tool}: {text}");
    }
}

#[test]
fn lines_alone_are_files_and_numbers() {
    let sample = Sample::new();
    let (long, _) = sample.call("codegraph_find_usages", json!({"name": "User"}));
    let (short, wrong) = sample.call("codegraph_find_usages", json!({"name": "User", "compact": true}));
    assert!(!wrong && short.contains("app/main.py: ") && short.len() < long.len(), "{short}");
}
