//! Uses of a name that nothing proves: references without a link, and names in code that are no reference at all.

use codegraph_model::{
    Binding, Certainty, ExprId, ExprOp, FileFacts, FileId, How, RefKind, Reference, ScopeId, Span, StrId, SymbolId,
    SymbolKind, TermId, TermMask,
};
use codegraph_store::{Posting, SymbolRow};
use rustc_hash::FxHashSet;

use super::family::{Family, Sites};
use super::shorthand;
use super::stretch::Stretch;
use crate::graph::{Graph, Site};
use crate::relation::{Describer, SiteInfo};
use crate::{Result, vocabulary};

/// The sites that have the name of a family and may mean it.
pub(super) fn unproven(graph: &Graph<'_>, family: &Family, sites: &Sites) -> Result<Vec<SiteInfo>> {
    let mut describer = Describer::new(graph);
    let mut found = Vec::new();
    if let Some(row) = family.symbols.first().copied() {
        let stretch = Stretch::of(graph, family, sites)?;
        for site in describer.all_unbound(row)? {
            if !is_planned(graph, sites, &site) && stretch.contains(graph, &site)? {
                found.push(site);
            }
        }
        for (file, span) in shorthand::fields(graph, row)?.1 {
            let name = graph.file(file)?.stored.str_id(term_of(graph, row)?).unwrap_or_default();
            found.push(describer.site(&open_site(file, name, span))?);
        }
        if is_assigned(graph, row)? {
            found.extend(namesakes(graph, family, row, &mut describer)?);
        }
        found.extend(unread(graph, row, &mut describer)?);
        let kind = graph.reader.outline(row.file)?.facts.symbols[row.symbol.index()].kind;
        for file in sites.keys() {
            found.extend(said(graph, *file, term_of(graph, row)?, Meant::Symbol(kind), &mut describer)?);
        }
        if is_member(graph, row)? {
            found.extend(keys(graph, family, sites, row, &mut describer)?);
        }
    }
    for (file, binding) in &family.locals {
        found.extend(unread_locals(graph, *file, *binding, sites, &mut describer)?);
        let linked = graph.file(*file)?;
        let own = linked.stored.facts.bindings[*binding as usize];
        if own.name.is_some() {
            let scope = linked.stored.facts.scopes[own.scope.index()].span;
            found.extend(said(graph, *file, linked.stored.term(own.name), Meant::Local(scope), &mut describer)?);
        }
    }
    found.sort_by(|a, b| (&a.file, a.byte_start).cmp(&(&b.file, b.byte_start)));
    found.dedup_by(|a, b| (&a.file, a.byte_start) == (&b.file, b.byte_start));
    Ok(found)
}

/// Whether a function is declared by giving it to a member of some value: what that value is made of is not known.
fn is_assigned(graph: &Graph<'_>, row: SymbolRow) -> Result<bool> {
    let view = graph.reader.view_of(row.file)?;
    let symbol = view.symbol(row.symbol);
    if symbol.kind != SymbolKind::Function || symbol.name_span.start == 0 {
        return Ok(false);
    }
    let before = Span::new(symbol.name_span.start - 1, symbol.name_span.start);
    Ok(graph.reader.source(&view.record)?.text(before) == ".")
}

/// Members of types with the name of something: they may be what was declared there.
fn namesakes(
    graph: &Graph<'_>,
    family: &Family,
    row: SymbolRow,
    describer: &mut Describer<'_, '_>,
) -> Result<Vec<SiteInfo>> {
    let view = graph.reader.view_of(row.file)?;
    let term = view.stored.term(view.symbol(row.symbol).name);
    let mut found = Vec::new();
    for file in graph.reader.store().definers(term)? {
        let outline = graph.reader.outline(file)?;
        let Some(name) = outline.str_id(term) else { continue };
        for (i, symbol) in outline.facts.symbols.iter().enumerate().filter(|(_, symbol)| symbol.name == name) {
            let other = SymbolRow::new(file, SymbolId(i as u32));
            if is_member(graph, other)? && !family.symbols.contains(&other) {
                found.push(describer.site(&open_site(file, name, symbol.name_span))?);
            }
        }
    }
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
        for line in unread_lines(facts, name, &posting) {
            let start = facts.line_starts[line as usize - 1];
            found.push(describer.site(&open_site(posting.file, name, Span::new(start, start)))?);
        }
    }
    Ok(found)
}

