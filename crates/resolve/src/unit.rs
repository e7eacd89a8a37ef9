//! One file as the linker sees it: its facts with project-wide names, and an index of what each scope declares.

use codegraph_languages::Language;
use codegraph_model::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::homes::Homes;
use crate::{FileId, TermId};

/// Something that a scope declares under a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decl {
    Symbol(SymbolId),
    /// Position in [`FileFacts::bindings`].
    Binding(u32),
    /// Position in [`FileFacts::imports`].
    Import(u32),
}

/// The facts of one file, ready for lookups.
pub struct Unit {
    pub file: FileId,
    pub language: &'static Language,
    pub facts: FileFacts,
    /// Project-wide ids of the file's strings.
    pub names: Vec<TermId>,
    /// First entry for a scope and name.
    heads: FxHashMap<(u32, TermId), u32>,
    /// Declarations in source order, chained by scope and name.
    entries: Vec<(Decl, u32)>,
    /// Imports of everything, by scope.
    stars: Vec<u32>,
    /// First note of each symbol.
    notes: Vec<u32>,
    /// Symbols by name, in source order for each.
    named: Vec<(TermId, SymbolId)>,
    /// Impl blocks and extensions by the name of the type that they are about.
    impls: Vec<(TermId, SymbolId)>,
    /// Names of what qualified definitions belong to.
    extended: Vec<TermId>,
    /// What is assigned to the exports as a whole.
    whole: Option<Decl>,
    /// Import and place in its path of each reference that is part of an import, by reference.
    parts: Vec<(RefId, u32, u32)>,
    /// Arguments of calls by reference, where they decide between functions of the same name.
    arguments: Vec<(RefId, ExprId)>,
    /// Parameters by where their names stand.
    params: Vec<(u32, u32)>,
    /// Type parameters by scope, in source order for each: scope, start, binding.
    type_params: Vec<(ScopeId, u32, u32)>,
    /// How many type arguments stand after a reference, by where it starts.
    applied: Vec<(u32, u8)>,
    /// Where references start that a member is asked of, and the reference to the member.
    asked: Vec<(u32, RefId)>,
    /// Further assignments by scope and name, in source order for each, where the last one counts.
    assigned: Vec<(ScopeId, StrId, u32, u32)>,
}

const END: u32 = u32::MAX;
/// Where names are declared that a file exports without having them itself.
const EXPORTS: ScopeId = ScopeId(u32::MAX - 1);

impl Unit {
    /// `term` gives the project's number of a text.
    pub fn new(
        file: FileId,
        language: &'static Language,
        facts: FileFacts,
        names: Vec<TermId>,
        term: impl Fn(&str) -> Option<TermId>,
    ) -> Unit {
        let mut unit = Unit {
            file,
            language,
            heads: FxHashMap::default(),
            entries: Vec::new(),
            stars: Vec::new(),
            notes: first_notes(&facts),
            named: symbols_by_name(&facts, &names),
            impls: impls_by_type(&facts, &names),
            extended: qualifiers(&facts, &names),
            whole: language.member_assignments.and_then(|_| whole(&facts)),
            parts: import_parts(&facts),
            arguments: arguments(&facts),
            params: params(&facts),
            type_params: type_params(&facts),
            applied: if language.linking.extensions { applied(&facts) } else { Vec::new() },
            asked: if language.linking.namespaces { asked(&facts) } else { Vec::new() },
            assigned: if language.linking.flows { assigned(&facts) } else { Vec::new() },
            facts,
            names,
        };
        unit.declare(language.linking.import_self.and_then(term));
        unit
    }

