//! What a file of a repository contains cannot make memory grow beyond its size.
#![cfg(target_os = "linux")]

use std::process::{Command, Stdio};

use crate::support::Project;

const MB: u64 = 1 << 20;

/// Indexes a project and says what the process had at most, in bytes, and what it said.
fn peak(project: &Project) -> (u64, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_codegraph"))
        .arg("init")
        .current_dir(project.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    while child.try_wait().expect("a process").is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let number = line.and_then(|line| line.split_whitespace().next()).and_then(|number| number.parse::<u64>().ok());
        most = most.max(number.unwrap_or(0) * 1024);
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let output = child.wait_with_output().expect("it has ended");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    (most, String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr))
}

#[test]
fn memory_is_bounded_by_the_size_of_the_source() {
    let size = 2 * MB as usize;
    for (name, text) in [
        ("a.py", "a\n".repeat(size / 2)),
        ("a.js", "a;".repeat(size / 2)),
        ("a.ts", format!("x = [{}];", "1,".repeat(size / 2))),
        ("a.c", format!("/*{}*/", "a\n".repeat(size / 2))),
        ("a.rb", "[".repeat(size)),
    ] {
        let project = Project::bare(&[(name, &text), ("b.py", "def kept(): pass\n")]);
        let (most, said) = peak(&project);
        let bar = 150 * MB + text.len() as u64 * 3 / 2 + 8 * text.len() as u64;
        assert!(most > 0 && most <= bar, "{name}: {} of {} MB", most / MB, bar / MB);
        if name == "a.py" {
            assert!(said.contains("more parts than are kept") && said.contains("a.py"), "{said}");
            assert!(project.run(&["status"]).out.contains("more parts than are kept"));
        }
        assert_eq!(project.run(&["find", "kept"]).code, 0, "{name}");
    }
}
