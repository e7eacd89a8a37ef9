//! Four questions of an editor as JSON-RPC 2.0: `LLM.lsp_get_hover`, `LLM.lsp_get_definition`, `LLM.lsp_get_references`,
//! `LLM.lsp_get_completions`. All take a path, a line from 1 and a column from 0 in bytes, by name or in this order.
//!
//! [`answer`] takes a message and gives one, so that whatever carries messages can offer it: `codegraph rpc` does on
//! standard input and output.

mod methods;
mod stdio;

use codegraph_runtime::{Failure, Projects};
use serde_json::{Value, json};

pub use stdio::serve_stdio;

const PARSE_ERROR: i32 = -32700;
const INVALID_REQUEST: i32 = -32600;
const METHOD_NOT_FOUND: i32 = -32601;
const INVALID_PARAMS: i32 = -32602;
const FAILED: i32 = -32000;

/// Why a call has no result.
#[derive(Debug)]
enum Refused {
    Unknown(String),
    Parameters(String),
    Failed(anyhow::Error),
}

impl From<anyhow::Error> for Refused {
    fn from(error: anyhow::Error) -> Refused {
        Refused::Failed(error)
    }
}

/// The answer to a message, or to a batch of them; none where nobody waits for one.
pub fn answer(projects: &Projects, message: &[u8]) -> Option<Value> {
    match serde_json::from_slice(message) {
        Ok(Value::Array(batch)) if batch.is_empty() => Some(error(Value::Null, INVALID_REQUEST, "an empty batch")),
        Ok(Value::Array(batch)) => {
            let answers: Vec<Value> = batch.into_iter().filter_map(|call| one(projects, call)).collect();
            (!answers.is_empty()).then_some(Value::Array(answers))
        }
        Ok(call) => one(projects, call),
        Err(what) => Some(error(Value::Null, PARSE_ERROR, &what.to_string())),
    }
}

fn error(id: Value, code: i32, message: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
}

fn one(projects: &Projects, mut call: Value) -> Option<Value> {
    let id = call.get("id").cloned();
    let known = id.clone().filter(|id| id.is_string() || id.is_number() || id.is_null());
    let method = call.get("method").and_then(Value::as_str).map(str::to_owned);
    let (Some(method), true) = (method, call.get("jsonrpc").is_none_or(|version| version == "2.0")) else {
        return Some(error(known.unwrap_or_default(), INVALID_REQUEST, "no call of JSON-RPC 2.0"));
    };
    let params = call.get_mut("params").map(Value::take).unwrap_or_default();
    let result = methods::call(projects, &method, params);
    // Nobody waits for the answer to a notification.
    let id = id?;
    Some(match result {
        Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
        Err(Refused::Unknown(method)) => error(id, METHOD_NOT_FOUND, &format!("'{method}' is not known")),
        Err(Refused::Parameters(what)) => error(id, INVALID_PARAMS, &what),
        Err(Refused::Failed(what)) => error(id, FAILED, &Failure::of(&what).message),
    })
}

#[cfg(test)]
mod tests {
    use codegraph_fixture::Sandbox;
    use codegraph_index::{BuildOptions, InitOptions, Silent};

    use super::*;

    const PROGRAM: &str = "\
//- /a.py
def helper(n):
    \"\"\"Adds one.\"\"\"
    return n + 1


def main():
    return helper(1)
";

    fn project() -> (Sandbox, Projects) {
        let sandbox = Sandbox::program(PROGRAM);
        codegraph_runtime::init(sandbox.root(), &InitOptions::default(), &BuildOptions::default(), &Silent)
            .expect("indexed");
        let projects = Projects::new(sandbox.root(), &[]);
        (sandbox, projects)
    }

    fn ask(projects: &Projects, call: &Value) -> Value {
        answer(projects, call.to_string().as_bytes()).expect("an answer")
    }

    #[test]
    fn the_four_questions_are_answered() {
        let (_folder, projects) = project();
        let call = |method: &str, params: Value| {
            ask(&projects, &json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params}))["result"].clone()
        };
        let place = json!({"path": "a.py", "line": 7, "column": 12});
        let hover = call("LLM.lsp_get_hover", place.clone());
        assert!(hover.as_str().is_some_and(|text| text.contains("def helper(n)") && text.contains("Adds one.")));
        assert_eq!(call("LLM.lsp_get_hover", json!(["a.py", 4, 0])), "");
        let range = json!({"start_line": 1, "start_col": 4, "end_line": 1, "end_col": 10});
        assert_eq!(call("LLM.lsp_get_definition", place.clone()), json!({"file": "a.py", "range": range}));
        assert_eq!(call("LLM.lsp_get_definition", json!(["a.py", 4, 0])), Value::Null);
        let used = call("LLM.lsp_get_references", json!(["a.py", 1, 5]));
        assert_eq!((&used[0]["file"], &used[0]["range"]["start_line"]), (&json!("a.py"), &json!(7)));
        let offered = call("LLM.lsp_get_completions", json!({"file": "a.py", "line": 7, "col": 14}));
        assert_eq!(offered[0]["label"], "helper");
        assert_eq!(offered[0]["kind"], "function");
    }

    #[test]
    fn what_is_no_call_is_answered_as_the_protocol_says() {
        let (_folder, projects) = project();
        let code = |message: &str| answer(&projects, message.as_bytes()).map(|said| said["error"]["code"].clone());
        assert_eq!(code("{"), Some(json!(PARSE_ERROR)));
        assert_eq!(code("[]"), Some(json!(INVALID_REQUEST)));
        assert_eq!(code(r#"{"id": 1}"#), Some(json!(INVALID_REQUEST)));
        assert_eq!(code(r#"{"jsonrpc": "2.0", "id": 1, "method": "no"}"#), Some(json!(METHOD_NOT_FOUND)));
        let bad = r#"{"jsonrpc": "2.0", "id": 1, "method": "LLM.lsp_get_hover", "params": {"line": "x"}}"#;
        assert_eq!(code(bad), Some(json!(INVALID_PARAMS)));
        assert_eq!(code(r#"{"jsonrpc": "2.0", "method": "LLM.lsp_get_hover", "params": ["a.py", 1, 1]}"#), None);
        let batch = r#"[{"jsonrpc":"2.0","id":1,"method":"x"},{"jsonrpc":"2.0","id":2,"method":"y"}]"#;
        assert_eq!(answer(&projects, batch.as_bytes()).and_then(|said| said.as_array().map(Vec::len)), Some(2));
    }
}
