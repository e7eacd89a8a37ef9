//! Everything is worked out first, for all files; only then is anything written.

use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::clients::{CLIENTS, Client, Format, Scope, entry};
use crate::error::{Edit, Problem};
use crate::json::Spot;
use crate::places::Places;
use crate::value::Json;
use crate::{Error, NAME, Result, allow, instructions, json, toml};

/// What is to be registered, or taken back.
#[derive(Clone, Debug)]
pub struct Install {
    /// Words for clients; all that are found on the machine if empty.
    pub clients: Vec<String>,
    pub scope: Scope,
    /// What starts the server.
    pub command: String,
    pub uninstall: bool,
    /// Tell agents about it: in what the program reads in every session, or in AGENTS.md and CLAUDE.md of the project.
    pub instructions: bool,
    /// In those of the project too, whatever the scope.
    pub project_notes: bool,
    /// Replace an entry that says something else.
    pub force: bool,
    /// Only say what would be done.
    pub dry_run: bool,
}

/// What is done to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    Create,
    Extend,
    Replace,
    Remove,
    Delete,
    /// It is as it should be.
    Unchanged,
    /// It has an entry of this name that is not ours, or was changed.
    Left,
}

/// What is done to the file of a client.
#[derive(Clone, Debug, Serialize)]
pub struct Change {
    /// The word for the client; absent for the notes of the project.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client: Option<&'static str>,
    pub name: String,
    pub path: String,
    pub action: Action,
    /// What is put into the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// What an entry of our name starts that was left as it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theirs: Option<Theirs>,
    #[serde(skip)]
    after: Option<After>,
}

/// An entry of our name that says something else.
#[derive(Clone, Debug, Serialize)]
pub struct Theirs {
    pub starts: String,
    /// It does not start this program.
    pub another_tool: bool,
}

#[derive(Clone, Debug)]
enum After {
    Text(String),
    Gone,
}

/// What was done, or would be.
#[derive(Clone, Debug, Serialize)]
pub struct InstallAnswer {
    pub success: bool,
    pub scope: Scope,
    pub uninstall: bool,
    pub dry_run: bool,
    pub changes: Vec<Change>,
    /// Words for the clients that were found on this machine.
    pub found: Vec<&'static str>,
    /// All words that can be given.
    pub known: Vec<&'static str>,
}

/// Registers the server with clients, or takes that back. All or nothing: a file that does not parse stops everything
/// before something is written.
pub fn install(places: &Places, question: &Install) -> Result<InstallAnswer> {
    let found: Vec<&Client> = CLIENTS.iter().filter(|client| client.is_here(places)).collect();
    let mut changes = Vec::new();
    for client in chosen(&found, question)? {
        if let Some(path) = client.file(question.scope, places) {
            if question.scope == Scope::Project {
                stays_inside(&path, &places.project)?;
            }
            let change = plan(client, &path, question)?;
            // Another tool of our name would be allowed and told of.
            let left = change.as_ref().is_some_and(|change| change.action == Action::Left);
            changes.extend(change);
            if !left || question.uninstall {
                changes.extend(allowed(client, places, question)?);
                changes.extend(told(client, places, question)?);
            }
        }
    }
    if question.project_notes || question.instructions && question.scope == Scope::Project {
        changes.extend(notes(places, question)?);
    }
    if !question.dry_run {
        carry_out(&changes, places)?;
    }
    Ok(InstallAnswer {
        success: true,
        scope: question.scope,
        uninstall: question.uninstall,
        dry_run: question.dry_run,
        changes,
        found: found.iter().map(|client| client.id).collect(),
        known: CLIENTS.iter().map(|client| client.id).collect(),
    })
}

