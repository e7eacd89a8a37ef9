//! The law on the history of a real repository: `CODEGRAPH_LAW_REPOSITORY=PATH` walks its last commits, as many as
//! `CODEGRAPH_LAW_COMMITS` says, and compares after every few (`CODEGRAPH_LAW_EVERY`).

use std::env;
use std::path::Path;
use std::process::Command;

use codegraph_index::{BuildOptions, InitOptions, Project, Scope, Silent, UpdateOptions};
use tempfile::TempDir;

use crate::dump::dump;
use crate::trial::differences;

fn git(folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new("git").current_dir(folder).args(arguments).output().expect("git runs");
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn number(variable: &str, usual: usize) -> usize {
    env::var(variable).map_or(usual, |text| text.parse().expect("a number"))
}

/// A copy of a repository that is a project.
struct Copy {
    folder: TempDir,
    project: Project,
}

impl Copy {
    fn new(repository: &str) -> Copy {
        let folder = TempDir::new().expect("a temporary folder");
        git(folder.path(), &["clone", "--quiet", "--shared", "--no-checkout", repository, "."]);
        let options = InitOptions { name: Some("demo".to_owned()), ..InitOptions::default() };
        let project = Project::init(folder.path(), &options).expect("a project").project;
        Copy { folder, project }
    }

    fn check_out(&self, commit: &str) {
        git(self.folder.path(), &["checkout", "--quiet", "--force", "--detach", commit]);
    }

    fn build(&self) {
        codegraph_index::build(&self.project, &BuildOptions::default(), &Silent).expect("a build");
    }
}

#[test]
fn an_index_that_follows_a_history_equals_a_new_one() {
    let Ok(repository) = env::var("CODEGRAPH_LAW_REPOSITORY") else { return };
    let (updated, fresh) = (Copy::new(&repository), Copy::new(&repository));
    let count = number("CODEGRAPH_LAW_COMMITS", 50).to_string();
    let list = git(updated.folder.path(), &["rev-list", "--first-parent", "--reverse", "-n", &count, "HEAD"]);
    let commits: Vec<&str> = list.lines().collect();
    updated.check_out(commits[0]);
    updated.build();
    let every = number("CODEGRAPH_LAW_EVERY", 5);
    for (at, commit) in commits.iter().enumerate().skip(1) {
        updated.check_out(commit);
        let report = codegraph_index::update(&updated.project, Scope::All, &UpdateOptions::default(), &Silent);
        let report = report.expect("an update");
        let changed = report.added.len() + report.changed.len() + report.removed.len();
        eprintln!("{commit} changed {changed}, relinked {}", report.relinked);
        if at % every == 0 || at + 1 == commits.len() {
            fresh.check_out(commit);
            fresh.build();
            let rows = differences(&dump(&updated.project), &dump(&fresh.project));
            let first = rows.iter().take(40).cloned().collect::<Vec<_>>().join("\n");
            assert!(rows.is_empty(), "{} rows differ at {commit}:\n{first}", rows.len());
        }
    }
}
