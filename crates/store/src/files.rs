//! The tables `file` and `place`: what the index knows about a file besides its facts.
//!
//! Most of it is text that neighbours share: folder, language, package and the beginning of the module. That is a
//! *place*, stored once. A module is that of the place and so many characters of the file's name.

use rusqlite::{Connection, OptionalExtension, Row, params};
use rustc_hash::FxHashMap;

use crate::encode::Totals;
use crate::file_key::{self, Key};
use crate::inside::file_inside;
use crate::posting::SEGMENT;
use crate::record::problems_from;
use crate::{Encoded, FileRecord, Result, Stamp, Store, row_sum};
use codegraph_model::FileId;

/// What files of one folder and language share.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct PlaceRow {
    /// Ends in `/`, or is empty.
    folder: String,
    language: String,
    separator: String,
    package: String,
    /// None if it is the folder.
    module: Option<String>,
}

impl PlaceRow {
    /// The place of a file, and how many characters of the name its module ends in: all before a dot, or all.
    pub(crate) fn of(record: &FileRecord) -> (PlaceRow, u32) {
        let (folder, name) = split(&record.path);
        let mut ends = [name.len()].into_iter().chain(name.rmatch_indices('.').map(|(at, _)| at));
        let stem = ends.find(|end| record.module.ends_with(&name[..*end])).unwrap_or(0);
        let module = &record.module[..record.module.len() - stem];
        let place = PlaceRow {
            folder: folder.to_owned(),
            language: record.language.clone(),
            separator: record.separator.clone(),
            package: record.package.clone(),
            module: (module != folder).then(|| module.to_owned()),
        };
        (place, name[..stem].chars().count() as u32)
    }

    fn insert(&self, db: &Connection, id: u32) -> Result<()> {
        db.prepare_cached("INSERT INTO place VALUES (?1, ?2, ?3, ?4, ?5, ?6, row_sum(?1, ?2, ?3, ?4, ?5, ?6))")?
            .execute(params![id, self.folder, self.language, self.separator, self.package, self.module])?;
        Ok(())
    }

    /// The number of a place, which is entered if it is new.
    pub(crate) fn number(&self, db: &Connection) -> Result<u32> {
        let known = db
            .prepare_cached(
                "SELECT id FROM place
                     WHERE folder = ?1 AND language = ?2 AND separator = ?3 AND package = ?4 AND module IS ?5",
            )?
            .query_row(params![self.folder, self.language, self.separator, self.package, self.module], |row| row.get(0))
            .optional()?;
        if let Some(known) = known {
            return Ok(known);
        }
        let next = db.query_row("SELECT coalesce(max(id), 0) + 1 FROM place", [], |row| row.get(0))?;
        self.insert(db, next)?;
        Ok(next)
    }
}

/// Folder and name of a path.
fn split(path: &str) -> (&str, &str) {
    path.split_at(path.rfind('/').map_or(0, |at| at + 1))
}

/// The places of a first build.
#[derive(Default)]
pub(crate) struct Places(FxHashMap<PlaceRow, u32>);

impl Places {
    pub(crate) fn number(&mut self, db: &Connection, place: PlaceRow) -> Result<u32> {
        let next = self.0.len() as u32 + 1;
        match self.0.entry(place) {
            std::collections::hash_map::Entry::Occupied(known) => Ok(*known.get()),
            std::collections::hash_map::Entry::Vacant(free) => {
                free.key().insert(db, next)?;
                Ok(*free.insert(next))
            }
        }
    }
}

/// Writes the row of a file at a place.
pub(crate) fn insert(
    db: &Connection,
    id: FileId,
    (place, stem): (u32, u32),
    record: &FileRecord,
    encoded: &Encoded,
) -> Result<()> {
    let Totals { lines, items, occurrences, symbols, methods, types } = encoded.totals;
    db.prepare_cached(
        "INSERT INTO file VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, NULL, NULL)
         ON CONFLICT(id) DO UPDATE SET place = ?2, name = ?3, stem = ?4, size = ?5, mtime_ns = ?6, mark = ?7, hash = ?8,
             extractor = ?9, indexed_at = ?10, lines = ?11, problems = ?12, items = ?13, occurrences = ?14,
             symbols = ?15, methods = ?16, types = ?17, generated = ?18, ordinals = NULL",
    )?
    .execute(params![
        id.0,
        place,
        split(&record.path).1,
        stem,
        record.size as i64,
        record.mtime_ns,
        record.mark,
        record.hash,
        record.extractor,
        record.indexed_at,
        lines,
        encoded.problems,
        items,
        occurrences,
        symbols,
        methods,
        types,
        encoded.generated
    ])?;
    seal(db, id)
}