/// The clients that are meant. What is taken back is looked for in the files of all.
fn chosen(found: &[&'static Client], question: &Install) -> Result<Vec<&'static Client>> {
    if question.clients.is_empty() {
        return Ok(if question.uninstall { CLIENTS.iter().collect() } else { found.to_vec() });
    }
    let one = |word: &String| {
        let client = Client::named(word)?;
        let (there, scope, other) = match question.scope {
            Scope::User => (client.user.is_some(), "user", "project"),
            Scope::Project => (client.project.is_some(), "project", "user"),
        };
        if there { Ok(client) } else { Err(Error::NoScope { client: client.name, scope, other }) }
    };
    question.clients.iter().map(one).collect()
}

fn plan(client: &'static Client, path: &Path, question: &Install) -> Result<Option<Change>> {
    let old = read(path)?;
    let unparsed =
        |problem: Problem| Error::Unparsed { path: path.to_owned(), line: problem.line, message: problem.message };
    let change = |action, text, after| Change {
        client: Some(client.id),
        name: client.name.to_owned(),
        path: path.display().to_string(),
        action,
        text,
        theirs: None,
        after,
    };
    if question.uninstall {
        let Some(old) = old else { return Ok(None) };
        return Ok(match taken_back(client, &old).map_err(unparsed)? {
            Some(After::Gone) => Some(change(Action::Delete, None, Some(After::Gone))),
            Some(after) => Some(change(Action::Remove, None, Some(after))),
            None => None,
        });
    }
    let Some(mut old) = old else {
        let text = fresh(client, &question.command);
        return Ok(Some(change(Action::Create, Some(text.clone()), Some(After::Text(text)))));
    };
    let mut edit = insert(client, &old, &question.command).map_err(unparsed)?;
    let mut action = Action::Extend;
    if edit == Edit::Differs && question.force {
        old = cut(client, &old, &question.command).map_err(unparsed)?;
        edit = insert(client, &old, &question.command).map_err(unparsed)?;
        action = Action::Replace;
    }
    Ok(Some(match edit {
        Edit::Added { text, inserted } => change(action, Some(inserted), Some(After::Text(text))),
        Edit::Same => change(Action::Unchanged, None, None),
        Edit::Differs => Change { theirs: theirs(client, &old), ..change(Action::Left, None, None) },
    }))
}

/// Whose entry it is that has our name.
fn theirs(client: &Client, text: &str) -> Option<Theirs> {
    let (starts, command) = match client.format {
        Format::Json { keys, .. } => (json::says(text, keys, NAME), json::command(text, keys, NAME)),
        Format::Toml { table } => (toml::says(text, table), toml::command(text, table)),
    };
    let program = command.ok().flatten();
    let is_ours = |program: &String| Path::new(program).file_stem().is_some_and(|name| name == NAME);
    Some(Theirs { starts: starts.unwrap_or_default(), another_tool: !program.as_ref().is_some_and(is_ours) })
}

/// The list of tools that a program calls without a question.
fn allowed(client: &'static Client, places: &Places, question: &Install) -> Result<Option<Change>> {
    let Some(allow) = client.allow else { return Ok(None) };
    let place = match question.scope {
        Scope::User => allow.user,
        Scope::Project => allow.project,
    };
    let Some(path) = place.and_then(|place| place.file(places)) else { return Ok(None) };
    if question.scope == Scope::Project {
        stays_inside(&path, &places.project)?;
    }
    let old = read(&path)?;
    let wanted: Vec<String> = crate::READING.iter().map(|tool| format!("{}{tool}", allow.prefix)).collect();
    let unparsed =
        |problem: Problem| Error::Unparsed { path: path.clone(), line: problem.line, message: problem.message };
    let fresh = || {
        let value = Json::texts(wanted.iter().cloned());
        format!("{}\n", Spot { keys: allow.keys, name: allow.name, value: &value }.document())
    };
    let change = |action, text, after| {
        let name = format!("{}, read-only tools", client.name);
        let path = path.display().to_string();
        Some(Change { client: Some(client.id), name, path, action, text, theirs: None, after })
    };
    Ok(match (old, question.uninstall) {
        (None, true) => None,
        (None, false) if allow.only_extended => None,
        (None, false) => change(Action::Create, Some(fresh()), Some(After::Text(fresh()))),
        (Some(old), true) if old == fresh() => change(Action::Delete, None, Some(After::Gone)),
        (Some(old), true) => {
            let without = allow::withdraw(&old, allow.keys, allow.name, &wanted).map_err(unparsed)?;
            without.and_then(|text| change(Action::Remove, None, Some(After::Text(text))))
        }
        (Some(old), false) => {
            let there = old.contains(&format!("\"{}\"", allow.name));
            if allow.only_extended && !there {
                return Ok(None);
            }
            match allow::extend(&old, allow.keys, allow.name, &wanted).map_err(unparsed)? {
                Edit::Added { text, inserted } => change(Action::Extend, Some(inserted), Some(After::Text(text))),
                _ => change(Action::Unchanged, None, None),
            }
        }
    })
}

/// What a program reads in every session of this user.
fn told(client: &'static Client, places: &Places, question: &Install) -> Result<Option<Change>> {
    if !question.instructions || question.scope == Scope::Project {
        return Ok(None);
    }
    match client.notes.and_then(|place| place.file(places)) {
        Some(path) => note(&path, Some(client), question),
        None => Ok(None),
    }
}

/// The text of a file that has nothing else in it.
fn fresh(client: &Client, command: &str) -> String {
    match client.format {
        Format::Json { keys, fields } => {
            format!("{}\n", Spot { keys, name: NAME, value: &entry(fields, command) }.document())
        }
        Format::Toml { table } => toml::block(table, command),
    }
}

fn insert(client: &Client, text: &str, command: &str) -> Result<Edit, Problem> {
    match client.format {
        Format::Json { keys, fields } => json::insert(text, &Spot { keys, name: NAME, value: &entry(fields, command) }),
        Format::Toml { table } => toml::insert(text, table, command),
    }
}

fn cut(client: &Client, text: &str, command: &str) -> Result<String, Problem> {
    let without = match client.format {
        Format::Json { keys, fields } => {
            json::remove(text, &Spot { keys, name: NAME, value: &entry(fields, command) })?
        }
        Format::Toml { table } => toml::remove(text, table, command)?,
    };
    Ok(without.unwrap_or_else(|| text.to_owned()))
}

/// What a file is without the server; nothing if it is not in it.
fn taken_back(client: &Client, text: &str) -> Result<Option<After>, Problem> {
    let command = match client.format {
        Format::Json { keys, .. } => json::command(text, keys, NAME)?,
        Format::Toml { table } => toml::command(text, table)?,
    };
    let Some(command) = command else { return Ok(None) };
    if text == fresh(client, &command) {
        return Ok(Some(After::Gone));
    }
    cut(client, text, &command).map(|text| Some(After::Text(text)))
}

/// The notes of the project that agents read: those that are there, else a new one.
fn notes(places: &Places, question: &Install) -> Result<Vec<Change>> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for path in instructions::FILES.iter().map(|name| places.project.join(name)).filter(|path| path.exists()) {
        stays_inside(&path, &places.project)?;
        // Often one is a link to the other.
        let real = path.canonicalize().map_err(Error::io(&path))?;
        if !paths.iter().any(|known| known.canonicalize().is_ok_and(|known| known == real)) {
            paths.push(path);
        }
    }
    if paths.is_empty() && !question.uninstall {
        paths.push(places.project.join(instructions::FILES[0]));
    }
    let changes = paths.iter().filter_map(|path| note(path, None, question).transpose());
    changes.collect()
}

/// The block in one file; nothing if there is nothing to take back.
fn note(path: &Path, client: Option<&'static Client>, question: &Install) -> Result<Option<Change>> {
    let old = read(path)?;
    let block = instructions::block();
    let (action, text, after) = match (&old, question.uninstall) {
        (Some(old), true) if *old == block => (Action::Delete, None, Some(After::Gone)),
        (Some(old), true) => match instructions::remove(old) {
            Some(text) => (Action::Remove, None, Some(After::Text(text))),
            None => return Ok(None),
        },
        (Some(old), false) => match instructions::insert(old) {
            Some(text) => (Action::Extend, Some(block), Some(After::Text(text))),
            None => (Action::Unchanged, None, None),
        },
        (None, false) => (Action::Create, Some(block.clone()), Some(After::Text(block))),
        (None, true) => return Ok(None),
    };
    let file = || path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let name = client.map_or_else(file, |client| format!("{}, instructions", client.name));
    let (client, path) = (client.map(|client| client.id), path.display().to_string());
    Ok(Some(Change { client, name, path, action, text, theirs: None, after }))
}

/// A project may be a stranger's: nothing outside is read or changed through its links.
fn stays_inside(path: &Path, project: &Path) -> Result<()> {
    let root = project.canonicalize().map_err(Error::io(project))?;
    let there = path.ancestors().find(|part| part.symlink_metadata().is_ok());
    // A link that leads nowhere yet may lead anywhere later.
    let real = there.and_then(|part| part.canonicalize().ok());
    if real.is_some_and(|real| real.starts_with(root)) { Ok(()) } else { Err(Error::LeadsOut(path.to_owned())) }
}

fn read(path: &Path) -> Result<Option<String>> {
    if path.metadata().is_ok_and(|metadata| !metadata.is_file()) {
        return Err(Error::NotPlain(path.to_owned()));
    }
    match std::fs::read(path) {
        Ok(bytes) => String::from_utf8(bytes).map(Some).map_err(|error| {
            let valid = error.utf8_error().valid_up_to();
            let line = 1 + error.as_bytes()[..valid].iter().filter(|byte| **byte == b'\n').count();
            Error::Unparsed { path: path.to_owned(), line, message: "not UTF-8".to_owned() }
        }),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::io(path)(error)),
    }
}

