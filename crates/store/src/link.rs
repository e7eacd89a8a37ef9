//! What the references of a file mean: packed per file, and turned round per target.
//!
//! A target is a file and a *slot*: the place of a symbol when its file was first read. A symbol keeps its slot while
//! it keeps its name, so an edit above it changes no link of another file. Names of the file that only matched, without
//! proof, are listed by how often they stand there.

use codegraph_model::{Certainty, FileFacts, FileId, How, RefId, RefKind, Reference, SymbolId, SymbolKind, TermId};
use rusqlite::OptionalExtension;

use crate::neighbours::{Table, part};
use crate::wire::{self, In, Out, pack_row, unpack_row};
use crate::{Error, Result, Store, SymbolRow};

/// What a reference is bound to.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LinkTarget {
    /// A symbol of the project; symbol 0 is a file as a module.
    Symbol(SymbolRow),
    /// Something outside the project, outermost name first.
    External(Vec<TermId>),
}

/// One bound reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundRef {
    pub reference: RefId,
    /// Place in [`FileLinks::targets`].
    pub target: u32,
    pub certainty: Certainty,
    pub how: How,
    /// A call of a type, which makes a value of it.
    pub makes: bool,
}

impl BoundRef {
    /// What the reference does to its target.
    pub fn kind(&self, reference: &Reference) -> RefKind {
        if self.makes { RefKind::Instantiation } else { reference.kind }
    }
}

/// What the references of one file mean. Those without an entry mean a local name, or nothing that could be proved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileLinks {
    /// Distinct, sorted.
    pub targets: Vec<LinkTarget>,
    /// In the order of the references.
    pub bound: Vec<BoundRef>,
    /// References that only a name could bind, although the project defines it: in the order of the references.
    pub unbound: Vec<RefId>,
}

impl FileLinks {
    /// The type that a method belongs to which stands outside of it: the one that its impl block or its receiver names.
    pub fn type_named_by(&self, facts: &FileFacts, method: SymbolId) -> Option<SymbolRow> {
        let own = &facts.symbols[method.index()];
        let around = own.parent.get().map(|parent| &facts.symbols[parent.index()]);
        let block = around.filter(|around| around.kind == SymbolKind::Impl);
        let head = match block {
            Some(block) => block.span.start..block.head_end,
            None if own.qualifier.is_some() => own.span.start..own.name_span.start,
            None => return None,
        };
        let names_it = |reference: &Reference| match block {
            Some(block) => block.name_span.contains(reference.span.start),
            None => reference.name == own.qualifier,
        };
        self.bound.iter().find_map(|bound| {
            let reference = &facts.refs[bound.reference.index()];
            match self.target(bound) {
                LinkTarget::Symbol(row) if head.contains(&reference.span.start) && names_it(reference) => Some(*row),
                _ => None,
            }
        })
    }

    pub fn target(&self, bound: &BoundRef) -> &LinkTarget {
        &self.targets[bound.target as usize]
    }

    /// The link of a reference.
    pub fn of(&self, reference: RefId) -> Option<&BoundRef> {
        let place = self.bound.binary_search_by_key(&reference, |bound| bound.reference).ok()?;
        Some(&self.bound[place])
    }

    pub fn is_empty(&self) -> bool {
        self.bound.is_empty() && self.unbound.is_empty()
    }

    /// The symbols that the file refers to.
    pub fn symbols(&self) -> impl Iterator<Item = SymbolRow> + '_ {
        self.targets.iter().filter_map(|target| match target {
            LinkTarget::Symbol(row) => Some(*row),
            LinkTarget::External(_) => None,
        })
    }
}

/// The slots of a file's symbols. Most files have never changed: their slots are the places themselves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Slots(Vec<u32>);

impl Slots {
    pub(crate) fn slot(&self, symbol: SymbolId) -> u32 {
        self.0.get(symbol.index()).copied().unwrap_or(symbol.0)
    }

