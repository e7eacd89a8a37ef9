//! The projects that a running server has open, by the path that a question names.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use codegraph_index::{Error, Project, Result};

use crate::Served;

/// More than so many are closed again, the longest unused first.
const MOST_OPEN: usize = 16;

/// All open projects. The first one asked about by default is the one that the server was started in.
pub struct Projects {
    /// Where the server was started.
    home: PathBuf,
    /// Only projects in these folders are opened, and the one that home is in.
    roots: Vec<PathBuf>,
    /// The last one used is at the end.
    open: Mutex<Vec<Arc<Served>>>,
}

impl Projects {
    /// Serves what is in `home` and below, and in `roots` and below.
    pub fn new(home: &Path, roots: &[PathBuf]) -> Projects {
        let roots = std::iter::once(home).chain(roots.iter().map(PathBuf::as_path)).map(real).collect();
        Projects { home: home.to_owned(), roots, open: Mutex::default() }
    }

    /// The folder that the server was started in, or was told to serve.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// The project that a path is in; relative ones start at home, none means the project of home.
    pub fn get(&self, path: Option<&Path>) -> Result<Arc<Served>> {
        let folder = path.map_or_else(|| self.home.clone(), |path| self.home.join(path));
        if let Some(known) = self.known(&folder) {
            return Ok(known);
        }
        let found = Project::find(&folder);
        // What there is outside is not told either.
        if path.is_some() {
            self.admit(found.as_ref().map_or(&folder, Project::root))?;
        }
        let root = found?.root().to_owned();
        if let Some(known) = self.known(&root) {
            return Ok(known);
        }
        let served = Arc::new(Served::new(&root));
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.push(Arc::clone(&served));
        if open.len() > MOST_OPEN {
            open.remove(0);
        }
        Ok(served)
    }

    /// A folder that a question names, if it may be served.
    pub fn folder(&self, path: Option<&Path>) -> Result<PathBuf> {
        let folder = path.map_or_else(|| self.home.clone(), |path| self.home.join(path));
        self.admit(&folder)?;
        Ok(folder)
    }

    fn admit(&self, folder: &Path) -> Result<()> {
        let place = real(folder);
        let inside = self.roots.iter().any(|root| place.starts_with(root));
        let own = || Project::find(&self.home).is_ok_and(|project| place.starts_with(project.root()));
        if inside || own() { Ok(()) } else { Err(Error::NotServed(folder.to_owned())) }
    }

    fn known(&self, root: &Path) -> Option<Arc<Served>> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let place = open.iter().position(|served| served.root() == root)?;
        let served = open.remove(place);
        open.push(Arc::clone(&served));
        Some(served)
    }
}

/// A path without links and `..`, as far as it is there. What cannot be told leads nowhere.
fn real(path: &Path) -> PathBuf {
    let there = path.ancestors().find_map(|part| Some((part, part.canonicalize().ok()?)));
    let Some((part, real)) = there else { return PathBuf::new() };
    let rest = path.strip_prefix(part).unwrap_or(Path::new(""));
    let plain = rest.components().all(|part| matches!(part, std::path::Component::Normal(_)));
    if plain { real.join(rest) } else { PathBuf::new() }
}
