//! The walk: which files of the tree are indexed, and everything else that this depends on.
//!
//! Ignore rules are git's, and what git tracks is found whatever they say. Links are not followed: what they point to
//! inside the project is found at its own place, what lies outside is not the project's. A linked working tree of a
//! repository is a project of its own.

use std::fs::Metadata;
use std::path::Path;
use std::sync::{Arc, Mutex};

use codegraph_store::{Input, Watched};
use ignore::{DirEntry, WalkBuilder, WalkState};
use rustc_hash::FxHashSet;

use crate::config::Filter;
use crate::data_folder::is_ours;
use crate::extent::Extent;
use crate::freshness::Known;
use crate::ignores::{Ignores, RuleFiles};
use crate::project::{parent, slashed};
use crate::repository::Repository;
use crate::rules::{IGNORE_FILES, Rules, input, repository_inputs, watched};
use crate::stamp::{Seen, now_ns};
use crate::{Project, Reason, Result, Skipped};
use codegraph_live::Origins;
use codegraph_manifests::{is_decisive, manifest_beside};

/// A file that a language claims.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    pub path: String,
    pub size: u64,
}

/// What a walk saw.
#[derive(Debug, Default)]
pub struct Tree {
    /// By path.
    pub files: Vec<SourceFile>,
    /// Folders, ignore files and manifests, by path.
    pub inputs: Vec<Input>,
    /// By path.
    pub skipped: Vec<Skipped>,
}

/// Walks the whole project.
pub fn discover(project: &Project) -> Result<Tree> {
    walk(project, Arc::new(Extent::everything()))
}

/// Walks a part of the project. Files outside the walk that hold ignore rules are listed by a full walk only.
pub(crate) fn walk(project: &Project, extent: Arc<Extent>) -> Result<Tree> {
    let rules = Rules::of(project.root());
    let look = Arc::new(WalkRules {
        in_git: rules.repository.is_some(),
        filter: Filter::new(project.root(), project.config())?,
        project: project.clone(),
        ignores: rules.ignores(project.root()),
        extent,
        nested: Mutex::default(),
        origins: Origins::new(project.root()),
        seen: Mutex::default(),
    });
    if look.extent.is_everything() {
        let outer = rules.inputs(project);
        look.seen.lock().expect("no thread panics with it").inputs.extend(outer);
    }
    look.folder("", None);
    let mut builder = WalkBuilder::new(project.root());
    builder.standard_filters(false).follow_links(false);
    let gate = Arc::clone(&look);
    builder.threads(threads()).filter_entry(move |entry| gate.admits(entry));
    builder.build_parallel().run(|| {
        let mut visitor = Visitor { look: Arc::clone(&look), tree: Tree::default() };
        Box::new(move |entry| {
            visitor.visit(entry);
            WalkState::Continue
        })
    });
    drop(builder);
    look.tracked(&rules);
    let mut tree = std::mem::take(&mut *look.seen.lock().expect("no thread panics with it"));
    tree.sort();
    Ok(tree)
}

fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from).min(8)
}

impl Tree {
    fn append(&mut self, mut other: Tree) {
        self.files.append(&mut other.files);
        self.inputs.append(&mut other.inputs);
        self.skipped.append(&mut other.skipped);
    }

    fn sort(&mut self) {
        self.files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
        self.inputs.sort_by(|a, b| a.path.cmp(&b.path));
        self.inputs.dedup_by(|a, b| a.path == b.path);
        self.skipped.sort_unstable();
        self.skipped.dedup_by(|a, b| a.path == b.path);
        // What git tracks was found after all.
        let files = &self.files;
        self.skipped.retain(|one| files.binary_search_by(|file| file.path.cmp(&one.path)).is_err());
        // A folder that cannot be listed is left out, not watched.
        let skipped = &self.skipped;
        self.inputs.retain(|input| skipped.binary_search_by(|one| one.path.cmp(&input.path)).is_err());
    }
}

/// Folders that package managers fill; they are not even entered.
const PACKAGES: &[&str] = &["node_modules", "bower_components"];
/// One that people fill too: what git does not track in it is not theirs.
const VENDORED: &str = "vendor";