const QUOTES: &[(&str, &str)] = &[("\"", "\""), ("'", "'")];

/// What a text may mean that says a name.
#[derive(Clone, Copy)]
enum Meant {
    Symbol(SymbolKind),
    /// Something local to a scope.
    Local(Span),
}

/// Texts that say a name for what has it: one that is formatted with it, one that is the name of a type and nothing else, and
/// one in the list of the members that a type has.
fn said(
    graph: &Graph<'_>,
    file: FileId,
    term: TermId,
    meant: Meant,
    describer: &mut Describer<'_, '_>,
) -> Result<Vec<SiteInfo>> {
    let view = graph.reader.view_of(file)?;
    let language = vocabulary::language(&view.record.language)?;
    let facts = view.facts();
    let (scopes, quotes): (Vec<Span>, &[(&str, &str)]) = match meant {
        Meant::Local(scope) => (vec![scope], &[]),
        Meant::Symbol(kind) if language.quoted_types && kind.is_type() => (vec![Span::new(0, facts.length)], QUOTES),
        Meant::Symbol(SymbolKind::InstanceVariable | SymbolKind::Field) if !language.member_list.is_empty() => {
            let lists =
                (0..facts.symbols.len() as u32).map(SymbolId).filter(|id| view.name(*id) == language.member_list);
            (lists.map(|id| facts.symbols[id.index()].span).collect(), QUOTES)
        }
        Meant::Symbol(_) => (vec![Span::new(0, facts.length)], &[]),
    };
    let around: Vec<&(&str, &str)> = language.captures.iter().chain(quotes).collect();
    let Some(name) = view.stored.str_id(term).filter(|_| !around.is_empty()) else { return Ok(Vec::new()) };
    let (source, word) = (graph.reader.source(&view.record)?, graph.reader.store().text(term)?);
    let starts = &facts.line_starts;
    let mut found = Vec::new();
    for posting in graph.reader.store().postings(term)?.iter().filter(|posting| posting.file == file) {
        for line in posting.lines.iter().filter(|line| line.mask.has(TermMask::STRING)) {
            let start = starts[line.line as usize - 1];
            let end = starts.get(line.line as usize).copied().unwrap_or(facts.length);
            if scopes.iter().all(|scope| end <= scope.start || scope.end <= start) {
                continue;
            }
            let text = source.text(Span::new(start, end));
            for (before, after) in &around {
                let wanted = format!("{before}{word}{after}");
                for (at, _) in text.match_indices(&wanted) {
                    let from = start + (at + before.len()) as u32;
                    let span = Span::new(from, from + word.len() as u32);
                    found.push(describer.site(&open_site(file, name, span))?);
                }
            }
        }
    }
    Ok(found)
}

/// The lines of a file that have a name in code which nothing that was read there has.
fn unread_lines(facts: &FileFacts, name: StrId, posting: &Posting) -> Vec<u32> {
    let symbols = facts.symbols.iter().filter(|s| s.name == name).map(|s| s.name_span);
    let bindings = facts.bindings.iter().filter(|b| b.name == name).map(|b| b.span);
    let refs = facts.refs.iter().filter(|r| r.name == name).map(|r| r.span);
    let imports = facts.imports.iter().filter(|i| i.alias == name).map(|i| i.alias_span);
    let read = symbols.chain(bindings).chain(refs).chain(imports);
    let read: FxHashSet<u32> = read.filter(|span| !span.is_empty()).map(|span| facts.line_of(span.start)).collect();
    let lines = posting.lines.iter().filter(|line| line.mask.has(TermMask::CODE) && !read.contains(&line.line));
    lines.map(|line| line.line).collect()
}

