//! Entities that depend on each other: classes, methods and functions, with what one does to the other and where.

use codegraph_model::Certainty;
use codegraph_store::{LinkTarget, SymbolRow};
use serde::Serialize;

use crate::graph::{Graph, Site};
use crate::refs::uses;
use crate::relation::{Describer, SymbolBrief};
use crate::select::{Selection, Unselected, select};
use crate::unbound::{Unbound, Wished};
use crate::{EntityKind, Reader, Remarks, Result, Selector, UseKind, Window};

/// A question for the dependencies or dependents of an entity.
#[derive(Clone, Debug, Default)]
pub struct EntityQuestion {
    /// A name, a qualified name, `file:line`, an id or a prefix of one.
    pub symbol: Selector,
    /// Show what lies outside the project too.
    pub external: bool,
    pub candidates: bool,
    pub window: Window,
}

/// The entities at the other end, or why none was meant.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum EntityAnswer {
    Found(Box<EntityList>),
    Unselected(Unselected),
}

/// One use of one entity by another.
#[derive(Clone, Debug, Serialize)]
pub struct EntityRef {
    /// `class`, `method` or `function`; `module` for code outside of all, `external` for what is not in the project.
    pub entity_type: EntityKind,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entity: Option<SymbolBrief>,
    pub name: String,
    /// `call`, `instantiation`, `attribute`, `inherit` or `import`.
    pub ref_type: UseKind,
    pub file_path: String,
    pub line: u32,
    pub certainty: Certainty,
}

/// Uses between entities.
#[derive(Clone, Debug, Serialize)]
pub struct EntityList {
    pub entity: SymbolBrief,
    pub entity_type: EntityKind,
    /// What depends on it was asked for, not what it depends on.
    #[serde(skip)]
    pub dependents: bool,
    pub references: Vec<EntityRef>,
    pub total: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
    pub unbound: Unbound,
    #[serde(flatten)]
    pub remarks: Remarks,
}

/// What an entity depends on.
pub fn get_entity_dependencies(reader: &Reader, question: &EntityQuestion) -> Result<EntityAnswer> {
    ask(reader, question, false, |graph, row| {
        let uses = graph.uses_by(row)?;
        let wanted = uses.into_iter().filter(|used| match used.target {
            LinkTarget::Symbol(target) => target != row,
            LinkTarget::External(_) => question.external,
        });
        Ok(wanted.map(|used| (used.site, used.target)).collect())
    })
}

/// What depends on an entity.
pub fn get_entity_dependents(reader: &Reader, question: &EntityQuestion) -> Result<EntityAnswer> {
    ask(reader, question, true, |graph, row| {
        let sites = uses(graph, row)?.into_iter();
        Ok(sites.map(|site| (site, LinkTarget::Symbol(site.user))).collect())
    })
}

fn ask(
    reader: &Reader,
    question: &EntityQuestion,
    dependents: bool,
    edges: impl FnOnce(&Graph<'_>, SymbolRow) -> Result<Vec<(Site, LinkTarget)>>,
) -> Result<EntityAnswer> {
    let row = match select(reader, &question.symbol)? {
        Selection::One(view, id) => SymbolRow::new(view.record.id, id),
        Selection::Other(other) => return Ok(EntityAnswer::Unselected(other)),
    };
    let graph = Graph::new(reader);
    let edges = edges(&graph, row)?;
    let mut describer = Describer::new(&graph);
    let listed = question.candidates.then_some(question.window);
    let wished = Wished { listed, ..Wished::COUNT };
    let shown = if question.candidates { &[] } else { question.window.of(&edges) };
    let references = shown.iter();
    let references =
        references.map(|(site, far)| entity_ref(&graph, &mut describer, site, far)).collect::<Result<_>>()?;
    Ok(EntityAnswer::Found(Box::new(EntityList {
        entity: describer.brief(row)?,
        entity_type: entity_type(&graph, row)?,
        dependents,
        references,
        total: edges.len(),
        next_offset: question.window.next(edges.len()).filter(|_| !question.candidates),
        unbound: describer.unbound(&[row], &wished)?,
        remarks: describer.remarks,
    })))
}

fn entity_ref(
    graph: &Graph<'_>,
    describer: &mut Describer<'_, '_>,
    site: &Site,
    far: &LinkTarget,
) -> Result<EntityRef> {
    let view = describer.view(site.user)?;
    let (entity, entity_type) = match far {
        // A variable or a field is not an entity, but what is used is what is shown.
        LinkTarget::Symbol(row) => (Some(describer.brief(*row)?), entity_type(graph, *row)?),
        LinkTarget::External(_) => (None, EntityKind::External),
    };
    Ok(EntityRef {
        entity_type,
        name: match &entity {
            Some(entity) => entity.fqn.clone(),
            None => describer.target(&view.record, far)?,
        },
        entity,
        ref_type: site.reference.kind.into(),
        file_path: view.record.path.clone(),
        line: view.facts().line_of(site.reference.span.start),
        certainty: site.certainty,
    })
}

fn entity_type(graph: &Graph<'_>, row: SymbolRow) -> Result<EntityKind> {
    let file = graph.file(row.file)?;
    let kind = file.stored.facts.symbols[row.symbol.index()].kind;
    Ok(match row.symbol.0 == 0 && kind.entity().is_none() {
        true => EntityKind::Module,
        false => EntityKind::Symbol(kind),
    })
}
