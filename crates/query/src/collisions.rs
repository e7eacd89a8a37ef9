//! Symbols that share an identity that should be unique. There are none unless something is wrong.

use std::collections::BTreeMap;
use std::hash::BuildHasher;

use codegraph_model::{FileId, SymbolId};

use rustc_hash::{FxBuildHasher, FxHashSet};
use serde::Serialize;

use crate::reader::FileView;
use crate::{Error, Reader, Remarks, Result, SymbolInfo, Window};

/// An identity that must be unique in the project.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Identity {
    Fqn,
    CanonicalFqn,
    SymbolId,
}

impl Identity {
    pub const ALL: &'static [Identity] = &[Identity::Fqn, Identity::CanonicalFqn, Identity::SymbolId];

    pub const fn word(self) -> &'static str {
        match self {
            Identity::Fqn => "fqn",
            Identity::CanonicalFqn => "canonical_fqn",
            Identity::SymbolId => "symbol_id",
        }
    }

    /// The identity with this name.
    pub fn from_word(word: &str) -> Result<Identity> {
        let found = Self::ALL.iter().copied().find(|identity| identity.word() == word);
        found.ok_or_else(|| Error::unknown("identity", word, Self::ALL.iter().map(|one| one.word())))
    }
}

/// Groups of symbols with one identity.
#[derive(Clone, Debug, Serialize)]
pub struct CollisionsAnswer {
    pub checked: u64,
    pub collisions: Vec<Collision>,
    pub total: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
    #[serde(flatten)]
    pub remarks: Remarks,
}

/// Symbols that share an identity.
#[derive(Clone, Debug, Serialize)]
pub struct Collision {
    pub field: Identity,
    pub value: String,
    pub symbols: Vec<SymbolInfo>,
}

/// Answers which symbols share an identity.
pub fn collisions(reader: &Reader, identities: &[Identity], window: Window) -> Result<CollisionsAnswer> {
    let wanted = |one: &&Identity| identities.is_empty() || identities.contains(one);
    let identities: &[Identity] = &Identity::ALL.iter().filter(wanted).copied().collect::<Vec<_>>();
    // Hashes first: all names of a large project at once would not fit into memory.
    let (mut hashes, mut checked) = (Vec::new(), 0);
    for record in reader.store.files()? {
        let view = reader.view(record.into())?;
        checked += view.facts().symbols.len() as u64;
        each_value(&view, identities, |identity, value, _| hashes.push(hash(identity, value)))?;
    }
    hashes.sort_unstable();
    let doubtful: FxHashSet<u64> = hashes.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect();
    let found = if doubtful.is_empty() { Vec::new() } else { confirm(reader, identities, &doubtful)? };
    Ok(CollisionsAnswer {
        checked,
        collisions: window.of(&found).to_vec(),
        total: found.len(),
        next_offset: window.next(found.len()),
        remarks: Remarks::of(reader),
    })
}

/// Visits the identities of all symbols of a file.
fn each_value(
    view: &FileView<'_>,
    identities: &[Identity],
    mut visit: impl FnMut(Identity, &str, SymbolId),
) -> Result<()> {
    let wants_canonical = identities.contains(&Identity::CanonicalFqn);
    let canonical = if wants_canonical { view.names().all_canonical(view.facts(), view) } else { Vec::new() };
    let wants_ids = identities.contains(&Identity::SymbolId);
    let ids = if wants_ids { view.names().all_symbol_ids(view.facts(), view) } else { Vec::new() };
    for (id, _) in view.symbols() {
        let fqn = view.fqn(id);
        for identity in identities {
            match identity {
                Identity::Fqn => visit(*identity, &fqn, id),
                Identity::CanonicalFqn => visit(*identity, &canonical[id.index()], id),
                Identity::SymbolId => visit(*identity, &format!("{:032x}", ids[id.index()]), id),
            }
        }
    }
    view.check()
}

fn hash(identity: Identity, value: &str) -> u64 {
    FxBuildHasher.hash_one((identity.word(), value))
}

/// Two texts may share a hash: compares the texts themselves.
fn confirm(reader: &Reader, identities: &[Identity], doubtful: &FxHashSet<u64>) -> Result<Vec<Collision>> {
    let mut groups: BTreeMap<(usize, String), Vec<(FileId, SymbolId)>> = BTreeMap::new();
    for record in reader.store.files()? {
        let view = reader.view(record.into())?;
        each_value(&view, identities, |identity, value, id| {
            if doubtful.contains(&hash(identity, value)) {
                let number = identities.iter().position(|one| *one == identity).unwrap_or(0);
                groups.entry((number, value.to_owned())).or_default().push((view.record.id, id));
            }
        })?;
    }
    let mut found = Vec::new();
    for ((number, value), mut places) in groups.into_iter().filter(|(_, places)| places.len() > 1) {
        places.sort_unstable();
        let symbols = places.iter().map(|(file, id)| Ok(reader.view_of(*file)?.info(*id, None)));
        found.push(Collision { field: identities[number], value, symbols: symbols.collect::<Result<_>>()? });
    }
    Ok(found)
}
