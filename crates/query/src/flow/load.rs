//! A file whose values are followed: how they move in it, and what its names mean.

use std::rc::Rc;
use std::sync::Arc;

use codegraph_extract::flow::{FlowFacts, FunctionNo, flow};
use codegraph_languages::Language;
use codegraph_languages::flow::Flow;
use codegraph_live::Locals;
use codegraph_model::{BindingKind, FileId, Flags, ScopeKind, Span, SymbolId, TermId};
use codegraph_store::{LinkTarget, SymbolRow};
use rustc_hash::FxHashMap;

use crate::graph::{Graph, LinkedFile};
use crate::source::Source;
use crate::{Result, vocabulary};

/// A variable: whatever a scope of a file declares under one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Var {
    pub(super) file: FileId,
    pub(super) scope: u32,
    pub(super) name: TermId,
}

/// What a name means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Means {
    Var(Var),
    /// A member of a type or of an object.
    Member(Var, SymbolRow),
    Module(FileId),
    /// Something outside the project.
    Outside(Rc<str>),
}

/// What is declared among the exports of a file is none of its variables.
const EXPORTED: u32 = 1 << 31;

pub(super) struct Loaded {
    pub(super) id: FileId,
    pub(super) linked: Arc<LinkedFile>,
    pub(super) flow: FlowFacts,
    pub(super) language: &'static Language,
    pub(super) table: &'static Flow,
    source: Source,
    /// What names mean where they are read, and where they are declared or assigned.
    read: FxHashMap<u32, Means>,
    assigned: FxHashMap<u32, Means>,
    /// The symbols of functions, by their numbers.
    functions: Vec<Option<SymbolId>>,
    classes: Vec<Option<SymbolId>>,
}

pub(super) fn load(graph: &Graph<'_>, locals: &Locals<'_>, id: FileId) -> Result<Option<Loaded>> {
    let record = graph.reader.record(id)?;
    let language = vocabulary::language(&record.language)?;
    let (Some(table), Ok(source)) = (language.flow, graph.reader.source(&record)) else { return Ok(None) };
    let Some(flow) = flow(&source.bytes, language) else { return Ok(None) };
    let linked = graph.file(id)?;
    let mut means = FxHashMap::default();
    linked_names(graph, &linked, &mut means)?;
    for (reference, file, binding) in locals.of(id, &linked.links)? {
        let start = linked.stored.facts.refs[reference.index()].span.start;
        let other = graph.file(file)?;
        let binding = &other.stored.facts.bindings[binding as usize];
        let var = Var { file, scope: binding.scope.0, name: other.stored.term(binding.name) };
        means.entry(start).or_insert(Means::Var(var));
    }
    let mut assigned = declared(&linked, |kind| kind != BindingKind::Again);
    for (start, own) in means.iter().chain(&declared(&linked, |_| true)) {
        assigned.entry(*start).or_insert_with(|| own.clone());
    }
    for (start, own) in &assigned {
        means.entry(*start).or_insert_with(|| own.clone());
    }
    let functions = flow.functions.iter().map(|f| function_symbol(&linked, f.name, f.span)).collect();
    let classes = flow.classes.iter().map(|c| named_symbol(&linked, c.name).or_else(|| wide(&linked, c.span)));
    let classes = classes.collect();
    Ok(Some(Loaded { id, flow, language, table, source, read: means, assigned, functions, classes, linked }))
}

/// The variable that a symbol is, and whether it belongs to something.
pub(super) fn var_of(file: &LinkedFile, symbol: SymbolId) -> Option<(Var, bool)> {
    let entry = &file.stored.facts.symbols[symbol.index()];
    let name = entry.name.get()?;
    let exported = entry.flags.has(Flags::MEMBER);
    let scope = entry.scope.0 | if exported { EXPORTED } else { 0 };
    let top = entry.parent.get().is_none_or(|parent| parent.0 == 0);
    let around = entry.parent.get().map(|parent| file.stored.facts.symbols[parent.index()].kind);
    let is_local = around.is_some_and(|kind| kind.is_callable()) && !exported;
    Some((Var { file: file.id, scope, name: file.stored.term(name) }, !top && !is_local))
}

fn meaning(file: &LinkedFile, symbol: SymbolId) -> Option<Means> {
    let (var, is_member) = var_of(file, symbol)?;
    Some(if is_member { Means::Member(var, SymbolRow::new(file.id, symbol)) } else { Means::Var(var) })
}

