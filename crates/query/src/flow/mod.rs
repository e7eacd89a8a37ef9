//! Where functions run that are values: passed, stored, returned, put into tables, wrapped by decorators; and where a member is
//! declared that is read from an object of which values are all that is known.
//!
//! Asked on demand and never stored. Values are followed through the files of a project, or of a part of it that
//! is bounded, as far as their ways are plain. What is found is inferred, never exact.

mod acts;
mod build;
mod calls;
mod declared;
mod files;
mod load;
mod members;
mod outside;
mod reads;
mod solve;
mod sure;
mod values;

use std::collections::BTreeSet;

use codegraph_live::on_deep_stack;
use codegraph_model::{Certainty, FileId, How, RefKind, Reference, ScopeId, Span, StrId};
use codegraph_store::SymbolRow;
use rustc_hash::FxHashMap;

use crate::Result;
use crate::graph::{Graph, Site, is_call};
pub(crate) use declared::Declared;
use files::{LARGEST_OF_PLACE, MOST_FILES, MOST_FILES_OF_PLACE, files_around, files_of_place};
use solve::Solver;
use values::{Node, Value};

/// Functions that one call runs.
const MOST_TARGETS: usize = 6;

/// A function that runs at a place because it is a value there.
#[derive(Clone, Debug)]
pub(crate) struct ValueCall {
    pub(crate) callee: SymbolRow,
    pub(crate) site: Site,
    /// Where the value went on its way: file and offset, the first one first.
    pub(crate) way: Vec<(FileId, u32)>,
}

/// A call of a name under which something else is: what a decorator made of a function.
#[derive(Clone, Debug)]
pub(crate) struct Wrapped {
    pub(crate) callee: SymbolRow,
    /// What runs instead.
    pub(crate) through: SymbolRow,
    file: FileId,
    name: Span,
}

/// All calls that were found through values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flows {
    pub(crate) calls: Vec<ValueCall>,
    wrapped: Vec<Wrapped>,
}

impl Flows {
    /// Follows values that lead to a symbol, or to what it calls.
    pub(crate) fn around(graph: &Graph<'_>, row: SymbolRow, of_callers: bool) -> Result<Flows> {
        let files = files_around(graph, row, of_callers)?;
        if files.is_empty() {
            return Ok(Flows::default());
        }
        on_deep_stack(|| follow(graph, &files))
    }

    /// What runs at a place instead of the function that has the name.
    pub(crate) fn instead(&self, callee: SymbolRow, site: &Site) -> Option<SymbolRow> {
        let (file, name) = (site.user.file, site.reference.span);
        let own = |one: &&Wrapped| one.callee == callee && one.file == file && one.name == name;
        self.wrapped.iter().find(own).map(|one| one.through)
    }

    pub(crate) fn callers(&self, row: SymbolRow) -> impl Iterator<Item = &ValueCall> {
        self.calls.iter().filter(move |call| call.callee == row)
    }

    /// The calls in a symbol and in what is inside it.
    pub(crate) fn callees(&self, graph: &Graph<'_>, row: SymbolRow) -> Result<impl Iterator<Item = &ValueCall>> {
        let file = graph.file(row.file)?;
        let inside = move |user: SymbolRow| user.file == row.file && file.is_inside(user.symbol, row.symbol);
        Ok(self.calls.iter().filter(move |call| inside(call.site.user)))
    }
}

/// Where a member may be declared whose name stands at a place: the values that its object may be say it.
pub(crate) fn members_at(graph: &Graph<'_>, file: FileId, name: Span) -> Result<Vec<Declared>> {
    let files = files_of_place(graph, file, name)?;
    if files.is_empty() {
        return Ok(Vec::new());
    }
    on_deep_stack(|| {
        let mut solver = Solver::new(graph, files.len().max(MOST_FILES_OF_PLACE));
        solver.largest = LARGEST_OF_PLACE;
        solver.run(&files)?;
        Ok(solver.declared_at(file, name))
    })
}

fn follow(graph: &Graph<'_>, files: &[FileId]) -> Result<Flows> {
    let mut solver = Solver::new(graph, files.len().max(MOST_FILES));
    solver.run(files)?;
    let mut calls = Vec::new();
    for run in &solver.runs {
        let file = solver.file(run.site.file);
        let callee = symbol_of(&solver, &run.what);
        let Some(callee) = callee else { continue };
        let reference = reference_at(&file.linked.stored.facts.refs, run.site.name);
        let user = match &reference {
            Some(reference) => file.linked.user(reference),
            None => file.around(run.site.function),
        };
        let reference = reference.unwrap_or_else(|| unnamed(run.site.name));
        let reference = Reference { kind: RefKind::Call, ..reference };
        if is_proved(&file.linked.links, &file.linked.stored.facts.refs, run.site.name, callee) {
            continue;
        }
        let site = Site {
            user: SymbolRow::new(run.site.file, user),
            reference,
            certainty: Certainty::Inferred,
            how: How::Value,
            place: None,
        };
        calls.push(ValueCall { callee, site, way: way(&solver, run.at, (run.site.file, run.site.name.start)) });
    }
    // What could run nearly anything is not plain.
    let mut targets: FxHashMap<(FileId, Span), BTreeSet<SymbolRow>> = FxHashMap::default();
    for call in &calls {
        targets.entry((call.site.user.file, call.site.reference.span)).or_default().insert(call.callee);
    }
    calls.retain(|call| targets[&(call.site.user.file, call.site.reference.span)].len() <= MOST_TARGETS);
    let mut paths = FxHashMap::default();
    for call in &calls {
        paths.insert(call.site.user.file, graph.reader.record(call.site.user.file)?.path.clone());
    }
    calls.sort_by_key(|call| (paths[&call.site.user.file].clone(), call.site.reference.span, call.callee));
    Ok(Flows { calls, wrapped: wrapped(&solver) })
}

