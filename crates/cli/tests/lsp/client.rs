//! A client of the server for tests: speaks the protocol on the pipes of the real binary, and knows nothing more.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_codegraph");

/// Longer than any answer takes, on any machine.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Client {
    child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    /// Came while something else was waited for.
    others: VecDeque<Value>,
    next: i64,
    pub(crate) capabilities: Value,
}

impl Client {
    /// A server that was told nothing yet.
    pub(crate) fn start() -> Client {
        let mut server = Command::new(BINARY);
        server.arg("lsp").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        let mut child = server.spawn().expect("it starts");
        let output = child.stdout.take().expect("it is piped");
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Some(message) = next(&mut output) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let input = child.stdin.take();
        Client { child, input, messages, others: VecDeque::new(), next: 0, capabilities: Value::Null }
    }

    /// A session about a folder.
    pub(crate) fn of(folder: &Path) -> Client {
        Client::with(folder, json!({}), json!({}))
    }

    pub(crate) fn with(folder: &Path, capabilities: Value, options: Value) -> Client {
        let mut client = Client::start();
        let params = json!({
            "processId": std::process::id(),
            "rootUri": uri(folder),
            "workspaceFolders": [{"uri": uri(folder), "name": "w"}],
            "capabilities": capabilities,
            "initializationOptions": options,
        });
        client.capabilities = client.ask("initialize", params)["capabilities"].clone();
        client.tell("initialized", json!({}));
        client
    }

    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("not closed");
        input.write_all(bytes).and_then(|()| input.flush()).expect("it reads");
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        self.raw(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
    }

    pub(crate) fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Sends a request and does not wait.
    pub(crate) fn begin(&mut self, method: &str, params: Value) -> i64 {
        self.next += 1;
        let id = self.next;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    /// The whole response to a request.
    pub(crate) fn response(&mut self, id: i64) -> Value {
        self.wait(|message| message["id"] == id && message.get("method").is_none())
    }

    /// The first message that fits; others stay for later.
    pub(crate) fn wait(&mut self, fits: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.others.iter().position(&fits) {
            return self.others.remove(at).expect("just found");
        }
        loop {
            let message = self.messages.recv_timeout(PATIENCE).expect("an answer in time");
            if fits(&message) {
                return message;
            }
            self.others.push_back(message);
        }
    }

    /// The result of a request; an error fails the test.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params);
        let mut response = self.response(id);
        assert!(response.get("error").is_none(), "{method}: {response}");
        response["result"].take()
    }

    pub(crate) fn open(&mut self, path: &Path) -> String {
        let text = std::fs::read(path).expect("it is there");
        self.open_as(path, &String::from_utf8_lossy(&text))
    }

    pub(crate) fn open_as(&mut self, path: &Path, text: &str) -> String {
        let uri = uri(path);
        let document = json!({"uri": uri, "languageId": "x", "version": 1, "text": text});
        self.tell("textDocument/didOpen", json!({"textDocument": document}));
        uri
    }

    pub(crate) fn change(&mut self, uri: &str, version: i64, changes: Value) {
        let document = json!({"uri": uri, "version": version});
        self.tell("textDocument/didChange", json!({"textDocument": document, "contentChanges": changes}));
    }

    /// Asks about a place of a text.
    pub(crate) fn at(&mut self, method: &str, uri: &str, line: u64, character: u64) -> Value {
        self.ask(&format!("textDocument/{method}"), at(uri, line, character))
    }

    /// Ends the session as the protocol says; the status of the server.
    pub(crate) fn end(mut self) -> i32 {
        self.ask("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        self.child.wait().expect("it ends").code().expect("by itself")
    }

    /// Goes without a word; the status of the server.
    pub(crate) fn vanish(mut self) -> i32 {
        drop(self.input.take());
        self.child.wait().expect("it ends").code().expect("by itself")
    }

    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn at(uri: &str, line: u64, character: u64) -> Value {
    json!({"textDocument": {"uri": uri}, "position": {"line": line, "character": character}})
}

pub(crate) fn uri(path: &Path) -> String {
    let mut uri = String::from("file://");
    for byte in path.to_str().expect("plain names").bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => uri.push(byte as char),
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    uri
}

fn next(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        if line.trim().is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}