/// What all threads of a walk share.
struct WalkRules {
    /// Git says what belongs to the project.
    in_git: bool,
    project: Project,
    filter: Filter,
    ignores: Ignores,
    extent: Arc<Extent>,
    /// Repositories inside, with the folder that each is in.
    nested: Mutex<Vec<(String, Repository)>>,
    origins: Origins,
    seen: Mutex<Tree>,
}

impl WalkRules {
    /// Asked for every entry, before a folder is opened.
    fn admits(&self, entry: &DirEntry) -> bool {
        if entry.depth() == 0 {
            return true;
        }
        let name = entry.file_name();
        if name == ".git" || is_ours(name) {
            return false;
        }
        let is_dir = entry.file_type().is_some_and(|kind| kind.is_dir());
        if self.filter.excludes(entry.path(), is_dir) || self.ignores.leaves_out(entry.path(), is_dir) {
            return false;
        }
        if self.is_of_others(entry, is_dir) {
            return false;
        }
        // Names that are not UTF-8 go on to the visitor, which counts them.
        let Some(path) = self.relative(entry.path()) else {
            return !is_dir;
        };
        if !is_dir {
            return self.extent.sees_file(&path);
        }
        let nested = Repository::at(entry.path());
        if nested.as_ref().is_some_and(Repository::is_linked) {
            return false;
        }
        let enters = self.extent.enters(&path);
        if enters {
            let lists = self.folder(&path, nested.as_ref());
            self.ignores.enter_seen(entry.path(), nested, lists);
        }
        enters
    }

    /// Whether something was put here by a package manager or a tool: it is found only if git tracks it, or if a rule or
    /// the settings want it.
    fn is_of_others(&self, entry: &DirEntry, is_dir: bool) -> bool {
        let name = entry.file_name().to_string_lossy();
        let path = || self.relative(entry.path());
        let reason = match is_dir {
            true if PACKAGES.contains(&name.as_ref()) || self.in_git && name == VENDORED => Some(Reason::Packages),
            false if self.in_git => path().and_then(|path| self.origins.of(&path, false)).map(Reason::Made),
            _ => None,
        };
        let Some(reason) = reason else { return false };
        if self.filter.vendored() || self.ignores.judge(entry.path(), is_dir).is_some() {
            return false;
        }
        let is_source = |path: &str| is_dir || codegraph_languages::for_path(path).next().is_some();
        if let Some(path) = path().filter(|path| self.extent.sees_file(path) && is_source(path)) {
            let skipped = Skipped { path, reason };
            self.seen.lock().expect("no thread panics with it").skipped.push(skipped);
        }
        true
    }

    fn relative(&self, path: &Path) -> Option<String> {
        slashed(path.strip_prefix(self.project.root()).ok()?)
    }

    /// Stamps a folder and its ignore files, and says which of those there may be. This happens before they are read, so
    /// that a change in between shows.
    fn folder(&self, path: &str, nested: Option<&Repository>) -> RuleFiles {
        if let Some(nested) = nested {
            self.nested.lock().expect("no thread panics with it").push((format!("{path}/"), nested.clone()));
        }
        if !self.extent.lists(path) {
            return RuleFiles::ANY;
        }
        let mut lists = RuleFiles::default();
        let mut inputs = vec![watched(&self.project, path.to_owned(), Watched::Folder)];
        for name in IGNORE_FILES {
            let file = if path.is_empty() { (*name).to_owned() } else { format!("{path}/{name}") };
            let input = watched(&self.project, file, Watched::Rules);
            if input.mtime_ns != Seen::ABSENT.mtime_ns {
                lists.add(name);
                inputs.push(input);
            }
        }
        for path in nested.iter().flat_map(|nested| repository_inputs(nested, &format!("{path}/"))) {
            inputs.push(watched(&self.project, path, Watched::Rules));
        }
        self.seen.lock().expect("no thread panics with it").inputs.extend(inputs);
        lists
    }

