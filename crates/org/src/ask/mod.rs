//! The questions, answered from the store with the answers of `codegraph-query`. Which repository and commit a row is from
//! stands where a linked project's name stands.

mod calls;
mod context;
mod deps;
mod find;
mod hierarchy;
mod impact;
mod lines;
mod paths;
mod query;
mod refs;
mod select;
mod sites;
mod sql;

use codegraph_model::{SymbolKind, Visibility};
use codegraph_query::{Place, SymbolBrief, SymbolInfo, Window};
use postgres::Row;
use postgres::types::ToSql;

use crate::schema::SEEN;
use crate::{Org, Result};

/// The columns that every symbol is read with, of the aliases `s`, `f` and `r`.
const SYMBOL: &str = "s.repository, s.file, s.key::text, s.symbol_id::text, s.name, s.kind, s.fqn, s.canonical_fqn, s.scoped, s.byte_start,
    s.byte_end, s.start_line, s.start_col, s.end_line, s.end_col, s.line, s.visibility, s.flags, s.signature, f.path, f.language,
    r.name, r.commit";
/// How many columns these are.
const SYMBOL_COLUMNS: usize = 23;

/// Symbols of the current states. What lies in parts comes first: it is joined where the parts are.
fn from_symbol() -> String {
    format!(
        "symbol s JOIN file f ON f.repository = s.repository AND f.id = s.file
         JOIN repository r ON r.id = s.repository AND {SEEN}"
    )
}

/// A symbol of the store.
#[derive(Clone, Debug)]
struct FoundSymbol {
    repository: i32,
    file: i64,
    key: String,
    canonical_fqn: String,
    span: Place,
    visibility: Option<Visibility>,
    flags: String,
    signature: Option<String>,
    language: String,
    brief: SymbolBrief,
}

/// A commit in few signs.
const SHORT_COMMIT: usize = 12;

/// Repository and commit in front of a path.
fn label(repository: &str, commit: &str) -> String {
    let short: String = commit.chars().take(SHORT_COMMIT).collect();
    format!("{repository}@{short}")
}

impl FoundSymbol {
    /// From a row whose columns from `at` on are those of [`SYMBOL`].
    fn of(row: &Row, at: usize) -> FoundSymbol {
        let number = |place: usize| row.get::<_, i32>(at + place).max(0) as u32;
        let text = |place: usize| row.get::<_, String>(at + place);
        let span = Place {
            byte_start: number(9),
            byte_end: number(10),
            start_line: number(11),
            start_col: number(12),
            end_line: number(13),
            end_col: number(14),
            even: false,
        };
        let kind = text(5);
        let kind = SymbolKind::ALL.iter().copied().find(|own| own.display() == kind).unwrap_or(SymbolKind::Variable);
        let visibility: Option<String> = row.get(at + 16);
        let brief = SymbolBrief {
            symbol_id: text(3).replace('-', ""),
            fqn: text(6),
            scoped: text(8),
            name: text(4),
            kind,
            project: Some(label(&text(21), &text(22))),
            file: text(19),
            line_number: number(15),
            end_line: span.end_line,
        };
        FoundSymbol {
            repository: row.get(at),
            file: row.get(at + 1),
            key: text(2),
            canonical_fqn: text(7),
            span,
            visibility: visibility.and_then(|word| Visibility::from_word(&word)),
            flags: text(17),
            signature: row.get(at + 18),
            language: text(20),
            brief,
        }
    }

    fn info(&self) -> SymbolInfo {
        let brief = &self.brief;
        let hash = blake3::hash(format!("{}\0{}\0{}", brief.name, brief.file, self.span.byte_start).as_bytes());
        SymbolInfo {
            origin: None,
            symbol_id: brief.symbol_id.clone(),
            symbol_key: self.key.replace('-', ""),
            span_id: codegraph_store::span_id(&brief.file, self.span.byte_start, self.span.byte_end),
            match_id: hash.to_hex()[..16].to_owned(),
            name: brief.name.clone(),
            fqn: brief.fqn.clone(),
            canonical_fqn: self.canonical_fqn.clone(),
            display_fqn: brief.fqn.clone(),
            kind: brief.kind,
            kind_normalized: brief.kind,
            language: self.language.clone(),
            project: brief.project.clone(),
            file: brief.file.clone(),
            line_number: brief.line_number,
            span: self.span,
            signature: self.signature.clone(),
            visibility: self.visibility,
            flags: codegraph_model::Flags::known(&self.flags),
            parent: None,
        }
    }

    /// Repository and key: the same path and name may be in several repositories.
    fn identity(&self) -> (i32, String) {
        (self.repository, self.key.clone())
    }
}

impl Org {
    fn rows(&self, sql: &str, parameters: &[&(dyn ToSql + Sync)]) -> Result<Vec<Row>> {
        Ok(self.client.borrow_mut().query(sql, parameters)?)
    }

    fn symbols(&self, condition: &str, order: &str, parameters: &[&(dyn ToSql + Sync)]) -> Result<Vec<FoundSymbol>> {
        let sql = format!("SELECT {SYMBOL} FROM {} WHERE {condition} ORDER BY {order}", from_symbol());
        Ok(self.rows(&sql, parameters)?.iter().map(|row| FoundSymbol::of(row, 0)).collect())
    }
}

/// The wanted part of a list, and where to go on.
fn part<T>(mut all: Vec<T>, window: Window) -> (Vec<T>, Option<usize>) {
    let total = all.len();
    let end = window.offset.saturating_add(window.limit).min(total);
    let shown = all.drain(window.offset.min(end)..end).collect();
    (shown, (end < total).then_some(end))
}

/// A pattern that matches a text itself anywhere.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_")
}
