//! Which symbol of the new side is which one of the old.

use std::collections::BTreeMap;

use codegraph_model::SymbolKind;

use super::side::{Item, Side};
use super::{Fate, Part, SymbolDiff};

/// What says less is no sign that a symbol with another name is the same one.
const FEWEST_TOKENS: usize = 12;

/// A symbol that differs, with both its sides.
pub(super) struct Paired {
    pub(super) fate: Fate,
    parts: Vec<Part>,
    pub(super) old: Option<Item>,
    pub(super) new: Option<Item>,
}

impl Paired {
    /// Comments concern nobody.
    pub(super) fn concerns_others(&self) -> bool {
        self.fate != Fate::Changed || self.parts.iter().any(|part| *part != Part::Documentation)
    }

    pub(super) fn shown(self) -> SymbolDiff {
        let (symbol, was, signature, old_signature) = match (self.new, self.old) {
            (Some(new), Some(old)) => {
                let moved = self.fate == Fate::Moved;
                let other = old.signature != new.signature && self.parts.contains(&Part::Signature);
                (new.brief, moved.then_some(old.brief), new.signature, other.then_some(old.signature))
            }
            (Some(one), None) | (None, Some(one)) => (one.brief, None, one.signature, None),
            (None, None) => unreachable!("a pair has at least one side"),
        };
        SymbolDiff { fate: self.fate, parts: self.parts, symbol, was, signature, old_signature }
    }
}

/// All symbols that differ: by path, then position.
pub(super) fn pairs(old: Side, new: Side) -> Vec<Paired> {
    let mut found = Vec::new();
    let (mut gone, mut come) = (Vec::new(), Vec::new());
    let mut old = old.files;
    for (path, items) in new.files {
        let mut before: BTreeMap<String, Item> =
            old.remove(&path).into_iter().flatten().map(|item| (item.scoped.clone(), item)).collect();
        for item in items {
            match before.remove(&item.scoped) {
                Some(was) => found.push((was, item)),
                None => come.push(item),
            }
        }
        gone.extend(before.into_values());
    }
    gone.extend(old.into_values().flatten());
    let moved = moved(&mut gone, &mut come);
    let names: BTreeMap<&str, &str> =
        moved.iter().map(|(old, new)| (old.brief.fqn.as_str(), new.brief.fqn.as_str())).collect();
    let mut all: Vec<Paired> = Vec::new();
    let same: Vec<Vec<Part>> = found.iter().map(|(old, new)| parts(old, new, &names)).collect();
    let other: Vec<Vec<Part>> = moved.iter().map(|(old, new)| parts(old, new, &names)).collect();
    for ((old, new), parts) in found.into_iter().zip(same).filter(|(_, parts)| !parts.is_empty()) {
        all.push(Paired { fate: Fate::Changed, parts, old: Some(old), new: Some(new) });
    }
    for ((old, new), mut parts) in moved.into_iter().zip(other) {
        parts.retain(|part| *part != Part::Meaning);
        all.push(Paired { fate: Fate::Moved, parts, old: Some(old), new: Some(new) });
    }
    let one = |fate, old, new| Paired { fate, parts: Vec::new(), old, new };
    all.extend(gone.into_iter().filter(is_said).map(|item| one(Fate::Removed, Some(item), None)));
    all.extend(come.into_iter().filter(is_said).map(|item| one(Fate::Added, None, Some(item))));
    let place = |pair: &Paired| {
        let item = pair.new.as_ref().or(pair.old.as_ref()).expect("a pair has at least one side");
        (item.path.clone(), item.id, pair.fate)
    };
    all.sort_by_key(place);
    all
}

/// A file's own symbol is its own affair only where it says something outside of all others.
fn is_said(item: &Item) -> bool {
    item.id.0 != 0 || item.tokens > 0
}

/// Takes out those that have only gone elsewhere, or are called otherwise now.
fn moved(gone: &mut Vec<Item>, come: &mut Vec<Item>) -> Vec<(Item, Item)> {
    let mut moved = Vec::new();
    let kind = |item: &Item| item.brief.kind;
    let named = |item: &Item| item.id.0 != 0;
    let said = |item: &Item| (item.head, item.body);
    // The same text under the same name; then the same name in the same scope; then the same body under another name.
    take(gone, come, &mut moved, |item| {
        (named(item) && item.tokens > 0).then(|| format!("{:?} {} {:?}", kind(item), item.brief.name, said(item)))
    });
    take(gone, come, &mut moved, |item| {
        let movable = named(item) && !matches!(kind(item), SymbolKind::Field | SymbolKind::Variable);
        movable.then(|| format!("{:?} {}", kind(item), item.scoped))
    });
    take(gone, come, &mut moved, |item| {
        (named(item) && item.tokens >= FEWEST_TOKENS).then(|| format!("{:?} {}", kind(item), item.body))
    });
    moved
}

/// Pairs what has the same key, where only one of each side has it.
fn take(
    gone: &mut Vec<Item>,
    come: &mut Vec<Item>,
    moved: &mut Vec<(Item, Item)>,
    key: impl Fn(&Item) -> Option<String>,
) {
    let mut places: BTreeMap<String, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
    for (at, item) in gone.iter().enumerate() {
        if let Some(key) = key(item) {
            places.entry(key).or_default().0.push(at);
        }
    }
    for (at, item) in come.iter().enumerate() {
        if let Some(key) = key(item) {
            places.entry(key).or_default().1.push(at);
        }
    }
    let single = |(old, new): (Vec<usize>, Vec<usize>)| match (old.as_slice(), new.as_slice()) {
        ([old], [new]) => Some((*old, *new)),
        _ => None,
    };
    let pairs: Vec<(usize, usize)> = places.into_values().filter_map(single).collect();
    let mut old: Vec<Option<Item>> = gone.drain(..).map(Some).collect();
    let mut new: Vec<Option<Item>> = come.drain(..).map(Some).collect();
    for (from, to) in pairs {
        moved.extend(old[from].take().zip(new[to].take()));
    }
    gone.extend(old.into_iter().flatten());
    come.extend(new.into_iter().flatten());
}

fn parts(old: &Item, new: &Item, moved: &BTreeMap<&str, &str>) -> Vec<Part> {
    let mut parts = Vec::new();
    if old.head != new.head || old.brief.kind != new.brief.kind {
        parts.push(Part::Signature);
    }
    if old.body != new.body {
        parts.push(Part::Body);
    }
    if old.doc != new.doc {
        parts.push(Part::Documentation);
    }
    let follows = |(was, is): (&(String, String), &(String, String))| {
        was == is || moved.get(was.1.as_str()).is_some_and(|now| *now == is.1)
    };
    let same = old.meanings.len() == new.meanings.len() && old.meanings.iter().zip(&new.meanings).all(follows);
    // The file's own names are mostly imports, which concern whoever uses them.
    if parts.iter().all(|part| *part == Part::Documentation) && !same && new.id.0 != 0 {
        parts.push(Part::Meaning);
    }
    parts
}
