//! Sites that have the name of a symbol although nothing binds them. What is known to be something else is counted apart;
//! of the rest it is said what they are asked of, so that a reader sees at a glance whether any is worth a look.

use std::collections::BTreeMap;

use codegraph_languages::Language;
use codegraph_languages::linking::Arity;
use codegraph_live::{Live, on_deep_stack};
use codegraph_model::{Certainty, FileId, Flags, How, RefId, RefKind, Reference, Symbol, SymbolId, TermId};
use codegraph_resolve::{Chance, Linker, Sym};
use codegraph_store::SymbolRow;
use rustc_hash::FxHashSet;
use serde::Serialize;

use crate::graph::{Graph, Site};
use crate::paths::FileFilter;
use crate::relation::{Describer, SiteInfo};
use crate::sight::{Sight, is_island};
use crate::unseen::{Unseen, unread, unseen};
use crate::{Result, Window, vocabulary};

/// Sites that name a symbol although nothing proves that they mean it.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Unbound {
    /// How many may mean it.
    pub total: u64,
    /// How many have the name but are known to be something else.
    pub elsewhere: u64,
    /// Who may use the symbol without any place that names it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unseen: Option<Unseen>,
    /// What those that may mean it are asked of, the most frequent first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub receivers: Vec<Receiver>,
    /// Shown when asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<SiteInfo>,
    /// Where to go on with them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
}

/// What stands before a name, and how often; empty for nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Receiver {
    pub receiver: String,
    pub sites: u64,
    /// Where, if they are few beside many others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<SitePlace>,
}

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SitePlace {
    pub file: String,
    pub line_number: u32,
}

/// Which candidates are wanted.
#[derive(Clone, Copy)]
pub(crate) struct Wished<'q> {
    pub(crate) files: &'q FileFilter,
    pub(crate) kind: &'q dyn Fn(RefKind) -> bool,
    /// This part of them is listed.
    pub(crate) listed: Option<Window>,
    /// All are listed if they are few: a reader who is told of two lines asks for them next.
    pub(crate) few: bool,
}

impl Wished<'_> {
    /// How many there are.
    pub(crate) const COUNT: Wished<'static> =
        Wished { files: &FileFilter::All, kind: &|_| true, listed: None, few: false };
}

/// So many candidates are shown without being asked for.
const FEW: usize = 8;

/// Beyond so many files with a name nobody looks at each site: those left are counted as if nothing were known.
const MOST_FILES: usize = 4_000;

/// As many sites in all are named with their places, those of the receivers that have the fewest first: a reader who knows what
/// the frequent receivers are needs the others only.
pub(crate) const MOST_PLACES: usize = 16;

impl Describer<'_, '_> {
    /// The sites that only name one of several symbols.
    pub(crate) fn unbound(&mut self, rows: &[SymbolRow], wished: &Wished<'_>) -> Result<Unbound> {
        let (left, elsewhere) = self.left(rows, wished)?;
        let unseen = match unseen(self.graph(), rows)? {
            None => unread(self.graph(), rows)?,
            known => known,
        };
        Ok(Unbound { unseen, ..self.told(&left, elsewhere, wished)? })
    }

    /// What an answer says of sites: how many, what they are asked of, and where they are as far as that is wanted.
    fn told(&mut self, left: &[Site], elsewhere: u64, wished: &Wished<'_>) -> Result<Unbound> {
        let mut found = Unbound { total: left.len() as u64, elsewhere, ..Unbound::default() };
        found.receivers = self.receivers(left, wished.few && left.len() > FEW)?;
        let all = Some(Window::ALL).filter(|_| wished.few && left.len() <= FEW);
        if let Some(window) = wished.listed.or(all) {
            for site in window.of(left) {
                found.candidates.push(self.site(site)?);
            }
            found.next_offset = window.next(left.len());
        }
        Ok(found)
    }

