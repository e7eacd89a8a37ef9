//! Symbols that share an identity that should be unique. There are none unless something is wrong.

use codegraph_model::SymbolId;
use codegraph_store::FileId;
use rustc_hash::FxHashMap;
use serde::Serialize;

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
        Self::ALL.iter().copied().find(|identity| identity.word() == word).ok_or_else(|| Error::UnknownWord {
            what: "identity",
            word: word.to_owned(),
            allowed: Self::ALL.iter().map(|i| i.word()).collect::<Vec<_>>().join(", "),
        })
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

type Place = (FileId, SymbolId);

/// Answers which symbols share an identity.
pub fn collisions(reader: &Reader, identities: &[Identity], window: Window) -> Result<CollisionsAnswer> {
    let identities = if identities.is_empty() { Identity::ALL } else { identities };
    // Hashes first: all names of a large project at once would not fit into memory.
    let mut seen: FxHashMap<u64, Place> = FxHashMap::default();
    let mut doubtful: FxHashMap<u64, Vec<Place>> = FxHashMap::default();
    let mut checked = 0;
    for record in reader.store.files()? {
        let view = reader.view(record.into())?;
        for (id, _) in view.symbols() {
            checked += 1;
            for identity in identities {
                let hash = hash(*identity, &value(&view, id, *identity));
                if let Some(first) = seen.insert(hash, (view.record.id, id)) {
                    let group = doubtful.entry(hash).or_default();
                    group.push(first);
                    group.push((view.record.id, id));
                }
            }
        }
        view.check()?;
    }
    let found = confirm(reader, identities, doubtful)?;
    Ok(CollisionsAnswer {
        checked,
        collisions: window.of(&found).to_vec(),
        total: found.len(),
        next_offset: window.next(found.len()),
        remarks: Remarks::of(reader),
    })
}

fn value(view: &crate::reader::FileView<'_>, id: SymbolId, identity: Identity) -> String {
    match identity {
        Identity::Fqn => view.fqn(id),
        Identity::CanonicalFqn => view.names().canonical(view.facts(), id, view),
        Identity::SymbolId => view.symbol_id(id, &view.fqn(id)),
    }
}

fn hash(identity: Identity, value: &str) -> u64 {
    let hash = blake3::hash(format!("{}\0{value}", identity.word()).as_bytes());
    u64::from_le_bytes(hash.as_bytes()[..8].try_into().expect("eight of 32 bytes"))
}

/// Two texts may share a hash: compares the texts themselves.
fn confirm(reader: &Reader, identities: &[Identity], doubtful: FxHashMap<u64, Vec<Place>>) -> Result<Vec<Collision>> {
    let mut groups: std::collections::BTreeMap<(usize, String), Vec<Place>> = Default::default();
    for places in doubtful.into_values() {
        for (file, id) in places {
            let view = reader.view_of(file)?;
            for (number, identity) in identities.iter().enumerate() {
                let group = groups.entry((number, value(&view, id, *identity))).or_default();
                if !group.contains(&(file, id)) {
                    group.push((file, id));
                }
            }
        }
    }
    let mut found = Vec::new();
    for ((number, value), mut places) in groups.into_iter().filter(|(_, places)| places.len() > 1) {
        places.sort_unstable();
        let symbols = places.iter().map(|(file, id)| Ok(reader.view_of(*file)?.info(*id, None)));
        found.push(Collision { field: identities[number], value, symbols: symbols.collect::<Result<_>>()? });
    }
    Ok(found)
}
