//! A server on a small, hostile project, asked as programs, browsers and strangers ask.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::path::Path;
use std::sync::mpsc;
use std::time::Duration;

use codegraph_fixture::Sandbox;
use codegraph_index::{BuildOptions, InitOptions, Silent};
use codegraph_runtime::Guard;
use codegraph_serve::{Options, serve_behind};
use serde_json::{Value, json};

const MAIN: &str = "def helper(n):\n    \"\"\"<script>alert(1)</script>\"\"\"\n    return n + 1\n\n\ndef main():\n    return helper(1)\n";

/// A project in a folder beside which a secret lies.
fn project() -> Sandbox {
    let odd = "project/<img src=x onerror=alert(1)>.py";
    let outer =
        Sandbox::new(&[("secret.py", "topsecret = 1\n"), ("project/main.py", MAIN), (odd, "def odd(): pass\n")]);
    codegraph_runtime::init(&outer.path("project"), &InitOptions::default(), &BuildOptions::default(), &Silent)
        .expect("indexed");
    outer
}

fn serve(outer: &Path, token: Option<&str>, write: bool) -> SocketAddr {
    let host = IpAddr::V4(Ipv4Addr::LOCALHOST);
    let address = SocketAddr::new(host, 0);
    let guard = Guard::new(address, token.map(str::to_owned)).expect("this machine");
    let options = Options { folders: vec![outer.join("project")], roots: Vec::new(), host, port: 0, write };
    let (sender, ready) = mpsc::channel();
    std::thread::spawn(move || {
        let tell = move |own| {
            let _ = sender.send(own);
        };
        serve_behind(guard, address, &options, tell).expect("it listens");
    });
    ready.recv_timeout(Duration::from_secs(60)).expect("it listens")
}

struct Said {
    status: u16,
    head: String,
    body: String,
}