    /// The sites that may mean one of several symbols although they only name it, by path and position, and how many
    /// cannot.
    fn left(&mut self, rows: &[SymbolRow], wished: &Wished<'_>) -> Result<(Vec<Site>, u64)> {
        let store = &self.graph().reader.store;
        let live = Live::new(store);
        let mut files: BTreeMap<(String, FileId), Vec<usize>> = BTreeMap::new();
        let mut wanted = Vec::new();
        for row in rows {
            let view = self.view(*row)?;
            let Some(name) = view.symbol(row.symbol).name.get() else { continue };
            let name = view.stored.term(name);
            for file in self.files_with(*row, name, wished.files)? {
                files.entry(file).or_default().push(wanted.len());
            }
            wanted.push((*row, name, view));
        }
        let found = on_deep_stack(|| {
            let mut linker = Linker::new(&live);
            let mut asked = Vec::with_capacity(wanted.len());
            for (row, name, view) in wanted {
                let of = linker.about(Sym { file: row.file.0, symbol: row.symbol });
                let language = vocabulary::language(&view.record.language)?;
                let symbol = view.symbol(row.symbol).clone();
                asked.push((name, of, Fitting::new(row, language, symbol)));
            }
            let (mut left, mut named) = (Vec::new(), vec![0; asked.len()]);
            for (place, ((_, file), askers)) in files.iter().enumerate() {
                let mut taken: FxHashSet<RefId> = FxHashSet::default();
                for asker in askers {
                    let (name, of, fitting) = &mut asked[*asker];
                    let (ids, sites) = self::named(self.graph(), *file, *name, wished.kind)?;
                    named[*asker] += ids.len() as u64;
                    for (id, site) in ids.into_iter().zip(sites) {
                        if taken.contains(&id) {
                            continue;
                        }
                        let chance = if place < MOST_FILES { linker.chance(file.0, id, of) } else { Chance::Open };
                        if fitting.may_be(self, chance, &site)? {
                            taken.insert(id);
                            left.push(site);
                        }
                    }
                }
                let from = left.len() - taken.len();
                left[from..].sort_by_key(|site: &Site| site.reference.span);
            }
            Ok::<_, crate::Error>((left, named))
        });
        live.check()?;
        let (left, named) = found?;
        let elsewhere = named.into_iter().max().unwrap_or_default().saturating_sub(left.len() as u64);
        Ok((left, elsewhere))
    }

    /// The files in which a name of a symbol is not bound, by path.
    fn files_with(&self, row: SymbolRow, name: TermId, wanted: &FileFilter) -> Result<Vec<(String, FileId)>> {
        let reader = self.graph().reader;
        let language = vocabulary::language(&reader.record(row.file)?.language)?;
        let mut files = Vec::new();
        for (file, _) in reader.store.unbound(name)? {
            let record = reader.record(file)?;
            if vocabulary::language(&record.language)?.is_related(language) && wanted.accepts(&record.path) {
                files.push((record.path.clone(), file));
            }
        }
        files.sort_unstable();
        Ok(files)
    }

    /// All sites that have the name of a symbol and are not bound, whatever is known about them.
    pub(crate) fn all_unbound(&mut self, row: SymbolRow) -> Result<Vec<SiteInfo>> {
        let view = self.view(row)?;
        let Some(name) = view.symbol(row.symbol).name.get() else { return Ok(Vec::new()) };
        let name = view.stored.term(name);
        let mut found = Vec::new();
        for (_, file) in self.files_with(row, name, &FileFilter::All)? {
            for site in named(self.graph(), file, name, &|_| true)?.1 {
                found.push(self.site(&site)?);
            }
        }
        Ok(found)
    }

    /// Whether a call has as many arguments as a function takes.
    fn fits(&mut self, language: &Language, symbol: &Symbol, site: &Site) -> Result<bool> {
        let counts = site.reference.kind == RefKind::Call && symbol.kind.is_callable() && symbol.decorators.is_empty();
        let arity = language.linking.arity;
        if !counts || arity == Arity::Free || takes(symbol, site.reference.args, arity) {
            return Ok(true);
        }
        // Nobody knows how many arguments a list is that is handed over as such, and a type passes the receiver on.
        let Some((before, after)) = self.around(site)? else { return Ok(true) };
        let call = balanced(&after);
        let is_spread = call.is_none_or(|text| text.contains(['*', '&']) || text.contains("..."));
        let of_type = receiver(&before).starts_with(char::is_uppercase);
        Ok(is_spread || of_type && takes(symbol, site.reference.args.saturating_sub(1), arity))
    }

