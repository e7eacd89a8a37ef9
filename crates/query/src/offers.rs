//! What a project offers to others: the paths by which they can name its symbols, and which symbols these are.
//!
//! Candidates are what stands at the top of each file, defined or imported; the linker says what each path means, by the
//! same rules by which another project's path is looked up. So re-exports are found under all their names.

use std::collections::BTreeMap;

use codegraph_languages::Language;
use codegraph_live::{Live, comparable, on_deep_stack};
use codegraph_model::{FileId, RefKind, StrId, SymbolId, Visibility};
use codegraph_resolve::{Linker, Target};
use codegraph_store::{FileNames, FileRecord, Store, Stored};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::paths::is_test;
use crate::{Reader, Result, vocabulary};

/// Which uses of a path mean the symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OfferedTo {
    All,
    /// The path is that of a module which is worth a value: whoever calls it, makes one of it or takes it for a type means that.
    Value,
    /// The others mean the module.
    Module,
}

impl OfferedTo {
    pub fn word(self) -> &'static str {
        match self {
            OfferedTo::All => "all",
            OfferedTo::Value => "value",
            OfferedTo::Module => "module",
        }
    }

    /// Whether a use of a path means the symbol that this is said of; `word` is that of a variant.
    pub fn admits(word: &str, kind: RefKind) -> bool {
        use RefKind::{Call, Decorator, Implements, Inherit, Instantiation, TypeRef};
        let of_value = matches!(kind, Call | Instantiation | Decorator | Inherit | Implements | TypeRef);
        word != if of_value { OfferedTo::Module.word() } else { OfferedTo::Value.word() }
    }
}

/// A path under which others can use a symbol.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Offered {
    /// Where such packages are published.
    pub registry: &'static str,
    /// As registries compare it.
    pub package: String,
    /// Names joined by the language's separator, as the index of an importer has them.
    pub path: String,
    /// Who means the symbol by it.
    pub to: OfferedTo,
    pub key: u128,
    /// The path begins with the package's own name: who uses it means this package, declared or not.
    pub named: bool,
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
    let offered = |((path, registry, to), (package, key)): (Name, (String, u128))| {
        let package = comparable(&package);
        let named = !package.is_empty() && comparable(&path).starts_with(&package);
        Offered { registry, package, path, to, key, named }
    };
    Ok(found.into_iter().map(offered).collect())
}

/// A path with its registry and who means a symbol by it.
type Name = (String, &'static str, OfferedTo);

struct Work<'s> {
    store: &'s Store,
    linker: Linker<'s>,
    tried: FxHashSet<(&'static str, Vec<String>)>,
    files: FxHashMap<FileId, Home>,
    /// Package and key.
    found: BTreeMap<Name, (String, u128)>,
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
        let text = path.join(language.separator);
        let value = match symbol.0 {
            0 => self.linker.entered_default(record.id.0, &parts),
            _ => None,
        };
        let mut to = OfferedTo::All;
        if let Some(Target::Symbol(value)) = value
            && value.symbol.0 != 0
        {
            to = OfferedTo::Module;
            self.load(FileId(value.file))?;
            let home = &self.files[&FileId(value.file)];
            let key = (home.package.clone(), home.keys[value.symbol.index()]);
            self.found.entry((text.clone(), language.registry, OfferedTo::Value)).or_insert(key);
        }
        self.load(file)?;
        let home = &self.files[&file];
        let add = |found: &mut BTreeMap<_, _>, text: String, symbol: SymbolId| {
            let key = home.keys[symbol.index()];
            found.entry((text, language.registry, to)).or_insert_with(|| (home.package.clone(), key));
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
