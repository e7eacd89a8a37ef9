//! Under which paths other repositories know a symbol: those that it is offered under, those that begin at a function which gives a
//! value of its type, and those that only say its name where its package is opened as a whole.

use codegraph_model::RefKind;
use codegraph_query::OfferedTo;
use postgres::Row;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::schema::SEEN;
use crate::{Org, Result};

/// Of so many paths of one question the shortest count.
const MOST_PATHS: usize = 600;
/// So many functions in a row may give the value whose member is meant.
pub(super) const MOST_CALLS: usize = 2;
/// Registries whose packages are opened as a whole in a file, which then writes the names in them as they are.
const OPENED: &[&str] = &["nuget", "maven"];

/// A path under which a symbol is offered, and to whom.
#[derive(Clone, Debug)]
pub(super) struct Offered {
    pub(super) path: String,
    pub(super) repository: i32,
    pub(super) key: String,
    ecosystem: String,
    package: String,
    named: bool,
    /// Which uses of the path mean the symbol.
    uses: String,
    /// How many arguments a call has, at least and at most.
    arguments: Option<(i16, i16)>,
    /// The path that the repository offers it under, if another one leads there.
    base: Option<String>,
    /// The package or type that has to be opened in the file for it.
    pub(super) opened: Option<String>,
}

impl Offered {
    /// The path that the repository offers it under.
    pub(super) fn base(&self) -> &str {
        self.base.as_deref().unwrap_or(&self.path)
    }

    /// Whether a use may mean it, by what is used and how.
    fn fits(&self, kind: RefKind, arguments: Option<i16>) -> bool {
        let counts = match (self.arguments, arguments) {
            (Some((least, most)), Some(given)) => (least..=most).contains(&given),
            _ => true,
        };
        counts && OfferedTo::admits(&self.uses, kind)
    }

    /// Whether others of the same repository and path fit a use as well.
    pub(super) fn is_one_of_several(
        &self,
        others: &FxHashMap<String, Vec<Offered>>,
        kind: RefKind,
        arguments: Option<i16>,
    ) -> bool {
        let all = others.get(self.base()).into_iter().flatten();
        let mut fitting = all.filter(|other| other.repository == self.repository && other.fits(kind, arguments));
        fitting.any(|other| other.key != self.key && other.arguments.is_some())
    }

    /// Whether files may open the package as a whole.
    pub(super) fn may_be_opened(&self) -> bool {
        OPENED.contains(&self.ecosystem.as_str())
    }
}

/// Which packages repositories need.
pub(super) struct Needs(FxHashSet<(i32, String, String)>);

impl Needs {
    fn needed(&self, user: i32, offer: &Offered) -> bool {
        self.0.contains(&(user, offer.ecosystem.clone(), offer.package.clone()))
    }

    /// A path counts if the repository says that it needs the package, or names it by the package's own name.
    fn admit(&self, user: i32, kind: RefKind, arguments: Option<i16>, offer: &Offered) -> bool {
        user != offer.repository && offer.fits(kind, arguments) && (offer.named || self.needed(user, offer))
    }

    /// Those of several offers of one path that a use means: if the repository needs some of the packages, no other.
    pub(super) fn meant<'o>(
        &self,
        user: i32,
        kind: RefKind,
        arguments: Option<i16>,
        offers: impl Iterator<Item = &'o Offered>,
    ) -> Vec<&'o Offered> {
        let mut meant: Vec<&Offered> = offers.filter(|offer| self.admit(user, kind, arguments, offer)).collect();
        if meant.iter().any(|offer| self.needed(user, offer)) {
            meant.retain(|offer| self.needed(user, offer));
        }
        meant
    }
}

const COLUMNS: &str = "o.path, o.repository, o.key::text, o.ecosystem, o.package, o.named, o.uses, o.least, o.most";

fn offered(row: &Row) -> Offered {
    let bound = |place: usize| row.get::<_, Option<i16>>(place);
    Offered {
        path: row.get(0),
        repository: row.get(1),
        key: row.get(2),
        ecosystem: row.get(3),
        package: row.get(4),
        named: row.get(5),
        uses: row.get(6),
        arguments: bound(7).zip(bound(8)),
        base: None,
        opened: None,
    }
}

/// A member with the end of its path.
struct Member<'o> {
    member: &'o Offered,
    joint: &'o str,
    name: &'o str,
}

/// A path as what is before its last name, with what joins them, and that name.
fn split(path: &str) -> Option<(&str, &str, &str)> {
    let name = path.rfind(['.', ':', '/', '\\', '#'])? + 1;
    let before = path[..name].trim_end_matches(['.', ':', '\\', '#']);
    (!before.is_empty() && name < path.len()).then(|| (before, &path[before.len()..name], &path[name..]))
}

/// What is opened and what is written then, for each way to part a path in two.
fn opened(path: &str) -> impl Iterator<Item = (&str, &str)> {
    path.match_indices('.').map(|(place, _)| (&path[..place], &path[place + 1..]))
}