/// The symbol of what runs when a value is called.
fn symbol_of(solver: &Solver<'_, '_>, value: &Value) -> Option<SymbolRow> {
    match value {
        Value::Function(function) | Value::Bound(function, _) => {
            let symbol = solver.files[&function.0].function_symbol(function.1);
            symbol.filter(|symbol| symbol.0 != 0).map(|symbol| SymbolRow::new(function.0, symbol))
        }
        Value::Class(class) | Value::Instance(class) => {
            solver.files[&class.0].class_symbol(class.1).map(|own| SymbolRow::new(class.0, own))
        }
        Value::Partial(.., function) => symbol_of(solver, &solver.sets.values[*function as usize]),
        _ => None,
    }
}

/// Calls by the names of decorated functions that run what the decorators made.
fn wrapped(solver: &Solver<'_, '_>) -> Vec<Wrapped> {
    let mut found = Vec::new();
    for file in solver.files.values() {
        for call in &file.flow.calls {
            let Some(callee) = linked_at(&file.linked, call.name) else { continue };
            let decorated = solver.files.get(&callee.file).is_some_and(|file| file.is_decorated(callee.symbol));
            let node = solver.sets.known(&Node::Expr(file.id, call.callee)).filter(|_| decorated);
            let held = node.map_or(&[][..], |node| solver.sets.held(node));
            let held: Vec<SymbolRow> =
                held.iter().filter_map(|value| symbol_of(solver, &solver.sets.values[*value as usize])).collect();
            if let Some(through) = held.first().filter(|_| !held.contains(&callee)) {
                found.push(Wrapped { callee, through: *through, file: file.id, name: call.name });
            }
        }
    }
    found
}

fn linked_at(file: &crate::graph::LinkedFile, name: Span) -> Option<SymbolRow> {
    let refs = &file.stored.facts.refs;
    let first = refs.partition_point(|own| own.span.start < name.start);
    let own = refs[first..].iter().position(|own| own.span == name).filter(|place| *place < 4)?;
    let bound = file.links.of(codegraph_model::RefId((first + own) as u32))?;
    match file.links.target(bound) {
        codegraph_store::LinkTarget::Symbol(row) => Some(*row),
        _ => None,
    }
}

fn reference_at(refs: &[Reference], name: Span) -> Option<Reference> {
    let first = refs.partition_point(|own| own.span.start < name.start);
    refs[first..].iter().take_while(|own| own.span.start == name.start).find(|own| own.span == name).copied()
}

fn unnamed(span: Span) -> Reference {
    Reference {
        name: StrId::NONE,
        span,
        kind: RefKind::Call,
        scope: ScopeId(0),
        receiver: codegraph_model::ExprId::NONE,
        args: 0,
    }
}

/// Whether the index has a link that says the same.
fn is_proved(links: &codegraph_store::FileLinks, refs: &[Reference], name: Span, callee: SymbolRow) -> bool {
    links.bound.iter().any(|bound| {
        let reference = &refs[bound.reference.index()];
        reference.span == name
            && is_call(bound.kind(reference))
            && *links.target(bound) == codegraph_store::LinkTarget::Symbol(callee)
    })
}

/// The lines that a value came by.
fn way(solver: &Solver<'_, '_>, at: (u32, u32), call: (FileId, u32)) -> Vec<(FileId, u32)> {
    let mut seen = BTreeSet::new();
    let mut places = Vec::new();
    for node in solver.sets.way(at.0, at.1) {
        let Node::Expr(file, expr) = solver.sets.nodes[node as usize] else { continue };
        let loaded = &solver.files[&file];
        use codegraph_extract::flow::FlowExpr::*;
        let start = match loaded.flow.exprs[expr as usize] {
            Name(span, _) | Member(_, span) => span.start,
            Call(call) => loaded.flow.calls[call as usize].place.at,
            _ => continue,
        };
        let line = loaded.linked.stored.facts.line_of(start);
        let own = call.0 == file && loaded.linked.stored.facts.line_of(call.1) == line;
        if !own && seen.insert((file.0, line)) {
            places.push((file, start));
        }
    }
    places
}