    /// Adds what git tracks and the walk did not come to: what is hidden or ignored all the same.
    fn tracked(self: &Arc<Self>, rules: &Rules) {
        let mut paths = rules.tracked(self.project.root());
        for (folder, repository) in self.nested.lock().expect("no thread panics with it").iter() {
            paths.extend(repository.tracked().into_iter().map(|path| format!("{folder}{path}")));
        }
        paths.retain(|path| may_matter(path) && self.extent.sees_file(path));
        let seen = self.seen_paths();
        paths.retain(|path| !seen.contains(path.as_str()));
        let mut visitor = Visitor { look: Arc::clone(self), tree: Tree::default() };
        paths.into_iter().for_each(|path| visitor.tracked(path));
    }

    fn seen_paths(&self) -> FxHashSet<String> {
        let seen = self.seen.lock().expect("no thread panics with it");
        let inputs = seen.inputs.iter().filter(|input| input.watched != Watched::Folder).map(|input| &input.path);
        let files = seen.files.iter().map(|file| &file.path);
        let skipped = seen.skipped.iter().filter(|one| !matches!(one.reason, Reason::Made(_))).map(|one| &one.path);
        files.chain(inputs).chain(skipped).cloned().collect()
    }
}

/// All that git tracks in a project and that can be of interest, in the repositories that an index knows.
pub(crate) fn tracked_files(project: &Project, known: &Known) -> FxHashSet<String> {
    let mut paths: FxHashSet<String> = Rules::of(project.root()).tracked(project.root()).into_iter().collect();
    for folder in known.folders().iter().filter(|folder| !folder.is_empty()) {
        let nested = Repository::at(&project.absolute(folder));
        let tracked = nested.iter().flat_map(Repository::tracked);
        paths.extend(tracked.map(|path| format!("{folder}/{path}")));
    }
    paths.retain(|path| may_matter(path));
    paths
}

/// Whether a file can be of interest by its name.
pub(crate) fn may_matter(path: &str) -> bool {
    is_decisive(path)
        || codegraph_languages::is_told_by_text(path)
        || codegraph_languages::for_path(path).next().is_some()
}

/// What one thread of a walk has seen; handed over at its end.
struct Visitor {
    look: Arc<WalkRules>,
    tree: Tree,
}

impl Drop for Visitor {
    fn drop(&mut self) {
        let tree = std::mem::take(&mut self.tree);
        if let Ok(mut seen) = self.look.seen.lock() {
            seen.append(tree);
        }
    }
}

impl Visitor {
    fn visit(&mut self, entry: Result<DirEntry, ignore::Error>) {
        match entry {
            Ok(entry) => self.entry(&entry),
            Err(error) => self.failure(&error),
        }
    }

    fn entry(&mut self, entry: &DirEntry) {
        let Some(kind) = entry.file_type() else {
            return;
        };
        if kind.is_dir() {
            return;
        }
        let Some(path) = self.look.relative(entry.path()) else {
            return self.odd_name(entry.path());
        };
        if kind.is_symlink() {
            self.link(path, entry.path());
        } else if kind.is_file() {
            self.file(path, entry.path(), &|| entry.metadata().ok());
        }
    }

    /// A file that git tracks and that no rule lets through.
    fn tracked(&mut self, path: String) {
        let absolute = self.look.project.absolute(&path);
        if path.split('/').any(|part| is_ours(part.as_ref()) || part == ".git") {
            return;
        }
        if self.look.filter.excludes_below(&absolute) || self.look.ignores.is_unwanted(&absolute) {
            return;
        }
        // Its folders are watched too: it may be gone now and come back.
        let mut folder = parent(&path);
        let mut folders = Vec::new();
        while !folder.is_empty() && !self.look.ignores.has_entered(&self.look.project.absolute(folder)) {
            folders.push(folder.to_owned());
            folder = parent(folder);
        }
        for folder in folders.into_iter().rev() {
            // A link, or another repository: what is in it is not the file that is meant.
            let place = self.look.project.absolute(&folder);
            if !place.symlink_metadata().is_ok_and(|found| found.is_dir()) || Repository::at(&place).is_some() {
                return;
            }
            if self.look.extent.lists(&folder) {
                self.tree.inputs.push(watched(&self.look.project, folder, Watched::Folder));
            }
        }
        if let Ok(metadata) = absolute.symlink_metadata().map(Some)
            && metadata.as_ref().is_some_and(Metadata::is_file)
        {
            self.file(path, &absolute, &|| metadata.clone());
        }
    }

