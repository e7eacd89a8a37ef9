//! Where the name at a place is used: a symbol all over the project, a local name in its function.

use std::sync::Arc;

use codegraph_live::{Locals, on_deep_stack};
use codegraph_model::{BindingKind, Certainty, FileId, RefId, RefKind};
use codegraph_store::{FileRecord, SymbolRow};
use serde::Serialize;

use crate::at::{Meaning, Pointed, Pointing, point};
use crate::definition::{Definition, nothing_there, of_local, of_symbol};
use crate::graph::{Graph, Site};
use crate::paths::FileFilter;
use crate::refs::{ref_kinds, uses};
use crate::relation::{Describer, external};
use crate::select::Unselected;
use crate::symbol::Place;
use crate::unbound::{Unbound, Wished};
use crate::{Note, Reader, Remarks, Result, Selector, Then, Window};

/// A question for the uses of what stands at a place.
#[derive(Clone, Debug, Default)]
pub struct References {
    pub selector: Selector,
    /// Only these kinds of use; all if empty.
    pub kinds: Vec<String>,
    pub file_filter: Option<String>,
    /// List the sites that only name the symbol, and nothing else.
    pub candidates: bool,
    /// Show the lines alone.
    pub compact: bool,
    pub window: Window,
}

/// Where something is used, or why no single symbol was meant.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum ReferencesAnswer {
    Found(Box<ReferenceList>),
    Unselected(Unselected),
}

/// The uses of what stands at a place.
#[derive(Clone, Debug, Serialize)]
pub struct ReferenceList {
    pub selector: String,
    /// What is used; absent if nothing of the project is meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub definition: Option<Definition>,
    /// By path and position, without the definition itself.
    pub references: Vec<Occurrence>,
    pub total: usize,
    /// Distinct files with a use.
    pub files: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
    /// Sites that have the name but could not be bound.
    pub unbound: Unbound,
    /// The lines alone are to be shown.
    #[serde(skip)]
    pub compact: bool,
    #[serde(flatten)]
    pub remarks: Remarks,
}

