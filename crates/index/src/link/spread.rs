//! How far a change reaches: links what it may have changed, and goes on from what it did change.
//!
//! A round starts from declarations that came, went or mean something else. Links lead to those who use them; names lead
//! to those who might now. What is linked anew and has other links than before, or links to what changed, may have
//! declarations that mean something else for it: they start the next round.

use std::collections::{BTreeMap, BTreeSet};

use codegraph_live::Live;
use codegraph_model::{ExprOp, FileId, RefId, StrId, TermId, TermMask};
use codegraph_resolve::{Interface, Linker, Program, Reached, UNNAMED, Unit, Workspace, words};
use codegraph_store::{FileLinks, FileRecord, LinkTarget, Store, SymbolRow};
use rustc_hash::{FxHashMap, FxHashSet};

use super::relink::{home, path_words};
use super::{Linked, link_file, stored_target};
use crate::Result;

/// Unpacked files that are kept while many are linked.
const KEPT: usize = 4_000;

/// Where references stand: types may be written in strings.
const REFERRING: TermMask = TermMask(TermMask::CODE.0 | TermMask::STRING.0);
const ANYWHERE: TermMask = TermMask(REFERRING.0 | TermMask::COMMENT.0);

type Names = FxHashSet<u32>;

/// What a round starts from.
#[derive(Default)]
pub(super) struct Wave {
    /// Files that are to be linked in any case.
    pub(super) files: BTreeSet<u32>,
    /// Names that declarations of a changed file itself may have used.
    pub(super) own: FxHashMap<u32, Names>,
    /// See [`codegraph_resolve::Changed`].
    pub(super) loose: Names,
    pub(super) added: Names,
    pub(super) removed: Names,
    pub(super) come: Names,
    pub(super) gone: Names,
    pub(super) symbols: FxHashSet<SymbolRow>,
    /// Names of files and folders: imports spell them in strings too.
    pub(super) paths: FxHashSet<String>,
    /// Folders from inside which a file can be reached without naming it.
    pub(super) homes: FxHashSet<String>,
}

impl Wave {
    pub(super) fn is_empty(&self) -> bool {
        self.files.is_empty()
            && [&self.loose, &self.added, &self.removed, &self.come, &self.gone].iter().all(|names| names.is_empty())
            && self.symbols.is_empty()
            && self.paths.is_empty()
            && self.homes.is_empty()
    }

    pub(super) fn add_whole(&mut self, record: &FileRecord) {
        self.paths.extend(path_words(record));
        self.homes.insert(home(record));
    }

    /// A folder is reached by its own name through the file that its manifest names as its entry.
    fn add_entries(&mut self, workspace: &Workspace) {
        for (folder, places) in &workspace.entries {
            let mut homes = places.iter().flat_map(|place| {
                let (around, name) = place.rsplit_once('/').unwrap_or(("", place));
                let slash = if around.is_empty() { "" } else { "/" };
                let stem = name.split('.').next().unwrap_or(name);
                [format!("{around}{slash}"), format!("{around}{slash}{stem}/")]
            });
            if homes.any(|home| self.homes.contains(&home)) {
                self.paths.extend(words(folder.rsplit('/').next().unwrap_or_default()).map(str::to_owned));
                self.homes.insert(if folder.is_empty() { String::new() } else { format!("{folder}/") });
            }
        }
    }

    /// Takes out what an earlier round started from.
    fn without(mut self, seen: &mut Wave) -> Wave {
        self.loose.retain(|name| seen.loose.insert(*name));
        self.added.retain(|name| seen.added.insert(*name));
        self.symbols.retain(|symbol| seen.symbols.insert(*symbol));
        self.paths.retain(|word| seen.paths.insert(word.clone()));
        self.homes.retain(|home| seen.homes.insert(home.clone()));
        self
    }
}

/// The files that are linked again.
pub(super) struct Spread<'a, 's> {
    live: &'a Live<'s>,
    linker: Linker<'a>,
    /// Files whose facts are not those that their stored links were made of.
    changed: &'a FxHashSet<u32>,
    pub(super) linked: BTreeMap<u32, Linked>,
    interfaces: FxHashMap<u32, Interface>,
    records: Option<Vec<FileRecord>>,
    seen: Wave,
}

