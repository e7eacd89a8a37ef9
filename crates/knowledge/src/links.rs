//! Links to other projects: made and removed by the user, looked at before each use. Linked projects are only read.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use codegraph_index::{Changes, Freshness, Project, UpdateOptions, check, put_dependency, remove_dependency};
use codegraph_model::{Advice, Mends};
use codegraph_query::{Note, Reader};
use codegraph_store::{Access, Dependency, Store};
use serde::Serialize;

use crate::{Error, Result};

/// A project to be linked.
#[derive(Clone, Debug, Default)]
pub struct Link {
    /// Its folder, or the `.codegraph` in it; relative to `base`.
    pub path: PathBuf,
    pub base: PathBuf,
    /// What answers call it; its own name if absent.
    pub name: Option<String>,
}

/// What was linked.
#[derive(Clone, Debug, Serialize)]
pub struct LinkAnswer {
    pub success: bool,
    pub dependency_id: i64,
    pub name: String,
    pub path: String,
    pub files_available: u64,
}

/// What was unlinked.
#[derive(Clone, Debug, Serialize)]
pub struct UnlinkAnswer {
    pub success: bool,
    pub name: String,
    pub path: String,
}

/// Whether a linked project can be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LinkState {
    Available,
    /// There is no project at the path any more.
    Missing,
    /// Its index was made by an older release.
    Older,
    /// Its index cannot be read.
    Unreadable,
}

/// A link and how it is now.
#[derive(Clone, Debug, Serialize)]
pub struct LinkInfo {
    pub dependency_id: i64,
    pub name: String,
    pub path: String,
    pub state: LinkState,
    /// Why it cannot be asked and what to do, or what is old in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<Advice>,
    pub files_available: u64,
    /// Seconds since the epoch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_checked: Option<i64>,
}

/// All links, by path.
#[derive(Clone, Debug, Serialize)]
pub struct LinksAnswer {
    pub links: Vec<LinkInfo>,
    pub total: usize,
}

/// Links another project, or gives a link another name.
pub fn link(project: &Project, question: &Link) -> Result<LinkAnswer> {
    let given = question.base.join(&question.path);
    let real = given.canonicalize().map_err(Error::io(&given))?;
    let root = if real.file_name().is_some_and(codegraph_files::is_data_folder) {
        real.parent().unwrap_or(&real)
    } else {
        &real
    };
    let other = Project::open(root)?;
    if other.root() == project.root() {
        return Err(Error::Itself(real));
    }
    let files_available = other.store(Access::Read)?.statistics()?.files;
    let path = text(other.root())?;
    let name = question.name.clone().unwrap_or_else(|| other.name().to_owned());
    let kept = put_dependency(project, &path, &name, now(), &UpdateOptions::default())?;
    let dependency_id = kept.map_or(0, |kept| kept.id);
    Ok(LinkAnswer { success: true, dependency_id, name, path, files_available })
}

/// Removes a link, by its name, its number or its path.
pub fn unlink(project: &Project, word: &str, base: &Path) -> Result<UnlinkAnswer> {
    let all = project.store(Access::Read)?.dependencies()?;
    let given = base.join(word);
    let real = given.canonicalize().unwrap_or(given);
    let is_meant = |one: &&Dependency| {
        one.path == word || Path::new(&one.path) == real || one.id.to_string() == word || title(one) == word
    };
    let meant: Vec<&Dependency> = all.iter().filter(is_meant).collect();
    let [one] = meant.as_slice() else {
        let (word, links) = (word.to_owned(), all.iter().map(|one| format!("{} ({})", title(one), one.path)).collect());
        return Err(match meant.is_empty() {
            true => Error::NotLinked { word, links },
            false => Error::LinkedTwice { word, links },
        });
    };
    remove_dependency(project, &one.path, &UpdateOptions::default())?;
    Ok(UnlinkAnswer { success: true, name: title(one), path: one.path.clone() })
}

/// Answers which projects are linked, and how they are now.
pub fn links(store: &Store) -> Result<LinksAnswer> {
    let all = store.dependencies()?;
    let links: Vec<LinkInfo> = all.iter().map(|one| LinkInfo { name: apart(one, &all), ..look(one).0 }).collect();
    Ok(LinksAnswer { total: links.len(), links })
}

/// Lets questions to a project go on to those that are linked. What cannot be asked is said with the answer.
pub fn attach(mut reader: Reader) -> Result<Reader> {
    let (linked, notes) = linked(reader.store())?;
    reader.set_linked(linked, notes);
    Ok(reader)
}

