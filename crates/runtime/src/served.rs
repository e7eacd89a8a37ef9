//! A project that a running server answers for: open connections, and an index that is fresh at every question.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use codegraph_index::{BuildOptions, Project, Silent, UpdateOptions, open_current, same_settings};
use codegraph_model::{Advice, Overlay};
use codegraph_query::{Cancel, Note, Reader};
use codegraph_store::{Access, Snapshot, Store};

use crate::open::{Freshened, freshen, unread};
use crate::unsaved::Unsaved;
use crate::watch::{Folders, Watch};

/// Settings of git are outside of what is watched: they are looked at this often.
const SETTINGS_AGAIN: Duration = Duration::from_secs(5);
/// Writes through mapped memory are no events: all files are looked at this often.
const LOOK_AGAIN: Duration = Duration::from_secs(60);
/// How long a question waits for another process that is writing; then the answer names what is stale.
const PATIENCE: Duration = Duration::from_secs(3);
/// Connections that wait for the next question.
const MOST_IDLE: usize = 4;
/// Updates may make folders, whose content has to be looked at once they are watched.
const MOST_ROUNDS: usize = 3;

/// A project with its open connections. Any number of threads may ask at once.
pub struct Served {
    root: PathBuf,
    state: Mutex<State>,
    idle: Mutex<Vec<Held>>,
    /// One question at a time is about texts that are not saved.
    unsaved: Mutex<Unsaved>,
}

#[derive(Default)]
struct State {
    watch: Option<Watch>,
    /// The tree was looked at so recently, and was as the index says.
    checked: Option<Instant>,
    /// The settings were the same so recently.
    settings: Option<Instant>,
    /// What the next answer has to say about the index.
    note: Option<Note>,
}

/// A connection, and which file and which state of it its memory is about.
struct Held {
    reader: Reader,
    version: i64,
    file: Option<(u64, u64)>,
    /// The last answer; none if its memory was given back since.
    used: Option<Instant>,
}

/// What a question wants besides an answer.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// Go on to the linked projects.
    pub linked: bool,
    /// Texts that stand in for those on disk, by root-relative path.
    pub overlay: Arc<Overlay>,
    /// How to call the question off.
    pub cancel: Cancel,
}

/// A connection lent for one question.
pub struct Session<'s> {
    served: &'s Served,
    held: Option<Held>,
    /// Sees unsaved texts; asked instead of the other one, which waits.
    unsaved: Option<MutexGuard<'s, Unsaved>>,
    pub project: Project,
}

impl Served {
    pub fn new(root: &Path) -> Served {
        let state = State { watch: Watch::proven(root), ..State::default() };
        Served { root: root.to_owned(), state: Mutex::new(state), idle: Mutex::default(), unsaved: Mutex::default() }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A connection to an index that is up to date, or that knows which files are stale.
    pub fn session(&self) -> codegraph_index::Result<Session<'_>> {
        let project = Project::open(&self.root)?;
        let held = self.take(&project)?;
        let stale = self.freshen(&project, held.reader.store())?;
        let mut held = self.current(&project, held, stale)?;
        let notes = self.state().note.take().into_iter().collect();
        held.reader.set_linked(Vec::new(), notes);
        Ok(Session { served: self, held: Some(held), unsaved: None, project })
    }

    /// Answers a question from one state of the index.
    pub fn ask<T>(&self, question: impl Fn(&Session) -> anyhow::Result<T>) -> anyhow::Result<T> {
        self.ask_with(&Request::default(), question)
    }

    /// The same, with what the request asks for besides. An index that is damaged is built anew first, and the answer says
    /// so.
    pub fn ask_with<T>(
        &self,
        request: &Request,
        question: impl Fn(&Session) -> anyhow::Result<T>,
    ) -> anyhow::Result<T> {
        match self.ask_once(request, &question) {
            Err(error) if self.is_damaged(&error) => {
                self.rebuild(&error)?;
                self.ask_once(request, &question)
            }
            answer => answer,
        }
    }

    fn ask_once<T>(&self, request: &Request, question: &impl Fn(&Session) -> anyhow::Result<T>) -> anyhow::Result<T> {
        for _ in 1..MOST_ROUNDS {
            let session = self.session()?.prepared(request)?;
            let _snapshots = session.snapshots()?;
            // Somebody may have written just before the snapshot: what is remembered would be about another state.
            if session.is_current()? {
                return question(&session);
            }
        }
        let session = self.session()?.prepared(request)?;
        let _snapshots = session.snapshots()?;
        question(&session)
    }

