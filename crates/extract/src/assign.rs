//! Assignments: to names, which some languages declare by it, and to members of the receiver, which are fields then.

use codegraph_languages::table::Slot;
use codegraph_model::*;

use crate::frame::*;
use crate::walk::Walk;

impl<'s> Walk<'s> {
    pub(crate) fn close_assign(&mut self, frame: &Frame) -> Payload {
        let init = self.initialiser(frame);
        let ty = self.value(frame, Slot::Type);
        let ty_expr = self.expr_in(frame, Slot::Type);
        let members: Vec<SymbolId> = self
            .values_of(frame)
            .iter()
            .filter_map(|v| match v.payload {
                Payload::Member(symbol) => Some(symbol),
                _ => None,
            })
            .collect();
        for symbol in members {
            for (tie, expr) in [(Tie::Type, ty_expr), (Tie::Init, init)] {
                if expr.is_some() {
                    self.facts.notes.push(Note { symbol, tie, expr });
                }
            }
            if let Some(value) = ty {
                self.facts.symbols[symbol.index()].type_span = value.span;
            }
            self.export_name(symbol, init);
        }
        for bound in self.bounds_of(frame) {
            let entry = &mut self.bounds[bound as usize];
            entry.ty = if entry.ty.is_some() { entry.ty } else { ty_expr };
            entry.type_span = ty.map(|v| v.span).unwrap_or_default();
            self.assign_name(frame, bound, init);
        }
        self.assign_open_name(frame, init);
        if init.is_some() { Payload::Expr(init) } else { Payload::Nothing }
    }

    /// A local name that was declared without a value gets one: the first says what it is.
    fn assign_open_name(&mut self, frame: &Frame, init: ExprId) {
        let target = self.expr_in(frame, Slot::Target);
        let Some(node) = target.get().filter(|_| init.is_some()).map(|t| self.facts.exprs[t.index()]) else { return };
        if node.op != ExprOp::Ref || self.facts.refs[node.a as usize].receiver.is_some() || self.open_names.is_empty() {
            return;
        }
        let Reference { name, span, .. } = self.facts.refs[node.a as usize];
        let mut scope = self.scope;
        while scope.is_some() {
            if self.declared.contains(&(scope, name)) {
                if self.open_names.remove(&(scope, name)) {
                    let (kind, ty) = (BindingKind::Again, ExprId::NONE);
                    self.facts.bindings.push(Binding { kind, name, span, scope, from: span.end, ty, init });
                }
                return;
            }
            scope = self.facts.scopes[scope.index()].parent;
        }
    }

    /// An assignment declares a name that is new in its scope and is a reference otherwise.
    fn assign_name(&mut self, frame: &Frame, bound: u32, init: ExprId) {
        let entry = self.bounds[bound as usize];
        let scope = self.assignment_scope(frame);
        if self.declared.contains(&(scope, entry.name)) {
            if entry.symbol.is_none() {
                self.reference(entry.name, entry.span, RefKind::Write, ExprId::NONE);
                self.bind(scope, bound, BindingKind::Again, ExprId::NONE, init);
            }
            return;
        }
        let kind = self.facts.scopes[scope.index()].kind;
        let (symbol_kind, is_local) = match kind {
            ScopeKind::Module | ScopeKind::Namespace => (SymbolKind::Variable, false),
            ScopeKind::Type => (SymbolKind::Field, false),
            ScopeKind::Function | ScopeKind::Block => (SymbolKind::Variable, true),
        };
        if is_local {
            self.bind(scope, bound, BindingKind::Local, ExprId::NONE, init);
        } else {
            self.declare_variable(frame, bound, symbol_kind, init);
        }
    }

    /// Assignments declare in the function, class or module around them; comprehension variables in their block.
    fn assignment_scope(&self, frame: &Frame) -> ScopeId {
        let iterates = self.value(frame, Slot::Iterable).is_some();
        if iterates && self.facts.scopes[self.scope.index()].kind == ScopeKind::Block {
            return self.scope;
        }
        self.hoist_scope()
    }

    /// `self.x = …` in a method declares an instance variable of the class.
    pub(crate) fn receiver_field(&mut self, name: StrId, span: Span, receiver: ExprId) -> Option<SymbolId> {
        if !self.language.receiver_fields || !self.is_receiver(receiver) {
            return None;
        }
        self.instance_variable(name, span).or_else(|| match self.type_around_method() {
            Some(_) => None,
            None => self.field_from_outside(name, span),
        })
    }

    /// Declares an instance variable of the type whose method is being read, unless it is known already.
    pub(crate) fn instance_variable(&mut self, name: StrId, span: Span) -> Option<SymbolId> {
        self.member_of_type(SymbolKind::InstanceVariable, name, span, true)
    }

    /// The type whose method is being read.
    fn type_around_method(&self) -> Option<SymbolId> {
        self.callables.iter().rev().find_map(|c| {
            let symbol = self.facts.symbols.get(c.symbol.index())?;
            let scope = &self.facts.scopes[symbol.scope.index()];
            let parent = self.facts.symbols.get(symbol.parent.index())?;
            let is_object = scope.kind == ScopeKind::Type && parent.inner == symbol.scope;
            (parent.kind.is_type() || is_object).then_some(symbol.parent)
        })
    }

    /// Declares a member of the type whose method is being read; `once`: unless it is known already.
    pub(crate) fn member_of_type(&mut self, kind: SymbolKind, name: StrId, span: Span, once: bool) -> Option<SymbolId> {
        let method =
            self.type_around_method().or_else(|| (self.declaring_kind() == ScopeKind::Type).then(|| self.owner()))?;
        let class_scope = self.facts.symbols[method.index()].inner;
        if once && self.declared.contains(&(class_scope, name)) {
            return None;
        }
        let id = SymbolId(self.facts.symbols.len() as u32);
        self.facts.symbols.push(Symbol {
            kind,
            name,
            parent: method,
            span,
            name_span: span,
            head_end: span.end,
            scope: class_scope,
            ..Symbol::default()
        });
        self.settle(id, Visibility::Unknown);
        Some(id)
    }

    fn is_receiver(&self, expr: ExprId) -> bool {
        if expr.is_none() {
            return false;
        }
        let node = self.facts.exprs[expr.index()];
        match node.op {
            ExprOp::This => true,
            ExprOp::Ref => {
                let reference = &self.facts.refs[node.a as usize];
                let receiver = self.callables.iter().rev().find(|c| c.receiver.is_some()).map(|c| c.receiver);
                reference.receiver.is_none() && receiver == Some(reference.name)
            }
            _ => false,
        }
    }

    // Functions and objects that take the name they are assigned to.
}
