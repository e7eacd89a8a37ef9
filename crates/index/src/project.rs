//! A project: the folder that holds `.codegraph/`, and the one form in which its paths are written.

use std::path::{Component, Path, PathBuf};

use codegraph_files::Use;
use codegraph_store::{Access, Store};

use crate::repository::Repository;
use crate::switch::BEFORE;
use crate::worktree::{settings_of_sibling, siblings};
use crate::{Config, Error, Result, data_folder};

/// What we put into the folder; everything else in it is somebody else's.
const OUR_NAMES: &[&str] = &["config.json", "summary.md", "docs.md", "symbol_map.txt", ".gitignore"];

/// All names that some command opens. A repository may have put anything under one of them.
const OPENED: &[(&str, Use)] = &[
    ("config.json", Use::Read),
    ("summary.md", Use::Read),
    ("docs.md", Use::Read),
    ("symbol_map.txt", Use::Read),
    (".gitignore", Use::Read),
    ("index.db", Use::Write),
    ("index.db-wal", Use::Write),
    ("index.db-shm", Use::Write),
    ("index.db-journal", Use::Write),
    ("index.db.lock", Use::Write),
    ("index.db.notes.lock", Use::Write),
    (BEFORE, Use::Write),
];
const IGNORED: &[&str] = &["index.db*", "symbol_map.txt"];
/// Keeps git from seeing the folder at all, this file included.
pub(crate) const UNSEEN: &str =
    "# Nothing here is committed. After init --shared, config.json and summary.md can be.\n*\n";

/// What `init` sets in the configuration; what is `None` stays as it is.
#[derive(Clone, Debug, Default)]
pub struct InitOptions {
    pub name: Option<String>,
    pub languages: Option<Vec<String>>,
    pub include: Option<Vec<String>>,
    pub exclude: Option<Vec<String>>,
    /// Packages of others are read too.
    pub vendored: bool,
    /// Settings and summary are to be committed: git sees them.
    pub shared: bool,
}

/// A project that was just set up.
#[derive(Debug)]
pub struct Initialised {
    pub project: Project,
    /// The usual folder is another tool's, so the index is in one beside it.
    pub beside: bool,
    /// Entries of `.codegraph/` that another tool made. They were not read and not changed.
    pub foreign: Vec<String>,
}

/// A project on disk.
#[derive(Clone, Debug)]
pub struct Project {
    root: PathBuf,
    config: Config,
    /// The folder with the settings, and the one with the index: seldom another.
    settings: String,
    data: String,
    folder_name: String,
}

impl Project {
    /// Opens the project whose `.codegraph/` is directly in `root`.
    pub fn open(root: &Path) -> Result<Project> {
        let root = canonical(root)?;
        let Some(settings) = data_folder::existing(&root)? else { return Err(Error::NoProject(root)) };
        is_sound(&root.join(&settings))?;
        let config = Config::load(&root, &settings)?;
        let data = match &config.data_dir {
            Some(name) => data_folder::checked(name)?,
            None => settings.clone(),
        };
        is_sound(&root.join(&data))?;
        Ok(Project { folder_name: folder_name(&root), root, config, settings, data })
    }

    /// Opens the project that `start` is in: the nearest folder at or above it with a `.codegraph/`. A repository, and a
    /// linked working tree of one, ends the search: what lies around it is another project. A submodule is a part of it.
    pub fn find(start: &Path) -> Result<Project> {
        let start = canonical(start)?;
        for folder in start.ancestors() {
            if data_folder::existing(folder)?.is_some() {
                return Project::open(folder);
            }
            match Repository::at(folder) {
                Some(repository) if !repository.is_submodule() => return Project::start(folder, &start),
                _ => {}
            }
        }
        Err(Error::NoProject(start))
    }

    /// The project of a repository without a `.codegraph/`. A linked working tree gets one if a sibling has an index.
    fn start(repository: &Path, start: &Path) -> Result<Project> {
        if let Some(config) = settings_of_sibling(repository) {
            let project = Project::init(repository, &InitOptions::default())?.project;
            config.save(repository, &project.settings)?;
            return Ok(Project { config, ..project });
        }
        let around = repository.ancestors().skip(1).find(|folder| folder.join(data_folder::FOLDER).is_dir());
        Err(match around {
            Some(outer) => Error::NoIndexHere { root: repository.to_owned(), outer: outer.to_owned() },
            None => Error::NoProject(start.to_owned()),
        })
    }

    /// Makes a folder a project: `.codegraph/` with its configuration and `.gitignore`. What is there stays; the
    /// index itself is made by [`crate::build`].
    pub fn init(root: &Path, options: &InitOptions) -> Result<Initialised> {
        let root = canonical(root)?;
        if !root.is_dir() {
            return Err(Error::NotAFolder(root));
        }
        let (settings, beside) = data_folder::for_new(&root)?;
        let folder = root.join(&settings);
        is_sound(&folder)?;
        let old = Config::load(&root, &settings)?;
        let config = options.apply(old.clone());
        config.validate(&root)?;
        codegraph_files::make_folder(&folder)?;
        let foreign = foreign_entries(&folder)?;
        if config != old || !codegraph_files::is_plain(&folder.join(crate::config::CONFIG)) {
            config.save(&root, &settings)?;
        }
        write_gitignore(&folder, options.shared)?;
        let data = match &config.data_dir {
            Some(name) => data_folder::checked(name)?,
            None => settings.clone(),
        };
        if data != settings {
            is_sound(&root.join(&data))?;
            codegraph_files::make_folder(&root.join(&data))?;
            write_gitignore(&root.join(&data), options.shared)?;
        }
        let project = Project { folder_name: folder_name(&root), root, config, settings, data };
        Ok(Initialised { project, beside, foreign })
    }