/// What the names mean that the file declares, by where they stand.
fn declared(file: &LinkedFile, wanted: impl Fn(BindingKind) -> bool) -> FxHashMap<u32, Means> {
    let facts = &file.stored.facts;
    let mut means = FxHashMap::default();
    for (i, symbol) in facts.symbols.iter().enumerate().skip(1) {
        if !symbol.name_span.is_empty()
            && let Some(own) = meaning(file, SymbolId(i as u32))
        {
            means.entry(symbol.name_span.start).or_insert(own);
        }
    }
    for binding in &facts.bindings {
        let declares = !matches!(binding.kind, BindingKind::Global | BindingKind::Nonlocal | BindingKind::Label);
        if declares && binding.name.is_some() && wanted(binding.kind) {
            let var = Var { file: file.id, scope: binding.scope.0, name: file.stored.term(binding.name) };
            means.entry(binding.span.start).or_insert(Means::Var(var));
        }
    }
    means
}

/// What the references mean whose links are stored.
fn linked_names(graph: &Graph<'_>, file: &LinkedFile, means: &mut FxHashMap<u32, Means>) -> Result<()> {
    for bound in &file.links.bound {
        let start = file.stored.facts.refs[bound.reference.index()].span.start;
        let found = match file.links.target(bound) {
            LinkTarget::Symbol(row) if row.symbol.0 == 0 => Some(Means::Module(row.file)),
            LinkTarget::Symbol(row) => meaning(&*graph.file(row.file)?, row.symbol),
            LinkTarget::External(path) => {
                let names: Result<Vec<_>> = path.iter().map(|name| Ok(graph.reader.store.text(*name)?)).collect();
                Some(Means::Outside(names?.join(".").into()))
            }
        };
        if let Some(found) = found {
            means.entry(start).or_insert(found);
        }
    }
    Ok(())
}

pub(super) fn named_symbol(file: &LinkedFile, name: Span) -> Option<SymbolId> {
    let symbols = file.stored.facts.symbols.iter().enumerate().skip(1);
    let mut named = symbols.filter(|(_, symbol)| !name.is_empty() && symbol.name_span == name);
    named.next().map(|(i, _)| SymbolId(i as u32))
}

/// The symbol of a function: by its name, or by the scope that it opens.
fn function_symbol(file: &LinkedFile, name: Span, span: Span) -> Option<SymbolId> {
    if span.start == 0 && name.is_empty() && span.end + 1 >= file.stored.facts.length {
        return Some(SymbolId(0));
    }
    named_symbol(file, name).or_else(|| wide(file, span))
}

/// The symbol that opens the outermost scope inside a stretch of code.
fn wide(file: &LinkedFile, span: Span) -> Option<SymbolId> {
    let facts = &file.stored.facts;
    let inside = facts.scopes.iter().enumerate().filter(|(_, scope)| {
        scope.kind != ScopeKind::Block && span.start <= scope.span.start && scope.span.end <= span.end
    });
    let (number, scope) = inside.max_by_key(|(i, scope)| (scope.span.len(), std::cmp::Reverse(*i)))?;
    let symbol = facts.symbols.get(scope.owner.index())?;
    (symbol.inner.index() == number).then_some(scope.owner)
}

impl Loaded {
    pub(super) fn text(&self, span: Span) -> Rc<str> {
        self.source.text(span).into()
    }

    pub(super) fn means(&self, name: Span) -> Option<&Means> {
        self.read.get(&name.start)
    }

    /// What a name means that is given a value.
    pub(super) fn assigned_var(&self, name: Span) -> Option<Var> {
        match self.assigned.get(&name.start)? {
            Means::Var(var) | Means::Member(var, _) => Some(*var),
            _ => None,
        }
    }

    pub(super) fn function_symbol(&self, function: FunctionNo) -> Option<SymbolId> {
        self.functions[function as usize]
    }

    pub(super) fn is_decorated(&self, symbol: SymbolId) -> bool {
        let own = self.functions.iter().position(|own| *own == Some(symbol));
        own.is_some_and(|number| self.flow.functions[number].decorated)
    }

    pub(super) fn class_symbol(&self, class: u32) -> Option<SymbolId> {
        self.classes[class as usize]
    }

    /// The innermost function around an offset, inside another one.
    pub(super) fn innermost(&self, outer: FunctionNo, at: u32) -> FunctionNo {
        let functions = self.flow.functions.iter().enumerate().skip(1);
        let around = functions.filter(|(_, function)| function.span.contains(at));
        around.map(|(number, _)| number as FunctionNo).max().unwrap_or(outer)
    }

    /// Whether a function is inside another one.
    pub(super) fn is_within(&self, mut inner: FunctionNo, outer: FunctionNo) -> bool {
        while inner != 0 {
            let parent = self.flow.functions[inner as usize].parent;
            if parent == outer {
                return true;
            }
            inner = parent;
        }
        false
    }

    /// The symbol that code in a function belongs to.
    pub(super) fn around(&self, mut function: FunctionNo) -> SymbolId {
        while function != 0 {
            if let Some(symbol) = self.functions[function as usize] {
                return symbol;
            }
            function = self.flow.functions[function as usize].parent;
        }
        SymbolId(0)
    }
}
