//! Linking after a change: no more than what it can have reached, which gives the same links as a new index.

use std::collections::BTreeSet;

use codegraph_languages::Language;
use codegraph_model::FileFacts;
use codegraph_resolve::{Changed, Interface, Linker, Program, Unit, words};
use codegraph_store::{FileId, FileRecord, Store, TermId, Update};
use rustc_hash::{FxHashMap, FxHashSet};

use super::live::Live;
use super::{Linked, STACK, link_file};
use crate::{Error, Result};

/// Unpacked files that are kept while many are linked.
const KEPT: usize = 4_000;

/// What a change may have reached.
#[derive(Default)]
pub(crate) struct Dirty {
    /// Files that are to be linked in any case.
    files: BTreeSet<u32>,
    names: FxHashSet<u32>,
    /// Names of files and folders: imports spell them in strings too.
    paths: FxHashSet<String>,
    /// A module that another file is the body of came or went.
    modules: bool,
    everything: bool,
}

impl Dirty {
    pub(crate) fn is_empty(&self) -> bool {
        self.files.is_empty() && self.names.is_empty() && self.paths.is_empty() && !self.everything
    }

    /// Something changed that any link may depend on.
    pub(crate) fn set_everything(&mut self) {
        self.everything = true;
    }

    pub(crate) fn add_file(&mut self, file: FileId) {
        self.files.insert(file.0);
    }

    /// The declarations of a file changed.
    pub(crate) fn add(&mut self, record: &FileRecord, changed: Changed) {
        self.names.extend(changed.names);
        self.modules |= changed.modules;
        if changed.whole {
            self.paths.extend(path_words(record));
        }
    }
}

/// The words by which a file or its folder is imported.
fn path_words(record: &FileRecord) -> Vec<String> {
    let name = record.path.rsplit('/').next().unwrap_or(&record.path);
    let stem = name.split('.').next().unwrap_or(name);
    let last = record.module.rsplit(&['.', '/', ':', '\\'][..]).next().unwrap_or_default();
    // A file that stands for its folder goes by the folder's name.
    let own = if record.module.is_empty() || record.module.ends_with(stem) { stem } else { "" };
    [last, own].into_iter().flat_map(words).map(str::to_owned).collect()
}

/// The declarations of a file as the index has them.
pub(crate) fn stored_interface(store: &Store, record: &FileRecord) -> Result<Interface> {
    let live = Live::new(store);
    let interface = Interface::of(&live.unit(record.id.0), &live);
    live.check()?;
    Ok(interface)
}

/// The declarations of a file that was just read.
pub(crate) fn new_interface(
    store: &Store,
    language: &'static Language,
    facts: &FileFacts,
    terms: &[TermId],
) -> Result<Interface> {
    let live = Live::new(store);
    let unit = Unit::new(0, language, facts.clone(), terms.iter().map(|term| term.0).collect(), |text| live.term(text));
    let interface = Interface::of(&unit, &live);
    live.check()?;
    Ok(interface)
}

/// Links what a change has reached; gives the number of files.
pub(crate) fn relink(update: &mut Update<'_>, dirty: Dirty) -> Result<u64> {
    update.flush()?;
    // Chains of inferences can be deep, and the stack of the calling thread small.
    std::thread::scope(|scope| {
        let work = || relink_here(update, dirty);
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        let thread = thread.map_err(Error::io("a thread".as_ref()))?;
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn relink_here(update: &mut Update<'_>, dirty: Dirty) -> Result<u64> {
    let linked = {
        let live = Live::new(update.store());
        let files = reached(&live, dirty)?;
        let mut linker = Linker::new(&live);
        let mut linked: Vec<(FileId, Linked)> = Vec::with_capacity(files.len());
        for file in files {
            linked.push((FileId(file), link_file(&mut linker, &live, FileId(file))));
            if live.unit_count() > KEPT {
                live.forget_units();
                linker = Linker::new(&live);
            }
        }
        live.check()?;
        linked
    };
    for (file, linked) in &linked {
        update.put_links(*file, &linked.links, &linked.unbound)?;
    }
    Ok(linked.len() as u64)
}

/// The files that a change has reached: those that name something that changed, or something that was declared with it.
fn reached(live: &Live<'_>, dirty: Dirty) -> Result<BTreeSet<u32>> {
    let all = live.store().file_ids()?;
    let everything = || all.iter().map(|file| file.0).collect();
    if dirty.everything {
        return Ok(everything());
    }
    let known: FxHashSet<u32> = all.iter().map(|file| file.0).collect();
    let mut files = dirty.files;
    files.retain(|file| known.contains(file));
    if dirty.modules {
        // The bodies of modules do not name themselves.
        for record in live.store().files()? {
            let terms = path_words(&record).into_iter().filter_map(|word| live.term(&word));
            if terms.into_iter().any(|term| dirty.names.contains(&term)) {
                files.insert(record.id.0);
            }
        }
    }
    let mut interfaces: FxHashMap<u32, Interface> = FxHashMap::default();
    let (mut seen, mut seen_paths) = (dirty.names.clone(), dirty.paths.clone());
    let (mut names, mut paths) = (dirty.names, dirty.paths);
    while !names.is_empty() || !paths.is_empty() {
        for name in &names {
            files.extend(live.store().mentioning(TermId(*name), false)?.iter().map(|file| file.0));
        }
        for word in &paths {
            if let Some(term) = live.term(word) {
                files.extend(live.store().mentioning(TermId(term), true)?.iter().map(|file| file.0));
                names.insert(term);
            }
        }
        if files.len() * 2 > all.len() && all.len() > 64 {
            return Ok(everything());
        }
        let (mut next_names, mut next_paths) = (FxHashSet::default(), FxHashSet::default());
        for file in &files {
            let interface = interfaces.entry(*file).or_insert_with(|| Interface::of(&live.unit(*file), live));
            let changed = interface.reached(&names);
            next_names.extend(changed.names.into_iter().filter(|name| seen.insert(*name)));
            if changed.whole {
                let record = live.store().file(FileId(*file))?.unwrap_or_default();
                next_paths.extend(path_words(&record).into_iter().filter(|word| seen_paths.insert(word.clone())));
            }
        }
        (names, paths) = (next_names, next_paths);
    }
    live.check()?;
    Ok(files)
}
