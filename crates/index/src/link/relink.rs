//! Linking after a change: no more than what it can have reached, which gives the same links as a new index.

use std::collections::BTreeSet;

use codegraph_languages::Language;
use codegraph_live::{Live, on_deep_stack};
use codegraph_model::FileFacts;
use codegraph_resolve::{Changed, Interface, Linker, Program, UNNAMED, Unit, words};
use codegraph_store::{FileId, FileRecord, Store, TermId, Update};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Linked, link_file};
use crate::Result;

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
    /// Folders from inside which a file can be reached without naming it.
    homes: FxHashSet<String>,
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
            self.homes.insert(home(record));
        }
    }

    /// A file came or went: modules that have no file of their own may have come or gone with it. `known` tells whether
    /// another file is inside of such a module.
    pub(crate) fn add_prefixes(&mut self, record: &FileRecord, known: impl Fn(&str) -> Result<bool>) -> Result<()> {
        let mut module = &*record.module;
        while let Some((parent, _)) = module.rsplit_once(&record.separator)
            && !known(parent)?
        {
            let last = parent.rsplit(&record.separator).next().unwrap_or(parent);
            self.paths.extend(words(last).map(str::to_owned));
            module = parent;
        }
        Ok(())
    }
}

/// Whether a file goes by the name of its folder.
fn stands_for_folder(record: &FileRecord) -> bool {
    !record.module.is_empty() && !record.module.ends_with(stem(&record.path))
}

fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split('.').next().unwrap_or(name)
}

/// The folder of the files that are inside of a file's module, with a slash at its end.
fn home(record: &FileRecord) -> String {
    let folder = record.path.rfind('/').map_or("", |slash| &record.path[..=slash]);
    if stands_for_folder(record) { folder.to_owned() } else { format!("{folder}{}/", stem(&record.path)) }
}

/// The words by which a file or its folder is imported.
fn path_words(record: &FileRecord) -> Vec<String> {
    let last = record.module.rsplit(&['.', '/', ':', '\\'][..]).next().unwrap_or_default();
    let own = if stands_for_folder(record) { "" } else { stem(&record.path) };
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
    on_deep_stack(|| relink_here(update, dirty))
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
    // Most edits are not seen from other files: they need no list of all.
    let is_seen = !dirty.names.is_empty() || !dirty.paths.is_empty() || !dirty.homes.is_empty();
    let records = if is_seen { live.store().files()? } else { Vec::new() };
    if dirty.modules {
        files.extend(bodies(live, &records, &dirty.names));
    }
    let mut interfaces: FxHashMap<u32, Interface> = FxHashMap::default();
    let mut seen = Wave { names: dirty.names.clone(), paths: dirty.paths.clone(), homes: dirty.homes.clone() };
    let mut wave = Wave { names: dirty.names, paths: dirty.paths, homes: dirty.homes };
    while !wave.is_empty() {
        wave.mentioning(live, &mut files)?;
        if !wave.homes.is_empty() {
            let below = |record: &&FileRecord| wave.homes.iter().any(|home| record.path.starts_with(home));
            for record in records.iter().filter(below) {
                let interface = interfaces.entry(record.id.0).or_insert_with(|| interface(live, record.id.0));
                if interface.looks_up() {
                    files.insert(record.id.0);
                }
            }
            wave.names.extend(unnamed(live));
        }
        if files.len() * 2 > all.len() && all.len() > 64 {
            return Ok(everything());
        }
        let mut next = Wave::default();
        for file in &files {
            let interface = interfaces.entry(*file).or_insert_with(|| interface(live, *file));
            let changed = interface.reached(&wave.names);
            next.names.extend(changed.names.into_iter().filter(|name| seen.names.insert(*name)));
            if changed.whole {
                let record = live.store().file(FileId(*file))?.unwrap_or_default();
                next.paths.extend(path_words(&record).into_iter().filter(|word| seen.paths.insert(word.clone())));
                next.homes.extend(Some(home(&record)).filter(|home| seen.homes.insert(home.clone())));
            }
        }
        wave = next;
    }
    live.check()?;
    Ok(files)
}

/// What changed in one round.
#[derive(Default)]
struct Wave {
    names: FxHashSet<u32>,
    paths: FxHashSet<String>,
    homes: FxHashSet<String>,
}

impl Wave {
    fn is_empty(&self) -> bool {
        self.names.is_empty() && self.paths.is_empty() && self.homes.is_empty()
    }

    /// The files that have one of the names.
    fn mentioning(&mut self, live: &Live<'_>, files: &mut BTreeSet<u32>) -> Result<()> {
        for name in &self.names {
            files.extend(live.store().mentioning(TermId(*name), false)?.iter().map(|file| file.0));
        }
        for word in &self.paths {
            if let Some(term) = live.term(word) {
                files.extend(live.store().mentioning(TermId(term), true)?.iter().map(|file| file.0));
                self.names.insert(term);
            }
        }
        Ok(())
    }
}

fn interface(live: &Live<'_>, file: u32) -> Interface {
    Interface::of(&live.unit(file), live)
}

/// How declarations mention files that they do not name.
fn unnamed(live: &Live<'_>) -> Vec<u32> {
    let words = codegraph_languages::ALL.iter().map(|language| language.linking.path_words);
    let words = words.flat_map(|words| [words.root, words.up]).filter(|word| !word.is_empty());
    words.filter_map(|word| live.term(word)).chain([UNNAMED]).collect()
}

/// The files inside modules of these names: the bodies of modules do not name themselves, nor what is around them.
fn bodies(live: &Live<'_>, records: &[FileRecord], names: &FxHashSet<u32>) -> Vec<u32> {
    let named = |record: &&FileRecord| {
        let parts = words(&record.module).chain(words(&record.path));
        parts.filter_map(|word| live.term(word)).any(|term| names.contains(&term))
    };
    records.iter().filter(named).map(|record| record.id.0).collect()
}
