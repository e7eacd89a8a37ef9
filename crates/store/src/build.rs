//! The first build: a temporary file without a journal, moved into place when it is complete.

use std::fs;
use std::path::{Path, PathBuf};

use codegraph_files::Use;
use codegraph_model::{FileId, TermId};
use rusqlite::{Connection, OpenFlags, params};
use rustc_hash::FxHashMap;

use crate::files::{self, PlaceRow, Places};
use crate::glance::Paths;
use crate::link::LINKS;
use crate::neighbours::{FULL, Parts};
use crate::outline::WORD;
use crate::posting::SEGMENT;
use crate::relink::Relations;
use crate::schema::{self, neighbour};
use crate::segment::{self, Gathering, Sorted};
use crate::update::{put_dependency, set_metadata, write_ordinals};
use crate::{
    Dependency, Encoded, Error, FileLinks, FileRecord, Input, Interner, PackedFacts, Result, dictionary, facts,
    file_key, input, link, origin, row_sum, symbol_prefix, wire,
};

pub(crate) const TEMPORARY: &str = ".new-";

/// What SQLite may put beside a file.
pub(crate) const BESIDE: [&str; 3] = ["-wal", "-shm", "-journal"];

/// A new index in the making. Dropped unfinished, it leaves nothing behind.
pub struct Build {
    db: Option<Connection>,
    temporary: PathBuf,
    path: PathBuf,
    files: u32,
    last_path: String,
    /// How often each base name came so far, by hash.
    base_names: FxHashMap<u64, u32>,
    gathering: Gathering,
    prefixes: Vec<u32>,
    paths: Paths,
    postings: Vec<Sorted>,
    /// Which texts stand on a line somewhere, by number.
    words: Vec<bool>,
    /// How many files have their links, and those of the last ones that wait to be written.
    linked: u32,
    links: Vec<Parts<1>>,
    link_bytes: usize,
    relations: Relations,
    places: Places,
    /// What leads to the files.
    keys: Vec<file_key::KeyEntry>,
}

impl Build {
    /// Starts an index that will stand at `path`, in a temporary file beside it. Leftovers of killed builds are
    /// removed; a running one is left alone.
    pub fn create(path: &Path) -> Result<Build> {
        remove_leftovers(path);
        let temporary = neighbour(path, &format!("{TEMPORARY}{}", std::process::id()));
        let folder = path.parent().unwrap_or(Path::new("."));
        fs::metadata(folder).map_err(Error::io(folder))?;
        for suffix in BESIDE {
            codegraph_files::check(&neighbour(&temporary, suffix), Use::Write)?;
        }
        drop(codegraph_files::create(&temporary)?);
        let opened = schema::connect(&temporary, OpenFlags::SQLITE_OPEN_READ_WRITE).map_err(Error::from);
        let begun = opened.and_then(|db| begin(&db, &temporary).map(|()| db));
        // On a full disk even the beginning fails.
        let db = begun.inspect_err(|_| drop(fs::remove_file(&temporary)))?;
        Ok(Build {
            db: Some(db),
            temporary,
            path: path.to_owned(),
            files: 0,
            last_path: String::new(),
            base_names: FxHashMap::default(),
            gathering: Gathering::default(),
            prefixes: Vec::new(),
            paths: Paths::default(),
            postings: Vec::new(),
            words: Vec::new(),
            linked: 0,
            links: Vec::new(),
            link_bytes: 0,
            relations: Relations::default(),
            places: Places::default(),
            keys: Vec::new(),
        })
    }