    /// The symbol with a slot, if it is still there.
    pub fn symbol(&self, slot: u32) -> Option<SymbolId> {
        if self.0.is_empty() {
            return Some(SymbolId(slot));
        }
        self.0.iter().position(|own| *own == slot).map(|place| SymbolId(place as u32))
    }

    /// The slots after a change: a symbol that keeps its name keeps its slot, the nth of a name the nth.
    pub(crate) fn carry(&self, before: &[u64], after: &[u64]) -> Slots {
        let mut free: rustc_hash::FxHashMap<u64, std::collections::VecDeque<u32>> = Default::default();
        for (place, name) in before.iter().enumerate() {
            free.entry(*name).or_default().push_back(self.slot(SymbolId(place as u32)));
        }
        let used = before.len().max(self.0.iter().map(|slot| *slot as usize + 1).max().unwrap_or(0));
        let mut next = used as u32;
        let mut fresh = || {
            next += 1;
            next - 1
        };
        let slots: Vec<u32> = after
            .iter()
            .map(|name| free.get_mut(name).and_then(|slots| slots.pop_front()).unwrap_or_else(&mut fresh))
            .collect();
        if slots.iter().enumerate().all(|(place, slot)| place as u32 == *slot) {
            Slots::default()
        } else {
            Slots(slots)
        }
    }

    /// Nothing if the slots are the places.
    pub(crate) fn pack(&self) -> Option<Vec<u8>> {
        if self.0.is_empty() {
            return None;
        }
        let mut out = Out::default();
        let mut expected = 0u32;
        for slot in &self.0 {
            out.near(*slot, expected);
            expected = slot + 1;
        }
        Some(pack_row(&out.bytes))
    }

    pub(crate) fn unpack(row: &[u8]) -> Result<Slots> {
        let bytes = unpack_row(row, "slots")?;
        let mut input = In::new(&bytes);
        let (mut slots, mut expected) = (Vec::new(), 0u32);
        while !input.is_empty() {
            let slot = input.near(expected);
            slots.push(slot);
            expected = slot.wrapping_add(1);
        }
        input.finish("slots")?;
        Ok(Slots(slots))
    }
}

/// The symbols that a file has now.
#[derive(Default)]
struct Present {
    slots: Slots,
    count: u32,
}

impl Present {
    fn symbol(&self, slot: u32) -> Option<SymbolId> {
        self.slots.symbol(slot).filter(|symbol| symbol.0 < self.count)
    }
}

/// The links of neighbouring files.
pub(crate) const LINKS: Table<1> = Table("link");

/// Packs links whose symbols are slots: columns of small numbers.
pub(crate) fn pack(links: &FileLinks) -> Vec<u8> {
    if links.is_empty() {
        return Vec::new();
    }
    let mut out = Out::default();
    let externals = links.targets.iter().filter(|t| matches!(t, LinkTarget::External(_))).count();
    out.number((links.targets.len() - externals) as u32);
    out.number(externals as u32);
    out.number(links.bound.len() as u32);
    let mut last = SymbolRow::new(FileId(0), SymbolId(0));
    for row in links.symbols() {
        out.number(row.file.0 - last.file.0);
        let base = if row.file == last.file { last.symbol.0 } else { 0 };
        out.number(row.symbol.0 - base);
        last = row;
    }
    for target in &links.targets {
        if let LinkTarget::External(path) = target {
            out.number(path.len() as u32);
            path.iter().for_each(|name| out.number(name.0));
        }
    }
    let mut last = 0;
    for bound in &links.bound {
        out.number(bound.reference.0 - last);
        last = bound.reference.0;
    }
    links.bound.iter().for_each(|bound| out.number(bound.target));
    links.bound.iter().for_each(|bound| out.byte(byte(bound)));
    last = 0;
    for reference in &links.unbound {
        out.number(reference.0 - last);
        last = reference.0;
    }
    out.bytes
}

