//! The project as a commit has it: the index with the commit's files in place of those on disk, in a transaction that is
//! never committed. So both sides of a comparison are linked whole, and every position is that of its own text.

use std::sync::Arc;

use codegraph_manifests::is_decisive;
use codegraph_model::Overlay;
use codegraph_store::{Access, Store, Watched};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;
use sha1::{Digest, Sha1};

use crate::apply::Work;
use crate::config::Filter;
use crate::discover::may_matter;
use crate::freshness::Known;
use crate::git_command::{Question, ask_git, tell_git};
use crate::plan::{Candidate, Plan};
use crate::repository::Repository;
use crate::rules::input;
use crate::stamp::Seen;
use crate::update::UpdateReport;
use crate::{Error, Project, Result};

/// What is compared: a commit with another one or with the working tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Revisions {
    pub from: String,
    /// Absent for the working tree.
    pub to: Option<String>,
}

/// The index of a project as it is at a commit. While it is open nobody else can write.
pub struct Past {
    pub store: Store,
    /// The texts of that commit where they are not those on disk.
    pub overlay: Arc<Overlay>,
}

/// A file of a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    object: String,
    size: u64,
}

/// The files of a commit that can be of interest, and the folders that are other repositories.
#[derive(Default)]
struct Listing {
    files: FxHashMap<String, Entry>,
    submodules: Vec<String>,
}

/// How the files of a commit differ from those that the index knows.
#[derive(Default)]
struct Difference {
    texts: Vec<(String, Entry)>,
    gone: Vec<String>,
}

impl Revisions {
    /// Reads `REV`, `REV..REV` or `REV...REV` (from where the two grew apart); without anything `HEAD` and the working
    /// tree. Names are turned into commits at once, so that a branch that moves changes neither side.
    pub fn parse(project: &Project, given: Option<&str>) -> Result<Revisions> {
        let given = given.map(str::trim).filter(|given| !given.is_empty()).unwrap_or("HEAD");
        if let Some((from, to)) = given.split_once("...") {
            let (from, to) = (commit(project, or_head(from))?, commit(project, or_head(to))?);
            let base = ask_git(project.root(), Question::MergeBase, &[&from, &to])?;
            return Ok(Revisions { from: first_line(&base), to: Some(to) });
        }
        match given.split_once("..") {
            Some((from, to)) => {
                Ok(Revisions { from: commit(project, or_head(from))?, to: Some(commit(project, or_head(to))?) })
            }
            None => Ok(Revisions { from: commit(project, given)?, to: None }),
        }
    }
}

fn or_head(given: &str) -> &str {
    if given.is_empty() { "HEAD" } else { given }
}

fn first_line(output: &[u8]) -> String {
    String::from_utf8_lossy(output).lines().next().unwrap_or_default().to_owned()
}

fn commit(project: &Project, revision: &str) -> Result<String> {
    crate::git::in_repository(project)?;
    // It would be taken for an option.
    if revision.starts_with('-') {
        return Err(Error::Revision(revision.to_owned()));
    }
    let found = ask_git(project.root(), Question::RevParse, &[format!("{revision}^{{commit}}")]);
    match found.map(|output| first_line(&output)) {
        Ok(id) if !id.is_empty() => Ok(id),
        Ok(_) | Err(Error::Git(_)) => Err(Error::Revision(revision.to_owned())),
        Err(error) => Err(error),
    }
}

/// The source files and manifests that differ between the two sides, by path.
pub fn changed_paths(project: &Project, revisions: &Revisions) -> Result<Vec<String>> {
    let filter = Filter::new(project.root(), project.config())?;
    let old = Listing::of(project, &filter, &revisions.from)?;
    let mut paths: Vec<String> = match &revisions.to {
        Some(to) => {
            let new = Listing::of(project, &filter, to)?;
            let all: FxHashSet<&String> = old.files.keys().chain(new.files.keys()).collect();
            all.into_iter().filter(|path| old.files.get(*path) != new.files.get(*path)).cloned().collect()
        }
        None => {
            let known = Known::load(&project.store(Access::Read)?)?;
            let found = difference(project, &known, old);
            found.texts.into_iter().map(|(path, _)| path).chain(found.gone).collect()
        }
    };
    paths.sort_unstable();
    Ok(paths)
}

