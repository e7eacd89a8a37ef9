//! Changes to an existing index: one transaction, touching only what belongs to the changed files.

use std::collections::{BTreeMap, BTreeSet};

use codegraph_model::{FileId, Strings, TermId};
use rusqlite::{Connection, params};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::duplicates::{Renumbering, carry_ordinals, changed_names};
use crate::encode::SymbolNames;
use crate::facts::FACTS;
use crate::files::{self, PlaceRow};
use crate::imported::{NamedSymbols, merged};
use crate::outline::WORD;
use crate::posting::{SEGMENT, place};
use crate::postings::{PostingChanges, blob, put_blob, words};
use crate::relink::LinkChanges;
use crate::{
    Encoded, FileLinks, FileNames, FileRecord, Input, Result, Store, Stored, file_key, input, row_sum, symbol_prefix,
    wire,
};

/// What an update of one file did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// Distinct terms that the file has now and had not before.
    pub items_added: u32,
    pub items_removed: u32,
    /// Lines with a new id.
    pub lines_added: u32,
    /// Line ids that are gone.
    pub lines_removed: u32,
    pub symbols_added: u32,
    pub symbols_removed: u32,
}

/// A write transaction. Dropped without [`Update::commit`], it changes nothing.
pub struct Update<'s> {
    store: &'s mut Store,
    /// Nothing is rolled back when it is dropped.
    committed: bool,
    next_term: u32,
    known: FxHashMap<String, TermId>,
    postings: PostingChanges,
    /// Texts that may have lost their last use.
    doubtful: FxHashSet<TermId>,
    names: Renumbering,
    /// The symbol ids of changed files, none for a removed one.
    ids: BTreeMap<FileId, Vec<u128>>,
    links: LinkChanges,
    named: NamedSymbols,
    places_changed: bool,
    /// Segments with files that came, went or look different.
    looks: BTreeSet<u32>,
    flushed: bool,
}

