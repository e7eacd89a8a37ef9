//! All that has one name together: a symbol with its other declarations and overloads, the methods that stand for each
//! other, a type and its constructors, a parameter that is also a field.

use std::collections::{BTreeMap, BTreeSet};

use codegraph_live::{Locals, on_deep_stack};
use codegraph_model::{BindingKind, FileId, Flags, RefId, RefKind, Reference, Span, SymbolId, SymbolKind, TermId};
use codegraph_resolve::Target;
use codegraph_store::SymbolRow;

use super::{blocks, open, shorthand};
use crate::Result;
use crate::at::Meaning;
use crate::dispatch::{implementations, overridden};
use crate::graph::{Graph, LinkedFile};
use crate::vocabulary;

/// Methods that stand for each other at most: beyond it, something is wrong.
const MOST: usize = 2_000;

/// What is renamed together.
#[derive(Debug, Default)]
pub(super) struct Family {
    /// The name without marks of the language before it.
    pub(super) name: String,
    pub(super) symbols: BTreeSet<SymbolRow>,
    pub(super) locals: BTreeSet<(FileId, u32)>,
}

/// Where it stands, by file.
pub(super) type Sites = BTreeMap<FileId, BTreeSet<Span>>;

impl Family {
    /// The family of what a name means; none if that has no name in the text.
    pub(super) fn of(graph: &Graph<'_>, meaning: &Meaning) -> Result<Option<Family>> {
        let mut family = Family::default();
        match meaning {
            Meaning::Symbol(row) => family.add_symbol(graph, *row)?,
            Meaning::Local(file, binding) => family.add_local(graph, *file, *binding)?,
            Meaning::External(_) | Meaning::Package(_) | Meaning::Open(_) => return Ok(None),
        }
        family.called(graph)
    }

    /// What a name means, without its relatives: enough to say what it is called.
    pub(super) fn alone(graph: &Graph<'_>, meaning: &Meaning) -> Result<Option<Family>> {
        let mut family = Family::default();
        match meaning {
            Meaning::Symbol(row) if row.symbol.0 != 0 => _ = family.symbols.insert(*row),
            Meaning::Local(file, binding) => _ = family.locals.insert((*file, *binding)),
            _ => return Ok(None),
        }
        family.called(graph)
    }

    fn called(self, graph: &Graph<'_>) -> Result<Option<Family>> {
        let mut family = self;
        let text = match (family.symbols.first(), family.locals.first()) {
            (Some(row), _) => symbol_name(graph, *row)?,
            (None, Some((file, binding))) => {
                let linked = graph.file(*file)?;
                let name = linked.stored.facts.bindings[*binding as usize].name.get();
                name.map(|name| graph.reader.store().name(&linked.stored, name))
                    .transpose()?
                    .map(|text| text.to_string())
            }
            (None, None) => None,
        };
        family.name = text.as_deref().map(bare).unwrap_or_default().to_owned();
        Ok((!family.name.is_empty()).then_some(family))
    }

    fn add_symbol(&mut self, graph: &Graph<'_>, row: SymbolRow) -> Result<()> {
        let mut pending = vec![row];
        while let Some(row) = pending.pop() {
            if row.symbol.0 == 0 || self.symbols.len() > MOST || !self.symbols.insert(row) {
                continue;
            }
            pending.extend(same_symbol(graph, row)?);
            pending.extend(of_type(graph, row)?);
            let kind = graph.reader.outline(row.file)?.facts.symbols[row.symbol.index()].kind;
            if let Some(twins) = blocks::twins(graph, row)? {
                pending.extend(twins);
            } else if (kind.is_callable() && kind != SymbolKind::Constructor) || kind == SymbolKind::Property {
                pending.extend(overridden(graph, row)?);
                pending.extend(implementations(graph, row)?);
            }
            self.add_parameters(graph, row)?;
        }
        Ok(())
    }

    /// A parameter that is also a field has one name.
    fn add_parameters(&mut self, graph: &Graph<'_>, row: SymbolRow) -> Result<()> {
        let linked = graph.file(row.file)?;
        let span = linked.stored.facts.symbols[row.symbol.index()].name_span;
        for (i, binding) in linked.stored.facts.bindings.iter().enumerate() {
            if binding.kind == BindingKind::Param && binding.span == span && !span.is_empty() {
                self.locals.insert((row.file, i as u32));
            }
        }
        Ok(())
    }