    /// Adds a file. Files come in ascending path order; numbers are given in that order. `encoded` was made with the
    /// names of `record`, and `facts` of it and its neighbours.
    pub fn put(&mut self, record: &FileRecord, encoded: &Encoded, facts: &PackedFacts) -> Result<FileId> {
        assert!(self.files == 0 || self.last_path < record.path, "files come in path order");
        self.last_path.clone_from(&record.path);
        let id = FileId(self.files + 1);
        if id.0.is_multiple_of(SEGMENT) {
            self.close_segment()?;
        }
        self.files += 1;
        let ordinals = self.number_names(encoded);
        let (place, stem) = PlaceRow::of(record);
        let db = self.db.as_ref().expect("a build has its connection until it is finished");
        let place = self.places.number(db, place)?;
        files::insert(db, id, (place, stem), record, encoded)?;
        self.keys.extend(file_key::hashes(record).into_iter().map(|hash| (hash, id)));
        facts::insert(self.db(), id, facts)?;
        if !ordinals.is_empty() {
            write_ordinals(self.db(), id, &ordinals)?;
        }
        self.prefixes.extend(encoded.symbols.ids.iter().map(|symbol| symbol_prefix::entry(*symbol, id)));
        self.paths.add_record(record);
        self.gathering.add((id.0 % SEGMENT) as u8, encoded);
        self.mark_words(encoded);
        Ok(id)
    }

    fn mark_words(&mut self, encoded: &Encoded) {
        let greatest = encoded.names.last().map_or(0, |name| name.0 as usize);
        self.words.resize(self.words.len().max(greatest + 1), false);
        for (name, uses) in encoded.names.iter().zip(&encoded.uses) {
            self.words[name.0 as usize] |= uses & WORD != 0;
        }
    }

    /// All files are there: writes what they say together and frees its memory, which linking needs.
    pub fn close_files(&mut self) -> Result<()> {
        self.base_names = FxHashMap::default();
        self.close_segment()?;
        self.write_postings()
    }

    /// Adds the links of the next file, after the files are closed. `unbound` counts the names that
    /// nothing proved.
    pub fn put_links(&mut self, file: FileId, links: &FileLinks, unbound: &[(TermId, u32)]) -> Result<()> {
        assert_eq!(file.0, self.linked + 1, "links come in the order of the files");
        self.linked += 1;
        let packed = link::pack(links);
        self.link_bytes += packed.len();
        self.links.push([packed]);
        self.relations.add(file, links, unbound);
        if self.link_bytes >= FULL { self.write_links() } else { Ok(()) }
    }

    fn write_links(&mut self) -> Result<()> {
        let files = std::mem::take(&mut self.links);
        self.link_bytes = 0;
        LINKS.insert(self.db(), FileId(self.linked + 1 - files.len() as u32), &LINKS.pack(&files))
    }

    /// Adds what else the content of the index depends on.
    pub fn put_inputs(&mut self, mut inputs: Vec<Input>) -> Result<()> {
        input::write(self.db(), &mut inputs)
    }

    pub fn put_dependency(&mut self, dependency: &Dependency) -> Result<()> {
        put_dependency(self.db(), &dependency.path, dependency.name.as_deref(), dependency.last_checked)
    }

    pub fn set_metadata(&mut self, key: &str, value: &str) -> Result<()> {
        set_metadata(self.db(), key, value)
    }

    /// Writes the rest, makes the file durable and moves it to its place. An index that is there already
    /// is replaced.
    pub fn finish(mut self, interner: Interner) -> Result<()> {
        if !self.links.is_empty() {
            self.write_links()?;
        }
        dictionary::write(self.db(), &interner, &self.words)?;
        drop(interner);
        std::mem::take(&mut self.relations).write(self.db())?;
        let keys = std::mem::take(&mut self.keys);
        file_key::write(self.db(), keys)?;
        row_sum::seal_public(self.db())?;
        let db = self.db.take().expect("a build has its connection until it is finished");
        db.execute_batch("COMMIT")?;
        db.execute_batch("PRAGMA journal_mode = WAL")?;
        db.close().map_err(|(_, error)| Error::from(error))?;
        self.move_into_place()
    }

    fn db(&self) -> &Connection {
        self.db.as_ref().expect("a build has its connection until it is finished")
    }