/// A place where something is used.
#[derive(Clone, Debug, Serialize)]
pub struct Occurrence {
    pub file: String,
    pub range: Place,
    pub kind: RefKind,
    /// The qualified name of the smallest symbol around the place.
    pub user: String,
    /// Its simple name; nothing at the top of a file.
    #[serde(skip)]
    pub user_name: String,
    pub certainty: Certainty,
    /// The line; absent if the text could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// Answers where what stands at a place is used.
pub fn references(reader: &Reader, question: &References) -> Result<ReferencesAnswer> {
    let kinds = ref_kinds(&question.kinds)?;
    let filter = FileFilter::new(question.file_filter.as_deref())?;
    let graph = Graph::new(reader);
    let pointed = match point(&graph, &question.selector)? {
        Pointing::Here(pointed) => pointed,
        Pointing::Unselected(other) => return Ok(ReferencesAnswer::Unselected(other)),
    };
    let mut answer = ReferenceList { compact: question.compact, ..empty(reader, &question.selector) };
    match pointed.as_slice() {
        [] => nothing_there(&question.selector, &mut answer.remarks),
        [one, rest @ ..] => {
            also(&graph, one, rest, &mut answer.remarks)?;
            let mut sites = sites(&graph, one, &mut answer)?;
            sites.retain(|site| kinds.is_empty() || kinds.contains(&site.reference.kind));
            let mut kept = Vec::with_capacity(sites.len());
            for site in sites {
                if filter.accepts(&reader.record(site.user.file)?.path) {
                    kept.push(site);
                }
            }
            let kind = |kind: RefKind| kinds.is_empty() || kinds.contains(&kind);
            let listed = question.candidates.then_some(question.window);
            fill(
                &graph,
                question,
                &kept,
                one,
                &Wished { files: &filter, kind: &kind, listed, few: false },
                &mut answer,
            )?;
        }
    }
    Ok(ReferencesAnswer::Found(Box::new(answer)))
}

/// What stands at a place and where it is used, and nothing else: what an editor shows.
#[derive(Debug, Default)]
pub struct ReferencePlaces {
    pub definition: Option<Definition>,
    /// By path and position, without the definition itself.
    pub uses: Vec<(Arc<FileRecord>, Place)>,
}

/// Answers where what stands at a place is used, without lines, users and candidates. None if no single symbol is meant.
pub fn reference_places(reader: &Reader, selector: &Selector, most: usize) -> Result<Option<ReferencePlaces>> {
    let graph = Graph::new(reader);
    let Pointing::Here(pointed) = point(&graph, selector)? else { return Ok(None) };
    let Some(one) = pointed.first() else { return Ok(Some(ReferencePlaces::default())) };
    let mut answer = empty(reader, selector);
    let sites = sites(&graph, one, &mut answer)?;
    let mut describer = Describer::new(&graph);
    let mut uses = Vec::with_capacity(sites.len().min(most));
    for site in sites.iter().take(most) {
        let place = match site.place {
            Some(place) => place,
            None => describer.view(site.user)?.place(site.reference.span),
        };
        uses.push((reader.record(site.user.file)?, place));
    }
    Ok(Some(ReferencePlaces { definition: answer.definition, uses }))
}

fn empty(reader: &Reader, selector: &Selector) -> ReferenceList {
    ReferenceList {
        selector: selector.text(),
        definition: None,
        references: Vec::new(),
        total: 0,
        files: 0,
        next_offset: None,
        unbound: Unbound::default(),
        compact: false,
        remarks: Remarks::of(reader),
    }
}

/// Names the others where a line has several names.
pub(crate) fn also(graph: &Graph<'_>, one: &Pointed, rest: &[Pointed], remarks: &mut Remarks) -> Result<()> {
    let mut others = Vec::new();
    for other in rest.iter().filter(|other| other.span != one.span) {
        let file = graph.file(other.file)?;
        let (_, column) = file.stored.facts.position(other.span.start);
        others.push((other.name(graph)?.to_string(), column));
    }
    if !others.is_empty() {
        remarks.note(Note::FirstOnLine { name: one.name(graph)?.to_string(), others });
    }
    Ok(())
}

/// The uses, and into the answer what is used.
fn sites(graph: &Graph<'_>, pointed: &Pointed, answer: &mut ReferenceList) -> Result<Vec<Site>> {
    let remarks = &mut answer.remarks;
    match &pointed.meaning {
        Meaning::Symbol(row) => {
            answer.definition = Some(of_symbol(graph.reader, *row, pointed, remarks)?);
            uses(graph, *row)
        }
        Meaning::Local(file, binding) => {
            answer.definition = Some(of_local(graph, *file, *binding, pointed, remarks)?);
            local_uses(graph, *file, *binding)
        }
        Meaning::External(path) => {
            let record = graph.reader.record(pointed.file)?;
            let name = external(graph.reader, &record, path)?;
            remarks.note(Note::Outside { name });
            Ok(Vec::new())
        }
        Meaning::Package(name) => {
            remarks.note(Note::NoFile { module: name.to_string() });
            Ok(Vec::new())
        }
        Meaning::Open(name) => {
            let name = graph.reader.store().text(*name)?.to_string();
            remarks.note(Note::Unproved { name, then: Then::AskForLines });
            Ok(Vec::new())
        }
    }
}

/// The uses of a local name: in its file, and for a parameter where callers name it.
fn local_uses(graph: &Graph<'_>, file: FileId, binding: u32) -> Result<Vec<Site>> {
    let mut files = vec![file];
    let linked = graph.file(file)?;
    let own = linked.stored.facts.bindings[binding as usize];
    let owner = linked.stored.facts.scopes[own.scope.index()].owner;
    if own.kind == BindingKind::Param && owner.is_some() {
        let name = linked.stored.term(own.name);
        let callers = graph.reader.store().sources(SymbolRow::new(file, owner))?;
        for caller in callers {
            if caller != file && graph.file(caller)?.stored.str_id(name).is_some() {
                files.push(caller);
            }
        }
    }
    let mut paths = Vec::new();
    for file in files {
        paths.push((graph.reader.record(file)?.path.clone(), file));
    }
    paths.sort_unstable();
    let mut sites = Vec::new();
    for (_, user) in paths {
        sites.extend(uses_in(graph, user, file, binding)?);
    }
    Ok(sites)
}

fn uses_in(graph: &Graph<'_>, user: FileId, file: FileId, binding: u32) -> Result<Vec<Site>> {
    let home = graph.file(file)?;
    let Some(name) = home.stored.facts.bindings[binding as usize].name.get() else { return Ok(Vec::new()) };
    let linked = graph.file(user)?;
    let Some(name) = linked.stored.str_id(home.stored.term(name)) else { return Ok(Vec::new()) };
    let all = linked.stored.facts.refs.iter().enumerate().map(|(i, reference)| (RefId(i as u32), reference));
    let wanted = all.filter(|(id, reference)| reference.name == name && linked.links.of(*id).is_none());
    let wanted: Vec<RefId> = wanted.map(|(id, _)| id).collect();
    let links = on_deep_stack(|| Locals::new(graph.reader.store()).at(user, &wanted))?;
    let meant = links.iter().filter(|link| match &link.target {
        codegraph_resolve::Target::Local(own) => user == file && *own == binding,
        codegraph_resolve::Target::Parameter(other, own) => *other == file.0 && *own == binding,
        _ => false,
    });
    let site = |link: &codegraph_resolve::Link| {
        let reference = linked.stored.facts.refs[link.reference.index()];
        let user = SymbolRow::new(user, linked.user(&reference));
        Site { user, reference, certainty: link.certainty, how: link.how, place: None }
    };
    Ok(meant.map(site).collect())
}

fn fill(
    graph: &Graph<'_>,
    question: &References,
    kept: &[Site],
    pointed: &Pointed,
    wished: &Wished<'_>,
    answer: &mut ReferenceList,
) -> Result<()> {
    let mut describer = Describer::new(graph);
    for site in question.window.of(kept).iter().filter(|_| !question.candidates) {
        let info = describer.site(site)?;
        answer.references.push(Occurrence {
            range: match site.place {
                Some(place) => place,
                None => describer.view(site.user)?.place(site.reference.span),
            },
            file: info.file,
            kind: info.kind,
            user_name: if info.user.kind.is_module() { String::new() } else { info.user.name },
            user: info.user.fqn,
            certainty: info.certainty,
            text: info.text,
        });
    }
    answer.total = kept.len();
    answer.files = kept.chunk_by(|a, b| a.user.file == b.user.file).count();
    answer.next_offset = question.window.next(kept.len()).filter(|_| !question.candidates);
    if let Meaning::Symbol(row) = pointed.meaning {
        answer.unbound = describer.unbound(&[row], wished)?;
    }
    for file in describer.remarks.stale_files {
        answer.remarks.stale(&file);
    }
    Ok(())
}