    fn add_local(&mut self, graph: &Graph<'_>, file: FileId, binding: u32) -> Result<()> {
        self.locals.insert((file, binding));
        let linked = graph.file(file)?;
        let own = linked.stored.facts.bindings[binding as usize];
        // The same name of the same scope, declared again.
        for (i, other) in linked.stored.facts.bindings.iter().enumerate() {
            if other.kind == BindingKind::Again && (other.name, other.scope) == (own.name, own.scope) {
                self.locals.insert((file, i as u32));
            }
        }
        let fields = linked.stored.facts.symbols.iter().enumerate();
        let field = fields.skip(1).find(|(_, s)| own.kind == BindingKind::Param && s.name_span == own.span);
        match field {
            Some((i, _)) => self.add_symbol(graph, SymbolRow::new(file, SymbolId(i as u32))),
            None => Ok(()),
        }
    }

    /// Where in the text of a name ours stands; none if that is another name for it.
    pub(super) fn in_span(&self, text: &str) -> Option<(usize, usize)> {
        let start = text.len() - text.trim_start_matches(MARKS).len();
        (text[start..] == self.name).then_some((start, text.len()))
    }

    /// All places with the name, declarations too.
    pub(super) fn sites(&self, graph: &Graph<'_>) -> Result<Sites> {
        let mut sites = Sites::new();
        for row in &self.symbols {
            let span = graph.reader.outline(row.file)?.facts.symbols[row.symbol.index()].name_span;
            sites.entry(row.file).or_default().insert(span);
            for (file, span) in shorthand::fields(graph, *row)?.0 {
                sites.entry(file).or_default().insert(span);
            }
            for site in graph.uses_of(*row)? {
                let spans = sites.entry(site.user.file).or_default();
                spans.insert(site.reference.span);
                if site.reference.kind == RefKind::Import {
                    spans.extend(own_alias(&*graph.file(site.user.file)?, &site.reference));
                }
            }
        }
        for (file, binding) in &self.locals {
            let linked = graph.file(*file)?;
            let own = linked.stored.facts.bindings[*binding as usize];
            sites.entry(*file).or_default().insert(own.span);
            let owner = linked.stored.facts.scopes[own.scope.index()].owner;
            let mut files = BTreeSet::from([*file]);
            if own.kind == BindingKind::Param && owner.is_some() {
                files.extend(graph.reader.store().sources(SymbolRow::new(*file, owner))?);
            }
            if own.kind == BindingKind::Label {
                sites.entry(*file).or_default().extend(open::label_uses(graph, *file, &own)?);
            }
            for user in files {
                let spans = local_uses(graph, user, *file, *binding)?;
                sites.entry(user).or_default().extend(spans);
            }
        }
        sites.values_mut().for_each(|spans| spans.retain(|span| !span.is_empty()));
        sites.retain(|_, spans| !spans.is_empty());
        Ok(sites)
    }
}

/// Marks that languages write before names.
const MARKS: [char; 4] = ['$', '@', '~', ':'];

pub(super) fn bare(name: &str) -> &str {
    name.trim_start_matches(MARKS)
}

fn symbol_name(graph: &Graph<'_>, row: SymbolRow) -> Result<Option<String>> {
    let outline = graph.reader.outline(row.file)?;
    let symbol = &outline.facts.symbols[row.symbol.index()];
    let named = symbol.name.get().filter(|_| !symbol.name_span.is_empty() && symbol.kind != SymbolKind::Impl);
    let text = named.map(|name| graph.reader.store().name(&outline, name)).transpose()?;
    Ok(text.filter(|_| symbol.kind != SymbolKind::Heading).map(|text| text.to_string()))
}

