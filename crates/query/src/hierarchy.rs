//! What a type is made of and what is made of it: bases upwards, heirs downwards.

use codegraph_model::{FileId, RefKind, Span, Symbol, SymbolId, SymbolKind};
use codegraph_store::{LinkTarget, SymbolRow};
use rustc_hash::FxHashSet;
use serde::Serialize;

use crate::graph::Graph;
use crate::relation::{Describer, SymbolBrief};
use crate::select::{Selection, Unselected, select};
use crate::{Reader, Remarks, Result, Selector, Window, vocabulary};

/// The deepest level that is shown.
const DEEPEST: u32 = 32;

/// The relatives of a type, or why none was meant.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum HierarchyAnswer {
    Found(Box<Hierarchy>),
    Unselected(Unselected),
}

/// A question for the types above and below a type.
#[derive(Clone, Debug, Default)]
pub struct HierarchyQuestion {
    /// A name, a qualified name, `file:line`, an id or a prefix of one.
    pub symbol: Selector,
    pub window: Window,
}

/// The types above and below a type.
#[derive(Clone, Debug, Serialize)]
pub struct Hierarchy {
    pub symbol: SymbolBrief,
    pub bases: Vec<Relative>,
    pub total_bases: usize,
    pub heirs: Vec<Relative>,
    pub total_heirs: usize,
    /// Where to go on with the longer of the lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
    #[serde(flatten)]
    pub remarks: Remarks,
}

/// A type above or below, at some distance.
#[derive(Clone, Debug, Serialize)]
pub struct Relative {
    pub depth: u32,
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol: Option<SymbolBrief>,
    pub external: bool,
    /// What is written could not be bound to anything: the name is the text.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub unresolved: bool,
    /// `inherit` or `implements`.
    pub relation: RefKind,
    /// The type on the way that it is a base or an heir of.
    pub of: String,
    /// Where that is written: the head of the type, or that of an impl block.
    pub file: String,
    pub line_number: u32,
}

/// A base or an heir, how it is one, and where that is written.
pub(crate) type Relation = (LinkTarget, RefKind, (FileId, u32));

/// Answers what is above and below a type.
pub fn hierarchy(reader: &Reader, question: &HierarchyQuestion) -> Result<HierarchyAnswer> {
    let row = match select(reader, &question.symbol)? {
        Selection::One(view, id) => SymbolRow::new(view.record.id, id),
        Selection::Other(other) => return Ok(HierarchyAnswer::Unselected(other)),
    };
    let graph = Graph::new(reader);
    let mut describer = Describer::new(&graph);
    let (bases, heirs) = (walk(&graph, row, bases_of)?, walk(&graph, row, heirs_of)?);
    let mut all = bases.iter().map(|step| relative(&mut describer, step)).collect::<Result<Vec<_>>>()?;
    add_unresolved(&mut describer, row, &bases, &mut all)?;
    let shown_heirs = question.window.of(&heirs).iter().map(|step| relative(&mut describer, step));
    let shown_heirs = shown_heirs.collect::<Result<Vec<_>>>()?;
    let (shown_bases, bases) = (question.window.of(&all).to_vec(), all);
    Ok(HierarchyAnswer::Found(Box::new(Hierarchy {
        symbol: describer.brief(row)?,
        bases: shown_bases,
        total_bases: bases.len(),
        heirs: shown_heirs,
        total_heirs: heirs.len(),
        next_offset: question.window.next(bases.len().max(heirs.len())),
        remarks: describer.remarks,
    })))
}

/// A relation that a walk found: how far it got, and from which type.
struct Step {
    depth: u32,
    of: SymbolRow,
    relation: Relation,
}