    /// Whether a question failed because the index says nothing any more.
    fn is_damaged(&self, error: &anyhow::Error) -> bool {
        let index = Project::open(&self.root).map(|project| project.index_path());
        let cut_off = || {
            let index = index.as_ref().map(|index| codegraph_store::inspect(index));
            index.is_ok_and(|found| found.is_err_and(|error| error.is_damage()))
        };
        store_error(error).is_some_and(|error| error.is_damage() || cut_off())
    }

    fn rebuild(&self, why: &anyhow::Error) -> anyhow::Result<()> {
        let mut state = self.state();
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
        state.checked = None;
        let project = Project::open(&self.root)?;
        // Another question, or another server, may have done it meanwhile.
        let whole =
            project.store(Access::Read).is_ok_and(|store| store.integrity().is_ok_and(|found| found.is_empty()));
        if !whole {
            codegraph_index::build(&project, &BuildOptions::default(), &Silent)?;
        }
        let what = crate::Failure::of(why).message;
        state.note = Some(Note::Said(Advice::new(format!("{what}; the index was built anew"))));
        Ok(())
    }

    /// Takes the next question for one about an index that may have changed.
    pub fn touched(&self) {
        self.state().checked = None;
    }

    /// Lets others write and gives back memory, unless a question was asked so recently.
    pub fn rest(&self, idle: Duration) {
        if let Ok(mut unsaved) = self.unsaved.try_lock() {
            unsaved.rest(idle);
        }
        let mut connections = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let done = |held: &Held| held.used.is_some_and(|used| used.elapsed() >= idle);
        if connections.iter().any(done) && connections.iter().all(|held| held.used.is_none() || done(held)) {
            connections.truncate(1);
            connections.retain_mut(|held| held.used.take().is_none() || held.reader.sleep().is_ok());
        }
    }

    fn unsaved(&self) -> MutexGuard<'_, Unsaved> {
        self.unsaved.lock().unwrap_or_else(|poisoned| {
            // Nobody knows what the connection remembers.
            let mut unsaved = poisoned.into_inner();
            unsaved.let_go();
            self.unsaved.clear_poison();
            unsaved
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, project: &Project) -> codegraph_index::Result<Held> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        match idle.filter(|held| held.file == identity(&project.index_path())) {
            Some(held) => Ok(held),
            None => Held::open(project),
        }
    }

    /// What a connection remembers is about the index before an update.
    fn current(&self, project: &Project, held: Held, stale: Vec<String>) -> codegraph_index::Result<Held> {
        let same = held.version == held.reader.store().version()? && held.file == identity(&project.index_path());
        let held = if same { held } else { Held::open(project)? };
        Ok(Held { reader: held.reader.with_stale(stale), ..held })
    }

    /// One question looks, the others wait for what it finds.
    fn freshen(&self, project: &Project, store: &Store) -> codegraph_index::Result<Vec<String>> {
        let mut state = self.state();
        if state.is_quiet(project, store)? {
            return Ok(Vec::new());
        }
        state.checked = None;
        // Unsaved texts would be in the way of the update.
        self.unsaved().let_go();
        let how = UpdateOptions { patience: PATIENCE };
        for _ in 0..MOST_ROUNDS {
            state.arm(&self.root, store)?;
            let start = Instant::now();
            let Freshened { stale, replaced } = freshen(project, store, Some(&how))?;
            // Of an index that is another file now, the next question watches the folders.
            if !stale.is_empty() || replaced {
                return Ok(stale);
            }
            if state.arm(&self.root, store)? == 0 {
                (state.checked, state.settings) = (Some(start), Some(start));
                break;
            }
        }
        Ok(Vec::new())
    }
}

impl State {
    /// Whether nothing has happened since the tree was found to be as the index says.
    fn is_quiet(&mut self, project: &Project, store: &Store) -> codegraph_index::Result<bool> {
        let quiet = self.watch.as_mut().is_some_and(Watch::quiet);
        if !quiet || self.checked.is_none_or(|at| at.elapsed() >= LOOK_AGAIN) {
            return Ok(false);
        }
        if self.settings.is_none_or(|at| at.elapsed() >= SETTINGS_AGAIN) {
            let now = Instant::now();
            self.settings = same_settings(project, store)?.then_some(now);
        }
        Ok(self.settings.is_some())
    }

