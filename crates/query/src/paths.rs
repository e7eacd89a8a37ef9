//! Paths and globs as people give them, turned into root-relative ones.

use std::path::{Component, Path};
use std::sync::Arc;

use codegraph_store::FileRecord;
use globset::{GlobBuilder, GlobMatcher};

use crate::nearest;
use crate::{Error, Reader, Result};

/// Files with longer lines than this in the mean are packed by a tool, not written by hand.
pub(crate) const MOST_BYTES_OF_A_LINE: u64 = 150;

impl Reader {
    /// The indexed file that a path means: relative to where the asker stands, or to the root.
    pub(crate) fn file(&self, given: &str) -> Result<Arc<FileRecord>> {
        self.told(given, self.known_file(given)?)
    }

    /// The file that a person means by a path or the end of one.
    pub(crate) fn asked_file(&self, given: &str) -> Result<Arc<FileRecord>> {
        self.told(given, self.meant_file(given)?)
    }

    /// A file, or the error that names what is near.
    fn told(&self, given: &str, found: Option<Arc<FileRecord>>) -> Result<Arc<FileRecord>> {
        match found {
            Some(record) => Ok(record),
            None => {
                let path = self.relative(given)?;
                let nearest = nearest::files(self, &path)?;
                Err(Error::UnknownFile { path, nearest })
            }
        }
    }

    /// The indexed file at a path, or the only one whose path ends in it; of several the only one that is neither a test nor
    /// beside the product. What is there without being indexed is not replaced by another file.
    pub(crate) fn meant_file(&self, given: &str) -> Result<Option<Arc<FileRecord>>> {
        if let Some(record) = self.known_file(given)? {
            return Ok(Some(record));
        }
        let path = self.relative(given)?;
        if path.is_empty() || !Path::new(given).is_relative() || self.is_there(&path) {
            return Ok(None);
        }
        let ends = |own: &str| own.strip_suffix(path.as_str()).is_some_and(|folder| folder.ends_with('/'));
        let mut found: Vec<FileRecord> = self.store.files()?.into_iter().filter(|file| ends(&file.path)).collect();
        if found.len() > 1 {
            found.retain(|file| !is_test(&file.path) && !is_aside(&file.path));
        }
        let one = if found.len() == 1 { found.pop() } else { None };
        Ok(one.map(Arc::new))
    }

    fn is_there(&self, path: &str) -> bool {
        let here = normal(&format!("{}/{path}", self.folder));
        let mut places = [Some(path.to_owned()), here].into_iter().flatten();
        places.any(|path| codegraph_files::open_below(self.root(), &path).is_ok())
    }

    pub(crate) fn known_file(&self, given: &str) -> Result<Option<Arc<FileRecord>>> {
        let at_root = self.relative(given)?;
        if !self.folder.is_empty() && Path::new(given).is_relative() {
            let here = normal(&format!("{}/{given}", self.folder));
            if let Some(record) = here.map(|path| self.store.file_by_path(&path)).transpose()?.flatten() {
                return Ok(Some(Arc::new(record)));
            }
        }
        Ok(self.store.file_by_path(&at_root)?.map(Arc::new))
    }

    /// A root-relative path in normal form. Refuses what leads outside.
    pub(crate) fn relative(&self, given: &str) -> Result<String> {
        let outside = || Error::OutsideProject(given.to_owned());
        let path = Path::new(given);
        if path.is_absolute() {
            let inner = path.strip_prefix(self.root()).map_err(|_| outside())?;
            return normal(&inner.to_string_lossy()).ok_or_else(outside);
        }
        let beside = || normal(&format!("{}/{given}", self.folder));
        normal(given).or_else(beside).ok_or_else(outside)
    }
}

/// A relative path without `.` and `..`; `None` if it climbs above its start.
fn normal(path: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for component in Path::new(path).components() {
        match component {
            Component::Normal(part) => parts.push(part.to_str()?),
            Component::ParentDir => drop(parts.pop()?),
            Component::CurDir | Component::RootDir => {}
            Component::Prefix(_) => return None,
        }
    }
    Some(parts.join("/"))
}

/// Which files a question is about.
pub(crate) enum FileFilter {
    All,
    /// A file, or everything below a folder.
    Below(String),
    Glob(GlobMatcher),
}

/// A test for paths: a glob, a folder or a file.
pub fn file_filter(pattern: &str) -> Result<impl Fn(&str) -> bool> {
    let filter = FileFilter::new(Some(pattern))?;
    Ok(move |path: &str| filter.accepts(path))
}

