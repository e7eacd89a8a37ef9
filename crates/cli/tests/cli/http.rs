//! The HTTP server against clients that stall, that open and never close, and that spell things their own way.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::Project;

struct Served {
    child: Child,
    address: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn serve(project: &Project, token: &str) -> Served {
    let mut child = Command::new(env!("CARGO_BIN_EXE_codegraph"))
        .args(["mcp", "--http", "127.0.0.1:0"])
        .current_dir(project.path())
        .env("CODEGRAPH_TOKEN", token)
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut line = String::new();
    BufReader::new(child.stderr.take().expect("a pipe")).read_line(&mut line).expect("it says where");
    let url = line.split_whitespace().last().expect("the address is last");
    let address = url.trim_start_matches("http://").trim_end_matches("/mcp").to_owned();
    Served { child, address }
}

const OPEN: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
const PING: &str = r#"{"jsonrpc":"2.0","id":2,"method":"ping"}"#;

impl Served {
    fn connect(&self, head: &str, length: usize) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a socket");
        let text = format!(
            "POST /mcp HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nAccept: application/json, \
             text/event-stream\r\nConnection: close\r\nContent-Length: {length}\r\n{head}\r\n",
            self.address
        );
        stream.write_all(text.as_bytes()).expect("it listens");
        stream
    }

    /// The head of an answer.
    fn post(&self, head: &str, body: &str) -> String {
        let mut stream = self.connect(head, body.len());
        stream.write_all(body.as_bytes()).expect("it listens");
        let mut lines = BufReader::new(stream).lines().map_while(Result::ok).take_while(|line| !line.is_empty());
        lines.by_ref().collect::<Vec<_>>().join("\n")
    }

    fn open(&self) -> String {
        let head = self.post("", OPEN);
        let id = head.lines().find_map(|line| line.strip_prefix("mcp-session-id: "));
        id.unwrap_or_else(|| panic!("no session: {head}")).to_owned()
    }
}

#[test]
fn sessions_are_capped_and_the_longest_unused_goes_first() {
    let project = Project::new(&[("a.py", "def f(): pass\n")]);
    let served = serve(&project, "");
    let ids: Vec<String> = (0..70).map(|_| served.open()).collect();
    let ping = |id: &String| served.post(&format!("Mcp-Session-Id: {id}\r\n"), PING);
    assert!(ping(&ids[0]).starts_with("HTTP/1.1 404"), "{}", ping(&ids[0]));
    assert!(ping(&ids[69]).starts_with("HTTP/1.1 200"), "{}", ping(&ids[69]));
}

#[test]
fn a_body_that_never_comes_is_not_waited_for() {
    let project = Project::new(&[("a.py", "def f(): pass\n")]);
    let served = serve(&project, "");
    let start = Instant::now();
    let mut stream = served.connect("", OPEN.len());
    stream.write_all(&OPEN.as_bytes()[..10]).expect("it listens");
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer);
    assert!(answer.starts_with("HTTP/1.1 408"), "{answer}");
    assert!(start.elapsed() < Duration::from_secs(40));
}

#[test]
fn the_scheme_of_a_token_is_written_in_any_case() {
    let project = Project::new(&[("a.py", "def f(): pass\n")]);
    let served = serve(&project, "secret");
    for (head, status) in [
        ("Authorization: Bearer secret\r\n", "200"),
        ("Authorization: bearer secret\r\n", "200"),
        ("authorization: BEARER  secret\r\n", "200"),
        ("Authorization: Bearer Secret\r\n", "401"),
        ("Authorization: secret\r\n", "401"),
        ("", "401"),
    ] {
        let answer = served.post(head, OPEN);
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{head}: {answer}");
    }
}
