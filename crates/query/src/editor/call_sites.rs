//! Who calls a symbol and what it calls, one step, with every place of a call.

use std::collections::BTreeMap;
use std::rc::Rc;

use codegraph_store::{LinkTarget, SymbolRow};
use serde::Serialize;

use super::implementations::{described, meant};
use crate::graph::{Graph, Site, is_call};
use crate::recent::Recent;
use crate::refs::uses;
use crate::symbol::Place;
use crate::{Definition, Reader, Result, Selector};

/// The other ends of calls.
pub type CallEnds = Vec<CallEnd>;

/// A caller or a callee with the places of the calls, all in the file of the caller.
#[derive(Clone, Debug, Serialize)]
pub struct CallEnd {
    pub symbol: Definition,
    pub sites: Vec<Place>,
}

/// Answers who calls the symbol that is meant.
pub fn incoming_calls(reader: &Reader, selector: &Selector) -> Result<CallEnds> {
    let graph = Graph::new(reader);
    let mut found = BTreeMap::new();
    for row in meant(&graph, selector)? {
        for site in uses(&graph, row)?.into_iter().filter(|site| is_call(site.reference.kind)) {
            add(&mut found, site.user, site);
        }
    }
    ends(&graph, found)
}

/// Answers what the symbol that is meant calls, inside the project.
pub fn outgoing_calls(reader: &Reader, selector: &Selector) -> Result<CallEnds> {
    let graph = Graph::new(reader);
    let mut found = BTreeMap::new();
    for row in meant(&graph, selector)? {
        for used in graph.uses_by(row)?.into_iter().filter(|used| is_call(used.site.reference.kind)) {
            if let LinkTarget::Symbol(target) = used.target {
                add(&mut found, target, used.site);
            }
        }
    }
    ends(&graph, found)
}

/// The other ends with the order in which they came, and their sites.
type FarEnds = BTreeMap<SymbolRow, (usize, Vec<Site>)>;

fn add(found: &mut FarEnds, far: SymbolRow, site: Site) {
    let place = found.len();
    found.entry(far).or_insert_with(|| (place, Vec::new())).1.push(site);
}

fn ends(graph: &Graph<'_>, found: FarEnds) -> Result<CallEnds> {
    let mut ordered: Vec<_> = found.into_iter().collect();
    ordered.sort_by_key(|(_, (place, _))| *place);
    let symbols = described(graph, ordered.iter().map(|(row, _)| *row))?;
    let views = Recent::default();
    let end = |(symbol, (_, (_, sites))): (Definition, (SymbolRow, (usize, Vec<Site>)))| {
        let file = sites[0].user.file;
        let view = views.get(file, || Ok(Rc::new(graph.reader.view_of(file)?)))?;
        let sites = sites.iter().map(|site| view.place(site.reference.span)).collect();
        Ok(CallEnd { symbol, sites })
    };
    symbols.into_iter().zip(ordered).map(end).collect()
}