impl FileFilter {
    /// A glob, a folder or a file. A glob without `/` matches at any depth.
    pub(crate) fn new(pattern: Option<&str>) -> Result<FileFilter> {
        let Some(pattern) = pattern.filter(|p| !p.is_empty()) else {
            return Ok(FileFilter::All);
        };
        let pattern = pattern.strip_prefix("./").unwrap_or(pattern);
        if !pattern.contains(['*', '?', '[', '{']) {
            let path = normal(pattern).ok_or_else(|| Error::OutsideProject(pattern.to_owned()))?;
            return Ok(if path.is_empty() { FileFilter::All } else { FileFilter::Below(path) });
        }
        let anywhere = if pattern.contains('/') { pattern.to_owned() } else { format!("**/{pattern}") };
        let glob = GlobBuilder::new(anywhere.trim_start_matches('/'))
            .literal_separator(true)
            .build()
            .map_err(|e| Error::Glob { pattern: pattern.to_owned(), reason: e.kind().to_string() })?;
        Ok(FileFilter::Glob(glob.compile_matcher()))
    }

    pub(crate) fn accepts(&self, path: &str) -> bool {
        match self {
            FileFilter::All => true,
            FileFilter::Below(folder) => {
                path.strip_prefix(folder.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            }
            FileFilter::Glob(glob) => glob.is_match(path),
        }
    }
}

/// Whether a file says what others define: its declarations are there for whoever reads them.
pub(crate) fn only_declares(path: &str) -> bool {
    path.rsplit('/').next().unwrap_or(path).contains(".d.")
}

/// Whether a file holds tests, by the conventions of its name and folders.
pub fn is_test(path: &str) -> bool {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let in_folder = folders.split('/').any(|folder| {
        matches!(folder, "test" | "tests" | "spec" | "specs" | "__tests__" | "testdata" | "testing" | "e2e")
            || folder.ends_with(".Tests")
            || folder.ends_with("-tests")
    });
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let lower = stem.to_ascii_lowercase();
    in_folder
        || lower.starts_with("test_")
        || ["_test", "_tests", "_spec", ".test", ".spec"].iter().any(|end| lower.ends_with(end))
        || ["Test", "Tests", "TestCase", "IT"].iter().any(|end| stem.len() > end.len() && stem.ends_with(end))
        || matches!(lower.as_str(), "tests" | "conftest")
}

/// Whether a runner of tests starts a file by the convention of its name, and nobody else does.
pub(crate) fn is_run_as_test(path: &str) -> bool {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let lower = stem.to_ascii_lowercase();
    ["test_", "spec_"].iter().any(|start| lower.starts_with(start))
        || ["_test", "_tests", "_spec", ".test", ".spec"].iter().any(|end| lower.ends_with(end))
        || ["Test", "TestCase"].iter().any(|end| stem.len() > end.len() && stem.ends_with(end))
        || folders.split('/').any(|folder| folder == "__tests__")
}

/// Whether a file stands beside the product: examples, benchmarks, documents, other people's code, what a tool made.
pub(crate) fn is_aside(path: &str) -> bool {
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let in_folder = folders.split('/').any(|folder| {
        matches!(
            folder,
            "example"
                | "examples"
                | "demo"
                | "demos"
                | "sample"
                | "samples"
                | "bench"
                | "benches"
                | "benchmark"
                | "benchmarks"
                | "doc"
                | "docs"
                | "dist"
                | "vendor"
                | "vendored"
                | "third_party"
                | "node_modules"
                | "fixtures"
                | "playground"
                | "_vendor"
        )
    });
    in_folder || name.contains(".min.") || only_declares(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_glob_without_a_slash_matches_at_any_depth() {
        let filter = FileFilter::new(Some("*.py")).expect("a glob");
        assert!(filter.accepts("a.py") && filter.accepts("x/y/a.py"));
        let filter = FileFilter::new(Some("src/*.py")).expect("a glob");
        assert!(filter.accepts("src/a.py") && !filter.accepts("src/y/a.py"));
    }

    #[test]
    fn a_folder_accepts_what_is_below_it() {
        let filter = FileFilter::new(Some("src/")).expect("a folder");
        assert!(filter.accepts("src/a.py") && !filter.accepts("srcs/a.py"));
    }

    #[test]
    fn paths_cannot_climb_out() {
        assert_eq!(normal("a/./b/../c"), Some("a/c".into()));
        assert_eq!(normal("../etc"), None);
        assert!(FileFilter::new(Some("../x")).is_err());
    }
}
