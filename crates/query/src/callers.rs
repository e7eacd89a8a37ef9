//! Who calls a symbol, and what it calls: level by level, each pair once with its sites counted.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use codegraph_live::Live;
use codegraph_model::{Certainty, FileId, RefKind, Span};
use codegraph_store::{LinkTarget, SymbolRow};
use rustc_hash::FxHashSet;
use serde::Serialize;

use crate::dispatch::{first_open, implementations, open_uses, overridden};
use crate::flow::{Flows, ValueCall};
use crate::graph::{Graph, Site, Use, is_call};
use crate::linked::{Gate, select_across, sites_into};
use crate::paths::FileFilter;
use crate::refs::uses;
use crate::relation::{Describer, SymbolBrief};
use crate::select::{Selection, Unselected};
use crate::unbound::{Unbound, Wished, candidate};
use crate::{Note, Reader, Remarks, Result, Selector, Window, vocabulary};

/// The deepest walk that is done.
pub(crate) const DEEPEST: u32 = 32;

/// A question for callers or callees.
#[derive(Clone, Debug)]
pub struct Calls {
    /// A name, a qualified name, `file:line`, an id or a prefix of one.
    pub symbol: Selector,
    /// How many levels to go.
    pub depth: u32,
    /// List the sites that only name the symbol, and nothing else.
    pub candidates: bool,
    /// Only sites in these files.
    pub file_filter: Option<String>,
    pub window: Window,
}

impl Default for Calls {
    fn default() -> Calls {
        Calls { symbol: Selector::default(), depth: 1, candidates: false, file_filter: None, window: Window::default() }
    }
}

/// The callers or callees of a symbol, or why none was meant.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum CallsAnswer {
    Found(Box<CallList>),
    Unselected(Unselected),
}

/// One caller or callee.
#[derive(Clone, Debug, Serialize)]
pub struct Call {
    pub depth: u32,
    /// The symbol at the other end; absent for something outside the project.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol: Option<SymbolBrief>,
    /// Its name; for something outside the project the path that it is imported by.
    pub name: String,
    pub external: bool,
    /// The qualified name of the nearer end, on deeper levels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub via: Option<String>,
    /// The file and the lines of the sites.
    pub file: String,
    pub lines: Vec<u32>,
    /// How many sites there are.
    pub sites: usize,
    /// The weakest certainty of the sites.
    pub certainty: Certainty,
    /// Where the function went as a value before it is called, the first place first; absent where it is called by name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub way: Vec<String>,
    /// The function calls itself.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub recursive: bool,
    /// Every call of it may be left out: it is in a branch, or where something may have failed before. Of callees.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_conditional: Option<bool>,
}

/// A method that may run in place of another.
#[derive(Clone, Debug, Serialize)]
pub struct Dispatch {
    /// The caller, or the method that may be called.
    pub symbol: SymbolBrief,
    /// The method that the call is bound to.
    pub through: String,
    pub file: String,
    pub line_number: u32,
}

/// Callers or callees by level, path and position.
#[derive(Clone, Debug, Serialize)]
pub struct CallList {
    pub symbol: SymbolBrief,
    pub calls: Vec<Call>,
    pub total: usize,
    /// All sites of the list.
    pub total_sites: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
    /// What may be meant at run time: calls of methods that this one stands for, or methods that stand for a callee.
    pub dispatch: Vec<Dispatch>,
    pub total_dispatch: usize,
    /// Sites that name the symbol but could not be bound. For callees: calls in it that could not be bound.
    pub unbound: Unbound,
    /// Whether these are callers.
    #[serde(skip)]
    pub of_callers: bool,
    #[serde(flatten)]
    pub remarks: Remarks,
}

/// Answers who calls a symbol.
pub fn callers(reader: &Reader, question: &Calls) -> Result<CallsAnswer> {
    match select_across(reader, &question.symbol)? {
        (home, Selection::One(view, id)) => {
            let row = SymbolRow::new(view.record.id, id);
            match std::ptr::eq(home, reader) {
                true => answer_for(reader, row, question, Direction::Callers),
                false => linked_callers(reader, home, row, question),
            }
        }
        (_, Selection::Other(other)) => Ok(CallsAnswer::Unselected(other)),
    }
}

