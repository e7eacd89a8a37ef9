//! A repository whose settings name programs: none of them runs, whatever is asked.
#![cfg(unix)]

use std::path::Path;
use std::process::Command;

use crate::support::Project;

fn git(folder: &Path, arguments: &[&str]) -> String {
    let who = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false"];
    let output = Command::new("git").arg("-C").arg(folder).args(who).args(arguments).output().expect("git is there");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

fn executable(path: &Path, text: &str) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
    std::fs::write(path, text).expect("a file");
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).expect("its own file");
}

const HOOKS: &[&str] =
    &["post-index-change", "fsmonitor-watchman", "pre-commit", "post-checkout", "reference-transaction"];

/// Two commits, an index, and then settings that call `trap NAME` for everything that git knows to call.
fn trapped() -> (Project, std::path::PathBuf) {
    let project = Project::bare(&[("a.py", "def one(): pass\n")]);
    let root = project.path().canonicalize().expect("it is there");
    git(&root, &["init", "-q", "-b", "main"]);
    git(&root, &["add", "-A"]);
    git(&root, &["commit", "-qm", "one"]);
    project.write("a.py", "def two(): pass\n");
    git(&root, &["add", "-A"]);
    git(&root, &["commit", "-qm", "two"]);
    assert_eq!(project.run(&["init"]).code, 0);
    let trap = root.join(".git/trap");
    executable(&trap, "#!/bin/sh\necho \"$1\" >> \"$(dirname \"$0\")/sprung\"\nexit 1\n");
    let call = |name: &str| format!("{} {name}", trap.display());
    for hook in HOOKS {
        for folder in ["hooks", "trap-hooks"] {
            let text = format!("#!/bin/sh\n{}\n", call(hook));
            executable(&root.join(".git").join(folder).join(hook), &text);
        }
    }
    let hooks = root.join(".git/trap-hooks").display().to_string();
    let ext = format!("ext::{}", call("ext"));
    let programs = [
        "core.fsmonitor", "core.pager", "core.editor", "core.askPass", "core.sshCommand", "core.gitProxy",
        "core.alternateRefsCommand", "credential.helper", "diff.external", "diff.evil.command", "diff.evil.textconv",
        "filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "merge.evil.driver", "pager.diff-tree",
        "pager.ls-files", "gpg.program", "interactive.diffFilter", "remote.origin.uploadpack", "sequence.editor",
        "uploadpack.packObjectsHook",
    ];
    for setting in programs {
        git(&root, &["config", setting, &call(setting)]);
    }
    for command in ["diff-tree", "ls-files", "status"] {
        git(&root, &["config", &format!("alias.{command}"), &format!("!{}", call("alias"))]);
    }
    let values = [
        ("core.hooksPath", hooks.as_str()),
        ("core.untrackedCache", "true"),
        ("filter.evil.required", "true"),
        ("remote.origin.url", &ext),
        ("remote.origin.promisor", "true"),
        ("extensions.partialClone", "origin"),
        ("protocol.ext.allow", "always"),
        ("protocol.allow", "always"),
        ("core.repositoryFormatVersion", "1"),
    ];
    for (setting, value) in values {
        git(&root, &["config", setting, value]);
    }
    project.write(".gitattributes", "* filter=evil diff=evil merge=evil\n");
    std::fs::write(root.join(".git/info/attributes"), "* filter=evil diff=evil\n").expect("a file");
    (project, root)
}

#[test]
fn no_setting_of_a_repository_starts_a_program() {
    let (project, root) = trapped();
    let first = git(&root, &["rev-parse", "HEAD~1^{tree}"]);
    let _ = std::fs::remove_file(root.join(".git/sprung"));
    project.write("a.py", "def three(): pass\n");
    let run = project.run(&["sync-git", "--from", "HEAD~1"]);
    assert_eq!(run.code, 0, "{}", run.err);
    // What is missing is not fetched.
    std::fs::remove_file(root.join(".git/objects").join(&first[..2]).join(&first[2..])).expect("a loose object");
    assert_eq!(project.run(&["sync-git", "--from", "HEAD~1"]).code, 2);
    std::fs::write(root.join("b.py"), "def four(): pass\n").expect("a file");
    for arguments in [
        &["update"][..],
        &["status"],
        &["find", "four"],
        &["doctor"],
        &["init"],
        &["summary"],
        &["scan"],
        &["map"],
        &["update", "a.py"],
        &["file-tree"],
    ] {
        project.run(arguments);
    }
    let sprung = std::fs::read_to_string(root.join(".git/sprung")).unwrap_or_default();
    assert_eq!(sprung, "", "these settings started a program");
}
