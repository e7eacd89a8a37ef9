//! What fuzzers try: each takes any bytes and panics if something does not hold. The same functions run over the committed
//! corpus in an ordinary test (`chores/tests/corpus.rs`), and over mutations of it by `cargo xtask fuzz`.

use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::path::Path;
use std::str::FromStr;
use std::sync::OnceLock;
use std::time::Duration;

use codegraph_index::{
    BuildOptions, DoctorOptions, FileEdit, InitOptions, Project, Scope, Silent, UpdateOptions, build, doctor, update,
};
use codegraph_languages::ALL;
use codegraph_query::{FilePlace, Find, Query, Reader, Selector};
use codegraph_store::{Access, LineRange, SqlLimits};

/// Takes any bytes.
pub(crate) type Probe = fn(&[u8]);

/// All of them, by name.
pub(crate) const PROBES: &[(&str, Probe)] = &[
    ("extraction", extraction),
    ("packing", packing),
    ("lines", lines),
    ("questions", questions),
    ("scip", scip),
    ("mcp", mcp),
    ("lsp", lsp),
    ("http", http),
    ("rpc", rpc),
];

/// The first byte chooses, the rest is text.
fn split(data: &[u8]) -> (usize, &[u8]) {
    data.split_first().map_or((0, data), |(first, rest)| (usize::from(*first), rest))
}

/// Any text in any language gives facts whose positions lie in the text and whose parts fit together.
pub(crate) fn extraction(data: &[u8]) {
    let (choice, text) = split(data);
    let language = ALL[choice % ALL.len()];
    let facts = codegraph_extract::extract(text, language);
    let length = text.len() as u32;
    assert_eq!(facts.length, length);
    for (at, symbol) in facts.symbols.iter().enumerate() {
        assert!(symbol.span.start <= symbol.span.end && symbol.span.end <= length, "{symbol:?}");
        assert!(symbol.parent.is_none() || symbol.parent.index() < at.max(1), "a parent comes before its children");
        assert!(symbol.name.is_none() || symbol.name.index() < facts.strings.len());
    }
    for reference in &facts.refs {
        assert!(reference.span.start <= reference.span.end && reference.span.end <= length, "{reference:?}");
        assert!(reference.name.index() < facts.strings.len());
    }
    assert!(facts.terms.iter().all(|term| term.line as usize <= facts.line_starts.len()));
    assert_eq!(facts, codegraph_extract::extract(text, language), "the same text gives the same facts");
}

fn project(path: &str, text: &[u8]) -> (tempfile::TempDir, Project) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join(path), text).expect("a file");
    let options = InitOptions { name: Some("demo".to_owned()), ..InitOptions::default() };
    let project = Project::init(folder.path(), &options).expect("a project").project;
    build(&project, &BuildOptions { threads: Some(1), ..BuildOptions::default() }, &Silent).expect("a build");
    (folder, project)
}

fn healthy(project: &Project) {
    let health = doctor(project, &DoctorOptions { full: true, deep: true, ..DoctorOptions::default() }, &Silent);
    let health = health.expect("an examination");
    assert!(health.findings.is_empty(), "{:?}", health.findings);
}

fn named(choice: usize) -> String {
    let language = ALL[choice % ALL.len()];
    format!("a.{}", language.extensions.first().unwrap_or(&"txt"))
}

/// What is packed is unpacked again as it was.
pub(crate) fn packing(data: &[u8]) {
    let (choice, text) = split(data);
    let (_folder, project) = project(&named(choice), text);
    healthy(&project);
}

/// An update of a range of lines gives the index that a new build gives. The second and third byte are the range; a zero
/// byte parts the text before from the text after.
pub(crate) fn lines(data: &[u8]) {
    let (choice, rest) = split(data);
    let (first, rest) = split(rest);
    let (count, rest) = split(rest);
    let cut = rest.iter().position(|byte| *byte == 0).unwrap_or(rest.len());
    let (before, after) = (&rest[..cut], rest.get(cut + 1..).unwrap_or_default());
    let path = named(choice);
    let (folder, project) = project(&path, before);
    std::fs::write(folder.path().join(&path), after).expect("a file");
    let range = LineRange { first: first as u32 + 1, last: (first + count) as u32 + 1 };
    let edit = FileEdit { path: path.into(), lines: Some(range) };
    // A range that is none is refused; then nothing changes.
    let _ = update(&project, Scope::Batch(vec![edit]), &UpdateOptions::default(), &Silent);
    update(&project, Scope::All, &UpdateOptions::default(), &Silent).expect("an update");
    healthy(&project);
}

/// One small project for all questions.
fn sample() -> &'static Project {
    static SAMPLE: OnceLock<(tempfile::TempDir, Project)> = OnceLock::new();
    let text = b"class User:\n    def save(self, other=None):\n        return helper(self)\n\n\ndef helper(x):\n    return x\n";
    &SAMPLE.get_or_init(|| project("app.py", text)).1
}

/// No question in any words makes anything but an answer or an error.
pub(crate) fn questions(data: &[u8]) {
    let (choice, text) = split(data);
    let text = String::from_utf8_lossy(text).into_owned();
    let _ = FilePlace::parse(&text);
    let selector = Selector::from_str(&text).expect("every text is a selector");
    let _ = Selector::from_str(&selector.text());
    let project = sample();
    let reader = Reader::new(project.root(), project.store(Access::Read).expect("an index"));
    let modes = codegraph_query::Mode::ALL;
    let mode = modes[choice % modes.len()];
    let _ = codegraph_query::query(&reader, &Query { term: text.clone(), mode, ..Query::default() });
    let _ = codegraph_query::find(&reader, &Find { name: text.clone(), ..Find::default() });
    let _ = codegraph_query::get(&reader, &selector, &codegraph_query::Extent::default());
    let _ = codegraph_query::sql(&reader, &text, SqlLimits::rows(100));
}