type Next = fn(&Graph<'_>, SymbolRow) -> Result<Vec<Relation>>;

fn walk(graph: &Graph<'_>, start: SymbolRow, next: Next) -> Result<Vec<Step>> {
    let mut seen: FxHashSet<LinkTarget> = FxHashSet::from_iter([LinkTarget::Symbol(start)]);
    let mut level = vec![start];
    let mut all = Vec::new();
    for depth in 1..=DEEPEST {
        let mut below = Vec::new();
        for of in level {
            for relation in next(graph, of)? {
                if seen.insert(relation.0.clone()) {
                    if let LinkTarget::Symbol(row) = relation.0 {
                        below.push(row);
                    }
                    all.push(Step { depth, of, relation });
                }
            }
        }
        level = below;
    }
    Ok(all)
}

fn relative(describer: &mut Describer<'_, '_>, step: &Step) -> Result<Relative> {
    let (target, relation, (file, at)) = &step.relation;
    let from = describer.view(step.of)?.record.clone();
    let symbol = match target {
        LinkTarget::Symbol(row) => Some(describer.brief(*row)?),
        LinkTarget::External(_) => None,
    };
    let view = describer.view(SymbolRow::new(*file, SymbolId(0)))?;
    Ok(Relative {
        depth: step.depth,
        name: describer.target(&from, target)?,
        external: symbol.is_none(),
        unresolved: false,
        symbol,
        relation: *relation,
        of: describer.brief(step.of)?.fqn,
        file: view.record.path.clone(),
        line_number: view.facts().line_of(*at),
    })
}

/// Bases that nothing is known about but how they are written, after those of the same type that are known.
fn add_unresolved(
    describer: &mut Describer<'_, '_>,
    start: SymbolRow,
    known: &[Step],
    all: &mut Vec<Relative>,
) -> Result<()> {
    let mut types = vec![(start, 1)];
    types.extend(known.iter().filter_map(|step| match step.relation.0 {
        LinkTarget::Symbol(row) => Some((row, step.depth + 1)),
        LinkTarget::External(_) => None,
    }));
    for (row, depth) in types {
        let graph = describer.graph();
        let spans = unresolved_bases(graph, row)?;
        if spans.is_empty() {
            continue;
        }
        let record = graph.reader.record(row.file)?;
        let Ok(source) = graph.reader.source(&record) else { continue };
        let of = describer.brief(row)?.fqn;
        for span in spans {
            let file = graph.file(row.file)?;
            let one = Relative {
                depth,
                name: source.text(span).split_whitespace().collect::<Vec<_>>().join(" "),
                symbol: None,
                external: false,
                unresolved: true,
                relation: RefKind::Inherit,
                of: of.clone(),
                file: record.path.clone(),
                line_number: file.stored.facts.line_of(span.start),
            };
            let at = all.iter().rposition(|old| old.of == of && old.depth == depth).map_or(all.len(), |at| at + 1);
            all.insert(at, one);
        }
    }
    Ok(())
}

/// The bases of a type in which no name is bound to what it inherits from.
pub(crate) fn unresolved_bases(graph: &Graph<'_>, row: SymbolRow) -> Result<Vec<Span>> {
    let file = graph.file(row.file)?;
    let facts = &file.stored.facts;
    let is_bound = |span: &Span| {
        file.links.bound.iter().any(|bound| {
            let reference = &facts.refs[bound.reference.index()];
            span.contains(reference.span.start) && is_inheritance(reference.kind)
        })
    };
    let bases = facts.symbols[row.symbol.index()].bases.iter();
    Ok(bases.filter(|span| !span.is_empty() && !is_bound(span)).copied().collect())
}

pub(crate) fn is_inheritance(kind: RefKind) -> bool {
    matches!(kind, RefKind::Inherit | RefKind::Implements)
}

/// The bases of a type: those written at it, and those of the impl blocks about it.
pub(crate) fn bases_of(graph: &Graph<'_>, row: SymbolRow) -> Result<Vec<Relation>> {
    let file = graph.file(row.file)?;
    let mut found = Vec::new();
    let symbol = &file.stored.facts.symbols[row.symbol.index()];
    for bound in &file.links.bound {
        let reference = &file.stored.facts.refs[bound.reference.index()];
        // Bases stand in the head; their owner may be the scope around.
        let in_head = reference.span.start >= symbol.span.start && reference.span.end <= symbol.head_end;
        let in_head = in_head || symbol.bases.iter().any(|base| base.contains(reference.span.start));
        let nested = || {
            file.stored.facts.symbols.iter().enumerate().any(|(id, inner)| {
                id as u32 != row.symbol.0
                    && inner.span.start > symbol.span.start
                    && inner.span.end < symbol.head_end
                    && inner.span.contains(reference.span.start)
            })
        };
        if is_inheritance(reference.kind) && in_head && !nested() {
            found.push((file.links.target(bound).clone(), reference.kind, (row.file, reference.span.start)));
        }
    }
    let language = vocabulary::language(&graph.reader.record(row.file)?.language)?;
    if language.linking.impl_blocks {
        for site in graph.uses_of(row)? {
            found.extend(implemented(graph, site.user, row)?);
        }
    }
    found.dedup();
    Ok(found)
}

/// The traits of an impl block that is about a type.
fn implemented(graph: &Graph<'_>, block: SymbolRow, about: SymbolRow) -> Result<Vec<Relation>> {
    let file = graph.file(block.file)?;
    let mut found = Vec::new();
    for symbol in file.stored.facts.symbols.iter().filter(|symbol| symbol.kind == SymbolKind::Impl) {
        let head = |start: u32| start >= symbol.span.start && start < symbol.head_end;
        let links = file.links.bound.iter().map(|bound| (bound, &file.stored.facts.refs[bound.reference.index()]));
        let heads: Vec<_> = links.filter(|(_, reference)| head(reference.span.start)).collect();
        let is_about = heads.iter().any(|(bound, reference)| {
            !is_inheritance(reference.kind) && *file.links.target(bound) == LinkTarget::Symbol(about)
        });
        if is_about {
            let traits = heads.iter().filter(|(_, reference)| is_inheritance(reference.kind));
            found.extend(traits.map(|(bound, reference)| {
                (file.links.target(bound).clone(), reference.kind, (block.file, reference.span.start))
            }));
        }
    }
    Ok(found)
}

/// Types that are gone through at most.
const MOST_HEIRS: usize = 500;

/// The types that are made of a type, and those that are made of them.
pub(crate) fn all_heirs(graph: &Graph<'_>, start: SymbolRow) -> Result<Vec<SymbolRow>> {
    let mut seen = FxHashSet::from_iter([start]);
    let (mut pending, mut found) = (vec![start], Vec::new());
    while found.len() < MOST_HEIRS
        && let Some(at) = pending.pop()
    {
        for row in rows_of(heirs_of(graph, at)?) {
            if found.len() < MOST_HEIRS && seen.insert(row) {
                found.push(row);
                pending.push(row);
            }
        }
    }
    Ok(found)
}

/// The symbols of the project at the end of a step.
pub(crate) fn rows_of(step: Vec<Relation>) -> impl Iterator<Item = SymbolRow> {
    step.into_iter().filter_map(|(target, ..)| match target {
        LinkTarget::Symbol(row) => Some(row),
        LinkTarget::External(_) => None,
    })
}

/// The types that have a type as a base.
pub(crate) fn heirs_of(graph: &Graph<'_>, row: SymbolRow) -> Result<Vec<Relation>> {
    let mut found = Vec::new();
    for site in graph.uses_of(row)?.into_iter().filter(|site| is_inheritance(site.reference.kind)) {
        if let Some(heir) = heir(graph, site.user.file, site.reference.span.start)? {
            found.push((heir, site.reference.kind, (site.user.file, site.reference.span.start)));
        }
    }
    found.dedup();
    Ok(found)
}

/// The type in whose head a place is; for an impl block the type that it is about.
fn heir(graph: &Graph<'_>, file: FileId, at: u32) -> Result<Option<LinkTarget>> {
    let file = graph.file(file)?;
    let symbols = file.stored.facts.symbols.iter().enumerate().skip(1);
    let in_head = |s: &Symbol| s.span.start <= at && at < s.head_end.max(s.span.start + 1);
    // What is embedded stands in the body.
    let embeds = |s: &Symbol| s.bases.iter().any(|base| base.contains(at));
    let around = symbols.filter(|(_, s)| s.kind.is_type() && (in_head(s) || embeds(s)));
    let Some((id, symbol)) = around.min_by_key(|(_, s)| s.span.len()) else {
        return Ok(None);
    };
    if symbol.kind != SymbolKind::Impl {
        return Ok(Some(LinkTarget::Symbol(SymbolRow::new(file.id, SymbolId(id as u32)))));
    }
    let links = file.links.bound.iter().map(|bound| (bound, &file.stored.facts.refs[bound.reference.index()]));
    let mut about = links.filter(|(_, reference)| {
        !is_inheritance(reference.kind)
            && reference.span.start >= symbol.span.start
            && reference.span.start < symbol.head_end
            && symbol.name_span.contains(reference.span.start)
    });
    Ok(about.next().map(|(bound, _)| file.links.target(bound).clone()))
}
