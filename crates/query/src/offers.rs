//! What a project offers to others: the paths by which they can name its symbols, and which symbols these are.
//!
//! Candidates are what stands at the top of each file, defined or imported; the linker says what each path means, by the
//! same rules by which another project's path is looked up. So re-exports are found under all their names.

use std::collections::BTreeMap;

use codegraph_languages::Language;
use codegraph_live::{Live, on_deep_stack};
use codegraph_model::{FileId, StrId, SymbolId, Visibility};
use codegraph_resolve::{Linker, Target};
use codegraph_store::{FileNames, FileRecord, Store, Stored};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::paths::is_test;
use crate::{Reader, Result, vocabulary};

/// A path under which others can use a symbol.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Offered {
    /// Where such packages are published.
    pub registry: &'static str,
    pub package: String,
    /// Names joined by the language's separator, as the index of an importer has them.
    pub path: String,
    pub key: u128,
}

/// All paths, sorted.
pub fn offers(reader: &Reader) -> Result<Vec<Offered>> {
    let store = reader.store();
    let live = Live::new(store);
    let found = on_deep_stack(|| {
        let mut work = Work {
            store,
            linker: Linker::new(&live),
            tried: FxHashSet::default(),
            files: FxHashMap::default(),
            found: BTreeMap::new(),
        };
        for record in store.files()? {
            reader.go_on()?;
            work.file(&record)?;
        }
        Ok::<_, crate::Error>(work.found)
    })?;
    live.check()?;
    let offered = |((path, registry), (package, key))| Offered { registry, package, path, key };
    Ok(found.into_iter().map(offered).collect())
}

struct Work<'s> {
    store: &'s Store,
    linker: Linker<'s>,
    tried: FxHashSet<(&'static str, Vec<String>)>,
    files: FxHashMap<FileId, Home>,
    /// By path and registry: package and key.
    found: BTreeMap<(String, &'static str), (String, u128)>,
}

/// A file that has a symbol that is offered.
struct Home {
    package: String,
    stored: Stored,
    keys: Vec<u128>,
    names: Vec<String>,
}

impl Work<'_> {
    fn file(&mut self, record: &FileRecord) -> Result<()> {
        let language = vocabulary::language(&record.language)?;
        if language.registry.is_empty() || is_test(&record.path) {
            return Ok(());
        }
        let names = self.names_at_top(record.id)?;
        let module = [record.module.clone()];
        let split: Vec<String> = record.module.split(language.separator).map(str::to_owned).collect();
        let package = [record.package.clone()];
        for base in [&module[..], &split, &package] {
            if base.iter().any(String::is_empty) {
                continue;
            }
            self.attempt(record, language, base.to_vec())?;
            for name in &names {
                let mut path = base.to_vec();
                path.push(name.clone());
                self.attempt(record, language, path)?;
            }
        }
        Ok(())
    }

    /// What a file defines or imports at its top.
    fn names_at_top(&self, file: FileId) -> Result<Vec<String>> {
        let stored = self.store.facts(file)?;
        let facts = &stored.facts;
        let is_top = |parent: SymbolId| parent.get().is_none_or(|parent| parent.0 == 0);
        let mut ids: Vec<StrId> = facts
            .symbols
            .iter()
            .skip(1)
            .filter(|symbol| is_top(symbol.parent) && symbol.visibility != Visibility::Private)
            .map(|symbol| symbol.name)
            .collect();
        for import in &facts.imports {
            let last = import.path.last().map(|reference| facts.refs[reference.index()].name);
            ids.extend(import.alias.get().or(last));
        }
        ids.retain(|id| id.is_some());
        ids.sort_unstable();
        ids.dedup();
        ids.into_iter().map(|id| Ok(self.store.name(&stored, id)?.to_string())).collect()
    }

    fn attempt(&mut self, record: &FileRecord, language: &'static Language, path: Vec<String>) -> Result<()> {
        if !self.tried.insert((language.name, path.clone())) {
            return Ok(());
        }
        let parts: Vec<&str> = path.iter().map(String::as_str).collect();
        let (file, symbol) = match self.linker.entered(record.id.0, &parts) {
            Some(Target::Symbol(found)) => (FileId(found.file), found.symbol),
            Some(Target::Module(file)) => (FileId(file), SymbolId(0)),
            _ => return Ok(()),
        };
        self.load(file)?;
        let home = &self.files[&file];
        let text = path.join(language.separator);
        let add = |found: &mut BTreeMap<_, _>, text: String, symbol: SymbolId| {
            let key = home.keys[symbol.index()];
            found.entry((text, language.registry)).or_insert_with(|| (home.package.clone(), key));
        };
        // The members of a type are named through it.
        if symbol.0 != 0 {
            for (place, member) in home.stored.facts.symbols.iter().enumerate() {
                if member.parent == symbol && member.visibility != Visibility::Private && !home.names[place].is_empty()
                {
                    let text = format!("{text}{}{}", language.separator, home.names[place]);
                    add(&mut self.found, text, SymbolId(place as u32));
                }
            }
        }
        add(&mut self.found, text, symbol);
        Ok(())
    }

    fn load(&mut self, file: FileId) -> Result<()> {
        if self.files.contains_key(&file) {
            return Ok(());
        }
        let record = self.store.file(file)?.unwrap_or_default();
        let stored = self.store.outline(file)?;
        let texts = self.store.symbol_names(&stored)?;
        let keys = FileNames::of(&record).all_symbol_keys(&stored.facts, &texts);
        let name = |id: StrId| {
            id.get().map_or_else(String::new, |id| codegraph_store::NameSource::text(&texts, id).to_owned())
        };
        let names = stored.facts.symbols.iter().map(|symbol| name(symbol.name)).collect();
        self.files.insert(file, Home { package: record.package, stored, keys, names });
        Ok(())
    }
}
