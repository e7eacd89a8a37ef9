//! Packs the facts of one file. Pure, so that many threads can do it at once.

use std::hash::BuildHasher;

use codegraph_model::{FileFacts, SymbolId, SymbolKind, TermId, TermLine, TermMask};
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::names::display;
use crate::outline::{Extra, WORD};
use crate::posting::{OWN, write_lines};
use crate::{FileNames, LineClass, LineIds, body, outline};

/// The packed facts of one file, ready to be written: outline and body still to be compressed, with those of its
/// neighbours.
#[derive(Clone, Debug, Default)]
pub struct Encoded {
    pub(crate) outline: Vec<u8>,
    pub(crate) body: Vec<u8>,
    pub(crate) names: Vec<TermId>,
    pub(crate) uses: Vec<u8>,
    /// Packed lines of all names, and per name where they end and how many they are; none is without.
    pub(crate) lines: Vec<u8>,
    pub(crate) ends: Vec<u32>,
    pub(crate) counts: Vec<u32>,
    pub(crate) symbols: SymbolNames,
    pub(crate) totals: Totals,
    pub(crate) line_ids: LineIds,
    pub(crate) problems: Option<String>,
    pub(crate) generated: bool,
}

/// The base names of a file's symbols, and the ids that follow from them.
#[derive(Clone, Debug, Default)]
pub(crate) struct SymbolNames {
    text: String,
    ends: Vec<u32>,
    pub(crate) ids: Vec<u128>,
    pub(crate) hashes: Vec<u64>,
}

/// Counts for the file's row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Totals {
    pub(crate) lines: u32,
    pub(crate) items: u32,
    pub(crate) occurrences: u32,
    pub(crate) symbols: u32,
    pub(crate) methods: u32,
    pub(crate) types: u32,
}

impl SymbolNames {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn base(&self, symbol: usize) -> &str {
        let start = if symbol == 0 { 0 } else { self.ends[symbol - 1] as usize };
        &self.text[start..self.ends[symbol] as usize]
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|symbol| self.base(symbol))
    }

    /// Names and ids of all symbols. Both depend on the file alone.
    pub(crate) fn of(file: FileNames<'_>, facts: &FileFacts, names: &impl crate::NameSource) -> SymbolNames {
        let count = facts.symbols.len();
        let mut all = SymbolNames {
            text: String::with_capacity(count * 48),
            ends: Vec::with_capacity(count),
            ids: Vec::with_capacity(count),
            hashes: Vec::with_capacity(count),
        };
        for index in 0..count {
            let start = all.text.len();
            file.push_base(&mut all.text, facts, SymbolId(index as u32), names);
            all.ends.push(all.text.len() as u32);
            all.hashes.push(FxBuildHasher.hash_one(&all.text[start..]));
        }
        all.identify(file, facts, names);
        all
    }

    /// What [`FileNames::symbol_id`] says of each symbol.
    fn identify(&mut self, file: FileNames<'_>, facts: &FileFacts, names: &impl crate::NameSource) {
        let told = file.is_told_by_module(facts);
        let mut bases: FxHashMap<u64, u32> = FxHashMap::default();
        if told {
            self.hashes.iter().for_each(|hash| *bases.entry(*hash).or_default() += 1);
        }
        let mut scoped_names: FxHashMap<(SymbolKind, u64), u32> = FxHashMap::default();
        let prefix = if file.module.is_empty() { 0 } else { file.module.len() + file.separator.len() };
        for (index, symbol) in facts.symbols.iter().enumerate() {
            let base = self.base(index);
            let own = if index == 0 { Some(file.scoped(facts, SymbolId(0), names)) } else { None };
            let scoped = own.as_deref().unwrap_or_else(|| &base[prefix..]);
            let number = scoped_names.entry((symbol.kind, FxBuildHasher.hash_one(scoped))).or_default();
            *number += 1;
            let id = match told && bases[&self.hashes[index]] == 1 {
                true => file.id_at(base, symbol.span),
                false => file.id_at(&file.canonical_of(symbol, &display(scoped.to_owned(), *number)), symbol.span),
            };
            self.ids.push(id);
        }
    }
}

impl Encoded {
    /// The packed lines of the name at a place of the table.
    pub(crate) fn lines_of(&self, place: usize) -> &[u8] {
        let start = if place == 0 { 0 } else { self.ends[place - 1] as usize };
        &self.lines[start..self.ends[place] as usize]
    }

    /// How many bytes outline and body take.
    pub(crate) fn size(&self) -> usize {
        self.outline.len() + self.body.len()
    }
}