impl Org {
    /// The paths of some symbols.
    pub(super) fn paths(&self, repositories: &[i32], keys: &[String]) -> Result<Vec<Offered>> {
        let offered = "o.repository = ANY($1::integer[]) AND o.key = ANY($2::text[]::uuid[])";
        let sql = format!("SELECT {COLUMNS} FROM offer o WHERE {offered}");
        let mut all: Vec<Offered> = self.rows(&sql, &[&repositories, &keys])?.iter().map(self::offered).collect();
        let given = self.through_calls(&all, MOST_CALLS)?;
        all.extend(given);
        all.sort_by(|a, b| (a.path.len(), &a.path).cmp(&(b.path.len(), &b.path)));
        all.truncate(MOST_PATHS);
        let mut parts = Vec::new();
        for offer in all.iter().filter(|offer| offer.may_be_opened()) {
            parts.extend(opened(&offer.path).map(|(whole, rest)| Offered {
                path: rest.to_owned(),
                opened: Some(whole.to_owned()),
                base: Some(offer.base.clone().unwrap_or_else(|| offer.path.clone())),
                ..offer.clone()
            }));
        }
        all.extend(parts);
        Ok(all)
    }

    /// The same members, of what functions give: `open().read` for `File.read`.
    fn through_calls(&self, members: &[Offered], depth: usize) -> Result<Vec<Offered>> {
        let mut of_types: FxHashMap<(i32, String), Vec<Member<'_>>> = FxHashMap::default();
        for member in members {
            if let Some((before, joint, name)) = split(&member.path) {
                of_types.entry((member.repository, before.to_owned())).or_default().push(Member {
                    member,
                    joint,
                    name,
                });
            }
        }
        if depth == 0 || of_types.is_empty() {
            return Ok(Vec::new());
        }
        let (repositories, types): (Vec<i32>, Vec<&String>) = of_types.keys().map(|(of, path)| (*of, path)).unzip();
        let sql = "SELECT t.repository, t.path, t.key::text FROM offer t
            WHERE t.repository = ANY($1::integer[]) AND t.path = ANY($2::text[])";
        // A type that is offered under many paths has its members once.
        let mut members_of: FxHashMap<(i32, String), Vec<&Member<'_>>> = FxHashMap::default();
        for row in self.rows(sql, &[&repositories, &types])? {
            let (repository, path, key): (i32, String, String) = (row.get(0), row.get(1), row.get(2));
            let known = members_of.entry((repository, key)).or_default();
            for one in of_types.get(&(repository, path)).into_iter().flatten() {
                if known.iter().all(|other| (&other.member.key, other.name) != (&one.member.key, one.name)) {
                    known.push(one);
                }
            }
        }
        let (repositories, keys): (Vec<i32>, Vec<&String>) = members_of.keys().map(|(of, key)| (*of, key)).unzip();
        let sql = format!(
            "SELECT {COLUMNS}, o.gives::text FROM offer o
             WHERE o.repository = ANY($1::integer[]) AND o.gives = ANY($2::text[]::uuid[])
             ORDER BY length(o.path), o.path LIMIT {MOST_PATHS}"
        );
        let rows = self.rows(&sql, &[&repositories, &keys])?;
        let giving: Vec<(Offered, String)> = rows.iter().map(|row| (offered(row), row.get(9))).collect();
        let mut found = Vec::new();
        // What gives the value may itself be a member of what another function gives.
        let functions: Vec<Offered> = giving.iter().map(|(function, _)| function.clone()).collect();
        let further = self.through_calls(&functions, depth - 1)?;
        let mut longer: FxHashMap<&str, Vec<&Offered>> = FxHashMap::default();
        for function in &further {
            longer.entry(&function.key).or_default().push(function);
        }
        for (function, of) in &giving {
            let again = longer.get(function.key.as_str()).into_iter().flatten().copied();
            for function in std::iter::once(function).chain(again) {
                for Member { member, joint, name } in
                    members_of.get(&(function.repository, of.clone())).into_iter().flatten()
                {
                    let path = format!("{}{joint}{name}", function.path);
                    let (named, package) = (function.named, function.package.clone());
                    let base = Some(member.base.clone().unwrap_or_else(|| member.path.clone()));
                    found.push(Offered { path, named, package, base, ..(*member).clone() });
                }
            }
        }
        found.truncate(MOST_PATHS);
        Ok(found)
    }