/// Declarations, definitions and overloads of a symbol: what has the same qualified name. What only its own file sees is
/// looked for there.
fn same_symbol(graph: &Graph<'_>, row: SymbolRow) -> Result<Vec<SymbolRow>> {
    let reader = graph.reader;
    let view = reader.view_of(row.file)?;
    let symbol = view.symbol(row.symbol);
    let Some(name) = symbol.name.get() else { return Ok(Vec::new()) };
    let term = view.stored.term(name);
    let base = view.names().base(view.facts(), row.symbol, &view);
    let language = vocabulary::language(&view.record.language)?;
    let member =
        symbol.parent.get().is_some_and(|parent| view.symbol(parent).kind.is_type()) || symbol.qualifier.is_some();
    let own_file = symbol.flags.has(Flags::STATIC) && !member && language.linking.headers;
    let mut found = Vec::new();
    for file in definers(graph, term, row.file, own_file)? {
        let other = reader.view_of(file)?;
        if !vocabulary::language(&other.record.language)?.is_related(language) {
            continue;
        }
        let Some(own) = other.stored.str_id(term) else { continue };
        for (id, twin) in other.symbols().skip(1).filter(|(_, twin)| twin.name == own) {
            let hidden = file != row.file && twin.flags.has(Flags::STATIC) && language.linking.headers && !member;
            let itself = SymbolRow::new(file, id) == row;
            if !hidden && !itself && other.names().base(other.facts(), id, &other) == base {
                found.push(SymbolRow::new(file, id));
            }
        }
        other.check()?;
    }
    view.check()?;
    Ok(found)
}

fn definers(graph: &Graph<'_>, term: TermId, file: FileId, own_file: bool) -> Result<Vec<FileId>> {
    match own_file {
        true => Ok(vec![file]),
        false => Ok(graph.reader.store().definers(term)?),
    }
}

/// A type and what makes and ends its values have one name where they are written with it.
fn of_type(graph: &Graph<'_>, row: SymbolRow) -> Result<Vec<SymbolRow>> {
    use SymbolKind::{Constructor, Destructor};
    let view = graph.reader.view_of(row.file)?;
    let symbol = view.symbol(row.symbol);
    let own = bare(view.name(row.symbol)).to_owned();
    if matches!(symbol.kind, Constructor | Destructor) {
        let parent =
            symbol.parent.get().filter(|parent| view.symbol(*parent).kind.is_type() && view.name(*parent) == own);
        return Ok(parent.map(|parent| SymbolRow::new(row.file, parent)).into_iter().collect());
    }
    if !symbol.kind.is_type() {
        return Ok(Vec::new());
    }
    let made = view.symbols().filter(|(id, inner)| {
        inner.parent == row.symbol && matches!(inner.kind, Constructor | Destructor) && bare(view.name(*id)) == own
    });
    Ok(made.map(|(id, _)| SymbolRow::new(row.file, id)).collect())
}

/// The same name once more, behind the one that is imported: it says that others may import it from here.
fn own_alias(file: &LinkedFile, imported: &Reference) -> Option<Span> {
    let facts = &file.stored.facts;
    let import = facts.imports.iter().find(|import| {
        let last = import.path.last().map(|id| facts.refs[id.index()].span);
        last == Some(imported.span) && import.alias == imported.name
    });
    import.map(|import| import.alias_span)
}

/// Where a file names a local name: its own, or a parameter of a function that it calls.
fn local_uses(graph: &Graph<'_>, user: FileId, home: FileId, binding: u32) -> Result<Vec<Span>> {
    let declared = graph.file(home)?;
    let Some(name) = declared.stored.facts.bindings[binding as usize].name.get() else { return Ok(Vec::new()) };
    let linked = graph.file(user)?;
    let Some(name) = linked.stored.str_id(declared.stored.term(name)) else { return Ok(Vec::new()) };
    let refs = linked.stored.facts.refs.iter().enumerate().map(|(i, reference)| (RefId(i as u32), reference));
    let open: Vec<RefId> = refs
        .filter(|(id, reference)| reference.name == name && linked.links.of(*id).is_none())
        .map(|(id, _)| id)
        .collect();
    let links = on_deep_stack(|| Locals::new(graph.reader.store()).at(user, &open))?;
    let meant = links.iter().filter(|link| match &link.target {
        Target::Local(own) => user == home && *own == binding,
        Target::Parameter(file, own) => *file == home.0 && *own == binding,
        _ => false,
    });
    Ok(meant.map(|link| linked.stored.facts.refs[link.reference.index()].span).collect())
}
