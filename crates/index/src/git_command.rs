//! The one place that starts git.
//!
//! The settings of a repository are the repository's: a clone from a stranger may name programs in them. So git is started
//! only for questions about its own objects and lists, which read no file of the working tree and thus run no filter, and
//! with everything off that could start a program or a connection.

use std::ffi::{OsStr, OsString};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

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
    /// Which commits changed what.
    Log,
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
            Question::Log => {
                &["log", "--no-ext-diff", "--no-textconv", "--no-show-signature", "--ignore-submodules=all"]
            }
        }
    }
}

/// Settings that start programs, let others answer for the working tree, or connect. Those on the command line count most.
const OFF: &[&str] = &[
    "core.fsmonitor=false", "core.hooksPath=/dev/null", "core.attributesFile=/dev/null", "core.pager=cat",
    "core.editor=false", "core.askPass=", "core.sshCommand=false", "core.gitProxy=", "core.alternateRefsCommand=",
    "credential.helper=", "diff.external=", "interactive.diffFilter=", "protocol.allow=never", "gpg.program=false",
    "log.showSignature=false", "log.mailmap=false", "diff.orderFile=/dev/null",
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

/// What git says beyond is not read.
const MOST_BYTES: u64 = 16 << 20;

/// Asks git in a folder. A repository of another user is refused by git, as everywhere.
pub(crate) fn ask_git<A: AsRef<OsStr>>(folder: &Path, question: Question, arguments: &[A]) -> Result<Vec<u8>> {
    answered(command(folder, question, arguments).stdin(Stdio::null()).output().map_err(Error::NoGit)?)
}

/// The same for questions that may take as long as the history is: what has come in time, and whether that is all.
pub(crate) fn ask_git_within<A: AsRef<OsStr>>(
    folder: &Path,
    question: Question,
    arguments: &[A],
    time: Duration,
) -> Result<(Vec<u8>, bool)> {
    let mut command = command(folder, question, arguments);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().map_err(Error::NoGit)?;
    let mut said = child.stdout.take().expect("a pipe was asked for");
    let reading = std::thread::spawn(move || {
        let mut output = Vec::new();
        // A git that is stopped has said what it has said.
        let _ = said.by_ref().take(MOST_BYTES).read_to_end(&mut output);
        output
    });
    let end = Instant::now() + time;
    while !reading.is_finished() && Instant::now() < end {
        std::thread::sleep(Duration::from_millis(2));
    }
    let complete = reading.is_finished();
    if !complete {
        let _ = child.kill();
    }
    let output = reading.join().unwrap_or_default();
    let status = child.wait().map_err(Error::NoGit)?;
    match complete && !status.success() {
        true => Err(Error::Git("the history could not be read".to_owned())),
        false => Ok((output, complete)),
    }
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
