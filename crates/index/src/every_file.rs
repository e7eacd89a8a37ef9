//! Every file of a project that ignore rules leave in, whatever it holds: for who searches text and not the index.
//!
//! The rules are those of the index, in the order in which `ripgrep` asks them: globs and types of the question, ignore
//! files, hidden names. What was named is visited whatever they say. Links are not followed.

use std::path::{Path, PathBuf};

use ignore::overrides::Override;
use ignore::types::Types;
use ignore::{DirEntry, Match, WalkBuilder, WalkState};

use crate::config::Filter;
use crate::data_folder::is_ours;
use crate::ignores::{Ignores, Verdict};
use crate::rules::Rules;
use crate::{Project, Result};

/// Which files are visited.
#[derive(Debug)]
pub struct EveryFile {
    /// Files and folders, root-relative; none: the whole project.
    pub paths: Vec<PathBuf>,
    /// Globs that say more than any rule.
    pub globs: Override,
    pub types: Types,
    /// Files whose names start with a dot too.
    pub hidden: bool,
    /// Files that rules leave out too.
    pub ignored: bool,
}

/// Visits the files on all cores, in no order. A visitor is made for each thread; it is told the root-relative path and
/// whether the file itself was named, and says whether to go on.
pub fn every_file<V>(project: &Project, which: &EveryFile, mut visitor: impl FnMut() -> V) -> Result<()>
where
    V: FnMut(&Path, bool) -> bool + Send,
{
    let root = project.root();
    let gate = Gate {
        filter: Filter::new(root, project.config())?,
        ignores: Rules::of(root).ignores(root),
        globs: which.globs.clone(),
        types: which.types.clone(),
        hidden: which.hidden,
        ignored: which.ignored,
    };
    let mut starts = which.paths.iter().map(|path| root.join(path));
    let mut builder = WalkBuilder::new(starts.next().unwrap_or_else(|| root.to_owned()));
    for start in starts {
        builder.add(start);
    }
    which.paths.iter().for_each(|path| gate.enter_down_to(root, path));
    builder.standard_filters(false).follow_links(false).threads(threads());
    builder.filter_entry(move |entry| gate.admits(entry));
    builder.build_parallel().run(|| {
        let mut visit = visitor();
        Box::new(move |entry| match entry {
            Ok(entry) if entry.file_type().is_some_and(|kind| kind.is_file()) => {
                let Ok(path) = entry.path().strip_prefix(root) else { return WalkState::Continue };
                if visit(path, entry.depth() == 0) { WalkState::Continue } else { WalkState::Quit }
            }
            // A folder that cannot be listed has nothing that could be searched.
            _ => WalkState::Continue,
        })
    });
    Ok(())
}

fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from).min(12)
}

/// What all threads ask about every entry.
struct Gate {
    filter: Filter,
    ignores: Ignores,
    globs: Override,
    types: Types,
    hidden: bool,
    ignored: bool,
}

impl Gate {
    fn admits(&self, entry: &DirEntry) -> bool {
        if entry.depth() == 0 {
            return true;
        }
        let name = entry.file_name();
        if name == ".git" || is_ours(name) {
            return false;
        }
        let (path, is_folder) = (entry.path(), entry.file_type().is_some_and(|kind| kind.is_dir()));
        if self.filter.excludes(path, is_folder) || !self.wants(path, is_folder) {
            return false;
        }
        // Another working tree of a repository is a project of its own.
        !is_folder || !self.ignores.enter(path)
    }

    fn wants(&self, path: &Path, is_folder: bool) -> bool {
        match self.globs.matched(path, is_folder) {
            Match::Ignore(_) => return false,
            Match::Whitelist(_) => return true,
            Match::None => {}
        }
        let rule = if self.ignored { None } else { self.ignores.judge(path, is_folder) };
        if rule == Some(Verdict::Ignored) {
            return false;
        }
        let typed = if is_folder { Match::None } else { self.types.matched(path, false) };
        if typed.is_ignore() {
            return false;
        }
        let shown = self.hidden || rule.is_some() || typed.is_whitelist();
        shown || !path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."))
    }

    /// Reads the rules on the way to something that was named.
    fn enter_down_to(&self, root: &Path, path: &Path) {
        let mut folder = root.to_owned();
        for part in path.components() {
            folder.push(part);
            if folder.is_dir() {
                self.ignores.enter(&folder);
            }
        }
    }
}