    fn declare(&mut self, import_self: Option<TermId>) {
        let mut found: Vec<(u32, u32, StrId, Decl)> = Vec::new();
        let homes = self.language.linking.headers.then(|| Homes::new(&self.facts, &self.language.linking));
        for (i, symbol) in self.facts.symbols.iter().enumerate().skip(1) {
            let outside =
                symbol.qualifier.is_some() && !self.is_extension(SymbolId(i as u32)) || symbol.kind == SymbolKind::Impl;
            if let Some(homes) = homes.as_ref().filter(|_| !outside) {
                let decl = Decl::Symbol(SymbolId(i as u32));
                let scopes = homes.scopes(&self.facts, symbol).into_iter().flatten();
                found.extend(scopes.map(|scope| (symbol.name_span.start, scope.0, symbol.name, decl)));
            } else if !outside {
                let scope = if symbol.flags.has(Flags::MEMBER) { EXPORTS } else { symbol.scope };
                found.push((symbol.name_span.start, scope.0, symbol.name, Decl::Symbol(SymbolId(i as u32))));
            }
        }
        for (i, binding) in self.facts.bindings.iter().enumerate() {
            if binding.kind != BindingKind::Again {
                found.push((binding.span.start, binding.scope.0, binding.name, Decl::Binding(i as u32)));
            }
        }
        for (i, import) in self.facts.imports.iter().enumerate() {
            if import.flags.has(ImportFlags::INACTIVE) {
                continue;
            }
            if is_star(import) {
                self.stars.push(i as u32);
            } else if let Some(name) = self.bound_name(import, import_self) {
                let apart = self.language.linking.exports_apart && import.flags.has(ImportFlags::REEXPORT);
                let home = homes.as_ref().map_or(import.scope, |homes| homes.of(import.scope));
                let scope = if apart { EXPORTS } else { home };
                found.push((import.span.start, scope.0, name, Decl::Import(i as u32)));
            }
        }
        found.sort_by_key(|(start, ..)| *start);
        self.leave_out_inactive(&mut found);
        // Chains are built from the end so that the first declaration comes first.
        for (_, scope, name, decl) in found.into_iter().rev() {
            let key = (scope, self.names[name.index()]);
            let next = self.heads.insert(key, self.entries.len() as u32).unwrap_or(END);
            self.entries.push((decl, next));
        }
    }

    /// What a usual build leaves out is not there where something else has its name.
    fn leave_out_inactive(&self, found: &mut Vec<(u32, u32, StrId, Decl)>) {
        let is_inactive = |decl: &Decl| match decl {
            // What other files decide is decided later.
            Decl::Symbol(id) => self.symbol(*id).flags.has(Flags::INACTIVE) && !self.is_conditional(*id),
            _ => false,
        };
        if !found.iter().any(|(.., decl)| is_inactive(decl)) {
            return;
        }
        let active = found.iter().filter(|(.., decl)| !is_inactive(decl));
        let active: FxHashSet<(u32, StrId)> = active.map(|(_, scope, name, _)| (*scope, *name)).collect();
        // A name of a namespace may come from elsewhere.
        let is_open = |scope: u32| {
            let kind = self.scope(ScopeId(scope)).kind;
            self.language.linking.namespaces && matches!(kind, ScopeKind::Module | ScopeKind::Namespace)
        };
        let stays = |scope: u32, name: StrId| !is_open(scope) && !active.contains(&(scope, name));
        found.retain(|(_, scope, name, decl)| !is_inactive(decl) || stays(*scope, *name));
    }

    /// The name that an import declares.
    pub(crate) fn bound_name(&self, import: &Import, import_self: Option<TermId>) -> Option<StrId> {
        let (name, _) = self.facts.bound_name(import)?;
        let before_last = import.path.iter().rev().nth(1);
        match import_self {
            // `use a::b::{self}` declares `b`.
            Some(word) if import.alias.is_none() && self.name(name) == word => {
                before_last.map(|part| self.facts.refs[part.index()].name)
            }
            _ => Some(name),
        }
    }

    /// About how much memory it takes.
    pub fn bytes(&self) -> usize {
        use std::mem::size_of;
        let facts = &self.facts;
        facts.symbols.len() * (size_of::<Symbol>() + 48)
            + facts.refs.len() * size_of::<Reference>()
            + facts.exprs.len() * size_of::<Expr>()
            + facts.bindings.len() * (size_of::<Binding>() + 40)
            + facts.scopes.len() * size_of::<Scope>()
            + facts.imports.len() * size_of::<Import>()
            + facts.notes.len() * size_of::<Note>()
            + (self.names.len() + facts.line_starts.len()) * size_of::<u32>()
    }

