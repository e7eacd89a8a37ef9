//! Who calls a symbol and what it calls, in all repositories: level by level.

use std::collections::BTreeMap;

use codegraph_model::Certainty;
use codegraph_query::{Call, CallList, Calls, CallsAnswer, Remarks, Unbound};
use rustc_hash::FxHashSet;

use super::select::Selection;
use super::sites::Site;
use super::{FoundSymbol, part};
use crate::{Org, Result};

/// The deepest walk that is done.
const DEEPEST: u32 = 16;
/// Beyond so many symbols a walk ends.
const MOST_SYMBOLS: usize = 20_000;

impl Org {
    /// Answers who calls a symbol.
    pub fn callers(&self, question: &Calls) -> Result<CallsAnswer> {
        let symbol = match self.select(&question.symbol)? {
            Selection::One(symbol) => symbol,
            Selection::Other(other) => return Ok(CallsAnswer::Unselected(other)),
        };
        let mut seen: FxHashSet<(i32, String)> = FxHashSet::from_iter([symbol.identity()]);
        let mut level = vec![(*symbol).clone()];
        let mut calls = Vec::new();
        for depth in 1..=question.depth.min(DEEPEST) {
            let asked: Vec<(i32, String)> = level.iter().map(FoundSymbol::identity).collect();
            let sites = self.sites(&asked)?.into_iter().filter(|site| site.kind.contract() == "call");
            let grouped = group(sites);
            let mut next = Vec::new();
            for ((of, ..), sites) in grouped {
                let user = &sites[0].user;
                let recursive = user.identity() == level[of].identity();
                calls.push(call(depth, &level[of], &sites, recursive, depth > 1));
                if seen.insert(user.identity()) {
                    next.push(user.clone());
                }
            }
            if next.is_empty() || seen.len() > MOST_SYMBOLS {
                break;
            }
            level = next;
        }
        if let Some(filter) = &question.file_filter {
            let accepted = codegraph_query::file_filter(filter)?;
            calls.retain(|call| accepted(&call.file));
        }
        Ok(list(&symbol, calls, question, true))
    }

    /// Answers what a symbol calls.
    pub fn callees(&self, question: &Calls) -> Result<CallsAnswer> {
        let symbol = match self.select(&question.symbol)? {
            Selection::One(symbol) => symbol,
            Selection::Other(other) => return Ok(CallsAnswer::Unselected(other)),
        };
        let mut seen: FxHashSet<(i32, String)> = FxHashSet::from_iter([symbol.identity()]);
        let mut level = vec![(*symbol).clone()];
        let mut calls = Vec::new();
        for depth in 1..=question.depth.min(DEEPEST) {
            let mut next = Vec::new();
            for from in &level {
                let mut called: BTreeMap<(String, String), Call> = BTreeMap::new();
                for used in self.uses_by(from)?.into_iter().filter(|used| used.kind.contract() == "call") {
                    let project = used.target.as_ref().and_then(|target| target.brief.project.clone());
                    let name = used.target.as_ref().map_or(used.name.clone(), |target| target.brief.fqn.clone());
                    let entry = called.entry((project.unwrap_or_default(), name.clone())).or_insert_with(|| Call {
                        depth,
                        symbol: used.target.as_ref().map(|target| target.brief.clone()),
                        name,
                        external: used.target.is_none(),
                        via: (depth > 1).then(|| from.brief.fqn.clone()),
                        file: used.path.clone(),
                        lines: Vec::new(),
                        sites: 0,
                        certainty: Certainty::Exact,
                        way: Vec::new(),
                        recursive: used.target.as_ref().is_some_and(|target| target.identity() == from.identity()),
                        is_conditional: None,
                    });
                    entry.lines.push(used.line);
                    entry.sites += 1;
                    entry.certainty = entry.certainty.max(used.certainty);
                    if let Some(target) = used.target.filter(|target| seen.insert(target.identity())) {
                        next.push(target);
                    }
                }
                calls.extend(called.into_values());
            }
            if next.is_empty() || seen.len() > MOST_SYMBOLS {
                break;
            }
            level = next;
        }
        Ok(list(&symbol, calls, question, false))
    }
}

type Group = (usize, String, String, String);

/// Sites by what they use and who uses it.
fn group(sites: impl Iterator<Item = Site>) -> BTreeMap<Group, Vec<Site>> {
    let mut grouped: BTreeMap<Group, Vec<Site>> = BTreeMap::new();
    for site in sites {
        let project = site.user.brief.project.clone().unwrap_or_default();
        grouped.entry((site.of, project, site.path.clone(), site.user.key.clone())).or_default().push(site);
    }
    grouped
}

fn call(depth: u32, of: &FoundSymbol, sites: &[Site], recursive: bool, deeper: bool) -> Call {
    let user = &sites[0].user;
    Call {
        depth,
        symbol: Some(user.brief.clone()),
        name: user.brief.fqn.clone(),
        external: false,
        via: deeper.then(|| of.brief.fqn.clone()),
        file: sites[0].path.clone(),
        lines: sites.iter().map(|site| site.line).collect(),
        sites: sites.len(),
        certainty: sites.iter().map(|site| site.certainty).max().unwrap_or(Certainty::Exact),
        way: Vec::new(),
        recursive,
        is_conditional: None,
    }
}

fn list(symbol: &FoundSymbol, calls: Vec<Call>, question: &Calls, of_callers: bool) -> CallsAnswer {
    let (total, total_sites) = (calls.len(), calls.iter().map(|call| call.sites).sum());
    let (calls, next_offset) = part(calls, question.window);
    CallsAnswer::Found(Box::new(CallList {
        symbol: symbol.brief.clone(),
        calls,
        total,
        total_sites,
        next_offset,
        dispatch: Vec::new(),
        total_dispatch: 0,
        unbound: Unbound::default(),
        of_callers,
        remarks: Remarks::default(),
    }))
}
