//! Whether anything in a project's tree was touched since the last question, without a thread and without a delay.
//!
//! The kernel queues an event before the write that causes it returns. The queue is read when a question comes, so a
//! quiet queue proves that nothing changed. Where there is no such queue (other systems, network file systems, too
//! many folders) there is no watch, and every question looks at the files themselves.

use std::path::Path;
use std::time::Duration;

use codegraph_store::{Result, Store, Watched};

/// The folders that an index depends on, and which names in them matter: all if there are none.
pub(crate) struct Folders(Vec<(String, Vec<String>)>);

impl Folders {
    pub(crate) fn of(store: &Store) -> Result<Folders> {
        let mut folders: Vec<(String, Vec<String>)> = Vec::new();
        for input in store.inputs()? {
            match input.watched {
                Watched::Folder => folders.push((input.path, Vec::new())),
                _ => folders.push((parent(&input.path).to_owned(), vec![name(&input.path).to_owned(), ".git".into()])),
            }
        }
        folders.extend(store.stamps()?.into_iter().map(|file| (parent(&file.path).to_owned(), Vec::new())));
        folders.sort_unstable();
        // A folder of which everything matters sorts first and takes the others along.
        folders.dedup_by(|later, first| {
            let same = later.0 == first.0;
            if same && !first.1.is_empty() {
                first.1.append(&mut later.1);
            }
            same
        });
        Ok(Folders(folders))
    }
}

impl Folders {
    /// The folders and the names in them that matter, for systems that are told about all of them at once.
    #[cfg(any(not(target_os = "linux"), test))]
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &[String])> {
        self.0.iter().map(|(folder, names)| (folder.as_str(), names.as_slice()))
    }

    #[cfg(test)]
    pub(crate) fn for_test(folders: &[(&str, &[&str])]) -> Folders {
        let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Folders(folders.iter().map(|(folder, names)| ((*folder).to_owned(), owned(names))).collect())
    }
}

/// What a system tells about changes.
pub(crate) trait Queue: Send {
    /// Watches folders that are not watched yet and says how many there were; `None` if one cannot be.
    fn add(&mut self, root: &Path, folders: &Folders) -> Option<usize>;

    /// Whether nothing that matters has happened since the last call.
    fn quiet(&mut self) -> bool;

    /// Waits until something happens, and says whether it did.
    fn wait(&self, at_most: Duration) -> bool;

    /// Whether a quiet queue proves that nothing has changed.
    fn is_proof(&self) -> bool;
}

/// The events of this system.
pub(crate) struct Watch(Box<dyn Queue>);

impl Watch {
    #[cfg(target_os = "linux")]
    pub(crate) fn new(root: &Path) -> Option<Watch> {
        Some(Watch(Box::new(linux::Inotify::new(root)?)))
    }

    #[cfg(not(target_os = "linux"))]
    pub(crate) fn new(root: &Path) -> Option<Watch> {
        Some(Watch(Box::new(crate::notified::Notified::new(root)?)))
    }

    /// For questions, which trust nothing but a proof.
    pub(crate) fn proven(root: &Path) -> Option<Watch> {
        Watch::new(root).filter(|watch| watch.0.is_proof())
    }

    pub(crate) fn add(&mut self, root: &Path, folders: &Folders) -> Option<usize> {
        self.0.add(root, folders)
    }

    pub(crate) fn quiet(&mut self) -> bool {
        self.0.quiet()
    }

    pub(crate) fn wait(&self, at_most: Duration) -> bool {
        self.0.wait(at_most)
    }
}

fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| if folder.is_empty() { "/" } else { folder })
}

fn name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

#[cfg(target_os = "linux")]
mod linux {
    use std::ffi::OsStr;
    use std::mem::MaybeUninit;
    use std::os::fd::OwnedFd;
    use std::os::unix::ffi::OsStrExt;

    use rustc_hash::{FxHashMap, FxHashSet};
    use rustix::fs::inotify::{self, CreateFlags, ReadFlags, WatchFlags};
    use rustix::io::Errno;

