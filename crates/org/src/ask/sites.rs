//! Where symbols are used: in their own repository by key, in others by the names under which they are offered.

use codegraph_model::{Certainty, How, RefKind};
use codegraph_query::SiteInfo;
use postgres::Row;
use postgres::types::ToSql;
use rustc_hash::{FxHashMap, FxHashSet};

use super::paths::{MOST_CALLS, Offered, stands_in};
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
        sites.extend(self.sites_elsewhere(&repositories, &keys, &place_of)?);
        let place = |site: &Site| (site.of, site.user.brief.project.clone(), site.path.clone(), site.byte_start);
        sites.sort_by_cached_key(place);
        Ok(sites)
    }

    /// Where other repositories use symbols.
    fn sites_elsewhere(
        &self,
        repositories: &[i32],
        keys: &[String],
        place_of: &FxHashMap<&(i32, String), usize>,
    ) -> Result<Vec<Site>> {
        let mut offers: FxHashMap<String, Vec<Offered>> = FxHashMap::default();
        for offer in self.paths(repositories, keys)? {
            offers.entry(offer.path.clone()).or_default().push(offer);
        }
        if offers.is_empty() {
            return Ok(Vec::new());
        }
        let paths: Vec<&String> = offers.keys().collect();
        let mut rows = self.uses("x.outside = ANY($1::text[])", &[&paths])?;
        let path = |row: &Row| row.get::<_, Option<String>>(SYMBOL_COLUMNS + 10).unwrap_or_default();
        let file = |row: &Row| (row.get::<_, i32>(0), row.get::<_, i64>(1));
        rows.retain(|row| offers[&path(row)].iter().any(|offer| offer.repository != row.get::<_, i32>(0)));
        // Others may offer the same paths, and mean the uses.
        let used: FxHashSet<String> = rows.iter().map(&path).collect();
        let bases = used.iter().flat_map(|path| &offers[path]).map(Offered::base);
        let others = self.offers_of(used.iter().map(String::as_str).chain(bases))?;
        let needs = self.needs(rows.iter().map(|row| row.get(0)), offers.values().chain(others.values()).flatten())?;
        let partly = |row: &&Row| offers[&path(row)].iter().any(|offer| offer.opened.is_some());
        let packages = offers.values().flatten().filter_map(|offer| offer.opened.as_deref());
        let opened = self.opened_in(rows.iter().filter(partly).map(file), packages)?;
        let mut sites = Vec::new();
        for row in &rows {
            let (repository, number) = file(row);
            let path = path(row);
            let (kind, arguments) = (kind(row, SYMBOL_COLUMNS + 4), row.get(SYMBOL_COLUMNS + 11));
            let name: String = row.get(6);
            let is_open = |offer: &&Offered| {
                offer.opened.as_ref().is_none_or(|whole| {
                    stands_in(&name, whole) || opened.contains(&(repository, number, whole.clone()))
                })
            };
            let own = offers[&path].iter().filter(is_open);
            let all = own.chain(others.get(&path).into_iter().flatten());
            let mut meant = needs.meant(repository, kind, arguments, all);
            let mut seen: FxHashSet<(i32, &str)> = FxHashSet::default();
            meant.retain(|offer| seen.insert((offer.repository, &offer.key)));
            for offer in &meant {
                if let Some(at) = place_of.get(&(offer.repository, offer.key.clone())) {
                    let mut site = site(row, *at);
                    if offer.is_one_of_several(&others, kind, arguments) {
                        site.certainty = Certainty::Candidate;
                    }
                    sites.push(site);
                }
            }
        }
        Ok(sites)
    }

    /// References with the smallest symbol around each.
    ///
    /// References are found by their own index, and then their files and symbols one by one: with many paths a server that is
    /// left to choose goes through all files instead. Other servers are asked for all three at once, because each row would be a
    /// question to them.
    fn uses(&self, condition: &str, parameters: &[&(dyn ToSql + Sync)]) -> Result<Vec<Row>> {
        let columns = format!("{SYMBOL}, {REFERENCE}, f.path, f.hash, x.target::text, x.outside, x.args");
        let sql = match self.is_spread()? {
            true => format!(
                "SELECT {columns} FROM reference x JOIN file f ON f.repository = x.repository AND f.id = x.file
                 JOIN symbol s ON s.repository = x.repository AND s.file = x.file AND s.key = x.caller
                 JOIN repository r ON r.id = x.repository AND {SEEN} WHERE {condition}"
            ),
            false => format!(
                "WITH x AS MATERIALIZED (SELECT x.* FROM reference x WHERE {condition})
                 SELECT {columns} FROM x
                 CROSS JOIN LATERAL (SELECT * FROM file f WHERE f.repository = x.repository AND f.id = x.file OFFSET 0) f
                 JOIN repository r ON r.id = x.repository AND {SEEN}
                 CROSS JOIN LATERAL (
                     SELECT * FROM symbol s
                     WHERE s.repository = x.repository AND s.file = x.file AND s.key = x.caller OFFSET 0) s"
            ),
        };
        self.rows(&sql, parameters)
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
            "SELECT x.file, {REFERENCE}, f.path, coalesce(x.name, ''), x.target::text, x.outside, x.args
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
        let offers = self.offers_in_view(symbol, &uses, &paths)?;
        let needs = self.needs(std::iter::once(symbol.repository), offers.values().flatten())?;
        let mut repositories: Vec<i32> = offers.values().flatten().map(|offer| offer.repository).collect();
        repositories.push(symbol.repository);
        keys.extend(offers.values().flatten().map(|offer| offer.key.clone()));
        let found = self.symbols(
            "s.repository = ANY($1::integer[]) AND s.key = ANY($2::text[]::uuid[])",
            "r.name, f.path, s.byte_start",
            &[&repositories, &keys],
        )?;
        let mut by_identity: FxHashMap<(i32, String), FoundSymbol> = FxHashMap::default();
        for one in found {
            by_identity.entry(one.identity()).or_insert(one);
        }
        let target = |one: &Mentioned| match (&one.target, &one.outside) {
            (Some(key), _) => by_identity.get(&(symbol.repository, key.clone())).cloned(),
            (None, Some(path)) => {
                let all = offers.get(path.as_str()).into_iter().flatten();
                let meant = needs.meant(symbol.repository, one.used.kind, one.arguments, all);
                let known = |offer: &&Offered| by_identity.get(&(offer.repository, offer.key.clone()));
                meant.iter().filter_map(known).min_by(|a, b| a.brief.project.cmp(&b.brief.project)).cloned()
            }
            (None, None) => None,
        };
        let one = |one: Mentioned| {
            let target = target(&one);
            Use { target, ..one.used }
        };
        Ok(uses.into_iter().map(one).collect())
    }

    /// What is offered under the paths that a symbol uses: as they are written, or in what its file opens and it stands in.
    fn offers_in_view(
        &self,
        symbol: &FoundSymbol,
        uses: &[Mentioned],
        paths: &[String],
    ) -> Result<FxHashMap<String, Vec<Offered>>> {
        let mut files: Vec<i64> = uses.iter().map(|one| one.file).collect();
        files.sort_unstable();
        files.dedup();
        let sql = "SELECT DISTINCT x.outside FROM reference x
            WHERE x.repository = $1 AND x.file = ANY($2::bigint[]) AND x.kind = $3 AND x.outside IS NOT NULL";
        let rows = self.rows(sql, &[&symbol.repository, &files, &RefKind::Import.word()])?;
        let mut opened: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
        opened.extend(symbol.brief.fqn.match_indices('.').map(|(place, _)| symbol.brief.fqn[..place].to_owned()));
        let mut found = self.offers_through(paths, MOST_CALLS)?;
        let missing: Vec<&String> = paths.iter().filter(|path| !found.contains_key(*path)).collect();
        let within: Vec<(&String, String)> = missing
            .iter()
            .flat_map(|path| opened.iter().map(move |whole| (*path, format!("{whole}.{path}"))))
            .collect();
        let full: Vec<String> = within.iter().map(|(_, full)| full.clone()).collect();
        let offers = self.offers_through(&full, MOST_CALLS)?;
        for (path, full) in within {
            let partly = offers.get(&full).into_iter().flatten().filter(|offer| offer.may_be_opened());
            found.entry(path.clone()).or_default().extend(partly.cloned());
        }
        Ok(found)
    }
}

/// A use whose target is not looked up yet.
struct Mentioned {
    file: i64,
    byte_start: u32,
    target: Option<String>,
    outside: Option<String>,
    arguments: Option<i16>,
    used: Use,
}

impl Mentioned {
    fn of(row: &Row) -> Mentioned {
        let outside: Option<String> = row.get(11);
        Mentioned {
            file: row.get(0),
            byte_start: row.get::<_, i32>(3).max(0) as u32,
            target: row.get(10),
            arguments: row.get(12),
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
