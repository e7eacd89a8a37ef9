//! A process that is killed while it writes: the index opens, and the next run completes it.

mod support;

use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;

use codegraph_fixture::write;
use codegraph_index::{BuildOptions, Project, Scope, Silent, UpdateOptions, build, update};
use support::*;

const VICTIM: &str = "CODEGRAPH_TEST_VICTIM";

/// Runs this test alone in another process, which writes without end, and kills that.
fn kill_after(sandbox: &Sandbox, test: &str, wait: Duration) {
    let this = std::env::current_exe().expect("the test's own program");
    let mut command = Command::new(this);
    command.args([test, "--exact", "--nocapture"]).env(VICTIM, sandbox.root());
    let mut victim = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("another process");
    std::thread::sleep(wait);
    assert!(victim.try_wait().expect("a state").is_none(), "it ended by itself");
    victim.kill().expect("a kill");
    victim.wait().expect("an end");
}

fn victim() -> Option<Project> {
    std::env::var_os(VICTIM).map(|root| Project::open(root.as_ref()).expect("a project"))
}

fn many_files() -> Sandbox {
    let sandbox = Sandbox::new(&small_tree());
    for number in 0..300 {
        sandbox.write(
            &format!("many/m{number}.py"),
            &format!("def f{number}(x):\n    return g(x, {number})\n").repeat(20),
        );
    }
    sandbox
}

#[test]
fn a_killed_build_is_followed_by_a_whole_one() {
    if let Some(project) = victim() {
        loop {
            build(&project, &BuildOptions::default(), &Silent).expect("a build");
        }
    }
    let sandbox = many_files();
    for wait in [40, 90, 200] {
        kill_after(&sandbox, "a_killed_build_is_followed_by_a_whole_one", Duration::from_millis(wait));
        sandbox.build();
        let names = fs::read_dir(sandbox.project.folder()).expect("a folder");
        let names: Vec<_> = names.map(|entry| entry.expect("an entry").file_name()).collect();
        let expected = [".gitignore", "config.json", "index.db", "index.db.lock", "index.db-wal", "index.db-shm"];
        let odd: Vec<_> = names.iter().filter(|name| !expected.iter().any(|own| name == own)).collect();
        assert!(odd.is_empty(), "left behind: {odd:?}");
    }
    assert_same(&sandbox.snapshot(), &sandbox.fresh().snapshot(), "after killed builds");
}

#[test]
fn a_killed_update_is_completed_by_the_next() {
    if let Some(project) = victim() {
        for step in 0.. {
            let text = format!("def f{step}():\n    return g{step}\n").repeat(step % 50);
            write(project.root(), &format!("many/m{}.py", step % 10), text.as_bytes());
            update(&project, Scope::All, &UpdateOptions::default(), &Silent).expect("an update");
        }
    }
    let sandbox = many_files();
    sandbox.build();
    for wait in [60, 110, 210] {
        kill_after(&sandbox, "a_killed_update_is_completed_by_the_next", Duration::from_millis(wait));
        sandbox.update();
        assert_same(&sandbox.snapshot(), &sandbox.fresh().snapshot(), "after a killed update");
    }
}
