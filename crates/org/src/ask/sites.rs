//! Where symbols are used: in their own repository by key, in others by the names under which they are offered.

use codegraph_model::{Certainty, How, RefKind};
use codegraph_query::SiteInfo;
use postgres::Row;

use super::{FROM_SYMBOL, FoundSymbol, SYMBOL, SYMBOL_COLUMNS};
use crate::{Org, Result};

/// A use of a symbol.
pub(super) struct Site {
    /// The smallest symbol around it.
    pub(super) user: FoundSymbol,
    /// Which of the symbols that were asked for is used.
    pub(super) of: usize,
    pub(super) path: String,
    pub(super) hash: String,
    pub(super) line: u32,
    pub(super) col: u32,
    pub(super) byte_start: u32,
    pub(super) byte_end: u32,
    pub(super) kind: RefKind,
    pub(super) certainty: Certainty,
    pub(super) how: Option<How>,
}

/// A use of something by a symbol.
pub(super) struct Use {
    pub(super) name: String,
    /// The symbol, if any repository has it.
    pub(super) target: Option<FoundSymbol>,
    pub(super) line: u32,
    pub(super) path: String,
    pub(super) kind: RefKind,
    pub(super) certainty: Certainty,
}

/// The columns of a reference, of the alias `x`.
const REFERENCE: &str = "x.line, x.col, x.byte_start, x.byte_end, x.kind, x.certainty, x.how";

/// Uses within the repository, then uses elsewhere: those count if the repository says that it needs the package, or
/// imports it by the package's own name.
const USES: &str = "
    WITH asked AS (SELECT * FROM unnest($1::integer[], $2::text[]::uuid[]) WITH ORDINALITY AS a(repository, key, place)),
    hits AS (
        SELECT x.*, a.place FROM asked a JOIN reference x ON x.repository = a.repository AND x.target = a.key
        UNION ALL
        SELECT x.*, a.place FROM asked a
        JOIN offer o ON o.repository = a.repository AND o.key = a.key
        JOIN reference x ON x.outside = o.path AND x.repository <> a.repository
        WHERE o.named OR EXISTS (SELECT FROM need n WHERE n.repository = x.repository AND n.ecosystem = o.ecosystem
                                 AND n.package = o.package))";

impl Org {
    /// Where symbols are used, by repository, path and position.
    pub(super) fn sites(&self, symbols: &[(i32, String)]) -> Result<Vec<Site>> {
        let (repositories, keys): (Vec<i32>, Vec<String>) = symbols.iter().cloned().unzip();
        let sql = format!(
            "{USES} SELECT {SYMBOL}, {REFERENCE}, own.path, own.hash, x.place FROM hits x
             JOIN file own ON own.repository = x.repository AND own.id = x.file AND own.until IS NULL
             JOIN symbol s ON s.repository = x.repository AND s.file = x.file AND s.key = x.caller
             JOIN file f ON f.repository = s.repository AND f.id = s.file
             JOIN repository r ON r.id = s.repository
             ORDER BY x.place, r.name, own.path, x.byte_start"
        );
        let rows = self.rows(&sql, &[&repositories, &keys])?;
        Ok(rows.iter().map(site).collect())
    }

    /// What a symbol and everything inside it uses, in source order.
    pub(super) fn uses_by(&self, symbol: &FoundSymbol) -> Result<Vec<Use>> {
        let sql = format!(
            "WITH RECURSIVE inside AS (
                 SELECT $2::text::uuid AS key UNION
                 SELECT s.key FROM inside JOIN symbol s ON s.repository = $1 AND s.parent = inside.key),
             uses AS (
                 SELECT x.*, coalesce(x.name, '') AS word FROM inside
                 JOIN reference x ON x.repository = $1 AND x.caller = inside.key
                 WHERE x.target IS NOT NULL OR x.outside IS NOT NULL)
             SELECT DISTINCT ON (x.file, x.byte_start, x.kind) {SYMBOL}, {REFERENCE}, own.path, coalesce(x.outside, x.word)
             FROM uses x
             JOIN file own ON own.repository = x.repository AND own.id = x.file AND own.until IS NULL
             LEFT JOIN offer o ON o.path = x.outside AND o.repository <> x.repository AND (o.named OR EXISTS (
                 SELECT FROM need n WHERE n.repository = x.repository AND n.ecosystem = o.ecosystem AND n.package = o.package))
             LEFT JOIN ({FROM_SYMBOL}) ON s.repository = coalesce(o.repository, x.repository)
                 AND s.key = coalesce(o.key, x.target)
             ORDER BY x.file, x.byte_start, x.kind, r.name"
        );
        let rows = self.rows(&sql, &[&symbol.repository, &symbol.key])?;
        Ok(rows.iter().map(used).collect())
    }
}

fn certainty(row: &Row, at: usize) -> Certainty {
    row.get::<_, Option<String>>(at).and_then(|word| Certainty::from_word(&word)).unwrap_or(Certainty::Candidate)
}

fn kind(row: &Row, at: usize) -> RefKind {
    RefKind::from_word(&row.get::<_, String>(at)).unwrap_or(RefKind::Read)
}

fn site(row: &Row) -> Site {
    let at = SYMBOL_COLUMNS;
    let number = |place: usize| row.get::<_, i32>(at + place).max(0) as u32;
    Site {
        user: FoundSymbol::of(row, 0),
        of: (row.get::<_, i64>(at + 9) - 1).max(0) as usize,
        path: row.get(at + 7),
        hash: row.get(at + 8),
        line: number(0),
        col: number(1),
        byte_start: number(2),
        byte_end: number(3),
        kind: kind(row, at + 4),
        certainty: certainty(row, at + 5),
        how: row.get::<_, Option<String>>(at + 6).and_then(|word| How::from_word(&word)),
    }
}

fn used(row: &Row) -> Use {
    let at = SYMBOL_COLUMNS;
    Use {
        name: row.get(at + 8),
        target: row.get::<_, Option<i32>>(0).map(|_| FoundSymbol::of(row, 0)),
        line: row.get::<_, i32>(at).max(0) as u32,
        path: row.get(at + 7),
        kind: kind(row, at + 4),
        certainty: certainty(row, at + 5),
    }
}

impl Site {
    pub(super) fn info(&self, text: Option<String>) -> SiteInfo {
        SiteInfo {
            file: self.path.clone(),
            line_number: self.line,
            start_col: self.col,
            byte_start: self.byte_start,
            byte_end: self.byte_end,
            kind: self.kind,
            user: self.user.brief.clone(),
            certainty: self.certainty,
            how: self.how,
            text,
        }
    }
}
