//! A small project that has something for every tool, and a server for it.

use std::path::Path;
use std::process::Command;

use codegraph_mcp::{Options, Server, ToolSet};
use serde_json::Value;
use tempfile::TempDir;

const MODELS: &str = "\
class User:
    \"\"\"Somebody who signed up.\"\"\"

    def save(self, when=None):
        return render(self)


class Admin(User):
    def save(self, when=None):
        return super().save(when)


def render(user):
    return str(user)
";

const MAIN: &str = "\
from app.models import Admin, User


def main():
    user = User()
    user.save()
    admin = Admin()
    admin.save()
    return render(user)


def render(user):
    return user
";

const VIEW: &str = "\
export class View {
    constructor(private title: string) {}
    draw(): string { return render(this.title); }
}
export function render(text: string): string { return text; }
";

pub(crate) struct Sample {
    pub(crate) folder: TempDir,
    pub(crate) server: Server,
}

impl Sample {
    pub(crate) fn new() -> Sample {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let write = |path: &str, text: &str| {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().expect("it is in a folder")).expect("a folder");
            std::fs::write(path, text).expect("a file");
        };
        write("app/__init__.py", "");
        write("app/models.py", MODELS);
        git(folder.path(), &["init", "-q"]);
        commit(folder.path());
        write("app/main.py", MAIN);
        write("web/view.ts", VIEW);
        write("CLAUDE.md", "# Sample\n\nSay please.\n");
        commit(folder.path());
        let server = serve(folder.path(), ToolSet::All);
        let sample = Sample { folder, server };
        let (text, wrong) = sample.call("codegraph_init", serde_json::json!({"name": "sample"}));
        assert!(!wrong, "{text}");
        sample
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
    Server::new(&Options { tools, folders: vec![folder.to_owned()] })
}

/// A good call of every tool.
pub(crate) fn good_calls() -> Vec<(String, Value)> {
    let text = include_str!("../calls.json");
    let calls: serde_json::Map<String, Value> = serde_json::from_str(text).expect("the calls are an object");
    calls.into_iter().collect()
}

fn commit(folder: &Path) {
    git(folder, &["add", "-A"]);
    git(folder, &["-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "-q", "-m", "one"]);
}

fn git(folder: &Path, arguments: &[&str]) {
    let status = Command::new("git").arg("-C").arg(folder).args(arguments).status().expect("git is there");
    assert!(status.success());
}
