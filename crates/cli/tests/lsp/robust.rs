//! Storms of changes, files that change under open texts, cancelled and malformed messages, clients that go.

use serde_json::{Value, json};

use crate::client::{Client, at, uri};
use crate::project::{MAIN, MODELS, Project, sample};

/// A generator of numbers that is the same everywhere.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most.max(1)
    }
}

fn symbols(client: &mut Client, uri: &str) -> Value {
    let document = json!({"textDocument": {"uri": uri}});
    json!([
        client.ask("textDocument/documentSymbol", document.clone()),
        client.ask("textDocument/semanticTokens/full", document.clone()),
        client.ask("textDocument/foldingRange", document),
    ])
}

#[test]
fn a_thousand_changes_leave_what_a_fresh_open_has() {
    let project = sample();
    let mut client = Client::of(&project.root());
    let open = client.open(&project.path("main.py"));
    let mut numbers = Numbers(7);
    let pieces = ["x", "\n", "ü", "😀", "def f():\n    return 1\n", "", "(", "user.save()\n", "\r\n", "\t"];
    let mut text: Vec<char> = MAIN.chars().collect();
    for version in 2..1002 {
        let start = numbers.below(text.len() + 1);
        let end = (start + numbers.below(4)).min(text.len());
        // Between the two halves of a line's end there is no position.
        let torn = |at: usize| at > 0 && at < text.len() && text[at - 1] == '\r' && text[at] == '\n';
        if torn(start) || torn(end) {
            continue;
        }
        let piece = pieces[numbers.below(pieces.len())];
        let range = json!({"start": position(&text, start), "end": position(&text, end)});
        text.splice(start..end, piece.chars());
        client.change(&open, version, json!([{"range": range, "text": piece}]));
        if version % 250 == 0 {
            client.at("definition", &open, 3, 5);
        }
    }
    let stormed = symbols(&mut client, &open);
    let fresh = Project::new(&[("models.py", MODELS), ("main.py", MAIN)]);
    let mut other = Client::of(&fresh.root());
    let opened = other.open_as(&fresh.path("main.py"), &text.iter().collect::<String>());
    assert_eq!(stormed, symbols(&mut other, &opened));
    assert!(stormed[0].as_array().is_some_and(|all| !all.is_empty()), "there is something to compare");
}

/// A position in UTF-16, counted anew.
fn position(text: &[char], at: usize) -> Value {
    let (mut line, mut column) = (0, 0);
    for (i, c) in text[..at].iter().enumerate() {
        let ends = *c == '\n' || *c == '\r' && text.get(i + 1) != Some(&'\n');
        if ends {
            (line, column) = (line + 1, 0);
        } else {
            column += c.len_utf16();
        }
    }
    json!({"line": line, "character": column})
}

#[test]
fn an_open_text_is_what_counts_whatever_happens_on_disk() {
    let project = sample();
    let mut client = Client::of(&project.root());
    let models = client.open(&project.path("models.py"));
    let main = uri(&project.path("main.py"));
    project.write("models.py", "class Other:\n    pass\n");
    let found = client.at("definition", &main, 6, 10);
    assert_eq!(found[0]["range"]["start"]["line"], 7, "the editor has the old text: {found}");
    client.tell("textDocument/didClose", json!({"textDocument": {"uri": models}}));
    let found = client.at("definition", &main, 4, 12);
    assert_eq!(found.as_array().map(Vec::len), Some(0), "now there is no such class: {found}");
    project.write("models.py", MODELS);
    client.tell("workspace/didChangeWatchedFiles", json!({"changes": [{"uri": models, "type": 2}]}));
    let found = client.at("definition", &main, 6, 10);
    assert_eq!(found[0]["range"]["start"]["line"], 7, "{found}");
}

#[test]
fn texts_that_are_not_files_yet_and_many_open_ones_are_answered() {
    let files: Vec<(String, String)> =
        (0..50).map(|i| (format!("m{i}.py"), format!("def f{i}():\n    return {i}\n"))).collect();
    let given: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let project = Project::new(&given);
    let mut client = Client::of(&project.root());
    for (i, (path, text)) in files.iter().enumerate() {
        client.open_as(&project.path(path), &format!("# changed {i}\n{text}"));
    }
    let new = client.open_as(&project.path("new.py"), "from m7 import f7\n\nf7()\n");
    let found = client.at("definition", &new, 2, 0);
    assert_eq!(found[0]["range"]["start"], json!({"line": 1, "character": 4}), "{found}");
    let found = client.at("completion", &new, 2, 1);
    assert_eq!(found["items"][0]["label"], "f7", "{found}");
}