/// Packs the facts of a file. `ids` are the dictionary numbers of `facts.strings`, in their order; `lines` the line
/// ids of an update, the default ones for a new file.
pub fn encode(facts: &FileFacts, ids: &[TermId], file: FileNames<'_>, lines: &LineIds) -> Encoded {
    let (names, ranks) = rank_names(ids);
    let mut encoded = Encoded { names, line_ids: lines.clone(), ..Default::default() };
    pack_terms(facts, &ranks, &mut encoded);
    let classes = classify_lines(facts);
    let extra = Extra { names: &encoded.names, uses: &encoded.uses, ranks: &ranks, lines, classes: &classes };
    encoded.outline = outline::write(facts, &extra);
    encoded.body = body::write(facts, &ranks);
    encoded.symbols = SymbolNames::of(file, facts, &facts.strings);
    encoded.totals = count(facts, &encoded);
    encoded.problems = crate::record::problems_text(&facts.problems);
    encoded.generated = facts.generated;
    encoded
}

/// The sorted name table, and the place in it of each string.
fn rank_names(ids: &[TermId]) -> (Vec<TermId>, Vec<u32>) {
    let mut order: Vec<u64> = ids.iter().enumerate().map(|(i, id)| u64::from(id.0) << 32 | i as u64).collect();
    order.sort_unstable();
    let mut names: Vec<TermId> = Vec::with_capacity(ids.len());
    let mut ranks = vec![0; ids.len()];
    for entry in order {
        let id = TermId((entry >> 32) as u32);
        if names.last() != Some(&id) {
            names.push(id);
        }
        ranks[entry as u32 as usize] = names.len() as u32 - 1;
    }
    (names, ranks)
}

/// Packs the lines of every name.
fn pack_terms(facts: &FileFacts, ranks: &[u32], encoded: &mut Encoded) {
    let mut runs: Vec<&[TermLine]> = vec![&[]; encoded.names.len()];
    // What symbols whose names have no defining line are: they are found all the same.
    let mut unwritten = vec![TermMask(0); encoded.names.len()];
    for (at, symbol) in facts.symbols.iter().enumerate().filter(|(_, symbol)| symbol.name.is_some()) {
        unwritten[ranks[symbol.name.index()] as usize].0 |= if at == 0 { OWN.0 } else { TermMask::DEF.0 };
    }
    for run in facts.terms.chunk_by(|a, b| a.term == b.term) {
        let rank = ranks[run[0].term.index()] as usize;
        runs[rank] = run;
        if unwritten[rank].0 != 0 && run.iter().any(|entry| entry.mask.has(TermMask::DEF)) {
            unwritten[rank] = TermMask(0);
        }
    }
    let mut extends = vec![false; encoded.names.len()];
    for name in facts.extended_types() {
        extends[ranks[name.index()] as usize] = true;
    }
    encoded.lines.reserve(facts.terms.len() * 2 + 16);
    for ((run, unwritten), extends) in runs.into_iter().zip(unwritten).zip(extends) {
        let mention = (unwritten.0 != 0 || run.is_empty()).then_some(unwritten);
        write_lines(&mut encoded.lines, run, mention, extends);
        encoded.ends.push(encoded.lines.len() as u32);
        encoded.counts.push(run.len() as u32 + u32::from(mention.is_some()));
        encoded.uses.push(if run.is_empty() { 0 } else { WORD });
    }
}

fn classify_lines(facts: &FileFacts) -> Vec<LineClass> {
    let mut masks = vec![0u8; facts.line_starts.len()];
    for entry in &facts.terms {
        if let Some(mask) = masks.get_mut((entry.line as usize).wrapping_sub(1)) {
            *mask |= entry.mask.0;
        }
    }
    let class = |mask: u8| match TermMask(mask) {
        m if m.has(TermMask::CODE) || m.has(TermMask::DEF) => LineClass::Code,
        m if m.has(TermMask::COMMENT) => LineClass::Comment,
        m if m.has(TermMask::STRING) => LineClass::String,
        _ => LineClass::Empty,
    };
    masks.into_iter().map(class).collect()
}

fn count(facts: &FileFacts, encoded: &Encoded) -> Totals {
    let of = |test: fn(&codegraph_model::Symbol) -> bool| facts.symbols.iter().filter(|s| test(s)).count() as u32;
    Totals {
        lines: facts.line_starts.len() as u32,
        items: encoded.uses.iter().filter(|uses| **uses & WORD != 0).count() as u32,
        occurrences: facts.terms.len() as u32,
        symbols: facts.symbols.len() as u32,
        methods: of(|s| matches!(s.kind.entity(), Some("method" | "function"))),
        types: of(|s| s.kind.type_kind().is_some()),
    }
}
