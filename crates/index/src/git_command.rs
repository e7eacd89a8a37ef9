//! The one place that starts git.
//!
//! The settings of a repository are the repository's: a clone from a stranger may name programs in them. So git is started
//! only for questions about its own objects and lists, which read no file of the working tree and thus run no filter, and
//! with everything off that could start a program or a connection.

use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::{Error, Result};

/// What git is asked. None of these looks at the content of the working tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    /// How two revisions differ.
    DiffTree,
    /// What the repository's list of files has.
    LsFiles,
    /// Which commit a revision is.
    RevParse,
    /// Which commit two revisions have grown from.
    MergeBase,
    /// The files of a commit.
    LsTree,
    /// The content of objects, as they are stored: filters are not run.
    CatFile,
}

impl Question {
    /// The command, and the options that keep programs out of it.
    const fn arguments(self) -> &'static [&'static str] {
        match self {
            Question::DiffTree => &["diff-tree", "--no-ext-diff", "--no-textconv", "--ignore-submodules=all"],
            Question::LsFiles => &["ls-files"],
            Question::RevParse => &["rev-parse", "--verify", "--quiet", "--end-of-options"],
            Question::MergeBase => &["merge-base", "--end-of-options"],
            Question::LsTree => &["ls-tree", "-r", "-z", "-l"],
            Question::CatFile => &["cat-file", "--batch"],
        }
    }
}

/// Settings that start programs, let others answer for the working tree, or connect. Those on the command line count most.
const OFF: &[&str] = &[
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.attributesFile=/dev/null",
    "core.pager=cat",
    "core.editor=false",
    "core.askPass=",
    "core.sshCommand=false",
    "core.gitProxy=",
    "core.alternateRefsCommand=",
    "credential.helper=",
    "diff.external=",
    "interactive.diffFilter=",
    "protocol.allow=never",
    "gpg.program=false",
    // A repository without a working tree that lies in a folder of another one is not taken for it.
    "safe.bareRepository=explicit",
];

/// What else is said in the environment: no lock, no question to anybody, no object from elsewhere.
const ENVIRONMENT: &[(&str, &str)] = &[
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("GIT_ATTR_NOSYSTEM", "1"),
    ("LC_ALL", "C"),
];

/// Asks git in a folder. A repository of another user is refused by git, as everywhere.
pub(crate) fn ask_git<A: AsRef<OsStr>>(folder: &Path, question: Question, arguments: &[A]) -> Result<Vec<u8>> {
    answered(command(folder, question, arguments).stdin(Stdio::null()).output().map_err(Error::NoGit)?)
}

/// The same, with something to read for git.
pub(crate) fn tell_git(folder: &Path, question: Question, input: &[u8]) -> Result<Vec<u8>> {
    let mut command = command::<&str>(folder, question, &[]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(Error::NoGit)?;
    let mut told = child.stdin.take().expect("a pipe was asked for");
    std::thread::scope(|scope| {
        // Beside reading the answer: both pipes fill up. A git that stops reading says why when it ends.
        scope.spawn(move || told.write_all(input));
        answered(child.wait_with_output().map_err(Error::NoGit)?)
    })
}

fn command<A: AsRef<OsStr>>(folder: &Path, question: Question, arguments: &[A]) -> Command {
    let mut command = Command::new("git");
    for name in inherited() {
        command.env_remove(name);
    }
    command.envs(ENVIRONMENT.iter().copied()).arg("--no-pager");
    OFF.iter().for_each(|setting| {
        command.args(["-c", setting]);
    });
    command.arg("-C").arg(folder).args(question.arguments()).args(arguments);
    command
}

fn answered(output: Output) -> Result<Vec<u8>> {
    if !output.status.success() {
        let message = String::from_utf8_lossy(&output.stderr);
        let first = message.lines().next().unwrap_or("failed without a message");
        return Err(Error::Git(first.trim_start_matches("fatal: ").to_owned()));
    }
    Ok(output.stdout)
}

/// Variables of whoever started us that lead git elsewhere or name programs.
fn inherited() -> impl Iterator<Item = OsString> {
    let leads = |name: &OsString| name.to_str().is_some_and(|name| name.starts_with("GIT_") || name == "SSH_ASKPASS");
    std::env::vars_os().map(|(name, _)| name).filter(leads)
}
