//! Every request once, on a small project.

use serde_json::{Value, json};

use crate::client::{Client, at, uri};
use crate::project::{MAIN, sample};

/// Lines and columns of the starts of locations.
fn starts(locations: &Value) -> Vec<(String, u64, u64)> {
    let all = locations.as_array().expect("a list");
    let start = |one: &Value| {
        let file = one["uri"].as_str().expect("a uri").rsplit('/').next().expect("a name").to_owned();
        let start = &one["range"]["start"];
        (file, start["line"].as_u64().expect("a line"), start["character"].as_u64().expect("a column"))
    };
    all.iter().map(start).collect()
}

#[test]
fn names_lead_to_definitions_references_types_and_implementations() {
    let project = sample();
    let mut client = Client::of(&project.root());
    let main = client.open(&project.path("main.py"));
    let models = uri(&project.path("models.py"));
    assert_eq!(client.capabilities["positionEncoding"], "utf-16");
    let found = client.at("definition", &main, 6, 10);
    assert_eq!(starts(&found), [("models.py".into(), 7, 8)]);
    assert_eq!(client.at("declaration", &main, 6, 10), found);
    let found = client.at("typeDefinition", &main, 6, 5);
    assert_eq!(starts(&found), [("models.py".into(), 6, 6)]);
    let found = client.at("implementation", &models, 1, 9);
    assert_eq!(starts(&found), [("models.py".into(), 7, 8)]);
    let mut params = at(&main, 6, 10);
    params["context"] = json!({"includeDeclaration": true});
    let found = client.ask("textDocument/references", params);
    let expected: Vec<(String, u64, u64)> = vec![
        ("models.py".into(), 7, 8),
        ("main.py".into(), 6, 9),
        ("main.py".into(), 7, 28),
        ("models.py".into(), 12, 20),
    ];
    assert_eq!(starts(&found), expected, "columns are counted in UTF-16");
    let found = client.at("documentHighlight", &main, 5, 6);
    assert_eq!(found.as_array().map(Vec::len), Some(3), "{found}");
    assert_eq!(client.end(), 0);
}

