//! What the compiler says about each position: in the repository, local, outside, or unknown.

use std::sync::LazyLock;

use regex::bytes::Regex;
use rustc_hash::{FxHashMap, FxHashSet};

use super::digest::package_of;
use super::{Digest, FileLine, Key, Pos, ScipKind, Sources};

/// Where a symbol lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Status {
    InRepo,
    Local,
    External,
    Unknown,
}

/// What the compiler says about a position.
#[derive(Clone, Debug)]
pub(crate) struct Said {
    pub(crate) status: Status,
    /// Nothing outside the repository.
    pub(crate) kind: Option<ScipKind>,
    pub(crate) row: &'static str,
    /// Sorted.
    pub(crate) targets: Vec<FileLine>,
    pub(crate) same_file: bool,
}

/// What it says about all positions.
pub(crate) type Classes = FxHashMap<Pos, Said>;

const CONSTRUCTOR: &str = "`<constructor>`().";

/// A tool that binds some names to a wrong class: a reference to a line without its name is not scored.
const MISNAMING: &str = "scip-python";

static ALIAS: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?-u)\bas\s+(\w+)").expect("the pattern is constant"));

/// Sorts all references of the compiler's index.
pub(crate) fn classify(truth: &Digest, sources: &Sources) -> Classes {
    let aliases = (truth.tool == MISNAMING).then(|| aliases(truth, sources));
    let said = |(pos, entries): (&Pos, &Vec<(Key, u32)>)| {
        Some((*pos, classify_one(truth, sources, aliases.as_ref(), *pos, entries)?))
    };
    truth.refs.iter().filter_map(said).collect()
}

fn classify_one(
    truth: &Digest,
    sources: &Sources,
    aliases: Option<&FxHashSet<Vec<u8>>>,
    pos: Pos,
    entries: &[(Key, u32)],
) -> Option<Said> {
    let (mut in_repo, mut local, mut external, mut unknown) = (Vec::new(), Vec::new(), false, false);
    for &(key, end) in entries.iter().filter(|(key, _)| !truth.is_defined_at(pos, *key)) {
        let kind = truth.kind(key);
        match truth.places(key).is_empty() {
            false if kind.is_local() => local.push((key, end)),
            false => in_repo.push((key, end)),
            true if kind == ScipKind::Local || truth.packages.contains(&package_of(truth.name(key))) => unknown = true,
            true => external = true,
        }
    }
    if in_repo.is_empty() && local.is_empty() {
        let status = if unknown { Status::Unknown } else { Status::External };
        return (unknown || external).then(|| Said::outside(status));
    }
    let mut chosen = if in_repo.is_empty() { local.clone() } else { in_repo.clone() };
    // `new C()` stands for both the class and its constructor: a call.
    chosen.sort_by_key(|(key, _)| truth.kind(*key) != ScipKind::Function);
    let mut targets: Vec<FileLine> = chosen.iter().flat_map(|(key, _)| places(truth, *key)).collect();
    if !in_repo.is_empty() {
        // Such as shorthand properties: either is right.
        targets.extend(local.iter().flat_map(|(key, _)| truth.places(*key)));
    }
    targets.sort_unstable();
    targets.dedup();
    let kind = truth.kind(chosen[0].0);
    let row = row_of(kind, sources, pos, chosen[0].1);
    let end = chosen.iter().map(|(_, end)| *end).max().unwrap_or(pos.column);
    if let Some(aliases) = aliases
        && !in_repo.is_empty()
        && row != "module"
        && is_misnamed(pos, end, &targets, sources, aliases)
    {
        return Some(Said::outside(Status::Unknown));
    }
    let status = if in_repo.is_empty() { Status::Local } else { Status::InRepo };
    let same_file = targets.iter().any(|(path, _)| *path == pos.path);
    Some(Said { status, kind: Some(kind), row, targets, same_file })
}

impl Said {
    fn outside(status: Status) -> Said {
        Said { status, kind: None, row: "", targets: Vec::new(), same_file: false }
    }
}

/// Where a symbol is defined; for a constructor also where its class is, because tools name one, the other or both.
fn places(truth: &Digest, key: Key) -> Vec<FileLine> {
    let mut places = truth.places(key).to_vec();
    if let Some(class) = truth.name(key).strip_suffix(CONSTRUCTOR).and_then(|class| truth.global(class)) {
        places.extend(truth.places(class));
    }
    places
}

/// The row of a reference in the table.
pub(crate) fn row_of(kind: ScipKind, sources: &Sources, pos: Pos, end: u32) -> &'static str {
    match kind {
        ScipKind::Function if sources.is_call(pos.path, pos.line, end) => "call",
        ScipKind::Function => "function (not called)",
        kind if kind.is_local() => "local",
        ScipKind::Type => "type",
        ScipKind::Macro => "macro",
        ScipKind::Module => "module",
        _ => "variable/field",
    }
}

/// New names that some file gives to what it imports.
fn aliases(truth: &Digest, sources: &Sources) -> FxHashSet<Vec<u8>> {
    let mut found = FxHashSet::default();
    for path in &truth.paths {
        let mut number = 0;
        let mut add = |line: &[u8]| found.extend(ALIAS.captures_iter(line).map(|hit| hit[1].to_vec()));
        while sources.line(*path, number, &mut add).is_some() {
            number += 1;
        }
    }
    found
}

fn is_misnamed(pos: Pos, end: u32, targets: &[FileLine], sources: &Sources, aliases: &FxHashSet<Vec<u8>>) -> bool {
    let mut name = sources.part(pos.path, pos.line, pos.column, end);
    if let Some(at) = find(&name, b" as ") {
        name.truncate(at);
    }
    let stands_in = |place: &FileLine| match sources.line(place.0, place.1, |line| find(line, &name).is_some()) {
        Some(found) => found,
        None => name.is_empty(),
    };
    !aliases.contains(&name) && !targets.iter().any(stands_in)
}

fn find(text: &[u8], part: &[u8]) -> Option<usize> {
    if part.is_empty() {
        return Some(0);
    }
    text.windows(part.len()).position(|window| window == part)
}
