//! No command opens a socket. The system is asked, where `strace` is installed.

use std::process::{Command, Stdio};

use crate::support::Project;

#[test]
fn no_command_opens_a_socket() {
    if Command::new("strace").arg("-V").stdout(Stdio::null()).stderr(Stdio::null()).status().is_err() {
        return;
    }
    let project = Project::bare(&[("app.py", "def f():\n    return 1\n\n\nf()\n"), ("notes.md", "# Notes\n")]);
    let git = Command::new("git").arg("-C").arg(project.path()).args(["init", "-q"]).status();
    assert!(git.expect("git is there").success());
    let calls: &[&[&str]] = &[
        &["init", "."],
        &["update"],
        &["find", "f"],
        &["query", "f"],
        &["context", "what does f return"],
        &["map"],
        &["summary"],
        &["impact", "f"],
        &["diff"],
        &["sql", "SELECT count(*) FROM symbols"],
        &["export", "--format", "scip", "--out", "out.scip"],
        &["doctor", "--deep"],
        &["mcp"],
    ];
    for call in calls {
        let log = project.path().join("calls.log");
        let mut strace = Command::new("strace");
        strace.args(["-f", "-qq", "-e", "trace=%network", "-o"]).arg(&log).arg(env!("CARGO_BIN_EXE_codegraph"));
        strace.args(*call).current_dir(project.path()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let status = strace.status().expect("strace runs");
        // Where processes may not be traced nothing can be said.
        let Ok(seen) = std::fs::read_to_string(&log) else { return };
        let opened: Vec<&str> =
            seen.lines().filter(|line| line.contains("socket(") || line.contains("connect(")).collect();
        assert!(opened.is_empty(), "{call:?}: {opened:?}");
        assert!(status.code().is_some_and(|code| code < 3), "{call:?}: {status}");
        std::fs::remove_file(&log).expect("a log");
    }
}
