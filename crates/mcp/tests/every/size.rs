//! What every conversation pays before its first question.

use codegraph_mcp::ToolSet;

use crate::sample::{good_calls, serve};

fn bytes(tools: ToolSet) -> (usize, usize) {
    let list = serve(std::path::Path::new("."), tools).list();
    let message = serde_json::json!({"jsonrpc": "2.0", "id": 1, "result": list}).to_string();
    (message.len(), list.tools.len())
}

#[test]
fn all_tools_are_listed_in_sixteen_kilobytes() {
    let (bytes, tools) = bytes(ToolSet::All);
    println!("{tools} tools in {bytes} bytes");
    assert!(bytes <= 16_000, "{tools} tools in {bytes} bytes");
}

#[test]
fn the_core_is_listed_in_five_kilobytes() {
    let (bytes, tools) = bytes(ToolSet::Core);
    println!("{tools} tools in {bytes} bytes");
    assert!(bytes <= 5_000, "{tools} tools in {bytes} bytes");
}

#[test]
fn every_tool_says_when_to_use_it_and_what_it_may_change() {
    for tool in serve(std::path::Path::new("."), ToolSet::All).list().tools {
        let about = tool.description.expect("it has a description");
        assert!(about.len() >= 20 && about.ends_with('.'), "{}: {about}", tool.name);
        let hints = tool.annotations.expect("it has hints");
        assert!(hints.read_only_hint.is_some() || hints.destructive_hint.is_some() || hints.idempotent_hint.is_some());
        assert_eq!(tool.input_schema["type"], "object");
    }
}

#[test]
fn every_tool_has_a_good_call_in_the_tests() {
    let mut listed: Vec<String> =
        serve(std::path::Path::new("."), ToolSet::All).list().tools.iter().map(|tool| tool.name.to_string()).collect();
    let mut called: Vec<String> = good_calls().into_iter().map(|(tool, _)| tool).collect();
    listed.sort();
    called.sort();
    assert_eq!(listed, called);
}