impl<'a, 's> Spread<'a, 's> {
    pub(super) fn new(live: &'a Live<'s>, changed: &'a FxHashSet<u32>) -> Spread<'a, 's> {
        Spread {
            live,
            linker: Linker::new(live),
            changed,
            linked: BTreeMap::new(),
            interfaces: FxHashMap::default(),
            records: None,
            seen: Wave::default(),
        }
    }

    pub(super) fn run(&mut self, mut wave: Wave) -> Result<()> {
        wave.add_entries(self.live.workspace());
        let mut wave = wave.without(&mut self.seen);
        while !wave.is_empty() {
            let mut next = self.round(wave)?;
            next.add_entries(self.live.workspace());
            wave = next.without(&mut self.seen);
        }
        Ok(())
    }

    /// Links a file.
    pub(super) fn link(&mut self, file: u32) {
        let linked = link_file(&mut self.linker, self.live, FileId(file));
        self.linked.insert(file, linked);
        self.make_room();
    }

    /// Frees the unpacked files when there are many; they are read again when they are asked for.
    fn make_room(&mut self) {
        if self.live.unit_count() > KEPT {
            self.live.forget_units();
            self.linker = Linker::new(self.live);
        }
    }

    fn round(&mut self, mut wave: Wave) -> Result<Wave> {
        let mut sure = std::mem::take(&mut wave.files);
        self.add_sources(&wave.symbols, &mut sure)?;
        let spelled = self.add_places(&wave, &mut sure)?;
        let doubtful = self.doubtful(&wave, &mut sure)?;
        let mut strong: FxHashMap<u32, Names> = std::mem::take(&mut wave.own);
        for file in sure {
            self.relink(file, &mut strong)?;
        }
        for (file, names) in doubtful {
            if !self.linked.contains_key(&file) && !self.is_gone(file)? && self.is_affected(file, &names)? {
                self.relink(file, &mut strong)?;
            }
        }
        let mut next = Wave::default();
        let files: Vec<u32> = self.linked.keys().copied().collect();
        for file in files {
            let strong = strong.remove(&file).unwrap_or_default();
            let reached = self.reached(file, &wave, strong, &spelled);
            next.loose.extend(reached.loose);
            next.added.extend(reached.imports);
            next.symbols.extend(reached.symbols.into_iter().map(|symbol| SymbolRow::new(FileId(file), symbol)));
            if reached.whole {
                next.add_whole(&self.live.store().file(FileId(file))?.unwrap_or_default());
            }
        }
        Ok(next)
    }

    /// The files that refer to symbols.
    fn add_sources(&self, symbols: &FxHashSet<SymbolRow>, sure: &mut BTreeSet<u32>) -> Result<()> {
        let files: BTreeSet<u32> = symbols.iter().map(|row| row.file.0).collect();
        for file in files {
            let all = self.live.store().all_sources(FileId(file))?.into_iter();
            let used = all.filter(|(symbol, _)| symbols.contains(&SymbolRow::new(FileId(file), *symbol)));
            sure.extend(used.map(|(_, source)| source.0));
        }
        Ok(())
    }

    /// The files that may reach a file by its name or place; gives the names by which they do.
    fn add_places(&mut self, wave: &Wave, sure: &mut BTreeSet<u32>) -> Result<Names> {
        let live = self.live;
        let mut spelled = Names::default();
        for term in wave.paths.iter().filter_map(|word| live.term(word)) {
            sure.extend(live.store().mentioning(TermId(term), ANYWHERE)?.iter().map(|file| file.0));
            spelled.insert(term);
        }
        if !wave.homes.is_empty() {
            let records = match self.records.take() {
                Some(records) => records,
                None => live.store().files()?,
            };
            for record in &records {
                if wave.homes.iter().any(|home| record.path.starts_with(home)) && self.interface(record.id.0).looks_up()
                {
                    sure.insert(record.id.0);
                }
            }
            self.records = Some(records);
            spelled.extend(unnamed(live));
        }
        Ok(spelled)
    }