    /// The symbols of a file whose base name came before, with their numbers.
    fn number_names(&mut self, encoded: &Encoded) -> Vec<(u32, u32)> {
        let mut ordinals = Vec::new();
        for (symbol, hash) in encoded.symbols.hashes.iter().enumerate() {
            let count = self.base_names.entry(*hash).or_default();
            *count += 1;
            if *count > 1 {
                ordinals.push((symbol as u32, *count));
            }
        }
        ordinals
    }

    fn close_segment(&mut self) -> Result<()> {
        let segment = self.postings.len() as u32;
        self.postings.push(std::mem::take(&mut self.gathering).sort());
        std::mem::take(&mut self.paths).write(self.db(), segment)?;
        let prefixes = std::mem::take(&mut self.prefixes);
        if !prefixes.is_empty() {
            self.db()
                .prepare_cached("INSERT INTO symbol_prefix VALUES (?1, ?2, row_sum(?1, ?2))")?
                .execute(params![segment, symbol_prefix::write(prefixes)])?;
        }
        Ok(())
    }

    fn write_postings(&mut self) -> Result<()> {
        let segments = std::mem::take(&mut self.postings);
        let mut own = self.db().prepare("INSERT INTO posting VALUES (?1, ?2, row_sum(?1, ?2))")?;
        let mut shared = self.db().prepare("INSERT INTO posting_shelf VALUES (?1, ?2, row_sum(?1, ?2))")?;
        segment::merge(&segments, |row| {
            let insert = if row.shared { &mut shared } else { &mut own };
            insert.execute(params![row.key, wire::pack_row(row.data)])?;
            Ok::<_, Error>(())
        })?;
        Ok(())
    }

    fn move_into_place(&self) -> Result<()> {
        let file = codegraph_files::open(&self.temporary)?.ok_or_else(|| Error::NotFound(self.temporary.clone()))?;
        file.sync_all().map_err(Error::io(&self.temporary))?;
        // The log of a replaced index would be replayed into the new one.
        for suffix in BESIDE {
            let _ = fs::remove_file(neighbour(&self.path, suffix));
        }
        fs::rename(&self.temporary, &self.path).map_err(Error::io(&self.path))?;
        if let Some(folder) = self.path.parent() {
            codegraph_files::sync_folder(folder);
        }
        Ok(())
    }
}

impl Drop for Build {
    fn drop(&mut self) {
        drop(self.db.take());
        for suffix in ["", "-wal", "-shm", "-journal"] {
            let _ = fs::remove_file(neighbour(&self.temporary, suffix));
        }
    }
}

fn begin(db: &Connection, path: &Path) -> Result<()> {
    db.execute_batch(
        "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
         PRAGMA cache_size = -32000; PRAGMA temp_store = MEMORY;",
    )?;
    schema::create_tables(db)?;
    origin::write(db, path)?;
    Ok(db.execute_batch("BEGIN EXCLUSIVE")?)
}

/// Removes temporary files of builds that are no longer running: those that nobody has locked.
fn remove_leftovers(path: &Path) {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name().and_then(|name| name.to_str())) else {
        return;
    };
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let other = entry.file_name();
        let Some(rest) = other.to_str().and_then(|other| other.strip_prefix(name)) else {
            continue;
        };
        if rest.starts_with(TEMPORARY) && is_abandoned(&entry.path()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn is_abandoned(path: &Path) -> bool {
    // A link or a pipe of that name is nobody's work; only the name is removed.
    if !codegraph_files::is_plain(path) {
        return true;
    }
    let Ok(db) = schema::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE) else {
        return true;
    };
    let locked = db.busy_timeout(std::time::Duration::ZERO).and_then(|()| db.execute_batch("BEGIN EXCLUSIVE"));
    !matches!(locked.map_err(Error::from), Err(Error::Locked))
}
