//! Taking over what a compiler knows: its references become exact links, file by file.

use codegraph_index::{Project, UpdateOptions, import_links};
use codegraph_model::{Certainty, FileId, Flags, RefId, SymbolId};
use codegraph_query::Reader;
use codegraph_store::{FileLinks, FileRecord, ImportedLinks, ImportedTarget, LinkTarget, Store, Stored, SymbolRow};
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::Result;
use crate::lint::descriptors;
use crate::read::Truth;
use crate::score::{Digest, Key, Pos, ScipKind, Sources, package_of};
use crate::verify::{Files, digest};

/// What was covered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ImportReport {
    pub tool: String,
    pub version: String,
    /// Files of which something was taken over.
    pub files: u64,
    /// References in these files, covered or not.
    pub references: u64,
    /// References to symbols of the project.
    pub bound: u64,
    /// Of these: known before, but not for sure.
    pub upgraded: u64,
    /// Of these: not known before.
    pub added: u64,
    /// Of these: known as something else.
    pub corrected: u64,
    /// References to something outside.
    pub external: u64,
    /// References to local names.
    pub local: u64,
    /// Documents without an indexed file.
    pub not_indexed: Files,
}

/// Imports an index that a compiler made of the same tree.
pub fn import(project: &Project, reader: &Reader, truth: &Truth) -> Result<ImportReport> {
    let sources = Sources::new(reader.root());
    let digest = digest(&sources, truth);
    let mut import = Import::new(reader.store(), &sources, &digest);
    import.report.tool = truth.tool().to_owned();
    import.report.version = truth.version().to_owned();
    let mut missing = digest.absent.clone();
    let mut files = Vec::new();
    let mut paths: Vec<u32> = digest.paths.iter().copied().collect();
    paths.sort_unstable_by_key(|path| sources.path(*path));
    for path in paths {
        match reader.store().file_by_path(&sources.path(path))? {
            // Positions in a text that is not the indexed one mean nothing.
            Some(record) if reader.text(&record).is_ok() => {
                let links = import.file(path, &record)?;
                if !links.bound.is_empty() {
                    files.push((record.id, record.hash, links));
                }
            }
            _ => missing.push(sources.path(path).to_string()),
        }
    }
    import.report.not_indexed = Files::of(missing);
    import.report.files = files.len() as u64;
    let report = import.report;
    import_links(project, &files, &UpdateOptions::default())?;
    Ok(report)
}

/// What stands at the positions of a file.
struct Named {
    file: FileId,
    stored: Stored,
    symbols: FxHashMap<(u32, u32), SymbolId>,
    names: Vec<ImportedTarget>,
}

struct Import<'a> {
    store: &'a Store,
    sources: &'a Sources,
    truth: &'a Digest,
    /// Where each symbol is defined.
    definitions: FxHashMap<Key, Vec<Pos>>,
    named: FxHashMap<u32, Option<Named>>,
    report: ImportReport,
}

/// A meaning, with the symbol if it is one of the project.
type Meaning = (ImportedTarget, Option<SymbolRow>);

