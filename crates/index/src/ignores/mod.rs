//! What ignore rules say, read as git reads them. Each folder of a walk knows its own rules and those around it.
//!
//! Git's rules come from the folders up to the root of the repository, then from the repository's own list, then from the
//! user's. `.ignore` files are written alike, count before them, and know no repository.

mod patterns;
mod wildmatch;

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use rustc_hash::FxHashMap;

use crate::repository::Repository;
use crate::rules::read_rules;
pub(crate) use patterns::{Patterns, Verdict};

/// The rules of the folders that a walk has entered.
pub(crate) struct Ignores {
    root: PathBuf,
    /// Whether `.gitignore` counts.
    git: bool,
    /// The user's own list.
    global: Patterns,
    folders: RwLock<FxHashMap<PathBuf, Arc<Folder>>>,
}

/// Where rules are looked for around a project.
pub(crate) struct Around<'a> {
    pub(crate) root: &'a Path,
    /// Levels up to the root of the repository, if there is one.
    pub(crate) git_levels: Option<usize>,
    pub(crate) git: bool,
    pub(crate) global: Option<&'a Path>,
}

/// Which lists of rules a folder may have.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RuleFiles {
    ignore: bool,
    gitignore: bool,
}

impl RuleFiles {
    pub(crate) const ANY: RuleFiles = RuleFiles { ignore: true, gitignore: true };

    pub(crate) fn add(&mut self, name: &str) {
        match name == IGNORE {
            true => self.ignore = true,
            false => self.gitignore = true,
        }
    }
}

const IGNORE: &str = ".ignore";
const GITIGNORE: &str = ".gitignore";

struct Folder {
    around: Option<Arc<Folder>>,
    path: Vec<u8>,
    ignore: Patterns,
    gitignore: Patterns,
    /// The own list of the repository whose root this is.
    repository: Option<Patterns>,
}

impl Ignores {
    /// Reads the rules around a project and those in its root.
    pub(crate) fn new(around: &Around) -> Ignores {
        // The user's own file, which may be a link.
        let global =
            around.global.and_then(|path| codegraph_files::read_named(path).ok()).map(|text| Patterns::parse(&text));
        let ignores = Ignores {
            root: around.root.to_owned(),
            git: around.git,
            global: global.unwrap_or_default(),
            folders: RwLock::default(),
        };
        let above = if around.git_levels.is_some() { around.root.ancestors().count() - 1 } else { 0 };
        let mut outer = None;
        for (level, folder) in around.root.ancestors().enumerate().take(above + 1).collect::<Vec<_>>().into_iter().rev()
        {
            let in_git = around.git && around.git_levels.is_none_or(|levels| level <= levels);
            let repository = in_git.then(|| Repository::at(folder)).flatten();
            outer = Some(ignores.load(folder, outer, repository, RuleFiles { ignore: true, gitignore: in_git }));
        }
        if let Some(root) = outer {
            ignores.folders.write().unwrap_or_else(PoisonError::into_inner).insert(around.root.to_owned(), root);
        }
        ignores
    }

    /// Reads the rules of a folder that is walked; says whether it is another working tree of a repository.
    pub(crate) fn enter(&self, folder: &Path) -> bool {
        let repository = Repository::at(folder);
        let linked = self.git && repository.as_ref().is_some_and(Repository::is_linked);
        self.enter_seen(folder, repository, RuleFiles::ANY);
        linked
    }

    /// The same by a walk that has listed the folder: it knows which files with rules are there, and whether a repository begins.
    pub(crate) fn enter_seen(&self, folder: &Path, repository: Option<Repository>, lists: RuleFiles) {
        let around = folder.parent().and_then(|parent| self.at(parent));
        let loaded = self.load(folder, around, repository.filter(|_| self.git), lists);
        self.folders.write().unwrap_or_else(PoisonError::into_inner).insert(folder.to_owned(), loaded);
    }

    pub(crate) fn has_entered(&self, folder: &Path) -> bool {
        self.at(folder).is_some()
    }

