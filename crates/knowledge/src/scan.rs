//! Which indexed projects there are below a folder.

use std::path::{Path, PathBuf};

use codegraph_index::Project;
use codegraph_model::{Advice, Mends};
use codegraph_store::Access;
use serde::Serialize;

use crate::{Error, Result};

/// Folders that are looked into at most.
const MOST_FOLDERS: usize = 200_000;

/// Names of folders in which others keep what they made or fetched.
const SKIPPED: &[&str] = &["node_modules", "target", "__pycache__", "vendor"];

/// A question for the projects below a folder.
#[derive(Clone, Debug)]
pub struct Scan {
    pub path: PathBuf,
    /// How many levels to go down.
    pub depth: usize,
}

/// A project that was found.
#[derive(Clone, Debug, Serialize)]
pub struct ScannedProject {
    pub path: String,
    pub name: String,
    pub files: u64,
    /// Seconds since the epoch.
    pub last_update: i64,
    /// Why its index cannot be asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<Advice>,
}

/// The projects below a folder, by path.
#[derive(Clone, Debug, Serialize)]
pub struct ScanAnswer {
    pub root: String,
    pub projects: Vec<ScannedProject>,
    pub total: usize,
    /// How many folders were looked into.
    pub folders: usize,
    /// There are more folders than are looked into.
    pub cut: bool,
}

/// Answers which indexed projects there are below a folder. Links, hidden folders and folders of fetched packages are
/// not entered.
pub fn scan(question: &Scan) -> Result<ScanAnswer> {
    let root = question.path.canonicalize().map_err(Error::io(&question.path))?;
    if !root.is_dir() {
        return Err(Error::invalid(format!("{} is not a folder", root.display()), "give a folder"));
    }
    let mut projects = Vec::new();
    let (mut open, mut folders) = (vec![(root.clone(), 0)], 0);
    while let Some((folder, depth)) = open.pop() {
        if folders == MOST_FOLDERS {
            break;
        }
        folders += 1;
        projects.extend(project(&folder));
        if depth < question.depth {
            open.extend(inner(&folder).into_iter().map(|inner| (inner, depth + 1)));
        }
    }
    projects.sort_by(|a, b| a.path.cmp(&b.path));
    let cut = !open.is_empty();
    Ok(ScanAnswer { root: root.display().to_string(), total: projects.len(), projects, folders, cut })
}

fn project(folder: &Path) -> Option<ScannedProject> {
    let usual = folder.join(".codegraph/index.db");
    if !usual.is_file() && !Project::open(folder).is_ok_and(|project| project.index_path().is_file()) {
        return None;
    }
    let mut found = ScannedProject {
        path: folder.display().to_string(),
        name: folder.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
        files: 0,
        last_update: 0,
        note: None,
    };
    let opened = Project::open(folder).and_then(|project| {
        let statistics = project.store(Access::Read)?.statistics()?;
        Ok((project, statistics))
    });
    match opened {
        Ok((project, statistics)) => {
            found.name = project.name().to_owned();
            (found.files, found.last_update) = (statistics.files, statistics.last_update);
        }
        Err(error) => found.note = Some(error.advice()),
    }
    Some(found)
}

fn inner(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        // A folder that may not be read has nothing to show.
        return Vec::new();
    };
    let folders = entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    let entered = folders.filter(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        !name.starts_with('.') && !SKIPPED.contains(&name.as_ref())
    });
    entered.map(|entry| entry.path()).collect()
}