impl<'s> Update<'s> {
    pub(crate) fn begin(store: &'s mut Store) -> Result<Update<'s>> {
        // One that was left open goes on.
        if store.db.is_autocommit() {
            store.db.execute_batch("BEGIN IMMEDIATE")?;
            store.forget_texts();
        }
        let next_term = store.next_term();
        let mut update = Update {
            store,
            committed: false,
            next_term: 0,
            known: FxHashMap::default(),
            postings: PostingChanges::default(),
            doubtful: FxHashSet::default(),
            names: Renumbering::default(),
            ids: BTreeMap::new(),
            links: LinkChanges::default(),
            named: NamedSymbols::default(),
            places_changed: false,
            looks: BTreeSet::new(),
            flushed: false,
        };
        // After the value exists, so that an error rolls back.
        update.next_term = next_term?;
        Ok(update)
    }

    /// Reads inside the transaction: file rows and facts as changed so far, postings as before.
    pub fn store(&self) -> &Store {
        self.store
    }

    /// The numbers of all strings of a file; new texts are added to the dictionary.
    pub fn intern(&mut self, strings: &Strings) -> Result<Vec<TermId>> {
        strings.iter().map(|text| self.intern_one(text)).collect()
    }

    /// Looks up the texts of a file at once: most of them come again when it has changed.
    pub fn expect(&mut self, stored: &Stored) -> Result<()> {
        for name in &stored.names {
            self.known.insert(self.store.text(*name)?.to_string(), *name);
        }
        Ok(())
    }

    fn intern_one(&mut self, text: &str) -> Result<TermId> {
        if let Some(id) = self.known.get(text) {
            return Ok(*id);
        }
        let id = match self.store.term(text)? {
            Some(id) => id,
            None => self.add_term(text)?,
        };
        self.known.insert(text.to_owned(), id);
        Ok(id)
    }

    fn add_term(&mut self, text: &str) -> Result<TermId> {
        let id = TermId(self.next_term);
        self.next_term += 1;
        self.store.add_term(id, text)?;
        self.doubtful.insert(id);
        Ok(id)
    }

    /// Adds or replaces a file: a known path keeps its number. `encoded` was made with the names of `record` and with
    /// numbers from [`Update::intern`].
    pub fn put(&mut self, record: &FileRecord, encoded: &Encoded) -> Result<(FileId, Change)> {
        let old = self.store.file_by_path(&record.path)?;
        let before = match &old {
            Some(old) => Some(self.store.facts(old.id)?),
            None => None,
        };
        let id = match &old {
            Some(old) => old.id,
            None => self.next_file()?,
        };
        let change = compare(before.as_ref(), encoded);
        let old_names = match (&old, &before) {
            (Some(old), Some(stored)) => self.store.base_names(FileNames::of(old), stored)?,
            _ => SymbolNames::default(),
        };
        if let Some(stored) = &before {
            self.retract(id, stored);
            self.links.retract(self.store, id, stored)?;
            self.drop_import(id)?;
        }
        self.announce(id, encoded)?;
        self.put_file(id, old.as_ref(), record, encoded)?;
        FACTS.replace(self.db(), id, [encoded.outline.clone(), encoded.body.clone()])?;
        self.set_slots(id, &old_names.hashes, &encoded.symbols.hashes)?;
        let old_ordinals = before.map(|stored| stored.ordinals).unwrap_or_default();
        self.restate(id, (&old_names, &old_ordinals), &encoded.symbols)?;
        Ok((id, change))
    }

    fn put_file(&mut self, id: FileId, old: Option<&FileRecord>, new: &FileRecord, encoded: &Encoded) -> Result<()> {
        self.looks.insert(id.0 / SEGMENT);
        let place = self.place(old, new)?;
        files::insert(self.db(), id, place, new, encoded)?;
        file_key::replace(self.db(), id, &old.map_or_else(Vec::new, file_key::hashes), &file_key::hashes(new))
    }

    /// Where a file is that was somewhere else, or nowhere, before.
    fn place(&mut self, old: Option<&FileRecord>, new: &FileRecord) -> Result<(u32, u32)> {
        let (place, stem) = PlaceRow::of(new);
        if let Some(old) = old.filter(|old| PlaceRow::of(old).0 == place) {
            let mut query = self.db().prepare_cached("SELECT place FROM file WHERE id = ?1")?;
            return Ok((query.query_row([old.id.0], |row| row.get(0))?, stem));
        }
        self.places_changed = true;
        Ok((place.number(self.db())?, stem))
    }

    fn next_file(&self) -> Result<FileId> {
        let next = self.db().query_row("SELECT coalesce(max(id), 0) + 1 FROM file", [], |row| row.get(0))?;
        Ok(FileId(next))
    }

    /// Removes a file and everything that only it had.
    pub fn remove(&mut self, file: FileId) -> Result<Change> {
        let Some(record) = self.store.file(file)? else {
            return Ok(Change::default());
        };
        let stored = self.store.facts(file)?;
        let change = compare(Some(&stored), &Encoded::default());
        let names = self.store.base_names(FileNames::of(&record), &stored)?;
        self.retract(file, &stored);
        self.links.retract(self.store, file, &stored)?;
        self.looks.insert(file.0 / SEGMENT);
        self.db().prepare_cached("DELETE FROM file WHERE id = ?1")?.execute([file.0])?;
        file_key::replace(self.db(), file, &file_key::hashes(&record), &[])?;
        self.places_changed = true;
        FACTS.replace(self.db(), file, Default::default())?;
        self.links.drop_file(file);
        self.names.affect(changed_names(&names, &SymbolNames::default()));
        self.names.forget(file);
        self.ids.insert(file, Vec::new());
        Ok(change)
    }

    /// Writes size, times, hash and extractor version of a file whose facts did not change.
    pub fn touch(&mut self, record: &FileRecord) -> Result<()> {
        let Some(file) = self.store.file_id(&record.path)? else {
            return Ok(());
        };
        self.looks.insert(file.0 / SEGMENT);
        self.db()
            .prepare_cached(
                "UPDATE file SET size = ?2, mtime_ns = ?3, mark = ?4, hash = ?5, extractor = ?6, indexed_at = ?7
                     WHERE id = ?1",
            )?
            .execute(params![
                file.0, record.size as i64, record.mtime_ns, record.mark, record.hash, record.extractor,
                record.indexed_at
            ])?;
        files::seal(self.db(), file)
    }

    /// Changes the prefix of a file's names when a manifest or a neighbour changed, but not the file.
    pub fn rename_module(&mut self, file: FileId, package: &str, module: &str) -> Result<()> {
        let Some(record) = self.store.file(file)? else {
            return Ok(());
        };
        let stored = self.store.outline(file)?;
        let renamed = FileRecord { package: package.to_owned(), module: module.to_owned(), ..record.clone() };
        let names = FileNames::of(&renamed);
        let before = self.store.base_names(FileNames::of(&record), &stored)?;
        let after = self.store.base_names(names, &stored)?;
        let (place, stem) = self.place(Some(&record), &renamed)?;
        self.db()
            .prepare_cached("UPDATE file SET place = ?2, stem = ?3 WHERE id = ?1")?
            .execute(params![file.0, place, stem])?;
        files::seal(self.db(), file)?;
        file_key::replace(self.db(), file, &file_key::hashes(&record), &file_key::hashes(&renamed))?;
        self.restate(file, (&before, &stored.ordinals), &after)
    }

    /// Forgets all inputs at some paths, then adds or changes others.
    pub fn change_inputs(&mut self, gone: &[&str], new: &[&Input]) -> Result<()> {
        input::change(self.db(), gone, new)
    }

    /// Adds a link to another project, or changes it.
    pub fn put_dependency(&mut self, path: &str, name: Option<&str>, last_checked: Option<i64>) -> Result<()> {
        let known = self.db().execute(
            "UPDATE dependencies SET name = ?2, last_checked = ?3 WHERE path = ?1",
            params![path, name, last_checked],
        )?;
        if known > 0 { Ok(()) } else { put_dependency(self.db(), path, name, last_checked) }
    }

    /// Whether there was such a link.
    pub fn remove_dependency(&mut self, path: &str) -> Result<bool> {
        Ok(self.db().execute("DELETE FROM dependencies WHERE path = ?1", [path])? > 0)
    }

    pub fn set_metadata(&mut self, key: &str, value: &str) -> Result<()> {
        set_metadata(self.db(), key, value)
    }

    /// Replaces the links of a file, after [`Update::flush`]. `unbound` counts the names that nothing proved. What was
    /// imported for the file goes before `links`.
    pub fn put_links(&mut self, file: FileId, links: &FileLinks, unbound: &[(TermId, u32)]) -> Result<()> {
        let stored = self.store.facts(file)?;
        self.links.retract(self.store, file, &stored)?;
        let merged = merged(self.store, &mut self.named, file, &stored, links)?;
        let (links, unbound) = merged.as_ref().map_or((links, unbound), |(links, unbound)| (links, unbound));
        self.links.announce(self.store, file, links, unbound)
    }

    /// A symbol that keeps its name keeps its slot; the links of the file are gone until they are put again.
    fn set_slots(&mut self, file: FileId, before: &[u64], after: &[u64]) -> Result<()> {
        let slots = self.store.slots(file)?.carry(before, after);
        match slots.pack() {
            Some(data) => self
                .db()
                .prepare_cached("INSERT OR REPLACE INTO slots VALUES (?1, ?2, row_sum(?1, ?2))")?
                .execute(params![file.0, data])?,
            None => self.db().prepare_cached("DELETE FROM slots WHERE file = ?1")?.execute([file.0])?,
        };
        self.links.drop_file(file);
        self.links.set_slots(file, slots);
        Ok(())
    }

    /// Numbers duplicate names anew, drops unused texts and makes everything durable.
    pub fn commit(mut self) -> Result<()> {
        self.flush()?;
        std::mem::take(&mut self.links).write(self.db())?;
        row_sum::seal_public(self.db())?;
        self.db().execute_batch("COMMIT")?;
        self.committed = true;
        Ok(())
    }

    /// Leaves the transaction open: the store shows what was changed until it is closed, and nothing of it stays.
    pub fn leave_open(mut self) -> Result<()> {
        self.flush()?;
        std::mem::take(&mut self.links).write(self.db())?;
        self.committed = true;
        Ok(())
    }

    /// Makes everything readable through [`Update::store`]. Files can no longer be changed.
    pub fn flush(&mut self) -> Result<()> {
        if std::mem::replace(&mut self.flushed, true) {
            return Ok(());
        }
        std::mem::take(&mut self.postings).write(self.db())?;
        let names = std::mem::take(&mut self.names);
        names.renumber(self.store)?;
        self.write_ids()?;
        for segment in std::mem::take(&mut self.looks) {
            self.store.renew_glance(segment)?;
        }
        if self.places_changed {
            files::drop_empty_places(self.db())?;
        }
        self.settle_terms()
    }

    fn db(&self) -> &Connection {
        &self.store.db
    }

    fn retract(&mut self, file: FileId, stored: &Stored) {
        self.postings.retract(file, stored);
        self.doubtful.extend(&stored.names);
    }

    fn announce(&mut self, file: FileId, encoded: &Encoded) -> Result<()> {
        self.postings.announce(file, encoded);
        for word in words(encoded) {
            self.store.set_word(word, true)?;
            self.doubtful.remove(&word);
        }
        let names = encoded.names.iter().zip(&encoded.uses);
        self.doubtful.extend(names.filter(|(_, uses)| **uses & WORD == 0).map(|(name, _)| *name));
        Ok(())
    }

    /// Replaces the names of a file's symbols.
    fn restate(
        &mut self,
        file: FileId,
        (before, old_ordinals): (&SymbolNames, &[(u32, u32)]),
        after: &SymbolNames,
    ) -> Result<()> {
        self.names.affect(changed_names(before, after));
        self.names.forget(file);
        let ordinals = carry_ordinals(before, old_ordinals, after);
        write_ordinals(self.db(), file, &ordinals)?;
        self.ids.insert(file, after.ids.clone());
        Ok(())
    }

    fn write_ids(&mut self) -> Result<()> {
        let changed: Vec<(FileId, Vec<u128>)> = std::mem::take(&mut self.ids).into_iter().collect();
        for run in changed.chunk_by(|a, b| a.0.0 / SEGMENT == b.0.0 / SEGMENT) {
            let segment = run[0].0.0 / SEGMENT;
            let old = blob(self.db(), "symbol_prefix", segment.into())?.unwrap_or_default();
            let mut all = symbol_prefix::read(&old)?;
            let places: FxHashSet<u8> = run.iter().map(|(file, _)| place(*file).1).collect();
            all.retain(|entry| !places.contains(&(*entry as u8)));
            for (file, ids) in run {
                all.extend(ids.iter().map(|id| symbol_prefix::entry(*id, *file)));
            }
            put_blob(self.db(), "symbol_prefix", segment.into(), &old, &symbol_prefix::write(all))?;
        }
        Ok(())
    }

    /// Drops the texts that nobody uses any more, and notes which of the others are no words.
    fn settle_terms(&mut self) -> Result<()> {
        for term in std::mem::take(&mut self.doubtful) {
            let (used, word) = self.store.usage(term)?;
            match used {
                true => self.store.set_word(term, word)?,
                false => self.store.remove_term(term)?,
            }
        }
        Ok(())
    }
}

impl Drop for Update<'_> {
    fn drop(&mut self) {
        if !self.committed {
            // There is nobody to tell, and closing the connection rolls back as well.
            let _ = self.store.db.execute_batch("ROLLBACK");
            self.store.forget_texts();
        }
    }
}

