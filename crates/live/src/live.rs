//! The index as the linker sees it after a change: everything is read when it is asked for, and kept.

use std::cell::{OnceCell, RefCell};
use std::hash::Hash;
use std::sync::Arc;

use codegraph_languages::Language;
use codegraph_model::{FileFacts, FileId, TermId, TermMask};
use codegraph_resolve::{Files, Program, Unit, Workspace};
use codegraph_store::{FileRecord, Lists, Store};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{unit, workspace};

/// The number of the first text that the index does not know: no index has so many.
const UNKNOWN: u32 = 1 << 30;

/// What was read so far.
type ReadSoFar<K, V> = RefCell<FxHashMap<K, V>>;

/// An index in which files were changed.
pub struct Live<'s> {
    store: &'s Store,
    lists: Lists<'s>,
    /// The file that is not as it was indexed.
    edited: Option<u32>,
    records: ReadSoFar<u32, Arc<Row>>,
    units: ReadSoFar<u32, Arc<Unit>>,
    texts: ReadSoFar<u32, Arc<str>>,
    terms: ReadSoFar<String, Option<u32>>,
    defining: ReadSoFar<u32, Arc<[u32]>>,
    extending: ReadSoFar<u32, Arc<[u32]>>,
    mentioning: ReadSoFar<u32, Arc<[u32]>>,
    paths: ReadSoFar<String, Option<u32>>,
    /// All files by their names without folders, in path order for each.
    named: OnceCell<FxHashMap<String, Arc<[u32]>>>,
    modules: ReadSoFar<String, Arc<[u32]>>,
    prefixes: ReadSoFar<String, bool>,
    packages: OnceCell<FxHashSet<String>>,
    workspace: OnceCell<Workspace>,
    /// Texts that the index does not know, from a file as it is being written: the first has number [`UNKNOWN`].
    unknown: RefCell<Vec<Arc<str>>>,
    /// The first error of the store: an answer after it means nothing.
    failure: RefCell<Option<codegraph_store::Error>>,
}

struct Row {
    path: Arc<str>,
    language: &'static Language,
    module: Arc<str>,
    package: Arc<str>,
}

impl<'s> Live<'s> {
    pub fn new(store: &'s Store) -> Live<'s> {
        Live {
            store,
            lists: Lists::new(store),
            edited: None,
            records: ReadSoFar::default(),
            units: ReadSoFar::default(),
            texts: ReadSoFar::default(),
            terms: ReadSoFar::default(),
            defining: ReadSoFar::default(),
            extending: ReadSoFar::default(),
            mentioning: ReadSoFar::default(),
            paths: ReadSoFar::default(),
            named: OnceCell::new(),
            modules: ReadSoFar::default(),
            prefixes: ReadSoFar::default(),
            packages: OnceCell::new(),
            workspace: OnceCell::new(),
            unknown: RefCell::default(),
            failure: RefCell::default(),
        }
    }

    /// The index with one file as it is being written, instead of as it was indexed.
    pub fn with_text(store: &'s Store, file: FileId, facts: FileFacts) -> Live<'s> {
        let live = Live { edited: Some(file.0), ..Live::new(store) };
        let names = facts.strings.iter().map(|text| live.number(text)).collect();
        let unit = Unit::new(file.0, live.row(file.0).language, facts, names, |text| live.term(text));
        live.units.borrow_mut().insert(file.0, Arc::new(unit));
        live
    }

    /// The number of a text, a new one if the index does not know it.
    fn number(&self, text: &str) -> u32 {
        self.term(text).unwrap_or_else(|| {
            let mut unknown = self.unknown.borrow_mut();
            unknown.push(text.into());
            UNKNOWN + unknown.len() as u32 - 1
        })
    }

    pub fn store(&self) -> &'s Store {
        self.store
    }

    /// The first error that the store met.
    pub fn check(&self) -> Result<(), codegraph_store::Error> {
        self.failure.borrow_mut().take().map_or(Ok(()), Err)
    }

    /// Frees the unpacked files.
    pub fn forget_units(&self) {
        self.units.borrow_mut().clear();
    }

    pub fn unit_count(&self) -> usize {
        self.units.borrow().len()
    }

    /// A value that is kept, or else read; the default after an error.
    fn keep<K: Hash + Eq, V: Clone + Default>(
        &self,
        kept: &ReadSoFar<K, V>,
        key: K,
        read: impl FnOnce(&K) -> codegraph_store::Result<V>,
    ) -> V {
        if let Some(known) = kept.borrow().get(&key) {
            return known.clone();
        }
        let value = self.or_note(read(&key));
        kept.borrow_mut().insert(key, value.clone());
        value
    }

    /// The value, or the default with the error noted.
    fn or_note<V: Default>(&self, read: codegraph_store::Result<V>) -> V {
        read.unwrap_or_else(|error| {
            self.failure.borrow_mut().get_or_insert(error);
            V::default()
        })
    }

    fn row(&self, file: u32) -> Arc<Row> {
        self.keep(&self.records, file, |file| {
            Ok(Arc::new(self.store.file(FileId(*file))?.map_or_else(Row::default, Row::of)))
        })
    }

    /// The files that have a name in their code.
    fn mentioning(&self, name: u32) -> Arc<[u32]> {
        self.keep(&self.mentioning, name, |name| {
            Ok(self.in_path_order(self.lists.mentioning(TermId(*name), TermMask::CODE)?.into_iter()))
        })
    }

    /// In path order: numbers tell when a file came, which must not matter.
    fn in_path_order(&self, files: impl Iterator<Item = FileId>) -> Arc<[u32]> {
        let mut files: Vec<u32> = files.map(|file| file.0).collect();
        if files.len() > 1 {
            files.sort_by_cached_key(|file| self.row(*file).path.clone());
        }
        files.into()
    }
}

/// Files by the last parts of their paths.
fn by_name(paths: FxHashMap<FileId, String>) -> FxHashMap<String, Arc<[u32]>> {
    let mut files: Vec<(String, u32)> = paths.into_iter().map(|(file, path)| (path, file.0)).collect();
    files.sort_unstable();
    let mut all: FxHashMap<String, Vec<u32>> = FxHashMap::default();
    for (path, file) in files {
        let name = path.rsplit('/').next().unwrap_or(&path);
        all.entry(name.to_owned()).or_default().push(file);
    }
    all.into_iter().map(|(name, files)| (name, files.into())).collect()
}

impl Row {
    fn of(record: FileRecord) -> Row {
        Row {
            path: record.path.into(),
            language: codegraph_languages::by_name(&record.language).unwrap_or(codegraph_languages::ALL[0]),
            module: record.module.into(),
            package: record.package.into(),
        }
    }
}

impl Default for Row {
    fn default() -> Row {
        Row::of(FileRecord::default())
    }
}

impl Program for Live<'_> {
    fn unit(&self, file: u32) -> Arc<Unit> {
        if let Some(unit) = self.units.borrow().get(&file) {
            return Arc::clone(unit);
        }
        let stored = self.or_note(self.store.facts(FileId(file)));
        let unit = Arc::new(unit(self, FileId(file), self.row(file).language, stored));
        self.units.borrow_mut().insert(file, Arc::clone(&unit));
        unit
    }