    /// What a scope declares under a name, in source order.
    pub fn declared(&self, scope: ScopeId, name: TermId) -> impl Iterator<Item = Decl> + '_ {
        let mut at = self.heads.get(&(scope.0, name)).copied().unwrap_or(END);
        std::iter::from_fn(move || {
            if at == END {
                return None;
            }
            let (decl, next) = self.entries[at as usize];
            at = next;
            Some(decl)
        })
    }

    /// Imports that only give a name to importers of this file.
    pub fn exports(&self, name: TermId) -> impl Iterator<Item = u32> + '_ {
        self.declared(EXPORTS, name).filter_map(|decl| match decl {
            Decl::Import(import) => Some(import),
            _ => None,
        })
    }

    /// What is assigned to a member of the exports, in source order.
    pub fn assigned_exports(&self, name: TermId) -> impl Iterator<Item = SymbolId> + '_ {
        self.declared(EXPORTS, name).filter_map(|decl| match decl {
            Decl::Symbol(symbol) => Some(symbol),
            _ => None,
        })
    }

    /// The name or the definition that is assigned to the exports as a whole.
    pub fn whole(&self) -> Option<Decl> {
        self.whole
    }

    /// Whether members are defined from outside under the name of their owner.
    pub fn is_extended(&self, name: TermId) -> bool {
        self.extended.binary_search(&name).is_ok()
    }

    /// Imports of everything of a module, in source order.
    pub fn stars(&self) -> &[u32] {
        &self.stars
    }

    pub fn symbol(&self, id: SymbolId) -> &Symbol {
        &self.facts.symbols[id.index()]
    }

    /// Whether a scope is another one or inside it.
    pub(crate) fn is_within(&self, mut scope: ScopeId, outer: ScopeId) -> bool {
        while scope.is_some() && scope != outer {
            scope = self.scope(scope).parent;
        }
        scope == outer
    }

    pub fn scope(&self, id: ScopeId) -> &Scope {
        &self.facts.scopes[id.index()]
    }

    pub fn name(&self, id: StrId) -> TermId {
        self.names[id.index()]
    }

    /// What expressions say about a symbol.
    pub fn notes(&self, symbol: SymbolId) -> &[Note] {
        let start = self.notes[symbol.index()] as usize;
        let end = self.notes[symbol.index() + 1] as usize;
        &self.facts.notes[start..end]
    }

    /// All symbols of a name, in source order.
    pub fn named(&self, name: TermId) -> impl Iterator<Item = SymbolId> + '_ {
        let start = self.named.partition_point(|(term, _)| *term < name);
        self.named[start..].iter().take_while(move |(term, _)| *term == name).map(|(_, id)| *id)
    }

    /// Impl blocks about a type of this name, in source order.
    pub fn impls_of(&self, name: TermId) -> impl Iterator<Item = SymbolId> + '_ {
        let start = self.impls.partition_point(|(term, _)| *term < name);
        self.impls[start..].iter().take_while(move |(term, _)| *term == name).map(|(_, id)| *id)
    }

    /// Names of the types that impl blocks and qualified definitions of this file are about, some more than once.
    pub fn extended(&self) -> impl Iterator<Item = TermId> + '_ {
        self.facts.extended_types().map(|name| self.name(name))
    }

    /// The import that a reference is part of, and its place in the path.
    pub fn import_of(&self, part: RefId) -> Option<(u32, usize)> {
        let place = self.parts.binary_search_by_key(&part, |(id, ..)| *id).ok()?;
        let (_, import, place) = self.parts[place];
        Some((import, place as usize))
    }

    /// The list of arguments of a call.
    pub fn arguments(&self, call: RefId) -> Option<ExprId> {
        let place = self.arguments.binary_search_by_key(&call, |(id, _)| *id).ok()?;
        Some(self.arguments[place].1)
    }

    /// The parameter whose name stands in a place.
    pub fn parameter(&self, name: Span) -> Option<u32> {
        let place = self.params.partition_point(|(start, _)| *start < name.start);
        self.params.get(place).filter(|(start, _)| *start < name.end).map(|(_, binding)| *binding)
    }

    /// The assignment to a local name that comes last before a place.
    pub fn last_assigned(&self, binding: u32, at: u32) -> u32 {
        let own = &self.facts.bindings[binding as usize];
        let end =
            self.assigned.partition_point(|(scope, name, from, _)| (*scope, *name, *from) <= (own.scope, own.name, at));
        let last = end.checked_sub(1).map(|place| self.assigned[place]);
        last.filter(|(scope, name, ..)| (*scope, *name) == (own.scope, own.name)).map_or(binding, |(.., last)| last)
    }

    /// The type parameters that a scope declares, in source order.
    pub fn type_params_of(&self, scope: ScopeId) -> impl Iterator<Item = u32> + '_ {
        let first = self.type_params.partition_point(|(own, ..)| *own < scope);
        self.type_params[first..].iter().take_while(move |(own, ..)| *own == scope).map(|(.., binding)| *binding)
    }

    /// The scope that has the type parameters of a function: its own, or that of the head before it.
    pub(crate) fn head_of(&self, inner: ScopeId) -> ScopeId {
        let around = if inner.is_some() { self.scope(inner).parent } else { ScopeId::NONE };
        let is_head = around.is_some()
            && self.scope(around).kind == ScopeKind::Block
            && self.type_params_of(inner).next().is_none();
        if is_head { around } else { inner }
    }

    /// The place of a type parameter among those of its scope.
    pub fn type_param_place(&self, binding: u32) -> usize {
        let own = &self.facts.bindings[binding as usize];
        let first = self.type_params.partition_point(|(scope, ..)| *scope < own.scope);
        self.type_params.partition_point(|entry| *entry < (own.scope, own.span.start, 0)) - first
    }

    /// How many type arguments stand after a reference, if any do.
    pub(crate) fn type_arguments(&self, reference: &Reference) -> Option<usize> {
        let place = self.applied.binary_search_by_key(&reference.span.start, |(start, _)| *start).ok()?;
        Some(self.applied[place].1 as usize)
    }

    /// The reference to a member of what a reference means.
    pub(crate) fn member_on(&self, reference: &Reference) -> Option<RefId> {
        let place = self.asked.binary_search_by_key(&reference.span.start, |(start, _)| *start).ok()?;
        Some(self.asked[place].1)
    }

    /// Whether a function or property belongs to the values of a type that is written elsewhere.
    pub(crate) fn is_extension(&self, symbol: SymbolId) -> bool {
        self.language.linking.extensions
            && self.symbol(symbol).kind != SymbolKind::Impl
            && self.note(symbol, Tie::SelfType).is_some()
    }

    /// Where the first name stands that says what a type inherits from.
    pub(crate) fn first_base(&self, symbol: SymbolId) -> Option<u32> {
        let bases = self.notes(symbol).iter().filter(|note| matches!(note.tie, Tie::Base | Tie::Implements));
        bases.filter_map(|note| self.start_of(note.expr)).min()
    }

    /// Where a path of names begins.
    fn start_of(&self, mut id: ExprId) -> Option<u32> {
        let mut start = None;
        while id.is_some() {
            let expr = self.facts.exprs[id.index()];
            id = ExprId(expr.a);
            if expr.op == ExprOp::Ref {
                let reference = &self.facts.refs[expr.a as usize];
                (start, id) = (Some(reference.span.start), reference.receiver);
            } else if !matches!(expr.op, ExprOp::Apply | ExprOp::Call | ExprOp::Optional | ExprOp::Typed) {
                break;
            }
        }
        start
    }

    /// Whether it depends on macros that other files or the build may define.
    pub(crate) fn is_conditional(&self, symbol: SymbolId) -> bool {
        self.notes(symbol).iter().any(|note| matches!(note.tie, Tie::When | Tie::Unless | Tie::Standards))
    }

    pub fn note(&self, symbol: SymbolId, tie: Tie) -> Option<ExprId> {
        self.notes(symbol).iter().find(|n| n.tie == tie).map(|n| n.expr)
    }
}