/// Opens the index as it is at a commit.
pub fn at_commit(project: &Project, commit: &str) -> Result<Past> {
    let mut store = project.store(Access::Write)?;
    let known = Known::load(&store)?;
    let filter = Filter::new(project.root(), project.config())?;
    let found = difference(project, &known, Listing::of(project, &filter, commit)?);
    let texts = contents(project, &found.texts)?;
    let (mut plan, mut overlay) = (Plan { gone: found.gone, ..Plan::default() }, Overlay::default());
    for ((path, _), text) in found.texts.into_iter().zip(texts) {
        if is_decisive(&path) {
            let note = codegraph_manifests::read(&path, &text).layout.to_note();
            plan.names_change = true;
            plan.put_inputs.push(input(path.clone(), Watched::Manifest(note), Seen::ABSENT));
        }
        if claims(&path) {
            overlay.put(path.clone(), text);
            plan.candidates.push(Candidate { path, lines: None });
        }
    }
    let is_known_manifest = |path: &String| known.manifest(path).is_some();
    plan.gone_inputs = plan.gone.iter().filter(|path| is_known_manifest(path)).cloned().collect();
    plan.names_change |= !plan.gone_inputs.is_empty();
    let mut report = UpdateReport::default();
    Work::new(project, &known, &mut store, &mut report)?.preview(&plan, &overlay)?;
    Ok(Past { store, overlay: Arc::new(overlay) })
}

fn claims(path: &str) -> bool {
    codegraph_languages::is_told_by_text(path) || codegraph_languages::for_path(path).next().is_some()
}

impl Known {
    fn manifest(&self, path: &str) -> Option<&codegraph_store::Input> {
        let place = self.inputs.binary_search_by(|input| input.path.as_str().cmp(path)).ok()?;
        Some(&self.inputs[place]).filter(|input| matches!(input.watched, Watched::Manifest(_)))
    }
}

impl Listing {
    fn of(project: &Project, filter: &Filter, commit: &str) -> Result<Listing> {
        let output = ask_git(project.root(), Question::LsTree, &[commit])?;
        let mut listing = Listing::default();
        for line in output.split(|byte| *byte == 0).filter_map(|line| std::str::from_utf8(line).ok()) {
            let Some((about, path)) = line.split_once('\t') else { continue };
            let mut about = about.split_whitespace();
            let (Some(mode), Some(_), Some(object), Some(size)) =
                (about.next(), about.next(), about.next(), about.next())
            else {
                continue;
            };
            if mode == "160000" {
                listing.submodules.push(format!("{path}/"));
            }
            let entry = Entry { object: object.to_owned(), size: size.parse().unwrap_or(0) };
            // Links are not followed, here as on disk.
            let plain = mode.starts_with("100") && entry.size <= project.config().size_limit();
            if plain && may_matter(path) && is_wanted(project, filter, path) {
                listing.files.insert(path.to_owned(), entry);
            }
        }
        Ok(listing)
    }
}

/// Whether the settings of the project let a file in. What git tracks is there whatever its ignore rules say.
fn is_wanted(project: &Project, filter: &Filter, path: &str) -> bool {
    let absolute = project.absolute(path);
    let ours = path.split('/').any(|part| part == ".git" || crate::data_folder::is_ours(part.as_ref()));
    let source = filter.includes_file(&absolute) || is_decisive(path);
    !ours && source && !filter.excludes_below(&absolute)
}

/// What has to be put and taken out to get from the index to a commit.
fn difference(project: &Project, known: &Known, listing: Listing) -> Difference {
    let nested = nested(project, known, &listing);
    let elsewhere = |path: &str| nested.iter().any(|folder| path.starts_with(folder.as_str()));
    let files = known.files.iter().map(|file| &file.path);
    let manifests =
        known.inputs.iter().filter(|input| matches!(input.watched, Watched::Manifest(_))).map(|input| &input.path);
    let here: FxHashSet<&String> = files.chain(manifests).filter(|path| !elsewhere(path)).collect();
    let gone = here.iter().filter(|path| !listing.files.contains_key(**path)).map(|path| (*path).clone());
    let mut gone: Vec<String> = gone.collect();
    gone.sort_unstable();
    let listed: Vec<(String, Entry)> = listing.files.into_iter().filter(|(path, _)| !elsewhere(path)).collect();
    // A file that is not in the index but is as the commit has it would not be read there either.
    let differs = |(path, entry): &(String, Entry)| !is_same(project, path, entry);
    let mut texts: Vec<(String, Entry)> = listed.into_par_iter().filter(differs).collect();
    texts.sort_unstable_by(|a, b| a.0.cmp(&b.0));
    Difference { texts, gone }
}

