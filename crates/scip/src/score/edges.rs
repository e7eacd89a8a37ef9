//! Edges between functions: distinct pairs of caller and callee.

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

use super::{Classes, Digest, FileLine, Pos, Row, ScipKind, Sources, Status, Table};
use crate::range::Point;

/// The function around a reference, or the file of code outside of functions.
type Caller = (u32, Option<u32>);

/// How edges compare.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Edges {
    /// Whose ranges say which function a reference is in.
    #[serde(rename = "ranges from")]
    pub ranges_from: RangesFrom,
    #[serde(flatten)]
    pub table: Table,
}

/// Whose ranges are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RangesFrom {
    Truth,
    Candidate,
    #[default]
    Nobody,
}

/// The innermost function around a position.
struct Enclosing {
    files: FxHashMap<u32, Nest>,
}

struct Nest {
    /// Start, end, line of the name; outer before inner.
    spans: Vec<(Point, Point, u32)>,
    /// The place of the next one around.
    parents: Vec<Option<usize>>,
}

impl Enclosing {
    fn new(functions: &FxHashMap<u32, Vec<(Point, Point, u32)>>) -> Enclosing {
        let nest = |spans: &Vec<(Point, Point, u32)>| {
            let mut spans = spans.clone();
            spans.sort_unstable_by_key(|(start, end, line)| (*start, std::cmp::Reverse(*end), *line));
            let (mut parents, mut stack): (Vec<Option<usize>>, Vec<usize>) = (Vec::new(), Vec::new());
            for (place, (_, end, _)) in spans.iter().enumerate() {
                while stack.last().is_some_and(|last| spans[*last].1 < *end) {
                    stack.pop();
                }
                parents.push(stack.last().copied());
                stack.push(place);
            }
            Nest { spans, parents }
        };
        Enclosing { files: functions.iter().map(|(path, spans)| (*path, nest(spans))).collect() }
    }

    fn find(&self, pos: Pos) -> Caller {
        let around = self.files.get(&pos.path).and_then(|nest| {
            let point = (pos.line, pos.column);
            let mut at = nest.spans.partition_point(|(start, ..)| *start <= point).checked_sub(1);
            while let Some(place) = at {
                if point <= nest.spans[place].1 {
                    return Some(nest.spans[place].2);
                }
                at = nest.parents[place];
            }
            None
        });
        (pos.path, around)
    }
}

type Wanted = FxHashSet<(Caller, Vec<FileLine>)>;
type Claimed = FxHashSet<(Caller, FileLine)>;

/// Compares the edges that references make, at positions that the compiler knows.
pub(crate) fn score_edges(truth: &Digest, candidate: &Digest, classes: &Classes, sources: &Sources) -> Edges {
    let (ranges_from, functions) = match (truth.functions.is_empty(), candidate.functions.is_empty()) {
        (false, _) => (RangesFrom::Truth, &truth.functions),
        (true, false) => (RangesFrom::Candidate, &candidate.functions),
        (true, true) => (RangesFrom::Nobody, &candidate.functions),
    };
    let enclosing = Enclosing::new(functions);
    let everywhere = wanted(classes, &enclosing, false);
    let inside = |edges: &Wanted| edges.iter().filter(|(caller, _)| caller.1.is_some()).cloned().collect::<Wanted>();
    let (all, calls) = (inside(&everywhere), inside(&wanted(classes, &enclosing, true)));
    let (claimed_everywhere, claimed_calls) = claimed(candidate, classes, sources, &enclosing);
    let claimed: Claimed = claimed_everywhere.iter().filter(|(caller, _)| caller.1.is_some()).copied().collect();
    let accepted = if all.is_empty() { &calls } else { &all };
    let table = Table(vec![
        ("function to function", row(&all, &claimed, &all)),
        ("calls only", row(&calls, &claimed_calls, accepted)),
        ("incl. top-level code as caller", row(&everywhere, &claimed_everywhere, &everywhere)),
    ]);
    Edges { ranges_from, table }
}

fn wanted(classes: &Classes, enclosing: &Enclosing, calls_only: bool) -> Wanted {
    let functions = classes.iter().filter(|(_, said)| {
        said.status == Status::InRepo && said.kind == Some(ScipKind::Function) && (!calls_only || said.row == "call")
    });
    functions.map(|(pos, said)| (enclosing.find(*pos), said.targets.clone())).collect()
}

/// What we say, everywhere, and the calls inside functions.
fn claimed(candidate: &Digest, classes: &Classes, sources: &Sources, enclosing: &Enclosing) -> (Claimed, Claimed) {
    let (mut all, mut calls) = (Claimed::default(), Claimed::default());
    for (pos, entries) in &candidate.refs {
        let Some(said) = classes.get(pos).filter(|said| said.status != Status::Unknown) else { continue };
        for &(key, end) in entries {
            // A claim is an edge if either side takes the name for a function.
            let kind = candidate.kind(key);
            let function = kind == ScipKind::Function || said.kind == Some(ScipKind::Function);
            if kind.is_local() || !function || candidate.is_defined_at(*pos, key) {
                continue;
            }
            let caller = enclosing.find(*pos);
            let called = caller.1.is_some() && sources.is_call(pos.path, pos.line, end);
            for place in candidate.places(key) {
                all.insert((caller, *place));
                if called {
                    calls.insert((caller, *place));
                }
            }
        }
    }
    (all, calls)
}

fn row(wanted: &Wanted, claimed: &Claimed, accepted: &Wanted) -> Row {
    let mut right_for: FxHashMap<Caller, FxHashSet<FileLine>> = FxHashMap::default();
    for (caller, targets) in accepted {
        right_for.entry(*caller).or_default().extend(targets);
    }
    let found = wanted.iter().filter(|(caller, targets)| targets.iter().any(|t| claimed.contains(&(*caller, *t))));
    let right = claimed.iter().filter(|(caller, t)| right_for.get(caller).is_some_and(|right| right.contains(t)));
    Row::new(found.count() as u64, wanted.len() as u64, right.count() as f64, claimed.len() as u64)
}