impl Said {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

/// One request, with the header lines that are given; a host is added where none is.
fn ask(address: SocketAddr, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Said {
    let mut stream = TcpStream::connect(address).expect("it listens");
    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a limit");
    let mut text = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
    if !headers.iter().any(|(name, _)| *name == "Host") {
        text.push_str(&format!("Host: {address}\r\n"));
    }
    headers.iter().for_each(|(name, value)| text.push_str(&format!("{name}: {value}\r\n")));
    stream.write_all(format!("{text}\r\n{body}").as_bytes()).expect("sent");
    let mut said = Vec::new();
    stream.read_to_end(&mut said).expect("an answer");
    let said = String::from_utf8_lossy(&said);
    let (head, body) = said.split_once("\r\n\r\n").expect("a head and a body");
    let status = head.split(' ').nth(1).and_then(|word| word.parse().ok()).expect("a status");
    Said { status, head: head.to_ascii_lowercase(), body: body.to_owned() }
}

fn get(address: SocketAddr, path: &str) -> Said {
    ask(address, "GET", path, &[], "")
}

const DOORS: &[(&str, &str)] = &[
    ("GET", "/"),
    ("GET", "/app.js"),
    ("GET", "/api/status"),
    ("POST", "/api/find"),
    ("GET", "/api/events"),
    ("GET", "/api/openapi.json"),
    ("POST", "/rpc"),
    ("POST", "/mcp"),
];

#[test]
fn another_name_of_this_machine_is_refused_everywhere() {
    let outer = project();
    let address = serve(outer.root(), None, true);
    for (method, path) in DOORS {
        for host in ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost.evil.example"] {
            let said = ask(address, method, path, &[("Host", host)], "");
            assert_eq!(said.status, 403, "{method} {path} for {host}: {}", said.body);
            assert!(!said.body.contains("helper"));
        }
    }
    let own = format!("localhost:{}", address.port());
    assert_eq!(ask(address, "GET", "/api/status", &[("Host", &own)], "").status, 200);
}

#[test]
fn other_pages_may_not_ask() {
    let outer = project();
    let address = serve(outer.root(), None, true);
    let body = json!({"section": "purpose", "content": "owned"}).to_string();
    for origin in ["https://evil.example", "null", "http://localhost.evil.example"] {
        let headers = [("Origin", origin), ("Content-Type", "text/plain")];
        for path in ["/api/describe", "/api/find", "/rpc", "/mcp"] {
            assert_eq!(ask(address, "POST", path, &headers, &body).status, 403, "{path} from {origin}");
        }
    }
    // A browser names its page in a header that no page can change, also where it sends no origin.
    for site in ["cross-site", "same-site"] {
        for path in ["/api/status", "/api/sql?statement=SELECT%201", "/api/events", "/rpc"] {
            assert_eq!(ask(address, "GET", path, &[("Sec-Fetch-Site", site)], "").status, 403, "{path} from {site}");
        }
    }
    let summary = get(address, "/api/summary").json();
    assert!(!summary["content"].as_str().is_some_and(|text| text.contains("owned")));
    assert_eq!(ask(address, "GET", "/api/status", &[("Sec-Fetch-Site", "same-origin")], "").status, 200);
}

#[test]
fn a_secret_guards_everything_but_the_empty_page() {
    let outer = project();
    let address = serve(outer.root(), Some("s3cret"), true);
    for (method, path) in DOORS.iter().filter(|(_, path)| path.starts_with("/api") || path.len() == 4) {
        assert_eq!(ask(address, method, path, &[], "").status, 401, "{path}");
        assert_eq!(ask(address, method, path, &[("Authorization", "Bearer s3crex")], "").status, 401, "{path}");
    }
    let page = get(address, "/");
    assert!(page.status == 200 && !page.body.contains("project"), "the page itself says nothing");
    assert_eq!(ask(address, "GET", "/api/status", &[("Authorization", "Bearer s3cret")], "").status, 200);
}

#[test]
fn no_parameter_leads_out_of_the_project() {
    let outer = project();
    let address = serve(outer.root(), None, true);
    let document = get(address, "/api/openapi.json").json();
    let absolute = outer.path("secret.py").display().to_string();
    let outside = [
        "../secret.py", "../../../../../../etc/passwd", "/etc/passwd", &absolute, "..", "/", "main.py/../../secret.py",
    ];
    let mut tried = 0;
    for (path, methods) in document["paths"].as_object().expect("paths") {
        // What another test is about, or what makes or keeps an index.
        let Some(post) = methods.get("post") else { continue };
        let schema = &post["requestBody"]["content"]["application/json"]["schema"];
        let needed: Vec<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        for (name, kind) in schema["properties"].as_object().expect("properties") {
            for given in outside {
                let mut body: serde_json::Map<String, Value> =
                    needed.iter().map(|name| ((*name).to_owned(), json!("main"))).collect();
                let list = kind["type"] == "array";
                body.insert(name.clone(), if list { json!([given]) } else { json!(given) });
                let said = ask(address, "POST", path, &[], &Value::Object(body).to_string());
                assert!([200, 400].contains(&said.status), "{path} {name}={given}: {} {}", said.status, said.body);
                assert!(!said.body.contains("topsecret") && !said.body.contains("root:"), "{path} {name}={given}");
                tried += 1;
            }
        }
    }
    assert!(tried > 500, "every parameter of every question was tried: {tried}");
    for path in ["/../secret.py", "/..%2fsecret.py", "/%2e%2e/secret.py", "/app.js/../../secret.py"] {
        assert!(!get(address, path).body.contains("topsecret"), "{path}");
    }
}

#[test]
fn nothing_is_changed_unless_the_server_was_started_for_it() {
    let outer = project();
    let body = json!({"section": "purpose", "content": "It adds one."}).to_string();
    let closed = serve(outer.root(), None, false);
    assert_eq!(ask(closed, "POST", "/api/describe", &[], &body).status, 403);
    assert!(get(closed, "/api/openapi.json").json()["paths"].get("/api/describe").is_none());
    let about = get(closed, "/api/about").json();
    assert_eq!((&about["write"], &about["history"]), (&json!(false), &json!(false)));
    let open = serve(outer.root(), None, true);
    assert_eq!(ask(open, "GET", "/api/describe?section=purpose&content=x", &[], "").status, 405);
    assert_eq!(ask(open, "POST", "/api/describe", &[], &body).status, 200);
    assert!(get(closed, "/api/summary").body.contains("It adds one."));
}

#[test]
fn everything_is_sent_as_what_it_is() {
    let outer = project();
    let address = serve(outer.root(), None, false);
    let paths =
        ["/", "/symbol", "/app.js", "/app.css", "/api/status", "/api/none", "/nothing.js", "/api/listing?file=main.py"];
    for path in paths {
        let head = get(address, path).head;
        assert!(head.contains("content-security-policy: default-src 'none'; script-src 'self'"), "{path}: {head}");
        assert!(!head.contains("unsafe") && head.contains("x-content-type-options: nosniff"), "{path}");
        assert!(head.contains("referrer-policy: no-referrer") && head.contains("x-frame-options: deny"), "{path}");
    }
    let listing = get(address, "/api/listing?file=main.py");
    assert!(listing.head.contains("content-type: application/json"));
    assert!(listing.body.contains("<script>alert(1)</script>"), "text is text");
    let files = get(address, "/api/files?name=onerror").json();
    assert_eq!(files["files"][0]["file"], "<img src=x onerror=alert(1)>.py");
    let mark = get(address, "/app.js").head;
    let mark = mark.lines().find_map(|line| line.strip_prefix("etag: ")).expect("a mark").to_owned();
    assert_eq!(ask(address, "GET", "/app.js", &[("If-None-Match", &mark)], "").status, 304);
}

#[test]
fn questions_are_answered_with_their_data() {
    let outer = project();
    let address = serve(outer.root(), None, false);
    let found = get(address, "/api/find?name=help&mode=starts_with&kinds=function&limit=5").json();
    assert_eq!((&found["total"], &found["symbols"][0]["fqn"]), (&json!(1), &json!("main.helper")));
    let same = ask(address, "POST", "/api/find", &[], r#"{"name":"help","mode":"starts_with","limit":5}"#).json();
    assert_eq!(same, found);
    let listing = get(address, "/api/listing?file=main.py&from=6&to=7").json();
    let call = listing["lines"][1].as_array().expect("pieces").iter().find(|piece| piece["text"] == "helper");
    let call = call.expect("a name");
    assert_eq!((&call["certainty"], &call["kind"]), (&json!("exact"), &json!("function")));
    let at = call["symbol"].as_u64().expect("a symbol") as usize;
    assert_eq!(listing["symbols"][at]["fqn"], "main.helper");
    let rows = get(address, "/api/sql?statement=SELECT%20count(*)%20AS%20n%20FROM%20files").json();
    assert_eq!(rows["rows"][0]["n"], 2);
    let wrong = get(address, "/api/sql?statement=DELETE%20FROM%20files");
    assert!(wrong.status == 400 && wrong.json()["error"].is_string());
    let network = get(address, "/api/network?open=main.py").json();
    let labels: Vec<_> = network["nodes"].as_array().expect("nodes").iter().map(|node| node["label"].clone()).collect();
    assert!(labels.contains(&json!("helper")) && labels.contains(&json!("main")), "{labels:?}");
    let called = json!({"jsonrpc": "2.0", "id": 1, "method": "LLM.lsp_get_definition", "params": ["main.py", 7, 12]});
    let answer = ask(address, "POST", "/rpc", &[], &called.to_string()).json();
    assert_eq!(answer["result"]["range"]["start_line"], 1);
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}});
    let headers = [("Accept", "application/json, text/event-stream"), ("Content-Type", "application/json")];
    let answer = ask_once(address, "/mcp", &headers, &hello.to_string());
    assert!(answer.contains("serverInfo"), "{answer}");
}

