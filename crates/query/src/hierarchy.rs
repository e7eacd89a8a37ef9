//! What a type is made of and what is made of it: bases upwards, heirs downwards.

use codegraph_model::{RefKind, SymbolKind};
use codegraph_store::{LinkTarget, SymbolRow};
use rustc_hash::FxHashSet;
use serde::Serialize;

use crate::graph::Graph;
use crate::relation::{Describer, SymbolBrief};
use crate::select::{Selection, Unselected, select};
use crate::{Reader, Remarks, Result, Selector, vocabulary};

/// The deepest level that is shown.
const DEEPEST: u32 = 32;

/// The relatives of a type, or why none was meant.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum HierarchyAnswer {
    Found(Box<Hierarchy>),
    Unselected(Unselected),
}

/// The types above and below a type.
#[derive(Clone, Debug, Serialize)]
pub struct Hierarchy {
    pub symbol: SymbolBrief,
    pub bases: Vec<Relative>,
    pub heirs: Vec<Relative>,
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
    /// `inherit` or `implements`.
    pub relation: RefKind,
    /// The type on the way that it is a base or an heir of.
    pub of: String,
}

/// Answers what is above and below a type.
pub fn hierarchy(reader: &Reader, symbol: &Selector) -> Result<HierarchyAnswer> {
    let row = match select(reader, symbol)? {
        Selection::One(view, id) => SymbolRow::new(view.record.id, id),
        Selection::Other(other) => return Ok(HierarchyAnswer::Unselected(other)),
    };
    let graph = Graph::new(reader);
    let mut describer = Describer::new(&graph);
    let bases = walk(&graph, &mut describer, row, bases_of)?;
    let heirs = walk(&graph, &mut describer, row, heirs_of)?;
    Ok(HierarchyAnswer::Found(Box::new(Hierarchy {
        symbol: describer.brief(row)?,
        bases,
        heirs,
        remarks: describer.remarks,
    })))
}

type Step = fn(&Graph<'_>, SymbolRow) -> Result<Vec<(LinkTarget, RefKind)>>;

fn walk(graph: &Graph<'_>, describer: &mut Describer<'_, '_>, start: SymbolRow, step: Step) -> Result<Vec<Relative>> {
    let mut seen: FxHashSet<LinkTarget> = FxHashSet::from_iter([LinkTarget::Symbol(start)]);
    let mut level = vec![start];
    let mut all = Vec::new();
    for depth in 1..=DEEPEST {
        let mut next = Vec::new();
        for of in level {
            let from = describer.view(of)?.record.clone();
            for (target, kind) in step(graph, of)? {
                if !seen.insert(target.clone()) {
                    continue;
                }
                let symbol = match &target {
                    LinkTarget::Symbol(row) => {
                        next.push(*row);
                        Some(describer.brief(*row)?)
                    }
                    LinkTarget::External(_) => None,
                };
                all.push(Relative {
                    depth,
                    name: describer.target(&from, &target)?,
                    external: symbol.is_none(),
                    symbol,
                    relation: kind,
                    of: describer.brief(of)?.fqn,
                });
            }
        }
        level = next;
    }
    Ok(all)
}

fn is_inheritance(kind: RefKind) -> bool {
    matches!(kind, RefKind::Inherit | RefKind::Implements)
}

/// The bases of a type: those written at it, and those of the impl blocks about it.
pub(crate) fn bases_of(graph: &Graph<'_>, row: SymbolRow) -> Result<Vec<(LinkTarget, RefKind)>> {
    let file = graph.file(row.file)?;
    let mut found = Vec::new();
    let symbol = &file.stored.facts.symbols[row.symbol.index()];
    for bound in &file.links.bound {
        let reference = &file.stored.facts.refs[bound.reference.index()];
        // Bases stand in the head; their owner may be the scope around.
        let in_head = reference.span.start >= symbol.span.start && reference.span.end <= symbol.head_end;
        let nested = || {
            file.stored.facts.symbols.iter().enumerate().any(|(id, inner)| {
                id as u32 != row.symbol.0
                    && inner.span.start > symbol.span.start
                    && inner.span.end < symbol.head_end
                    && inner.span.contains(reference.span.start)
            })
        };
        if is_inheritance(reference.kind) && in_head && !nested() {
            found.push((file.links.target(bound).clone(), reference.kind));
        }
    }
    let language = vocabulary::language(&graph.reader.record(row.file)?.language)?;
    if language.defines(SymbolKind::Impl) {
        for site in graph.uses_of(row)? {
            found.extend(implemented(graph, site.user, row)?);
        }
    }
    found.dedup();
    Ok(found)
}

/// The traits of an impl block that is about a type.
fn implemented(graph: &Graph<'_>, block: SymbolRow, about: SymbolRow) -> Result<Vec<(LinkTarget, RefKind)>> {
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
            found.extend(traits.map(|(bound, reference)| (file.links.target(bound).clone(), reference.kind)));
        }
    }
    Ok(found)
}

/// The types that have a type as a base.
pub(crate) fn heirs_of(graph: &Graph<'_>, row: SymbolRow) -> Result<Vec<(LinkTarget, RefKind)>> {
    let mut found = Vec::new();
    for site in graph.uses_of(row)?.into_iter().filter(|site| is_inheritance(site.reference.kind)) {
        if let Some(heir) = heir(graph, site.user.file, site.reference.span.start)? {
            found.push((heir, site.reference.kind));
        }
    }
    found.dedup();
    Ok(found)
}

/// The type in whose head a place is; for an impl block the type that it is about.
fn heir(graph: &Graph<'_>, file: codegraph_store::FileId, at: u32) -> Result<Option<LinkTarget>> {
    let file = graph.file(file)?;
    let symbols = file.stored.facts.symbols.iter().enumerate().skip(1);
    let around =
        symbols.filter(|(_, s)| s.kind.is_type() && s.span.start <= at && at < s.head_end.max(s.span.start + 1));
    let Some((id, symbol)) = around.min_by_key(|(_, s)| s.span.len()) else {
        return Ok(None);
    };
    if symbol.kind != SymbolKind::Impl {
        return Ok(Some(LinkTarget::Symbol(SymbolRow::new(file.id, codegraph_model::SymbolId(id as u32)))));
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
