//! A small project that has something for every tool, and a server for it.

use std::path::Path;
use std::process::Command;

use codegraph_mcp::{Options, Server, ToolSet};
use serde_json::{Value, json};
use tempfile::TempDir;

pub(crate) struct Sample {
    pub(crate) folder: TempDir,
    pub(crate) server: Server,
}

impl Sample {
    pub(crate) fn new() -> Sample {
        Sample::with(false)
    }

    /// Of a server that sends data too.
    pub(crate) fn structured() -> Sample {
        Sample::with(true)
    }

    fn with(structured: bool) -> Sample {
        let folder = tempfile::tempdir().expect("a folder for the test");
        git(folder.path(), &["init", "-q"]);
        for step in ["first", "second"] {
            copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sample").join(step), folder.path());
            commit(folder.path());
        }
        let folders = vec![folder.path().to_owned()];
        let server = Server::new(&Options { structured, folders, ..Options::default() });
        let sample = Sample { folder, server };
        let (text, wrong) = sample.call("codegraph_init", json!({"name": "sample"}));
        assert!(!wrong, "{text}");
        sample.link();
        sample
    }

    /// Another project, linked as `other`.
    fn link(&self) {
        let other = self.folder.path().join("other");
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sample/other"), &other);
        for (tool, arguments) in
            [("codegraph_init", json!({"path": "other"})), ("codegraph_link", json!({"path": "other"}))]
        {
            let (text, wrong) = self.call(tool, arguments);
            assert!(!wrong, "{text}");
        }
    }

    /// The text of an answer, and whether it is an error.
    pub(crate) fn call(&self, tool: &str, arguments: Value) -> (String, bool) {
        let (text, _, wrong) = self.answer(tool, arguments);
        (text, wrong)
    }

    /// The text, the data, and whether it is an error.
    pub(crate) fn answer(&self, tool: &str, arguments: Value) -> (String, Option<Value>, bool) {
        let result = self.server.call(tool, arguments).expect("the tool is listed");
        let text = result.content[0].as_text().expect("answers are text").text.clone();
        (text, result.structured_content, result.is_error == Some(true))
    }
}

pub(crate) fn serve(folder: &Path, tools: ToolSet) -> Server {
    Server::new(&Options { tools, folders: vec![folder.to_owned()], ..Options::default() })
}

/// A good call of every tool.
pub(crate) fn good_calls() -> Vec<(String, Value)> {
    let text = include_str!("../calls.json");
    let calls: serde_json::Map<String, Value> = serde_json::from_str(text).expect("the calls are an object");
    calls.into_iter().collect()
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

fn commit(folder: &Path) {
    git(folder, &["add", "-A"]);
    git(folder, &["-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-q", "-m", "one"]);
}

fn git(folder: &Path, arguments: &[&str]) {
    let status = Command::new("git").arg("-C").arg(folder).args(arguments).status().expect("git is there");
    assert!(status.success());
}
