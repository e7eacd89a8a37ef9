//! An open project: its index, its folder, and where the asker stands.

use std::cell::{Cell, OnceCell, RefCell, RefMut};
use std::path::Path;
use std::sync::Arc;

use codegraph_live::Origins;
use codegraph_model::{FileFacts, FileId, Origin, Overlay, StrId, Symbol, SymbolId};
use codegraph_store::{Access, FileNames, FileRecord, Identity, NameSource, Store, Stored, Vocabulary};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::kept::Kept;
use crate::look::Traffic;
use crate::source::Texts;
use crate::{Cancel, Note, Result};

/// Counts what no language claims, by extension.
pub type Unread = dyn Fn() -> Vec<(String, u64)> + Send + Sync;

/// A project opened for questions. One thread asks at a time; any number may be open at once.
pub struct Reader {
    pub(crate) store: Store,
    texts: Texts,
    pub(crate) folder: String,
    stale: Vec<String>,
    /// What a linked project is called; the project that is asked has no label.
    label: Option<Arc<str>>,
    linked: Vec<Reader>,
    link_notes: Vec<Note>,
    records: RefCell<FxHashMap<FileId, Arc<FileRecord>>>,
    /// Paths that were asked for by an editor, which asks for all that it has open at every question.
    open: RefCell<FxHashMap<String, Option<Arc<FileRecord>>>>,
    kept: RefCell<Kept>,
    unread: Option<Arc<Unread>>,
    vocabulary: OnceCell<Vocabulary>,
    paths: OnceCell<FxHashMap<FileId, String>>,
    /// Who says where files come from, and the files whose own text says it. Read once.
    origins: OnceCell<(Origins, FxHashSet<String>)>,
    /// Who refers to whom. Gathered once.
    traffic: OnceCell<Arc<Traffic>>,
    /// What is said about the symbol that was chosen last; the next remarks take it.
    chosen: Cell<Option<Note>>,
}

impl Reader {
    /// Opens the index of the project in `root`, read-only.
    pub fn open(root: &Path, index: &Path) -> Result<Reader> {
        Ok(Reader::new(root, Store::open(index, Access::Read)?))
    }

    /// Answers from an index that is open already.
    pub fn new(root: &Path, store: Store) -> Reader {
        Reader {
            store,
            texts: Texts::of(root),
            folder: String::new(),
            stale: Vec::new(),
            label: None,
            linked: Vec::new(),
            link_notes: Vec::new(),
            records: RefCell::default(),
            open: RefCell::default(),
            kept: RefCell::default(),
            unread: None,
            vocabulary: OnceCell::new(),
            paths: OnceCell::new(),
            origins: OnceCell::new(),
            traffic: OnceCell::new(),
            chosen: Cell::default(),
        }
    }

    /// The index alone; what is remembered of it goes.
    pub fn into_store(self) -> Store {
        self.store
    }

    /// Sets the folder, root-relative, that relative paths in questions are tried in first.
    pub fn standing_in(mut self, folder: &str) -> Reader {
        self.folder = folder.trim_matches('/').to_owned();
        self
    }

    /// Takes the counter of what no language claims.
    pub fn counting(mut self, unread: Arc<Unread>) -> Reader {
        self.unread = Some(unread);
        self
    }

    /// Files of no known language, by extension, the most frequent first.
    pub(crate) fn unread(&self) -> Vec<(String, u64)> {
        self.unread.as_ref().map(|count| count()).unwrap_or_default()
    }

    /// Names the files that are known to have changed and were not read again.
    pub fn with_stale(mut self, stale: Vec<String>) -> Reader {
        self.stale = stale;
        self
    }

    /// Says that this is a linked project, and what it is called.
    pub fn called(mut self, name: &str) -> Reader {
        self.label = Some(name.into());
        self
    }

    /// Lets questions that can go on to other projects do so. `notes` say which could not be asked, and why.
    pub fn set_linked(&mut self, linked: Vec<Reader>, notes: Vec<Note>) {
        (self.linked, self.link_notes) = (linked, notes);
    }

    pub fn linked(&self) -> &[Reader] {
        &self.linked
    }

    pub fn link_notes(&self) -> &[Note] {
        &self.link_notes
    }

    pub(crate) fn label(&self) -> Option<String> {
        self.label.as_deref().map(str::to_owned)
    }

    /// Says that the index was made with these texts instead of those on disk.
    pub fn with_overlay(mut self, overlay: Arc<Overlay>) -> Reader {
        self.texts.overlay = overlay;
        self
    }

