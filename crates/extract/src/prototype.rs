//! Functions that are types, and objects that leave the function that makes them: members without a class around them.

use codegraph_languages::table::Slot;
use codegraph_model::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::frame::*;
use crate::walk::Walk;

impl Walk<'_> {
    /// `this.x = …` in a function that is a type, or in a method that is assigned to one from outside: a field of it.
    pub(crate) fn field_from_outside(&mut self, name: StrId, span: Span) -> Option<SymbolId> {
        self.language.member_assignments?;
        let (owner, qualifier) = self.type_by_name()?;
        if !self.fields.insert((qualifier, name)) {
            return None;
        }
        let id = SymbolId(self.facts.symbols.len() as u32);
        self.facts.symbols.push(Symbol {
            kind: SymbolKind::InstanceVariable,
            name,
            parent: owner,
            span,
            name_span: span,
            head_end: span.end,
            scope: self.facts.symbols[owner.index()].scope,
            qualifier,
            ..Symbol::default()
        });
        self.settle(id, Visibility::Public);
        Some(id)
    }

    /// The function whose receiver is meant here, and the name of the type that it belongs to.
    fn type_by_name(&self) -> Option<(SymbolId, StrId)> {
        // An arrow has no receiver of its own.
        let function = self.callables.iter().rev().find(|c| c.symbol.is_some())?.symbol;
        let symbol = self.facts.symbols.get(function.index()).filter(|symbol| symbol.name.is_some())?;
        if symbol.qualifier.is_some() {
            return Some((function, symbol.qualifier));
        }
        let is_type = self.words.text(symbol.name).starts_with(char::is_uppercase);
        (symbol.kind == SymbolKind::Function && is_type).then_some((function, symbol.name))
    }

    /// `inherits(Child, Parent)`: the second argument is a base of the first.
    pub(crate) fn note_inheritance(&mut self, frame: &Frame, reference: u32) {
        let name = self.facts.refs[reference as usize].name;
        if !self.language.inheriting_calls.contains(&self.words.text(name)) {
            return;
        }
        let Some(args) = self.value(frame, Slot::Args) else { return };
        let plain = |r: &Reference| r.span.start >= args.span.start && r.span.end <= args.span.end;
        let transparent = self.language.member_assignments.map_or(&[][..], |rules| rules.transparent);
        let names: Vec<u32> = (0..self.facts.refs.len() as u32)
            .rev()
            .take_while(|i| self.facts.refs[*i as usize].span.start >= args.span.start)
            .filter(|i| plain(&self.facts.refs[*i as usize]))
            .filter(|i| !transparent.contains(&self.words.text(self.facts.refs[*i as usize].name)))
            .collect();
        let Some(child) = names.last().map(|i| self.facts.refs[*i as usize]) else { return };
        // The last name that is not a part of another one is the base.
        let Some(base) = names.first().copied().filter(|_| names.len() > 1 && child.receiver.is_none()) else { return };
        self.facts.refs[base as usize].kind = RefKind::Inherit;
        let expr = self.expr(ExprOp::Ref, base, 0);
        self.inherited.push((child.name, expr));
    }
}

/// Types whose bases are said by calls.
pub(crate) fn add_bases(facts: &mut FileFacts, inherited: &[(StrId, ExprId)]) {
    for (name, expr) in inherited {
        let named = |s: &Symbol| s.name == *name && s.scope.0 == 0 && (s.kind.is_callable() || s.kind.is_type());
        let Some(place) = facts.symbols.iter().position(named) else { continue };
        let node = facts.exprs[expr.index()];
        facts.symbols[place].bases.push(facts.refs[node.a as usize].span);
        facts.notes.push(Note { symbol: SymbolId(place as u32), tie: Tie::Base, expr: *expr });
    }
}

/// Keys of object literals that others than their function can reach are symbols: those of what is returned, or is the
/// value of something that is a symbol.
pub(crate) fn escaping_keys(facts: &mut FileFacts) {
    let is_key = |b: &Binding| b.kind == BindingKind::Local && facts.scopes[b.scope.index()].kind == ScopeKind::Type;
    if !facts.bindings.iter().any(is_key) {
        return;
    }
    let escaping = escaping_scopes(facts);
    let bindings = std::mem::take(&mut facts.bindings);
    for binding in bindings {
        let scope = &facts.scopes[binding.scope.index()];
        if binding.kind != BindingKind::Local || scope.kind != ScopeKind::Type || !escaping.contains(&binding.scope) {
            facts.bindings.push(binding);
            continue;
        }
        let (id, span) = (SymbolId(facts.symbols.len() as u32), Span::new(binding.span.start, binding.from));
        facts.symbols.push(Symbol {
            kind: SymbolKind::Field,
            name: binding.name,
            parent: scope.owner,
            span,
            name_span: binding.span,
            head_end: span.end,
            scope: binding.scope,
            visibility: Visibility::Public,
            ..Symbol::default()
        });
        if binding.init.is_some() {
            facts.notes.push(Note { symbol: id, tie: Tie::Init, expr: binding.init });
        }
    }
}

/// The scopes of object literals that leave their function.
fn escaping_scopes(facts: &FileFacts) -> FxHashSet<ScopeId> {
    let mut locals: FxHashMap<(ScopeId, StrId), ExprId> = FxHashMap::default();
    let mut keys: FxHashMap<ScopeId, Vec<ExprId>> = FxHashMap::default();
    for binding in &facts.bindings {
        if facts.scopes[binding.scope.index()].kind == ScopeKind::Type {
            keys.entry(binding.scope).or_default().push(binding.init);
        } else if binding.kind == BindingKind::Local {
            locals.entry((binding.scope, binding.name)).or_insert(binding.init);
        }
    }
    let leaves = |note: &&Note| matches!(note.tie, Tie::Return | Tie::Init);
    let mut pending: Vec<ExprId> = facts.notes.iter().filter(leaves).map(|note| note.expr).collect();
    // The default of a parameter says what callers may give.
    pending.extend(facts.bindings.iter().filter(|b| b.kind == BindingKind::Param).map(|b| b.init));
    let (mut seen, mut escaping) = (FxHashSet::default(), FxHashSet::default());
    while let Some(expr) = pending.pop() {
        if expr.is_none() || !seen.insert(expr) {
            continue;
        }
        let node = facts.exprs[expr.index()];
        match node.op {
            ExprOp::Shape => {
                escaping.insert(ScopeId(node.a));
                pending.extend(keys.get(&ScopeId(node.a)).into_iter().flatten());
            }
            ExprOp::Either => pending.extend([ExprId(node.a), ExprId(node.b)]),
            ExprOp::Await | ExprOp::Key => pending.push(ExprId(node.a)),
            ExprOp::Ref => pending.extend(local_value(facts, &locals, node.a)),
            _ => {}
        }
    }
    escaping
}

/// The initialiser of the local name that a reference means.
fn local_value(facts: &FileFacts, locals: &FxHashMap<(ScopeId, StrId), ExprId>, reference: u32) -> Option<ExprId> {
    let reference = facts.refs.get(reference as usize).filter(|r| r.receiver.is_none())?;
    let mut scope = reference.scope;
    while scope.is_some() {
        if let Some(init) = locals.get(&(scope, reference.name)) {
            return Some(*init);
        }
        scope = facts.scopes[scope.index()].parent;
    }
    None
}
