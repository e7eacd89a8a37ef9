//! Opening an index and reading from it.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use codegraph_model::{FileId, StrId, SymbolId};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags, OptionalExtension};
use rustc_hash::FxHashMap;

use crate::dictionary::Texts;
use crate::encode::SymbolNames;
use crate::facts::ReadBody;
use crate::names::display;
use crate::origin;
use crate::posting::{file_at, place};
use crate::schema::{self, SCHEMA_VERSION};
use crate::{
    Dependency, Error, FileNames, FileRecord, NameSource, Result, Statistics, Stored, SymbolRow, Update, body,
    parse_symbol_id, row_sum, symbol_prefix, wire,
};

/// What an index is opened for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Read,
    /// Migrates an older schema.
    Write,
}

/// An open index. One thread uses it at a time; any number may be open at once.
pub struct Store {
    pub(crate) db: Connection,
    path: PathBuf,
    pub(crate) texts: RefCell<Texts>,
}

/// The texts of the names of a file's symbols.
pub struct SymbolTexts(FxHashMap<StrId, Arc<str>>);

impl NameSource for SymbolTexts {
    /// Empty for a string that names no symbol.
    fn text(&self, id: StrId) -> &str {
        self.0.get(&id).map_or("", |text| text)
    }
}

impl Store {
    /// Opens an index. A missing, foreign, damaged or newer file is refused without changing a byte.
    pub fn open(path: &Path, access: Access) -> Result<Store> {
        let found = schema::inspect(path)?;
        let db = match access {
            Access::Read => open_for_reading(path)?,
            Access::Write => schema::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?,
        };
        db.set_prepared_statement_cache_capacity(64);
        row_sum::register(&db)?;
        // Otherwise joins are planned again for every value that is bound.
        db.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        match access {
            Access::Read if found < SCHEMA_VERSION => {
                return Err(Error::OlderSchema { found, known: SCHEMA_VERSION });
            }
            Access::Read => origin::check(&db, path)?,
            Access::Write => {
                db.busy_timeout(Duration::from_secs(10))?;
                origin::check(&db, path)?;
                db.execute_batch(
                    "PRAGMA foreign_keys = ON; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16000;
                     PRAGMA temp_store = MEMORY;",
                )?;
                schema::migrate(&db, found)?;
            }
        }
        Ok(Store { db, path: path.to_owned(), texts: RefCell::default() })
    }

    /// Answers from here on describe one moment, and need no lock each.
    pub fn hold(&self) -> Result<()> {
        Ok(self.db.execute_batch("BEGIN")?)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Starts a write transaction; waits for another writer, then gives up with [`Error::Locked`].
    pub fn update(&mut self) -> Result<Update<'_>> {
        Update::begin(self)
    }

