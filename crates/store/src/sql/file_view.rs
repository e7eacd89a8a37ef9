//! A file as the SQL tables see it: its row, its facts, its names and, when asked for, its text.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::{Arc, OnceLock};

use codegraph_model::{FileId, Span, StrId, Symbol, SymbolId};
use rustc_hash::FxHashMap;

use super::Sources;
use crate::encode::SymbolNames;
use crate::names::display;
use crate::{Error, FileLinks, FileNames, FileRecord, NameSource, Result, Store, Stored, SymbolRow, SymbolTexts};

/// How many files a reader keeps, so that joins within a file do not unpack it again and again.
const KEPT: usize = 64;
/// The same for who reads whole tables: references lead to all files.
const KEPT_BY_STREAMS: usize = 512;

/// The index and the sources behind the SQL tables.
pub(super) struct Reader {
    pub(super) store: Store,
    pub(super) sources: Arc<dyn Sources>,
    kept: RefCell<RecentViews>,
}

/// The files that were read last.
#[derive(Default)]
struct RecentViews {
    views: FxHashMap<(FileId, bool), Arc<FileView>>,
    order: VecDeque<(FileId, bool)>,
    most: usize,
}

impl RecentViews {
    /// One with a body serves those who need none.
    fn get(&self, file: FileId, body: bool) -> Option<Arc<FileView>> {
        let known = self.views.get(&(file, true));
        known.or_else(|| if body { None } else { self.views.get(&(file, false)) }).cloned()
    }

    fn add(&mut self, file: FileId, body: bool, view: &Arc<FileView>) {
        self.views.insert((file, body), view.clone());
        self.order.push_back((file, body));
        while self.order.len() > self.most {
            let oldest = self.order.pop_front().expect("it is not empty");
            self.views.remove(&oldest);
        }
    }
}

impl Reader {
    pub(super) fn new(store: Store, sources: Arc<dyn Sources>) -> Reader {
        Reader { store, sources, kept: RefCell::new(RecentViews { most: KEPT, ..RecentViews::default() }) }
    }

    /// For whole tables.
    pub(super) fn for_streams(store: Store, sources: Arc<dyn Sources>) -> Reader {
        let reader = Reader::new(store, sources);
        reader.kept.borrow_mut().most = KEPT_BY_STREAMS;
        reader
    }

    /// A file with its outline, or with its body too.
    pub(super) fn file(&self, file: u32, body: bool) -> Result<Arc<FileView>> {
        let file = FileId(file);
        let mut kept = self.kept.borrow_mut();
        if let Some(view) = kept.get(file, body) {
            return Ok(view);
        }
        let record = self.store.file(file)?.ok_or_else(|| Error::packed("facts: a file is missing"))?;
        let stored = if body { self.store.facts(file)? } else { self.store.outline(file)? };
        let texts = self.store.symbol_names(&stored)?;
        let view = Arc::new(FileView {
            record,
            stored,
            texts,
            names: OnceLock::new(),
            canonical: OnceLock::new(),
            keys: OnceLock::new(),
            source: OnceLock::new(),
            links: OnceLock::new(),
            conditionals: OnceLock::new(),
        });
        kept.add(file, body, &view);
        Ok(view)
    }

    /// The text of a name of a file.
    pub(super) fn name(&self, file: &FileView, id: StrId) -> Result<Option<String>> {
        Ok(match id.get() {
            Some(id) => Some(self.store.name(&file.stored, id)?.to_string()),
            None => None,
        })
    }

    /// The text of a part of a file; nothing for an empty span or a file that cannot be read.
    pub(super) fn slice(&self, file: &FileView, span: Span) -> Option<String> {
        if span.is_empty() {
            return None;
        }
        let text = file.source(self)?;
        Some(String::from_utf8_lossy(text.get(span.range())?).into_owned())
    }

    /// The head of a symbol on one line.
    pub(super) fn prototype(&self, file: &FileView, symbol: &Symbol) -> Option<String> {
        Some(self.sources.prototype(&file.source(self)?, symbol))
    }
}

/// One file.
pub(super) struct FileView {
    pub(super) record: FileRecord,
    pub(super) stored: Stored,
    texts: SymbolTexts,
    names: OnceLock<SymbolNames>,
    canonical: OnceLock<Vec<String>>,
    keys: OnceLock<Vec<u128>>,
    source: OnceLock<Option<Arc<[u8]>>>,
    links: OnceLock<FileLinks>,
    conditionals: OnceLock<Vec<Span>>,
}

impl FileView {
    /// Whether a place is in a part of a symbol that may not run.
    pub(super) fn is_conditional(&self, reader: &Reader, place: Span, inside: SymbolId) -> bool {
        let (path, language) = (&self.record.path, &self.record.language);
        let parts = self.conditionals.get_or_init(|| reader.sources.conditionals(path, language));
        let whole = self.symbol(inside).span;
        // The file's own symbol is around everything.
        let within = |part: &Span| inside.0 == 0 || whole.start <= part.start && part.end <= whole.end;
        parts.iter().any(|part| part.contains(place.start) && within(part))
    }

    fn source(&self, reader: &Reader) -> Option<Arc<[u8]>> {
        self.source.get_or_init(|| reader.sources.text(&self.record.path)).clone()
    }

    /// What the references of the file mean.
    pub(super) fn links(&self, reader: &Reader) -> Result<&FileLinks> {
        if self.links.get().is_none() {
            let _ = self.links.set(reader.store.links(self.record.id)?);
        }
        Ok(self.links.get().expect("it was just set"))
    }

    fn names(&self) -> &SymbolNames {
        self.names.get_or_init(|| SymbolNames::of(FileNames::of(&self.record), &self.stored.facts, &self.texts))
    }

    pub(super) fn symbol(&self, id: SymbolId) -> &Symbol {
        &self.stored.facts.symbols[id.index()]
    }

    pub(super) fn row_id(&self, id: SymbolId) -> i64 {
        SymbolRow::new(self.record.id, id).row_id()
    }

    pub(super) fn symbol_name(&self, id: SymbolId) -> String {
        self.symbol(id).name.get().map_or_else(String::new, |name| self.texts.text(name).to_owned())
    }

    pub(super) fn fqn(&self, id: SymbolId) -> String {
        display(self.names().base(id.index()).to_owned(), self.stored.ordinal(id))
    }

    pub(super) fn canonical(&self, id: SymbolId) -> String {
        let all = || FileNames::of(&self.record).all_canonical(&self.stored.facts, &self.texts);
        self.canonical.get_or_init(all)[id.index()].clone()
    }

    pub(super) fn symbol_id(&self, id: SymbolId) -> String {
        let number = self.names().ids[id.index()];
        format!("{number:032x}")
    }

    pub(super) fn symbol_key(&self, id: SymbolId) -> String {
        let all = || FileNames::of(&self.record).all_symbol_keys(&self.stored.facts, &self.texts);
        format!("{:032x}", self.keys.get_or_init(all)[id.index()])
    }

    /// The nearest symbol around this one that is an entity of its own, such as the class of a method.
    pub(super) fn enclosing(&self, id: SymbolId, entity: &str) -> Option<SymbolId> {
        let mut at = self.symbol(id).parent;
        while at.is_some() {
            if self.symbol(at).kind.entity() == Some(entity) {
                return Some(at);
            }
            at = self.symbol(at).parent;
        }
        None
    }

    /// The line of an offset, 1-based, and its column.
    pub(super) fn position(&self, offset: u32) -> (i64, i64) {
        let (line, column) = self.stored.facts.position(offset);
        (line.into(), column.into())
    }
}
