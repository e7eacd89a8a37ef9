//! Recall and precision of references, row by row.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use super::classify::row_of;
use super::{Classes, Digest, FileLine, Pos, Row, ScipKind, Sources, Status, Table};

/// The rows of the table.
const ROWS: [&str; 12] = [
    "all", "same-file", "cross-file", "call", "function (not called)", "type", "variable/field", "macro", "module",
    "local", EXACT, INFERRED,
];

/// Of *all*, what is proved, and what an inference found.
const EXACT: &str = "exact only";
const INFERRED: &str = "inferred only";

/// What an index asserts at a position.
pub(crate) struct Claim {
    /// Sorted; empty if nothing inside the repository is claimed.
    pub(crate) targets: Vec<FileLine>,
    /// Of the first symbol.
    pub(crate) kind: Option<ScipKind>,
    pub(crate) end: u32,
}

/// What a digest asserts at a position.
pub(crate) fn claims_at(candidate: &Digest, pos: Pos) -> Claim {
    let mut claim = Claim { targets: Vec::new(), kind: None, end: pos.column };
    for &(key, end) in candidate.refs.get(&pos).into_iter().flatten() {
        let places = candidate.places(key);
        if places.is_empty() || candidate.is_defined_at(pos, key) {
            continue;
        }
        claim.targets.extend(places);
        if claim.kind.is_none() {
            (claim.kind, claim.end) = (Some(candidate.kind(key)), end);
        }
    }
    claim.targets.sort_unstable();
    claim.targets.dedup();
    claim
}

/// How many of the claimed targets are right.
pub(crate) fn common(claimed: &[FileLine], right: &[FileLine]) -> usize {
    claimed.iter().filter(|place| right.binary_search(place).is_ok()).count()
}

fn rows_for(row: &'static str, same_file: bool) -> Vec<&'static str> {
    match row {
        "module" | "local" => vec![row],
        _ => vec!["all", if same_file { "same-file" } else { "cross-file" }, row],
    }
}

/// What is counted besides the table.
pub(crate) type Tally = BTreeMap<&'static str, u64>;

#[derive(Default)]
struct Sums {
    recall: BTreeMap<&'static str, (u64, u64)>,
    precision: BTreeMap<&'static str, (f64, u64)>,
    tally: Tally,
}

/// Scores all references.
pub(crate) fn score_references(
    truth: &Digest,
    candidate: &Digest,
    classes: &Classes,
    sources: &Sources,
    inferred: &FxHashSet<Pos>,
) -> (Table, Tally) {
    let certainty = |pos: &Pos| if inferred.contains(pos) { INFERRED } else { EXACT };
    let mut sums = Sums::default();
    for (pos, said) in classes.iter().filter(|(_, said)| matches!(said.status, Status::InRepo | Status::Local)) {
        let claim = claims_at(candidate, *pos);
        let hit = common(&claim.targets, &said.targets) > 0;
        for row in rows_for(said.row, said.same_file) {
            let sum = sums.recall.entry(row).or_default();
            *sum = (sum.0 + u64::from(hit), sum.1 + 1);
        }
        if said.status == Status::InRepo && said.row != "module" {
            for row in [EXACT, INFERRED] {
                let sum = sums.recall.entry(row).or_default();
                *sum = (sum.0 + u64::from(hit && certainty(pos) == row), sum.1 + 1);
            }
            *sums.tally.entry(if hit { "found" } else { outcome(candidate, *pos, &claim) }).or_default() += 1;
        }
    }
    let mut positions: Vec<Pos> = candidate.refs.keys().copied().collect();
    positions.sort_unstable();
    for pos in positions {
        judge(&mut sums, truth, candidate, classes, sources, (pos, certainty(&pos)));
    }
    let rows = ROWS.iter().map(|row| {
        let (found, known) = sums.recall.get(row).copied().unwrap_or_default();
        let (right, claims) = sums.precision.get(row).copied().unwrap_or_default();
        (*row, Row::new(found, known, right, claims))
    });
    (Table(rows.collect()), sums.tally)
}

/// Why a reference was not found.
pub(crate) fn outcome(candidate: &Digest, pos: Pos, claim: &Claim) -> &'static str {
    match () {
        () if !claim.targets.is_empty() => "wrong target",
        () if candidate.refs.contains_key(&pos) => "unresolved",
        () if candidate.definitions.contains_key(&pos) => "marked as definition",
        () => "no occurrence",
    }
}

/// Judges what we assert at a position.
fn judge(
    sums: &mut Sums,
    truth: &Digest,
    candidate: &Digest,
    classes: &Classes,
    sources: &Sources,
    (pos, certainty): (Pos, &'static str),
) {
    let mut tally = |what| *sums.tally.entry(what).or_default() += 1;
    if !truth.paths.contains(&pos.path) {
        return tally("claims outside truth documents");
    }
    let claim = claims_at(candidate, pos);
    let Some(kind) = claim.kind else { return };
    let Some(said) = classes.get(&pos) else { return tally("claims where truth has no reference") };
    if said.status == Status::Unknown {
        return tally("claims where truth is unknown");
    }
    let right = common(&claim.targets, &said.targets);
    let same_file = claim.targets.iter().any(|(path, _)| *path == pos.path);
    let rows = match said.status {
        Status::InRepo => rows_for(said.row, same_file),
        Status::Local if right > 0 || kind.is_local() => vec!["local"],
        status => {
            tally(if status == Status::Local {
                "false claims on local symbols"
            } else {
                "false claims on external symbols"
            });
            rows_for(row_of(kind, sources, pos, claim.end), same_file)
        }
    };
    if 0 < right && right < claim.targets.len() {
        tally("claims with several targets, partly right");
    }
    let by_certainty = rows.first() == Some(&"all");
    for row in rows.into_iter().chain(by_certainty.then_some(certainty)) {
        let sum = sums.precision.entry(row).or_default();
        *sum = (sum.0 + right as f64 / claim.targets.len() as f64, sum.1 + 1);
    }
}
