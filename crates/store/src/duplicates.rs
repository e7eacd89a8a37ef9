//! Numbers for symbols that share their base name, kept true while files change.
//!
//! Equal base names end in equal symbol names, so the dictionary and the postings lead to every file that may have
//! one: no index of its own is needed.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::encode::SymbolNames;
use crate::update::write_ordinals;
use crate::{FileNames, FileRecord, Result, Store};
use codegraph_model::{FileId, TermId};

/// The base names that one list has more often than the other.
pub(crate) fn changed_names(before: &SymbolNames, after: &SymbolNames) -> Vec<String> {
    let mut counts: FxHashMap<&str, i64> = FxHashMap::default();
    for name in before.iter() {
        *counts.entry(name).or_default() -= 1;
    }
    for name in after.iter() {
        *counts.entry(name).or_default() += 1;
    }
    counts.into_iter().filter(|(_, count)| *count != 0).map(|(name, _)| name.to_owned()).collect()
}

/// The numbers of a file's symbols after a change, as far as they follow from the numbers before: the nth of a name
/// takes over from the nth.
pub(crate) fn carry_ordinals(before: &SymbolNames, ordinals: &[(u32, u32)], after: &SymbolNames) -> Vec<(u32, u32)> {
    if ordinals.is_empty() {
        return Vec::new();
    }
    let numbers: FxHashMap<u32, u32> = ordinals.iter().copied().collect();
    let mut queues: FxHashMap<&str, std::collections::VecDeque<u32>> = FxHashMap::default();
    for (symbol, name) in before.iter().enumerate() {
        queues.entry(name).or_default().push_back(numbers.get(&(symbol as u32)).copied().unwrap_or(1));
    }
    let mut carried = Vec::new();
    for (symbol, name) in after.iter().enumerate() {
        let number = queues.get_mut(name).and_then(|queue| queue.pop_front()).unwrap_or(1);
        if number > 1 {
            carried.push((symbol as u32, number));
        }
    }
    carried
}

/// The names whose numbers must be found anew, and what was read for it.
#[derive(Default)]
pub(crate) struct Renumbering {
    affected: FxHashSet<String>,
    definers: FxHashMap<TermId, Arc<Vec<FileId>>>,
    records: FxHashMap<FileId, Arc<FileRecord>>,
    files: FxHashMap<FileId, Numbered>,
}

/// The names of one file and their numbers.
struct Numbered {
    by_name: FxHashMap<String, Vec<u32>>,
    ordinals: BTreeMap<u32, u32>,
    changed: bool,
}

impl Renumbering {
    pub(crate) fn affect(&mut self, names: Vec<String>) {
        self.affected.extend(names);
    }

    /// Forgets what was read of a file that changes.
    pub(crate) fn forget(&mut self, file: FileId) {
        self.files.remove(&file);
        self.records.remove(&file);
    }

    /// Numbers the affected names and writes what changed.
    pub(crate) fn renumber(mut self, store: &Store) -> Result<()> {
        let mut names: Vec<String> = std::mem::take(&mut self.affected).into_iter().collect();
        names.sort_unstable();
        for name in &names {
            self.renumber_one(store, name)?;
        }
        let mut changed: Vec<(FileId, Numbered)> = self.files.into_iter().filter(|(_, file)| file.changed).collect();
        changed.sort_unstable_by_key(|(file, _)| *file);
        for (file, numbered) in changed {
            let ordinals: Vec<(u32, u32)> = numbered.ordinals.into_iter().collect();
            write_ordinals(&store.db, file, &ordinals)?;
        }
        Ok(())
    }

    fn renumber_one(&mut self, store: &Store, name: &str) -> Result<()> {
        let mut holders = Vec::new();
        for file in self.candidates(store, name)? {
            let path = self.record(store, file)?.path.clone();
            let numbered = self.load(store, file)?;
            if numbered.by_name.contains_key(name) {
                holders.push((path, file));
            }
        }
        holders.sort_unstable();
        let mut next = 1;
        for (_, file) in holders {
            let numbered = self.load(store, file)?;
            for symbol in &numbered.by_name[name] {
                let before = numbered.ordinals.remove(symbol).unwrap_or(1);
                if next > 1 {
                    numbered.ordinals.insert(*symbol, next);
                }
                numbered.changed |= before != next;
                next += 1;
            }
        }
        Ok(())
    }

    /// The files that may have a symbol with this base name.
    fn candidates(&mut self, store: &Store, name: &str) -> Result<Vec<FileId>> {
        let mut files = FxHashSet::default();
        for suffix in suffixes(name) {
            let Some(term) = store.term(suffix)? else {
                continue;
            };
            for file in self.definers(store, term)?.iter() {
                if name.starts_with(self.record(store, *file)?.module.as_str()) {
                    files.insert(*file);
                }
            }
        }
        // The file's own symbol is named by module or path, which need not end in the symbol's name.
        if !name.is_empty() {
            files.extend(store.files_of_module(name)?);
        }
        files.extend(store.file_id(name)?);
        let mut files: Vec<FileId> = files.into_iter().collect();
        files.sort_unstable();
        Ok(files)
    }

    fn definers(&mut self, store: &Store, term: TermId) -> Result<Arc<Vec<FileId>>> {
        if let Some(known) = self.definers.get(&term) {
            return Ok(known.clone());
        }
        let files = Arc::new(store.definers(term)?);
        self.definers.insert(term, files.clone());
        Ok(files)
    }

    fn record(&mut self, store: &Store, file: FileId) -> Result<Arc<FileRecord>> {
        if let Some(known) = self.records.get(&file) {
            return Ok(known.clone());
        }
        let record = Arc::new(store.file(file)?.unwrap_or_default());
        self.records.insert(file, record.clone());
        Ok(record)
    }

    fn load(&mut self, store: &Store, file: FileId) -> Result<&mut Numbered> {
        if !self.files.contains_key(&file) {
            let record = self.record(store, file)?;
            let stored = store.outline(file)?;
            let names = store.base_names(FileNames::of(&record), &stored)?;
            let mut by_name: FxHashMap<String, Vec<u32>> = FxHashMap::default();
            for (symbol, name) in names.iter().enumerate() {
                by_name.entry(name.to_owned()).or_default().push(symbol as u32);
            }
            let ordinals = stored.ordinals.into_iter().collect();
            self.files.insert(file, Numbered { by_name, ordinals, changed: false });
        }
        Ok(self.files.get_mut(&file).expect("it was just inserted"))
    }
}

/// Everything that may be the last part of a qualified name: what follows any punctuation, and the whole.
fn suffixes(name: &str) -> impl Iterator<Item = &str> {
    let starts = name.char_indices().filter(|(_, c)| c.is_ascii_punctuation() && *c != '_' || *c == ' ');
    std::iter::once(name).chain(starts.map(|(at, c)| &name[at + c.len_utf8()..])).filter(|suffix| !suffix.is_empty())
}
