//! The events of systems other than Linux, by the `notify` crate. They come a little later than the change, so silence is
//! no proof: a server looks at the files all the same, and only `codegraph watch` waits for them.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher};
use rustc_hash::FxHashSet;

use crate::watch::{Folders, Queue};

/// Events below the root of a project, and those around it that it depends on.
pub(crate) struct Notified {
    watcher: RecommendedWatcher,
    shared: Arc<Shared>,
    /// Watched one by one, as they are not below the root.
    outer: FxHashSet<PathBuf>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    woken: Condvar,
}

#[derive(Default)]
struct State {
    /// Folders in which something matters, and which names in them: all if there are none.
    folders: std::collections::BTreeMap<PathBuf, Vec<String>>,
    touched: bool,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, event: notify::Result<Event>) {
        let mut state = self.state();
        let matters = match &event {
            // What was lost may have been anything.
            Err(_) => true,
            Ok(event) if event.need_rescan() || event.paths.is_empty() => true,
            Ok(event) => !event.kind.is_access() && event.paths.iter().any(|path| state.knows(path)),
        };
        state.touched |= matters;
        if matters {
            self.woken.notify_all();
        }
    }
}

impl State {
    fn knows(&self, path: &Path) -> bool {
        let named = |names: &Vec<String>| {
            names.is_empty() || path.file_name().is_some_and(|name| names.iter().any(|known| name == known.as_str()))
        };
        self.folders.contains_key(path) || path.parent().and_then(|folder| self.folders.get(folder)).is_some_and(named)
    }
}

impl Notified {
    pub(crate) fn new(root: &Path) -> Option<Notified> {
        let shared = Arc::new(Shared::default());
        let told = Arc::clone(&shared);
        let mut watcher = notify::recommended_watcher(move |event| told.take(event)).ok()?;
        watcher.watch(root, RecursiveMode::Recursive).ok()?;
        Some(Notified { watcher, shared, outer: FxHashSet::default() })
    }
}

impl Queue for Notified {
    fn add(&mut self, root: &Path, folders: &Folders) -> Option<usize> {
        let mut added = 0;
        for (folder, names) in folders.iter() {
            let folder = if folder.is_empty() { root.to_owned() } else { root.join(folder) };
            let folder = folder.canonicalize().unwrap_or(folder);
            if !folder.starts_with(root) && folder.is_dir() && self.outer.insert(folder.clone()) {
                self.watcher.watch(&folder, RecursiveMode::NonRecursive).ok()?;
            }
            added += usize::from(self.shared.state().folders.insert(folder, names.to_vec()).is_none());
        }
        Some(added)
    }

    fn quiet(&mut self) -> bool {
        !std::mem::take(&mut self.shared.state().touched)
    }

    fn wait(&self, at_most: Duration) -> bool {
        let state = self.shared.state();
        let waited = self.shared.woken.wait_timeout_while(state, at_most, |state| !state.touched);
        waited.map_or(true, |(state, _)| state.touched)
    }

    fn is_proof(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_matters_wakes_and_the_rest_does_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().canonicalize().expect("it is there");
        std::fs::create_dir(root.join("in")).expect("a folder");
        std::fs::create_dir(root.join("out")).expect("a folder");
        let mut queue = Notified::new(&root).expect("events");
        let folders = Folders::for_test(&[("", &["a.py"]), ("in", &[])]);
        assert_eq!(queue.add(&root, &folders), Some(2));
        assert!(queue.quiet());
        std::fs::write(root.join("out/x.py"), "").expect("a file");
        std::fs::write(root.join("b.py"), "").expect("a file");
        assert!(!queue.wait(Duration::from_millis(300)) && queue.quiet());
        std::fs::write(root.join("in/x.py"), "").expect("a file");
        assert!(queue.wait(Duration::from_secs(20)) && !queue.quiet());
    }
}
