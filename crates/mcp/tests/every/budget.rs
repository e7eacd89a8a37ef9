//! A budget is never exceeded, and a cursor leads to the rest.

use serde_json::json;

use crate::sample::{Sample, good_calls};

#[test]
fn no_answer_exceeds_its_budget() {
    for sample in [Sample::new(), Sample::structured()] {
        let listed = sample.server.list().tools;
        for (tool, good) in good_calls() {
            let schema = &listed.iter().find(|one| one.name == tool).expect("it is listed").input_schema;
            if schema["properties"].get("max_tokens").is_none() {
                continue;
            }
            for budget in [100, 150, 300] {
                let mut arguments = good.clone();
                arguments["max_tokens"] = json!(budget);
                let (text, data, wrong) = sample.answer(&tool, arguments);
                assert!(!wrong, "{tool}: {text}");
                let data = data.map_or(String::new(), |data| data.to_string());
                let tokens = codegraph_tokens::count(&text) + codegraph_tokens::count(&data);
                assert!(tokens <= budget, "{tool}: {tokens} tokens of {budget}: {text}{data}");
            }
        }
    }
}

/// The names in the data of a list, page by page.
#[test]
fn the_parts_of_data_are_the_data() {
    let sample = Sample::structured();
    let text: String = (0..150).map(|n| format!("def numbered_{n:03}(): pass\n")).collect();
    std::fs::write(sample.folder.path().join("many.py"), text).expect("a file");
    let mut arguments = json!({"name": "numbered_", "mode": "starts_with", "limit": 1000, "max_tokens": 2000});
    let mut names = Vec::new();
    for _ in 0..200 {
        let (_, data, wrong) = sample.answer("codegraph_find", arguments.clone());
        let data = data.filter(|_| !wrong).expect("an answer");
        let found = data["symbols"].as_array().expect("complete rows, not only a cursor").clone();
        names.extend(found.iter().filter_map(|one| one["name"].as_str().map(str::to_owned)));
        match data["next_offset"].as_u64() {
            Some(next) => arguments["offset"] = json!(next),
            None => break,
        }
    }
    let wanted: Vec<String> = (0..150).map(|n| format!("numbered_{n:03}")).collect();
    assert_eq!(names, wanted);
}

#[test]
fn data_that_cannot_be_cut_is_the_text() {
    let sample = Sample::structured();
    let body: String = (0..300).map(|n| format!("    value_{n} = {n}\n")).collect();
    std::fs::write(sample.folder.path().join("long.py"), format!("def long_one():\n{body}")).expect("a file");
    let (text, data, wrong) = sample.answer("codegraph_get", json!({"symbol": "long_one", "max_tokens": 500}));
    let data = data.filter(|_| !wrong).expect("an answer");
    assert!(data["text"].as_str().is_some_and(|part| part.contains("value_1 = 1") && text.starts_with(part)), "{data}");
    assert!(text.contains(&format!("cursor={}", data["next_cursor"].as_str().expect("more"))), "{text}{data}");
}

fn cursor(text: &str) -> Option<String> {
    let rest = &text[text.rfind("cursor=")? + "cursor=".len()..];
    Some(rest.chars().take_while(|c| c.is_ascii_digit() || *c == ':').collect())
}

/// All parts of an answer, each within the budget, without the lines that say how to go on.
fn parts(sample: &Sample, tool: &str, arguments: &serde_json::Value, budget: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut arguments = arguments.clone();
    arguments["max_tokens"] = json!(budget);
    for _ in 0..500 {
        let (text, wrong) = sample.call(tool, arguments.clone());
        assert!(!wrong, "{text}");
        lines.extend(text.lines().filter(|line| !line.contains("cursor=")).map(str::to_owned));
        match cursor(&text) {
            Some(next) => arguments["cursor"] = json!(next),
            None => return lines,
        }
    }
    panic!("the cursor of {tool} leads nowhere");
}

#[test]
fn without_a_budget_data_has_its_bounds_too() {
    let sample = Sample::structured();
    let text: String = (0..900).map(|n| format!("def function_{n}(): pass\n")).collect();
    std::fs::write(sample.folder.path().join("wide.py"), &text).expect("a file");
    let (text, data, wrong) = sample.answer("codegraph_signature", json!({"file": "wide.py"}));
    let data = data.filter(|_| !wrong).expect("an answer").to_string();
    assert!(text.len() + data.len() <= 64 * 1024 && data.contains("function_99"), "{} bytes", data.len());
}

#[test]
fn the_parts_of_a_source_text_are_the_text() {
    let sample = Sample::new();
    let body: String = (0..300).map(|n| format!("    value_{n} = {n}\n")).collect();
    let text = format!("def long_one():\n{body}    return value_1\n");
    std::fs::write(sample.folder.path().join("long.py"), &text).expect("a file");
    let lines = parts(&sample, "codegraph_get", &json!({"symbol": "long_one"}), 200);
    assert_eq!(lines[1..].join("\n"), text.trim_end());
}

#[test]
fn the_parts_of_a_list_are_the_list() {
    let sample = Sample::new();
    let text: String = (0..150).map(|n| format!("def numbered_{n:03}(): pass\n")).collect();
    std::fs::write(sample.folder.path().join("many.py"), text).expect("a file");
    let find = json!({"name": "numbered_", "mode": "starts_with", "limit": 1000});
    let lines = parts(&sample, "codegraph_find", &find, 250);
    let names: Vec<&str> = lines.iter().filter_map(|line| line.split("numbered_").nth(1)?.get(..3)).collect();
    let wanted: Vec<String> = (0..150).map(|n| format!("{n:03}")).collect();
    assert_eq!(names, wanted);
}
