//! Where symbols are used: in their own repository by key, in others by the names under which they are offered.

use codegraph_model::{Certainty, How, RefKind};
use codegraph_query::{OfferedTo, SiteInfo};
use postgres::Row;
use postgres::types::ToSql;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{FoundSymbol, SYMBOL, SYMBOL_COLUMNS};
use crate::schema::SEEN;
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

/// How deep things lie in each other.
const DEEPEST: usize = 32;

/// A name under which a symbol is offered, and to whom.
struct Offered {
    path: String,
    repository: i32,
    key: String,
    ecosystem: String,
    package: String,
    named: bool,
    /// Which uses of the path mean the symbol.
    uses: String,
}

/// Which packages repositories need.
struct Needs(FxHashSet<(i32, String, String)>);

impl Needs {
    /// A path counts if the repository says that it needs the package, or names it by the package's own name.
    fn admit(&self, user: i32, kind: RefKind, offer: &Offered) -> bool {
        let needed =
            |(ecosystem, package): (&String, &String)| self.0.contains(&(user, ecosystem.clone(), package.clone()));
        let is_other = user != offer.repository && OfferedTo::admits(&offer.uses, kind);
        is_other && (offer.named || needed((&offer.ecosystem, &offer.package)))
    }
}

impl Org {
    /// Where symbols are used, by repository, path and position: in their own repository by key, in others by the names that
    /// they are offered under.
    ///
    /// What is looked for is always a list of constants: servers that hold parts are asked for them, and join there.
    pub(super) fn sites(&self, symbols: &[(i32, String)]) -> Result<Vec<Site>> {
        let (repositories, keys): (Vec<i32>, Vec<String>) = symbols.iter().cloned().unzip();
        let place_of: FxHashMap<&(i32, String), usize> = symbols.iter().zip(0..).collect();
        let own = "x.repository = ANY($1::integer[]) AND x.target = ANY($2::text[]::uuid[])";
        let mut sites: Vec<Site> = Vec::new();
        for row in self.uses(own, &[&repositories, &keys])? {
            let target: Option<String> = row.get(SYMBOL_COLUMNS + 9);
            let at = target.and_then(|key| place_of.get(&(row.get(0), key)).copied());
            sites.extend(at.map(|at| site(&row, at)));
        }
        let mut offers: FxHashMap<String, Vec<Offered>> = FxHashMap::default();
        let offered = "o.repository = ANY($1::integer[]) AND o.key = ANY($2::text[]::uuid[])";
        for offer in self.offers(offered, &[&repositories, &keys])? {
            offers.entry(offer.path.clone()).or_default().push(offer);
        }
        if !offers.is_empty() {
            let paths: Vec<&String> = offers.keys().collect();
            let rows = self.uses("x.outside = ANY($1::text[])", &[&paths])?;
            let needs = self.needs(rows.iter().map(|row| row.get(0)), offers.values().flatten())?;
            for row in &rows {
                let path: Option<String> = row.get(SYMBOL_COLUMNS + 10);
                let meant = path.and_then(|path| offers.get(&path)).into_iter().flatten();
                let kind = kind(row, SYMBOL_COLUMNS + 4);
                for offer in meant.filter(|offer| needs.admit(row.get(0), kind, offer)) {
                    let at = place_of.get(&(offer.repository, offer.key.clone()));
                    sites.extend(at.map(|at| site(row, *at)));
                }
            }
        }
        let place = |site: &Site| (site.of, site.user.brief.project.clone(), site.path.clone(), site.byte_start);
        sites.sort_by_cached_key(place);
        Ok(sites)
    }

    /// References with the smallest symbol around each.
    fn uses(&self, condition: &str, parameters: &[&(dyn ToSql + Sync)]) -> Result<Vec<Row>> {
        let sql = format!(
            "SELECT {SYMBOL}, {REFERENCE}, f.path, f.hash, x.target::text, x.outside
             FROM reference x JOIN file f ON f.repository = x.repository AND f.id = x.file
             JOIN symbol s ON s.repository = x.repository AND s.file = x.file AND s.key = x.caller
             JOIN repository r ON r.id = x.repository AND {SEEN} WHERE {condition}"
        );
        self.rows(&sql, parameters)
    }

    fn offers(&self, condition: &str, parameters: &[&(dyn ToSql + Sync)]) -> Result<Vec<Offered>> {
        let sql = format!(
            "SELECT o.path, o.repository, o.key::text, o.ecosystem, o.package, o.named, o.uses FROM offer o WHERE {condition}"
        );
        let one = |row: &Row| Offered {
            path: row.get(0),
            repository: row.get(1),
            key: row.get(2),
            ecosystem: row.get(3),
            package: row.get(4),
            named: row.get(5),
            uses: row.get(6),
        };
        Ok(self.rows(&sql, parameters)?.iter().map(one).collect())
    }

