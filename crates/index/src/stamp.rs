//! Size and time of last change of a file or folder: what tells in a microsecond that nothing has changed.

use std::fs::Metadata;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// A time that no file has: the stamp cannot be trusted and the content decides.
pub(crate) const UNTRUSTED: i64 = -1;

/// Clocks of file systems tick in steps of up to 10 ms; some only know whole seconds, even ones.
const TICK_NS: i64 = 20_000_000;
const COARSE_TICK_NS: i64 = 2_000_000_000;
const SECOND_NS: i64 = 1_000_000_000;

/// What a stat says about a file or folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) mtime_ns: i64,
    pub(crate) size: u64,
}

impl Seen {
    /// What is remembered for something that is not there.
    pub(crate) const ABSENT: Seen = Seen { mtime_ns: 0, size: 0 };

    pub(crate) fn of(metadata: &Metadata) -> Seen {
        let mtime_ns = metadata.modified().map(to_ns).unwrap_or(UNTRUSTED);
        // The size of a folder says nothing and differs between file systems.
        let size = if metadata.is_dir() { 0 } else { metadata.len() };
        Seen { mtime_ns, size }
    }

    /// The stamp to remember for something read at `now`. A change within the same tick of the clock would leave the
    /// time as it is, so a stamp that young is not trusted.
    pub(crate) fn settled(self, now_ns: i64) -> Seen {
        let tick = if self.mtime_ns % SECOND_NS == 0 { COARSE_TICK_NS } else { TICK_NS };
        let racy = (now_ns - self.mtime_ns).abs() < tick;
        Seen { mtime_ns: if racy { UNTRUSTED } else { self.mtime_ns }, ..self }
    }
}

fn to_ns(time: SystemTime) -> i64 {
    match time.duration_since(UNIX_EPOCH) {
        Ok(after) => i64::try_from(after.as_nanos()).unwrap_or(UNTRUSTED),
        Err(before) => i64::try_from(before.duration().as_nanos()).map_or(UNTRUSTED, |ns| -ns),
    }
}

pub(crate) fn now_ns() -> i64 {
    to_ns(SystemTime::now())
}

/// What a stat found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    File,
    Folder,
    Other,
}

/// What a stat does at a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Links {
    Follow,
    Stay,
}

/// The project's folder, from which thousands of paths are looked up. The system then need not walk down to it each
/// time, which saves about a third.
#[cfg(unix)]
pub(crate) struct Root(std::os::fd::OwnedFd);

#[cfg(unix)]
impl Root {
    pub(crate) fn open(path: &Path) -> std::io::Result<Root> {
        use rustix::fs::{Mode, OFlags};
        Ok(Root(rustix::fs::open(path, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty())?))
    }

    /// A stat of a root-relative path.
    pub(crate) fn look(&self, path: &str, links: Links) -> Option<(Kind, Seen)> {
        use rustix::fs::{AtFlags, FileType};
        let flags = if links == Links::Stay { AtFlags::SYMLINK_NOFOLLOW } else { AtFlags::empty() };
        let stat = rustix::fs::statat(&self.0, named(path), flags).ok()?;
        let kind = match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => Kind::File,
            FileType::Directory => Kind::Folder,
            _ => Kind::Other,
        };
        let mtime_ns = stat.st_mtime * SECOND_NS + stat.st_mtime_nsec as i64;
        let size = if kind == Kind::Folder { 0 } else { stat.st_size as u64 };
        Some((kind, Seen { mtime_ns, size }))
    }

    /// Whether a file or folder can be read now.
    pub(crate) fn opens(&self, path: &str) -> bool {
        use rustix::fs::{Mode, OFlags};
        rustix::fs::openat(&self.0, named(path), OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK, Mode::empty())
            .is_ok()
    }
}

#[cfg(unix)]
fn named(path: &str) -> &str {
    if path.is_empty() { "." } else { path }
}

#[cfg(not(unix))]
pub(crate) struct Root(std::path::PathBuf);

#[cfg(not(unix))]
impl Root {
    pub(crate) fn open(path: &Path) -> std::io::Result<Root> {
        Ok(Root(path.to_owned()))
    }

    pub(crate) fn look(&self, path: &str, links: Links) -> Option<(Kind, Seen)> {
        let path = self.0.join(path);
        let metadata = if links == Links::Stay { path.symlink_metadata() } else { path.metadata() }.ok()?;
        let kind = match (metadata.is_file(), metadata.is_dir()) {
            (true, _) => Kind::File,
            (_, true) => Kind::Folder,
            _ => Kind::Other,
        };
        Some((kind, Seen::of(&metadata)))
    }

    pub(crate) fn opens(&self, path: &str) -> bool {
        std::fs::File::open(self.0.join(path)).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_to_look_give_the_same_stamp() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(folder.path().join("a b"), "text").expect("a file");
        let root = Root::open(folder.path()).expect("a folder");
        for (path, kind) in [("a b", Kind::File), ("", Kind::Folder)] {
            let metadata = folder.path().join(path).metadata().expect("it is there");
            assert_eq!(root.look(path, Links::Stay), Some((kind, Seen::of(&metadata))));
        }
        assert_eq!(root.look("nothing", Links::Follow), None);
    }

    #[test]
    fn a_stamp_of_the_current_tick_is_not_trusted() {
        let now = 1_700_000_000_123_456_789;
        let at = |mtime_ns| Seen { mtime_ns, size: 1 }.settled(now).mtime_ns;
        assert_eq!(at(now - 1_000_000), UNTRUSTED);
        assert_eq!(at(now - 30_000_000), now - 30_000_000);
        assert_eq!(at(1_699_999_999_000_000_000), UNTRUSTED);
        assert_eq!(at(1_600_000_000_000_000_000), 1_600_000_000_000_000_000);
        assert_eq!(at(now + 3_600 * SECOND_NS), now + 3_600 * SECOND_NS);
    }
}