/// A compiler's index of any bytes is taken over or refused; the index stays whole.
pub(crate) fn scip(data: &[u8]) {
    let (folder, project) = project("app.py", b"def f(x):\n    return x\n\n\nf(1)\n");
    let path: &Path = &folder.path().join("index.scip");
    std::fs::write(path, data).expect("a file");
    if let Ok(truth) = codegraph_scip::read(path) {
        let reader = Reader::new(project.root(), project.store(Access::Read).expect("an index"));
        let _ = codegraph_scip::import(&project, &reader, &truth);
    }
    let health = doctor(&project, &DoctorOptions { full: true, ..DoctorOptions::default() }, &Silent);
    assert!(health.expect("an examination").findings.is_empty());
}

/// How long a client waits before it says that a server hangs.
const PATIENCE: Duration = Duration::from_secs(20);

/// Whatever a client writes, one line a message, its MCP server reads to the end and goes away with it.
pub(crate) fn mcp(data: &[u8]) {
    const HELLO: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"probe","version":"1"}}}"#;
    const THEN: &str = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let (choice, data) = split(data);
    // Half of the clients do not begin as they should.
    let hello = if choice % 2 == 0 { format!("{HELLO}\n{THEN}\n") } else { String::new() };
    let input = std::io::Cursor::new([hello.as_bytes(), data].concat());
    let server = codegraph_mcp::Server::new(&codegraph_mcp::Options {
        folders: vec![sample().root().to_owned()],
        ..codegraph_mcp::Options::default()
    });
    let runtime = codegraph_mcp::runtime().expect("threads");
    let served = runtime.block_on(async {
        tokio::time::timeout(PATIENCE, codegraph_mcp::serve_stream(server, input, tokio::io::sink())).await
    });
    runtime.shutdown_background();
    // Why a session ended is the protocol's business; that it ended is ours.
    let _ = served.expect("the server has not gone away");
}

/// The same of an editor, whose messages have headers.
pub(crate) fn lsp(data: &[u8]) {
    let (choice, data) = split(data);
    let framed = |body: String| format!("Content-Length: {}\r\n\r\n{body}", body.len());
    let root = format!("file://{}", sample().root().display());
    let hello = format!(
        r#"{{"jsonrpc":"2.0","id":0,"method":"initialize","params":{{"rootUri":"{root}","capabilities":{{}}}}}}"#
    );
    let then = r#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#;
    let hello = if choice % 2 == 0 { framed(hello) + &framed(then.to_owned()) } else { String::new() };
    // Paths of the sample are not known when a corpus is written.
    let data = String::from_utf8_lossy(data).replace("ROOT", &root).into_bytes();
    let input = std::io::Cursor::new([hello.as_bytes(), &data].concat());
    let (done, ended) = std::sync::mpsc::channel();
    std::thread::spawn(move || done.send(codegraph_lsp::serve_stream(input, std::io::sink())));
    ended.recv_timeout(PATIENCE).expect("the server has not gone away");
}

/// Whatever is sent to its port, the server of the page answers the next one as before.
pub(crate) fn http(data: &[u8]) {
    static SERVER: OnceLock<SocketAddr> = OnceLock::new();
    let address = *SERVER.get_or_init(|| {
        let (ready, own) = std::sync::mpsc::channel();
        let options = codegraph_serve::Options {
            folders: vec![sample().root().to_owned()],
            roots: Vec::new(),
            host: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: 0,
            write: false,
        };
        std::thread::spawn(move || codegraph_serve::serve(&options, |address| _ = ready.send(address)));
        own.recv_timeout(PATIENCE).expect("the server listens")
    });
    let host = address.to_string();
    let (_, data) = split(data);
    let data = String::from_utf8_lossy(data).replace("HOST", &host).into_bytes();
    // Servers take a client that stops sending for one that has gone.
    let _ = sent(address, &data, |stream| stream.shutdown(std::net::Shutdown::Write));
    let good = format!("GET /api/openapi.json HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    let answer = sent(address, good.as_bytes(), |_| Ok(())).expect("an answer");
    assert!(answer.starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&answer[..answer.len().min(200)]));
}

/// What a server answers before it closes, or as much as came in time.
fn sent(
    address: SocketAddr,
    request: &[u8],
    then: impl Fn(&TcpStream) -> std::io::Result<()>,
) -> std::io::Result<Vec<u8>> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.write_all(request)?;
    then(&stream)?;
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    Ok(answer)
}

/// Any bytes are answered with JSON-RPC, or with nothing if nobody waits.
pub(crate) fn rpc(data: &[u8]) {
    let projects = codegraph_runtime::Projects::new(sample().root(), &[]);
    if let Some(answer) = codegraph_rpc::answer(&projects, split(data).1) {
        let all = answer.as_array().cloned().unwrap_or_else(|| vec![answer]);
        assert!(
            all.iter()
                .all(|one| one["jsonrpc"] == "2.0" && (one.get("result").is_some() != one.get("error").is_some()))
        );
    }
}