/// The first lines of an answer that may not end.
fn ask_once(address: SocketAddr, path: &str, headers: &[(&str, &str)], body: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("it listens");
    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a limit");
    let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let text =
        format!("POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Length: {}\r\n{headers}\r\n{body}", body.len());
    stream.write_all(text.as_bytes()).expect("sent");
    let mut said = String::new();
    let mut lines = BufReader::new(stream).lines();
    while !said.contains("\"result\"") {
        let Some(Ok(line)) = lines.next() else { break };
        said.push_str(&line);
    }
    said
}

#[test]
fn a_page_is_told_when_a_file_changes() {
    let outer = project();
    let address = serve(outer.root(), None, false);
    let mut stream = TcpStream::connect(address).expect("it listens");
    stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a limit");
    stream.write_all(format!("GET /api/events HTTP/1.1\r\nHost: {address}\r\n\r\n").as_bytes()).expect("sent");
    let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
    assert!(lines.any(|line| line.contains("listening")));
    let file = outer.path("project/main.py");
    let changing = std::thread::spawn(move || {
        // The watch may not stand yet when the stream opens: change until somebody notices.
        for round in 0..100 {
            std::fs::write(&file, format!("{MAIN}\n# {round}\n")).expect("written");
            std::thread::sleep(Duration::from_millis(500));
        }
    });
    let told = lines.find(|line| line.starts_with("data: ")).expect("a change");
    assert!(told.contains("main.py"), "{told}");
    drop(changing);
}
