//! Things that use each other in a circle: files, or functions that call each other.

use codegraph_model::FileId;
use codegraph_store::{LinkTarget, SymbolRow};
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::deps::targets;
use crate::graph::{Graph, is_call};
use crate::relation::Describer;
use crate::{Reader, Remarks, Result, Window};

/// A question for circles.
#[derive(Clone, Debug, Default)]
pub struct Cycles {
    /// Functions that call each other instead of files.
    pub symbols: bool,
    pub window: Window,
}

/// A group in which everything reaches everything.
#[derive(Clone, Debug, Serialize)]
pub struct Cycle {
    /// All members, sorted.
    pub members: Vec<String>,
    pub size: usize,
    /// The shortest way round through the first member.
    pub example: Vec<String>,
}

/// What goes in circles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CycleOf {
    Files,
    Symbols,
}

/// Circles, the largest first.
#[derive(Clone, Debug, Serialize)]
pub struct CyclesAnswer {
    pub of: CycleOf,
    pub cycles: Vec<Cycle>,
    pub total: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
    #[serde(flatten)]
    pub remarks: Remarks,
}

/// Answers what uses each other in a circle.
pub fn cycles(reader: &Reader, question: &Cycles) -> Result<CyclesAnswer> {
    let names = if question.symbols { symbols(reader)? } else { files(reader)? };
    let components = components(&names.edges);
    let mut found: Vec<Cycle> = components.iter().map(|members| cycle(&names, members)).collect();
    found.sort_by(|a, b| (b.size, &a.members).cmp(&(a.size, &b.members)));
    Ok(CyclesAnswer {
        of: if question.symbols { CycleOf::Symbols } else { CycleOf::Files },
        cycles: question.window.of(&found).to_vec(),
        total: found.len(),
        next_offset: question.window.next(found.len()),
        remarks: Remarks::of(reader),
    })
}

/// A graph with names.
struct Named {
    names: Vec<String>,
    edges: Vec<Vec<u32>>,
}

fn files(reader: &Reader) -> Result<Named> {
    let records = reader.store.files()?;
    let numbers: FxHashMap<FileId, u32> = records.iter().enumerate().map(|(i, r)| (r.id, i as u32)).collect();
    let mut edges = Vec::with_capacity(records.len());
    for record in &records {
        let mut to: Vec<u32> =
            targets(reader, record.id)?.keys().filter_map(|file| numbers.get(file).copied()).collect();
        to.sort_unstable();
        edges.push(to);
    }
    Ok(Named { names: records.into_iter().map(|record| record.path).collect(), edges })
}

fn symbols(reader: &Reader) -> Result<Named> {
    let graph = Graph::new(reader);
    let mut numbers: FxHashMap<SymbolRow, u32> = FxHashMap::default();
    let (mut rows, mut edges): (Vec<SymbolRow>, Vec<Vec<u32>>) = (Vec::new(), Vec::new());
    for file in reader.store.file_ids()? {
        let file = graph.file(file)?;
        for bound in &file.links.bound {
            let reference = &file.stored.facts.refs[bound.reference.index()];
            if let LinkTarget::Symbol(to) = file.links.target(bound)
                && is_call(reference.kind)
            {
                let from = SymbolRow::new(file.id, file.user(reference));
                let [from, to] = [from, *to].map(|row| {
                    *numbers.entry(row).or_insert_with(|| {
                        rows.push(row);
                        edges.push(Vec::new());
                        rows.len() as u32 - 1
                    })
                });
                edges[from as usize].push(to);
            }
        }
    }
    edges.iter_mut().for_each(|to| {
        to.sort_unstable();
        to.dedup();
    });
    let circular = components(&edges);
    let mut describer = Describer::new(&graph);
    let mut names = vec![String::new(); rows.len()];
    for member in circular.iter().flatten() {
        names[*member as usize] = describer.brief(rows[*member as usize])?.fqn;
    }
    Ok(Named { names, edges })
}

fn cycle(graph: &Named, members: &[u32]) -> Cycle {
    let mut names: Vec<String> = members.iter().map(|member| graph.names[*member as usize].clone()).collect();
    names.sort_unstable();
    let first = members.iter().copied().min_by_key(|member| &graph.names[*member as usize]).unwrap_or(0);
    let example = round(&graph.edges, first).iter().map(|member| graph.names[*member as usize].clone()).collect();
    Cycle { size: names.len(), members: names, example }
}

/// The shortest way from a node back to itself, both ends included.
fn round(edges: &[Vec<u32>], start: u32) -> Vec<u32> {
    let mut came: FxHashMap<u32, u32> = FxHashMap::default();
    let mut queue = std::collections::VecDeque::from([start]);
    while let Some(at) = queue.pop_front() {
        for next in &edges[at as usize] {
            if *next == start {
                let mut way = vec![start, at];
                let mut at = at;
                while at != start {
                    at = came[&at];
                    way.push(at);
                }
                way.reverse();
                return way;
            }
            if !came.contains_key(next) {
                came.insert(*next, at);
                queue.push_back(*next);
            }
        }
    }
    Vec::new()
}

/// The strongly connected components with more than one member (Tarjan's algorithm, without recursion).
pub(crate) fn components(edges: &[Vec<u32>]) -> Vec<Vec<u32>> {
    const NEW: u32 = u32::MAX;
    let count = edges.len();
    let (mut index, mut low) = (vec![NEW; count], vec![0u32; count]);
    let mut on_stack = vec![false; count];
    let (mut stack, mut work, mut found) = (Vec::new(), Vec::new(), Vec::new());
    let mut next = 0;
    for root in 0..count as u32 {
        if index[root as usize] != NEW {
            continue;
        }
        work.push((root, 0usize));
        while let Some((node, place)) = work.pop() {
            let at = node as usize;
            if place == 0 {
                (index[at], low[at]) = (next, next);
                next += 1;
                stack.push(node);
                on_stack[at] = true;
            } else {
                let child = edges[at][place - 1] as usize;
                low[at] = low[at].min(low[child]);
            }
            let rest = edges[at][place..].iter().position(|to| {
                let to = *to as usize;
                if on_stack[to] {
                    low[at] = low[at].min(index[to]);
                }
                index[to] == NEW
            });
            if let Some(skip) = rest {
                work.push((node, place + skip + 1));
                work.push((edges[at][place + skip], 0));
            } else if low[at] == index[at] {
                let start = stack.iter().rposition(|member| *member == node).expect("a root is on the stack");
                let members: Vec<u32> = stack.drain(start..).collect();
                members.iter().for_each(|member| on_stack[*member as usize] = false);
                if members.len() > 1 {
                    found.push(members);
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_are_found_in_any_shape() {
        let edges = vec![vec![1], vec![2], vec![0, 3], vec![4], vec![3, 5], vec![5]];
        let mut found = components(&edges);
        found.iter_mut().for_each(|members| members.sort_unstable());
        found.sort();
        assert_eq!(found, [vec![0, 1, 2], vec![3, 4]]);
        assert_eq!(round(&edges, 0), [0, 1, 2, 0]);
    }
}
