//! Which folder of a project holds its index: `.codegraph`, unless that belongs to another tool or another one is named.
//!
//! All names begin alike, so that the folder is found again without being told, and no repository can have the index put
//! among files of its own.

use std::ffi::OsStr;
use std::path::Path;
use std::sync::OnceLock;

use crate::project::UNSEEN;
use crate::{Config, Error, Result};

/// The usual one.
pub(crate) const FOLDER: &str = ".codegraph";
/// Taken where the usual one is another tool's.
const BESIDE: &str = ".codegraph-index";
/// What a name has to begin with.
const PREFIX: &str = ".codegraph-";

static NAMED: OnceLock<String> = OnceLock::new();

/// Names the folder for this process. The first one counts.
pub fn use_data_folder(name: &str) -> Result<()> {
    let name = checked(name)?;
    // A second call with another name cannot be meant: a process has one command line.
    let _ = NAMED.set(name);
    Ok(())
}

/// A name that may be taken.
pub(crate) fn checked(name: &str) -> Result<String> {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let rest = name.trim_end_matches('/');
    let known = rest == FOLDER || rest.strip_prefix(PREFIX).is_some_and(|rest| !rest.is_empty());
    if known && rest.chars().all(plain) { Ok(rest.to_owned()) } else { Err(Error::DataFolder(name.to_owned())) }
}

/// Whether a name is that of a folder of ours: it is never indexed.
pub(crate) fn is_ours(name: &OsStr) -> bool {
    codegraph_files::is_data_folder(name)
}

/// The folder that makes a folder a project, if there is one.
pub(crate) fn existing(root: &Path) -> Result<Option<String>> {
    if let Some(name) = NAMED.get()
        && codegraph_files::folder(&root.join(name))?
    {
        return Ok(Some(name.clone()));
    }
    if codegraph_files::folder(&root.join(FOLDER))? && !is_foreign(&root.join(FOLDER)) {
        return Ok(Some(FOLDER.to_owned()));
    }
    Ok(others(root).into_iter().find(|name| is_indexed(&root.join(name))))
}

/// The folder for a project that is made, and whether the usual one is somebody else's.
pub(crate) fn for_new(root: &Path) -> Result<(String, bool)> {
    if let Some(name) = NAMED.get() {
        return Ok((name.clone(), false));
    }
    if let Some(name) = existing(root)? {
        let foreign = name != FOLDER && is_foreign(&root.join(FOLDER));
        return Ok((name, foreign));
    }
    let foreign = is_foreign(&root.join(FOLDER));
    Ok((if foreign { BESIDE } else { FOLDER }.to_owned(), foreign))
}

/// Other folders that may be ours, in the order of their names.
fn others(root: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(root) else { return Vec::new() };
    let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| name.starts_with(PREFIX) && checked(name).is_ok()).collect();
    names.sort_unstable();
    names
}

/// Whether a folder has an index or settings, and they are ours.
fn is_indexed(folder: &Path) -> bool {
    let has = |name: &str| codegraph_files::is_plain(&folder.join(name));
    codegraph_files::folder(folder).unwrap_or(false) && (has("config.json") || has("index.db")) && !is_foreign(folder)
}

/// Whether another tool made the folder: what stands under our names there is not ours. Where our own list of ignored
/// files is, damaged files are ours and have to be reported.
fn is_foreign(folder: &Path) -> bool {
    let marks = codegraph_files::read(&folder.join(".gitignore"), codegraph_files::SMALL).ok().flatten();
    let is_mark = |text: &str| text == UNSEEN || text.lines().any(|line| line == "index.db*");
    if marks.is_some_and(|text| is_mark(&String::from_utf8_lossy(&text))) {
        return false;
    }
    let (settings, index) = (folder.join("config.json"), folder.join("index.db"));
    let other_index = codegraph_files::is_plain(&index)
        && matches!(codegraph_store::inspect(&index), Err(codegraph_store::Error::Foreign(_)));
    let other_settings = codegraph_files::is_plain(&settings) && !Config::is_ours(&settings);
    other_index || other_settings && codegraph_store::inspect(&index).is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_begin_alike_and_lead_nowhere_else() {
        for name in [".codegraph", ".codegraph-index", ".codegraph-2/", ".codegraph-a.b_c"] {
            assert!(checked(name).is_ok(), "{name}");
        }
        for name in ["", ".", "..", ".git", "src", "/tmp/x", ".codegraph-", ".codegraph-a/b", ".codegraph-..\\x"] {
            assert!(checked(name).is_err(), "{name}");
        }
    }
}