    fn language(&self, file: u32) -> &'static Language {
        self.row(file).language
    }

    fn text(&self, term: u32) -> Arc<str> {
        if term >= UNKNOWN {
            return self.unknown.borrow().get((term - UNKNOWN) as usize).cloned().unwrap_or_default();
        }
        self.keep(&self.texts, term, |term| self.store.text(TermId(*term)))
    }

    fn term(&self, text: &str) -> Option<u32> {
        self.keep(&self.terms, text.to_owned(), |text| Ok(self.store.term(text)?.map(|term| term.0)))
    }

    fn defining(&self, name: u32) -> Files<'_> {
        Files::Shared(
            self.keep(&self.defining, name, |name| {
                Ok(self.in_path_order(self.lists.defining(TermId(*name))?.into_iter()))
            }),
        )
    }

    fn declaring(&self, name: u32) -> Files<'_> {
        Files::Shared(self.mentioning(name))
    }

    fn extending(&self, name: u32) -> Files<'_> {
        Files::Shared(self.keep(&self.extending, name, |name| {
            let mut files = self.lists.extending(TermId(*name))?;
            let edited = self.edited.filter(|file| self.unit(*file).extended().any(|other| other == *name));
            files.extend(edited.map(FileId).filter(|file| !files.contains(file)));
            Ok(self.in_path_order(files.into_iter()))
        }))
    }

    fn inheriting(&self, name: u32) -> Files<'_> {
        Files::Shared(self.mentioning(name))
    }

    fn path(&self, file: u32) -> Arc<str> {
        self.row(file).path.clone()
    }

    fn file_at(&self, path: &str) -> Option<u32> {
        self.keep(&self.paths, path.to_owned(), |path| Ok(self.store.file_id(path)?.map(|file| file.0)))
    }

    fn files_named(&self, name: &str) -> Files<'_> {
        let all = self.named.get_or_init(|| by_name(self.or_note(self.store.paths())));
        Files::Shared(all.get(name).cloned().unwrap_or_default())
    }

    fn module(&self, file: u32) -> Arc<str> {
        self.row(file).module.clone()
    }

    fn package(&self, file: u32) -> Arc<str> {
        self.row(file).package.clone()
    }

    fn files_of_module(&self, module: &str) -> Arc<[u32]> {
        self.keep(&self.modules, module.to_owned(), |module| {
            Ok(self.in_path_order(self.store.files_of_module(module)?.into_iter()))
        })
    }

    fn is_module_prefix(&self, module: &str) -> bool {
        self.keep(&self.prefixes, module.to_owned(), |module| self.store.is_module_prefix(module))
    }

    fn workspace(&self) -> &Workspace {
        self.workspace.get_or_init(|| workspace(&self.or_note(self.store.inputs())))
    }

    fn package_root(&self, name: &str) -> Option<Arc<str>> {
        let all = self.packages.get_or_init(|| {
            let names = self.or_note(self.store.packages());
            names.into_iter().collect()
        });
        all.contains(name).then(|| "".into())
    }
}