impl<'a> Import<'a> {
    fn new(store: &'a Store, sources: &'a Sources, truth: &'a Digest) -> Import<'a> {
        let mut definitions: FxHashMap<Key, Vec<Pos>> = FxHashMap::default();
        for (pos, keys) in &truth.definitions {
            keys.iter().for_each(|key| definitions.entry(*key).or_default().push(*pos));
        }
        definitions.values_mut().for_each(|all| all.sort_unstable());
        Import { store, sources, truth, definitions, named: FxHashMap::default(), report: ImportReport::default() }
    }

    fn file(&mut self, path: u32, record: &FileRecord) -> Result<ImportedLinks> {
        let stored = self.store.facts(record.id)?;
        let links = self.store.links(record.id)?;
        let mut found: Vec<(u32, ImportedTarget)> = Vec::new();
        for (place, reference) in stored.facts.refs.iter().enumerate() {
            let (line, column) = stored.facts.position(reference.span.start);
            let pos = Pos { path, line: line - 1, column };
            let id = RefId(place as u32);
            let meaning = self.meaning(pos, &stored, record.id, links.of(id).map(|bound| links.target(bound)))?;
            if let Some((target, row)) = meaning {
                self.count(&target, row, id, &links);
                found.push((id.0, target));
            }
        }
        self.report.references += stored.facts.refs.len() as u64;
        let mut targets: Vec<ImportedTarget> = found.iter().map(|(_, target)| target.clone()).collect();
        targets.sort_unstable();
        targets.dedup();
        let place = |target| targets.binary_search(target).expect("every target is in the list") as u32;
        let bound = found.iter().map(|(reference, target)| (*reference, place(target))).collect();
        Ok(ImportedLinks { targets, bound })
    }

    fn count(&mut self, target: &ImportedTarget, row: Option<SymbolRow>, id: RefId, links: &FileLinks) {
        let report = &mut self.report;
        match (target, row) {
            (ImportedTarget::Local, _) => report.local += 1,
            (_, None) => report.external += 1,
            (_, Some(row)) => {
                report.bound += 1;
                match links.of(id) {
                    None => report.added += 1,
                    Some(bound) if *links.target(bound) != LinkTarget::Symbol(row) => report.corrected += 1,
                    Some(bound) if bound.certainty != Certainty::Exact => report.upgraded += 1,
                    Some(_) => {}
                }
            }
        }
    }

    /// What the compiler says about a position. Of several definitions the one that we know already is taken.
    fn meaning(
        &mut self,
        pos: Pos,
        stored: &Stored,
        file: FileId,
        ours: Option<&LinkTarget>,
    ) -> Result<Option<Meaning>> {
        let truth = self.truth;
        let Some(entries) = truth.refs.get(&pos) else { return Ok(None) };
        let mut keys: Vec<(Key, u32)> =
            entries.iter().copied().filter(|(key, _)| !truth.is_defined_at(pos, *key)).collect();
        // A construction names the class and its constructor: the call counts.
        keys.sort_by_key(|(key, _)| truth.kind(*key) != ScipKind::Function);
        let mut found: Vec<Meaning> = Vec::new();
        for (key, _) in &keys {
            for at in self.definitions.get(key).cloned().unwrap_or_default() {
                found.extend(self.defined_at(at, *key, stored, file)?);
            }
        }
        let known = |meaning: &&Meaning| meaning.1.is_some_and(|row| ours == Some(&LinkTarget::Symbol(row)));
        if let Some(meaning) = found.iter().find(known).or(found.first()) {
            return Ok(Some(meaning.clone()));
        }
        let outside = keys.iter().find(|(key, _)| self.is_external(*key));
        Ok(match outside {
            Some((key, end)) => self.external(*key, pos, *end, stored)?.map(|target| (target, None)),
            None => None,
        })
    }

    fn is_external(&self, key: Key) -> bool {
        let (kind, places) = (self.truth.kind(key), self.truth.places(key));
        kind != ScipKind::Local && places.is_empty() && !self.truth.packages.contains(&package_of(self.truth.name(key)))
    }

    /// What we know where the compiler has a definition.
    fn defined_at(&mut self, at: Pos, key: Key, from: &Stored, file: FileId) -> Result<Option<Meaning>> {
        let kind = self.truth.kind(key);
        let Some(named) = self.named(at.path)? else { return Ok(None) };
        let symbol = match named.symbols.get(&(at.line, at.column)) {
            Some(symbol) => *symbol,
            None if kind == ScipKind::Module && (at.line, at.column) == (0, 0) => SymbolId(0),
            None if named.file == file && kind.is_local() => return Ok(Some((ImportedTarget::Local, None))),
            None => return Ok(None),
        };
        // Only names that stand in a file make it be linked again when they go.
        let name = named.stored.facts.symbols[symbol.index()].name;
        let written = symbol.0 == 0 || name.is_some() && from.str_id(named.stored.term(name)).is_some();
        let row = SymbolRow::new(named.file, symbol);
        Ok(written.then(|| (named.names[symbol.index()].clone(), Some(row))))
    }

    fn named(&mut self, path: u32) -> Result<Option<&Named>> {
        if !self.named.contains_key(&path) {
            let found = match self.store.file_id(&self.sources.path(path))? {
                Some(file) => Some(named(self.store, file)?),
                None => None,
            };
            self.named.insert(path, found);
        }
        Ok(self.named[&path].as_ref())
    }

    /// The names of something outside, as far as they stand in the file.
    fn external(&self, key: Key, pos: Pos, end: u32, stored: &Stored) -> Result<Option<ImportedTarget>> {
        let symbol = self.truth.name(key);
        let mut parts = symbol.splitn(5, ' ');
        let package = parts.nth(2).unwrap_or_default().to_owned();
        let path = parts.nth(1).and_then(descriptors).unwrap_or_default();
        let own = self.sources.part(pos.path, pos.line, pos.column, end);
        let own = String::from_utf8_lossy(&own).into_owned();
        let mut names = vec![path.last().cloned().unwrap_or(own.clone())];
        if !self.stands_in(stored, &names[0])? {
            names = vec![own];
        }
        for outer in path.iter().rev().skip(1).chain([&package]) {
            if !self.stands_in(stored, outer)? {
                break;
            }
            names.insert(0, outer.clone());
        }
        Ok(self.stands_in(stored, names.last().expect("there is one"))?.then_some(ImportedTarget::External { names }))
    }

    fn stands_in(&self, stored: &Stored, name: &str) -> Result<bool> {
        Ok(self.store.term(name)?.is_some_and(|term| stored.str_id(term).is_some()))
    }
}

fn named(store: &Store, file: FileId) -> Result<Named> {
    let stored = store.outline(file)?;
    let mut symbols: FxHashMap<(u32, u32), SymbolId> = FxHashMap::default();
    for (place, symbol) in stored.facts.symbols.iter().enumerate().skip(1) {
        if symbol.name_span.is_empty() {
            continue;
        }
        let (line, column) = stored.facts.position(symbol.name_span.start);
        let entry = symbols.entry((line - 1, column)).or_insert(SymbolId(place as u32));
        // A definition goes before a declaration at the same place.
        if stored.facts.symbols[entry.index()].flags.has(Flags::DECLARATION) && !symbol.flags.has(Flags::DECLARATION) {
            *entry = SymbolId(place as u32);
        }
    }
    Ok(Named { file, symbols, names: store.import_names(file)?, stored })
}
