//! `codegraph watch`: after quiet, the index says what a new one says, whatever happened.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::Project;

struct Watching {
    child: Child,
    lines: std::sync::mpsc::Receiver<Value>,
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn watch(project: &Project, arguments: &[&str]) -> Watching {
    let mut command = Command::new(env!("CARGO_BIN_EXE_codegraph"));
    started(command.args(["watch", "--json"]).args(arguments).current_dir(project.path())).0
}

/// A process that watches, and the first thing that it said.
fn started(command: &mut Command) -> (Watching, Value) {
    let mut child = command.stdout(Stdio::piped()).spawn().expect("the binary runs");
    let out = BufReader::new(child.stdout.take().expect("a pipe"));
    let (sender, lines) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for line in out.lines().map_while(Result::ok) {
            let mut envelope: Value = serde_json::from_str(&line).expect("an envelope a line");
            let _ = sender.send(envelope["data"].take());
        }
    });
    let watching = Watching { child, lines };
    let first = watching.lines.recv_timeout(Duration::from_secs(60)).expect("it starts");
    assert!(first["watching"].is_string(), "{first}");
    (watching, first)
}

/// Waits until the index knows a name, or knows it no longer, without bringing it up to date.
fn until(project: &Project, name: &str, known: bool) {
    let start = Instant::now();
    while (project.run(&["find", name, "--no-update"]).code == 0) != known {
        assert!(start.elapsed() < Duration::from_secs(60), "{name}: known={known} was not reached");
        std::thread::sleep(Duration::from_millis(50));
    }
}

/// Waits until nothing has been reported for a while.
fn until_quiet(watching: &Watching) {
    while watching.lines.recv_timeout(Duration::from_millis(1500)).is_ok() {}
}

fn export(project: &Project, name: &str) -> Vec<u8> {
    let out =
        project.path().join("../").join(format!("{}.{name}", project.path().file_name().expect("a name").display()));
    let run = project.run(&["export", "--format", "scip", "--no-update", "--out", out.to_str().expect("UTF-8")]);
    assert_eq!(run.code, 0, "{}", run.err);
    let bytes = std::fs::read(&out).expect("an export");
    std::fs::remove_file(out).expect("its own file");
    bytes
}

fn assert_as_new(project: &Project) {
    let kept = export(project, "kept");
    assert_eq!(project.run(&["init"]).code, 0);
    assert!(kept == export(project, "new"), "the index is not what a new one is");
}

#[test]
fn whatever_happens_to_files_the_index_follows() {
    let project = Project::new(&[
        ("a.py", "def first(): pass\n"),
        ("moved/deep/b.py", "from a import first\ndef stays(): first()\n"),
        ("gone/c.py", "def going(): pass\n"),
    ]);
    std::fs::create_dir(project.path().join(".git")).expect("a folder");
    let watching = watch(&project, &[]);
    for at in 0..2000 {
        project.write(&format!("burst/f{}/m{at}.py", at % 40), &format!("def burst_{at}(): pass\n"));
    }
    until(&project, "burst_1999", true);
    // As editors save: a new file takes the place of the old one.
    project.write(".a.py.swp", "def replaced(): pass\n");
    std::fs::rename(project.path().join(".a.py.swp"), project.path().join("a.py")).expect("a new name");
    until(&project, "replaced", true);
    until(&project, "first", false);
    std::fs::rename(project.path().join("moved"), project.path().join("arrived")).expect("a new name");
    project.write("arrived/deep/d.py", "def after_the_move(): pass\n");
    until(&project, "after_the_move", true);
    project.write(".gitignore", "/gone\nburst/f1\n");
    until(&project, "going", false);
    until(&project, "burst_1", false);
    project.write("nested/.git/HEAD", "ref: refs/heads/main\n");
    project.write("nested/n.py", "def nested(): pass\n");
    until(&project, "nested", true);
    project.write(".gitignore", "\n");
    until(&project, "going", true);
    std::fs::remove_dir_all(project.path().join("burst/f2")).expect("a folder");
    until(&project, "burst_2", false);
    until_quiet(&watching);
    drop(watching);
    assert_as_new(&project);
}

#[test]
fn where_there_are_no_events_files_are_looked_at() {
    let project = Project::new(&[("a.py", "def first(): pass\n")]);
    let watching = watch(&project, &["--poll", "0.2"]);
    project.write("b/c.py", "def second(): pass\n");
    until(&project, "second", true);
    drop(watching);
    assert_as_new(&project);
}

/// A name space of its own has a limit of its own.
#[cfg(target_os = "linux")]
#[test]
fn with_more_folders_than_the_system_watches_they_are_looked_at() {
    let limited = |limit: &str, then: &str| {
        let script = format!("echo {limit} > /proc/sys/user/max_inotify_watches && exec {then}");
        let mut command = Command::new("unshare");
        command.args(["--user", "--map-root-user", "sh", "-c", &script]);
        command
    };
    if !limited("9", "true").stderr(Stdio::null()).status().is_ok_and(|status| status.success()) {
        return eprintln!("NOTICE: no user name spaces here, so the limit on watches is not tried");
    }
    let project = Project::new(&[("a.py", "def first(): pass\n")]);
    (0..30).for_each(|at| project.write(&format!("d{at}/m.py"), &format!("def f{at}(): pass\n")));
    let run = format!("{} watch --json", env!("CARGO_BIN_EXE_codegraph"));
    let (watching, first) = started(limited("9", &run).current_dir(project.path()));
    assert!(first["polling"].as_str().is_some_and(|why| why.contains("more folders")), "{first}");
    project.write("d29/new/deep.py", "def second(): pass\n");
    until(&project, "second", true);
    drop(watching);
    assert_as_new(&project);
}