/// Sums up the row of a file that was written.
pub(crate) fn seal(db: &Connection, id: FileId) -> Result<()> {
    db.prepare_cached(&format!("UPDATE file SET sum = row_sum({}) WHERE id = ?1", row_sum::columns("file")))?
        .execute([id.0])?;
    Ok(())
}

/// Forgets the places that no file is at.
pub(crate) fn drop_empty_places(db: &Connection) -> Result<()> {
    db.prepare_cached("DELETE FROM place WHERE id NOT IN (SELECT place FROM file)")?.execute([])?;
    Ok(())
}

/// A file with its place. The place is looked up for each file, never the other way round.
const FILES: &str = "file CROSS JOIN place ON place.id = file.place";

const COLUMNS: &str = "file.id, folder || name, language, separator, size, mtime_ns, hash, extractor, indexed_at, package, \
     coalesce(module, folder) || substr(name, 1, stem), lines, problems, items, occurrences, symbols, mark, generated";

impl Store {
    /// All files in path order.
    pub fn files(&self) -> Result<Vec<FileRecord>> {
        let mut query = self.db.prepare_cached(&format!("SELECT {COLUMNS} FROM {FILES}"))?;
        let rows = query.query_map([], read_record)?;
        let mut files = rows.map(|row| checked(row?)).collect::<Result<Vec<_>>>()?;
        files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(files)
    }

    /// What a freshness check needs of all files, in no particular order.
    pub fn stamps(&self) -> Result<Vec<Stamp>> {
        self.stamps_between(0, u32::MAX)
    }

    /// What a freshness check needs of the files of a segment, by number.
    pub(crate) fn stamps_of(&self, segment: u32) -> Result<Vec<Stamp>> {
        self.stamps_between(segment * SEGMENT, segment * SEGMENT + (SEGMENT - 1))
    }

    fn stamps_between(&self, first: u32, last: u32) -> Result<Vec<Stamp>> {
        let mut query = self.db.prepare_cached(
            "SELECT id, place, name, size, mtime_ns, mark, extractor FROM file WHERE id BETWEEN ?1 AND ?2 ORDER BY id",
        )?;
        let mut rows = query.query([first, last])?;
        let (mut stamps, folders) = (Vec::new(), self.folders()?);
        // Most files are in the same place as the one before.
        let (mut place, mut folder) = (0, "");
        while let Some(row) = rows.next()? {
            let own = row.get(1)?;
            if own != place {
                (place, folder) = (own, folders.get(&own).map_or("", String::as_str));
            }
            stamps.push(Stamp {
                id: FileId(row.get(0)?),
                path: file_inside([folder, row.get_ref(2)?.as_str().map_err(rusqlite::Error::from)?].concat())?,
                size: row.get::<_, i64>(3)? as u64,
                mtime_ns: row.get(4)?,
                mark: row.get(5)?,
                extractor: row.get(6)?,
            });
        }
        Ok(stamps)
    }

    /// The paths of all files.
    pub fn paths(&self) -> Result<FxHashMap<FileId, String>> {
        let folders = self.folders()?;
        let mut query = self.db.prepare_cached("SELECT id, place, name FROM file")?;
        let rows = query.query_map([], |row| {
            let folder = folders.get(&row.get(1)?).map_or("", String::as_str);
            Ok((FileId(row.get(0)?), [folder, row.get_ref(2)?.as_str()?].concat()))
        })?;
        rows.map(|row| row.map_err(Into::into).and_then(|(file, path)| Ok((file, file_inside(path)?)))).collect()
    }

    /// The paths of the files whose text says that a program wrote them, in no particular order.
    pub fn generated(&self) -> Result<Vec<String>> {
        let sql = format!("SELECT folder || name FROM {FILES} WHERE generated = 1");
        let mut query = self.db.prepare_cached(&sql)?;
        let paths = query.query_map([], |row| row.get(0))?;
        Ok(paths.collect::<rusqlite::Result<_>>()?)
    }

    fn folders(&self) -> Result<FxHashMap<u32, String>> {
        let mut query = self.db.prepare_cached("SELECT id, folder FROM place")?;
        let rows = query.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }

    /// The numbers of all files in path order.
    pub fn file_ids(&self) -> Result<Vec<FileId>> {
        let mut stamps = self.stamps()?;
        stamps.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(stamps.into_iter().map(|stamp| stamp.id).collect())
    }

    pub fn file(&self, id: FileId) -> Result<Option<FileRecord>> {
        let mut query = self.db.prepare_cached(&format!("SELECT {COLUMNS} FROM {FILES} WHERE file.id = ?1"))?;
        query.query_row([id.0], read_record).optional()?.map(checked).transpose()
    }

