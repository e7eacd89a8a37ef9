//! Uses of a name that nothing proves: references without a link, and names in code that are no reference at all.

use codegraph_model::{
    Certainty, ExprId, ExprOp, How, RefKind, Reference, ScopeId, Span, SymbolId, SymbolKind, TermMask,
};
use codegraph_store::{FileId, SymbolRow};
use rustc_hash::FxHashSet;

use super::family::{Family, Sites};
use crate::graph::{Graph, Site};
use crate::relation::{Describer, SiteInfo};
use crate::{Result, vocabulary};

/// The sites that have the name of a family and may mean it. Local names are proven by their scopes.
pub(super) fn unproven(graph: &Graph<'_>, family: &Family, sites: &Sites) -> Result<Vec<SiteInfo>> {
    let Some(row) = family.symbols.first().copied() else { return Ok(Vec::new()) };
    let mut describer = Describer::new(graph);
    let mut found = describer.all_unbound(row)?;
    found.retain(|site| !is_planned(graph, sites, site));
    found.extend(unread(graph, row, &mut describer)?);
    if is_member(graph, row)? {
        found.extend(keys(graph, family, sites, row, &mut describer)?);
    }
    found.sort_by(|a, b| (&a.file, a.byte_start).cmp(&(&b.file, b.byte_start)));
    found.dedup_by(|a, b| (&a.file, a.byte_start) == (&b.file, b.byte_start));
    Ok(found)
}

/// A place may have two meanings of which one is proven.
fn is_planned(graph: &Graph<'_>, sites: &Sites, site: &SiteInfo) -> bool {
    let Ok(Some(record)) = graph.reader.known_file(&site.file) else { return false };
    let planned = sites.get(&record.id);
    planned.is_some_and(|spans| spans.iter().any(|span| span.start == site.byte_start))
}

/// Lines of code that have the name although nothing that was read there does: bodies of macros, text in conditions.
fn unread(graph: &Graph<'_>, row: SymbolRow, describer: &mut Describer<'_, '_>) -> Result<Vec<SiteInfo>> {
    let reader = graph.reader;
    let view = reader.view_of(row.file)?;
    let term = view.stored.term(view.symbol(row.symbol).name);
    let language = vocabulary::language(&view.record.language)?;
    let mut found = Vec::new();
    for posting in reader.store().postings(term)? {
        let record = reader.record(posting.file)?;
        if !vocabulary::language(&record.language)?.is_related(language) {
            continue;
        }
        let linked = graph.file(posting.file)?;
        let facts = &linked.stored.facts;
        let Some(name) = linked.stored.str_id(term) else { continue };
        let symbols = facts.symbols.iter().filter(|s| s.name == name).map(|s| s.name_span);
        let bindings = facts.bindings.iter().filter(|b| b.name == name).map(|b| b.span);
        let refs = facts.refs.iter().filter(|r| r.name == name).map(|r| r.span);
        let imports = facts.imports.iter().filter(|i| i.alias == name).map(|i| i.alias_span);
        let read = symbols.chain(bindings).chain(refs).chain(imports);
        let read: FxHashSet<u32> = read.filter(|span| !span.is_empty()).map(|span| facts.line_of(span.start)).collect();
        for line in posting.lines.iter().filter(|line| line.mask.has(TermMask::CODE) && !read.contains(&line.line)) {
            let start = facts.line_starts[line.line as usize - 1];
            found.push(describer.site(&open_site(posting.file, name, Span::new(start, start)))?);
        }
    }
    Ok(found)
}

/// A place that has the name, as an answer shows it.
fn open_site(file: FileId, name: codegraph_model::StrId, span: Span) -> Site {
    let (kind, scope, receiver) = (RefKind::Read, ScopeId(0), ExprId::NONE);
    let reference = Reference { name, span, kind, scope, receiver, args: 0 };
    Site { user: SymbolRow::new(file, SymbolId(0)), reference, certainty: Certainty::Candidate, how: How::Name }
}

/// Whether something is named through a value.
fn is_member(graph: &Graph<'_>, row: SymbolRow) -> Result<bool> {
    use SymbolKind::{Field, Getter, InstanceVariable, Method, Property, Setter};
    let kind = graph.reader.outline(row.file)?.facts.symbols[row.symbol.index()].kind;
    Ok(matches!(kind, Field | Getter | InstanceVariable | Method | Property | Setter))
}

/// Members with the same name of types without a name, keys of values without a type of their own, and keys by which
/// values are taken apart. They may be that member; nothing says so.
fn keys(
    graph: &Graph<'_>,
    family: &Family,
    sites: &Sites,
    row: SymbolRow,
    describer: &mut Describer<'_, '_>,
) -> Result<Vec<SiteInfo>> {
    let reader = graph.reader;
    let view = reader.view_of(row.file)?;
    let term = view.stored.term(view.symbol(row.symbol).name);
    let language = vocabulary::language(&view.record.language)?;
    let mut found = Vec::new();
    for file in reader.store().mentioning(term, TermMask::CODE)? {
        if !vocabulary::language(&reader.record(file)?.language)?.is_related(language) {
            continue;
        }
        let stored = reader.store().facts(file)?;
        let facts = &stored.facts;
        let Some(name) = stored.str_id(term) else { continue };
        let in_shape = |symbol: &codegraph_model::Symbol| {
            let parent = symbol.parent.get().map(|parent| facts.symbols[parent.index()].kind);
            let member = matches!(symbol.kind, SymbolKind::Field | SymbolKind::Method) && symbol.qualifier.is_none();
            member && !parent.is_some_and(SymbolKind::is_type)
        };
        let own = |i: usize| family.symbols.contains(&SymbolRow::new(file, SymbolId(i as u32)));
        let symbols = facts.symbols.iter().enumerate();
        let shaped = symbols.filter(|(i, symbol)| symbol.name == name && !own(*i) && in_shape(symbol));
        let taken = facts.bindings.iter().filter(|binding| {
            let init = binding.init.get().map(|init| facts.exprs[init.index()]);
            binding.name == name && init.is_some_and(|init| init.op == ExprOp::Key && init.b == name.0)
        });
        let spans = shaped.map(|(_, symbol)| symbol.name_span).chain(taken.map(|binding| binding.span));
        let planned = |span: &Span| sites.get(&file).is_some_and(|spans| spans.contains(span));
        for span in spans.filter(|span| !planned(span)).collect::<Vec<_>>() {
            found.push(describer.site(&open_site(file, name, span))?);
        }
    }
    Ok(found)
}
