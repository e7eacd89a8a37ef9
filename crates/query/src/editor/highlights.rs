//! Where the name at a place stands again in its own file.

use codegraph_live::{Locals, on_deep_stack};
use codegraph_model::{RefId, RefKind, Span};
use codegraph_store::{LinkTarget, SymbolRow};
use serde::Serialize;

use crate::at::{Meaning, Pointing, point};
use crate::graph::{Graph, LinkedFile};
use crate::symbol::Place;
use crate::{FilePlace, Reader, Result, Selector};

/// A place with the same name and meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Highlight {
    pub range: Place,
    /// The name gets a value here, or is declared.
    pub write: bool,
}

/// Answers where in its file the name at a place is meant again.
pub fn highlights(reader: &Reader, place: &FilePlace) -> Result<Vec<Highlight>> {
    let graph = Graph::new(reader);
    let record = reader.file(&place.file)?;
    let Pointing::Here(pointed) = point(&graph, &Selector::Place(place.clone()))? else { return Ok(Vec::new()) };
    let file = graph.file(record.id)?;
    let mut found: Vec<(Span, bool)> = Vec::new();
    for one in &pointed {
        match &one.meaning {
            Meaning::Symbol(row) => of_symbol(&file, *row, &mut found),
            Meaning::Local(home, binding) => {
                if *home == file.id {
                    found.push((file.stored.facts.bindings[*binding as usize].span, true));
                }
                of_local(&graph, &file, *home, *binding, &mut found)?;
            }
            Meaning::External(path) => of_target(&file, &LinkTarget::External(path.clone()), &mut found),
            Meaning::Package(_) | Meaning::Open(_) => found.push((one.span, false)),
        }
    }
    found.retain(|(span, _)| !span.is_empty());
    found.sort_unstable_by_key(|(span, write)| (*span, !write));
    found.dedup_by_key(|(span, _)| *span);
    let view = reader.view(record)?;
    Ok(found.into_iter().map(|(span, write)| Highlight { range: view.place(span), write }).collect())
}

fn of_symbol(file: &LinkedFile, row: SymbolRow, found: &mut Vec<(Span, bool)>) {
    if row.file == file.id {
        found.push((file.stored.facts.symbols[row.symbol.index()].name_span, true));
    }
    of_target(file, &LinkTarget::Symbol(row), found);
}

fn of_target(file: &LinkedFile, target: &LinkTarget, found: &mut Vec<(Span, bool)>) {
    for bound in file.links.bound.iter().filter(|bound| file.links.target(bound) == target) {
        let reference = &file.stored.facts.refs[bound.reference.index()];
        found.push((reference.span, bound.kind(reference) == RefKind::Write));
    }
}

fn of_local(
    graph: &Graph<'_>,
    file: &LinkedFile,
    home: codegraph_model::FileId,
    binding: u32,
    found: &mut Vec<(Span, bool)>,
) -> Result<()> {
    let name = graph.file(home)?.stored.term(graph.file(home)?.stored.facts.bindings[binding as usize].name);
    let Some(name) = file.stored.str_id(name) else { return Ok(()) };
    let refs = file.stored.facts.refs.iter().enumerate().map(|(i, reference)| (RefId(i as u32), reference));
    let wanted: Vec<RefId> = refs
        .filter(|(id, reference)| reference.name == name && file.links.of(*id).is_none())
        .map(|(id, _)| id)
        .collect();
    for link in on_deep_stack(|| Locals::new(graph.reader.store()).at(file.id, &wanted))? {
        let same = match &link.target {
            codegraph_resolve::Target::Local(own) => home == file.id && *own == binding,
            codegraph_resolve::Target::Parameter(other, own) => *other == home.0 && *own == binding,
            _ => false,
        };
        if same {
            let reference = &file.stored.facts.refs[link.reference.index()];
            found.push((reference.span, reference.kind == RefKind::Write));
        }
    }
    Ok(())
}