/// The linked projects, opened for reading, and which could not be opened.
pub fn linked(store: &Store) -> Result<(Vec<Reader>, Vec<Note>)> {
    let (mut linked, mut notes) = (Vec::new(), Vec::new());
    let all = store.dependencies()?;
    if all.is_empty() {
        let link = Advice::new("no project is linked: ").ask_about("link", ["PATH".to_owned()]);
        notes.push(Note::Said(link.words(" links one")));
    }
    for one in &all {
        let name = apart(one, &all);
        match look(one) {
            (_, Some((other, store, stale))) => {
                linked.push(Reader::new(other.root(), store).with_stale(stale).called(&name));
            }
            (info, None) => {
                let why = Advice::new(format!("{name} was not asked: ")).then(info.note.unwrap_or_default());
                notes.push(Note::Said(why));
            }
        }
    }
    Ok((linked, notes))
}

type Opened = (Project, Store, Vec<String>);

/// A link as it is now, with what it leads to.
fn look(one: &Dependency) -> (LinkInfo, Option<Opened>) {
    let mut info = LinkInfo {
        dependency_id: one.id,
        name: title(one),
        path: one.path.clone(),
        state: LinkState::Available,
        note: None,
        files_available: 0,
        last_checked: one.last_checked,
    };
    match open(&one.path) {
        Ok((project, store, stale)) => {
            info.files_available = store.statistics().map_or(0, |all| all.files);
            if !stale.is_empty() {
                let changed = Advice::new(format!("{} changed since indexed: ", count(stale.len())));
                info.note = Some(changed.then(Advice::run("update")).words(format!(" in {}", one.path)));
            }
            (info, Some((project, store, stale)))
        }
        Err((state, note)) => {
            (info.state, info.note) = (state, Some(note));
            (info, None)
        }
    }
}

fn open(path: &str) -> Result<Opened, (LinkState, Advice)> {
    let missing = |what: &str| {
        let gone = Advice::new(format!("{what} at {path}; it was moved or deleted: "));
        let again = Advice::run("unlink").words(" and link it again where it is now");
        (LinkState::Missing, gone.then(again))
    };
    let root = Path::new(path);
    if !root.is_dir() {
        return Err(missing("there is no folder"));
    }
    let project = Project::open(root).map_err(|error| match error {
        codegraph_index::Error::NoProject(_) => missing("there is no codegraph project"),
        other => (LinkState::Unreadable, other.advice()),
    })?;
    let store = project.store(Access::Read).map_err(|error| match error {
        codegraph_index::Error::Store(codegraph_store::Error::OlderSchema { .. }) => {
            let older = Advice::new("its index is of an older release: ").then(Advice::run("update"));
            (LinkState::Older, older.words(format!(" in {path}")))
        }
        codegraph_index::Error::Store(codegraph_store::Error::NotFound(_)) => missing("there is no index"),
        other => (LinkState::Unreadable, other.advice()),
    })?;
    let stale = match check(&project, &store) {
        Ok(Freshness::Fresh) => Vec::new(),
        Ok(Freshness::Changed(changes)) => names(changes),
        Err(error) => return Err((LinkState::Unreadable, error.advice())),
    };
    Ok((project, store, stale))
}

fn names(changes: Changes) -> Vec<String> {
    let mut all = [changes.added, changes.changed, changes.removed].concat();
    all.sort_unstable();
    all
}

fn count(files: usize) -> String {
    if files == 1 { "1 file has".to_owned() } else { format!("{files} files have") }
}

/// The name of a link; of two with the same name, with their folders.
fn apart(one: &Dependency, all: &[Dependency]) -> String {
    let name = title(one);
    match all.iter().filter(|other| title(other) == name).count() > 1 {
        true => format!("{name} ({})", one.path),
        false => name,
    }
}

fn title(one: &Dependency) -> String {
    let folder = || Path::new(&one.path).file_name().map(|name| name.to_string_lossy().into_owned());
    one.name.clone().or_else(folder).unwrap_or_else(|| one.path.clone())
}

fn text(path: &Path) -> Result<String> {
    let text = path.to_str().map(str::to_owned);
    text.ok_or_else(|| Error::invalid(format!("the name of {path:?} is not UTF-8"), "rename the folder"))
}

pub(crate) fn now() -> i64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_secs() as i64)
}
