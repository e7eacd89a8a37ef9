//! What a compiler said about the references of a file: kept while the file is what it was, and put over what the
//! linker found each time the file is linked.
//!
//! Targets are names, not numbers: a target that is gone lets the linker's answer through, and one that comes back
//! counts again.

use std::collections::BTreeMap;
use std::sync::Arc;

use codegraph_model::{Certainty, FileId, How, RefId, RefKind, SymbolId, SymbolKind, TermId};
use rusqlite::{OptionalExtension, params};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::wire::{pack_row, unpack_row};
use crate::{BoundRef, Error, FileLinks, FileNames, LinkTarget, Result, Store, Stored, SymbolRow, Update};

/// What a reference means.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ImportedTarget {
    /// The nth symbol of this kind and scoped name in a file, from 0.
    Symbol { path: String, kind: SymbolKind, name: String, nth: u32 },
    /// A file as a module.
    Module { path: String },
    /// Something outside, outermost name first: names that stand in the file.
    External { names: Vec<String> },
    /// A local name.
    Local,
}

/// What the references of one file mean.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportedLinks {
    /// Distinct, sorted.
    pub targets: Vec<ImportedTarget>,
    /// Reference and place of its target, in the order of the references.
    pub bound: Vec<(u32, u32)>,
}

/// The symbols of a file by kind and scoped name.
type ByName = FxHashMap<(SymbolKind, String), Vec<SymbolId>>;

/// Files whose symbols were looked up by name.
#[derive(Default)]
pub(crate) struct NamedSymbols(FxHashMap<String, Option<(FileId, Arc<ByName>)>>);

impl NamedSymbols {
    fn of(&mut self, store: &Store, path: &str) -> Result<Option<(FileId, Arc<ByName>)>> {
        if let Some(known) = self.0.get(path) {
            return Ok(known.clone());
        }
        let found = match store.file_by_path(path)? {
            Some(record) => {
                let stored = store.outline(record.id)?;
                Some((record.id, Arc::new(by_name(store, FileNames::of(&record), &stored)?)))
            }
            None => None,
        };
        self.0.insert(path.to_owned(), found.clone());
        Ok(found)
    }
}

fn by_name(store: &Store, names: FileNames<'_>, stored: &Stored) -> Result<ByName> {
    let texts = store.symbol_names(stored)?;
    let mut all = ByName::default();
    for (place, symbol) in stored.facts.symbols.iter().enumerate() {
        let id = SymbolId(place as u32);
        all.entry((symbol.kind, names.scoped(&stored.facts, id, &texts))).or_default().push(id);
    }
    Ok(all)
}

impl Store {
    /// The names by which a symbol can be imported, for all symbols of a file.
    pub fn import_names(&self, file: FileId) -> Result<Vec<ImportedTarget>> {
        let Some(record) = self.file(file)? else { return Ok(Vec::new()) };
        let stored = self.outline(file)?;
        let path = record.path.clone();
        let mut names = vec![ImportedTarget::Module { path: path.clone() }; stored.facts.symbols.len()];
        for ((kind, name), symbols) in by_name(self, FileNames::of(&record), &stored)? {
            for (nth, symbol) in symbols.into_iter().enumerate().filter(|(_, symbol)| symbol.0 != 0) {
                let (path, name) = (path.clone(), name.clone());
                names[symbol.index()] = ImportedTarget::Symbol { path, kind, name, nth: nth as u32 };
            }
        }
        Ok(names)
    }

    /// The files of which a compiler's knowledge is kept.
    pub fn imported_files(&self) -> Result<Vec<FileId>> {
        let mut query = self.db.prepare_cached("SELECT file FROM imported ORDER BY file")?;
        let ids = query.query_map([], |row| row.get(0).map(FileId))?;
        Ok(ids.collect::<rusqlite::Result<_>>()?)
    }

    /// The files whose imported links lead to a file.
    pub fn importers(&self, file: FileId) -> Result<Vec<FileId>> {
        let imported = self.imported_files()?;
        if imported.is_empty() {
            return Ok(imported);
        }
        let mut sources: Vec<FileId> = self.slot_sources(file)?.into_iter().map(|(_, source)| source).collect();
        sources.sort_unstable();
        sources.dedup();
        sources.retain(|source| imported.binary_search(source).is_ok());
        Ok(sources)
    }

    /// What was imported for a file that is still what it was.
    fn imported(&self, file: FileId) -> Result<Option<ImportedLinks>> {
        let mut query = self.db.prepare_cached(
            "SELECT data FROM imported JOIN file ON file.id = imported.file
                 WHERE imported.file = ?1 AND imported.hash = file.hash",
        )?;
        let row: Option<Vec<u8>> = query.query_row([file.0], |row| row.get(0)).optional()?;
        let Some(row) = row else { return Ok(None) };
        let bytes = unpack_row(&row, "imported links")?;
        serde_json::from_slice(&bytes).map(Some).map_err(|_| Error::packed("imported links"))
    }
}

