//! Runs the real binary on temporary projects.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use codegraph_fixture::Sandbox;
use serde_json::Value;

/// A temporary project.
pub(crate) struct Project {
    files: Sandbox,
}

/// What a run of the binary gave.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Project {
    /// A folder with these files, not indexed.
    pub(crate) fn bare(files: &[(&str, &str)]) -> Project {
        Project { files: Sandbox::new(files) }
    }

    /// A folder with these files, indexed.
    pub(crate) fn new(files: &[(&str, &str)]) -> Project {
        Project::bare(files).indexed()
    }

    /// A folder with the files of a program, each after a line `//- /path`, indexed.
    pub(crate) fn program(text: &str) -> Project {
        Project { files: Sandbox::program(text) }.indexed()
    }

    fn indexed(self) -> Project {
        let project = self;
        let run = project.run(&["init", "--name", "demo"]);
        assert_eq!(run.code, 0, "init failed: {}", run.err);
        project
    }

    pub(crate) fn path(&self) -> &Path {
        self.files.root()
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        self.files.write(path, text);
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Run {
        self.run_in(self.path(), arguments, "")
    }

    pub(crate) fn run_in(&self, folder: &Path, arguments: &[&str], input: &str) -> Run {
        let mut child = Command::new(env!("CARGO_BIN_EXE_codegraph"))
            .args(arguments)
            .current_dir(folder)
            .env("NO_COLOR", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        let mut stdin = child.stdin.take().expect("a pipe");
        // A command that does not read its input closes the pipe.
        let _ = stdin.write_all(input.as_bytes());
        drop(stdin);
        let output = child.wait_with_output().expect("the binary ends");
        let run = Run {
            code: output.status.code().expect("no signal"),
            out: String::from_utf8(output.stdout).expect("UTF-8"),
            err: String::from_utf8(output.stderr).expect("UTF-8"),
        };
        assert!(!run.err.contains("panicked"), "{}", run.err);
        run
    }

    /// The `data` of the envelope.
    pub(crate) fn json(&self, arguments: &[&str]) -> Value {
        self.envelope(arguments)["data"].take()
    }

    /// The whole envelope.
    pub(crate) fn envelope(&self, arguments: &[&str]) -> Value {
        let run = self.run(&[arguments, &["--json"]].concat());
        serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {}{}", run.out, run.err))
    }

    /// The exit code, standard output and standard error as one text, times and paths left out.
    pub(crate) fn transcript(&self, arguments: &[&str]) -> String {
        let run = self.run(arguments);
        let mut text = run.out;
        if !run.err.is_empty() {
            text.push_str("--- stderr\n");
            text.push_str(&run.err);
        }
        if run.code != 0 {
            text.push_str(&format!("--- exit {}\n", run.code));
        }
        let root = self.path().canonicalize().expect("the folder is there");
        hide_times(&text.replace(root.to_str().expect("UTF-8"), "ROOT"))
    }
}

/// `(12 ms)`, `in 3.20 s`, `index 86.0 kB`: what differs from run to run.
fn hide_times(text: &str) -> String {
    let mut words: Vec<String> = Vec::new();
    for line in text.lines() {
        let mut parts: Vec<String> = line.split(' ').map(str::to_owned).collect();
        for i in 1..parts.len() {
            let unit = parts[i].trim_end_matches([')', ';', ',']).to_owned();
            let number = parts[i - 1].trim_start_matches('(').to_owned();
            if matches!(unit.as_str(), "ms" | "s" | "kB" | "MB") && number.parse::<f64>().is_ok() {
                parts[i - 1] = parts[i - 1].replace(&number, "N");
                parts[i] = parts[i].replace(&unit, "U");
            }
        }
        words.push(parts.join(" "));
    }
    words.join("\n") + "\n"
}
