//! What breaks if a symbol changes: everything that uses it, directly or through others, with the way it got there.

use codegraph_model::{Certainty, RefKind};
use codegraph_store::SymbolRow;
use rustc_hash::FxHashSet;
use serde::Serialize;

use crate::callers::DEEPEST;
use crate::dispatch::{open_uses, overridden};
use crate::flow::Flows;
use crate::graph::{Graph, Site};
use crate::paths::is_test;
use crate::relation::{Describer, SymbolBrief};
use crate::select::{Selection, Unselected, select};
use crate::unbound::{Unbound, Wished};
use crate::{Note, Reader, Remarks, Result, Selector, Window};

/// Symbols that a walk visits at most.
const MOST: usize = 50_000;
/// Symbols at most for which other methods are looked for that they stand for.
const MOST_DISPATCHED: usize = 5_000;

/// A question for everything that a change concerns.
#[derive(Clone, Debug)]
pub struct Impact {
    /// A name, a qualified name, `file:line`, an id or a prefix of one.
    pub symbol: Selector,
    pub depth: u32,
    pub window: Window,
}

impl Default for Impact {
    fn default() -> Impact {
        Impact { symbol: Selector::default(), depth: 3, window: Window::default() }
    }
}

/// What a change concerns, or why no symbol was meant.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum ImpactAnswer {
    Found(Box<ImpactList>),
    Unselected(Unselected),
}

/// A symbol that a change reaches.
#[derive(Clone, Debug, Serialize)]
pub struct Affected {
    pub depth: u32,
    pub symbol: SymbolBrief,
    /// What it uses, and how and where.
    pub via: String,
    pub kind: RefKind,
    pub line_number: u32,
    /// A candidate is reached only if a call runs another method than the one that it names.
    pub certainty: Certainty,
    /// The method that the call names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub through: Option<String>,
}

/// Everything that a change reaches, nearest first.
#[derive(Clone, Debug, Serialize)]
pub struct ImpactList {
    pub symbol: SymbolBrief,
    pub affected: Vec<Affected>,
    pub total: usize,
    /// Distinct files among them.
    pub files: usize,
    /// Those in files of tests, apart from the others.
    pub tests: Vec<Affected>,
    pub total_tests: usize,
    /// So many steps were gone.
    #[serde(skip)]
    pub levels: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
    pub unbound: Unbound,
    #[serde(flatten)]
    pub remarks: Remarks,
}

struct Reached {
    depth: u32,
    row: SymbolRow,
    via: SymbolRow,
    site: Site,
    /// The method that is called where another one may run.
    through: Option<SymbolRow>,
}

/// Answers what a change of a symbol concerns.
pub fn impact(reader: &Reader, question: &Impact) -> Result<ImpactAnswer> {
    let row = match select(reader, &question.symbol)? {
        Selection::One(view, id) => SymbolRow::new(view.record.id, id),
        Selection::Other(other) => return Ok(ImpactAnswer::Unselected(other)),
    };
    let graph = Graph::new(reader);
    let (reached, complete) = walk(&graph, row, question.depth.clamp(1, DEEPEST))?;
    let mut describer = Describer::new(&graph);
    let (mut code, mut tests) = (Vec::new(), Vec::new());
    let mut files = FxHashSet::default();
    for one in reached {
        files.insert(one.row.file);
        let list = if is_test(&reader.record(one.row.file)?.path) { &mut tests } else { &mut code };
        list.push(one);
    }
    let mut show = |list: &[Reached]| {
        let shown = question.window.of(list).iter();
        shown.map(|one| affected(&mut describer, one)).collect::<Result<Vec<_>>>()
    };
    let (shown, shown_tests) = (show(&code)?, show(&tests)?);
    if !complete {
        describer.remarks.note(Note::StoppedAfter { symbols: MOST });
    }
    Ok(ImpactAnswer::Found(Box::new(ImpactList {
        symbol: describer.brief(row)?,
        affected: shown,
        total: code.len(),
        files: files.len(),
        tests: shown_tests,
        total_tests: tests.len(),
        next_offset: question.window.next(code.len().max(tests.len())),
        unbound: describer.unbound(&[row], &Wished { few: true, ..Wished::COUNT })?,
        levels: question.depth.clamp(1, DEEPEST),
        remarks: describer.remarks,
    })))
}

/// Dependents level by level; a type is concerned with all its members.
fn walk(graph: &Graph<'_>, start: SymbolRow, depth: u32) -> Result<(Vec<Reached>, bool)> {
    let own = graph.with_members(start)?;
    let mut seen: FxHashSet<SymbolRow> = own.iter().copied().collect();
    let mut level = own.clone();
    let mut all = Vec::new();
    // Where the symbol runs as a value, it runs for whoever calls that.
    let flows = Flows::around(graph, start, true)?;
    for depth in 1..=depth {
        let mut next = Vec::new();
        for via in level {
            let through = flows.callers(via).map(|call| Site { certainty: Certainty::Inferred, ..call.site });
            for site in graph.uses_of(via)?.into_iter().chain(through) {
                let row = graph.entity(site.user)?;
                if seen.insert(row) {
                    next.push(row);
                    all.push(Reached { depth, row, via, site, through: None });
                }
                if all.len() >= MOST {
                    return Ok((all, false));
                }
            }
        }
        // Code outside of all functions runs when its file is loaded; nobody refers to it by a name.
        level = next.into_iter().filter(|row| row.symbol.0 != 0).collect();
        if level.is_empty() {
            break;
        }
    }
    let complete = add_dispatched(graph, &own, depth, &mut seen, &mut all)?;
    Ok((all, complete))
}

/// Adds those whom a change reaches only because a call of another method may run one that it reached, and whoever
/// depends on them.
fn add_dispatched(
    graph: &Graph<'_>,
    own: &[SymbolRow],
    depth: u32,
    seen: &mut FxHashSet<SymbolRow>,
    all: &mut Vec<Reached>,
) -> Result<bool> {
    let mut work: Vec<(SymbolRow, u32, bool)> = own.iter().map(|row| (*row, 0, true)).collect();
    work.extend(all.iter().map(|one| (one.row, one.depth, true)));
    let mut at = 0;
    while let Some((via, near, certain)) = work.get(at).copied() {
        at += 1;
        if at > MOST_DISPATCHED {
            return Ok(false);
        }
        if near >= depth || via.symbol.0 == 0 {
            continue;
        }
        let mut sites: Vec<(Site, Option<SymbolRow>)> = Vec::new();
        if !certain {
            sites.extend(graph.uses_of(via)?.into_iter().map(|site| (site, None)));
        }
        for base in overridden(graph, via)? {
            sites.extend(open_uses(graph, base)?.into_iter().map(|site| (site, Some(base))));
        }
        for (site, through) in sites {
            let row = graph.entity(site.user)?;
            if seen.insert(row) {
                let site = Site { certainty: Certainty::Candidate, ..site };
                all.push(Reached { depth: near + 1, row, via, site, through });
                work.push((row, near + 1, false));
            }
        }
    }
    Ok(true)
}

fn affected(describer: &mut Describer<'_, '_>, one: &Reached) -> Result<Affected> {
    let view = describer.view(one.site.user)?;
    Ok(Affected {
        depth: one.depth,
        symbol: describer.brief(one.row)?,
        via: describer.brief(one.via)?.fqn,
        kind: one.site.reference.kind,
        line_number: view.facts().line_of(one.site.reference.span.start),
        certainty: one.site.certainty,
        through: one.through.map(|base| describer.brief(base).map(|base| base.fqn)).transpose()?,
    })
}
