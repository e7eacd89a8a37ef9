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
            let Symbol { name, name_span, .. } = self.facts.symbols[symbol.index()];
            let whole = Span::new(frame.span.start, name_span.end);
            let ty_expr = if ty_expr.is_some() { ty_expr } else { self.documented(name, frame.span, whole) };
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
        self.note_assigned(frame, init);
        self.assign_prototype(frame, init);
        for bound in self.bounds_of(frame) {
            let Bound { name, span, .. } = self.bounds[bound as usize];
            let documented = self.documented(name, frame.span, span);
            let entry = &mut self.bounds[bound as usize];
            entry.ty = if entry.ty.is_some() { entry.ty } else { documented };
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
        if node.op != ExprOp::Ref || self.facts.refs[node.a as usize].receiver.is_some() {
            return;
        }
        if self.open_names.is_empty() && !self.language.assignment_declares_globals {
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
        if self.language.assignment_declares_globals {
            self.undeclared.push((RefId(node.a), init));
        }
    }

    /// A further assignment to an instance variable says what it may be as well.
    fn note_assigned(&mut self, frame: &Frame, init: ExprId) {
        let Some(Value { payload: Payload::Expr(target), .. }) = self.value(frame, Slot::Target) else { return };
        let node = self.facts.exprs[target.index()];
        if init.is_none() || node.op != ExprOp::Ref || !self.language.linking.open_types {
            return;
        }
        let reference = self.facts.refs[node.a as usize];
        let on_receiver =
            reference.receiver.is_some() && self.facts.exprs[reference.receiver.index()].op == ExprOp::This;
        let variable = |s: &Symbol| s.kind == SymbolKind::InstanceVariable && s.name == reference.name;
        let class = self.type_around_method();
        if let Some(place) = self.facts.symbols.iter().rposition(|s| variable(s) && Some(s.parent) == class)
            && on_receiver
        {
            self.facts.notes.push(Note { symbol: SymbolId(place as u32), tie: Tie::Init, expr: init });
        }
    }

    /// An assignment declares a name that is new in its scope and is a reference otherwise.
    fn assign_name(&mut self, frame: &Frame, bound: u32, init: ExprId) {
        let entry = self.bounds[bound as usize];
        let scope = self.block_local(entry.name).unwrap_or_else(|| self.assignment_scope(frame));
        if self.declared.contains(&(scope, entry.name)) && !self.is_of_receiver_alone(scope, entry.name) {
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
            let symbol = SymbolId(self.facts.symbols.len() as u32);
            self.declare_variable(frame, bound, symbol_kind, init);
            self.made_class(frame, symbol, init);
        }
    }

    /// What methods alone give a value is no name of the body of the type.
    fn is_of_receiver_alone(&self, scope: ScopeId, name: StrId) -> bool {
        let mut own = self.facts.symbols.iter().filter(|s| s.scope == scope && s.name == name).peekable();
        self.facts.scopes[scope.index()].kind == ScopeKind::Type
            && self.language.linking.bodies_run
            && own.peek().is_some()
            && own.all(|s| s.kind == SymbolKind::InstanceVariable)
    }

    /// Where blocks have names of their own: the scope that has the name, else the innermost one.
    fn block_local(&self, name: StrId) -> Option<ScopeId> {
        let constant = self.language.capital_constants && self.words.text(name).starts_with(char::is_uppercase);
        if !self.language.block_locals || constant {
            return None;
        }
        let mut scope = self.scope;
        loop {
            let entry = &self.facts.scopes[scope.index()];
            if self.declared.contains(&(scope, name)) && !self.is_function_of(scope, name) {
                return Some(scope);
            }
            if entry.kind != ScopeKind::Block || entry.parent.is_none() {
                return Some(self.scope);
            }
            scope = entry.parent;
        }
    }

    /// A function of the same name is no variable.
    fn is_function_of(&self, scope: ScopeId, name: StrId) -> bool {
        let own = |s: &Symbol| s.scope == scope && s.name == name && s.kind.is_callable();
        let bound = |b: &Binding| b.scope == scope && b.name == name;
        self.facts.symbols.iter().any(own) && !self.facts.bindings.iter().any(bound)
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
        // The parameters of a type are those of its constructor.
        let is_type = |symbol: &SymbolId| symbol.is_some() && self.facts.symbols[symbol.index()].kind.is_type();
        let own = self.callables.last().map(|c| c.symbol).filter(is_type);
        let around = own.or_else(|| self.type_around_method());
        let around = around.or_else(|| (self.declaring_kind() == ScopeKind::Type).then(|| self.owner()));
        // Variables of objects that only a test makes belong to the file.
        let of_file = self.language.linking.open_types.then_some(SymbolId(0));
        let method = around.or(of_file)?;
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