    /// A number that is another one after somebody else changed the index through another connection.
    pub fn version(&self) -> Result<i64> {
        Ok(self.db.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))?)
    }

    /// Until it is dropped, everything is read from the index as it is now, whatever others write.
    pub fn snapshot(&self) -> Result<Snapshot<'_>> {
        self.db.prepare_cached("BEGIN")?.execute([])?;
        Ok(Snapshot { db: &self.db })
    }

    /// Links to other projects, by path.
    pub fn dependencies(&self) -> Result<Vec<Dependency>> {
        let mut query =
            self.db.prepare_cached("SELECT id, path, name, last_checked FROM dependencies ORDER BY path")?;
        let rows = query.query_map([], |row| {
            Ok(Dependency { id: row.get(0)?, path: row.get(1)?, name: row.get(2)?, last_checked: row.get(3)? })
        })?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    pub fn metadata(&self, key: &str) -> Result<Option<String>> {
        let mut query = self.db.prepare_cached("SELECT value FROM metadata WHERE key = ?1")?;
        let value = query.query_row([key], |row| row.get::<_, Option<String>>(0)).optional()?;
        Ok(value.flatten())
    }

    pub fn statistics(&self) -> Result<Statistics> {
        let mut all = self.db.query_row(
            "SELECT count(*), total(size), total(lines), total(occurrences), total(symbols), total(methods),
                 total(types), count(problems), max(indexed_at) FROM file",
            [],
            |row| {
                let total = |at: usize| Ok::<_, rusqlite::Error>(row.get::<_, f64>(at)? as u64);
                Ok(Statistics {
                    files: row.get::<_, i64>(0)? as u64,
                    source_bytes: total(1)?,
                    lines: total(2)?,
                    occurrences: total(3)?,
                    symbols: total(4)?,
                    methods: total(5)?,
                    types: total(6)?,
                    files_with_problems: row.get::<_, i64>(7)? as u64,
                    last_update: row.get::<_, Option<i64>>(8)?.unwrap_or(0),
                    ..Default::default()
                })
            },
        )?;
        let count = |sql: &str| self.db.query_row(sql, [], |row| row.get::<_, i64>(0));
        all.dependencies = count("SELECT count(*) FROM dependencies")? as u64;
        all.database_bytes = [schema::neighbour(&self.path, ""), schema::neighbour(&self.path, "-wal")]
            .iter()
            .filter_map(|path| Some(path.metadata().ok()?.len()))
            .sum();
        all.languages = self.languages()?;
        Ok(all)
    }

    /// The text of a name of a file.
    pub fn name(&self, stored: &Stored, id: StrId) -> Result<Arc<str>> {
        self.text(stored.term(id))
    }

    /// The names of all symbols of a file, for [`FileNames`].
    pub fn symbol_names(&self, stored: &Stored) -> Result<SymbolTexts> {
        self.texts_of(stored, stored.facts.symbols.iter().flat_map(|s| [s.name, s.qualifier]))
    }

    fn texts_of(&self, stored: &Stored, ids: impl Iterator<Item = StrId>) -> Result<SymbolTexts> {
        let mut texts = FxHashMap::default();
        for id in ids.filter(|id| id.is_some()) {
            if let std::collections::hash_map::Entry::Vacant(free) = texts.entry(id) {
                free.insert(self.name(stored, id)?);
            }
        }
        Ok(SymbolTexts(texts))
    }

    /// Lines, symbols and names of a file.
    pub fn outline(&self, file: FileId) -> Result<Stored> {
        self.unpack(file, None)
    }

    /// The outline and the body of a file: scopes, bindings, imports, refs, exprs, notes.
    pub fn facts(&self, file: FileId) -> Result<Stored> {
        self.unpack(file, Some(body::read))
    }

    /// The outline and the body of a file without expressions and notes.
    pub fn uses(&self, file: FileId) -> Result<Stored> {
        self.unpack(file, Some(body::read_uses))
    }

    fn unpack(&self, file: FileId, read_body: Option<ReadBody>) -> Result<Stored> {
        let stored = self.read_facts(file, read_body)?;
        Ok(Stored { ordinals: self.ordinals(file)?, ..stored })
    }

    /// Gives back the pages and texts that were read.
    pub fn give_back_memory(&self) -> Result<()> {
        self.texts.borrow_mut().clear();
        Ok(self.db.execute_batch("PRAGMA shrink_memory")?)
    }

    /// See [`Stored::ordinals`].
    pub(crate) fn ordinals(&self, file: FileId) -> Result<Vec<(u32, u32)>> {
        let mut query = self.db.prepare_cached("SELECT ordinals FROM file WHERE id = ?1")?;
        let mut rows = query.query([file.0])?;
        let row = rows.next()?.ok_or_else(|| Error::packed("facts: a file is missing"))?;
        let bytes = row.get_ref(0)?.as_blob_or_null().map_err(|_| Error::packed("ordinals"))?;
        bytes.map_or(Ok(Vec::new()), read_ordinals)
    }

    /// The symbols whose id starts with the given 8 to 32 hex digits.
    pub fn symbols_by_id(&self, prefix: &str) -> Result<Vec<SymbolRow>> {
        let Some((first, last)) = parse_symbol_id(prefix) else {
            return Ok(Vec::new());
        };
        let mut files = Vec::new();
        let mut query = self.db.prepare_cached("SELECT segment, data FROM symbol_prefix")?;
        let mut rows = query.query([])?;
        while let Some(row) = rows.next()? {
            let segment: u32 = row.get(0)?;
            let blob = row.get_ref(1)?.as_blob().map_err(|_| Error::packed("symbol prefixes"))?;
            let places = symbol_prefix::find(blob, symbol_prefix::prefix(first))?;
            files.extend(places.into_iter().map(|place| file_at(segment, place)));
        }
        let mut found = Vec::new();
        for file in files {
            let ids = self.symbol_ids(file)?;
            let matching = ids.iter().enumerate().filter(|(_, id)| (first..=last).contains(*id));
            found.extend(matching.map(|(symbol, _)| SymbolRow::new(file, SymbolId(symbol as u32))));
        }
        Ok(found)
    }

    /// The ids of a file by which a search would not come to the file.
    pub fn lost_ids(&self, file: FileId, ids: &[u128]) -> Result<Vec<u128>> {
        let (segment, _) = place(file);
        let mut query = self.db.prepare_cached("SELECT data FROM symbol_prefix WHERE segment = ?1")?;
        let row: Option<Vec<u8>> = query.query_row([segment], |row| row.get(0)).optional()?;
        let entries = symbol_prefix::read(&row.unwrap_or_default())?;
        let is_lost = |id: &u128| entries.binary_search(&symbol_prefix::entry(*id, file)).is_err();
        Ok(ids.iter().copied().filter(is_lost).collect())
    }

    /// The ids of all symbols of a file.
    pub fn symbol_ids(&self, file: FileId) -> Result<Vec<u128>> {
        let Some(record) = self.file(file)? else {
            return Ok(Vec::new());
        };
        let stored = self.outline(file)?;
        let names = FileNames::of(&record);
        Ok(self.base_names(names, &stored)?.ids)
    }

    pub(crate) fn base_names(&self, names: FileNames<'_>, stored: &Stored) -> Result<SymbolNames> {
        Ok(SymbolNames::of(names, &stored.facts, &self.symbol_names(stored)?))
    }

    /// The display name of a symbol: its base name, numbered if it is not the first.
    pub fn fqn(&self, record: &FileRecord, stored: &Stored, symbol: SymbolId) -> Result<String> {
        let mut chain = Vec::new();
        let mut at = symbol;
        while at.is_some() {
            let entry = &stored.facts.symbols[at.index()];
            chain.extend([entry.name, entry.qualifier]);
            at = entry.parent;
        }
        let texts = self.texts_of(stored, chain.into_iter())?;
        let base = FileNames::of(record).base(&stored.facts, symbol, &texts);
        Ok(display(base, stored.ordinal(symbol)))
    }
}

