//! A client of a language server, as small as it can be.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};

use super::places::NamePlace;

pub(super) struct Client {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    next: u64,
    /// Versions of the open texts.
    open: BTreeMap<String, u64>,
    /// From the last question to the end of its answer.
    pub(super) took: Duration,
    /// What of that the server computed, on all its threads.
    pub(super) computed: Duration,
}

impl Client {
    /// Starts a server for a folder and shakes hands.
    pub(super) fn start(command: &str, folder: &Path) -> Result<Client> {
        let mut words = command.split(' ').filter(|word| !word.is_empty());
        let mut server = Command::new(words.next().context("a command")?);
        server.args(words).current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = server.spawn().context("the server does not start")?;
        let to = child.stdin.take().expect("it is piped");
        let from = BufReader::new(child.stdout.take().expect("it is piped"));
        let mut client =
            Client { child, to, from, next: 0, open: BTreeMap::new(), took: Duration::ZERO, computed: Duration::ZERO };
        let uri = format!("file://{}", folder.display());
        let about = json!({"processId": std::process::id(), "rootUri": uri, "rootPath": folder,
            "workspaceFolders": [{"uri": uri, "name": "w"}],
            "capabilities": {"workspace": {"configuration": true, "workspaceFolders": true},
                "textDocument": {"hover": {"contentFormat": ["markdown"]}, "synchronization": {}}}});
        client.ask("initialize", &about)?;
        client.tell("initialized", &json!({}))?;
        Ok(client)
    }

    fn send(&mut self, message: &Value) -> Result<()> {
        let text = message.to_string();
        write!(self.to, "Content-Length: {}\r\n\r\n{text}", text.len())?;
        Ok(self.to.flush()?)
    }

    fn tell(&mut self, method: &str, params: &Value) -> Result<()> {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}))
    }

    /// The result of a request; nothing if it is refused.
    pub(super) fn ask(&mut self, method: &str, params: &Value) -> Result<Value> {
        self.next += 1;
        let id = json!(self.next);
        let before = self.cpu();
        let start = Instant::now();
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        loop {
            let text = self.message().with_context(|| format!("the server went away during {method}"))?;
            self.took = start.elapsed();
            self.computed = self.cpu().saturating_sub(before);
            let mut message: Value = serde_json::from_slice(&text)?;
            if let Some(asked) = message.get("method").and_then(Value::as_str) {
                self.reply(asked.to_owned(), &message)?;
            } else if message["id"] == id {
                return Ok(message["result"].take());
            }
        }
    }

    /// Servers ask too: for settings, and to be told of events.
    fn reply(&mut self, method: String, message: &Value) -> Result<()> {
        let Some(id) = message.get("id") else { return Ok(()) };
        let items = message["params"]["items"].as_array().map_or(0, Vec::len);
        let result = if method == "workspace/configuration" { json!(vec![Value::Null; items]) } else { Value::Null };
        self.send(&json!({"jsonrpc": "2.0", "id": id, "result": result}))
    }

    fn message(&mut self) -> Result<Vec<u8>> {
        let mut length = 0;
        loop {
            let mut line = String::new();
            ensure!(self.from.read_line(&mut line)? > 0, "the server went away");
            if let Some(count) = line.strip_prefix("Content-Length:") {
                length = count.trim().parse()?;
            }
            if line == "\r\n" {
                break;
            }
        }
        let mut text = vec![0; length];
        self.from.read_exact(&mut text)?;
        Ok(text)
    }

    pub(super) fn open(&mut self, place: &NamePlace) -> Result<()> {
        if self.open.contains_key(&place.uri) {
            return Ok(());
        }
        self.open.insert(place.uri.clone(), 1);
        let text = std::fs::read_to_string(place.uri.trim_start_matches("file://"))?;
        let document = json!({"uri": place.uri, "languageId": place.language, "version": 1, "text": text});
        self.tell("textDocument/didOpen", &json!({"textDocument": document}))
    }

    /// Writes a space at the start of the next line.
    pub(super) fn edit(&mut self, place: &NamePlace) -> Result<()> {
        let version = self.open.entry(place.uri.clone()).or_default();
        *version += 1;
        let at = json!({"line": place.line + 1, "character": 0});
        let document = json!({"uri": place.uri, "version": *version});
        let change = json!({"range": {"start": at, "end": at}, "text": " "});
        self.tell("textDocument/didChange", &json!({"textDocument": document, "contentChanges": [change]}))
    }

    /// Time that the threads of the server have run. A machine that is busy with something else does not change it.
    fn cpu(&self) -> Duration {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.child.id())).into_iter().flatten().flatten();
        let ran = tasks.filter_map(|task| {
            let said = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
            said.split_whitespace().next()?.parse::<u64>().ok()
        });
        Duration::from_nanos(ran.sum())
    }

    /// Bytes that the server and what it started hold.
    pub(super) fn memory(&self) -> u64 {
        let mut pending = vec![self.child.id()];
        let mut sum = 0;
        while let Some(process) = pending.pop() {
            let read = |file: &str| std::fs::read_to_string(format!("/proc/{process}/{file}")).unwrap_or_default();
            let resident = read("status")
                .lines()
                .find_map(|line| line.strip_prefix("VmRSS:")?.trim().trim_end_matches(" kB").parse::<u64>().ok());
            sum += resident.unwrap_or(0) * 1024;
            let children = read(&format!("task/{process}/children"));
            pending.extend(children.split_whitespace().filter_map(|id| id.parse::<u32>().ok()));
        }
        sum
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