#[test]
fn hover_signatures_and_completions_say_what_there_is() {
    let project = sample();
    let mut client = Client::of(&project.root());
    let main = client.open(&project.path("main.py"));
    let hover = client.at("hover", &main, 6, 10);
    let text = hover["contents"]["value"].as_str().expect("markdown");
    for part in ["def save(self, deep=False)", "models.User.save", "models.py:8", "used in 2 files", "linked by member"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(client.at("hover", &main, 1, 0), Value::Null);
    let help = client.at("signatureHelp", &main, 6, 14);
    assert_eq!(help["signatures"][0]["label"], "def save(self, deep=False)", "{help}");
    assert_eq!(help["activeParameter"], 0);
    client.change(&main, 2, json!([{"range": {"start": {"line": 8, "character": 0}, "end": {"line": 8, "character": 0}}, "text": "    user.re\n"}]));
    let found = client.at("completion", &main, 8, 11);
    let item = found["items"][0].clone();
    assert_eq!(item["label"], "rename", "{found}");
    let resolved = client.ask("completionItem/resolve", item);
    assert!(resolved["documentation"]["value"].as_str().is_some_and(|text| text.contains("def rename")), "{resolved}");
    let found = client.at("completion", &main, 8, 4);
    let labels: Vec<&str> =
        found["items"].as_array().expect("items").iter().filter_map(|item| item["label"].as_str()).collect();
    assert!(labels.contains(&"total") && labels.contains(&"User") && labels.contains(&"main"), "{labels:?}");
}

#[test]
fn symbols_hierarchies_and_shapes_are_listed() {
    let project = sample();
    let mut client = Client::of(&project.root());
    let models = client.open(&project.path("models.py"));
    let tree = client.ask("textDocument/documentSymbol", json!({"textDocument": {"uri": models}}));
    assert_eq!(tree[1]["name"], "User");
    assert_eq!(tree[1]["children"][1]["name"], "rename", "{tree}");
    let found = client.ask("workspace/symbol", json!({"query": "ren"}));
    assert_eq!(found[0]["name"], "rename");
    let resolved = client.ask("workspaceSymbol/resolve", found[0].clone());
    assert_eq!(resolved["location"]["range"]["start"], json!({"line": 10, "character": 8}));
    let item = client.at("prepareCallHierarchy", &models, 7, 9)[0].clone();
    assert_eq!(item["name"], "save");
    let callers = client.ask("callHierarchy/incomingCalls", json!({"item": item}));
    let names: Vec<&str> =
        callers.as_array().expect("calls").iter().filter_map(|call| call["from"]["name"].as_str()).collect();
    assert_eq!(names, ["main", "rename"]);
    assert_eq!(callers[0]["fromRanges"].as_array().map(Vec::len), Some(2));
    let callees = client.ask("callHierarchy/outgoingCalls", json!({"item": callers[0]["from"]}));
    assert!(callees.as_array().is_some_and(|all| all.len() == 3), "{callees}");
    let item = client.at("prepareTypeHierarchy", &models, 6, 7)[0].clone();
    let bases = client.ask("typeHierarchy/supertypes", json!({"item": item}));
    assert_eq!(bases[0]["name"], "Base");
    let heirs = client.ask("typeHierarchy/subtypes", json!({"item": bases[0]}));
    assert_eq!(heirs[0]["name"], "User");
    let document = json!({"textDocument": {"uri": models}});
    let folds = client.ask("textDocument/foldingRange", document.clone());
    assert!(folds.as_array().is_some_and(|all| all.contains(&json!({"startLine": 6, "endLine": 12}))), "{folds}");
    let tokens = client.ask("textDocument/semanticTokens/full", document);
    assert!(tokens["data"].as_array().is_some_and(|data| data.len() > 50 && data.len() % 5 == 0));
    let mut params = json!({"textDocument": {"uri": models}, "positions": [{"line": 12, "character": 24}]});
    let around = client.ask("textDocument/selectionRange", params.take());
    let first = &around[0]["range"];
    assert_eq!(first["start"], json!({"line": 12, "character": 20}), "{around}");
    assert!(around[0]["parent"]["parent"].is_object());
}

#[test]
fn hints_lenses_and_diagnostics_come_when_they_are_wanted() {
    let project = sample();
    let wanted = json!({"inlayHints": true, "codeLens": true, "diagnostics": true});
    let mut client = Client::with(&project.root(), json!({}), wanted);
    let main = client.open(&project.path("main.py"));
    let range = json!({"start": {"line": 0, "character": 0}, "end": {"line": 20, "character": 0}});
    let hints = client.ask("textDocument/inlayHint", json!({"textDocument": {"uri": main}, "range": range}));
    assert_eq!(hints[0]["label"], ": User", "{hints}");
    let lenses = client.ask("textDocument/codeLens", json!({"textDocument": {"uri": uri(&project.path("models.py"))}}));
    let titles: Vec<Value> = lenses
        .as_array()
        .expect("lenses")
        .iter()
        .cloned()
        .map(|lens| client.ask("codeLens/resolve", lens)["command"]["title"].clone())
        .collect();
    assert!(titles.contains(&json!("3 references")), "{titles:?}");
    client.change(&main, 2, json!([{"text": "def main():\n    return ) + (\n"}]));
    let said = client.wait(|m| m["method"] == "textDocument/publishDiagnostics" && m["params"]["version"] == 2);
    assert!(said["params"]["diagnostics"].as_array().is_some_and(|all| !all.is_empty()), "{said}");
    let plain = Client::of(&project.root());
    assert!(plain.capabilities.get("inlayHintProvider").is_none(), "off unless wanted");
    assert!(plain.capabilities.get("codeLensProvider").is_none());
}

#[test]
fn commands_answer_with_the_data_of_their_questions() {
    let project = sample();
    let mut client = Client::of(&project.root());
    let main = client.open(&project.path("main.py"));
    let mut run = |command: &str, argument: Value| {
        client.ask("workspace/executeCommand", json!({"command": command, "arguments": [argument]}))
    };
    let place = json!({"uri": main, "position": {"line": 6, "character": 10}});
    assert_eq!(run("codegraph.callers", place.clone())["calls"][0]["symbol"]["name"], "main");
    assert!(run("codegraph.impact", place)["affected"].as_array().is_some_and(|all| !all.is_empty()));
    assert!(run("codegraph.map", json!({}))["text"].as_str().is_some_and(|text| text.contains("models.py")));
    let found = run("codegraph.context", json!({"task": "save a user"}));
    assert!(found["symbols"].as_array().is_some_and(|all| !all.is_empty()), "{found}");
}

#[test]
fn columns_are_counted_as_agreed() {
    let project = sample();
    for (encoding, column) in [("utf-8", 30), ("utf-16", 28), ("utf-32", 27)] {
        let offered = json!({"general": {"positionEncodings": [encoding]}});
        let mut client = Client::with(&project.root(), offered, json!({}));
        assert_eq!(client.capabilities["positionEncoding"], encoding);
        let main = client.open(&project.path("main.py"));
        let found = client.at("definition", &main, 7, column);
        assert_eq!(starts(&found), [("models.py".into(), 7, 8)], "{encoding}");
        let found = client.at("documentHighlight", &main, 7, column);
        assert_eq!(found[1]["range"]["start"]["character"], column, "{encoding}: {found}");
    }
    assert!(MAIN.contains('😀'));
}