    /// The files with names that may mean something else now, and which.
    fn doubtful(&self, wave: &Wave, sure: &mut BTreeSet<u32>) -> Result<BTreeMap<u32, Names>> {
        let mut doubtful: BTreeMap<u32, Names> = BTreeMap::new();
        for name in wave.loose.union(&wave.added) {
            for file in self.mentioning(*name)? {
                doubtful.entry(file).or_default().insert(*name);
            }
        }
        for name in &wave.removed {
            for file in self.open(*name)? {
                doubtful.entry(file).or_default().insert(*name);
            }
        }
        // What could not be bound is counted only while something has the name.
        for name in &wave.come {
            sure.extend(self.mentioning(*name)?.filter(|file| !self.is_defined_elsewhere(*name, *file)));
        }
        for name in &wave.gone {
            sure.extend(self.open(*name)?.filter(|file| !self.is_defined_elsewhere(*name, *file)));
        }
        Ok(doubtful)
    }

    fn mentioning(&self, name: u32) -> Result<impl Iterator<Item = u32> + use<>> {
        Ok(self.live.store().mentioning(TermId(name), REFERRING)?.into_iter().map(|file| file.0))
    }

    /// The files in which a name is not bound.
    fn open(&self, name: u32) -> Result<impl Iterator<Item = u32> + use<>> {
        Ok(self.live.store().unbound(TermId(name))?.into_iter().map(|(file, _)| file.0))
    }

    /// Whether a file that did not change defines a name for another.
    fn is_defined_elsewhere(&self, name: u32, user: u32) -> bool {
        let language = self.live.language(user);
        let stays = |file: &u32| !self.changed.contains(file) && language.is_related(self.live.language(*file));
        self.live.defining(name).iter().any(stays)
    }

    /// Links a file unless that was done, and notes the names that have other links than before.
    fn relink(&mut self, file: u32, strong: &mut FxHashMap<u32, Names>) -> Result<()> {
        if self.linked.contains_key(&file) || self.is_gone(file)? {
            return Ok(());
        }
        self.link(file);
        if self.changed.contains(&file) {
            return Ok(());
        }
        let before = self.live.store().links_before(FileId(file))?;
        let differing = differing(&self.live.unit(file), &before, &self.linked[&file].links);
        strong.entry(file).or_default().extend(differing);
        Ok(())
    }

    fn is_gone(&self, file: u32) -> Result<bool> {
        Ok(self.changed.contains(&file) && self.live.store().file(FileId(file))?.is_none())
    }

    /// Whether one of these names in a file means something else, or something that has changed.
    fn is_affected(&mut self, file: u32, names: &Names) -> Result<bool> {
        self.make_room();
        let unit = self.live.unit(file);
        if unspoken(&unit).any(|name| names.contains(&name)) {
            return Ok(true);
        }
        let before = self.live.store().links_before(FileId(file))?;
        let mut found = self.linker.link_only(file, |_, reference| names.contains(&unit.name(reference.name)));
        found.retain(|link| stored_target(&link.target).is_some());
        let mut found = found.into_iter().peekable();
        for bound in &before.bound {
            let name = unit.name(unit.facts.refs[bound.reference.index()].name);
            if !names.contains(&name) {
                continue;
            }
            let Some(link) = found.next_if(|link| link.reference == bound.reference) else { return Ok(true) };
            let target = before.target(bound);
            let same = (bound.certainty, bound.how) == (link.certainty, link.how)
                && stored_target(&link.target).as_ref() == Some(target);
            if !same || self.seen.loose.contains(&name) || self.is_dirty(target) {
                return Ok(true);
            }
        }
        Ok(found.next().is_some())
    }

    fn is_dirty(&self, target: &LinkTarget) -> bool {
        matches!(target, LinkTarget::Symbol(row) if self.seen.symbols.contains(row))
    }