    fn file(&mut self, path: String, absolute: &Path, metadata: &dyn Fn() -> Option<Metadata>) {
        if is_decisive(&path) {
            self.manifest(&path);
            // Packages that build in place ignore their manifest and commit it all the same.
            if let Some(beside) = manifest_beside(&path)
                && codegraph_files::is_plain(&self.look.project.absolute(&beside))
            {
                self.manifest(&beside);
            }
        }
        let filter = &self.look.filter;
        let size = || metadata().map_or(0, |metadata| metadata.len());
        if codegraph_languages::for_path(&path).any(|language| filter.language(language)) {
            if filter.includes_file(absolute) {
                self.tree.files.push(SourceFile { path, size: size() });
            }
        } else if codegraph_languages::is_told_by_text(&path) && filter.includes_file(absolute) {
            let now = now_ns();
            let seen = metadata().map_or(Seen::ABSENT, |metadata| Seen::settled(&metadata, now));
            match script_language(&self.look.project, &path) {
                Some(language) if filter.language(language) => {
                    self.tree.files.push(SourceFile { path, size: seen.size })
                }
                _ => self.tree.inputs.push(input(path, Watched::Script, seen)),
            }
        }
    }

    fn manifest(&mut self, path: &str) {
        self.tree.inputs.push(manifest_input(&self.look.project, path));
    }

    /// Links are followed no further than to say whether they leave the project.
    fn link(&mut self, path: String, absolute: &Path) {
        let reason = match absolute.canonicalize() {
            Ok(target) if target.starts_with(self.look.project.root()) => return,
            Ok(_) => Reason::LinkOutside,
            Err(_) => Reason::BrokenLink,
        };
        let is_source = self.claims(&path);
        if is_source || (reason == Reason::LinkOutside && absolute.is_dir()) {
            self.tree.skipped.push(Skipped { path, reason });
        }
    }

    fn odd_name(&mut self, absolute: &Path) {
        let shown = absolute.strip_prefix(self.look.project.root()).unwrap_or(absolute).to_string_lossy().into_owned();
        if self.claims(&shown) {
            self.tree.skipped.push(Skipped { path: shown, reason: Reason::NameNotUtf8 });
        }
    }

    fn claims(&self, path: &str) -> bool {
        codegraph_languages::for_path(path).any(|language| self.look.filter.language(language))
    }

    /// A folder that cannot be listed, or an entry that vanished during the walk.
    fn failure(&mut self, error: &ignore::Error) {
        let (Some(path), Some(source)) = (path_of(error), error.io_error()) else {
            return;
        };
        if source.kind() == std::io::ErrorKind::NotFound {
            return;
        }
        if let Some(path) = self.look.relative(path) {
            self.tree.skipped.push(Skipped { path, reason: Reason::Unreadable(source.to_string()) });
        }
    }
}

fn path_of(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => path_of(err),
        _ => None,
    }
}

/// A manifest with what it says, as far as it matters here. One that cannot be read or is somebody's data says nothing.
pub(crate) fn manifest_input(project: &Project, path: &str) -> Input {
    // The stamp first, so that a later change is never missed.
    let stamped = watched(project, path.to_owned(), Watched::Manifest(String::new()));
    let text = codegraph_files::read_below(project.root(), path, codegraph_files::SMALL).unwrap_or_default();
    Input { watched: Watched::Manifest(codegraph_manifests::read(path, &text).layout.to_note()), ..stamped }
}

fn script_language(project: &Project, path: &str) -> Option<&'static codegraph_languages::Language> {
    use std::io::Read;
    let mut start = [0; 128];
    let opened = codegraph_files::open_below(project.root(), path);
    let read = opened.and_then(|mut file| file.read(&mut start)).ok()?;
    codegraph_languages::by_text(path, &start[..read])
}