/// Whether an import declares everything of a module, without a name for it.
pub(crate) fn is_star(import: &Import) -> bool {
    import.flags.has(ImportFlags::STAR) && import.alias.is_none() || import.flags.has(ImportFlags::INCLUDE)
}

fn first_notes(facts: &FileFacts) -> Vec<u32> {
    let mut starts = vec![0u32; facts.symbols.len() + 1];
    for note in &facts.notes {
        starts[note.symbol.index() + 1] += 1;
    }
    for i in 0..facts.symbols.len() {
        starts[i + 1] += starts[i];
    }
    starts
}

fn symbols_by_name(facts: &FileFacts, names: &[TermId]) -> Vec<(TermId, SymbolId)> {
    let symbols = facts.symbols.iter().enumerate().skip(1).filter(|(_, symbol)| symbol.name.is_some());
    let mut named: Vec<_> = symbols.map(|(i, s)| (names[s.name.index()], SymbolId(i as u32))).collect();
    named.sort_unstable();
    named
}

fn import_parts(facts: &FileFacts) -> Vec<(RefId, u32, u32)> {
    let mut parts = Vec::new();
    for (i, import) in facts.imports.iter().enumerate() {
        if let Some(part) = alias_part(facts, import) {
            parts.push((part, i as u32, import.path.len() as u32));
        }
        parts.extend(import.path.iter().enumerate().map(|(place, part)| (*part, i as u32, place as u32)));
    }
    // The first of several imports that share the start of their paths.
    parts.sort_unstable();
    parts.dedup_by_key(|(part, ..)| *part);
    parts
}