    /// Another state of the same project, for the same question.
    pub fn beside(&self, store: Store, overlay: Arc<Overlay>) -> Reader {
        let mut reader = Reader::new(self.root(), store).with_overlay(overlay);
        reader.set_cancel(self.texts.cancel.clone());
        reader
    }

    /// Whether unsaved texts stand in for those on disk.
    pub fn is_overlaid(&self) -> bool {
        !self.texts.overlay.is_empty()
    }

    /// Lets whoever asks the next question call it off.
    pub fn set_cancel(&mut self, cancel: Cancel) {
        self.texts.cancel = cancel;
    }

    pub fn root(&self) -> &Path {
        &self.texts.root
    }

    /// Where texts come from.
    pub(crate) fn texts(&self) -> &Texts {
        &self.texts
    }

    /// Fails if nobody waits for the answer any more.
    pub(crate) fn go_on(&self) -> Result<()> {
        self.texts.cancel.check()
    }

    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Unpacked files. Nobody holds on to it while files are read.
    pub(crate) fn kept(&self) -> RefMut<'_, Kept> {
        self.kept.borrow_mut()
    }

    /// All texts of the index. Read once.
    pub(crate) fn vocabulary(&self) -> Result<&Vocabulary> {
        if let Some(known) = self.vocabulary.get() {
            return Ok(known);
        }
        let read = self.store.vocabulary()?;
        Ok(self.vocabulary.get_or_init(|| read))
    }

    /// Who refers to whom, if that was gathered.
    pub(crate) fn traffic(&self) -> Option<Arc<Traffic>> {
        self.traffic.get().cloned()
    }

    pub(crate) fn keep_traffic(&self, traffic: &Arc<Traffic>) {
        self.traffic.get_or_init(|| Arc::clone(traffic));
    }

    /// Gives back memory that only the last question needed.
    pub fn rest(&self) {
        self.kept().rest();
        self.choose(None);
    }

    /// Gives back memory that the next question would be a little faster with.
    pub fn sleep(&self) -> Result<()> {
        self.kept().sleep();
        Ok(self.store.give_back_memory()?)
    }

    /// Notes that a symbol was chosen among several.
    pub(crate) fn choose(&self, note: Option<Note>) {
        self.chosen.set(note);
    }

    pub(crate) fn chosen(&self) -> Option<Note> {
        self.chosen.take()
    }

    pub(crate) fn stale(&self) -> &[String] {
        &self.stale
    }

    /// What the index knows about a file besides its facts.
    pub(crate) fn record(&self, id: FileId) -> Result<Arc<FileRecord>> {
        self.go_on()?;
        if let Some(record) = self.records.borrow().get(&id) {
            return Ok(record.clone());
        }
        let found = self.store.file(id)?.ok_or(codegraph_store::Error::Corrupt("a file is missing".into()))?;
        let record = Arc::new(found);
        self.records.borrow_mut().insert(id, record.clone());
        Ok(record)
    }

    /// The same for the path of a file that an editor has open; none if it is not in the index.
    pub fn record_of_open(&self, path: &str) -> Result<Option<Arc<FileRecord>>> {
        if let Some(known) = self.open.borrow().get(path) {
            return Ok(known.clone());
        }
        let found = self.store.file_by_path(path)?.map(Arc::new);
        self.open.borrow_mut().insert(path.to_owned(), found.clone());
        Ok(found)
    }

    /// Reads the paths of all files, once: less work than a record for each of many files.
    pub(crate) fn read_paths(&self) -> Result<()> {
        if self.paths.get().is_none() {
            let all = self.store.paths()?;
            self.paths.get_or_init(|| all);
        }
        Ok(())
    }

    /// The path of a file.
    pub(crate) fn path(&self, id: FileId) -> Result<String> {
        match self.paths.get().and_then(|paths| paths.get(&id)) {
            Some(path) => Ok(path.clone()),
            None => Ok(self.record(id)?.path.clone()),
        }
    }

    /// Why a file is nobody's own work, if it is none.
    pub fn origin(&self, path: &str) -> Result<Option<Origin>> {
        if self.origins.get().is_none() {
            let said = self.store.generated()?.into_iter().collect();
            self.origins.get_or_init(|| (Origins::new(self.root()), said));
        }
        let (origins, generated) = self.origins.get().expect("read above");
        Ok(origins.of(path, generated.contains(path)))
    }

    pub(crate) fn view(&self, record: Arc<FileRecord>) -> Result<FileView<'_>> {
        let stored = self.outline(record.id)?;
        let texts = (0..stored.names.len()).map(|_| OnceCell::new()).collect();
        let label = self.label.clone();
        let (identities, named) = (OnceCell::new(), Cell::new(0));
        Ok(FileView { store: &self.store, label, record, stored, texts, identities, named, damaged: Cell::new(false) })
    }

    /// The outline of a file, and whatever else of it is unpacked already.
    pub(crate) fn outline(&self, id: FileId) -> Result<Arc<Stored>> {
        self.go_on()?;
        if let Some(stored) = self.kept().outline(id) {
            return Ok(stored);
        }
        let stored = Arc::new(self.store.outline(id)?);
        self.kept().keep_outline(id, &stored);
        Ok(stored)
    }

    pub(crate) fn view_of(&self, id: FileId) -> Result<FileView<'_>> {
        self.view(self.record(id)?)
    }
}

