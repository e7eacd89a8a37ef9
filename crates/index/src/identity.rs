//! What a project is called among others: its repository and its commit.

use serde::{Deserialize, Serialize};

use crate::Project;
use crate::git_command::{Question, ask_git};
use crate::repository::Repository;
use crate::repository::small;

/// A repository at a commit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// Host and path of where it was cloned from, else the project's name.
    pub repository: String,
    /// The commit that is checked out; absent outside git.
    pub commit: Option<String>,
}

impl Identity {
    pub fn of(project: &Project) -> Identity {
        let commit = ask_git(project.root(), Question::RevParse, &["HEAD"]).ok();
        let commit = commit.and_then(|text| String::from_utf8(text).ok()).map(|text| text.trim().to_owned());
        Identity {
            repository: cloned_from(project).unwrap_or_else(|| project.name().to_owned()),
            commit: commit.filter(|commit| !commit.is_empty()),
        }
    }
}

/// Where `origin` is, as the repository's settings say: read as text, so that nothing in them can start anything.
fn cloned_from(project: &Project) -> Option<String> {
    let repository = project.root().ancestors().find_map(Repository::at)?;
    plain_address(&origin(&small(&repository.common.join("config"))?)?)
}

fn origin(settings: &str) -> Option<String> {
    let mut inside = false;
    for line in settings.lines().map(str::trim) {
        if line.starts_with('[') {
            inside = line.replace(' ', "") == "[remote\"origin\"]";
        } else if inside && let Some(value) = line.strip_prefix("url").map(str::trim_start) {
            return value.strip_prefix('=').map(|address| address.trim().trim_matches('"').to_owned());
        }
    }
    None
}

/// `https://user:secret@host/owner/name.git` and `git@host:owner/name` as `host/owner/name`; nothing for a place on disk.
fn plain_address(address: &str) -> Option<String> {
    let (rest, by_scheme) = match address.split_once("://") {
        Some(("file", _)) => return None,
        Some((_, rest)) => (rest, true),
        None => (address, false),
    };
    let rest = rest.split_once('@').map_or(rest, |(_, rest)| rest);
    let (host, path) = if by_scheme { rest.split_once('/')? } else { rest.split_once(':')? };
    let host = host.split(':').next().unwrap_or(host);
    let path = path.trim_matches('/').trim_end_matches(".git");
    (host.len() > 1 && !path.is_empty()).then(|| format!("{host}/{path}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_named_without_secrets() {
        let plain = |address| plain_address(address).unwrap_or_default();
        assert_eq!(plain("https://me:secret@example.org/team/app.git"), "example.org/team/app");
        assert_eq!(plain("git@example.org:team/app.git"), "example.org/team/app");
        assert_eq!(plain("ssh://git@example.org:2222/team/app"), "example.org/team/app");
        assert_eq!(plain("/srv/git/app"), "");
        assert_eq!(plain("file:///srv/git/app"), "");
        assert_eq!(plain("C:/git/app"), "");
        let settings = "[core]\n\turl = no\n[remote \"origin\"]\n\turl = git@h.io:a/b\n\tfetch = x\n";
        assert_eq!(origin(settings).as_deref(), Some("git@h.io:a/b"));
    }
}