/// The lines in the scope of a local name that have it in code although nothing was read there, with what else of the line
/// has it.
fn in_scope(graph: &Graph<'_>, file: FileId, binding: &Binding) -> Result<Vec<(Span, bool)>> {
    let linked = graph.file(file)?;
    let facts = &linked.stored.facts;
    let Some(name) = binding.name.get() else { return Ok(Vec::new()) };
    let scope = facts.scopes[binding.scope.index()].span;
    let mut found = Vec::new();
    for posting in graph.reader.store().postings(linked.stored.term(name))?.iter().filter(|p| p.file == file) {
        for line in unread_lines(facts, name, posting) {
            let start = facts.line_starts[line as usize - 1];
            let end = facts.line_starts.get(line as usize).copied().unwrap_or(facts.length);
            let alone = posting.lines.iter().all(|own| own.line != line || !own.mask.has(TermMask::COMMENT));
            if scope.start < end && start < scope.end {
                found.push((Span::new(start, end), alone));
            }
        }
    }
    Ok(found)
}

/// Where statements name a label: no reference does, and nothing else has its name on their lines.
pub(super) fn label_uses(graph: &Graph<'_>, file: FileId, label: &Binding) -> Result<Vec<Span>> {
    let view = graph.reader.view_of(file)?;
    let source = graph.reader.source(&view.record)?;
    let own = source.text(label.span);
    let mut found = Vec::new();
    for (line, alone) in in_scope(graph, file, label)? {
        let text = source.text(line);
        let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '$'));
        let words = text.match_indices(own.as_str()).filter(|(at, word)| {
            !is_part(text[..*at].chars().next_back()) && !is_part(text[at + word.len()..].chars().next())
        });
        let spans = words.map(|(at, word)| Span::new(line.start + at as u32, line.start + (at + word.len()) as u32));
        found.extend(spans.filter(|_| alone));
    }
    Ok(found)
}

/// What has the name of a local one in its scope, although nothing was read there.
fn unread_locals(
    graph: &Graph<'_>,
    file: FileId,
    binding: u32,
    sites: &Sites,
    describer: &mut Describer<'_, '_>,
) -> Result<Vec<SiteInfo>> {
    let own = graph.file(file)?.stored.facts.bindings[binding as usize];
    let planned = |line: Span| {
        let spans = sites.get(&file);
        spans.is_some_and(|spans| spans.iter().any(|span| line.contains(span.start)))
    };
    let lines = in_scope(graph, file, &own)?;
    let open = lines.iter().filter(|(line, _)| !planned(*line));
    open.map(|(line, _)| describer.site(&open_site(file, own.name, Span::new(line.start, line.start)))).collect()
}

/// A place that has the name, as an answer shows it.
fn open_site(file: FileId, name: codegraph_model::StrId, span: Span) -> Site {
    let (kind, scope, receiver) = (RefKind::Read, ScopeId(0), ExprId::NONE);
    let reference = Reference { name, span, kind, scope, receiver, args: 0 };
    let user = SymbolRow::new(file, SymbolId(0));
    Site { user, reference, certainty: Certainty::Candidate, how: How::Name, place: None }
}

fn term_of(graph: &Graph<'_>, row: SymbolRow) -> Result<TermId> {
    let outline = graph.reader.outline(row.file)?;
    Ok(outline.term(outline.facts.symbols[row.symbol.index()].name))
}

pub(super) fn is_field(graph: &Graph<'_>, row: SymbolRow) -> Result<bool> {
    Ok(graph.reader.outline(row.file)?.facts.symbols[row.symbol.index()].kind == SymbolKind::Field)
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