fn compare(before: Option<&Stored>, after: &Encoded) -> Change {
    let old: FxHashSet<TermId> = before.into_iter().flat_map(Stored::items).collect();
    let words = after.names.iter().zip(&after.uses).filter(|(_, uses)| **uses & WORD != 0);
    let new: FxHashSet<TermId> = words.map(|(name, _)| *name).collect();
    let old_lines = before.map_or(0, |stored| stored.facts.line_starts.len() as u32);
    let kept = before.map_or(0, |stored| stored.line_ids.common(old_lines, &after.line_ids, after.totals.lines));
    let old_symbols = before.map_or(0, |stored| stored.facts.symbols.len() as u32);
    Change {
        items_added: new.difference(&old).count() as u32,
        items_removed: old.difference(&new).count() as u32,
        lines_added: after.totals.lines - kept,
        lines_removed: old_lines - kept,
        symbols_added: after.totals.symbols.saturating_sub(old_symbols),
        symbols_removed: old_symbols.saturating_sub(after.totals.symbols),
    }
}

/// Writes the numbers above 1 of a file's symbols.
pub(crate) fn write_ordinals(db: &Connection, file: FileId, ordinals: &[(u32, u32)]) -> Result<()> {
    let mut out = wire::Out::default();
    let mut last = 0;
    for (symbol, ordinal) in ordinals {
        out.number(symbol - last);
        out.number(*ordinal);
        last = *symbol;
    }
    let blob = (!ordinals.is_empty()).then_some(out.bytes);
    db.prepare_cached("UPDATE file SET ordinals = ?2 WHERE id = ?1")?.execute(params![file.0, blob])?;
    files::seal(db, file)
}

pub(crate) fn put_dependency(db: &Connection, path: &str, name: Option<&str>, last_checked: Option<i64>) -> Result<()> {
    let mut insert = db.prepare_cached("INSERT INTO dependencies(path, name, last_checked) VALUES (?1, ?2, ?3)")?;
    insert.execute(params![path, name, last_checked])?;
    Ok(())
}

pub(crate) fn set_metadata(db: &Connection, key: &str, value: &str) -> Result<()> {
    db.prepare_cached("INSERT OR REPLACE INTO metadata VALUES (?1, ?2)")?.execute(params![key, value])?;
    Ok(())
}