/// The callers of a symbol of a linked project: those in the project first, then those in the linked one.
fn linked_callers(reader: &Reader, home: &Reader, row: SymbolRow, question: &Calls) -> Result<CallsAnswer> {
    let mut answer =
        match answer_for(home, row, &Calls { window: Window::ALL, ..question.clone() }, Direction::Callers)? {
            CallsAnswer::Found(found) => *found,
            other => return Ok(other),
        };
    let (own, graph) = (Graph::new(reader), Graph::new(home));
    let sites = sites_into(&own, &graph, row)?.into_iter().filter(|site| is_call(site.reference.kind));
    let mut direct: BTreeMap<SymbolRow, Vec<Site>> = BTreeMap::new();
    sites.for_each(|site| direct.entry(site.user).or_default().push(site));
    let mut describer = Describer::new(&own);
    let mut calls = Vec::new();
    for (user, sites) in &direct {
        let edge =
            Edge { depth: 1, near: *user, far: LinkTarget::Symbol(*user), sites: sites.clone(), way: Vec::new() };
        calls.push(Call { recursive: false, ..call(&mut describer, &edge, *user)? });
    }
    calls.sort_by(|a, b| (&a.file, a.lines.first()).cmp(&(&b.file, b.lines.first())));
    let users: Vec<SymbolRow> = direct.keys().copied().collect();
    for edge in walk(&own, &users, question.depth.clamp(1, DEEPEST) - 1, Direction::Callers, &Flows::default())? {
        let edge = Edge { depth: edge.depth + 1, ..edge };
        calls.push(call(&mut describer, &edge, row)?);
    }
    let linked = std::mem::replace(&mut answer.remarks, describer.remarks);
    answer.remarks.join(home, linked, true);
    calls.append(&mut answer.calls);
    answer.total_sites = calls.iter().map(|call| call.sites).sum();
    answer.total = calls.len();
    answer.next_offset = question.window.next(calls.len());
    answer.calls = question.window.of(&calls).to_vec();
    answer.dispatch.truncate(question.window.limit);
    Ok(CallsAnswer::Found(Box::new(answer)))
}

/// Answers what a symbol calls.
pub fn callees(reader: &Reader, question: &Calls) -> Result<CallsAnswer> {
    let (home, row) = match select_across(reader, &question.symbol)? {
        (home, Selection::One(view, id)) => (home, SymbolRow::new(view.record.id, id)),
        (_, Selection::Other(other)) => return Ok(CallsAnswer::Unselected(other)),
    };
    answer_for(home, row, question, Direction::Callees)
}

/// Callees that lie outside and that a linked project has are shown as it has them.
fn enter_linked(graph: &Graph<'_>, edges: &[Edge], calls: &mut [Call]) -> Result<()> {
    for linked in graph.reader.linked() {
        let home = Graph::new(linked);
        let live = Live::new(&linked.store);
        let mut gate = Gate::of(&home, &live);
        let mut describer = Describer::new(&home);
        for (edge, call) in edges.iter().zip(calls.iter_mut()).filter(|(_, call)| call.external) {
            let LinkTarget::External(path) = &edge.far else { continue };
            let Some(row) = gate.enter_from(graph, &edge.sites[0], path)? else { continue };
            let symbol = describer.brief(row)?;
            (call.name, call.external) = (symbol.fqn.clone(), false);
            call.symbol = Some(symbol);
        }
        live.check()?;
    }
    Ok(())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Callers,
    Callees,
}

/// An edge that a walk found, with all its sites.
struct Edge {
    depth: u32,
    near: SymbolRow,
    far: LinkTarget,
    sites: Vec<Site>,
    /// Where the value went that is called.
    way: Way,
}

