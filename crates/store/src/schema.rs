//! The physical tables, their migrations, and the look at a file before SQLite touches it.

use std::io::Read;
use std::path::Path;

use codegraph_files::Use;
use rusqlite::{Connection, OpenFlags};

use crate::{Error, Result, row_sum};

/// The oldest schema that can be brought to this release's. An older index is built anew.
const OLDEST: u32 = 11;

/// The schema that this release writes.
pub const SCHEMA_VERSION: u32 = OLDEST - 1 + MIGRATIONS.len() as u32;

/// How every file of SQLite begins.
const MAGIC: &[u8] = b"SQLite format 3\0";

/// `cgph`, in the header of every index.
const APPLICATION_ID: u32 = 0x6367_7068;

/// The tables of the oldest schema, then what brings each to the next. Never change one that was released.
const MIGRATIONS: &[&str] = &[TABLES];

const TABLES: &str = "
CREATE TABLE metadata(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE dependencies(
    id INTEGER PRIMARY KEY, path TEXT NOT NULL, name TEXT, last_checked INTEGER);
CREATE TABLE input(first TEXT PRIMARY KEY, data BLOB NOT NULL, sum INTEGER) WITHOUT ROWID;
CREATE TABLE place(
    id INTEGER PRIMARY KEY, folder TEXT NOT NULL, language TEXT NOT NULL, separator TEXT NOT NULL,
    package TEXT NOT NULL, module TEXT, sum INTEGER);
CREATE TABLE file(
    id INTEGER PRIMARY KEY, place INTEGER NOT NULL, name TEXT NOT NULL, stem INTEGER NOT NULL, size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL, mark INTEGER NOT NULL, hash BLOB NOT NULL, extractor INTEGER NOT NULL,
    indexed_at INTEGER NOT NULL, lines INTEGER NOT NULL, problems TEXT, items INTEGER NOT NULL, occurrences INTEGER NOT NULL,
    symbols INTEGER NOT NULL, methods INTEGER NOT NULL, types INTEGER NOT NULL, generated INTEGER NOT NULL,
    ordinals BLOB, sum INTEGER);
CREATE INDEX file_generated ON file(id) WHERE generated = 1;
CREATE TABLE file_key(bucket INTEGER PRIMARY KEY, data BLOB NOT NULL, sum INTEGER);
CREATE TABLE facts(first INTEGER PRIMARY KEY, outlines BLOB NOT NULL, bodies BLOB NOT NULL, sum INTEGER);
CREATE TABLE dictionary(block INTEGER PRIMARY KEY, texts BLOB NOT NULL, sum INTEGER);
CREATE TABLE term_order(first BLOB PRIMARY KEY, ids BLOB NOT NULL, sum INTEGER) WITHOUT ROWID;
CREATE TABLE posting(key INTEGER PRIMARY KEY, data BLOB NOT NULL, sum INTEGER);
CREATE TABLE posting_shelf(key INTEGER PRIMARY KEY, data BLOB NOT NULL, sum INTEGER);
CREATE TABLE glance(segment INTEGER PRIMARY KEY, data BLOB NOT NULL, sum INTEGER);
CREATE TABLE symbol_prefix(segment INTEGER PRIMARY KEY, data BLOB NOT NULL, sum INTEGER);
CREATE TABLE link(first INTEGER PRIMARY KEY, data BLOB NOT NULL, sum INTEGER);
CREATE TABLE slots(file INTEGER PRIMARY KEY REFERENCES file(id) ON DELETE CASCADE, data BLOB NOT NULL, sum INTEGER);
CREATE TABLE imported(
    file INTEGER PRIMARY KEY REFERENCES file(id) ON DELETE CASCADE, hash BLOB NOT NULL, data BLOB NOT NULL, sum INTEGER);
CREATE TABLE backlink(file INTEGER PRIMARY KEY, data BLOB NOT NULL, sum INTEGER);
CREATE TABLE unbound(term INTEGER PRIMARY KEY, data BLOB NOT NULL, sum INTEGER);
CREATE TABLE seal(name TEXT PRIMARY KEY, sum INTEGER) WITHOUT ROWID;
CREATE VIEW files AS
    SELECT file.id, folder || name AS path, lower(hex(hash)) AS hash, indexed_at AS last_indexed,
        mtime_ns / 1000000000 AS last_modified, language, size, lines, items, occurrences, symbols, package,
        coalesce(module, folder) || substr(name, 1, stem) AS module, problems, generated
    FROM file CROSS JOIN place ON place.id = file.place;
";

/// Makes the tables of a new index.
pub(crate) fn create_tables(db: &Connection) -> Result<()> {
    row_sum::register(db)?;
    db.execute_batch(&format!("PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {SCHEMA_VERSION};"))?;
    for sql in MIGRATIONS {
        db.execute_batch(sql)?;
    }
    db.execute_batch(&format!(
        "INSERT INTO metadata VALUES
             ('schema_version', '{SCHEMA_VERSION}'), ('created_at', strftime('%s', 'now')),
             ('project_name', NULL), ('project_root', NULL);"
    ))?;
    Ok(())
}

/// Opens an empty file as a database that is written once, by us alone, and thrown away if that fails.
pub(crate) fn new_database(path: &Path) -> Result<Connection> {
    let db = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    db.execute_batch(
        "PRAGMA page_size = 4096; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -64000;
         PRAGMA foreign_keys = OFF;",
    )?;
    Ok(db)
}

/// How a new index is defined, to compare others with.
pub(crate) fn expected_schema() -> Result<Vec<(String, String, Option<String>)>> {
    let db = Connection::open_in_memory()?;
    create_tables(&db)?;
    row_sum::schema(&db)
}

/// Brings an older index to this release's schema, in one transaction.
pub(crate) fn migrate(db: &Connection, found: u32) -> Result<()> {
    if found >= SCHEMA_VERSION {
        return Ok(());
    }
    if found < OLDEST {
        return Err(Error::OlderSchema { found, known: SCHEMA_VERSION });
    }
    db.execute_batch("BEGIN IMMEDIATE")?;
    for sql in &MIGRATIONS[(found + 1 - OLDEST) as usize..] {
        db.execute_batch(sql)?;
    }
    db.execute_batch(&format!(
        "UPDATE metadata SET value = '{SCHEMA_VERSION}' WHERE key = 'schema_version';
         PRAGMA user_version = {SCHEMA_VERSION};
         COMMIT;
         PRAGMA wal_checkpoint(TRUNCATE);"
    ))?;
    Ok(())
}

/// Looks at an index file without changing it or its neighbours: the schema version of an index that we made, or
/// why it must be refused.
pub fn inspect(path: &Path) -> Result<u32> {
    check_names(path)?;
    let mut file = codegraph_files::open(path)?.ok_or_else(|| Error::NotFound(path.to_owned()))?;
    let length = file.metadata().map_err(Error::io(path))?.len();
    let foreign = || Error::Foreign(path.to_owned());
    let mut header = [0; 100];
    let read = file.read(&mut header).map_err(Error::io(path))?;
    // Zeros are what is left of a file that was cut off while somebody wrote to it. Nothing of anybody's is lost there.
    if header == [0; 100] {
        return Err(Error::Corrupt("the file is empty".to_owned()));
    }
    if read < header.len() {
        let ours = header.starts_with(&MAGIC[..read.min(MAGIC.len())]);
        return Err(if ours { Error::Corrupt("the file is cut off".to_owned()) } else { foreign() });
    }
    let word = |at: usize| u32::from_be_bytes(header[at..at + 4].try_into().expect("four bytes"));
    if !header.starts_with(MAGIC) || word(68) != APPLICATION_ID {
        return Err(foreign());
    }
    let found = word(60);
    if found > SCHEMA_VERSION {
        return Err(Error::NewerSchema { path: path.to_owned(), found, known: SCHEMA_VERSION });
    }
    let page = u64::from(u16::from_be_bytes([header[16], header[17]]));
    if found == 0 || length < page * u64::from(word(28)) && !has_wal(path) {
        return Err(Error::Corrupt("the file is cut off".to_owned()));
    }
    Ok(found)
}

/// Looks at all files that SQLite would open, before it does. We never write a journal: one that is there would be
/// played back into the index.
fn check_names(path: &Path) -> Result<()> {
    for suffix in ["", "-wal", "-shm"] {
        codegraph_files::check(&neighbour(path, suffix), Use::Write)?;
    }
    let journal = neighbour(path, "-journal");
    match codegraph_files::check(&journal, Use::Write)? {
        Some(_) => {
            Err(codegraph_files::Error::Odd { path: journal, what: "a journal that codegraph did not write" }.into())
        }
        None => Ok(()),
    }
}

/// Opens a file with SQLite, which follows no link either. The folder's own path may have links in it.
pub(crate) fn connect(path: &Path, flags: OpenFlags) -> Result<Connection, rusqlite::Error> {
    let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_NOFOLLOW;
    let folder = path.parent().and_then(|folder| folder.canonicalize().ok());
    let real = match (folder, path.file_name()) {
        (Some(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    };
    if !flags.contains(OpenFlags::SQLITE_OPEN_URI) {
        return Connection::open_with_flags(real, flags);
    }
    let text = real.to_string_lossy().replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    Connection::open_with_flags(format!("file:{text}?immutable=1"), flags)
}

/// Whether there are changes that are not in the main file yet.
pub(crate) fn has_wal(path: &Path) -> bool {
    neighbour(path, "-wal").metadata().is_ok_and(|wal| wal.len() > 0)
}

/// A file beside the index, named after it.
pub(crate) fn neighbour(path: &Path, suffix: &str) -> std::path::PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}
