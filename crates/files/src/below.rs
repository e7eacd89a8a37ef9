//! Files of the project: opened from its folder downwards, without following a link on the way.

use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result, Write as _};
use std::path::{Path, PathBuf};

/// Opens a plain file by its root-relative path. A link, a path that leads out, a pipe or a device is an error, at once.
pub fn open_below(root: &Path, path: &str) -> Result<File> {
    let file = descend(root, Path::new(path))?;
    match file.metadata()?.is_file() {
        true => Ok(file),
        false => Err(no_file()),
    }
}

/// The content of such a file, if it is not larger than `limit`.
pub fn read_below(root: &Path, path: &str, limit: u64) -> Result<Vec<u8>> {
    let file = open_below(root, path)?;
    let size = file.metadata()?.len();
    let mut bytes = Vec::with_capacity(size.min(limit) as usize + 1);
    file.take(limit + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > limit {
        true => Err(Error::new(ErrorKind::FileTooLarge, format!("more than {limit} bytes"))),
        false => Ok(bytes),
    }
}

/// Replaces the content of such a file. It keeps its permissions, and is there as a whole or not at all.
pub fn replace_below(root: &Path, path: &str, bytes: &[u8]) -> Result<()> {
    let permissions = open_below(root, path)?.metadata()?.permissions();
    let failed = |error: crate::Error| Error::other(error.to_string());
    let mut new = crate::Replacement::of(&root.join(path)).map_err(failed)?;
    new.file().write_all(bytes)?;
    new.file().set_permissions(permissions)?;
    new.finish().map_err(failed)
}

/// Gives such a file another name in its folder, which nothing may have yet.
pub fn move_below(root: &Path, path: &str, new_path: &str) -> Result<()> {
    drop(open_below(root, path)?);
    let (old, new) = (root.join(path), root.join(new_path));
    if old.parent() != new.parent() || new.file_name().is_none() {
        return Err(Error::new(ErrorKind::InvalidInput, "another folder"));
    }
    if new.symlink_metadata().is_ok() {
        return Err(Error::new(ErrorKind::AlreadyExists, format!("'{new_path}' is there already")));
    }
    std::fs::rename(&old, &new)
}

/// The folder of a project, held open: for who opens very many of its files.
pub struct Below {
    root: PathBuf,
    #[cfg(unix)]
    folder: std::os::fd::OwnedFd,
}

impl Below {
    pub fn of(root: &Path) -> Result<Below> {
        Ok(Below {
            root: root.to_owned(),
            #[cfg(unix)]
            folder: unix::folder(root)?,
        })
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The same as [`open_below`]; the path may be of any bytes.
    pub fn open(&self, path: &Path) -> Result<File> {
        let file = self.open_listed(path)?;
        match file.metadata()?.is_file() {
            true => Ok(file),
            false => Err(no_file()),
        }
    }

    /// Opens what a listing of its folder just called a plain file. Whoever puts a pipe in its place meanwhile gains
    /// nothing: opening does not wait for it, and it has no text.
    pub fn open_listed(&self, path: &Path) -> Result<File> {
        #[cfg(unix)]
        return unix::open_in(&self.folder, path);
        #[cfg(not(unix))]
        descend(&self.root, path)
    }
}

fn no_file() -> Error {
    Error::new(ErrorKind::InvalidInput, "it is a link or no plain file")
}

#[cfg(unix)]
mod unix {
    use std::os::fd::OwnedFd;
    use std::path::{Component, Path};

    use rustix::fs::{Mode, OFlags, openat};
    use rustix::io::Errno;

    use super::{Result, no_file};

    const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
    const FILE: OFlags =
        OFlags::RDONLY.union(OFlags::NOFOLLOW).union(OFlags::NONBLOCK).union(OFlags::NOCTTY).union(OFlags::CLOEXEC);

    pub(super) fn folder(root: &Path) -> Result<OwnedFd> {
        Ok(rustix::fs::open(root, FOLDER, Mode::empty())?)
    }

    pub(super) fn descend(root: &Path, path: &Path) -> Result<std::fs::File> {
        open_in(&folder(root)?, path)
    }

    pub(super) fn open_in(folder: &OwnedFd, path: &Path) -> Result<std::fs::File> {
        let opened = in_one_step(folder, path).unwrap_or_else(|| step_by_step(folder.try_clone()?, path))?;
        Ok(std::fs::File::from(opened))
    }

    /// Nothing where the system cannot do that.
    #[cfg(target_os = "linux")]
    fn in_one_step(root: &OwnedFd, path: &Path) -> Option<Result<OwnedFd>> {
        use rustix::fs::{ResolveFlags, openat2};
        let how = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
        match openat2(root, path, FILE, Mode::empty(), how) {
            Err(Errno::NOSYS | Errno::PERM | Errno::AGAIN) => None,
            Err(Errno::LOOP | Errno::XDEV) => Some(Err(no_file())),
            other => Some(other.map_err(Into::into)),
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn in_one_step(_: &OwnedFd, _: &Path) -> Option<Result<OwnedFd>> {
        None
    }

    pub(super) fn step_by_step(root: OwnedFd, path: &Path) -> Result<OwnedFd> {
        let mut folder = root;
        let mut parts = path.components().peekable();
        while let Some(part) = parts.next() {
            let Component::Normal(name) = part else { return Err(no_file()) };
            let flags = if parts.peek().is_some() { FOLDER | OFlags::NOFOLLOW } else { FILE };
            folder = openat(&folder, name, flags, Mode::empty()).map_err(|error| match error {
                Errno::LOOP | Errno::NOTDIR | Errno::MLINK => no_file(),
                other => other.into(),
            })?;
        }
        Ok(folder)
    }
}

#[cfg(unix)]
use unix::descend;

#[cfg(not(unix))]
fn descend(root: &Path, path: &Path) -> Result<File> {
    let mut whole = root.to_owned();
    for part in path.components() {
        let std::path::Component::Normal(name) = part else { return Err(no_file()) };
        whole.push(name);
        if whole.symlink_metadata()?.is_symlink() {
            return Err(no_file());
        }
    }
    File::open(whole)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// Both ways down, as one answer.
    fn opens(root: &Path, path: &str) -> bool {
        let folder: std::os::fd::OwnedFd = File::open(root).expect("a folder").into();
        let stepped = unix::step_by_step(folder, Path::new(path)).map(File::from);
        let stepped = stepped.and_then(|file| file.metadata()).is_ok_and(|found| found.is_file());
        assert_eq!(open_below(root, path).is_ok(), stepped, "{path}");
        let held = Below::of(root).expect("a folder");
        assert_eq!(held.open(Path::new(path)).is_ok(), stepped, "{path}");
        stepped
    }

    #[test]
    fn only_plain_files_inside_are_opened() {
        use std::os::unix::fs::symlink;
        let all = tempfile::tempdir().expect("a temporary folder");
        let (root, outside) = (all.path().join("root"), all.path().join("outside"));
        std::fs::create_dir_all(root.join("a/b")).expect("folders");
        std::fs::create_dir(&outside).expect("a folder");
        std::fs::write(outside.join("secret"), "x").expect("a file");
        std::fs::write(root.join("a/b/plain"), "x").expect("a file");
        symlink(&outside, root.join("way")).expect("a link");
        symlink(outside.join("secret"), root.join("a/link")).expect("a link");
        symlink("b/plain", root.join("a/inner")).expect("a link");
        rustix::fs::mkfifoat(rustix::fs::CWD, root.join("pipe"), 0o600.into()).expect("a pipe");
        assert!(opens(&root, "a/b/plain"));
        for path in ["a/link", "a/inner", "way/secret", "../outside/secret", "a/../../outside/secret", "pipe", "a/b"] {
            assert!(!opens(&root, path), "{path}");
        }
        let absolute = outside.join("secret");
        assert!(!opens(&root, absolute.to_str().expect("a name")));
        assert_eq!(read_below(&root, "a/b/plain", 1).expect("small enough"), b"x");
        assert!(read_below(&root, "a/b/plain", 0).is_err());
    }
}