    use super::{Duration, Folders, Path, Queue};

    /// File systems that others change without our kernel seeing it: NFS, SMB, CIFS, SMB2, 9P, FUSE, AFS, Ceph, Coda.
    const REMOTE: &[u32] =
        &[0x6969, 0x517b, 0xff53_4d42, 0xfe53_4d42, 0x0102_1997, 0x6573_5546, 0x5346_414f, 0x00c3_6400, 0x7375_7245];

    /// A queue of what happens in the folders of a project.
    pub(crate) struct Inotify {
        queue: OwnedFd,
        /// By the kernel's number of a folder; no names means all.
        folders: FxHashMap<i32, FxHashSet<Vec<u8>>>,
        known: FxHashSet<String>,
    }

    impl Inotify {
        pub(crate) fn new(root: &Path) -> Option<Inotify> {
            let kind = rustix::fs::statfs(root).ok()?.f_type as u32;
            if REMOTE.contains(&kind) {
                return None;
            }
            let queue = inotify::init(CreateFlags::NONBLOCK | CreateFlags::CLOEXEC).ok()?;
            Some(Inotify { queue, folders: FxHashMap::default(), known: FxHashSet::default() })
        }
    }

    impl Queue for Inotify {
        fn add(&mut self, root: &Path, folders: &Folders) -> Option<usize> {
            let what = WatchFlags::MODIFY
                | WatchFlags::ATTRIB
                | WatchFlags::CREATE
                | WatchFlags::DELETE
                | WatchFlags::MOVED_FROM
                | WatchFlags::MOVED_TO
                | WatchFlags::DELETE_SELF
                | WatchFlags::MOVE_SELF
                | WatchFlags::ONLYDIR;
            let mut added = 0;
            for (folder, names) in &folders.0 {
                if self.known.contains(folder) {
                    continue;
                }
                match inotify::add_watch(&self.queue, root.join(folder), what) {
                    Ok(number) => {
                        let names = names.iter().map(|name| name.clone().into_bytes()).collect();
                        self.folders.insert(number, names);
                    }
                    // A folder that does not exist, or outside that may not be seen: what it would hold does not either.
                    Err(Errno::NOENT | Errno::NOTDIR | Errno::ACCESS) => continue,
                    Err(_) => return None,
                }
                self.known.insert(folder.clone());
                added += 1;
            }
            Some(added)
        }

        fn quiet(&mut self) -> bool {
            let mut quiet = true;
            let mut buffer = [MaybeUninit::uninit(); 4096];
            let mut gone = Vec::new();
            let mut events = inotify::Reader::new(&self.queue, &mut buffer);
            loop {
                let event = match events.next() {
                    Ok(event) => event,
                    Err(Errno::WOULDBLOCK) => break,
                    Err(Errno::INTR) => continue,
                    Err(_) => return false,
                };
                if event.events().contains(ReadFlags::IGNORED) {
                    gone.push(event.wd());
                }
                let name = event.file_name().map(|name| OsStr::from_bytes(name.to_bytes()).as_bytes());
                let matters = match (self.folders.get(&event.wd()), name) {
                    (Some(names), Some(name)) => names.is_empty() || names.contains(name),
                    // An overflow, or the folder itself.
                    _ => true,
                };
                quiet &= !matters;
            }
            if !gone.is_empty() {
                // Which path it was is not known any more; all are looked at again.
                self.known.clear();
                gone.iter().for_each(|number| {
                    self.folders.remove(number);
                });
            }
            quiet
        }

        fn wait(&self, at_most: Duration) -> bool {
            use rustix::event::{PollFd, PollFlags, Timespec, poll};
            let timeout = Timespec { tv_sec: at_most.as_secs() as _, tv_nsec: at_most.subsec_nanos().into() };
            let mut queues = [PollFd::new(&self.queue, PollFlags::IN)];
            // What cannot be waited for is looked at.
            poll(&mut queues, Some(&timeout)).map_or(true, |ready| ready > 0)
        }

        fn is_proof(&self) -> bool {
            true
        }
    }
}