/// The outline of a file with names that are looked up when they are needed.
pub(crate) struct FileView<'r> {
    store: &'r Store,
    label: Option<Arc<str>>,
    pub(crate) record: Arc<FileRecord>,
    pub(crate) stored: Arc<Stored>,
    texts: Vec<OnceCell<Arc<str>>>,
    /// Those of all symbols, once many were asked for, and how many were.
    identities: OnceCell<Vec<Identity>>,
    named: Cell<usize>,
    damaged: Cell<bool>,
}

/// Symbols of a file that are named one by one; what makes a name unique is compared with all of the file.
const MOST_NAMED: usize = 16;

impl FileView<'_> {
    /// The linked project that the file is in.
    pub(crate) fn label(&self) -> Option<String> {
        self.label.as_deref().map(str::to_owned)
    }

    pub(crate) fn facts(&self) -> &FileFacts {
        &self.stored.facts
    }

    pub(crate) fn symbol(&self, id: SymbolId) -> &Symbol {
        &self.stored.facts.symbols[id.index()]
    }

    pub(crate) fn symbols(&self) -> impl Iterator<Item = (SymbolId, &Symbol)> {
        self.stored.facts.symbols.iter().enumerate().map(|(i, symbol)| (SymbolId(i as u32), symbol))
    }

    pub(crate) fn names(&self) -> FileNames<'_> {
        FileNames::of(&self.record)
    }

    /// The simple name; the file's own symbol is called like its module or file.
    pub(crate) fn name(&self, id: SymbolId) -> &str {
        match self.symbol(id).name.get() {
            Some(name) => self.text(name),
            None => self.record.path.rsplit('/').next().unwrap_or(&self.record.path),
        }
    }

    /// The name that is unique in the project.
    pub(crate) fn fqn(&self, id: SymbolId) -> String {
        let base = self.names().base(self.facts(), id, self);
        match self.stored.ordinal(id) {
            0 | 1 => base,
            n => format!("{base}#{n}"),
        }
    }

    pub(crate) fn symbol_id(&self, id: SymbolId) -> String {
        let number = match self.among_many(id) {
            Some(identity) => identity.id,
            None => self.names().symbol_id(self.facts(), id, self),
        };
        format!("{number:032x}")
    }

    pub(crate) fn identity(&self, id: SymbolId) -> Identity {
        self.among_many(id).cloned().unwrap_or_else(|| self.names().identity(self.facts(), id, self))
    }

    /// What a symbol is known by, once many were asked for.
    fn among_many(&self, id: SymbolId) -> Option<&Identity> {
        self.named.set(self.named.get() + 1);
        let all = || self.identities.get_or_init(|| self.names().identities(self.facts(), self));
        (self.named.get() > MOST_NAMED).then(|| &all()[id.index()])
    }

    /// The line on which a symbol is named.
    pub(crate) fn name_line(&self, id: SymbolId) -> u32 {
        let symbol = self.symbol(id);
        let at = if symbol.name_span.is_empty() { symbol.span.start } else { symbol.name_span.start };
        self.facts().line_of(at).max(1)
    }

    /// Fails if the dictionary did not know one of the names asked for so far.
    pub(crate) fn check(&self) -> Result<()> {
        match self.damaged.get() {
            true => Err(codegraph_store::Error::Corrupt("a name is missing".into()).into()),
            false => Ok(()),
        }
    }
}

impl NameSource for FileView<'_> {
    fn text(&self, id: StrId) -> &str {
        let Some(cell) = self.texts.get(id.index()) else {
            self.damaged.set(true);
            return "";
        };
        cell.get_or_init(|| {
            self.store.name(&self.stored, id).unwrap_or_else(|_| {
                self.damaged.set(true);
                Arc::from("")
            })
        })
    }
}