    /// The line of a site.
    pub(crate) fn place(&mut self, site: &Site) -> Result<SitePlace> {
        let view = self.view(site.user)?;
        let line_number = view.facts().line_of(site.reference.span.start);
        Ok(SitePlace { file: view.record.path.clone(), line_number })
    }

    /// What sites are asked of, the most frequent first; with the places of those that are few.
    fn receivers(&mut self, sites: &[Site], places: bool) -> Result<Vec<Receiver>> {
        let mut groups: BTreeMap<String, Vec<&Site>> = BTreeMap::new();
        for site in sites {
            let before = self.around(site)?.map(|(before, _)| before).unwrap_or_default();
            groups.entry(receiver(&before)).or_default().push(site);
        }
        let mut groups: Vec<(String, Vec<&Site>)> = groups.into_iter().collect();
        groups.sort_by_key(|(_, sites)| std::cmp::Reverse(sites.len()));
        let mut all: Vec<Receiver> = Vec::with_capacity(groups.len());
        let mut room = if places { MOST_PLACES } else { 0 };
        for (receiver, sites) in groups.into_iter().rev() {
            let mut one = Receiver { receiver, sites: sites.len() as u64, places: Vec::new() };
            if sites.len() <= room {
                room -= sites.len();
                for site in sites {
                    one.places.push(self.place(site)?);
                }
            } else {
                room = 0;
            }
            all.push(one);
        }
        all.reverse();
        Ok(all)
    }
}

/// What a site has to fit, found out when it is needed.
struct Fitting {
    row: SymbolRow,
    language: &'static Language,
    symbol: Symbol,
    held: OnceHeld,
    sight: Option<Sight>,
    apart: Apart,
}

impl Fitting {
    fn new(row: SymbolRow, language: &'static Language, symbol: Symbol) -> Fitting {
        let apart = Apart { own: row.file, known: BTreeMap::new() };
        Fitting { row, language, symbol, held: OnceHeld::default(), sight: None, apart }
    }

    /// Whether a site of the name may mean the symbol.
    fn may_be(&mut self, describer: &mut Describer<'_, '_>, chance: Chance, site: &Site) -> Result<bool> {
        let may = match chance {
            Chance::Elsewhere => false,
            Chance::Held => self.held.get(describer.graph(), self.row.file)?,
            Chance::Open => true,
        };
        if !may || !describer.fits(self.language, &self.symbol, site)? {
            return Ok(false);
        }
        let graph = describer.graph();
        let sight = match &mut self.sight {
            Some(sight) => sight,
            none => none.insert(Sight::of(graph, self.language, self.row)?),
        };
        Ok(sight.has(site.user.file) && !self.apart.is_apart(graph, self.language, site)?)
    }
}

/// Files that cannot have come by what others declare, each looked at once.
struct Apart {
    own: FileId,
    known: BTreeMap<FileId, bool>,
}

impl Apart {
    /// A name alone may be that of a script, which all scripts share.
    fn is_apart(&mut self, graph: &Graph<'_>, language: &Language, site: &Site) -> Result<bool> {
        let file = site.user.file;
        if file == self.own || site.reference.receiver.is_none() {
            return Ok(false);
        }
        if let Some(known) = self.known.get(&file) {
            return Ok(*known);
        }
        let found = is_island(graph, language, file)?;
        self.known.insert(file, found);
        Ok(found)
    }
}

/// Whether a module is held in a variable somewhere, found out once.
#[derive(Default)]
struct OnceHeld(std::cell::OnceCell<bool>);

impl OnceHeld {
    fn get(&self, graph: &Graph<'_>, file: FileId) -> Result<bool> {
        if let Some(known) = self.0.get() {
            return Ok(*known);
        }
        let held = is_held(graph, file)?;
        Ok(*self.0.get_or_init(|| held))
    }
}