impl Update<'_> {
    /// Keeps what a compiler said about a file, in place of what one said before. It counts when the file is linked.
    pub fn put_import(&mut self, file: FileId, links: &ImportedLinks) -> Result<()> {
        let data = serde_json::to_vec(links).map_err(|_| Error::packed("imported links"))?;
        self.store()
            .db
            .prepare_cached(
                "INSERT OR REPLACE INTO imported SELECT id, hash, ?2, row_sum(id, hash, ?2) FROM file WHERE id = ?1",
            )?
            .execute(params![file.0, pack_row(&data)])?;
        Ok(())
    }

    /// Forgets what a compiler said about a file.
    pub(crate) fn drop_import(&mut self, file: FileId) -> Result<()> {
        self.store().db.prepare_cached("DELETE FROM imported WHERE file = ?1")?.execute([file.0])?;
        Ok(())
    }
}

/// What references mean, in their order.
type Meanings = BTreeMap<RefId, (LinkTarget, BoundRef)>;

/// Links, and how often the file uses each name that nothing proves.
type Merged = (FileLinks, Vec<(TermId, u32)>);

/// The links of a file with what was imported over them, and the names that nothing proves; nothing if nothing was
/// imported.
pub(crate) fn merged(
    store: &Store,
    names: &mut NamedSymbols,
    file: FileId,
    stored: &Stored,
    links: &FileLinks,
) -> Result<Option<Merged>> {
    let Some(imported) = store.imported(file)? else { return Ok(None) };
    let targets = imported.targets.iter().map(|target| resolve(store, names, stored, target));
    let targets: Vec<Option<Option<LinkTarget>>> = targets.collect::<Result<_>>()?;
    let mut all: Meanings =
        links.bound.iter().map(|bound| (bound.reference, (links.target(bound).clone(), bound.clone()))).collect();
    let mut unbound = links.unbound.clone();
    for (reference, place) in imported.bound {
        let (reference, place) = (RefId(reference), place as usize);
        let (Some(Some(target)), Some(used)) = (targets.get(place), stored.facts.refs.get(reference.index())) else {
            continue;
        };
        match target {
            Some(target) => {
                let is_type = matches!(imported.targets[place], ImportedTarget::Symbol { kind, .. } if kind.is_type());
                let makes = is_type && used.kind == RefKind::Call;
                let (certainty, how) = (Certainty::Exact, How::Compiler);
                all.insert(reference, (target.clone(), BoundRef { reference, target: 0, certainty, how, makes }));
            }
            None => {
                all.remove(&reference);
            }
        }
        unbound.retain(|open| *open != reference);
    }
    let counts = counts(stored, &unbound);
    Ok(Some((packed(all, unbound), counts)))
}

/// Nothing for a target that is gone; a local name is no target.
fn resolve(
    store: &Store,
    names: &mut NamedSymbols,
    stored: &Stored,
    target: &ImportedTarget,
) -> Result<Option<Option<LinkTarget>>> {
    Ok(match target {
        ImportedTarget::Local => Some(None),
        ImportedTarget::Module { path } => {
            let file = names.of(store, path)?;
            file.map(|(file, _)| Some(LinkTarget::Symbol(SymbolRow::new(file, SymbolId(0)))))
        }
        ImportedTarget::Symbol { path, kind, name, nth } => names.of(store, path)?.and_then(|(file, symbols)| {
            let symbol = *symbols.get(&(*kind, name.clone()))?.get(*nth as usize)?;
            Some(Some(LinkTarget::Symbol(SymbolRow::new(file, symbol))))
        }),
        ImportedTarget::External { names } => {
            let terms = names.iter().map(|name| store.term(name)).collect::<Result<Option<Vec<_>>>>()?;
            let known = terms.filter(|terms| terms.iter().all(|term| stored.str_id(*term).is_some()));
            known.map(|terms| Some(LinkTarget::External(terms)))
        }
    })
}

fn packed(all: Meanings, unbound: Vec<RefId>) -> FileLinks {
    let mut targets: Vec<LinkTarget> = all.values().map(|(target, _)| target.clone()).collect();
    targets.sort_unstable();
    targets.dedup();
    let bound = all.into_values().map(|(target, bound)| {
        let target = targets.binary_search(&target).expect("every target is in the list") as u32;
        BoundRef { target, ..bound }
    });
    let bound = bound.collect();
    FileLinks { targets, bound, unbound }
}

fn counts(stored: &Stored, unbound: &[RefId]) -> Vec<(TermId, u32)> {
    let mut counts: BTreeMap<TermId, u32> = BTreeMap::new();
    for reference in unbound {
        *counts.entry(stored.term(stored.facts.refs[reference.index()].name)).or_default() += 1;
    }
    counts.into_iter().collect()
}
