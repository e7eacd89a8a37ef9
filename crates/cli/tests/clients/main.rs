//! The official clients run every tool over stdio and HTTP. `.ci/clients` installs them; where they are missing, the
//! tests say so and pass, unless `CODEGRAPH_CLIENTS=required`.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use tempfile::TempDir;

const BINARY: &str = env!("CARGO_BIN_EXE_codegraph");

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository is there")
}

/// Where the clients are installed, if this one is.
fn installed(what: &str) -> Option<PathBuf> {
    let folder = repository().join("target/clients");
    if folder.join(what).exists() {
        return Some(folder);
    }
    let required = std::env::var("CODEGRAPH_CLIENTS").is_ok_and(|value| value == "required");
    assert!(!required, "{what} is missing: run .ci/clients");
    // Written to the stream itself, because the output of tests that pass is not shown.
    let notice = format!("SKIPPED: {what} is not installed, run .ci/clients to test with it\n");
    std::io::stderr().write_all(notice.as_bytes()).expect("standard error is there");
    None
}

/// A project with something for every tool.
struct Sample(TempDir);

impl Sample {
    fn new() -> Sample {
        let folder = tempfile::tempdir().expect("a folder");
        run(Command::new("git").args(["init", "-q"]).current_dir(folder.path()));
        for step in ["first", "second"] {
            copy(&repository().join("crates/mcp/tests/sample").join(step), folder.path());
            run(Command::new("git").args(["add", "-A"]).current_dir(folder.path()));
            let who = ["-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-q", "-m", step];
            run(Command::new("git").args(who).current_dir(folder.path()));
        }
        copy(&repository().join("crates/mcp/tests/sample/other"), &folder.path().join("other"));
        for place in ["other", "."] {
            run(Command::new(BINARY).args(["init", place]).current_dir(folder.path()));
        }
        Sample(folder)
    }

    fn serve_http(&self, more: &[&str]) -> Served {
        let mut server = Command::new(BINARY);
        server.args(["mcp", "--http", "127.0.0.1:0"]).args(more).arg(self.0.path()).stderr(Stdio::piped());
        let mut child = server.spawn().expect("it starts");
        let mut line = String::new();
        BufReader::new(child.stderr.take().expect("it is piped")).read_line(&mut line).expect("it says where");
        let url = line.split_whitespace().last().expect("the address is last").to_owned();
        Served { child, url }
    }
}

struct Served {
    child: Child,
    url: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("the sample is there") {
        let entry = entry.expect("it can be listed");
        match entry.path().is_dir() {
            true => copy(&entry.path(), &to.join(entry.file_name())),
            false => drop(std::fs::copy(entry.path(), to.join(entry.file_name())).expect("a copy")),
        }
    }
}

fn run(command: &mut Command) {
    let output = command.output().expect("it starts");
    let said = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&said));
}

/// Runs a script with the calls, the transport and the server.
fn drive(script: &str, program: &Path, packages: Option<&Path>) {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients").join(script);
    let calls = repository().join("crates/mcp/tests/calls.json");
    let start = || {
        let mut command = Command::new(program);
        command.arg(&own).args(packages).arg(&calls);
        command
    };
    let sample = Sample::new();
    run(start().args(["stdio", BINARY, "mcp"]).arg(sample.0.path()));
    let sample = Sample::new();
    run(start().args(["stdio", BINARY, "mcp", "--structured"]).arg(sample.0.path()));
    for more in [&[][..], &["--structured"]] {
        let sample = Sample::new();
        let served = sample.serve_http(more);
        // The script knows by the command, or by the end of the address, what it is to see.
        let mark = if more.is_empty() { "" } else { "/structured" };
        run(start().args(["http", &format!("{}{mark}", served.url)]));
    }
}

#[test]
fn the_python_sdk_runs_every_tool() {
    if let Some(folder) = installed("venv/bin/python") {
        drive("python.py", &folder.join("venv/bin/python"), None);
    }
}

#[test]
fn the_typescript_sdk_runs_every_tool() {
    if let Some(folder) = installed("node_modules/node/bin/node") {
        drive("typescript.mjs", &folder.join("node_modules/node/bin/node"), Some(&folder));
    }
}

#[test]
fn the_inspector_runs_every_tool() {
    if let Some(folder) = installed("node_modules/@modelcontextprotocol/inspector") {
        drive("inspector.mjs", &folder.join("node_modules/node/bin/node"), Some(&folder));
    }
}

/// The scenarios that any server can be asked for. The others want the tools of the suite's own test server.
const SCENARIOS: &[&str] = &[
    "server-initialize", "ping", "completion-complete", "tools-list", "resources-list", "prompts-list",
    "server-sse-multiple-streams", "server-sse-polling", "dns-rebinding-protection",
];

#[test]
fn the_conformance_suite_passes() {
    let Some(folder) = installed("node_modules/@modelcontextprotocol/conformance") else { return };
    let sample = Sample::new();
    let served = sample.serve_http(&[]);
    for scenario in SCENARIOS {
        let mut suite = Command::new(folder.join("node_modules/node/bin/node"));
        suite.arg(folder.join("node_modules/@modelcontextprotocol/conformance/dist/index.js"));
        run(suite.args(["server", "--url", &served.url, "--scenario", scenario]));
    }
}
