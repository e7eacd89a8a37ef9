//! How one symbol reaches another: the shortest chain of uses.

use std::collections::VecDeque;

use codegraph_store::{LinkTarget, SymbolRow};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

use crate::graph::{Graph, Site};
use crate::relation::{Describer, SiteInfo, SymbolBrief};
use crate::select::{Selection, Unselected, select};
use crate::{Note, Reader, Remarks, Result, Selector};

/// Symbols that a search visits at most.
const MOST: usize = 50_000;

/// The chain, or why an end was not found.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum PathAnswer {
    Found(Box<Route>),
    Unselected(Unselected),
}

/// A chain of uses from one symbol to another; no steps if there is none.
#[derive(Clone, Debug, Serialize)]
pub struct Route {
    pub from: SymbolBrief,
    pub to: SymbolBrief,
    pub connected: bool,
    pub steps: Vec<RouteStep>,
    #[serde(flatten)]
    pub remarks: Remarks,
}

/// One use on the way: the user of the site uses the symbol.
#[derive(Clone, Debug, Serialize)]
pub struct RouteStep {
    pub symbol: SymbolBrief,
    pub site: SiteInfo,
}

/// Answers how one symbol reaches another.
pub fn path(reader: &Reader, from: &Selector, to: &Selector) -> Result<PathAnswer> {
    let (from, to) = match (select(reader, from)?, select(reader, to)?) {
        (Selection::Other(other), _) | (_, Selection::Other(other)) => return Ok(PathAnswer::Unselected(other)),
        (Selection::One(a, from), Selection::One(b, to)) => {
            (SymbolRow::new(a.record.id, from), SymbolRow::new(b.record.id, to))
        }
    };
    let graph = Graph::new(reader);
    let (found, complete) = search(&graph, from, to)?;
    let mut describer = Describer::new(&graph);
    if !complete {
        describer.remarks.note(Note::GaveUp { after: MOST });
    }
    let mut steps = Vec::new();
    for (symbol, site) in found.iter().flatten() {
        steps.push(RouteStep { symbol: describer.brief(*symbol)?, site: describer.site(site)? });
    }
    Ok(PathAnswer::Found(Box::new(Route {
        from: describer.brief(from)?,
        to: describer.brief(to)?,
        connected: found.is_some(),
        steps,
        remarks: describer.remarks,
    })))
}

type Chain = Vec<(SymbolRow, Site)>;

/// The shortest chain from a symbol to another or to something inside it.
fn search(graph: &Graph<'_>, from: SymbolRow, to: SymbolRow) -> Result<(Option<Chain>, bool)> {
    let goals: FxHashSet<SymbolRow> = graph.with_members(to)?.into_iter().collect();
    let mut came: FxHashMap<SymbolRow, (SymbolRow, Site)> = FxHashMap::default();
    let mut queue = VecDeque::from([from]);
    let mut seen = FxHashSet::from_iter([from]);
    while let Some(at) = queue.pop_front() {
        if seen.len() > MOST {
            return Ok((None, false));
        }
        for used in graph.uses_by(at)? {
            let LinkTarget::Symbol(next) = used.target else { continue };
            if !seen.insert(next) {
                continue;
            }
            came.insert(next, (at, used.site));
            if goals.contains(&next) {
                return Ok((Some(chain(&came, from, next)), true));
            }
            // A module is used by importing it; that does not run what is in it.
            if next.symbol.0 != 0 {
                queue.push_back(next);
            }
        }
    }
    Ok((None, true))
}

fn chain(came: &FxHashMap<SymbolRow, (SymbolRow, Site)>, from: SymbolRow, to: SymbolRow) -> Chain {
    let mut chain = Vec::new();
    let mut at = to;
    while at != from {
        let (before, site) = came[&at];
        chain.push((at, site));
        at = before;
    }
    chain.reverse();
    chain
}
