//! Members that stand for each other by impl blocks: what a trait declares, and what every block that gives the trait to
//! some type has for it, whatever that type is.

use codegraph_model::{RefKind, StrId, Symbol, SymbolId, SymbolKind, TermId};
use codegraph_store::{LinkTarget, SymbolRow};

use crate::graph::{Graph, LinkedFile};
use crate::{Result, vocabulary};

/// The members of traits and impl blocks that have one name with a member; none where the language has no such blocks.
pub(super) fn twins(graph: &Graph<'_>, row: SymbolRow) -> Result<Option<Vec<SymbolRow>>> {
    let language = vocabulary::language(&graph.reader.record(row.file)?.language)?;
    if !language.linking.impl_blocks {
        return Ok(None);
    }
    let file = graph.file(row.file)?;
    let symbol = &file.stored.facts.symbols[row.symbol.index()];
    let Some(parent) = symbol.parent.get() else { return Ok(None) };
    let name = file.stored.term(symbol.name);
    match file.stored.facts.symbols[parent.index()].kind {
        SymbolKind::Trait => of_trait(graph, SymbolRow::new(row.file, parent), name).map(Some),
        SymbolKind::Impl => {
            let mut found = Vec::new();
            for target in traits(&file, parent) {
                found.extend(members(&*graph.file(target.file)?, target.symbol, name));
            }
            Ok(Some(found))
        }
        _ => Ok(None),
    }
}

/// What the blocks about a trait have under a name.
fn of_trait(graph: &Graph<'_>, of: SymbolRow, name: TermId) -> Result<Vec<SymbolRow>> {
    let mut found = Vec::new();
    for site in graph.uses_of(of)?.iter().filter(|site| is_base(site.reference.kind)) {
        let file = graph.file(site.user.file)?;
        let blocks = file
            .stored
            .facts
            .symbols
            .iter()
            .enumerate()
            .filter(|(_, symbol)| symbol.kind == SymbolKind::Impl && in_head(symbol, site.reference.span.start));
        for (block, _) in blocks {
            found.extend(members(&file, SymbolId(block as u32), name));
        }
    }
    Ok(found)
}

/// The traits of the project that an impl block gives to a type.
fn traits(file: &LinkedFile, block: SymbolId) -> Vec<SymbolRow> {
    let symbol = &file.stored.facts.symbols[block.index()];
    let bound = file.links.bound.iter().filter(|bound| {
        let reference = &file.stored.facts.refs[bound.reference.index()];
        is_base(reference.kind) && in_head(symbol, reference.span.start)
    });
    bound
        .filter_map(|bound| match file.links.target(bound) {
            LinkTarget::Symbol(row) => Some(*row),
            LinkTarget::External(_) => None,
        })
        .collect()
}

fn members(file: &LinkedFile, of: SymbolId, name: TermId) -> Vec<SymbolRow> {
    let Some(name): Option<StrId> = file.stored.str_id(name) else { return Vec::new() };
    let symbols = file.stored.facts.symbols.iter().enumerate();
    let own = symbols.filter(|(_, symbol)| symbol.parent == of && symbol.name == name);
    own.map(|(id, _)| SymbolRow::new(file.id, SymbolId(id as u32))).collect()
}

fn is_base(kind: RefKind) -> bool {
    matches!(kind, RefKind::Inherit | RefKind::Implements)
}

fn in_head(symbol: &Symbol, at: u32) -> bool {
    at >= symbol.span.start && at < symbol.head_end
}