/// The reference that a new name for an import is, where such names are references.
fn alias_part(facts: &FileFacts, import: &Import) -> Option<RefId> {
    if import.alias_span.is_empty() {
        return None;
    }
    let start = facts.refs.partition_point(|r| r.span.start < import.alias_span.start);
    let here = |r: &Reference| r.span == import.alias_span && r.kind == RefKind::Import;
    let found = facts.refs[start..].iter().take_while(|r| r.span.start == import.alias_span.start).position(here)?;
    Some(RefId((start + found) as u32)).filter(|part| !import.path.contains(part))
}

fn type_params(facts: &FileFacts) -> Vec<(ScopeId, u32, u32)> {
    let all = facts.bindings.iter().enumerate().filter(|(_, b)| b.kind == BindingKind::TypeParam);
    let mut params: Vec<_> = all.map(|(i, b)| (b.scope, b.span.start, i as u32)).collect();
    params.sort_unstable();
    params
}

fn assigned(facts: &FileFacts) -> Vec<(ScopeId, StrId, u32, u32)> {
    let again = facts.bindings.iter().enumerate().filter(|(_, b)| b.kind == BindingKind::Again);
    let mut all: Vec<_> = again.map(|(i, b)| (b.scope, b.name, b.from, i as u32)).collect();
    all.sort_unstable();
    all
}

fn impls_by_type(facts: &FileFacts, names: &[TermId]) -> Vec<(TermId, SymbolId)> {
    let mut impls: Vec<_> = facts.impl_types().map(|(name, symbol)| (names[name.index()], symbol)).collect();
    impls.sort_unstable();
    impls
}

fn applied(facts: &FileFacts) -> Vec<(u32, u8)> {
    let mut all = Vec::new();
    for apply in facts.exprs.iter().filter(|expr| expr.op == ExprOp::Apply) {
        let base = facts.exprs[apply.a as usize];
        if base.op == ExprOp::Ref {
            let (mut count, mut cell) = (0u8, ExprId(apply.b));
            while cell.is_some() {
                count = count.saturating_add(1);
                cell = ExprId(facts.exprs[cell.index()].b);
            }
            all.push((facts.refs[base.a as usize].span.start, count));
        }
    }
    all.sort_unstable();
    all
}

fn asked(facts: &FileFacts) -> Vec<(u32, RefId)> {
    let members = facts.refs.iter().enumerate().filter(|(_, r)| r.receiver.is_some());
    let mut all: Vec<(u32, RefId)> = members
        .filter_map(|(i, r)| {
            let receiver = facts.exprs[r.receiver.index()];
            (receiver.op == ExprOp::Ref).then(|| (facts.refs[receiver.a as usize].span.start, RefId(i as u32)))
        })
        .collect();
    all.sort_unstable();
    all
}

fn whole(facts: &FileFacts) -> Option<Decl> {
    let flags = ImportFlags(ImportFlags::REEXPORT.0 | ImportFlags::MODULE.0);
    let import = facts.imports.iter().position(|i| i.flags.has(flags) && i.source.is_none());
    let symbol = || facts.symbols.iter().position(|s| s.flags.has(Flags::DEFAULT.with(Flags::MEMBER)));
    let import = import.map(|place| Decl::Import(place as u32));
    import.or_else(|| symbol().map(|place| Decl::Symbol(SymbolId(place as u32))))
}

fn qualifiers(facts: &FileFacts, names: &[TermId]) -> Vec<TermId> {
    let mut all: Vec<_> =
        facts.symbols.iter().filter_map(|s| s.qualifier.get()).map(|name| names[name.index()]).collect();
    all.sort_unstable();
    all.dedup();
    all
}

fn arguments(facts: &FileFacts) -> Vec<(RefId, ExprId)> {
    let calls = facts.notes.iter().filter(|n| n.tie == Tie::Call).map(|n| facts.exprs[n.expr.index()]);
    let called = |call: &Expr| match facts.exprs[call.a as usize] {
        Expr { op: ExprOp::Apply, a, .. } => RefId(facts.exprs[a as usize].a),
        Expr { a, .. } => RefId(a),
    };
    let mut all: Vec<_> = calls.map(|call| (called(&call), ExprId(call.b))).collect();
    all.sort_unstable();
    all
}

fn params(facts: &FileFacts) -> Vec<(u32, u32)> {
    let all = facts.bindings.iter().enumerate().filter(|(_, b)| b.kind == BindingKind::Param);
    let mut params: Vec<_> = all.map(|(i, b)| (b.span.start, i as u32)).collect();
    params.sort_unstable();
    params
}
