//! Working trees of one repository: each is a project of its own, and starts from what its sibling knows.
#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use crate::support::Project;

fn git(folder: &Path, arguments: &[&str]) {
    let who = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"];
    let output = Command::new("git").arg("-C").arg(folder).args(who).args(arguments).output().expect("git is there");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn repository(files: &[(&str, &str)]) -> Project {
    let project = Project::bare(files);
    git(project.path(), &["init", "-q", "-b", "main"]);
    git(project.path(), &["add", "-A"]);
    git(project.path(), &["commit", "-qm", "one"]);
    assert_eq!(project.run(&["init"]).code, 0);
    project
}

fn worktree(project: &Project) -> PathBuf {
    git(project.path(), &["worktree", "add", "-q", ".claude/worktrees/w1", "-b", "other"]);
    project.path().join(".claude/worktrees/w1")
}

const A: &str = "def first(): pass\n";

#[test]
fn inside_a_worktree_the_answer_is_about_it() {
    let project = repository(&[("a.py", A), ("b.py", "from a import first\ndef second(): first()\n")]);
    let tree = worktree(&project);
    std::fs::write(tree.join("a.py"), "def only_here(): pass\n").expect("a file");
    let run = project.run_in(&tree, &["find", "only_here"], "");
    assert!(run.code == 0 && run.out.contains("a.py:1"), "{}{}", run.out, run.err);
    assert_eq!(project.run_in(&tree, &["find", "first"], "").code, 1, "that is in the other one");
    assert_eq!(project.run(&["find", "only_here"]).code, 1, "and this is not");
    assert_eq!(project.run_in(&tree, &["doctor", "--full"], "").code, 0);
    // It says what a new one says, names included.
    let export = |name: &str| {
        let out = tree.join(name);
        let run = project.run_in(&tree, &["export", "--format", "scip", "--out", out.to_str().expect("UTF-8")], "");
        assert_eq!(run.code, 0, "{}", run.err);
        std::fs::read(out).expect("an export")
    };
    let started = export("started.scip");
    assert_eq!(project.run_in(&tree, &["doctor", "--deep"], "").code, 0);
    std::fs::remove_dir_all(tree.join(".codegraph")).expect("a folder");
    // The first `init` starts from the sibling too, the second builds anew.
    for which in ["init.scip", "fresh.scip"] {
        let run = project.run_in(&tree, &["init"], "");
        assert!(run.code == 0 && run.out.contains("2 files"), "{}{}", run.out, run.err);
        assert!(started == export(which), "an index from a sibling is not what a new one is");
    }
}

#[test]
fn where_a_sibling_may_not_be_asked_the_remedy_is_named() {
    let project = repository(&[("a.py", A)]);
    project.write(".codegraph/config.json", "{\"auto_update\": false}\n");
    let tree = worktree(&project);
    let run = project.run_in(&tree, &["find", "first"], "");
    assert!(run.code == 2 && run.err.contains("codegraph init"), "{}{}", run.out, run.err);
    // A clone inside a project is not a part of what is asked about either.
    project.write("clone/.git/HEAD", "ref: refs/heads/main\n");
    project.write("clone/c.py", A);
    let run = project.run_in(&project.path().join("clone"), &["find", "first"], "");
    assert!(run.code == 2 && run.err.contains("of its own") && run.err.contains("--project"), "{}{}", run.out, run.err);
}

#[test]
fn a_folder_that_only_says_it_is_a_sibling_gets_nothing() {
    let secret = repository(&[("a.py", "def secret_name(): pass\n")]);
    let common = secret.path().canonicalize().expect("it is there").join(".git");
    let liar = Project::bare(&[("x.py", A)]);
    let root = liar.path().canonicalize().expect("it is there");
    liar.write("fake/gitdir", &format!("{}\n", root.join(".git").display()));
    liar.write("fake/commondir", &format!("{}\n", common.display()));
    liar.write("fake/HEAD", "ref: refs/heads/main\n");
    liar.write(".git", "gitdir: fake\n");
    let run = liar.run(&["find", "secret_name"]);
    assert!(run.code == 2 && !run.out.contains("secret_name"), "{}", run.out);
    assert!(!root.join(".codegraph").exists());
}

/// Sizes as they are asked for; the times only say something in a release build.
#[test]
fn a_worktree_and_a_branch_switch_are_ready_soon() {
    let files: Vec<(String, String)> = (0..3000)
        .map(|at| {
            let text = format!("from m{0} import f{0}\ndef f{at}(x):\n    return f{0}(x)\n", (at + 1) % 3000);
            (format!("p{}/m{at}.py", at % 50), text)
        })
        .collect();
    let list: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let project = repository(&list);
    let tree = worktree(&project);
    for (path, text) in list.iter().step_by(300) {
        std::fs::write(tree.join(path), text.replace("return", "return 1 +")).expect("a file");
    }
    let timed = |what: &str, limit: u128, folder: &Path, arguments: &[&str]| {
        let start = Instant::now();
        let run = project.run_in(folder, arguments, "");
        let took = start.elapsed().as_millis();
        assert_eq!(run.code, 0, "{what}: {}", run.err);
        eprintln!("{what}: {took} ms");
        assert!(cfg!(debug_assertions) || took < limit, "{what}: {took} ms");
    };
    timed("a new worktree", 300, &tree, &["find", "f7"]);
    git(project.path(), &["checkout", "-q", "-b", "wide"]);
    for (path, text) in list.iter().take(1000) {
        project.write(path, &text.replace("return", "return 2 +"));
    }
    git(project.path(), &["commit", "-qam", "wide"]);
    timed("the new state", 3000, project.path(), &["find", "f7"]);
    git(project.path(), &["checkout", "-q", "main"]);
    timed("another branch", 3000, project.path(), &["find", "f7"]);
    git(project.path(), &["checkout", "-q", "wide"]);
    timed("back again", 1000, project.path(), &["find", "f7"]);
}