const MAKES: u8 = 0x80;

fn byte(bound: &BoundRef) -> u8 {
    (bound.how as u8) << 2 | bound.certainty as u8 | if bound.makes { MAKES } else { 0 }
}

/// Links whose symbols are slots.
pub(crate) fn unpack(bytes: &[u8]) -> Result<FileLinks> {
    let mut links = FileLinks::default();
    if bytes.is_empty() {
        return Ok(links);
    }
    let mut input = In::new(bytes);
    let [symbols, externals, bound] = [input.count(), input.count(), input.count()];
    let mut last = SymbolRow::new(FileId(0), SymbolId(0));
    for _ in 0..symbols {
        let file = FileId(last.file.0.wrapping_add(input.number()));
        let base = if file == last.file { last.symbol.0 } else { 0 };
        last = SymbolRow::new(file, SymbolId(base.wrapping_add(input.number())));
        links.targets.push(LinkTarget::Symbol(last));
    }
    for _ in 0..externals {
        let parts = input.count();
        links.targets.push(LinkTarget::External((0..parts).map(|_| TermId(input.number())).collect()));
    }
    let mut reference = 0u32;
    for _ in 0..bound {
        reference = reference.wrapping_add(input.number());
        let (certainty, how) = (Certainty::Exact, How::Scope);
        links.bound.push(BoundRef { reference: RefId(reference), target: 0, certainty, how, makes: false });
    }
    let targets = links.targets.len();
    for bound in &mut links.bound {
        bound.target = input.number();
        if bound.target as usize >= targets {
            input.fail();
        }
    }
    for bound in &mut links.bound {
        let byte = input.byte();
        bound.makes = byte & MAKES != 0;
        bound.certainty = Certainty::from_number(byte & 3).ok_or_else(|| Error::packed("links"))?;
        bound.how = How::from_number((byte & !MAKES) >> 2).ok_or_else(|| Error::packed("links"))?;
    }
    let mut reference = 0u32;
    while !input.is_empty() {
        reference = reference.wrapping_add(input.number());
        links.unbound.push(RefId(reference));
    }
    input.finish("links")?;
    Ok(links)
}

/// Packs who refers to the symbols of a file: pairs of slot and source file, sorted.
pub(crate) fn pack_sources(pairs: &[(u32, FileId)]) -> Vec<u8> {
    let mut out = Out::default();
    let mut last = 0;
    for run in pairs.chunk_by(|a, b| a.0 == b.0) {
        out.number(run[0].0 - last);
        last = run[0].0;
        out.number(run.len() as u32);
        let mut file = 0;
        for (_, source) in run {
            out.number(source.0 - file);
            file = source.0;
        }
    }
    pack_row(&out.bytes)
}

pub(crate) fn unpack_sources(row: &[u8]) -> Result<Vec<(u32, FileId)>> {
    let bytes = unpack_row(row, "backlinks")?;
    let mut input = In::new(&bytes);
    let (mut pairs, mut slot) = (Vec::new(), 0u32);
    while !input.is_empty() {
        slot = slot.wrapping_add(input.number());
        let mut file = 0u32;
        for _ in 0..input.count() {
            file = file.wrapping_add(input.number());
            pairs.push((slot, FileId(file)));
        }
    }
    input.finish("backlinks")?;
    Ok(pairs)
}

/// Packs the files in which a name could not be bound, with how often: sorted by file.
pub(crate) fn pack_counts(counts: &[(FileId, u32)]) -> Vec<u8> {
    let mut out = Out::default();
    let mut last = 0;
    for (file, count) in counts {
        out.number(file.0 - last);
        out.number(*count);
        last = file.0;
    }
    pack_row(&out.bytes)
}

