//! What every command has: the global options, the project, and a fresh index to ask.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use codegraph_index::{Changes, Freshness, Project, UpdateOptions, check, refresh};
use codegraph_query::Reader;
use codegraph_store::{Access, Store};

use crate::{Color, Global};

/// The global options, settled.
pub(crate) struct Context {
    project: Option<PathBuf>,
    pub(crate) json: bool,
    pub(crate) colour: bool,
    no_update: bool,
}

impl Context {
    pub(crate) fn new(global: Global) -> Context {
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        Context {
            project: global.project,
            json: global.json,
            no_update: global.no_update,
            colour: match global.color {
                Color::Always => true,
                Color::Never => false,
                Color::Auto => !plain && std::io::stdout().is_terminal(),
            },
        }
    }

    /// The folder that `--project` names.
    pub(crate) fn given_folder(&self) -> Option<&Path> {
        self.project.as_deref()
    }

    /// The project that was named, or that the current folder is in.
    pub(crate) fn project(&self) -> anyhow::Result<Project> {
        match &self.project {
            Some(folder) => Ok(Project::open(folder)?),
            None => Ok(Project::find(Path::new("."))?),
        }
    }

    /// The project and its index, brought up to date first unless that is switched off.
    pub(crate) fn reader(&self) -> anyhow::Result<Reader> {
        let project = self.project()?;
        // Opened before and kept during the update: the last connection to close removes files that the next one makes.
        let store = project.store(Access::Read)?;
        let stale = self.freshen(&project, &store)?;
        Ok(standing(&project, Reader::new(project.root(), store)).with_stale(stale))
    }

    /// The index as it is.
    pub(crate) fn reader_of(&self, project: &Project) -> anyhow::Result<Reader> {
        Ok(standing(project, Reader::open(project.root(), &project.index_path())?))
    }

    /// Brings the index up to date. Where that is not wanted or not possible, the files that are stale.
    fn freshen(&self, project: &Project, store: &Store) -> anyhow::Result<Vec<String>> {
        if !self.no_update && project.config().auto_update {
            match refresh(project, store, &UpdateOptions::default()) {
                Ok(_) => return Ok(Vec::new()),
                Err(error) if answerable(&error) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(match check(project, store)? {
            Freshness::Fresh => Vec::new(),
            Freshness::Changed(changes) => names(changes),
        })
    }

    /// The root-relative form of a path from the command line: from the current folder, else from the root.
    pub(crate) fn path(&self, project: &Project, given: &str) -> anyhow::Result<String> {
        let here = std::env::current_dir().context("the current folder could not be found")?;
        let from_here = project.relative(Path::new(given), &here);
        match from_here {
            Ok(path) if project.absolute(&path).exists() => Ok(path),
            other => match project.relative(Path::new(given), project.root()) {
                Ok(path) if project.absolute(&path).exists() => Ok(path),
                Ok(path) => Ok(other.unwrap_or(path)),
                Err(error) => Ok(other.map_err(|_| error)?),
            },
        }
    }
}

/// Another writer at work or a folder that may not be written: the index can still be asked.
fn answerable(error: &codegraph_index::Error) -> bool {
    use codegraph_index::Error::{Io, Locked, Store};
    use codegraph_store::Error as Index;
    matches!(error, Locked { .. } | Io { .. } | Store(Index::Locked | Index::Io { .. } | Index::Sqlite(_)))
}

fn names(changes: Changes) -> Vec<String> {
    let mut names: Vec<String> = [changes.added, changes.changed, changes.removed].concat();
    names.sort_unstable();
    names.dedup();
    if names.is_empty() && changes.renamed {
        names.push("(names of packages or modules)".to_owned());
    }
    names
}

/// Relative paths are tried in the current folder first.
fn standing(project: &Project, reader: Reader) -> Reader {
    match folder_in(project) {
        Some(folder) => reader.standing_in(&folder),
        None => reader,
    }
}

/// The current folder, root-relative, if it is inside the project.
fn folder_in(project: &Project) -> Option<String> {
    let here = std::env::current_dir().ok()?.canonicalize().ok()?;
    here.strip_prefix(project.root()).ok()?.to_str().map(str::to_owned)
}
