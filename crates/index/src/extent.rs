//! Which part of the tree a walk looks at: everything, or just the folders and files that may have changed.

use rustc_hash::FxHashSet;

use crate::project::parent;

/// The part of the tree that a walk looks at. Paths are root-relative; the root itself is "".
#[derive(Debug, Default)]
pub(crate) struct Extent {
    everything: bool,
    /// Folders whose own entries are listed; folders that are new in them are walked whole.
    listed: FxHashSet<String>,
    /// Folders that are walked whole.
    whole: FxHashSet<String>,
    files: FxHashSet<String>,
    /// Folders on the way to the above.
    way: FxHashSet<String>,
    /// Folders that the index knows.
    known: FxHashSet<String>,
}

impl Extent {
    pub(crate) fn everything() -> Extent {
        Extent { everything: true, ..Extent::default() }
    }

    /// Folders whose entries have changed, in an index that knows the folders `known`.
    pub(crate) fn listed(folders: impl IntoIterator<Item = String>, known: FxHashSet<String>) -> Extent {
        let mut extent = Extent { known, ..Extent::default() };
        for folder in folders {
            extent.add_way(&folder);
            extent.listed.insert(folder);
        }
        extent
    }

    /// Adds a file that was asked for by name.
    pub(crate) fn add_file(&mut self, path: &str) {
        self.add_way(parent(path));
        self.files.insert(path.to_owned());
    }

    /// Adds a folder with everything in it.
    pub(crate) fn add_whole(&mut self, path: &str) {
        self.add_way(path);
        self.whole.insert(path.to_owned());
    }

    fn add_way(&mut self, folder: &str) {
        let mut folder = folder;
        while self.way.insert(folder.to_owned()) && !folder.is_empty() {
            folder = parent(folder);
        }
    }

    pub(crate) fn is_everything(&self) -> bool {
        self.everything
    }

    /// Whether the walk goes into a folder.
    pub(crate) fn enters(&self, folder: &str) -> bool {
        self.everything || self.way.contains(folder) || self.lists(folder)
    }

    /// Whether the walk sees all entries of a folder, so that what it does not see is not there.
    pub(crate) fn lists(&self, folder: &str) -> bool {
        self.everything || self.listed.contains(folder) || self.is_new(folder) || self.is_whole(folder)
    }

    pub(crate) fn sees_file(&self, path: &str) -> bool {
        self.lists(parent(path)) || self.files.contains(path)
    }

    /// A folder that the index does not know, below one that is listed.
    fn is_new(&self, folder: &str) -> bool {
        let mut folder = folder;
        while !folder.is_empty() && !self.known.contains(folder) {
            folder = parent(folder);
            if self.listed.contains(folder) {
                return true;
            }
        }
        false
    }

    fn is_whole(&self, folder: &str) -> bool {
        if self.whole.is_empty() {
            return false;
        }
        let mut folder = folder;
        loop {
            if self.whole.contains(folder) {
                return true;
            }
            if folder.is_empty() {
                return false;
            }
            folder = parent(folder);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_listed_folder_brings_its_new_folders_but_not_the_known_ones() {
        let known = ["", "a", "a/b", "c"].map(String::from).into_iter().collect();
        let extent = Extent::listed(["a".to_owned()], known);
        assert!(extent.enters("") && !extent.lists(""));
        assert!(extent.lists("a") && extent.sees_file("a/x.py"));
        assert!(!extent.enters("a/b") && !extent.sees_file("a/b/x.py"));
        assert!(extent.lists("a/new/deep") && extent.sees_file("a/new/deep/x.py"));
        assert!(!extent.enters("c") && !extent.enters("d"));
    }

    #[test]
    fn a_file_by_name_brings_only_itself() {
        let mut extent = Extent::default();
        extent.add_file("new/deep/x.py");
        assert!(extent.enters("new/deep") && extent.sees_file("new/deep/x.py"));
        assert!(!extent.sees_file("new/deep/y.py") && !extent.lists("new"));
    }
}
