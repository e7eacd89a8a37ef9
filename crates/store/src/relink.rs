//! Writing links: all at once after a first build, file by file in an update; and both turned round.

use std::collections::BTreeMap;

use rusqlite::{Connection, params};
use rustc_hash::FxHashMap;

use crate::link::{LINKS, Slots, pack, pack_counts, pack_sources, unpack, unpack_counts, unpack_sources};
use crate::postings::{blob, put_blob};
use crate::{FileLinks, LinkTarget, Result, Store, Stored};
use codegraph_model::{FileId, TermId};

/// Who refers to whom, gathered from the links of all files.
#[derive(Default)]
pub(crate) struct Relations {
    /// Target file, slot, source file.
    sources: Vec<(FileId, u32, FileId)>,
    unbound: Vec<(TermId, FileId, u32)>,
}

impl Relations {
    pub(crate) fn add(&mut self, file: FileId, links: &FileLinks, unbound: &[(TermId, u32)]) {
        self.sources.extend(links.symbols().map(|row| (row.file, row.symbol.0, file)));
        self.unbound.extend(unbound.iter().map(|(name, count)| (*name, file, *count)));
    }

    pub(crate) fn write(mut self, db: &Connection) -> Result<()> {
        self.sources.sort_unstable();
        let mut insert = db.prepare("INSERT INTO backlink VALUES (?1, ?2, row_sum(?1, ?2))")?;
        for run in self.sources.chunk_by(|a, b| a.0 == b.0) {
            let pairs: Vec<(u32, FileId)> = run.iter().map(|(_, slot, source)| (*slot, *source)).collect();
            insert.execute(params![run[0].0.0, pack_sources(&pairs)])?;
        }
        self.unbound.sort_unstable();
        let mut insert = db.prepare("INSERT INTO unbound VALUES (?1, ?2, row_sum(?1, ?2))")?;
        for run in self.unbound.chunk_by(|a, b| a.0 == b.0) {
            let counts: Vec<(FileId, u32)> = run.iter().map(|(_, file, count)| (*file, *count)).collect();
            insert.execute(params![run[0].0.0, pack_counts(&counts)])?;
        }
        Ok(())
    }
}

/// Changes of links that wait to be written, so that each row of a target is written once.
#[derive(Default)]
pub(crate) struct LinkChanges {
    /// By target file: slot and source file, and whether the one refers to the other now.
    sources: BTreeMap<FileId, BTreeMap<(u32, FileId), bool>>,
    /// By name and file: how often, 0 for no longer.
    unbound: BTreeMap<TermId, BTreeMap<FileId, u32>>,
    slots: FxHashMap<FileId, Slots>,
    /// The packed links of files, none for a file that has none any more.
    links: BTreeMap<FileId, Vec<u8>>,
}

impl LinkChanges {
    /// The slots of a file changed.
    pub(crate) fn set_slots(&mut self, file: FileId, slots: Slots) {
        self.slots.insert(file, slots);
    }

    /// The links of a file are gone, until they are announced again.
    pub(crate) fn drop_file(&mut self, file: FileId) {
        self.links.insert(file, Vec::new());
    }

    /// Takes everything back that a file refers to. `stored` are the facts that its links were made of.
    pub(crate) fn retract(&mut self, store: &Store, file: FileId, stored: &Stored) -> Result<()> {
        let old = match self.links.get(&file) {
            Some(data) => unpack(data)?,
            None => store.slot_links(file)?,
        };
        for row in old.symbols() {
            self.sources.entry(row.file).or_default().insert((row.symbol.0, file), false);
        }
        for reference in &old.unbound {
            if let Some(reference) = stored.facts.refs.get(reference.index()) {
                self.unbound.entry(stored.term(reference.name)).or_default().insert(file, 0);
            }
        }
        Ok(())
    }

    /// Enters what a file refers to.
    pub(crate) fn announce(
        &mut self,
        store: &Store,
        file: FileId,
        links: &FileLinks,
        unbound: &[(TermId, u32)],
    ) -> Result<()> {
        let links = self.with_slots(store, links)?;
        for row in links.symbols() {
            self.sources.entry(row.file).or_default().insert((row.symbol.0, file), true);
        }
        for (name, count) in unbound {
            self.unbound.entry(*name).or_default().insert(file, *count);
        }
        self.links.insert(file, pack(&links));
        Ok(())
    }

    fn with_slots(&mut self, store: &Store, links: &FileLinks) -> Result<FileLinks> {
        let mut order: Vec<(LinkTarget, usize)> = Vec::with_capacity(links.targets.len());
        for (place, target) in links.targets.iter().enumerate() {
            let mut target = target.clone();
            if let LinkTarget::Symbol(row) = &mut target {
                row.symbol.0 = match self.slots.get(&row.file) {
                    Some(slots) => slots.slot(row.symbol),
                    None => {
                        let slots = store.slots(row.file)?;
                        let slot = slots.slot(row.symbol);
                        self.slots.insert(row.file, slots);
                        slot
                    }
                };
            }
            order.push((target, place));
        }
        order.sort_unstable();
        let mut places = vec![0u32; order.len()];
        order.iter().enumerate().for_each(|(new, (_, old))| places[*old] = new as u32);
        let mut links = FileLinks { targets: order.into_iter().map(|(target, _)| target).collect(), ..links.clone() };
        links.bound.iter_mut().for_each(|bound| bound.target = places[bound.target as usize]);
        Ok(links)
    }

    pub(crate) fn write(self, db: &Connection) -> Result<()> {
        for (file, data) in self.links {
            LINKS.replace(db, file, [data])?;
        }
        for (target, changes) in self.sources {
            let key = i64::from(target.0);
            let old = blob(db, "backlink", key)?.unwrap_or_default();
            let known = if old.is_empty() { Vec::new() } else { unpack_sources(&old)? };
            let mut pairs: BTreeMap<(u32, FileId), bool> = known.into_iter().map(|pair| (pair, true)).collect();
            pairs.extend(changes);
            let kept: Vec<(u32, FileId)> = pairs.into_iter().filter(|(_, now)| *now).map(|(pair, _)| pair).collect();
            put_blob(db, "backlink", key, &old, &if kept.is_empty() { Vec::new() } else { pack_sources(&kept) })?;
        }
        for (name, changes) in self.unbound {
            let key = i64::from(name.0);
            let old = blob(db, "unbound", key)?.unwrap_or_default();
            let known = if old.is_empty() { Vec::new() } else { unpack_counts(&old)? };
            let mut counts: BTreeMap<FileId, u32> = known.into_iter().collect();
            counts.extend(changes);
            let kept: Vec<(FileId, u32)> = counts.into_iter().filter(|(_, count)| *count > 0).collect();
            put_blob(db, "unbound", key, &old, &if kept.is_empty() { Vec::new() } else { pack_counts(&kept) })?;
        }
        Ok(())
    }
}
