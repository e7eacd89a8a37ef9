//! The source tree that is measured: a copy of the files that codegraph would index, and of nothing else, so that every
//! tool reads the same bytes and the original stays untouched.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use codegraph_index::{InitOptions, Project, discover};
use ignore::WalkBuilder;
use tempfile::TempDir;

use crate::workspace::output;

/// A copied source tree.
pub(super) struct Corpus {
    pub(super) name: String,
    /// What git calls the version of the original.
    pub(super) commit: Option<String>,
    /// By path.
    pub(super) files: Vec<String>,
    pub(super) bytes: u64,
    folder: TempDir,
}

impl Corpus {
    /// Copies what is indexable of a folder to a temporary place.
    pub(super) fn copy(original: &Path) -> Result<Corpus> {
        let original = original.canonicalize().with_context(|| original.display().to_string())?;
        let folder = tempfile::Builder::new().prefix("codegraph-bench-").tempdir()?;
        ensure!(!folder.path().starts_with(&original), "the temporary folder is inside {}", original.display());
        copy_sources(&original, &folder.path().join("tree"))?;
        let name = original.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        let mut corpus = Corpus { name, commit: commit(&original), files: Vec::new(), bytes: 0, folder };
        corpus.list()?;
        Ok(corpus)
    }

    pub(super) fn root(&self) -> PathBuf {
        self.folder.path().join("tree")
    }

    /// A place for the output of other tools.
    pub(super) fn beside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(super) fn read(&self, path: &str) -> Result<Vec<u8>> {
        fs::read(self.root().join(path)).with_context(|| path.to_owned())
    }

    /// Forgets the index, so that the next one is a first one.
    pub(super) fn clear(&self) -> Result<()> {
        match fs::remove_dir_all(self.root().join(".codegraph")) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.into()),
            _ => Ok(()),
        }
    }

    /// Takes out files that the index leaves out for their content.
    pub(super) fn remove(&mut self, skipped: &[String]) -> Result<()> {
        for path in skipped {
            fs::remove_file(self.root().join(path)).with_context(|| path.clone())?;
        }
        self.list()
    }

    /// Asks the product which files of the copy it would index.
    fn list(&mut self) -> Result<()> {
        let project = Project::init(&self.root(), &InitOptions::default())?.project;
        let tree = discover(&project)?;
        self.bytes = tree.files.iter().map(|file| file.size).sum();
        self.files = tree.files.into_iter().map(|file| file.path).collect();
        ensure!(!self.files.is_empty(), "{} has no source files", self.name);
        self.clear()
    }
}

fn copy_sources(original: &Path, copy: &Path) -> Result<()> {
    fs::create_dir_all(copy)?;
    for entry in WalkBuilder::new(original).build() {
        let entry = entry?;
        let inside = entry.path().strip_prefix(original)?;
        let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
        if is_file && inside.to_str().is_some_and(|path| codegraph_languages::for_path(path).next().is_some()) {
            let target = copy.join(inside);
            fs::create_dir_all(target.parent().expect("it is inside the copy"))?;
            fs::copy(entry.path(), &target).with_context(|| entry.path().display().to_string())?;
            // An old file stays old: indexes look twice at what has just been written.
            File::options().append(true).open(&target)?.set_modified(entry.metadata()?.modified()?)?;
        }
    }
    Ok(())
}

fn commit(original: &Path) -> Option<String> {
    let mut git = Command::new("git");
    git.arg("-C").arg(original).args(["rev-parse", "--short=12", "HEAD"]);
    output(&mut git).ok().map(|commit| commit.trim().to_owned())
}
