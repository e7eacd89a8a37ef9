//! The dictionary: texts by number in the table `dictionary`, numbers by text in `term_order`.
//!
//! A row of `dictionary` has the lengths of neighbouring texts, then the texts, compressed. A row of `term_order` lists the numbers of neighbouring texts in the order of their lower-case
//! form; its key is a lower bound. That is an eighth of an SQL index over the texts, and serves prefixes too. Texts that
//! differ only in case are always in one row.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, params};
use rustc_hash::FxHashMap;

use crate::wire::{In, Out, pack_row, put_varint, unpack_row};
use crate::{Error, Interner, Result, Store, Term};
use codegraph_model::TermId;

/// Texts in a row of `dictionary`. More would compress better, and cost every reader of one text.
const BLOCK: u32 = 64;

/// Rows that one thread takes at least.
const FEWEST: usize = 64;

/// Rows that are searched at a time. If that is all of them, they are kept for the next search: about 30 bytes for each of
/// 64 texts.
const AT_A_TIME: usize = 2048;

/// Numbers in a new row; twice as many make it split.
const ROW: usize = 128;

/// The form by which texts are ordered and compared without case.
fn fold(text: &str) -> Cow<'_, str> {
    match text.bytes().all(|b| b.is_ascii() && !b.is_ascii_uppercase()) {
        true => Cow::Borrowed(text),
        false if text.is_ascii() => Cow::Owned(text.to_ascii_lowercase()),
        false => Cow::Owned(text.to_lowercase()),
    }
}

/// The texts that were read.
#[derive(Default)]
pub(crate) struct Texts {
    rows: FxHashMap<u32, Arc<Block>>,
    /// All rows, in their order, once they were searched; unless they are too many to be kept.
    all: Option<Arc<[(u32, Block)]>>,
}

impl Texts {
    pub(crate) fn clear(&mut self) {
        *self = Texts::default();
    }
}

/// A text, and whether it is a word: whether it stands on a line somewhere. Other names are `operator==` and the like.
type Entry<'a> = (&'a str, bool);

/// The texts of a row.
#[derive(Default)]
struct Block {
    text: String,
    /// Where a text is, and whether it is a word. None for a number without a text.
    places: Vec<Option<(Range<u32>, bool)>>,
}

impl Block {
    fn entry(&self, place: usize) -> Option<Entry<'_>> {
        let (range, word) = self.places.get(place)?.as_ref()?;
        Some((&self.text[range.start as usize..range.end as usize], *word))
    }

    fn get(&self, term: TermId) -> Option<&str> {
        self.entry((term.0 % BLOCK) as usize).map(|(text, _)| text)
    }

    fn iter(&self) -> impl Iterator<Item = Option<Entry<'_>>> {
        (0..self.places.len()).map(|place| self.entry(place))
    }

    /// Twice the lengths, one more for words; then the texts.
    fn pack(entries: &[Option<Entry<'_>>]) -> Vec<u8> {
        let mut out = Out::default();
        out.number(entries.len() as u32);
        let head = |(text, word): &Entry<'_>| (text.len() as u32) << 1 | u32::from(*word);
        entries.iter().for_each(|entry| out.optional(entry.as_ref().map_or(u32::MAX, head)));
        entries.iter().flatten().for_each(|(text, _)| out.bytes.extend_from_slice(text.as_bytes()));
        pack_row(&out.bytes)
    }

    fn unpack(row: &[u8]) -> Result<Block> {
        let bytes = unpack_row(row, "dictionary")?;
        let mut input = In::new(&bytes);
        let (mut end, mut places) = (0u32, Vec::new());
        for _ in 0..input.count() {
            let start = end;
            let head = input.optional();
            places.push((head != u32::MAX).then(|| {
                end = start.saturating_add(head >> 1);
                (start..end, head & 1 != 0)
            }));
        }
        let text = str::from_utf8(input.take(end as usize)).map_err(|_| Error::packed("dictionary"))?.to_owned();
        input.finish("dictionary")?;
        match places.iter().flatten().all(|(range, _)| text.is_char_boundary(range.end as usize)) {
            true => Ok(Block { text, places }),
            false => Err(Error::packed("dictionary")),
        }
    }
}

