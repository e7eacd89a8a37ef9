//! What the source says is shown on a terminal, never obeyed; in a pipe it stays as it is.
#![cfg(target_os = "linux")]

use std::fs::File;
use std::io::Read;
use std::process::{Command, Stdio};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use crate::support::Project;

const TEXT: &str = "def f():\n    s = '\x1b]0;gotcha\x07\x1b[2J\u{9b}31m \u{202e}evil\u{2066}'\n    return s\n";

fn hostile() -> Project {
    Project::new(&[("a.py", TEXT), ("\u{1b}[31mred.py", "def g(): pass\n")])
}

/// What a terminal receives.
fn on_terminal(project: &Project, arguments: &[&str]) -> String {
    let own = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&own).expect("a terminal");
    unlockpt(&own).expect("a terminal");
    let name = ptsname(&own, Vec::new()).expect("a terminal");
    let open = || File::options().read(true).write(true).open(name.to_str().expect("a path")).expect("its other end");
    let mut child = Command::new(env!("CARGO_BIN_EXE_codegraph"))
        .args(arguments)
        .current_dir(project.path())
        .env("TERM", "xterm")
        .env_remove("NO_COLOR")
        .stdin(Stdio::null())
        .stdout(open())
        .stderr(open())
        .spawn()
        .expect("the binary runs");
    let reader = std::thread::spawn(move || {
        let (mut file, mut bytes, mut part) = (File::from(own), Vec::new(), [0; 4096]);
        // A terminal that nobody writes to any more ends with an error.
        while let Ok(length @ 1..) = file.read(&mut part) {
            bytes.extend_from_slice(&part[..length]);
        }
        bytes
    });
    child.wait().expect("the binary ends");
    String::from_utf8(reader.join().expect("a reader")).expect("UTF-8")
}

fn assert_harmless(text: &str, what: &str) {
    let without_colours = ["35", "36", "1", "2", "33", "0"]
        .iter()
        .fold(text.to_owned(), |text, code| text.replace(&format!("\x1b[{code}m"), ""));
    let bad = |c: &char| {
        (c.is_control() && !"\r\n\t".contains(*c))
            || "\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}\u{2066}\u{2067}\u{2068}\u{2069}".contains(*c)
    };
    assert_eq!(without_colours.chars().find(bad), None, "{what}: {text:?}");
}

#[test]
fn a_terminal_gets_no_commands_from_the_source() {
    let project = hostile();
    for arguments in [&["get", "f"][..], &["chunks", "a.py"], &["context", "f evil"], &["map"], &["file-tree"]] {
        let text = on_terminal(&project, arguments);
        assert_harmless(&text, &format!("{arguments:?}"));
        let json = on_terminal(&project, &[arguments, &["--json"]].concat());
        assert_harmless(&json, &format!("{arguments:?} as JSON"));
    }
    assert!(on_terminal(&project, &["get", "f"]).contains("\\u001b]0;gotcha\\u0007\\u001b[2J\\u009b31m \\u202eevil"));
    assert!(on_terminal(&project, &["find", "f"]).contains("\x1b[35m"), "our own colours stay");
    assert_harmless(&on_terminal(&project, &["get", "x\x1b[31m\u{202e}"]), "an error");
}

#[test]
fn a_pipe_gets_the_bytes() {
    let project = hostile();
    assert!(project.run(&["get", "f"]).out.contains(TEXT.trim_end()));
}
