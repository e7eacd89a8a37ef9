//! The notes that people write for agents: which files they are, found in every folder of the project.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use codegraph_index::Project;
use codegraph_model::Advice;
use codegraph_store::{Store, Watched};
use serde::Serialize;

use crate::Result;

/// Names of the files, in the order in which those of one folder are shown.
const NAMES: &[&str] = &["CLAUDE.md", ".claude/CLAUDE.md", "AGENTS.md"];

/// Larger files are no notes.
const LARGEST: u64 = 1 << 20;

/// A file of notes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DocSource {
    /// Root-relative.
    pub path: String,
    /// The folder that the notes are about; the project itself is `.`.
    pub folder: String,
    /// Other names of the same file, by links inside the project.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
}

/// A file of notes with its text.
pub(crate) struct NoteFile {
    pub(crate) source: DocSource,
    pub(crate) text: String,
}

/// All notes: the root's first, then by folder. What cannot be taken is named with the reason.
pub(crate) fn find(project: &Project, store: &Store) -> Result<(Vec<NoteFile>, Vec<Advice>)> {
    let inputs = store.inputs()?;
    let folders = inputs.iter().filter(|input| input.watched == Watched::Folder).map(|input| input.path.as_str());
    let mut folders: Vec<&str> = folders.collect();
    folders.sort_unstable();
    let mut seen: BTreeMap<PathBuf, usize> = BTreeMap::new();
    let (mut found, mut notes): (Vec<NoteFile>, Vec<Advice>) = (Vec::new(), Vec::new());
    for folder in folders {
        for name in NAMES {
            let path = if folder.is_empty() { (*name).to_owned() } else { format!("{folder}/{name}") };
            let absolute = project.absolute(&path);
            if absolute.symlink_metadata().is_err() {
                continue;
            }
            match inside(project, &absolute) {
                Err(reason) => notes.push(left_out(&path, reason)),
                Ok(real) => match seen.get(&real) {
                    Some(place) => found[*place].source.also.push(path),
                    None => match read(project, &real) {
                        Ok(text) => {
                            seen.insert(real, found.len());
                            let folder = if folder.is_empty() { "." } else { folder }.to_owned();
                            found.push(NoteFile { source: DocSource { path, folder, also: Vec::new() }, text });
                        }
                        Err(reason) => notes.push(left_out(&path, reason)),
                    },
                },
            }
        }
    }
    Ok((found, notes))
}

fn left_out(path: &str, reason: Advice) -> Advice {
    Advice::new(format!("{path} was left out: ")).then(reason)
}

/// The file behind a path, links resolved, if it is inside the project.
fn inside(project: &Project, path: &Path) -> Result<PathBuf, Advice> {
    let real = path.canonicalize().map_err(|error| error.to_string())?;
    match real.starts_with(project.root()) && real.is_file() {
        true => Ok(real),
        false => Err("it is a link out of the project, or no file".into()),
    }
}

fn read(project: &Project, path: &Path) -> Result<String, Advice> {
    let inside = path.strip_prefix(project.root()).ok().and_then(Path::to_str);
    let inside = inside.ok_or_else(|| Advice::new("its name is not UTF-8"))?;
    let bytes = codegraph_files::read_below(project.root(), inside, LARGEST).map_err(|error| error.to_string())?;
    let text = String::from_utf8(bytes).map_err(|_| Advice::new("it is not UTF-8"))?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(&text).replace("\r\n", "\n"))
}
