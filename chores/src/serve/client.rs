//! A client of the server on standard input and output, as small as it can be.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use serde_json::{Value, json};

pub(crate) struct Client {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    next: u64,
    /// From the last question to the end of its answer, which was not parsed yet.
    pub(crate) took: Duration,
}

/// What a tool said.
pub(crate) struct Answer {
    pub(crate) text: String,
    pub(crate) data: Value,
    pub(crate) wrong: bool,
}

impl Client {
    /// Starts a server for a project and shakes hands.
    pub(crate) fn start(binary: &Path, project: &Path) -> Result<Client> {
        Client::start_with(binary, project, &[])
    }

    pub(crate) fn start_with(binary: &Path, project: &Path, options: &[&str]) -> Result<Client> {
        let mut server = Command::new(binary);
        server.arg("mcp").args(options).arg(project).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = server.spawn().context("the server does not start")?;
        let to = child.stdin.take().expect("it is piped");
        let from = BufReader::new(child.stdout.take().expect("it is piped"));
        let mut client = Client { child, to, from, next: 0, took: Duration::ZERO };
        let about = json!({"protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": {"name": "xtask", "version": "1"}});
        client.request("initialize", &about)?;
        writeln!(client.to, "{}", json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(client)
    }

    pub(crate) fn process(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn request(&mut self, method: &str, params: &Value) -> Result<Value> {
        self.next += 1;
        let question = json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params}).to_string();
        let start = Instant::now();
        writeln!(self.to, "{question}")?;
        let mut line = String::new();
        loop {
            line.clear();
            ensure!(self.from.read_line(&mut line)? > 0, "the server went away during {method}");
            self.took = start.elapsed();
            let mut message: Value = serde_json::from_str(&line)?;
            if message["id"] != json!(self.next) {
                continue;
            }
            if let Some(error) = message.get("error") {
                bail!("{method}: {error}");
            }
            return Ok(message["result"].take());
        }
    }

    pub(crate) fn call(&mut self, tool: &str, arguments: &Value) -> Result<Answer> {
        let name = format!("codegraph_{tool}");
        let mut result = self.request("tools/call", &json!({"name": name, "arguments": arguments}))?;
        let text = result["content"][0]["text"].as_str().unwrap_or_default().to_owned();
        Ok(Answer { text, wrong: result["isError"] == json!(true), data: result["structuredContent"].take() })
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
