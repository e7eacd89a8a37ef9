//! Linking after a change: no more than what it can have reached, which gives the same links as a new index.

use std::collections::BTreeMap;

use codegraph_languages::Language;
use codegraph_live::{Live, on_deep_stack};
use codegraph_model::{FileFacts, FileId, TermId};
use codegraph_resolve::{Changed, Interface, Program, Unit, words};
use codegraph_store::{FileRecord, Store, SymbolRow, Update};
use rustc_hash::FxHashSet;

use super::Linked;
use super::spread::{Spread, Wave, bodies, stale, told};
use crate::Result;

/// What a change may have reached.
#[derive(Default)]
pub(crate) struct Dirty {
    wave: Wave,
    /// Files whose facts were replaced or removed.
    changed: FxHashSet<u32>,
    /// Modules of these names, which other files are the bodies of, came or went.
    modules: FxHashSet<u32>,
    everything: bool,
}

impl Dirty {
    pub(crate) fn is_empty(&self) -> bool {
        self.wave.is_empty() && self.changed.is_empty() && !self.everything
    }

    /// Something changed that any link may depend on.
    pub(crate) fn set_everything(&mut self) {
        self.everything = true;
    }

    /// A file is to be linked again.
    pub(crate) fn add_file(&mut self, file: FileId) {
        self.wave.files.insert(file.0);
    }

    /// A file has other facts than before, or is gone.
    pub(crate) fn add_changed(&mut self, file: FileId) {
        self.add_file(file);
        self.changed.insert(file.0);
    }

    /// The declarations of a file changed. A file that is new has no number yet, and nobody who knows it.
    pub(crate) fn add(&mut self, record: &FileRecord, changed: Changed) {
        self.everything |= changed.everything;
        let wave = &mut self.wave;
        if record.id != FileRecord::default().id {
            wave.symbols.extend(changed.symbols.iter().map(|symbol| SymbolRow::new(record.id, *symbol)));
            wave.own.entry(record.id.0).or_default().extend(&changed.own);
        }
        wave.loose.extend(changed.loose);
        wave.added.extend(changed.added);
        wave.removed.extend(changed.removed);
        wave.come.extend(changed.come);
        wave.gone.extend(changed.gone);
        if changed.modules {
            self.modules.extend(changed.own);
        }
        if changed.whole {
            wave.add_whole(record);
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
            self.wave.paths.extend(words(last).map(str::to_owned));
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
pub(super) fn home(record: &FileRecord) -> String {
    let folder = record.path.rfind('/').map_or("", |slash| &record.path[..=slash]);
    if stands_for_folder(record) { folder.to_owned() } else { format!("{folder}{}/", stem(&record.path)) }
}

/// The words by which a file or its folder is imported. A file that goes by the name of its folder may be named all the
/// same: `../index.js`.
pub(super) fn path_words(record: &FileRecord) -> Vec<String> {
    let last = record.module.rsplit(&['.', '/', ':', '\\'][..]).next().unwrap_or_default();
    [last, stem(&record.path)].into_iter().flat_map(words).map(str::to_owned).collect()
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
        let linked = reached(&live, dirty)?;
        live.check()?;
        linked
    };
    for (file, linked) in &linked {
        update.put_links(FileId(*file), &linked.links, &linked.unbound)?;
    }
    Ok(linked.len() as u64)
}

/// The new links of the files that a change has reached.
fn reached(live: &Live<'_>, dirty: Dirty) -> Result<BTreeMap<u32, Linked>> {
    let Dirty { mut wave, changed, modules, everything } = dirty;
    let mut spread = Spread::new(live, &changed);
    if everything {
        live.store().file_ids()?.into_iter().for_each(|file| spread.link(file.0));
        return Ok(spread.linked);
    }
    if !modules.is_empty() {
        wave.files.extend(bodies(live, &modules)?);
    }
    wave.files.extend(stale(live.store(), &changed)?);
    wave.files.extend(told(live.store(), &wave)?);
    spread.run(wave)?;
    Ok(spread.linked)
}
