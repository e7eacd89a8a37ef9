//! The projects that a running server has open, by the path that a question names.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use codegraph_index::{Project, Result};

use crate::Served;

/// More than so many are closed again, the longest unused first.
const MOST_OPEN: usize = 16;

/// All open projects. The first one asked about by default is the one that the server was started in.
pub struct Projects {
    /// Where the server was started.
    home: PathBuf,
    /// The last one used is at the end.
    open: Mutex<Vec<Arc<Served>>>,
}

impl Projects {
    pub fn new(home: &Path) -> Projects {
        Projects { home: home.to_owned(), open: Mutex::default() }
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
        let root = Project::find(&folder)?.root().to_owned();
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

    fn known(&self, root: &Path) -> Option<Arc<Served>> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let place = open.iter().position(|served| served.root() == root)?;
        let served = open.remove(place);
        open.push(Arc::clone(&served));
        Some(served)
    }
}