    /// What some repositories need of some packages.
    fn needs<'o>(
        &self,
        repositories: impl Iterator<Item = i32>,
        offers: impl Iterator<Item = &'o Offered>,
    ) -> Result<Needs> {
        let mut repositories: Vec<i32> = repositories.collect();
        repositories.sort_unstable();
        repositories.dedup();
        let mut packages: Vec<&str> = offers.map(|offer| offer.package.as_str()).collect();
        packages.sort_unstable();
        packages.dedup();
        let sql = "SELECT repository, ecosystem, package FROM need
            WHERE repository = ANY($1::integer[]) AND package = ANY($2::text[])";
        let rows = self.rows(sql, &[&repositories, &packages])?;
        Ok(Needs(rows.iter().map(|row| (row.get(0), row.get(1), row.get(2))).collect()))
    }

    /// A symbol and everything inside it, wherever that is written.
    fn inside(&self, symbol: &FoundSymbol) -> Result<Vec<String>> {
        let mut all = vec![symbol.key.clone()];
        let mut seen: FxHashSet<String> = all.iter().cloned().collect();
        let mut level = all.clone();
        for _ in 0..DEEPEST {
            let sql = "SELECT s.key::text FROM symbol s WHERE s.repository = $1 AND s.parent = ANY($2::text[]::uuid[])";
            let rows = self.rows(sql, &[&symbol.repository, &level])?;
            level = rows.iter().map(|row| row.get(0)).filter(|key: &String| seen.insert(key.clone())).collect();
            if level.is_empty() {
                break;
            }
            all.extend(level.iter().cloned());
        }
        Ok(all)
    }

    /// What a symbol and everything inside it uses, in source order.
    pub(super) fn uses_by(&self, symbol: &FoundSymbol) -> Result<Vec<Use>> {
        let sql = format!(
            "SELECT x.file, {REFERENCE}, f.path, coalesce(x.name, ''), x.target::text, x.outside
             FROM reference x JOIN file f ON f.repository = x.repository AND f.id = x.file
             JOIN repository r ON r.id = x.repository AND {SEEN}
             WHERE x.repository = $1 AND x.caller = ANY($2::text[]::uuid[])
                 AND (x.target IS NOT NULL OR x.outside IS NOT NULL)
             ORDER BY x.file, x.byte_start, x.kind"
        );
        let rows = self.rows(&sql, &[&symbol.repository, &self.inside(symbol)?])?;
        let mut uses: Vec<Mentioned> = rows.iter().map(Mentioned::of).collect();
        uses.dedup_by(|a, b| (a.file, a.byte_start, &a.used.kind) == (b.file, b.byte_start, &b.used.kind));
        let wanted = |of: fn(&Mentioned) -> &Option<String>| {
            let mut all: Vec<String> = uses.iter().filter_map(|one| of(one).clone()).collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        let (mut keys, paths) = (wanted(|one| &one.target), wanted(|one| &one.outside));
        let offers = self.offers("o.path = ANY($1::text[])", &[&paths])?;
        let needs = self.needs(std::iter::once(symbol.repository), offers.iter())?;
        let mut repositories: Vec<i32> = offers.iter().map(|offer| offer.repository).collect();
        repositories.push(symbol.repository);
        keys.extend(offers.iter().map(|offer| offer.key.clone()));
        let found = self.symbols(
            "s.repository = ANY($1::integer[]) AND s.key = ANY($2::text[]::uuid[])",
            "r.name, f.path, s.byte_start",
            &[&repositories, &keys],
        )?;
        let mut by_identity: FxHashMap<(i32, String), FoundSymbol> = FxHashMap::default();
        for one in found {
            by_identity.entry(one.identity()).or_insert(one);
        }
        let mut by_path: FxHashMap<&str, Vec<(&Offered, &FoundSymbol)>> = FxHashMap::default();
        for offer in &offers {
            let meant = by_identity.get(&(offer.repository, offer.key.clone()));
            by_path.entry(&offer.path).or_default().extend(meant.map(|meant| (offer, meant)));
        }
        for meant in by_path.values_mut() {
            meant.sort_by(|a, b| a.1.brief.project.cmp(&b.1.brief.project));
        }
        let target = |one: &Mentioned| match (&one.target, &one.outside) {
            (Some(key), _) => by_identity.get(&(symbol.repository, key.clone())).cloned(),
            (None, Some(path)) => {
                let admitted = |offer: &Offered| needs.admit(symbol.repository, one.used.kind, offer);
                let meant = by_path.get(path.as_str())?.iter().find(|(offer, _)| admitted(offer))?;
                Some(meant.1.clone())
            }
            (None, None) => None,
        };
        let one = |one: Mentioned| {
            let target = target(&one);
            Use { target, ..one.used }
        };
        Ok(uses.into_iter().map(one).collect())
    }
}

/// A use whose target is not looked up yet.
struct Mentioned {
    file: i64,
    byte_start: u32,
    target: Option<String>,
    outside: Option<String>,
    used: Use,
}

impl Mentioned {
    fn of(row: &Row) -> Mentioned {
        let outside: Option<String> = row.get(11);
        Mentioned {
            file: row.get(0),
            byte_start: row.get::<_, i32>(3).max(0) as u32,
            target: row.get(10),
            used: Use {
                name: outside.clone().unwrap_or_else(|| row.get(9)),
                target: None,
                line: row.get::<_, i32>(1).max(0) as u32,
                path: row.get(8),
                kind: kind(row, 5),
                certainty: certainty(row, 6),
            },
            outside,
        }
    }
}

fn certainty(row: &Row, at: usize) -> Certainty {
    row.get::<_, Option<String>>(at).and_then(|word| Certainty::from_word(&word)).unwrap_or(Certainty::Candidate)
}

fn kind(row: &Row, at: usize) -> RefKind {
    RefKind::from_word(&row.get::<_, String>(at)).unwrap_or(RefKind::Read)
}

fn site(row: &Row, of: usize) -> Site {
    let at = SYMBOL_COLUMNS;
    let number = |place: usize| row.get::<_, i32>(at + place).max(0) as u32;
    Site {
        user: FoundSymbol::of(row, 0),
        of,
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
