//! From where a symbol can be meant at all: one that a function has for itself, or a module that exports it to nobody, is
//! out of the reach of all others, whatever nothing proves about them.

use codegraph_model::{FileId, Flags, RefKind, ScopeKind, Span, SymbolKind};
use codegraph_store::SymbolRow;

use super::family::{Family, Sites};
use crate::graph::{Graph, LinkedFile};
use crate::relation::SiteInfo;
use crate::{Result, vocabulary};

/// The stretch of text that can name a family; everything, if it is not known.
pub(super) struct Stretch(Option<Within>);

struct Within {
    file: FileId,
    span: Span,
}

impl Stretch {
    pub(super) fn of(graph: &Graph<'_>, family: &Family, sites: &Sites) -> Result<Stretch> {
        let (Some(first), Some(last)) = (family.symbols.first(), family.symbols.last()) else {
            return Ok(Stretch(None));
        };
        if first.file != last.file {
            return Ok(Stretch(None));
        }
        let file = graph.file(first.file)?;
        let mut whole = Span::new(u32::MAX, 0);
        for row in &family.symbols {
            let Some(span) = of_function(graph, &file, *row)?.or(of_module(graph, &file, *row, sites)?) else {
                return Ok(Stretch(None));
            };
            whole = Span::new(whole.start.min(span.start), whole.end.max(span.end));
        }
        Ok(Stretch(Some(Within { file: first.file, span: whole })))
    }

    /// Whether a name that nothing proves can mean the family.
    pub(super) fn contains(&self, graph: &Graph<'_>, site: &SiteInfo) -> Result<bool> {
        let Some(within) = &self.0 else { return Ok(true) };
        let near = graph.reader.known_file(&site.file)?.is_some_and(|record| record.id == within.file);
        if !near || !within.span.contains(site.byte_start) {
            return Ok(false);
        }
        let file = graph.file(within.file)?;
        let mut refs = file.stored.facts.refs.iter().filter(|reference| reference.span.start == site.byte_start);
        // No value has it as a member.
        Ok(refs.all(|reference| reference.receiver.is_none()))
    }
}

/// What only the code of a function sees.
fn of_function(graph: &Graph<'_>, file: &LinkedFile, row: SymbolRow) -> Result<Option<Span>> {
    use SymbolKind::{Class, Constant, Enum, Function, Interface, Struct, TypeAlias, Variable};
    let facts = &file.stored.facts;
    let symbol = &facts.symbols[row.symbol.index()];
    let linking = vocabulary::language(&graph.reader.record(row.file)?.language)?.linking;
    let known = matches!(symbol.kind, Class | Constant | Enum | Function | Interface | Struct | TypeAlias | Variable);
    let scope = &facts.scopes[symbol.scope.index()];
    let inside = matches!(scope.kind, ScopeKind::Function | ScopeKind::Block) && symbol.qualifier.is_none();
    Ok((known && inside && !linking.outermost_functions && in_function(file, row)).then_some(scope.span))
}

/// A block at the top level of a file is no function.
fn in_function(file: &LinkedFile, row: SymbolRow) -> bool {
    let facts = &file.stored.facts;
    let mut scope = facts.symbols[row.symbol.index()].scope;
    while let Some(own) = scope.get() {
        let entry = &facts.scopes[own.index()];
        match entry.kind {
            ScopeKind::Function => return true,
            ScopeKind::Block => scope = entry.parent,
            ScopeKind::Module | ScopeKind::Namespace | ScopeKind::Type => return false,
        }
    }
    false
}

/// What a module has for itself, where only what is exported can be imported.
fn of_module(graph: &Graph<'_>, file: &LinkedFile, row: SymbolRow, sites: &Sites) -> Result<Option<Span>> {
    let facts = &file.stored.facts;
    let symbol = &facts.symbols[row.symbol.index()];
    let linking = vocabulary::language(&graph.reader.record(row.file)?.language)?.linking;
    let is_module = !facts.imports.is_empty() || facts.symbols.iter().any(|symbol| symbol.flags.has(Flags::EXPORT));
    let own = sites.keys().all(|file| *file == row.file);
    let spans = sites.get(&row.file);
    let passed_on = facts.refs.iter().any(|reference| {
        reference.kind == RefKind::Import && spans.is_some_and(|spans| spans.contains(&reference.span))
    });
    let member = symbol.scope.0 != 0 || symbol.qualifier.is_some();
    let hidden = linking.exports_apart && is_module && own && !passed_on && !member;
    Ok((hidden && !symbol.flags.has(Flags::EXPORT)).then_some(Span::new(0, facts.length)))
}
