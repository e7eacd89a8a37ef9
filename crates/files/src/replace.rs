//! Files that are there as a whole or not at all: written beside their place under a new name, then moved there.

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use crate::own::never_following;
use crate::{Error, Result};

/// Makes a new file. What has its name, a leftover or a trap, is taken away first; a link's target stays as it is.
pub fn create(path: &Path) -> Result<File> {
    match std::fs::remove_file(path) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(_) if path.is_dir() => return Err(Error::odd(path, "a folder")),
        Err(error) => return Err(Error::io(path)(error)),
    }
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    never_following(options).open(path).map_err(Error::io(path))
}

/// Copies a file of ours to a new one. Where the file system can, they share their blocks.
pub fn copy(from: &Path, to: &Path) -> Result<()> {
    let missing = || Error::io(from)(ErrorKind::NotFound.into());
    let mut source = crate::open(from)?.ok_or_else(missing)?;
    std::io::copy(&mut source, &mut create(to)?).map(drop).map_err(Error::io(to))
}

/// Replaces a file by these bytes. A link that has its name is replaced itself.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<()> {
    let mut new = Replacement::of(path)?;
    new.file().write_all(bytes).map_err(Error::io(path))?;
    new.finish()
}

/// A file in the making. Dropped unfinished, it leaves nothing behind.
pub struct Replacement {
    file: File,
    part: PathBuf,
    path: PathBuf,
}

impl Replacement {
    pub fn of(path: &Path) -> Result<Replacement> {
        if path.is_dir() {
            return Err(Error::odd(path, "a folder"));
        }
        let part = part_of(path);
        Ok(Replacement { file: create(&part)?, part, path: path.to_owned() })
    }

    pub fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Where it is being made, for who writes it by name.
    pub fn part(&self) -> &Path {
        &self.part
    }

    pub fn finish(self) -> Result<()> {
        let durable = self.file.sync_all().and_then(|()| std::fs::rename(&self.part, &self.path));
        durable.map_err(Error::io(&self.path))
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        // After a move there is nothing of that name any more.
        let _ = std::fs::remove_file(&self.part);
    }
}

/// Makes a rename in a folder durable. Not every file system can do that; the rename itself is atomic.
pub fn sync_folder(folder: &Path) {
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

/// In `.codegraph/` all that begins with the name of the index is ours and ignored by git.
fn part_of(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let folder = path.parent().unwrap_or(Path::new(""));
    let ours = folder.file_name().is_some_and(crate::is_data_folder);
    let name = name.strip_prefix('.').unwrap_or(&name);
    folder.join(match ours {
        true => format!("index.db.{name}.{}", std::process::id()),
        false => format!("{name}.{}.part", std::process::id()),
    })
}
