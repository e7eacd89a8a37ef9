//! Files of ours in `.codegraph/`: plain files with one name that belong to us or to whom the project belongs.

use std::ffi::OsStr;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{ErrorKind, Read};
use std::path::Path;

use crate::{Error, Result};

/// What a file is opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    Read,
    /// It is changed in place, so a second name of it would change too.
    Write,
}

/// Whether a folder of this name holds files of ours.
pub fn is_data_folder(name: &OsStr) -> bool {
    name == ".codegraph" || name.as_encoded_bytes().starts_with(b".codegraph-")
}

/// Whether there is a folder of ours at a path. A link to one is refused: what it leads to is not the project's.
pub fn folder(path: &Path) -> Result<bool> {
    let Some(found) = look(path)? else { return Ok(false) };
    if found.is_symlink() {
        return Err(Error::odd(path, "a link"));
    }
    if !found.is_dir() {
        return Ok(false);
    }
    match is_trusted(path, &found) {
        true => Ok(true),
        false => Err(Error::odd(path, "a folder of another user")),
    }
}

/// Makes a folder of ours, unless it is there.
pub fn make_folder(path: &Path) -> Result<()> {
    match std::fs::create_dir(path) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => match folder(path)? {
            true => Ok(()),
            false => Err(Error::odd(path, "no folder")),
        },
        Err(error) => Err(Error::io(path)(error)),
    }
}

/// What is known about a file of ours, before somebody else opens it by name; nothing if it is not there.
pub fn check(path: &Path, what_for: Use) -> Result<Option<Metadata>> {
    match look(path)? {
        Some(found) => approve(path, &found, what_for).map(|()| Some(found)),
        None => Ok(None),
    }
}

/// Opens a file of ours for reading; nothing if it is not there.
pub fn open(path: &Path) -> Result<Option<File>> {
    // Looked at first: opening alone can wait for the other end of a pipe, or wake a device.
    if check(path, Use::Read)?.is_none() {
        return Ok(None);
    }
    let mut options = OpenOptions::new();
    options.read(true);
    match opened(path, &options, Use::Read) {
        Err(Error::Io { source, .. }) if source.kind() == ErrorKind::NotFound => Ok(None),
        file => file.map(Some),
    }
}

/// Opens the file of a lock, which is made if it is not there.
pub fn lock(path: &Path) -> Result<File> {
    check(path, Use::Write)?;
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    opened(path, &options, Use::Write)
}

/// The content of a file of ours; nothing if it is not there.
pub fn read(path: &Path, limit: u64) -> Result<Option<Vec<u8>>> {
    let Some(file) = open(path)? else { return Ok(None) };
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes).map_err(Error::io(path))?;
    match bytes.len() as u64 > limit {
        true => Err(Error::TooLarge { path: path.to_owned(), limit }),
        false => Ok(Some(bytes)),
    }
}

/// Whether a name in the folder is that of a plain file, whoever owns it.
pub fn is_plain(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|found| found.is_file())
}

fn look(path: &Path) -> Result<Option<Metadata>> {
    match path.symlink_metadata() {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::io(path)(error)),
    }
}

fn opened(path: &Path, options: &OpenOptions, what_for: Use) -> Result<File> {
    let file = never_following(options.clone()).open(path).map_err(Error::io(path))?;
    // It may be another one than the one that was looked at.
    approve(path, &file.metadata().map_err(Error::io(path))?, what_for)?;
    Ok(file)
}

#[cfg(unix)]
pub(crate) fn never_following(mut options: OpenOptions) -> OpenOptions {
    use rustix::fs::OFlags;
    use std::os::unix::fs::OpenOptionsExt;
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
    options.custom_flags(flags.bits() as i32);
    options
}

#[cfg(not(unix))]
pub(crate) fn never_following(options: OpenOptions) -> OpenOptions {
    options
}

fn approve(path: &Path, found: &Metadata, what_for: Use) -> Result<()> {
    let kind = found.file_type();
    if kind.is_symlink() {
        return Err(Error::odd(path, "a link"));
    }
    if kind.is_dir() {
        return Err(Error::odd(path, "a folder"));
    }
    if !kind.is_file() {
        return Err(Error::odd(path, "a pipe, a socket or a device"));
    }
    if !is_trusted(path, found) {
        return Err(Error::odd(path, "a file of another user"));
    }
    if what_for == Use::Write && has_other_names(found) {
        return Err(Error::odd(path, "a file with a second name (a hard link)"));
    }
    Ok(())
}

/// Who may have put something into the folder: we, the administrator, and whom the project belongs to, since a container
/// often runs as somebody else.
#[cfg(unix)]
fn is_trusted(path: &Path, found: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    let of_project = || {
        let folder = path.ancestors().find(|part| part.file_name().is_some_and(is_data_folder))?;
        Some(folder.parent()?.metadata().ok()?.uid())
    };
    let owner = found.uid();
    owner == rustix::process::geteuid().as_raw() || owner == 0 || of_project() == Some(owner)
}

#[cfg(not(unix))]
fn is_trusted(_: &Path, _: &Metadata) -> bool {
    true
}

#[cfg(unix)]
fn has_other_names(found: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(found) > 1
}

#[cfg(not(unix))]
fn has_other_names(_: &Metadata) -> bool {
    false
}