/// Whether some use of a file as a module is neither an import nor followed by the name of a member.
fn is_held(graph: &Graph<'_>, file: FileId) -> Result<bool> {
    for site in graph.uses_of(SymbolRow::new(file, SymbolId(0)))? {
        if site.reference.kind == RefKind::Import {
            continue;
        }
        let refs = &graph.file(site.user.file)?.stored.facts.refs;
        let end = site.reference.span.end;
        let next = refs.partition_point(|reference| reference.span.start <= end);
        let is_asked = refs.get(next).is_some_and(|member| member.span.start <= end + 2);
        if !is_asked {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The sites of a name in a file that are not bound.
fn named(
    graph: &Graph<'_>,
    file: FileId,
    name: TermId,
    wanted: &dyn Fn(RefKind) -> bool,
) -> Result<(Vec<RefId>, Vec<Site>)> {
    let linked = graph.file(file)?;
    let (mut ids, mut sites) = (Vec::new(), Vec::new());
    for id in &linked.links.unbound {
        let Some(reference) = linked.stored.facts.refs.get(id.index()).copied() else { continue };
        if linked.stored.term(reference.name) == name && wanted(reference.kind) {
            let user = SymbolRow::new(file, linked.user(&reference));
            ids.push(*id);
            sites.push(candidate(user, reference));
        }
    }
    Ok((ids, sites))
}

/// A site that only a name leads to.
pub(crate) fn candidate(user: SymbolRow, reference: Reference) -> Site {
    Site { user, reference, certainty: Certainty::Candidate, how: How::Name, place: None }
}

/// Whether a function can be called with so many arguments.
fn takes(symbol: &Symbol, args: u8, arity: Arity) -> bool {
    let rest = |flags: Flags| flags.has(Flags::VARIADIC) || flags.has(Flags::KEYWORD_VARIADIC);
    let own = symbol.params.iter().filter(|param| !param.flags.has(Flags::RECEIVER));
    let needed = own.clone().filter(|param| param.default.is_empty() && !rest(param.flags)).count();
    let any = own.clone().any(|param| rest(param.flags)) || arity == Arity::AtLeast;
    let most = if any { usize::MAX } else { own.count() };
    (needed..=most).contains(&(args as usize))
}

/// The text between the brackets that a text starts with.
fn balanced(text: &str) -> Option<&str> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => return Some(&text[1..at]),
            ')' => depth -= 1,
            _ if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// What stands before the name of a member, by its last name: `self.cursor.` is `cursor`, `path(a).` is `path(…)`.
fn receiver(before: &str) -> String {
    let rest = before.trim_end_matches(['.', ':', '?', '!', '&', '>', '-']);
    let joint = &before[rest.len()..];
    let is_joint = [".", "::", "->", "?.", "!.", "&.", "!!."].contains(&joint) || joint.ends_with("?->");
    if !is_joint {
        return String::new();
    }
    let rest = rest.trim_end();
    let (rest, brackets) = match rest.chars().last() {
        None => return "…".to_owned(),
        Some(close @ (')' | ']' | '}')) => match before_bracket(rest, close) {
            Some((rest, open)) => (rest, format!("{open}…{close}")),
            None => return "…".to_owned(),
        },
        Some(quote @ ('"' | '\'' | '`')) => return format!("{quote}…{quote}"),
        Some(_) => (rest, String::new()),
    };
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '@' | '#');
    let name = &rest[rest.trim_end_matches(is_name).len()..];
    if name.is_empty() && brackets.is_empty() { "…".to_owned() } else { format!("{name}{brackets}") }
}

/// The text before the bracket that the last one closes.
fn before_bracket(text: &str, close: char) -> Option<(&str, char)> {
    let open = match close {
        ')' => '(',
        ']' => '[',
        _ => '{',
    };
    let mut depth = 0;
    for (at, c) in text.char_indices().rev() {
        if c == close {
            depth += 1;
        } else if c == open {
            depth -= 1;
            if depth == 0 {
                return Some((&text[..at], open));
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_receiver_is_the_last_name_before_the_joint() {
        for (before, expected) in [
            ("    return self.cursor.", "cursor"),
            ("x = Path(__file__).", "Path(…)"),
            ("rows[0].", "rows[…]"),
            ("  .", "…"),
            ("  ", ""),
            ("a ? b : ", ""),
            ("$this->", "$this"),
            ("std::fs::", "fs"),
            ("f(g(x), y)?.", "f(…)"),
            ("\", \".", "\"…\""),
        ] {
            assert_eq!(receiver(before), expected, "{before}");
        }
    }

    #[test]
    fn brackets_are_matched() {
        assert_eq!(balanced("(a, f(b))c"), Some("a, f(b)"));
        assert_eq!((balanced("(a, f(b)"), balanced(" x")), (None, None));
    }
}
