//! Definitions: which of the compiler's we have, and which of ours it has.

use super::{Digest, Row, ScipKind, Table};

const ALL: u16 = ScipKind::Function.bit() | ScipKind::Type.bit() | ScipKind::Macro.bit();

/// Compares the lines on which something is defined.
pub(crate) fn score_definitions(truth: &Digest, candidate: &Digest) -> Table {
    let kinds = [
        ("function", ScipKind::Function.bit()),
        ("type", ScipKind::Type.bit()),
        ("macro", ScipKind::Macro.bit()),
        ("all", ALL),
    ];
    let row = |kinds: u16| {
        let wanted = truth.lines.iter().filter(|(_, have)| **have & kinds != 0).map(|(place, _)| place);
        let (mut found, mut known) = (0, 0);
        for place in wanted {
            known += 1;
            found += u64::from(candidate.lines.contains_key(place));
        }
        let listed =
            candidate.lines.iter().filter(|(place, have)| **have & kinds != 0 && truth.paths.contains(&place.0));
        let (mut right, mut claims) = (0, 0);
        for (place, _) in listed {
            claims += 1;
            right += u64::from(truth.lines.contains_key(place));
        }
        Row::new(found, known, right as f64, claims)
    };
    Table(kinds.into_iter().map(|(name, kinds)| (name, row(kinds))).collect())
}