    /// Whether rules leave out an entry of a folder that was entered.
    pub(crate) fn ignores(&self, path: &Path, is_folder: bool) -> bool {
        self.judge(path, is_folder) == Some(Verdict::Ignored)
    }

    /// What the rules say about an entry of a folder that was entered.
    pub(crate) fn judge(&self, path: &Path, is_folder: bool) -> Option<Verdict> {
        let folder = path.parent().and_then(|parent| self.at(parent))?;
        self.verdict(&folder, &bytes(path), is_folder)
    }

    /// Whether an entry of a folder that was entered is left out. What is hidden is, unless a rule says otherwise.
    pub(crate) fn leaves_out(&self, path: &Path, is_folder: bool) -> bool {
        match self.judge(path, is_folder) {
            Some(verdict) => verdict == Verdict::Ignored,
            None => path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b".")),
        }
    }

    /// Whether an `.ignore` file leaves out a file that git tracks, or a folder around it. Those that git reads do not
    /// concern what is tracked.
    pub(crate) fn is_unwanted(&self, path: &Path) -> bool {
        let inside = |part: &&Path| part.starts_with(&self.root) && *part != self.root;
        let mut parts: Vec<&Path> = path.ancestors().take_while(inside).collect();
        parts.reverse();
        let folder = path.ancestors().skip(1).find_map(|folder| self.at(folder));
        parts.iter().any(|part| {
            let chain = std::iter::successors(folder.as_deref(), |folder| folder.around.as_deref());
            let says = |folder: &Folder| {
                folder.below(&bytes(part)).and_then(|below| folder.ignore.verdict(below, *part != path))
            };
            chain.into_iter().find_map(says) == Some(Verdict::Ignored)
        })
    }

    fn at(&self, folder: &Path) -> Option<Arc<Folder>> {
        self.folders.read().unwrap_or_else(PoisonError::into_inner).get(folder).cloned()
    }

    fn load(
        &self,
        folder: &Path,
        around: Option<Arc<Folder>>,
        repository: Option<Repository>,
        lists: RuleFiles,
    ) -> Arc<Folder> {
        let read = |there: bool, name: &str| match there {
            true => read_rules(&self.root, &folder.join(name)),
            false => Patterns::default(),
        };
        Arc::new(Folder {
            around,
            path: bytes(folder),
            ignore: read(lists.ignore, IGNORE),
            gitignore: read(self.git && lists.gitignore, GITIGNORE),
            repository: repository.map(|repository| read_rules(&repository.common, &repository.exclude())),
        })
    }

    fn verdict(&self, folder: &Folder, path: &[u8], is_folder: bool) -> Option<Verdict> {
        let chain = || std::iter::successors(Some(folder), |folder| folder.around.as_deref());
        let own = chain().find_map(|at| at.ignore.verdict(at.below(path)?, is_folder));
        if own.is_some() {
            return own;
        }
        for at in chain() {
            let below = at.below(path)?;
            if let Some(verdict) = at.gitignore.verdict(below, is_folder) {
                return Some(verdict);
            }
            if let Some(list) = &at.repository {
                return list.verdict(below, is_folder).or_else(|| self.global.verdict(below, is_folder));
            }
        }
        None
    }
}

impl Folder {
    /// A path from here on.
    fn below<'p>(&self, path: &'p [u8]) -> Option<&'p [u8]> {
        let rest = path.strip_prefix(self.path.as_slice())?;
        // The root of a file system ends with a slash, other folders do not.
        if self.path.ends_with(b"/") { Some(rest) } else { rest.strip_prefix(b"/") }
    }
}

/// A path with `/` between its parts.
fn bytes(path: &Path) -> Vec<u8> {
    let bytes = path.as_os_str().as_encoded_bytes();
    match std::path::MAIN_SEPARATOR {
        '/' => bytes.to_vec(),
        other => bytes.iter().map(|byte| if *byte == other as u8 { b'/' } else { *byte }).collect(),
    }
}