    /// All that is offered under some paths, by path; without what only follows from calls.
    pub(super) fn offers_of<'p>(
        &self,
        paths: impl Iterator<Item = &'p str>,
    ) -> Result<FxHashMap<String, Vec<Offered>>> {
        let mut paths: Vec<&str> = paths.collect();
        paths.sort_unstable();
        paths.dedup();
        let rows = self.rows(&format!("SELECT {COLUMNS} FROM offer o WHERE o.path = ANY($1::text[])"), &[&paths])?;
        let mut found: FxHashMap<String, Vec<Offered>> = FxHashMap::default();
        for row in &rows {
            let offer = offered(row);
            found.entry(offer.path.clone()).or_default().push(offer);
        }
        Ok(found)
    }

    /// What is offered under some paths, by path, also of members of what functions give.
    pub(super) fn offers_through(&self, paths: &[String], depth: usize) -> Result<FxHashMap<String, Vec<Offered>>> {
        let mut found = self.offers_of(paths.iter().map(String::as_str))?;
        let missing: Vec<&String> = paths.iter().filter(|path| !found.contains_key(*path)).collect();
        let before: Vec<String> = missing.iter().filter_map(|path| Some(split(path)?.0.to_owned())).collect();
        if depth == 0 || before.is_empty() {
            return Ok(found);
        }
        let functions = self.offers_through(&before, depth - 1)?;
        let (repositories, keys): (Vec<i32>, Vec<&String>) =
            functions.values().flatten().map(|function| (function.repository, &function.key)).unzip();
        let sql = "SELECT o.repository, o.key::text, t.path FROM offer o JOIN offer t ON t.repository = o.repository AND t.key = o.gives
            WHERE o.repository = ANY($1::integer[]) AND o.key = ANY($2::text[]::uuid[]) GROUP BY 1, 2, 3";
        let mut types: FxHashMap<(i32, String), Vec<String>> = FxHashMap::default();
        for row in self.rows(sql, &[&repositories, &keys])? {
            types.entry((row.get(0), row.get(1))).or_default().push(row.get(2));
        }
        let mut wanted: Vec<(&String, &Offered, String)> = Vec::new();
        for path in missing {
            let Some((before, joint, name)) = split(path) else { continue };
            for function in functions.get(before).into_iter().flatten() {
                let of = types.get(&(function.repository, function.key.clone())).into_iter().flatten();
                wanted.extend(of.map(|of| (path, function, format!("{of}{joint}{name}"))));
            }
        }
        let members = self.offers_of(wanted.iter().map(|(.., member)| member.as_str()))?;
        for (path, function, member) in &wanted {
            let own = members.get(member).into_iter().flatten().filter(|one| one.repository == function.repository);
            let known = found.entry((*path).clone()).or_default();
            for member in own {
                if known.iter().all(|one| (one.repository, &one.key) != (member.repository, &member.key)) {
                    let (named, package) = (function.named, function.package.clone());
                    known.push(Offered { path: (*path).clone(), named, package, ..member.clone() });
                }
            }
        }
        Ok(found)
    }

    /// What some repositories need of some packages.
    pub(super) fn needs<'o>(
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

    /// The packages that files open as a whole, as far as they are among some.
    pub(super) fn opened_in<'p>(
        &self,
        files: impl Iterator<Item = (i32, i64)>,
        packages: impl Iterator<Item = &'p str>,
    ) -> Result<FxHashSet<(i32, i64, String)>> {
        let mut files: Vec<(i32, i64)> = files.collect();
        files.sort_unstable();
        files.dedup();
        let mut packages: Vec<&str> = packages.collect();
        packages.sort_unstable();
        packages.dedup();
        if files.is_empty() || packages.is_empty() {
            return Ok(FxHashSet::default());
        }
        let (repositories, numbers): (Vec<i32>, Vec<i64>) = files.into_iter().unzip();
        let sql = format!(
            "SELECT DISTINCT x.repository, x.file, x.outside FROM reference x
             JOIN file f ON f.repository = x.repository AND f.id = x.file
             JOIN repository r ON r.id = x.repository AND {SEEN}
             WHERE x.repository = ANY($1::integer[]) AND x.file = ANY($2::bigint[]) AND x.kind = $4 AND x.outside = ANY($3::text[])"
        );
        let kind = RefKind::Import.word();
        let rows = self.rows(&sql, &[&repositories, &numbers, &packages, &kind])?;
        Ok(rows.iter().map(|row| (row.get(0), row.get(1), row.get(2))).collect())
    }
}

/// Whether a symbol stands in a package or a part of it: it sees the names of the package.
pub(super) fn stands_in(name: &str, package: &str) -> bool {
    name.strip_prefix(package).is_some_and(|rest| rest.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_parted_before_its_last_name() {
        assert_eq!(split("mesh.core.Canvas"), Some(("mesh.core", ".", "Canvas")));
        assert_eq!(split("mesh::Canvas::draw"), Some(("mesh::Canvas", "::", "draw")));
        assert_eq!(split("example.org/mesh.Render"), Some(("example.org/mesh", ".", "Render")));
        assert_eq!(split("mesh"), None);
        let parts: Vec<_> = opened("Mesh.Draw.Render").collect();
        assert_eq!(parts, [("Mesh", "Draw.Render"), ("Mesh.Draw", "Render")]);
    }
}
