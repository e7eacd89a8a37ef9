//! `sync_git`, and ignore rules inside repositories.

mod support;

use std::process::Command;

use codegraph_fixture::write;
use codegraph_index::{Error, GitStatus, Silent, UpdateOptions, sync_git};
use support::*;

fn git(sandbox: &Sandbox, arguments: &[&str]) {
    let output = Command::new("git")
        .arg("-C")
        .arg(sandbox.root())
        .args(["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"])
        .args(arguments)
        .output()
        .expect("git is installed");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn repository() -> Sandbox {
    let sandbox = Sandbox::new(&small_tree());
    git(&sandbox, &["init", "-q"]);
    git(&sandbox, &["add", "-A"]);
    git(&sandbox, &["commit", "-qm", "one"]);
    sandbox.build();
    sandbox
}

#[test]
fn exactly_what_git_names_is_updated() {
    let sandbox = repository();
    sandbox.write("main.py", "changed = 1\n");
    sandbox.write("new name.py", "added = 1\n");
    sandbox.delete("shapes/base.py");
    sandbox.write("notes.txt", "changed too\n");
    git(&sandbox, &["add", "-A"]);
    git(&sandbox, &["commit", "-qm", "two"]);
    sandbox.write("shapes/circle.py", "not committed\n");
    let report = sync_git(&sandbox.project, "HEAD~1", "HEAD", &UpdateOptions::default(), &Silent).expect("a sync");
    let named: Vec<(&str, GitStatus)> = report.changes.iter().map(|one| (one.path.as_str(), one.status)).collect();
    let expected = [
        ("main.py", GitStatus::Modified),
        ("new name.py", GitStatus::Added),
        ("notes.txt", GitStatus::Modified),
        ("shapes/base.py", GitStatus::Deleted),
    ];
    assert_eq!(named, expected);
    assert_eq!(report.update.changed, ["main.py"]);
    assert_eq!(report.update.added, ["new name.py"]);
    assert_eq!(report.update.removed, ["shapes/base.py"]);
    assert!(report.update.skipped.is_empty());
    assert_eq!(sandbox.update().changed, ["shapes/circle.py"]);
}

#[test]
fn bad_revisions_are_explained_and_never_options() {
    let sandbox = repository();
    let sync =
        |from: &str| sync_git(&sandbox.project, from, "HEAD", &UpdateOptions::default(), &Silent).expect_err(from);
    assert!(matches!(sync("--output=/tmp/x"), Error::Revision(_)));
    assert!(matches!(sync(""), Error::Revision(_)));
    let Error::Git(message) = sync("no-such-branch") else { panic!("another error") };
    assert!(message.contains("no-such-branch"), "{message}");
}

#[test]
fn a_folder_of_a_repository_obeys_the_rules_above_it() {
    let outer = tempfile::tempdir().expect("a temporary folder");
    write(outer.path(), ".gitignore", b"generated.py\n");
    write(outer.path(), "inner/generated.py", b"x = 1\n");
    write(outer.path(), "inner/kept.py", b"x = 1\n");
    let status =
        Command::new("git").arg("-C").arg(outer.path()).args(["init", "-q"]).status().expect("git is installed");
    assert!(status.success());
    let initialised =
        codegraph_index::Project::init(&outer.path().join("inner"), &Default::default()).expect("a project");
    let project = initialised.project;
    codegraph_index::build(&project, &Default::default(), &Silent).expect("a build");
    let paths = || -> Vec<String> {
        let store = project.store(codegraph_store::Access::Read).expect("an index");
        store.files().expect("files").into_iter().map(|file| file.path).collect()
    };
    assert_eq!(paths(), ["kept.py"]);
    write(outer.path(), ".gitignore", b"kept.py\n");
    let all = codegraph_index::Scope::All;
    codegraph_index::update(&project, all, &UpdateOptions::default(), &Silent).expect("an update");
    assert_eq!(paths(), ["generated.py"]);
}