fn answer_for(reader: &Reader, row: SymbolRow, question: &Calls, direction: Direction) -> Result<CallsAnswer> {
    let files = FileFilter::new(question.file_filter.as_deref())?;
    let graph = Graph::new(reader);
    let flows = Flows::around(&graph, row, direction == Direction::Callers)?;
    let mut edges = walk(&graph, &[row], question.depth.clamp(1, DEEPEST), direction, &flows)?;
    let in_files = |site: &Site| Ok::<_, crate::Error>(files.accepts(&reader.record(site.user.file)?.path));
    for edge in &mut edges {
        retain(&mut edge.sites, in_files)?;
    }
    edges.retain(|edge| !edge.sites.is_empty());
    let mut describer = Describer::new(&graph);
    let shown = if question.candidates { &[] } else { question.window.of(&edges) };
    let mut calls = shown.iter().map(|edge| call(&mut describer, edge, row)).collect::<Result<Vec<Call>>>()?;
    if direction == Direction::Callees {
        mark_conditional(&graph, shown, &mut calls)?;
        enter_linked(&graph, shown, &mut calls)?;
    }
    let mut dispatched = match direction {
        Direction::Callers => dispatched_callers(&graph, row, &flows)?,
        Direction::Callees => dispatched_callees(&graph, row, &edges, &flows)?,
    };
    retain(&mut dispatched, |(_, _, site)| in_files(site))?;
    let dispatch = dispatched.iter().take(if question.candidates { 0 } else { question.window.limit });
    let dispatch = dispatch.map(|(far, through, site)| dispatch_row(&mut describer, *far, *through, site));
    let dispatch = dispatch.collect::<Result<_>>()?;
    if direction == Direction::Callers {
        for end in ends(&edges, row, question.depth) {
            note_values(&graph, &mut describer, end, end == row)?;
        }
    }
    let listed = question.candidates.then_some(question.window);
    let unbound = match direction {
        Direction::Callers => {
            describer.unbound(&[row], &Wished { files: &files, kind: &is_call, listed, few: true })?
        }
        Direction::Callees => open_calls(&graph, &mut describer, row, listed)?,
    };
    Ok(CallsAnswer::Found(Box::new(CallList {
        symbol: describer.brief(row)?,
        calls,
        total: edges.len(),
        total_sites: edges.iter().map(|edge| edge.sites.len()).sum(),
        next_offset: question.window.next(edges.len()).filter(|_| !question.candidates),
        dispatch,
        total_dispatch: dispatched.len(),
        unbound,
        of_callers: direction == Direction::Callers,
        remarks: describer.remarks,
    })))
}

/// Keeps what is wanted, which may be asked of the index.
fn retain<T>(list: &mut Vec<T>, wanted: impl Fn(&T) -> Result<bool>) -> Result<()> {
    let mut failed = Ok(());
    list.retain(|one| {
        wanted(one).unwrap_or_else(|error| {
            failed = Err(error);
            false
        })
    });
    failed
}

/// Says of calls whether they may be left out. Each file is parsed once.
fn mark_conditional(graph: &Graph<'_>, edges: &[Edge], calls: &mut [Call]) -> Result<()> {
    let mut parts: BTreeMap<u32, Option<Vec<Span>>> = BTreeMap::new();
    for (edge, call) in edges.iter().zip(calls) {
        let file = edge.near.file;
        if let Entry::Vacant(free) = parts.entry(file.0) {
            let record = graph.reader.record(file)?;
            let language = vocabulary::language(&record.language)?;
            let source = graph.reader.source(&record).ok();
            free.insert(source.map(|source| codegraph_extract::conditionals(&source.bytes, language)));
        }
        let Some(parts) = &parts[&file.0] else { continue };
        let near = graph.file(file)?;
        let whole = near.stored.facts.symbols[edge.near.symbol.index()].span;
        let within = |part: &&Span| edge.near.symbol.0 == 0 || whole.start <= part.start && part.end <= whole.end;
        let branches: Vec<&Span> = parts.iter().filter(within).collect();
        let in_branch = |site: &Site| branches.iter().any(|part| part.contains(site.reference.span.start));
        call.is_conditional = Some(edge.sites.iter().all(in_branch));
    }
    Ok(())
}

/// As many places of values are named.
const MOST_VALUES: usize = 5;

/// As many ends of a walk are looked at.
const MOST_ENDS: usize = 8;

/// The symbols at which a walk to the callers ended before its depth: nobody calls them by name.
fn ends(edges: &[Edge], start: SymbolRow, depth: u32) -> Vec<SymbolRow> {
    let near: FxHashSet<SymbolRow> = edges.iter().map(|edge| edge.near).collect();
    let far = edges.iter().filter(|edge| edge.depth < depth).filter_map(|edge| match edge.far {
        LinkTarget::Symbol(row) => Some(row),
        LinkTarget::External(_) => None,
    });
    let mut seen = FxHashSet::default();
    let all = [start].into_iter().chain(far).filter(|row| row.symbol.0 != 0);
    all.filter(|row| !near.contains(row) && seen.insert(*row)).take(MOST_ENDS).collect()
}

