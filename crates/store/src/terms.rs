//! Searching the dictionary.

use rusqlite::Row;

use crate::{Result, Store, Term, TermId};

impl Store {
    /// The terms equal to `text`: those that differ only in (ASCII) case too, unless `case_sensitive`. The exact
    /// case comes first, then by text.
    pub fn terms_equal(&self, text: &str, case_sensitive: bool) -> Result<Vec<Term>> {
        let mut query = self
            .db
            .prepare_cached("SELECT id, text FROM term WHERE text = ?1 COLLATE NOCASE")?;
        let rows = query.query_map([text], read_term)?;
        let mut found: Vec<Term> = rows.collect::<rusqlite::Result<_>>()?;
        found.retain(|term| !case_sensitive || term.text == text);
        found.sort_by(|a, b| (a.text != text, &a.text).cmp(&(b.text != text, &b.text)));
        Ok(found)
    }

    /// The term with exactly this text.
    pub(crate) fn term(&self, text: &str) -> Result<Option<TermId>> {
        let mut query = self.db.prepare_cached(
            "SELECT id FROM term WHERE text = ?1 COLLATE NOCASE AND text = ?1 COLLATE BINARY",
        )?;
        let mut rows = query.query([text])?;
        Ok(rows.next()?.map(|row| row.get(0)).transpose()?.map(TermId))
    }

    /// The terms that start with `prefix`, by text.
    pub fn terms_starting(&self, prefix: &str, case_sensitive: bool) -> Result<Vec<Term>> {
        let mut query =
            self.db.prepare_cached("SELECT id, text FROM term WHERE text >= ?1 COLLATE NOCASE ORDER BY text COLLATE NOCASE")?;
        let mut rows = query.query([prefix])?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            let text = row.get_ref(1)?.as_str().unwrap_or_default();
            let head = text.as_bytes().get(..prefix.len()).unwrap_or_default();
            if !head.eq_ignore_ascii_case(prefix.as_bytes()) {
                break;
            }
            if !case_sensitive || head == prefix.as_bytes() {
                found.push(read_term(row)?);
            }
        }
        found.sort_by(|a, b| a.text.cmp(&b.text));
        Ok(found)
    }

    /// The terms that the test accepts, by text: for `contains` and regular expressions.
    pub fn terms_matching(&self, mut test: impl FnMut(&str) -> bool) -> Result<Vec<Term>> {
        let mut query = self.db.prepare_cached("SELECT id, text FROM term")?;
        let mut rows = query.query([])?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            if test(row.get_ref(1)?.as_str().unwrap_or_default()) {
                found.push(read_term(row)?);
            }
        }
        found.sort_by(|a, b| a.text.cmp(&b.text));
        Ok(found)
    }
}

fn read_term(row: &Row<'_>) -> rusqlite::Result<Term> {
    Ok(Term {
        id: TermId(row.get(0)?),
        text: row.get(1)?,
    })
}
