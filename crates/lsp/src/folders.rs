//! The folders of the workspace and the projects behind them. What a folder is called by the client is what answers call
//! it, links or not.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use codegraph_index::{BuildOptions, InitOptions, Project, Silent};
use codegraph_runtime::{Served, below};

use crate::uri;

/// What can be asked about a folder.
#[derive(Clone)]
pub(crate) enum State {
    /// The project whose index knows it.
    Ready(Arc<Served>),
    /// An index is being built; meanwhile there is one of the open texts alone.
    Building(Option<Arc<Scratch>>),
    /// There is none.
    Without,
}

/// An index of nothing, in a folder of its own: what is asked there is answered from the open texts.
pub(crate) struct Scratch {
    served: Arc<Served>,
    /// Goes with it.
    _folder: tempfile::TempDir,
}

impl Scratch {
    pub(crate) fn new() -> Option<Arc<Scratch>> {
        let folder = tempfile::tempdir().ok()?;
        let root = folder.path().canonicalize().ok()?;
        codegraph_runtime::init(&root, &InitOptions::default(), &BuildOptions::default(), &Silent).ok()?;
        Some(Arc::new(Scratch { served: Arc::new(Served::new(&root)), _folder: folder }))
    }
}

/// A folder of the workspace.
pub(crate) struct Folder {
    /// As the client writes it.
    given: PathBuf,
    /// Without links.
    real: PathBuf,
    state: Mutex<State>,
}

impl Folder {
    pub(crate) fn open(given: &Path) -> Folder {
        let real = given.canonicalize().unwrap_or_else(|_| given.to_owned());
        let state = match Project::find(&real) {
            Ok(project) => State::Ready(Arc::new(Served::new(project.root()))),
            Err(_) => State::Without,
        };
        Folder { given: given.to_owned(), real, state: Mutex::new(state) }
    }

    pub(crate) fn state(&self) -> State {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn set(&self, state: State) {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner) = state;
    }

    pub(crate) fn served(&self) -> Option<Arc<Served>> {
        match self.state() {
            State::Ready(served) => Some(served),
            State::Building(_) | State::Without => None,
        }
    }

    /// What can be asked now, and whether that is a part of the project only.
    pub(crate) fn asked(&self) -> Option<(Arc<Served>, bool)> {
        match self.state() {
            State::Ready(served) => Some((served, false)),
            State::Building(scratch) => scratch.map(|scratch| (Arc::clone(&scratch.served), true)),
            State::Without => None,
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.real
    }

    /// The folder that paths of answers start from.
    fn root(&self) -> PathBuf {
        self.served().map_or_else(|| self.real.clone(), |served| served.root().to_owned())
    }

    /// The root-relative path of a file.
    pub(crate) fn relative(&self, path: &Path) -> Option<String> {
        let real = match path.strip_prefix(&self.given) {
            Ok(inner) => self.real.join(inner),
            Err(_) => real(path),
        };
        below(&self.root(), &real)
    }

    /// The URI of a file, in the client's words.
    pub(crate) fn uri(&self, file: &str) -> String {
        let path = self.root().join(file);
        match path.strip_prefix(&self.real) {
            Ok(inner) => uri::from_path(&self.given.join(inner)),
            Err(_) => uri::from_path(&path),
        }
    }
}

/// A path without links, of a file that may not be there yet.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| match (path.parent().map(Path::canonicalize), path.file_name()) {
        (Some(Ok(parent)), Some(name)) => parent.join(name),
        _ => path.to_owned(),
    })
}

/// All folders; those of the client, and projects of single files that are open.
#[derive(Default)]
pub(crate) struct Folders(RwLock<Vec<Arc<Folder>>>);

impl Folders {
    pub(crate) fn all(&self) -> Vec<Arc<Folder>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn add(&self, given: &Path) -> Arc<Folder> {
        if let Some(known) = self.all().into_iter().find(|folder| folder.given == given) {
            return known;
        }
        let folder = Arc::new(Folder::open(given));
        self.0.write().unwrap_or_else(PoisonError::into_inner).push(Arc::clone(&folder));
        folder
    }

    pub(crate) fn remove(&self, given: &Path) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).retain(|folder| folder.given != given);
    }

    /// The folder that a file is in, the innermost first, and its path there.
    pub(crate) fn of(&self, path: &Path) -> Option<(Arc<Folder>, String)> {
        let inside = |folder: Arc<Folder>| folder.relative(path).map(|file| (folder, file));
        self.all().into_iter().filter_map(inside).min_by_key(|(_, file)| file.len())
    }

    /// Makes a file outside of all folders known by its project, if it is in one.
    pub(crate) fn open_file(&self, path: &Path) {
        if self.of(path).is_none()
            && let Some(parent) = path.parent()
            && let Ok(project) = Project::find(parent)
        {
            self.add(project.root());
        }
    }

    /// Lets others write to the indexes.
    pub(crate) fn rest(&self, idle: Duration) {
        self.all().iter().filter_map(|folder| folder.served()).for_each(|served| served.rest(idle));
    }
}
