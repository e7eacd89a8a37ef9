//! Where a symbol is used in many files: nothing is unpacked but what that takes, on all cores.

use codegraph_model::{Certainty, FileId, How, Reference, Scope, SymbolId};
use rayon::prelude::*;

use crate::facts::FACTS;
use crate::link::{FileLinks, LINKS, unpack};
use crate::neighbours::{SharedRow, Table, part};
use crate::outline::Ground;
use crate::wire::{In, decompress};
use crate::{BoundRef, Error, LinkTarget, Result, Store, SymbolRow, body, outline};

/// A use of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SymbolUse {
    pub file: FileId,
    /// The smallest symbol around it; decorators and defaults belong to the scope around the function.
    pub user: SymbolId,
    pub reference: Reference,
    pub certainty: Certainty,
    pub how: How,
    /// Line from 1 and column from 0, in bytes.
    pub start: (u32, u32),
    pub end: (u32, u32),
    /// Columns are the same in characters.
    pub even: bool,
}

/// Rows from which on it is worth to wake other threads.
const WORTH_THREADS: usize = 4;

impl Store {
    /// Where a symbol is used in these files, in their order.
    pub fn uses_in(&self, symbol: SymbolRow, files: &[FileId]) -> Result<Vec<SymbolUse>> {
        let slot = SymbolId(self.slots(symbol.file)?.slot(symbol.symbol));
        let target = LinkTarget::Symbol(SymbolRow::new(symbol.file, slot));
        let links = self.each(&LINKS, "data", files, |[data], file, place| {
            // A file that came later has none until it is linked.
            let linked = place < In::new(data).count();
            Ok((file, if linked { bound_to(&target, part(data, place)?)? } else { Vec::new() }))
        })?;
        let (users, bound): (Vec<FileId>, Vec<Vec<BoundRef>>) = links
            .into_iter()
            .filter(|(_, bound)| !bound.is_empty())
            .map(|(index, bound)| (files[index], bound))
            .unzip();
        let uses = self.each(&FACTS, "outlines, bodies", &users, |[outlines, bodies], user, place| {
            let ground = outline::read_ground(part(outlines, place)?)?;
            let last = bound[user].last().expect("files without uses are left out").reference;
            let (scopes, refs) = body::read_references(part(bodies, place)?, &ground, last)?;
            let one = |bound: &BoundRef| one_use(users[user], bound, &ground, &scopes, &refs);
            bound[user].iter().map(one).collect::<Result<Vec<SymbolUse>>>()
        })?;
        if uses.len() < users.len() {
            return Err(Error::packed("facts: a file is missing"));
        }
        Ok(uses.into_iter().flatten().collect())
    }

    /// Reads something of each file that has a row, from the unpacked columns of the row, the index of the file, and its place
    /// in the row.
    fn each<const N: usize, T: Send>(
        &self,
        table: &Table<N>,
        columns: &str,
        files: &[FileId],
        read: impl Fn(&[Vec<u8>; N], usize, usize) -> Result<T> + Sync,
    ) -> Result<Vec<T>> {
        let rows = table.rows(&self.db, columns, files)?;
        let unpack = |row: &SharedRow<N>| -> Result<Vec<T>> {
            let mut data = [const { Vec::new() }; N];
            for (data, frame) in data.iter_mut().zip(&row.frames) {
                *data = decompress(frame, table.0)?;
            }
            row.files.clone().map(|file| read(&data, file, (files[file].0 - row.first) as usize)).collect()
        };
        let read: Vec<Vec<T>> = match rows.len() < WORTH_THREADS {
            true => rows.iter().map(unpack).collect::<Result<_>>()?,
            false => rows.par_iter().map(unpack).collect::<Result<_>>()?,
        };
        Ok(read.into_iter().flatten().collect())
    }
}

/// The references of a file that are bound to a target.
fn bound_to(target: &LinkTarget, links: &[u8]) -> Result<Vec<BoundRef>> {
    let FileLinks { targets, mut bound, .. } = unpack(links)?;
    match targets.iter().position(|own| own == target) {
        Some(place) => bound.retain(|bound| bound.target as usize == place),
        None => bound.clear(),
    }
    Ok(bound)
}

fn one_use(file: FileId, bound: &BoundRef, ground: &Ground, scopes: &[Scope], refs: &[Reference]) -> Result<SymbolUse> {
    let fits = || Error::Corrupt("links do not fit their file".into());
    let mut reference = *refs.get(bound.reference.index()).ok_or_else(fits)?;
    reference.kind = bound.kind(&reference);
    let owner = scopes.get(reference.scope.index()).map(|scope| scope.owner);
    let user = owner.filter(|owner| owner.index() < ground.symbols.len()).unwrap_or(SymbolId(0));
    let [start, end] = [reference.span.start, reference.span.end].map(|offset| ground.lines.position(offset));
    let even = [start.0, end.0].iter().all(|line| ground.lines.uneven_lines.binary_search(line).is_err());
    Ok(SymbolUse { file, user, reference, certainty: bound.certainty, how: bound.how, start, end, even })
}
