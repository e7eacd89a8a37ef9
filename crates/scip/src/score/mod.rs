//! How good links are: an index of ours against one that a compiler made, at every position that both know.
//!
//! A *reference* is a position (file, line, start column in bytes) of an occurrence that is no definition; its *targets*
//! are the lines where its symbol is defined. What the compiler says about a position falls into four classes:
//! *in-repo*, *local* (also parameters and type parameters), *external* (defined nowhere here, in a package that
//! defines nothing here) and *unknown* (defined nowhere here although its package is; never scored).
//!
//! Recall is the share of the compiler's references at which we have a target in common. Precision is taken over our
//! references at in-repo, local and external positions; a claim at an external position is wrong, and so is one of a
//! global target at a local position. Several targets of which some are right earn the right share.

mod classify;
mod definitions;
mod digest;
mod edges;
mod kind;
mod misses;
mod references;
mod sources;

use serde::{Serialize, Serializer};

pub(crate) use classify::{Classes, Said, Status, classify};
pub(crate) use definitions::score_definitions;
pub(crate) use digest::{Digest, Digester, FileLine, Key, Pos, package_of};
pub(crate) use edges::score_edges;
pub use edges::{Edges, RangesFrom};
pub(crate) use kind::ScipKind;
pub use misses::{Example, MissClass};
pub(crate) use misses::{misses, wrong};
pub(crate) use references::{claims_at, score_references};
pub(crate) use sources::Sources;

/// One line of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Row {
    /// What the compiler knows.
    pub truth: u64,
    /// How much of it we know as well.
    pub found: u64,
    pub recall: Option<f64>,
    /// What we say where the compiler says something.
    pub claims: u64,
    /// How much of it is right.
    pub right: f64,
    pub precision: Option<f64>,
}

impl Row {
    fn new(found: u64, truth: u64, right: f64, claims: u64) -> Row {
        let recall = ratio(found as f64, truth);
        Row { truth, found, recall, claims, right: rounded(right, 10.0), precision: ratio(right, claims) }
    }
}

fn ratio(part: f64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| rounded(part / whole as f64, 10_000.0))
}

fn rounded(value: f64, by: f64) -> f64 {
    (value * by).round() / by
}

/// Named rows in a fixed order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table(pub Vec<(&'static str, Row)>);

impl Table {
    pub fn get(&self, name: &str) -> Option<&Row> {
        self.0.iter().find(|(own, _)| *own == name).map(|(_, row)| row)
    }
}

impl Serialize for Table {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, row)| (name, row)))
    }
}
