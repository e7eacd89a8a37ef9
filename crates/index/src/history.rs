//! What git remembers of some lines of a file, and how often files changed.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use crate::git_command::{Question, ask_git_within};
use crate::revision::is_at_head;
use crate::{Error, Project, Result};

/// How long somebody waits for a history. What git has said by then is the answer.
const PATIENCE: Duration = Duration::from_secs(8);
/// A commit in four fields. None of them can hold the byte that ends each.
const FORMAT: &str = "--format=%H%x00%an%x00%aI%x00%s%x00";

/// A commit that changed something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Commit {
    pub commit: String,
    pub author: String,
    /// As ISO 8601.
    pub date: String,
    /// The first line of its message.
    pub subject: String,
}

/// What a history is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum HistoryOf {
    Lines,
    /// The file has changes that are not committed: git does not know where its lines are now.
    File,
}

/// The commits that changed some lines, the latest first.
#[derive(Clone, Debug, Serialize)]
pub struct History {
    pub of: HistoryOf,
    pub commits: Vec<Commit>,
    /// Whether git was stopped before it had looked at all commits.
    pub partial: bool,
}

/// How often files changed.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Churn {
    /// Commits that were looked at.
    pub commits: usize,
    /// How many of them changed a file, by path.
    pub files: BTreeMap<String, usize>,
}

/// Asks git for the commits that changed the lines from `first` to `last` of a file, root-relative.
pub fn history(project: &Project, file: &str, (first, last): (u32, u32), most: usize) -> Result<History> {
    let path = project.relative(file.as_ref(), project.root())?;
    let count = format!("--max-count={most}");
    let by_lines = is_at_head(project, &path)?;
    let (output, complete) = if by_lines {
        let lines = format!("-L{},{}:{path}", first.max(1), last.max(first).max(1));
        ask_git_within(project.root(), Question::Log, &["--no-patch", FORMAT, &count, &lines], PATIENCE)?
    } else {
        let arguments = ["--no-patch", FORMAT, &count, "--end-of-options", "HEAD", "--", &path];
        ask_git_within(project.root(), Question::Log, &arguments, PATIENCE)?
    };
    let of = if by_lines { HistoryOf::Lines } else { HistoryOf::File };
    Ok(History { of, commits: commits(&output), partial: !complete })
}

/// How often each file of the project changed in the latest commits; merges are not counted.
pub fn churn(project: &Project, most: usize) -> Result<Churn> {
    let count = format!("--max-count={most}");
    let arguments = ["--no-merges", "--no-renames", "--relative", "--name-only", "-z", "--format=%x01", &count];
    let (output, _) = ask_git_within(project.root(), Question::Log, &arguments, PATIENCE)?;
    let mut churn = Churn::default();
    for name in output.split(|byte| *byte == 0) {
        let name = name.strip_prefix(b"\n").unwrap_or(name);
        match std::str::from_utf8(name) {
            Ok("\u{1}") => churn.commits += 1,
            Ok(path) if !path.is_empty() => *churn.files.entry(path.to_owned()).or_default() += 1,
            _ => {}
        }
    }
    Ok(churn)
}

fn commits(output: &[u8]) -> Vec<Commit> {
    let text = |field: &[u8]| String::from_utf8_lossy(field).trim_start_matches('\n').to_owned();
    let fields: Vec<String> = output.split(|byte| *byte == 0).map(text).collect();
    let whole = fields.chunks_exact(4);
    let commit = |fields: &[String]| match fields {
        [commit, author, date, subject] => Some(Commit {
            commit: commit.clone(),
            author: author.clone(),
            date: date.clone(),
            subject: subject.clone(),
        }),
        _ => None,
    };
    whole.filter_map(commit).collect()
}

/// Whether there is no history to be asked for, which is no failure.
pub fn has_no_history(error: &Error) -> bool {
    matches!(error, Error::Git(_) | Error::NoGit(_) | Error::Revision(_) | Error::NoRepository(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commits_are_read_whatever_their_messages_say() {
        let output = b"aa\0Ann <b>\x002026-01-01T00:00:00Z\0fix\x1b[31m\nme\0\nbb\0B\x002026\0two\0";
        let found = commits(output);
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].author.as_str(), found[0].subject.as_str()), ("Ann <b>", "fix\u{1b}[31m\nme"));
        assert_eq!(found[1].commit, "bb");
    }
}