/// Writes all texts of a first build. `words` says by number which of them stand on a line.
pub(crate) fn write(db: &Connection, interner: &Interner, words: &[bool]) -> Result<()> {
    let mut insert = db.prepare("INSERT INTO dictionary VALUES (?1, ?2, row_sum(?1, ?2))")?;
    // Numbers start at 1.
    let mut entries = vec![None];
    for (id, text) in interner.iter() {
        entries.push(Some((text, words.get(id.0 as usize).is_some_and(|word| *word))));
        if id.0 % BLOCK == BLOCK - 1 || id.0 as usize == interner.len() {
            insert.execute(params![id.0 / BLOCK, Block::pack(&entries)])?;
            entries.clear();
        }
    }
    write_order(db, interner)
}

fn write_order(db: &Connection, interner: &Interner) -> Result<()> {
    let mut order: Vec<(u64, TermId, Cow<'_, str>, &str)> = interner
        .iter()
        .map(|(id, text)| {
            let folded = fold(text);
            (leading(&folded), id, folded, text)
        })
        .collect();
    order.sort_unstable_by(|a, b| (a.0, &a.2, a.3).cmp(&(b.0, &b.2, b.3)));
    let mut insert = db.prepare("INSERT INTO term_order VALUES (?1, ?2, row_sum(?1, ?2))")?;
    let mut from = 0;
    while from < order.len() || from == 0 {
        let mut to = (from + ROW).min(order.len());
        while (1..order.len()).contains(&to) && order[to].2 == order[to - 1].2 {
            to += 1;
        }
        let first = if from == 0 { "" } else { &order[from].2 };
        let ids: Vec<TermId> = order[from..to].iter().map(|entry| entry.1).collect();
        insert.execute(params![first.as_bytes(), pack(&ids)])?;
        from = to.max(1);
    }
    Ok(())
}

/// The first bytes of a text as a number of the same order.
fn leading(text: &str) -> u64 {
    let mut bytes = [0; 8];
    let length = text.len().min(8);
    bytes[..length].copy_from_slice(&text.as_bytes()[..length]);
    u64::from_be_bytes(bytes)
}

fn pack(ids: &[TermId]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(ids.len() * 3);
    ids.iter().for_each(|id| put_varint(&mut bytes, id.0.into()));
    bytes
}

fn unpack(bytes: &[u8]) -> Result<Vec<TermId>> {
    let mut input = In::new(bytes);
    let mut ids = Vec::with_capacity(bytes.len() / 2);
    while !input.is_empty() {
        ids.push(TermId(input.number()));
    }
    input.finish("dictionary")?;
    Ok(ids)
}

fn missing() -> Error {
    Error::packed("names: a text is missing")
}

/// A row of `term_order`.
struct OrderRow {
    first: Vec<u8>,
    ids: Vec<TermId>,
}

impl Store {
    /// The text of a dictionary number. Cached.
    pub fn text(&self, term: TermId) -> Result<Arc<str>> {
        let block = self.block(term)?;
        block.get(term).map(Arc::from).ok_or_else(missing)
    }

    /// A term that stands on a line somewhere, if this is the number of one.
    pub(crate) fn word(&self, id: TermId) -> Result<Option<Term>> {
        let block = self.block(id)?;
        let entry = block.entry((id.0 % BLOCK) as usize).filter(|(_, word)| *word);
        Ok(entry.map(|(text, _)| Term { id, text: text.to_owned() }))
    }

    /// The texts around a number. Cached.
    fn block(&self, term: TermId) -> Result<Arc<Block>> {
        let known = self.texts.borrow().rows.get(&(term.0 / BLOCK)).cloned();
        match known {
            Some(block) => Ok(block),
            None => self.read_block(term.0 / BLOCK),
        }
    }

    fn read_block(&self, block: u32) -> Result<Arc<Block>> {
        let mut query = self.db.prepare_cached("SELECT texts FROM dictionary WHERE block = ?1")?;
        let mut rows = query.query([block])?;
        let texts = Arc::new(match rows.next()? {
            Some(row) => read_texts(row.get_ref(0)?)?,
            None => Block::default(),
        });
        self.texts.borrow_mut().rows.insert(block, texts.clone());
        Ok(texts)
    }

    /// Notes whether a text stands on a line somewhere.
    pub(crate) fn set_word(&self, id: TermId, word: bool) -> Result<()> {
        let block = self.block(id)?;
        match block.entry((id.0 % BLOCK) as usize) {
            Some((text, before)) if before != word => self.put_text(id, Some((text, word))),
            _ => Ok(()),
        }
    }

    /// Puts a text into its place, or takes it out.
    fn put_text(&self, id: TermId, entry: Option<Entry<'_>>) -> Result<()> {
        let block = id.0 / BLOCK;
        let old = self.read_block(block)?;
        let mut entries: Vec<Option<Entry<'_>>> = old.iter().collect();
        let place = (id.0 % BLOCK) as usize;
        entries.resize(entries.len().max(place + 1), None);
        entries[place] = entry;
        while entries.last().is_some_and(Option::is_none) {
            entries.pop();
        }
        let mut texts = self.texts.borrow_mut();
        texts.rows.remove(&block);
        texts.all = None;
        drop(texts);
        if entries.is_empty() {
            self.db.prepare_cached("DELETE FROM dictionary WHERE block = ?1")?.execute([block])?;
            return Ok(());
        }
        self.db
            .prepare_cached("INSERT OR REPLACE INTO dictionary VALUES (?1, ?2, row_sum(?1, ?2))")?
            .execute(params![block, Block::pack(&entries)])?;
        Ok(())
    }

    /// The number for the next new text.
    pub(crate) fn next_term(&self) -> Result<u32> {
        let mut query = self.db.prepare_cached("SELECT block, texts FROM dictionary ORDER BY block DESC LIMIT 1")?;
        let mut rows = query.query([])?;
        match rows.next()? {
            Some(row) => Ok(row.get::<_, u32>(0)? * BLOCK + read_texts(row.get_ref(1)?)?.places.len() as u32),
            None => Ok(1),
        }
    }

    /// Visits all texts by number.
    pub(crate) fn each_text(&self, mut visit: impl FnMut(TermId, &str)) -> Result<()> {
        self.each_entry_by_number(|id, (text, _)| visit(id, text))
    }

    fn each_entry_by_number(&self, mut visit: impl FnMut(TermId, Entry<'_>)) -> Result<()> {
        let mut query = self.db.prepare_cached("SELECT block, texts FROM dictionary ORDER BY block")?;
        let mut rows = query.query([])?;
        while let Some(row) = rows.next()? {
            let first = row.get::<_, u32>(0)? * BLOCK;
            let block = read_texts(row.get_ref(1)?)?;
            for (id, entry) in (first..).zip(block.iter()) {
                if let Some(entry) = entry {
                    visit(TermId(id), entry);
                }
            }
        }
        Ok(())
    }

    /// How many words there are. Reads all of them.
    pub fn word_count(&self) -> Result<u64> {
        let mut count = 0;
        self.each_entry_by_number(|_, (_, word)| count += u64::from(word))?;
        Ok(count)
    }

    pub(crate) fn forget_texts(&self) {
        self.texts.borrow_mut().clear();
    }

    /// The terms equal to `text`: those that differ only in case too, unless `case_sensitive`. The exact case comes
    /// first, then by text.
    pub fn terms_equal(&self, text: &str, case_sensitive: bool) -> Result<Vec<Term>> {
        let folded = fold(text);
        let row = self.order_row(&folded)?;
        let mut found = Vec::new();
        for id in &row.ids[self.lower_bound(&row.ids, &folded)?..] {
            let block = self.block(*id)?;
            let other = block.get(*id).ok_or_else(missing)?;
            if fold(other) != folded {
                break;
            }
            if !case_sensitive || other == text {
                found.push(Term { id: *id, text: other.to_owned() });
            }
        }
        found.sort_by(|a, b| (a.text != text, &a.text).cmp(&(b.text != text, &b.text)));
        Ok(found)
    }

    /// The term with exactly this text.
    pub fn term(&self, text: &str) -> Result<Option<TermId>> {
        Ok(self.terms_equal(text, true)?.first().map(|term| term.id))
    }

    /// The terms that start with `prefix`, by text.
    pub fn terms_starting(&self, prefix: &str, case_sensitive: bool) -> Result<Vec<Term>> {
        let folded = fold(prefix);
        let first = self.order_row(&folded)?;
        let mut query = self.db.prepare_cached("SELECT ids FROM term_order WHERE first > ?1 ORDER BY first")?;
        let mut rows = query.query([&first.first])?;
        let mut ids = first.ids[self.lower_bound(&first.ids, &folded)?..].to_vec();
        let mut found = Vec::new();
        loop {
            for id in ids {
                let text = self.text(id)?;
                if !fold(&text).starts_with(&*folded) {
                    return Ok(by_text(found));
                }
                if !case_sensitive || text.starts_with(prefix) {
                    found.push(Term { id, text: text.to_string() });
                }
            }
            match rows.next()? {
                Some(row) => ids = unpack(row.get_ref(0)?.as_blob().map_err(|_| Error::packed("dictionary"))?)?,
                None => return Ok(by_text(found)),
            }
        }
    }

    /// The terms that the test accepts, by text: for `contains` and regular expressions.
    pub fn terms_matching(&self, test: impl Fn(&str) -> bool + Sync) -> Result<Vec<Term>> {
        Ok(by_text(self.search_texts(|id, text| test(text).then(|| Term { id, text: text.to_owned() }))?))
    }

    /// What a search finds in all texts, by number. Many texts are unpacked at a time, on all cores, and kept for the next
    /// search unless they are too many.
    pub fn search_texts<T: Send>(&self, search: impl Fn(TermId, &str) -> Option<T> + Sync) -> Result<Vec<T>> {
        let in_block = |(block, texts): &(u32, Block)| -> Vec<T> {
            let entries = (block * BLOCK..).zip(texts.iter()).filter_map(|(id, entry)| Some((TermId(id), entry?.0)));
            entries.filter_map(|(id, text)| search(id, text)).collect()
        };
        let in_blocks = |blocks: &[(u32, Block)]| -> Vec<T> {
            blocks.par_iter().with_min_len(FEWEST).flat_map_iter(in_block).collect()
        };
        let known = self.texts.borrow().all.clone();
        if let Some(all) = known {
            return Ok(in_blocks(&all));
        }
        let mut query = self.db.prepare_cached("SELECT block, texts FROM dictionary ORDER BY block")?;
        let mut rows = query.query([])?;
        let (mut found, mut searched) = (Vec::new(), 0);
        loop {
            let mut packed: Vec<(u32, Vec<u8>)> = Vec::new();
            while packed.len() < AT_A_TIME
                && let Some(row) = rows.next()?
            {
                packed.push((row.get(0)?, row.get(1)?));
            }
            let unpack = |(block, texts): &(u32, Vec<u8>)| Ok((*block, Block::unpack(texts)?));
            let blocks = packed.par_iter().with_min_len(FEWEST).map(unpack).collect::<Result<Vec<_>>>()?;
            found.extend(in_blocks(&blocks));
            searched += blocks.len();
            if blocks.len() < AT_A_TIME {
                if searched == blocks.len() {
                    self.texts.borrow_mut().all = Some(blocks.into());
                }
                return Ok(found);
            }
        }
    }

    /// The numbers of all texts.
    pub(crate) fn term_ids(&self) -> Result<Vec<TermId>> {
        let mut ids = Vec::new();
        self.each_text(|id, _| ids.push(id))?;
        Ok(ids)
    }

    /// Adds a text that is not there yet.
    pub(crate) fn add_term(&self, id: TermId, text: &str) -> Result<()> {
        self.put_text(id, Some((text, true)))?;
        let folded = fold(text);
        let mut row = self.order_row(&folded)?;
        row.ids.insert(self.lower_bound(&row.ids, &folded)?, id);
        if row.ids.len() >= 2 * ROW
            && let Some((at, first)) = self.middle(&row.ids)?
        {
            self.put_order_row(first.as_bytes(), &row.ids[at..])?;
            row.ids.truncate(at);
        }
        self.put_order_row(&row.first, &row.ids)
    }

    /// Removes a text.
    pub(crate) fn remove_term(&self, id: TermId) -> Result<()> {
        let text = self.text(id)?;
        let mut row = self.order_row(&fold(&text))?;
        row.ids.retain(|other| *other != id);
        if row.ids.is_empty() && !row.first.is_empty() {
            self.db.prepare_cached("DELETE FROM term_order WHERE first = ?1")?.execute([&row.first])?;
        } else {
            self.put_order_row(&row.first, &row.ids)?;
        }
        self.put_text(id, None)
    }

    /// The row that a text is in or belongs into.
    fn order_row(&self, folded: &str) -> Result<OrderRow> {
        let mut query = self
            .db
            .prepare_cached("SELECT first, ids FROM term_order WHERE first <= ?1 ORDER BY first DESC LIMIT 1")?;
        let row: Option<(Vec<u8>, Vec<u8>)> =
            query.query_row([folded.as_bytes()], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
        let (first, ids) = row.ok_or_else(|| Error::packed("dictionary"))?;
        Ok(OrderRow { first, ids: unpack(&ids)? })
    }

    fn put_order_row(&self, first: &[u8], ids: &[TermId]) -> Result<()> {
        self.db
            .prepare_cached("INSERT OR REPLACE INTO term_order VALUES (?1, ?2, row_sum(?1, ?2))")?
            .execute(params![first, pack(ids)])?;
        Ok(())
    }

    /// Where the texts begin that are not less than this one.
    fn lower_bound(&self, ids: &[TermId], folded: &str) -> Result<usize> {
        let (mut low, mut high) = (0, ids.len());
        while low < high {
            let middle = (low + high) / 2;
            let block = self.block(ids[middle])?;
            match *fold(block.get(ids[middle]).ok_or_else(missing)?) < *folded {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        Ok(low)
    }

    /// Where a row can be split: about the middle, not between texts that differ only in case.
    fn middle(&self, ids: &[TermId]) -> Result<Option<(usize, String)>> {
        let mut before = fold(&self.text(ids[ids.len() / 2 - 1])?).into_owned();
        for (at, id) in ids.iter().enumerate().skip(ids.len() / 2) {
            let folded = fold(&self.text(*id)?).into_owned();
            if folded != before {
                return Ok(Some((at, folded)));
            }
            before = folded;
        }
        Ok(None)
    }
}

fn read_texts(value: ValueRef<'_>) -> Result<Block> {
    Block::unpack(value.as_blob().map_err(|_| Error::packed("dictionary"))?)
}

fn by_text(mut terms: Vec<Term>) -> Vec<Term> {
    terms.sort_by(|a, b| a.text.cmp(&b.text));
    terms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_texts_come_back() {
        for repeat in [1, 20] {
            let texts =
                [None, Some(("plain", true)), Some(("==", false)), None, Some(("größe", true)), Some(("", false))];
            let texts = texts.repeat(repeat);
            let block = Block::unpack(&Block::pack(&texts)).expect("it is whole");
            assert_eq!(block.iter().collect::<Vec<_>>(), texts);
            assert_eq!(block.entry(texts.len()), None);
        }
    }

    #[test]
    fn damaged_rows_are_errors() {
        for row in [&[][..], &[0], &[0, 9], &[0, 1, 9, b'a'], &[0, 1, 3, b'a', b'b'], &[0, 2, 3, 3, 0xc3, 0xa4]] {
            assert!(Block::unpack(row).is_err(), "{row:?}");
        }
    }

    #[test]
    fn case_is_folded_beyond_ascii() {
        assert_eq!(fold("ÄbC"), "äbc");
        assert_eq!(fold("plain_1"), "plain_1");
    }
}