/// A function without callers may be handed on: where.
fn note_values(graph: &Graph<'_>, describer: &mut Describer<'_, '_>, row: SymbolRow, is_asked: bool) -> Result<()> {
    let mut sites = Vec::new();
    for site in uses(graph, row)? {
        use RefKind::*;
        let is_value =
            !is_call(site.reference.kind) && !matches!(site.reference.kind, Import | TypeRef | Inherit | Implements);
        if is_value && !is_asked_for_a_member(graph, &site)? {
            sites.push(site);
        }
    }
    let mut places = Vec::new();
    for site in sites.iter().take(MOST_VALUES) {
        let view = describer.view(site.user)?;
        places.push(format!("{}:{}", view.record.path, view.facts().line_of(site.reference.span.start)));
    }
    if !places.is_empty() {
        let name = if is_asked { None } else { Some(describer.brief(row)?.scoped) };
        describer.remarks.note(Note::UsedAsValue { name, total: sites.len(), places });
    }
    Ok(())
}

/// Whether the name of a member follows: `View` in `View.prototype` goes nowhere.
fn is_asked_for_a_member(graph: &Graph<'_>, site: &Site) -> Result<bool> {
    let file = graph.file(site.user.file)?;
    let refs = &file.stored.facts.refs;
    let end = site.reference.span.end;
    let next = refs.get(refs.partition_point(|reference| reference.span.start < end));
    Ok(next.is_some_and(|member| member.receiver.is_some() && member.span.start <= end + 2))
}

type Dispatched = Vec<(SymbolRow, SymbolRow, Site)>;

/// Calls of the methods that this one stands for.
fn dispatched_callers(graph: &Graph<'_>, row: SymbolRow, flows: &Flows) -> Result<Dispatched> {
    let wrapped = graph.uses_of(row)?.into_iter().filter(|site| is_call(site.reference.kind));
    let wrapped = wrapped.filter_map(|site| Some((site.user, flows.instead(row, &site)?, site)));
    let mut found: Dispatched = wrapped.collect();
    for base in overridden(graph, row)? {
        found.extend(open_uses(graph, base)?.into_iter().map(|site| (site.user, base, site)));
    }
    Ok(found)
}

/// The methods that stand for those that are called directly.
fn dispatched_callees(graph: &Graph<'_>, row: SymbolRow, edges: &[Edge], flows: &Flows) -> Result<Dispatched> {
    let mut found = Vec::new();
    for used in graph.uses_by(row)?.into_iter().filter(|used| is_call(used.site.reference.kind)) {
        if let (Some(through), LinkTarget::Symbol(callee)) = (wrapper(flows, &used), used.target) {
            found.push((callee, through, used.site));
        }
    }
    for edge in edges.iter().filter(|edge| edge.depth == 1) {
        if let LinkTarget::Symbol(callee) = edge.far {
            let Some(site) = first_open(graph, &edge.sites)? else { continue };
            let methods = implementations(graph, callee)?;
            found.extend(methods.into_iter().map(|method| (method, callee, site)));
        }
    }
    Ok(found)
}

fn dispatch_row(
    describer: &mut Describer<'_, '_>,
    far: SymbolRow,
    through: SymbolRow,
    site: &Site,
) -> Result<Dispatch> {
    let view = describer.view(site.user)?;
    Ok(Dispatch {
        symbol: describer.brief(far)?,
        through: describer.brief(through)?.fqn,
        file: view.record.path.clone(),
        line_number: view.facts().line_of(site.reference.span.start),
    })
}

/// All edges from symbols outwards, level by level; each symbol is gone through once.
fn walk(graph: &Graph<'_>, start: &[SymbolRow], depth: u32, direction: Direction, flows: &Flows) -> Result<Vec<Edge>> {
    let mut seen: FxHashSet<SymbolRow> = start.iter().copied().collect();
    let mut level = start.to_vec();
    let mut all = Vec::new();
    for depth in 1..=depth {
        let mut next = Vec::new();
        for near in level {
            for (far, sites, way) in step(graph, near, direction, flows)? {
                if let LinkTarget::Symbol(row) = &far
                    && seen.insert(*row)
                {
                    next.push(*row);
                }
                all.push(Edge { depth, near, far, sites, way });
            }
        }
        level = next;
        if level.is_empty() {
            break;
        }
    }
    Ok(all)
}

/// What runs in place of a decorated function that is called by its name.
fn wrapper(flows: &Flows, used: &Use) -> Option<SymbolRow> {
    match used.target {
        LinkTarget::Symbol(callee) => flows.instead(callee, &used.site),
        LinkTarget::External(_) => None,
    }
}

/// The other end of an edge, its sites, and where the value went that is called.
type Neighbour = (LinkTarget, Vec<Site>, Way);

