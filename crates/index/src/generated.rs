//! Files that a program wrote, by their own words: those that git does not track are left out, as packages of others are.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use codegraph_live::Origins;
use codegraph_model::Origin;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::project::slashed;
use crate::repository::Repository;

/// What git tracks, asked when a file says that a program wrote it.
#[derive(Debug)]
pub(crate) struct Generated {
    root: PathBuf,
    origins: Origins,
    /// By folder, the repository that it is in.
    folders: Mutex<FxHashMap<PathBuf, Option<Arc<Tracked>>>>,
}

/// A repository, and what it tracks.
#[derive(Debug)]
struct Tracked {
    folder: PathBuf,
    paths: FxHashSet<String>,
}

impl Generated {
    pub(crate) fn of(root: &Path) -> Generated {
        Generated { root: root.to_owned(), origins: Origins::new(root), folders: Mutex::default() }
    }

    /// Whether a file that says that a program wrote it is left out: somebody may know better, and git may track it.
    pub(crate) fn leaves_out(&self, path: &str) -> bool {
        self.origins.of(path, true) == Some(Origin::Generated) && self.is_untracked(path)
    }

    /// Whether a file lies in a repository that does not track it.
    fn is_untracked(&self, path: &str) -> bool {
        let file = self.root.join(path);
        let Some(repository) = file.parent().and_then(|folder| self.repository(folder)) else { return false };
        let inside = file.strip_prefix(&repository.folder).ok().and_then(slashed);
        // One whose list cannot be read tells nothing.
        !repository.paths.is_empty() && inside.is_some_and(|inside| !repository.paths.contains(&inside))
    }

    fn repository(&self, folder: &Path) -> Option<Arc<Tracked>> {
        let known = || self.folders.lock().expect("no thread panics with it");
        if let Some(found) = known().get(folder) {
            return found.clone();
        }
        let found = match Repository::at(folder) {
            Some(repository) => {
                let paths = repository.tracked().into_iter().collect();
                Some(Arc::new(Tracked { folder: repository.folder, paths }))
            }
            None => folder.parent().and_then(|around| self.repository(around)),
        };
        known().insert(folder.to_owned(), found.clone());
        found
    }
}

/// So much of a file is looked at before it is read as a whole.
const HEAD: u64 = 4 << 10;

/// Whether the beginning of a file has the word that every file has which says that a program wrote it.
pub(crate) fn may_say_generated(root: &Path, path: &str) -> bool {
    let mut head = Vec::new();
    let read = codegraph_files::open_below(root, path).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    let word = |word: &[u8]| head.windows(word.len()).any(|part| part == word);
    read.is_ok() && (word(b"enerated") || word(b"ENERATED"))
}
