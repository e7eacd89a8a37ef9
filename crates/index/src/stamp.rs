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
    /// What changes with the content and cannot be set back, see [`mark`]; 0 where the system has nothing of that kind.
    pub(crate) mark: i64,
}

impl Seen {
    /// What is remembered for something that is not there.
    pub(crate) const ABSENT: Seen = Seen { mtime_ns: 0, size: 0, mark: 0 };

    pub(crate) fn of(metadata: &Metadata) -> Seen {
        let mtime_ns = metadata.modified().map(to_ns).unwrap_or(UNTRUSTED);
        // The size of a folder says nothing and differs between file systems.
        let size = if metadata.is_dir() { 0 } else { metadata.len() };
        Seen { mtime_ns, size, mark: mark_of(metadata) }
    }

    /// The stamp to remember for something read at `now`. A change within the same tick of the clock would leave the
    /// times as they are, so a stamp that young is not trusted.
    pub(crate) fn settled(metadata: &Metadata, now_ns: i64) -> Seen {
        let seen = Seen::of(metadata);
        let racy = is_racy(seen.mtime_ns, now_ns) || changed_ns(metadata).is_some_and(|at| is_racy(at, now_ns));
        Seen { mtime_ns: if racy { UNTRUSTED } else { seen.mtime_ns }, ..seen }
    }
}

fn is_racy(at_ns: i64, now_ns: i64) -> bool {
    let tick = if at_ns % SECOND_NS == 0 { COARSE_TICK_NS } else { TICK_NS };
    (now_ns - at_ns).abs() < tick
}

/// The time of the last change of a file or of what is known about it, and its number, in 48 bits. Folders are told by
/// their time alone: layered file systems give them other numbers at every start.
#[cfg(unix)]
fn mark(changed_ns: i64, inode: u64, is_dir: bool) -> i64 {
    let inode = if is_dir { 0 } else { inode };
    let mixed = (changed_ns as u64 ^ inode.wrapping_mul(0xff51_afd7_ed55_8ccd)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 16) as i64
}

#[cfg(unix)]
fn mark_of(metadata: &Metadata) -> i64 {
    use std::os::unix::fs::MetadataExt;
    mark(metadata.ctime() * SECOND_NS + metadata.ctime_nsec(), metadata.ino(), metadata.is_dir())
}

#[cfg(unix)]
fn changed_ns(metadata: &Metadata) -> Option<i64> {
    use std::os::unix::fs::MetadataExt;
    Some(metadata.ctime() * SECOND_NS + metadata.ctime_nsec())
}

#[cfg(not(unix))]
fn mark_of(_: &Metadata) -> i64 {
    0
}

#[cfg(not(unix))]
fn changed_ns(_: &Metadata) -> Option<i64> {
    None
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
        let changed_ns = stat.st_ctime * SECOND_NS + stat.st_ctime_nsec as i64;
        Some((kind, Seen { mtime_ns, size, mark: mark(changed_ns, stat.st_ino, kind == Kind::Folder) }))
    }

    /// Whether a file or folder can be read now.
    pub(crate) fn opens(&self, path: &str) -> bool {
        use rustix::fs::{Mode, OFlags};
        const OPENED: OFlags =
            OFlags::RDONLY.union(OFlags::CLOEXEC).union(OFlags::NONBLOCK).union(OFlags::NOFOLLOW).union(OFlags::NOCTTY);
        rustix::fs::openat(&self.0, named(path), OPENED, Mode::empty()).is_ok()
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
        codegraph_files::open_below(&self.0, path).is_ok() || self.0.join(path).read_dir().is_ok()
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
        assert!(is_racy(now - 1_000_000, now) && !is_racy(now - 30_000_000, now));
        assert!(is_racy(1_699_999_999_000_000_000, now) && !is_racy(1_600_000_000_000_000_000, now));
        assert!(!is_racy(now + 3_600 * SECOND_NS, now));
    }
}