/// Writes all new texts beside their files first. Only when that has worked for all are they moved to their places.
fn carry_out(changes: &[Change], places: &Places) -> Result<()> {
    let mut staged = Vec::new();
    for change in changes {
        if let Some(After::Text(text)) = &change.after {
            staged.push(Staged::write(Path::new(&change.path), text)?);
        }
    }
    staged.into_iter().try_for_each(Staged::move_into_place)?;
    let gone = changes.iter().filter(|change| matches!(change.after, Some(After::Gone)));
    gone.map(|change| Path::new(&change.path)).try_for_each(|path| remove(path, places))
}

fn remove(path: &Path, places: &Places) -> Result<()> {
    std::fs::remove_file(path).map_err(Error::io(path))?;
    // A folder of the project that was made for the file goes with it; one with other files stays.
    let folder = path.parent().filter(|folder| folder.starts_with(&places.project) && *folder != places.project);
    if let Some(folder) = folder {
        let _ = std::fs::remove_dir(folder);
    }
    Ok(())
}

/// A new text beside the file that it will replace whole. Dropped before, it leaves nothing behind.
struct Staged {
    temporary: PathBuf,
    real: PathBuf,
    /// The first folder that was made for it.
    made: Option<PathBuf>,
    moved: bool,
}

impl Staged {
    /// Through a link if the file is one, with the rights that it has.
    fn write(path: &Path, text: &str) -> Result<Staged> {
        let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let folder = real.parent().unwrap_or(Path::new("."));
        let made = folder.ancestors().take_while(|folder| !folder.exists()).last().map(Path::to_owned);
        std::fs::create_dir_all(folder).map_err(Error::io(folder))?;
        let name = real.file_name().unwrap_or_default().to_string_lossy();
        let temporary = folder.join(format!(".{name}.codegraph-{}", std::process::id()));
        // A leftover, or a trap: what is written is always a new file.
        let _ = std::fs::remove_file(&temporary);
        let staged = Staged { temporary, real, made, moved: false };
        let file = File::options().write(true).create_new(true).open(&staged.temporary);
        let written = file.and_then(|mut file| {
            if let Ok(metadata) = staged.real.metadata() {
                file.set_permissions(metadata.permissions())?;
            }
            file.write_all(text.as_bytes())?;
            file.sync_all()
        });
        written.map_err(Error::io(path)).map(|()| staged)
    }

    fn move_into_place(mut self) -> Result<()> {
        std::fs::rename(&self.temporary, &self.real).map_err(Error::io(&self.real))?;
        self.moved = true;
        Ok(())
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        if self.moved {
            return;
        }
        let _ = std::fs::remove_file(&self.temporary);
        let folders = self.temporary.ancestors().skip(1);
        let made = self.made.iter().flat_map(|first| folders.clone().take_while(move |at| at.starts_with(first)));
        // Only those that are empty go.
        made.for_each(|folder| {
            let _ = std::fs::remove_dir(folder);
        });
    }
}
