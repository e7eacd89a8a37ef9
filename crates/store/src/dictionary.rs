//! The dictionary: texts by number in the table `term`, numbers by text in `term_order`.
//!
//! A row of `term_order` lists the numbers of neighbouring texts in the order of their lower-case form; its key is a
//! lower bound. This takes an eighth of the space of an SQL index over the texts, and serves prefixes too. Texts
//! that differ only in case are always in one row.

use std::borrow::Cow;
use std::sync::Arc;

use rusqlite::{Connection, OptionalExtension, params};

use crate::wire::{In, put_varint};
use crate::{Error, Interner, Result, Store, Term, TermId};

/// Numbers in a new row; twice as many make it split.
const ROW: usize = 64;

/// The form by which texts are ordered and compared without case.
fn fold(text: &str) -> Cow<'_, str> {
    match text.bytes().all(|b| b.is_ascii() && !b.is_ascii_uppercase()) {
        true => Cow::Borrowed(text),
        false if text.is_ascii() => Cow::Owned(text.to_ascii_lowercase()),
        false => Cow::Owned(text.to_lowercase()),
    }
}

/// Writes all texts of a first build.
pub(crate) fn write(db: &Connection, interner: &Interner) -> Result<()> {
    let mut insert = db.prepare("INSERT INTO term VALUES (?1, ?2)")?;
    for (id, text) in interner.iter() {
        insert.execute(params![id.0, text])?;
    }
    let mut order: Vec<(u64, TermId, Cow<'_, str>, &str)> = interner
        .iter()
        .map(|(id, text)| {
            let folded = fold(text);
            (leading(&folded), id, folded, text)
        })
        .collect();
    order.sort_unstable_by(|a, b| (a.0, &a.2, a.3).cmp(&(b.0, &b.2, b.3)));
    let mut insert = db.prepare("INSERT INTO term_order VALUES (?1, ?2)")?;
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

/// A row of `term_order`.
struct OrderRow {
    first: Vec<u8>,
    ids: Vec<TermId>,
}

impl Store {
    /// The text of a dictionary number. Cached.
    pub fn text(&self, term: TermId) -> Result<Arc<str>> {
        if let Some(text) = self.texts.borrow().get(&term) {
            return Ok(text.clone());
        }
        let mut query = self.db.prepare_cached("SELECT text FROM term WHERE id = ?1")?;
        let text: Option<Arc<str>> = query.query_row([term.0], |row| row.get(0)).optional()?;
        let text = text.ok_or_else(|| Error::packed("names: a text is missing"))?;
        self.texts.borrow_mut().insert(term, text.clone());
        Ok(text)
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
            let other = self.text(*id)?;
            if fold(&other) != folded {
                break;
            }
            if !case_sensitive || &*other == text {
                found.push(Term { id: *id, text: other.to_string() });
            }
        }
        found.sort_by(|a, b| (a.text != text, &a.text).cmp(&(b.text != text, &b.text)));
        Ok(found)
    }

    /// The term with exactly this text.
    pub(crate) fn term(&self, text: &str) -> Result<Option<TermId>> {
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
    pub fn terms_matching(&self, mut test: impl FnMut(&str) -> bool) -> Result<Vec<Term>> {
        let mut query = self.db.prepare_cached("SELECT id, text FROM term")?;
        let mut rows = query.query([])?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            let text = row.get_ref(1)?.as_str().unwrap_or_default();
            if test(text) {
                found.push(Term { id: TermId(row.get(0)?), text: text.to_owned() });
            }
        }
        Ok(by_text(found))
    }

    /// The numbers of all texts.
    pub(crate) fn term_ids(&self) -> Result<Vec<TermId>> {
        let mut query = self.db.prepare_cached("SELECT id FROM term ORDER BY id")?;
        let ids = query.query_map([], |row| row.get(0).map(TermId))?;
        Ok(ids.collect::<rusqlite::Result<_>>()?)
    }

    /// Adds a text that is not there yet.
    pub(crate) fn add_term(&self, id: TermId, text: &str) -> Result<()> {
        self.db.prepare_cached("INSERT INTO term VALUES (?1, ?2)")?.execute(params![id.0, text])?;
        self.texts.borrow_mut().insert(id, text.into());
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
        self.texts.borrow_mut().remove(&id);
        self.db.prepare_cached("DELETE FROM term WHERE id = ?1")?.execute([id.0])?;
        Ok(())
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
            .prepare_cached("INSERT OR REPLACE INTO term_order VALUES (?1, ?2)")?
            .execute(params![first, pack(ids)])?;
        Ok(())
    }

    /// Where the texts begin that are not less than this one.
    fn lower_bound(&self, ids: &[TermId], folded: &str) -> Result<usize> {
        let (mut low, mut high) = (0, ids.len());
        while low < high {
            let middle = (low + high) / 2;
            match *fold(&*self.text(ids[middle])?) < *folded {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        Ok(low)
    }

    /// Where a row can be split: about the middle, not between texts that differ only in case.
    fn middle(&self, ids: &[TermId]) -> Result<Option<(usize, String)>> {
        let mut before = fold(&*self.text(ids[ids.len() / 2 - 1])?).into_owned();
        for (at, id) in ids.iter().enumerate().skip(ids.len() / 2) {
            let folded = fold(&*self.text(*id)?).into_owned();
            if folded != before {
                return Ok(Some((at, folded)));
            }
            before = folded;
        }
        Ok(None)
    }
}

fn by_text(mut terms: Vec<Term>) -> Vec<Term> {
    terms.sort_by(|a, b| a.text.cmp(&b.text));
    terms
}