/// File and offset of the places that a value went by.
type Way = Vec<(FileId, u32)>;

/// The neighbours of a symbol, in the order of their first site; those through values after the others.
fn step(graph: &Graph<'_>, near: SymbolRow, direction: Direction, flows: &Flows) -> Result<Vec<Neighbour>> {
    let mut found: BTreeMap<LinkTarget, (usize, Vec<Site>, Way)> = BTreeMap::new();
    let mut add = |far: LinkTarget, site: Site, way: &[(FileId, u32)]| {
        let place = found.len();
        let known = found.entry(far).or_insert_with(|| (place, Vec::new(), way.to_vec()));
        // The same place may be found both ways.
        if !known.1.iter().any(|own| (own.user, own.reference.span) == (site.user, site.reference.span)) {
            known.1.push(site);
        }
    };
    match direction {
        Direction::Callers => {
            let own = |site: &Site| is_call(site.reference.kind) && flows.instead(near, site).is_none();
            for site in uses(graph, near)?.into_iter().filter(own) {
                add(LinkTarget::Symbol(site.user), site, &[]);
            }
            for ValueCall { site, way, .. } in flows.callers(near) {
                add(LinkTarget::Symbol(site.user), *site, way);
            }
        }
        Direction::Callees => {
            let own = |used: &Use| is_call(used.site.reference.kind) && wrapper(flows, used).is_none();
            for used in graph.uses_by(near)?.into_iter().filter(own) {
                add(used.target, used.site, &[]);
            }
            for ValueCall { callee, site, way } in flows.callees(graph, near)? {
                add(LinkTarget::Symbol(*callee), *site, way);
            }
        }
    }
    let mut edges: Vec<_> = found.into_iter().map(|(far, (place, sites, way))| (place, far, sites, way)).collect();
    edges.sort_by_key(|(place, ..)| *place);
    Ok(edges.into_iter().map(|(_, far, sites, way)| (far, sites, way)).collect())
}

fn call(describer: &mut Describer<'_, '_>, edge: &Edge, start: SymbolRow) -> Result<Call> {
    let first = &edge.sites[0];
    let view = describer.view(first.user)?;
    let symbol = match &edge.far {
        LinkTarget::Symbol(row) => Some(describer.brief(*row)?),
        LinkTarget::External(_) => None,
    };
    let mut lines: Vec<u32> = edge.sites.iter().map(|site| view.facts().line_of(site.reference.span.start)).collect();
    lines.dedup();
    Ok(Call {
        depth: edge.depth,
        name: match &symbol {
            Some(symbol) => symbol.fqn.clone(),
            None => describer.target(&view.record, &edge.far)?,
        },
        external: symbol.is_none(),
        symbol,
        via: (edge.near != start).then(|| describer.brief(edge.near).map(|near| near.fqn)).transpose()?,
        file: view.record.path.clone(),
        lines,
        sites: edge.sites.len(),
        certainty: edge.sites.iter().map(|site| site.certainty).max().unwrap_or(first.certainty),
        way: edge.way.iter().map(|place| way_place(describer, *place)).collect::<Result<_>>()?,
        recursive: edge.far == LinkTarget::Symbol(edge.near),
        is_conditional: None,
    })
}

fn way_place(describer: &mut Describer<'_, '_>, (file, at): (FileId, u32)) -> Result<String> {
    let view = describer.view(SymbolRow::new(file, codegraph_model::SymbolId(0)))?;
    Ok(format!("{}:{}", view.record.path, view.facts().line_of(at)))
}

/// Calls inside a symbol that could not be bound although the project defines their name.
fn open_calls(
    graph: &Graph<'_>,
    describer: &mut Describer<'_, '_>,
    row: SymbolRow,
    listed: Option<Window>,
) -> Result<Unbound> {
    let file = graph.file(row.file)?;
    let mut sites = Vec::new();
    for id in &file.links.unbound {
        let reference = file.stored.facts.refs[id.index()];
        let user = file.user(&reference);
        if is_call(reference.kind) && file.is_inside(user, row.symbol) {
            sites.push(candidate(SymbolRow::new(row.file, user), reference));
        }
    }
    let mut found = Unbound { total: sites.len() as u64, ..Unbound::default() };
    if let Some(window) = listed {
        found.candidates = window.of(&sites).iter().map(|site| describer.site(site)).collect::<Result<_>>()?;
        found.next_offset = window.next(sites.len());
    }
    Ok(found)
}