/// The links to other projects in an index of any schema: they are the user's, and every schema has them.
pub fn kept_dependencies(path: &Path) -> Result<Vec<Dependency>> {
    schema::inspect(path)?;
    let db = open_for_reading(path)?;
    origin::check(&db, path)?;
    Store { db, path: path.to_owned(), texts: RefCell::default() }.dependencies()
}

/// One state of the index, see [`Store::snapshot`].
pub struct Snapshot<'s> {
    db: &'s Connection,
}

impl Drop for Snapshot<'_> {
    fn drop(&mut self) {
        // Nothing was written, so there is nothing to lose if it fails.
        let _ = self.db.prepare_cached("COMMIT").and_then(|mut end| end.execute([]));
    }
}

/// A connection that cannot write, although it may be opened for it: only then does the last one to close remove the
/// files beside the index.
pub(crate) fn open_for_reading(path: &Path) -> Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE;
    let first = schema::connect(path, flags).and_then(|db| set_up_reader(&db).map(|()| db));
    match first {
        Ok(db) => Ok(db),
        // A log cannot be opened in a folder that is read-only. Without one there is nothing to miss.
        Err(error) if Error::is_about_files(&error) && !schema::has_wal(path) => {
            let db = schema::connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI)?;
            set_up_reader(&db)?;
            Ok(db)
        }
        Err(error) => Err(error.into()),
    }
}

/// The file is not mapped into memory: should somebody cut it off, reading it would end the process.
fn set_up_reader(db: &Connection) -> rusqlite::Result<()> {
    db.busy_timeout(Duration::from_secs(5))?;
    db.execute_batch(
        "PRAGMA query_only = ON; PRAGMA mmap_size = 0; PRAGMA cache_size = -16000;
         SELECT 1 FROM metadata LIMIT 1",
    )
}

pub(crate) fn read_ordinals(bytes: &[u8]) -> Result<Vec<(u32, u32)>> {
    let mut input = wire::In::new(bytes);
    let (mut symbol, mut ordinals) = (0u32, Vec::new());
    while !input.is_empty() {
        symbol = symbol.wrapping_add(input.number());
        ordinals.push((symbol, input.number()));
    }
    input.finish("ordinals")?;
    Ok(ordinals)
}