#[test]
fn what_is_wrong_is_answered_with_the_errors_of_the_protocol() {
    let project = sample();
    let mut client = Client::of(&project.root());
    let main = uri(&project.path("main.py"));
    client.raw(b"Content-Length: 9\r\n\r\n{not json");
    assert_eq!(client.wait(|m| m["error"]["code"] == -32700)["id"], Value::Null);
    client.raw(b"Content-Length: 2\r\n\r\n[]");
    client.wait(|m| m["error"]["code"] == -32600);
    let code = |client: &mut Client, method: &str, params: Value| {
        let id = client.begin(method, params);
        client.response(id)["error"]["code"].clone()
    };
    assert_eq!(code(&mut client, "textDocument/unheardOf", json!({})), -32601);
    assert_eq!(code(&mut client, "textDocument/hover", json!({"textDocument": 3})), -32602);
    assert_eq!(code(&mut client, "workspace/executeCommand", json!({"command": "rm"})), -32602);
    client.tell("textDocument/didChange", json!({"nonsense": true}));
    client.tell("$/unheardOf", json!({}));
    for (line, character) in [(999, 0), (0, 9_999), (u64::from(u32::MAX), u64::from(u32::MAX))] {
        client.at("hover", &main, line, character);
    }
    assert_eq!(client.at("hover", "untitled:one", 0, 0), Value::Null);
    assert_eq!(client.at("hover", "file:///nowhere/x.py", 0, 0), Value::Null);
    assert!(client.at("hover", &main, 6, 10).is_object(), "it still answers");
    assert_eq!(client.end(), 0);
}

#[test]
fn the_session_follows_the_order_of_the_protocol() {
    let mut client = Client::start();
    let id = client.begin("textDocument/hover", at("file:///x.py", 0, 0));
    assert_eq!(client.response(id)["error"]["code"], -32002);
    client.ask("initialize", json!({"capabilities": {}}));
    let id = client.begin("initialize", json!({"capabilities": {}}));
    assert_eq!(client.response(id)["error"]["code"], -32600);
    client.ask("shutdown", Value::Null);
    let id = client.begin("textDocument/hover", at("file:///x.py", 0, 0));
    assert_eq!(client.response(id)["error"]["code"], -32600);
    client.tell("exit", Value::Null);
    drop(client);
    assert_eq!(Client::of(&sample().root()).vanish(), 1, "who goes without a word is missed");
}

#[test]
fn a_request_that_nobody_waits_for_is_called_off() {
    let project = sample();
    let mut client = Client::of(&project.root());
    let main = client.open(&project.path("main.py"));
    let ids: Vec<i64> = (0..200).map(|_| client.begin("textDocument/references", at(&main, 6, 10))).collect();
    for id in &ids {
        client.tell("$/cancelRequest", json!({"id": id}));
    }
    let responses: Vec<Value> = ids.iter().map(|id| client.response(*id)).collect();
    let called_off = responses.iter().filter(|response| response["error"]["code"] == -32800).count();
    let answered = responses.iter().filter(|response| response["result"].is_array()).count();
    assert_eq!(called_off + answered, ids.len());
    assert!(called_off > 0, "the server cannot have answered all of them before");
    assert!(client.at("definition", &main, 6, 10).is_array());
}

#[test]
fn a_folder_without_an_index_gets_one_in_the_background() {
    let project = Project::bare(&[("models.py", MODELS), ("main.py", MAIN)]);
    let told = json!({"window": {"workDoneProgress": true}});
    let mut client = Client::with(&project.root(), told, json!({}));
    let main = client.open(&project.path("main.py"));
    client.at("definition", &main, 6, 10);
    client.wait(|m| m["method"] == "window/workDoneProgress/create");
    client.wait(|m| m["method"] == "$/progress" && m["params"]["value"]["kind"] == "end");
    let found = client.at("definition", &main, 6, 10);
    assert_eq!(found[0]["range"]["start"]["line"], 7, "{found}");
    let left_alone = Project::bare(&[("a.py", MAIN)]);
    let mut client = Client::with(&left_alone.root(), json!({}), json!({"index": false}));
    client.ask("workspace/symbol", json!({"query": "main"}));
    assert!(!left_alone.path(".codegraph").exists());
}

#[test]
fn folders_come_and_go() {
    let (one, two) = (sample(), Project::new(&[("b.py", "def only_here():\n    pass\n")]));
    let mut client = Client::of(&one.root());
    let found = |client: &mut Client| client.ask("workspace/symbol", json!({"query": "only_here"}));
    assert_eq!(found(&mut client), json!([]));
    let folder = json!({"uri": uri(&two.root()), "name": "two"});
    let change = |added: Value, removed: Value| json!({"event": {"added": added, "removed": removed}});
    client.tell("workspace/didChangeWorkspaceFolders", change(json!([folder]), json!([])));
    assert_eq!(found(&mut client)[0]["name"], "only_here");
    client.tell("workspace/didChangeWorkspaceFolders", change(json!([]), json!([folder])));
    assert_eq!(found(&mut client), json!([]));
}

#[test]
fn others_can_write_while_a_text_is_not_saved() {
    let project = sample();
    let mut client = Client::of(&project.root());
    let main = client.open_as(&project.path("main.py"), &format!("# not saved\n{MAIN}"));
    assert!(client.at("hover", &main, 7, 10).is_object());
    project.write("other.py", "def later():\n    pass\n");
    let said = project.run(&["find", "later"]);
    assert!(said.contains("other.py"), "{said}");
    assert!(client.process() > 0);
}