    /// The project's folder: absolute, without links.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folder with the index: `.codegraph`, or the one beside it.
    pub fn folder(&self) -> PathBuf {
        self.root.join(&self.data)
    }

    /// Its name.
    pub fn data_dir(&self) -> &str {
        &self.data
    }

    /// The file with the settings, from the root.
    pub(crate) fn config_path(&self) -> String {
        format!("{}/{}", self.settings, crate::config::CONFIG)
    }

    pub fn index_path(&self) -> PathBuf {
        self.folder().join("index.db")
    }

    /// The file with the current compact map.
    pub fn map_path(&self) -> PathBuf {
        self.folder().join("symbol_map.txt")
    }

    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The configured name, else the folder's. Working trees of one repository have one name: that of the main one.
    pub fn name(&self) -> &str {
        self.config.name.as_deref().unwrap_or(&self.folder_name)
    }

    pub fn store(&self, access: Access) -> Result<Store> {
        Ok(Store::open(&self.index_path(), access)?)
    }

    /// The absolute path of a root-relative one.
    pub fn absolute(&self, path: &str) -> PathBuf {
        if path.is_empty() { self.root.clone() } else { self.root.join(path) }
    }

    /// The root-relative form of a path that somebody gave, relative to `base` or absolute. Links are resolved; what
    /// leads out of the project is refused. The file itself need not exist.
    pub fn relative(&self, path: &Path, base: &Path) -> Result<String> {
        let outside = || Error::Outside { path: path.to_owned(), root: self.root.clone() };
        let joined = lexical(&canonical(base)?.join(path)).ok_or_else(outside)?;
        let real = resolve(&joined).ok_or_else(outside)?;
        let inside = real.strip_prefix(&self.root).map_err(|_| outside())?;
        slashed(inside).ok_or_else(|| Error::NotUtf8(path.to_owned()))
    }
}

impl InitOptions {
    fn apply(&self, mut config: Config) -> Config {
        if let Some(name) = &self.name {
            config.name = Some(name.clone());
        }
        if let Some(languages) = &self.languages {
            config.languages = languages.clone();
        }
        if let Some(include) = &self.include {
            config.include = include.clone();
        }
        if let Some(exclude) = &self.exclude {
            config.exclude = exclude.clone();
        }
        config.vendored |= self.vendored;
        config
    }
}

/// A root-relative path with `/` between its parts; `None` if it is not UTF-8.
pub(crate) fn slashed(path: &Path) -> Option<String> {
    let mut out = String::with_capacity(path.as_os_str().len());
    for part in path.components() {
        if !out.is_empty() {
            out.push('/');
        }
        out.push_str(part.as_os_str().to_str()?);
    }
    Some(out)
}

fn folder_name(root: &Path) -> String {
    let main = siblings(root).into_iter().next();
    let named = main.as_deref().unwrap_or(root).file_name().and_then(|name| name.to_str());
    named.unwrap_or("project").to_owned()
}

/// The folder of a root-relative path; the root is "".
pub(crate) fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn canonical(path: &Path) -> Result<PathBuf> {
    path.canonicalize().map_err(Error::io(path))
}

/// Takes `.` and `..` out of an absolute path without asking the file system.
fn lexical(path: &Path) -> Option<PathBuf> {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                if !out.pop() {
                    return None;
                }
            }
            part => out.push(part),
        }
    }
    Some(out)
}

/// Resolves the links of the part of a path that exists.
fn resolve(path: &Path) -> Option<PathBuf> {
    if let Ok(real) = path.canonicalize() {
        return Some(real);
    }
    // A dangling link might point anywhere once its target appears.
    if path.symlink_metadata().is_ok_and(|metadata| metadata.is_symlink()) {
        return None;
    }
    Some(resolve(path.parent()?)?.join(path.file_name()?))
}

/// Whether there is a folder of ours; what is in it under our names has to be ours, whichever command asks.
fn is_sound(folder: &Path) -> Result<bool> {
    let there = codegraph_files::folder(folder)?;
    for (name, what_for) in OPENED.iter().filter(|_| there) {
        codegraph_files::check(&folder.join(name), *what_for)?;
    }
    Ok(there)
}

fn foreign_entries(folder: &Path) -> Result<Vec<String>> {
    let mut foreign = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(Error::io(folder))? {
        let name = entry.map_err(Error::io(folder))?.file_name().to_string_lossy().into_owned();
        if !OUR_NAMES.contains(&name.as_str()) && !name.starts_with("index.db") {
            foreign.push(name);
        }
    }
    foreign.sort_unstable();
    Ok(foreign)
}

fn write_gitignore(folder: &Path, shared: bool) -> Result<()> {
    let path = folder.join(".gitignore");
    let there = codegraph_files::read(&path, codegraph_files::SMALL)?;
    if there.is_none() && !shared {
        return Ok(codegraph_files::replace(&path, UNSEEN.as_bytes())?);
    }
    let bytes = there.unwrap_or_default();
    let mut text = String::from_utf8(bytes).map_err(|error| Error::io(&path)(std::io::Error::other(error)))?;
    if text == UNSEEN {
        if !shared {
            return Ok(());
        }
        text.clear();
    }
    let missing: Vec<&str> = IGNORED.iter().copied().filter(|line| !text.lines().any(|old| old == *line)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    for line in missing {
        text.push_str(line);
        text.push('\n');
    }
    Ok(codegraph_files::replace(&path, text.as_bytes())?)
}
