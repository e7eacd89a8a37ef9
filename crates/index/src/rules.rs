//! Where ignore rules come from besides the folders of the walk: the repository around the project, git's own
//! exclude files, and the configuration.

use std::path::{Path, PathBuf};

use codegraph_store::{Input, Watched};
use ignore::gitignore::GitignoreBuilder;

use crate::Project;
use crate::ignores::{Around, Ignores, Patterns};
use crate::repository::Repository;
use crate::stamp::{Seen, now_ns};

/// Files in any folder that decide what is indexed below it.
pub(crate) const IGNORE_FILES: &[&str] = &[".gitignore", ".ignore", codegraph_live::ATTRIBUTES];

/// How a walk of this project treats ignore files.
pub(crate) struct Rules {
    /// Levels from the project's root up to the root of the repository, if there is one.
    git_levels: Option<usize>,
    /// The `.gitignore` of the root was written for another repository.
    foreign: bool,
    global: Option<PathBuf>,
    /// The repository that the project is in.
    pub(crate) repository: Option<Repository>,
    levels: usize,
}

impl Rules {
    pub(crate) fn of(root: &Path) -> Rules {
        let found = root.ancestors().enumerate().find(|(_, folder)| folder.join(".git").exists());
        Rules {
            git_levels: found.map(|(levels, _)| levels),
            foreign: found.is_none() && leaves_nothing(root),
            global: found.and_then(|_| ignore::gitignore::gitconfig_excludes_path()),
            repository: found.and_then(|(_, folder)| Repository::at(folder)),
            levels: root.ancestors().count() - 1,
        }
    }

    /// Changes when the whole tree has to be walked anew although no watched file changed.
    pub(crate) fn fingerprint(&self) -> String {
        let foreign = if self.foreign { " foreign" } else { "" };
        // The number says how rules are read.
        format!("3 {:?} {:?}{foreign}", self.git_levels, self.global)
    }

    /// In a repository the rules are git's. Elsewhere `.gitignore` counts too, unless nothing would be left, but nothing
    /// above the root does.
    pub(crate) fn ignores(&self, root: &Path) -> Ignores {
        let around = Around { root, git_levels: self.git_levels, git: !self.foreign, global: self.global.as_deref() };
        Ignores::new(&around)
    }

    /// What the repository around the project tracks in it.
    pub(crate) fn tracked(&self, root: &Path) -> Vec<String> {
        let Some(repository) = &self.repository else { return Vec::new() };
        let inside = root.strip_prefix(&repository.folder).ok().and_then(crate::project::slashed);
        let Some(inside) = inside.map(|inside| if inside.is_empty() { inside } else { inside + "/" }) else {
            return Vec::new();
        };
        let paths = repository.tracked().into_iter();
        paths.filter_map(|path| Some(path.strip_prefix(inside.as_str())?.to_owned())).collect()
    }

    /// The files outside the walk that decide what is indexed, as they are now; those that do not exist too.
    pub(crate) fn inputs(&self, project: &Project) -> Vec<Input> {
        self.paths(project).into_iter().map(|path| watched(project, path, Watched::Rules)).collect()
    }

    fn paths(&self, project: &Project) -> Vec<String> {
        let mut paths = vec![project.config_path()];
        if let Some(git_levels) = self.git_levels {
            for level in 1..=self.levels {
                let up = "../".repeat(level);
                paths.push(format!("{up}.ignore"));
                if level <= git_levels {
                    paths.push(format!("{up}.gitignore"));
                }
            }
        }
        if let (Some(repository), Some(levels)) = (&self.repository, self.git_levels) {
            paths.extend(repository_inputs(repository, &"../".repeat(levels)));
        }
        paths.extend(self.global.as_deref().and_then(Path::to_str).map(str::to_owned));
        paths
    }
}

/// More is no list of rules.
const MOST_RULES: u64 = 1 << 20;

/// Whether reading a list of rules can neither wait nor show what lies outside: it is not there, or a plain file of
/// reasonable size, or a link to one inside the project.
pub(crate) fn is_safe(root: &Path, file: &Path) -> bool {
    let is_small = |found: &std::fs::Metadata| found.is_file() && found.len() <= MOST_RULES;
    match file.symlink_metadata() {
        Ok(found) if found.is_symlink() => match file.canonicalize() {
            Ok(real) => real.starts_with(root) && real.metadata().is_ok_and(|found| is_small(&found)),
            Err(_) => true,
        },
        Ok(found) => is_small(&found) || found.is_dir(),
        Err(_) => true,
    }
}

/// Whether the `.gitignore` of a folder excludes all that is in it. Distributions pack sources with one for their own
/// repository, which has only what they add.
fn leaves_nothing(root: &Path) -> bool {
    let text = codegraph_files::read_below(root, ".gitignore", MOST_RULES).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    if !text.lines().any(|line| matches!(line.trim(), "*" | "/*" | "**" | "/**")) {
        return false;
    }
    let mut rules = GitignoreBuilder::new(root);
    text.lines().for_each(|line| drop(rules.add_line(None, line)));
    let Ok(rules) = rules.build() else { return false };
    let entries = std::fs::read_dir(root).into_iter().flatten().flatten();
    let mut visible = entries.filter(|entry| !entry.file_name().as_encoded_bytes().starts_with(b"."));
    visible.all(|entry| rules.matched(entry.path(), entry.path().is_dir()).is_ignore())
}

/// Stamps something that the index depends on.
pub(crate) fn watched(project: &Project, path: String, why: Watched) -> Input {
    let now = now_ns();
    let metadata = std::fs::metadata(project.absolute(&path));
    let seen = metadata.map_or(Seen::ABSENT, |metadata| Seen::settled(&metadata, now));
    input(path, why, seen)
}

pub(crate) fn input(path: String, watched: Watched, seen: Seen) -> Input {
    Input { path, watched, mtime_ns: seen.mtime_ns, size: seen.size, mark: seen.mark }
}

/// What decides about files besides their folders: the own rules of a repository, and which files it tracks. `way` leads
/// to the folder of the repository.
pub(crate) fn repository_inputs(repository: &Repository, way: &str) -> Vec<String> {
    let usual = repository.folder.join(".git");
    let named = |path: PathBuf| match path.strip_prefix(&usual) {
        Ok(inside) => Some(format!("{way}.git/{}", crate::project::slashed(inside)?)),
        Err(_) => path.to_str().map(str::to_owned),
    };
    [repository.exclude(), repository.list()].into_iter().filter_map(named).collect()
}

/// Whether an input is the list of the files that git tracks.
pub(crate) fn is_git_list(input: &Input) -> bool {
    input.watched == Watched::Rules && input.path.ends_with("/index")
}

/// The rules in a file. One that is not there, or cannot be read without danger, has none.
pub(crate) fn read_rules(root: &Path, path: &Path) -> Patterns {
    // Most folders have none: not worth a second look.
    let there = path.symlink_metadata().is_ok();
    match there && is_safe(root, path) {
        true => codegraph_files::read_named(path).map_or_else(|_| Patterns::default(), |text| Patterns::parse(&text)),
        false => Patterns::default(),
    }
}