    pub fn file_by_path(&self, path: &str) -> Result<Option<FileRecord>> {
        Ok(self.files_by(Key::Path, path, |file| file.path == path)?.pop())
    }

    /// The number of the file at a path.
    pub fn file_id(&self, path: &str) -> Result<Option<FileId>> {
        Ok(self.file_by_path(path)?.map(|file| file.id))
    }

    /// The files of a module, in no particular order.
    pub fn files_of_module(&self, module: &str) -> Result<Vec<FileId>> {
        // All files of some languages have none, so that is no key.
        let files = match module {
            "" => self.files()?.into_iter().filter(|file| file.module.is_empty()).collect(),
            _ => self.files_by(Key::Module, module, |file| file.module == module)?,
        };
        Ok(files.into_iter().map(|file| file.id).collect())
    }

    /// Whether some file's module is inside this one.
    pub fn is_module_prefix(&self, module: &str) -> Result<bool> {
        let inside = |file: &FileRecord| {
            let rest = file.module.strip_prefix(module);
            rest.is_some_and(|rest| rest.starts_with(&file.separator))
        };
        for file in file_key::find(&self.db, file_key::hash(Key::Around, module))? {
            if self.file(file)?.is_some_and(|file| inside(&file)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The files that a hash leads to and that pass the test.
    fn files_by(&self, key: Key, text: &str, test: impl Fn(&FileRecord) -> bool) -> Result<Vec<FileRecord>> {
        let mut files = Vec::new();
        for file in file_key::find(&self.db, file_key::hash(key, text))? {
            files.extend(self.file(file)?.filter(&test));
        }
        Ok(files)
    }

    /// The packages of all files, each once.
    pub fn packages(&self) -> Result<Vec<String>> {
        let mut query = self.db.prepare_cached("SELECT DISTINCT package FROM place")?;
        let names = query.query_map([], |row| row.get(0))?;
        Ok(names.collect::<rusqlite::Result<_>>()?)
    }

    /// Files and bytes per language, by language word.
    pub(crate) fn languages(&self) -> Result<Vec<(String, u64, u64)>> {
        let sql = format!("SELECT language, count(*), sum(size) FROM {FILES} GROUP BY language ORDER BY language");
        let mut query = self.db.prepare(&sql)?;
        let rows =
            query.query_map([], |row| Ok((row.get(0)?, row.get::<_, i64>(1)? as u64, row.get::<_, i64>(2)? as u64)))?;
        Ok(rows.collect::<rusqlite::Result<_>>()?)
    }
}

/// A record of a file that can be there.
fn checked(record: FileRecord) -> Result<FileRecord> {
    Ok(FileRecord { path: file_inside(record.path)?, ..record })
}

fn read_record(row: &Row<'_>) -> rusqlite::Result<FileRecord> {
    Ok(FileRecord {
        id: FileId(row.get(0)?),
        path: row.get(1)?,
        language: row.get(2)?,
        separator: row.get(3)?,
        size: row.get::<_, i64>(4)? as u64,
        mtime_ns: row.get(5)?,
        hash: row.get(6)?,
        extractor: row.get(7)?,
        indexed_at: row.get(8)?,
        package: row.get(9)?,
        module: row.get(10)?,
        lines: row.get(11)?,
        problems: row.get::<_, Option<String>>(12)?.map_or(Vec::new(), |text| problems_from(&text)),
        items: row.get(13)?,
        occurrences: row.get(14)?,
        symbols: row.get(15)?,
        mark: row.get(16)?,
        generated: row.get(17)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_is_that_of_the_place_and_the_beginning_of_the_name() {
        let of = |path: &str, module: &str| {
            let record = FileRecord { path: path.to_owned(), module: module.to_owned(), ..FileRecord::default() };
            let (place, stem) = PlaceRow::of(&record);
            (place.folder, place.module, stem)
        };
        let plain = |folder: &str, module: &str, stem| (folder.to_owned(), Some(module.to_owned()), stem);
        assert_eq!(of("src/a/views.py", "a.views"), plain("src/a/", "a.", 5));
        assert_eq!(of("src/a/__init__.py", "a"), plain("src/a/", "a", 0));
        assert_eq!(of("a/b.spec.ts", "a/b.spec"), ("a/".to_owned(), None, 6));
        assert_eq!(of("a/b.md", "a/b.md"), ("a/".to_owned(), None, 4));
        assert_eq!(of("größe.py", "größe"), (String::new(), None, 5));
        assert_eq!(of("a/x.go", "example.org/x"), plain("a/", "example.org/", 1));
        assert_eq!(of("a/.x", ""), plain("a/", "", 0));
    }
}