    /// Watches all folders of the index; how many were new. Without a watch there are none.
    fn arm(&mut self, root: &Path, store: &Store) -> codegraph_index::Result<usize> {
        let Some(watch) = &mut self.watch else {
            return Ok(0);
        };
        let added = watch.add(root, &Folders::of(store)?);
        if added.is_none() {
            self.watch = None;
        }
        Ok(added.unwrap_or(0))
    }
}

impl Held {
    fn open(project: &Project) -> codegraph_index::Result<Held> {
        let file = identity(&project.index_path());
        let store = open_current(project, &Silent)?;
        let version = store.version()?;
        let reader = Reader::new(project.root(), store).counting(unread(project));
        Ok(Held { reader, version, file, used: None })
    }
}

impl Session<'_> {
    fn prepared(mut self, request: &Request) -> anyhow::Result<Self> {
        if !request.overlay.is_empty() {
            let mut unsaved = self.served.unsaved();
            let differing = unsaved.differing(&self, &request.overlay)?;
            if !differing.is_empty() {
                unsaved.reader(&self.project, differing)?;
                self.unsaved = Some(unsaved);
            }
        }
        let reader = self.reader_mut();
        reader.set_cancel(request.cancel.clone());
        if request.linked {
            let (linked, mut notes) = codegraph_knowledge::linked(reader.store())?;
            notes.extend(reader.link_notes().iter().cloned());
            reader.set_linked(linked, notes);
        }
        Ok(self)
    }

    fn reader_mut(&mut self) -> &mut Reader {
        match &mut self.unsaved {
            Some(unsaved) => unsaved.current_mut(),
            None => &mut self.held.as_mut().expect("given back only when dropped").reader,
        }
    }

    /// Holds on to one state of the index, and of those of the linked projects.
    fn snapshots(&self) -> codegraph_store::Result<Vec<Snapshot<'_>>> {
        // An overlay is a state of its own already.
        let own = self.unsaved.is_none().then_some(&**self);
        own.into_iter().chain(self.linked()).map(|reader| reader.store().snapshot()).collect()
    }

    /// Whether the connection reads the state that its memory is about.
    fn is_current(&self) -> codegraph_index::Result<bool> {
        let held = self.held.as_ref().expect("given back only when dropped");
        Ok(held.version == held.reader.store().version()?)
    }
}

impl Deref for Session<'_> {
    type Target = Reader;

    fn deref(&self) -> &Reader {
        match &self.unsaved {
            Some(unsaved) => unsaved.current(),
            None => &self.held.as_ref().expect("given back only when dropped").reader,
        }
    }
}

impl Drop for Session<'_> {
    fn drop(&mut self) {
        // After a panic nobody knows what the connection remembers.
        if std::thread::panicking() {
            return;
        }
        if let Some(unsaved) = &mut self.unsaved {
            unsaved.answered();
        }
        if let Some(held) = &mut self.held {
            held.reader.set_linked(Vec::new(), Vec::new());
            held.reader.set_cancel(Cancel::default());
            held.reader.rest();
            held.used = Some(Instant::now());
        }
        let mut idle = self.served.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < MOST_IDLE {
            idle.extend(self.held.take());
        }
    }
}

/// The error of the index behind an error, whichever crate it went through.
fn store_error(error: &anyhow::Error) -> Option<&codegraph_store::Error> {
    use codegraph_index::Error as Index;
    use codegraph_knowledge::Error as Knowledge;
    use codegraph_query::Error as Query;
    if let Some(Index::Store(store)) = error.downcast_ref() {
        return Some(store);
    }
    if let Some(Query::Store(store)) = error.downcast_ref() {
        return Some(store);
    }
    match error.downcast_ref() {
        Some(
            Knowledge::Store(store) | Knowledge::Index(Index::Store(store)) | Knowledge::Query(Query::Store(store)),
        ) => Some(store),
        _ => error.downcast_ref(),
    }
}

/// Tells a new index from the old one that it replaced.
pub(crate) fn identity(path: &Path) -> Option<(u64, u64)> {
    let metadata = path.metadata().ok()?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        Some((metadata.dev(), metadata.ino()))
    }
    #[cfg(not(unix))]
    {
        let made = metadata.created().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
        Some((made.as_secs(), u64::from(made.subsec_nanos())))
    }
}
