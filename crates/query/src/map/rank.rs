//! Which files and symbols matter most: a rank over proved references, drawn towards what the asker works on.
//!
//! All arithmetic is plain additions, multiplications and divisions in a fixed order, so that every machine gives the
//! same numbers.

use rustc_hash::FxHashSet;

use super::atlas::{Atlas, SymbolAt};

const ROUNDS: usize = 30;
/// How much of a file's weight goes on to the files that it uses.
const DAMPING: f64 = 0.85;
/// How much more a use counts that comes from where the asker works.
const PULL: f64 = 50.0;
/// A name that the asker mentions stands before all others.
const MENTIONED: f64 = 1e9;

/// What the asker works on.
#[derive(Debug, Default)]
pub(super) struct Interest {
    pub(super) files: FxHashSet<u32>,
    pub(super) symbols: FxHashSet<SymbolAt>,
}

impl Interest {
    fn is_empty(&self) -> bool {
        self.files.is_empty() && self.symbols.is_empty()
    }
}

/// The weight of each file.
#[derive(Debug)]
pub(super) struct Ranks {
    files: Vec<f64>,
    /// How much a use by each file counts.
    pulls: Option<Vec<f64>>,
    mentioned: FxHashSet<SymbolAt>,
}

impl Ranks {
    pub(super) fn new(atlas: &Atlas, interest: &Interest) -> Ranks {
        let edges = edges(atlas);
        let start = start(atlas.files.len(), interest);
        let files = walk(&edges, &start);
        let pulls = (!interest.is_empty()).then(|| files.iter().map(|rank| 1.0 + PULL * rank).collect());
        Ranks { files, pulls, mentioned: interest.symbols.clone() }
    }

    pub(super) fn file(&self, place: u32) -> f64 {
        self.files[place as usize]
    }

    /// How much a symbol is used, each use weighed by who uses it.
    pub(super) fn symbol(&self, atlas: &Atlas, at: SymbolAt) -> f64 {
        let mut score = if self.mentioned.contains(&at) { MENTIONED } else { 0.0 };
        for entry in atlas.uses_of(at) {
            let pull = self.pulls.as_ref().map_or(1.0, |pulls| pulls[entry.source as usize]);
            score += f64::from(entry.count + entry.imports) * pull;
        }
        score
    }

    /// Places of files, the most central first.
    pub(super) fn order(&self, places: &[u32]) -> Vec<u32> {
        let mut order = places.to_vec();
        order.sort_by(|a, b| self.file(*b).total_cmp(&self.file(*a)).then(a.cmp(b)));
        order
    }
}

/// Which file uses which, and how much: by user.
struct Edges {
    starts: Vec<usize>,
    targets: Vec<(u32, f64)>,
}

fn edges(atlas: &Atlas) -> Edges {
    let mut all: Vec<(u32, u32, f64)> = Vec::new();
    for entry in atlas.all_uses().iter().filter(|entry| entry.source != entry.target.file) {
        // The tenth use of a symbol by one file says less than the first.
        all.push((entry.source, entry.target.file, f64::from(entry.locations()).sqrt()));
    }
    all.sort_by_key(|edge| (edge.0, edge.1));
    let mut edges = Edges { starts: vec![0; atlas.files.len() + 1], targets: Vec::new() };
    for run in all.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        edges.starts[run[0].0 as usize + 1] += 1;
        edges.targets.push((run[0].1, run.iter().map(|edge| edge.2).sum()));
    }
    for place in 1..edges.starts.len() {
        edges.starts[place] += edges.starts[place - 1];
    }
    edges
}

/// Where the walk starts: everywhere, or at what the asker works on.
fn start(files: usize, interest: &Interest) -> Vec<f64> {
    let mut start = vec![0.0; files];
    interest.files.iter().for_each(|place| start[*place as usize] = 1.0);
    interest.symbols.iter().for_each(|at| start[at.file as usize] = 1.0);
    let total: f64 = start.iter().sum();
    match total > 0.0 {
        true => start.iter_mut().for_each(|weight| *weight /= total),
        false => start.iter_mut().for_each(|weight| *weight = 1.0 / files.max(1) as f64),
    }
    start
}

fn walk(edges: &Edges, start: &[f64]) -> Vec<f64> {
    let mut ranks = start.to_vec();
    for _ in 0..ROUNDS {
        let mut next = vec![0.0; start.len()];
        let mut idle = 0.0;
        for (place, rank) in ranks.iter().enumerate() {
            let targets = &edges.targets[edges.starts[place]..edges.starts[place + 1]];
            let total: f64 = targets.iter().map(|(_, weight)| weight).sum();
            if targets.is_empty() {
                idle += rank;
            }
            for (target, weight) in targets {
                next[*target as usize] += rank * weight / total;
            }
        }
        for (place, rank) in next.iter_mut().enumerate() {
            *rank = DAMPING * (*rank + idle * start[place]) + (1.0 - DAMPING) * start[place];
        }
        ranks = next;
    }
    ranks
}