/// Folders that other repositories look after: the commit says nothing about their files.
fn nested(project: &Project, known: &Known, listing: &Listing) -> Vec<String> {
    let inner = known.folders().into_iter().filter(|folder| !folder.is_empty());
    let inner = inner.filter(|folder| Repository::at(&project.absolute(folder)).is_some());
    inner.map(|folder| format!("{folder}/")).chain(listing.submodules.iter().cloned()).collect()
}

/// Whether a file on disk is what the last commit has.
pub(crate) fn is_at_head(project: &Project, path: &str) -> Result<bool> {
    let object = ask_git(project.root(), Question::RevParse, &[format!("HEAD:./{path}")])?;
    let size = codegraph_files::read_below(project.root(), path, project.config().size_limit())
        .map_or(0, |bytes| bytes.len() as u64);
    Ok(is_same(project, path, &Entry { object: first_line(&object), size }))
}

/// Whether a file on disk has what the commit has; a checkout may have written other ends of lines.
fn is_same(project: &Project, path: &str, entry: &Entry) -> bool {
    let most = project.config().size_limit();
    let Ok(bytes) = codegraph_files::read_below(project.root(), path, most) else { return false };
    if bytes.len() as u64 == entry.size && object_name(&bytes, entry.object.len()) == entry.object {
        return true;
    }
    if !bytes.windows(2).any(|pair| pair == b"\r\n") {
        return false;
    }
    let mut plain = Vec::with_capacity(bytes.len());
    for (at, byte) in bytes.iter().enumerate() {
        if *byte != b'\r' || bytes.get(at + 1) != Some(&b'\n') {
            plain.push(*byte);
        }
    }
    object_name(&plain, entry.object.len()) == entry.object
}

/// What git calls a text. Repositories have short names or long ones.
fn object_name(bytes: &[u8], length: usize) -> String {
    let head = format!("blob {}\0", bytes.len());
    let hex = |digest: &[u8]| digest.iter().map(|byte| format!("{byte:02x}")).collect();
    match length {
        40 => hex(&Sha1::new().chain_update(head).chain_update(bytes).finalize()),
        _ => hex(&sha2::Sha256::new().chain_update(head).chain_update(bytes).finalize()),
    }
}

/// The content of files of a commit, in their order.
fn contents(project: &Project, files: &[(String, Entry)]) -> Result<Vec<Vec<u8>>> {
    if files.is_empty() {
        return Ok(Vec::new());
    }
    let wanted: String = files.iter().map(|(_, entry)| format!("{}\n", entry.object)).collect();
    let output = tell_git(project.root(), Question::CatFile, wanted.as_bytes())?;
    let lost = |path: &String| Error::Git(format!("the content of {path} is not in the repository"));
    let (mut rest, mut texts) = (output.as_slice(), Vec::with_capacity(files.len()));
    for (path, _) in files {
        let end = rest.iter().position(|byte| *byte == b'\n').ok_or_else(|| lost(path))?;
        let head = String::from_utf8_lossy(&rest[..end]).into_owned();
        let size: usize = head.rsplit(' ').next().and_then(|size| size.parse().ok()).ok_or_else(|| lost(path))?;
        let text = rest.get(end + 1..end + 1 + size).ok_or_else(|| lost(path))?;
        texts.push(text.to_vec());
        rest = rest.get(end + 2 + size..).unwrap_or_default();
    }
    Ok(texts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_called_as_git_calls_it() {
        assert_eq!(object_name(b"", 40), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
        assert_eq!(object_name(b"hello\n", 40), "ce013625030ba8dba906f756967f9e9ca394464a");
        let long = "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813";
        assert_eq!(object_name(b"", 64), long);
    }
}