pub(crate) fn unpack_counts(row: &[u8]) -> Result<Vec<(FileId, u32)>> {
    let bytes = unpack_row(row, "unbound names")?;
    let mut input = In::new(&bytes);
    let (mut counts, mut file) = (Vec::new(), 0u32);
    while !input.is_empty() {
        file = file.wrapping_add(input.number());
        counts.push((FileId(file), input.number()));
    }
    input.finish("unbound names")?;
    Ok(counts)
}

impl Store {
    /// What the references of a file mean.
    pub fn links(&self, file: FileId) -> Result<FileLinks> {
        let mut links = self.slot_links(file)?;
        let moved = self.moved()?;
        let mut slots = (FileId(u32::MAX), Slots::default());
        for target in &mut links.targets {
            if let LinkTarget::Symbol(row) = target
                && moved.binary_search(&row.file).is_ok()
            {
                if slots.0 != row.file {
                    slots = (row.file, self.slots(row.file)?);
                }
                row.symbol = slots.1.symbol(row.symbol.0).ok_or_else(|| Error::packed("links: a target is gone"))?;
            }
        }
        Ok(links)
    }

    /// What the references of a file meant when they were linked. A target that is gone since then is a symbol that no file
    /// has.
    pub fn links_before(&self, file: FileId) -> Result<FileLinks> {
        let mut links = self.slot_links(file)?;
        let mut present = (FileId(u32::MAX), Present::default());
        for target in &mut links.targets {
            if let LinkTarget::Symbol(row) = target {
                if present.0 != row.file {
                    present = (row.file, self.present(row.file)?);
                }
                row.symbol = present.1.symbol(row.symbol.0).unwrap_or(SymbolId::NONE);
            }
        }
        Ok(links)
    }

    /// The files that referred to symbols of a file that are gone.
    pub fn stale_sources(&self, file: FileId) -> Result<Vec<FileId>> {
        let present = self.present(file)?;
        let gone = self.slot_sources(file)?.into_iter().filter(|(slot, _)| present.symbol(*slot).is_none());
        Ok(gone.map(|(_, source)| source).collect())
    }

    fn present(&self, file: FileId) -> Result<Present> {
        let mut query = self.db.prepare_cached("SELECT symbols FROM file WHERE id = ?1")?;
        let count: Option<u32> = query.query_row([file.0], |row| row.get(0)).optional()?;
        Ok(Present { slots: self.slots(file)?, count: count.unwrap_or(0) })
    }

    /// The files that refer to a symbol, by number.
    pub fn sources(&self, row: SymbolRow) -> Result<Vec<FileId>> {
        let slot = self.slots(row.file)?.slot(row.symbol);
        let pairs = self.slot_sources(row.file)?;
        Ok(pairs.into_iter().filter(|(own, _)| *own == slot).map(|(_, file)| file).collect())
    }

    /// Who refers to the symbols of a file: pairs of symbol and source file, in no particular order.
    pub fn all_sources(&self, file: FileId) -> Result<Vec<(SymbolId, FileId)>> {
        let slots = self.slots(file)?;
        let pairs = self.slot_sources(file)?.into_iter();
        Ok(pairs.filter_map(|(slot, source)| Some((slots.symbol(slot)?, source))).collect())
    }

    /// The files that use a name of the project without proof of what it means, with how often.
    pub fn unbound(&self, name: TermId) -> Result<Vec<(FileId, u32)>> {
        let mut query = self.db.prepare_cached("SELECT data FROM unbound WHERE term = ?1")?;
        let row: Option<Vec<u8>> = query.query_row([name.0], |row| row.get(0)).optional()?;
        row.map_or(Ok(Vec::new()), |row| unpack_counts(&row))
    }

    pub(crate) fn slot_links(&self, file: FileId) -> Result<FileLinks> {
        let found = LINKS.find(&self.db, file, "data", |first, row| {
            let frame = wire::link_frame(row.get_ref(1)?.as_blob().map_err(|_| Error::packed("links"))?)?;
            let place = (file.0 - first) as usize;
            // A file that came later has none until it is linked.
            if place < In::new(&frame).count() { unpack(part(&frame, place)?) } else { Ok(FileLinks::default()) }
        });
        Ok(found?.unwrap_or_default())
    }