    /// The declarations of a file that what changed has reached.
    fn reached(&mut self, file: u32, wave: &Wave, mut strong: Names, spelled: &Names) -> Reached {
        let unit = self.live.unit(file);
        let mut weak = Names::default();
        let links = &self.linked[&file].links;
        for bound in &links.bound {
            let name = unit.name(unit.facts.refs[bound.reference.index()].name);
            if wave.loose.contains(&name) {
                strong.insert(name);
            }
            if matches!(links.target(bound), LinkTarget::Symbol(row) if wave.symbols.contains(row)) {
                weak.insert(name);
            }
        }
        strong.extend(unspoken(&unit).filter(|name| wave.loose.contains(name)));
        // What a type around is needs no name to be asked for.
        let own = wave.symbols.iter().filter(|row| row.file.0 == file).map(|row| unit.symbol(row.symbol));
        weak.extend(own.filter(|symbol| symbol.kind.is_type()).map(|symbol| unit.name(symbol.name)));
        if strong.is_empty() && weak.is_empty() && spelled.is_empty() {
            return Reached::default();
        }
        strong.extend(spelled);
        self.interface(file).reached(&strong, &weak)
    }

    fn interface(&mut self, file: u32) -> &Interface {
        self.interfaces.entry(file).or_insert_with(|| Interface::of(&self.live.unit(file), self.live))
    }
}

/// Names that ask for something without being a reference: keys, literals, the types that definitions are about.
fn unspoken(unit: &Unit) -> impl Iterator<Item = u32> + '_ {
    let keys = unit.facts.exprs.iter().filter(|expr| matches!(expr.op, ExprOp::Key | ExprOp::Literal));
    let keys = keys.map(|expr| StrId(expr.b)).filter(|name| name.is_some()).map(|name| unit.name(name));
    keys.chain(unit.extended())
}

/// The names of the references whose links are not as before.
fn differing(unit: &Unit, before: &FileLinks, after: &FileLinks) -> Names {
    let mut names = Names::default();
    let mut old = before.bound.iter().peekable();
    let mut note = |reference: RefId| names.insert(unit.name(unit.facts.refs[reference.index()].name));
    for new in &after.bound {
        while let Some(gone) = old.next_if(|old| old.reference < new.reference) {
            note(gone.reference);
        }
        let same = old.next_if(|old| old.reference == new.reference).is_some_and(|old| {
            (old.certainty, old.how) == (new.certainty, new.how) && before.target(old) == after.target(new)
        });
        if !same {
            note(new.reference);
        }
    }
    old.for_each(|gone| {
        note(gone.reference);
    });
    names
}

/// How declarations mention files that they do not name.
fn unnamed(live: &Live<'_>) -> Vec<u32> {
    let words = codegraph_languages::ALL.iter().map(|language| language.linking.path_words);
    let words = words.flat_map(|words| [words.root, words.up]).filter(|word| !word.is_empty());
    words.filter_map(|word| live.term(word)).chain([UNNAMED]).collect()
}

/// The files inside modules of these names: the bodies of modules do not name themselves, nor what is around them.
pub(super) fn bodies(live: &Live<'_>, names: &Names) -> Result<Vec<u32>> {
    let named = |record: &FileRecord| {
        let parts = words(&record.module).chain(words(&record.path));
        parts.filter_map(|word| live.term(word)).any(|term| names.contains(&term))
    };
    Ok(live.store().files()?.into_iter().filter(named).map(|record| record.id.0).collect())
}

/// The files that refer to what is no longer there.
pub(super) fn stale(store: &Store, changed: &FxHashSet<u32>) -> Result<BTreeSet<u32>> {
    let mut files = BTreeSet::new();
    for file in changed {
        files.extend(store.stale_sources(FileId(*file))?.iter().map(|source| source.0));
    }
    Ok(files)
}

/// The files with a changed name that a compiler has told us about: what it said may hold again, or no longer.
pub(super) fn told(store: &Store, wave: &Wave) -> Result<BTreeSet<u32>> {
    let imported = store.imported_files()?;
    let mut files = BTreeSet::new();
    if imported.is_empty() {
        return Ok(files);
    }
    for name in wave.own.values().flatten().chain(&wave.come) {
        let mentioning = store.mentioning(TermId(*name), REFERRING)?.into_iter();
        files.extend(mentioning.filter(|file| imported.binary_search(file).is_ok()).map(|file| file.0));
    }
    Ok(files)
}
