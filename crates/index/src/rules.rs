//! Where ignore rules come from besides the folders of the walk: the repository around the project, git's own
//! exclude files, and the configuration.

use std::path::{Path, PathBuf};

use codegraph_store::{Input, InputKind};
use ignore::WalkBuilder;
use ignore::gitignore::Gitignore;

use crate::Project;
use crate::config::CONFIG_PATH;
use crate::stamp::{Seen, now_ns};

/// Files in any folder that decide what is indexed below it.
pub(crate) const IGNORE_FILES: &[&str] = &[".gitignore", ".ignore"];

/// How a walk of this project treats ignore files.
pub(crate) struct Rules {
    /// Levels from the project's root up to the root of the repository, if there is one.
    git_levels: Option<usize>,
    /// The `.gitignore` of the root was written for another repository.
    foreign: bool,
    global: Option<PathBuf>,
    exclude: Option<String>,
    levels: usize,
}

impl Rules {
    pub(crate) fn of(root: &Path) -> Rules {
        let found = root.ancestors().enumerate().find(|(_, folder)| folder.join(".git").exists());
        Rules {
            git_levels: found.map(|(levels, _)| levels),
            foreign: found.is_none() && leaves_nothing(root),
            global: found.and_then(|_| ignore::gitignore::gitconfig_excludes_path()),
            exclude: found.and_then(|(levels, folder)| exclude_file(folder, levels)),
            levels: root.ancestors().count() - 1,
        }
    }

    /// Changes when the whole tree has to be walked anew although no watched file changed.
    pub(crate) fn fingerprint(&self) -> String {
        let foreign = if self.foreign { " foreign" } else { "" };
        format!("{:?} {:?}{foreign}", self.git_levels, self.global)
    }

    /// In a repository the rules are git's. Elsewhere `.gitignore` counts too, unless nothing would be left, but nothing
    /// above the root does.
    pub(crate) fn apply(&self, walk: &mut WalkBuilder) {
        let in_git = self.git_levels.is_some();
        walk.hidden(true).ignore(true).git_ignore(!self.foreign).git_exclude(true).git_global(in_git);
        walk.parents(in_git).require_git(in_git).follow_links(false);
    }

    /// The files outside the walk that decide what is indexed, as they are now; those that do not exist too.
    pub(crate) fn inputs(&self, project: &Project) -> Vec<Input> {
        self.paths().into_iter().map(|path| watched(project, path, InputKind::Ignore, "")).collect()
    }

    fn paths(&self) -> Vec<String> {
        let mut paths = vec![CONFIG_PATH.to_owned()];
        if let Some(git_levels) = self.git_levels {
            for level in 1..=self.levels {
                let up = "../".repeat(level);
                paths.push(format!("{up}.ignore"));
                if level <= git_levels {
                    paths.push(format!("{up}.gitignore"));
                }
            }
        }
        paths.extend(self.exclude.clone());
        paths.extend(self.global.as_deref().and_then(Path::to_str).map(str::to_owned));
        paths
    }
}

/// Whether the `.gitignore` of a folder excludes all that is in it. Distributions pack sources with one for their own
/// repository, which has only what they add.
fn leaves_nothing(root: &Path) -> bool {
    let path = root.join(".gitignore");
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    if !text.lines().any(|line| matches!(line.trim(), "*" | "/*" | "**" | "/**")) {
        return false;
    }
    let (rules, _) = Gitignore::new(path);
    let entries = std::fs::read_dir(root).into_iter().flatten().flatten();
    let mut visible = entries.filter(|entry| !entry.file_name().as_encoded_bytes().starts_with(b"."));
    visible.all(|entry| rules.matched(entry.path(), entry.path().is_dir()).is_ignore())
}

/// Stamps something that the index depends on.
pub(crate) fn watched(project: &Project, path: String, kind: InputKind, note: &str) -> Input {
    let now = now_ns();
    let metadata = std::fs::metadata(project.absolute(&path));
    let seen = metadata.map_or(Seen::ABSENT, |metadata| Seen::of(&metadata).settled(now));
    input(path, kind, seen, note)
}

pub(crate) fn input(path: String, kind: InputKind, seen: Seen, note: &str) -> Input {
    Input { path, kind, mtime_ns: seen.mtime_ns, size: seen.size, hash: [0; 32], note: note.to_owned() }
}

/// `info/exclude` of a repository; a linked worktree shares that of its main one.
fn exclude_file(repository: &Path, levels: usize) -> Option<String> {
    let git = repository.join(".git");
    if git.is_dir() {
        return Some(format!("{}.git/info/exclude", "../".repeat(levels)));
    }
    let pointer = std::fs::read_to_string(&git).ok()?;
    let git_dir = repository.join(pointer.strip_prefix("gitdir:")?.trim());
    let common = std::fs::read_to_string(git_dir.join("commondir")).ok()?;
    Some(git_dir.join(common.trim()).join("info/exclude").to_str()?.to_owned())
}