    pub(crate) fn slot_sources(&self, file: FileId) -> Result<Vec<(u32, FileId)>> {
        let mut query = self.db.prepare_cached("SELECT data FROM backlink WHERE file = ?1")?;
        let row: Option<Vec<u8>> = query.query_row([file.0], |row| row.get(0)).optional()?;
        row.map_or(Ok(Vec::new()), |row| unpack_sources(&row))
    }

    /// The files whose slots are not the places of their symbols, by number: those that changed since the first build.
    fn moved(&self) -> Result<Vec<FileId>> {
        let mut query = self.db.prepare_cached("SELECT file FROM slots ORDER BY file")?;
        let files = query.query_map([], |row| row.get(0).map(FileId))?;
        Ok(files.collect::<rusqlite::Result<_>>()?)
    }

    pub(crate) fn slots(&self, file: FileId) -> Result<Slots> {
        let mut query = self.db.prepare_cached("SELECT data FROM slots WHERE file = ?1")?;
        let row: Option<Vec<u8>> = query.query_row([file.0], |row| row.get(0)).optional()?;
        row.map_or(Ok(Slots::default()), |row| Slots::unpack(&row))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(file: u32, symbol: u32) -> LinkTarget {
        LinkTarget::Symbol(SymbolRow::new(FileId(file), SymbolId(symbol)))
    }

    #[test]
    fn links_come_back() {
        let bound = |reference, target, certainty, how| BoundRef {
            reference: RefId(reference),
            target,
            certainty,
            how,
            makes: target == 2,
        };
        let links = FileLinks {
            targets: vec![row(1, 0), row(1, 900), row(7, 2), LinkTarget::External(vec![TermId(5), TermId(70_000)])],
            bound: vec![
                bound(0, 2, Certainty::Exact, How::Import),
                bound(3, 3, Certainty::Inferred, How::Name),
                bound(4_000, 0, Certainty::Exact, How::Inherited),
            ],
            unbound: vec![RefId(2), RefId(70)],
        };
        assert_eq!(unpack(&pack(&links)).expect("it is whole"), links);
        assert_eq!(unpack(&pack(&FileLinks::default())).expect("it is whole"), FileLinks::default());
        assert!(unpack(&pack(&links)[..6]).is_err());
    }

    #[test]
    fn a_symbol_keeps_its_slot_while_it_keeps_its_name() {
        let first = Slots::default().carry(&[1, 2, 3, 3], &[1, 9, 2, 3, 3]);
        assert_eq!([0, 1, 2, 3, 4].map(|place| first.slot(SymbolId(place))), [0, 4, 1, 2, 3]);
        assert_eq!(first.symbol(3), Some(SymbolId(4)));
        let second = first.carry(&[1, 9, 2, 3, 3], &[1, 2, 3, 3]);
        assert_eq!(second, Slots::default());
        let third = first.carry(&[1, 9, 2, 3, 3], &[1, 8, 2]);
        assert_eq!([0, 1, 2].map(|place| third.slot(SymbolId(place))), [0, 5, 1]);
        assert_eq!(third.symbol(4), None);
        assert_eq!(Slots::unpack(&third.pack().expect("not the places")).expect("it is whole"), third);
    }

    #[test]
    fn sources_and_counts_come_back() {
        let pairs = vec![(0, FileId(4)), (0, FileId(9)), (12, FileId(1))];
        assert_eq!(unpack_sources(&pack_sources(&pairs)).expect("it is whole"), pairs);
        let counts = vec![(FileId(1), 3), (FileId(400), 1)];
        assert_eq!(unpack_counts(&pack_counts(&counts)).expect("it is whole"), counts);
    }
}
