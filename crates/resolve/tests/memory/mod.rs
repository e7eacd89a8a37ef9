//! A program for the linker that is loaded from an index as a whole.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use codegraph_model::{FileId as StoreFile, RefKind, StrId, TermId as StoreTerm};
use codegraph_resolve::{Files, Program, Unit, Workspace};
use codegraph_store::{FileRecord, Store};

/// A whole project in memory.
pub(crate) struct Memory {
    pub(crate) units: Vec<Arc<Unit>>,
    pub(crate) records: Vec<FileRecord>,
    /// Path, module and package of each file.
    places: Vec<(Arc<str>, Arc<str>, Arc<str>)>,
    texts: Vec<Arc<str>>,
    terms: HashMap<String, u32>,
    defs: HashMap<u32, Arc<[u32]>>,
    extending: HashMap<u32, Arc<[u32]>>,
    inheriting: HashMap<u32, Arc<[u32]>>,
    paths: HashMap<String, u32>,
    modules: HashMap<String, Arc<[u32]>>,
    prefixes: BTreeSet<String>,
    packages: HashMap<String, Arc<str>>,
    workspace: Workspace,
}

impl Program for Memory {
    fn unit(&self, file: u32) -> Arc<Unit> {
        Arc::clone(&self.units[file as usize])
    }
    fn language(&self, file: u32) -> &'static codegraph_languages::Language {
        self.units[file as usize].language
    }
    fn text(&self, term: u32) -> Arc<str> {
        Arc::clone(&self.texts[term as usize])
    }
    fn term(&self, text: &str) -> Option<u32> {
        self.terms.get(text).copied()
    }
    fn defining(&self, name: u32) -> Files<'_> {
        Files::Shared(self.defs.get(&name).cloned().unwrap_or_default())
    }
    fn declaring(&self, _: u32) -> Files<'_> {
        Files::Shared((0..self.units.len() as u32).collect())
    }
    fn extending(&self, name: u32) -> Files<'_> {
        Files::Shared(self.extending.get(&name).cloned().unwrap_or_default())
    }
    fn inheriting(&self, name: u32) -> Files<'_> {
        Files::Shared(self.inheriting.get(&name).cloned().unwrap_or_default())
    }
    fn path(&self, file: u32) -> Arc<str> {
        Arc::clone(&self.places[file as usize].0)
    }
    fn file_at(&self, path: &str) -> Option<u32> {
        self.paths.get(path).copied()
    }
    fn files_named(&self, name: &str) -> Files<'_> {
        let named = |path: &str| path.rsplit('/').next() == Some(name);
        let files = (0..self.places.len() as u32).filter(|file| named(&self.places[*file as usize].0));
        Files::Shared(files.collect())
    }
    fn module(&self, file: u32) -> Arc<str> {
        Arc::clone(&self.places[file as usize].1)
    }
    fn package(&self, file: u32) -> Arc<str> {
        Arc::clone(&self.places[file as usize].2)
    }
    fn files_of_module(&self, module: &str) -> Arc<[u32]> {
        self.modules.get(module).cloned().unwrap_or_default()
    }
    fn is_module_prefix(&self, module: &str) -> bool {
        self.prefixes.contains(module)
    }
    fn workspace(&self) -> &Workspace {
        &self.workspace
    }
    fn package_root(&self, name: &str) -> Option<Arc<str>> {
        self.packages.get(name).cloned()
    }
}

impl Memory {
    pub(crate) fn load(store: &Store) -> Memory {
        let records = store.files().expect("the index can be read");
        let numbers: HashMap<StoreFile, u32> = records.iter().enumerate().map(|(i, r)| (r.id, i as u32)).collect();
        let mut memory = Memory {
            units: Vec::new(),
            places: Vec::new(),
            texts: Vec::new(),
            terms: HashMap::new(),
            defs: HashMap::new(),
            extending: HashMap::new(),
            inheriting: HashMap::new(),
            paths: HashMap::new(),
            modules: HashMap::new(),
            prefixes: BTreeSet::new(),
            packages: HashMap::new(),
            workspace: codegraph_live::workspace(&store.inputs().expect("the inputs can be read")),
            records,
        };
        let mut known: HashMap<StoreTerm, u32> = HashMap::new();
        let mut loaded = Vec::new();
        let mut defs: HashMap<u32, Vec<u32>> = HashMap::new();
        let mut modules: HashMap<String, Vec<u32>> = HashMap::new();
        for (i, record) in memory.records.iter().enumerate() {
            let stored = store.facts(record.id).expect("a file has facts");
            let mut names = Vec::new();
            for k in 0..stored.names.len() {
                let term = stored.names[k];
                let next = known.len() as u32;
                let id = *known.entry(term).or_insert(next);
                if id == next {
                    let text = store.name(&stored, StrId(k as u32)).expect("a name has a text").to_string();
                    memory.texts.push(text.as_str().into());
                    memory.terms.insert(text, id);
                }
                names.push(id);
            }
            let file = numbers[&record.id];
            for symbol in &stored.facts.symbols[1..] {
                let list = defs.entry(names[symbol.name.index()]).or_default();
                if list.last() != Some(&file) {
                    list.push(file);
                }
            }
            memory.paths.insert(record.path.clone(), i as u32);
            modules.entry(record.module.clone()).or_default().push(i as u32);
            memory.packages.insert(record.package.clone(), "".into());
            let place = (record.path.as_str().into(), record.module.as_str().into(), record.package.as_str().into());
            memory.places.push(place);
            let mut prefix = record.module.as_str();
            while let Some((parent, _)) = prefix.rsplit_once(record.separator.as_str()) {
                memory.prefixes.insert(parent.to_owned());
                prefix = parent;
            }
            loaded.push((stored.facts, names));
        }
        memory.defs = defs.into_iter().map(|(name, files)| (name, files.into())).collect();
        memory.modules = modules.into_iter().map(|(name, files)| (name, files.into())).collect();
        for (i, (facts, names)) in loaded.into_iter().enumerate() {
            let language =
                codegraph_languages::by_name(&memory.records[i].language).expect("an indexed language is known");
            let unit = Unit::new(i as u32, language, facts, names, |text| memory.terms.get(text).copied());
            memory.units.push(Arc::new(unit));
        }
        memory.extending = by_name(&memory.units, |unit| unit.extended().collect());
        memory.inheriting = by_name(&memory.units, |unit| {
            let bases = unit.facts.refs.iter().filter(|r| matches!(r.kind, RefKind::Inherit | RefKind::Implements));
            bases.map(|r| unit.name(r.name)).collect()
        });
        memory
    }
}

fn by_name(units: &[Arc<Unit>], names: impl Fn(&Unit) -> Vec<u32>) -> HashMap<u32, Arc<[u32]>> {
    let mut files: HashMap<u32, BTreeSet<u32>> = HashMap::new();
    for unit in units {
        for name in names(unit) {
            files.entry(name).or_default().insert(unit.file);
        }
    }
    files.into_iter().map(|(name, files)| (name, files.into_iter().collect())).collect()
}
