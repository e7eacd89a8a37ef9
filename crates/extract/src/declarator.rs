//! Function types and C-like declarators, where the name of what is declared stands in the middle of its type.

use codegraph_languages::table::{Act, Slot};
use codegraph_model::*;

use crate::define::trimmed;
use crate::frame::*;
use crate::walk::Walk;

impl Walk<'_> {
    pub(crate) fn open_function_type(&mut self, frame: &mut Frame) {
        let owner = self.owner();
        self.push_scope(ScopeKind::Function, owner, frame.span);
        self.push_callable(frame, SymbolId::NONE);
    }

    pub(crate) fn close_function_type(&mut self, frame: &Frame) -> Payload {
        self.callables.pop();
        self.bind_function_receiver(frame);
        let returns = self.expr_in(frame, Slot::Returns);
        let scope = if self.language.values_have_context { self.scope_of(frame).0 } else { 0 };
        let function = self.expr(ExprOp::FunctionType, returns.0, scope);
        // A signature among members says how the type around it is called.
        let members = self.facts.scopes[frame.outer.index()].kind == ScopeKind::Type && frame.ctx != Ctx::Type;
        if members && self.language.values_have_context {
            let (kind, name, scope) = (BindingKind::Label, self.words.intern_made(CALL.to_owned()), frame.outer);
            let span = Span::new(frame.span.start, frame.span.start);
            self.facts.bindings.push(Binding { kind, name, span, scope, from: 0, ty: function, init: ExprId::NONE });
        }
        Payload::Expr(function)
    }

    /// The receiver that a function type names.
    fn bind_function_receiver(&mut self, frame: &Frame) {
        let ty = self.expr_in(frame, Slot::SelfType);
        if ty.is_some() && !self.language.lambda_receiver.is_empty() {
            let name = self.words.intern_made(self.language.lambda_receiver.to_owned());
            self.bind_unwritten(BindingKind::Label, name, frame.span.start, ty);
        }
    }

    /// Something that a function type takes without a name for it.
    pub(crate) fn bind_unwritten(&mut self, kind: BindingKind, name: StrId, start: u32, ty: ExprId) {
        let (scope, init) = (self.scope, ExprId::NONE);
        let span = Span::new(start, start);
        self.facts.bindings.push(Binding { kind, name, span, scope, from: 0, ty, init });
    }

    /// The declarator of a function definition adds to that definition; any other opens a scope of its own.
    pub(crate) fn open_declarator(&mut self, frame: &mut Frame) {
        let header = self.frames.iter().rev().find(|f| {
            !matches!(
                f.act,
                Act::Opaque | Act::Pass | Act::Unary(_) | Act::FunctionDeclarator | Act::Initialized | Act::Member
            )
        });
        let defines = |f: &Frame| f.callable && f.body == u32::MAX && matches!(f.act, Act::Def(_) | Act::Lambda);
        if header.is_some_and(defines) {
            return;
        }
        let owner = self.owner();
        self.push_scope(ScopeKind::Function, owner, frame.span);
        self.push_callable(frame, SymbolId::NONE);
    }

    pub(crate) fn close_declarator(&mut self, frame: &Frame) -> Payload {
        let scope = if frame.callable { self.scope_of(frame) } else { ScopeId::NONE };
        let params = if frame.callable { self.callables.pop().map(|c| c.params) } else { None };
        let bound = self.bounds_of(frame).first().copied().or_else(|| self.conversion_name(frame));
        if let Some(bound) = bound.filter(|_| !frame.callable) {
            self.drop_outer_params(frame, bound);
        }
        let returns = self.value(frame, Slot::Returns);
        self.keep_returns(frame, returns);
        let Some(bound) = bound else { return Payload::Nothing };
        let entry = &mut self.bounds[bound as usize];
        if let Some(value) = returns {
            entry.type_span = value.span;
            entry.ty = match value.payload {
                Payload::Expr(expr) => expr,
                _ => entry.ty,
            };
        }
        if let Some(params) = params
            && entry.function.is_none()
            && !entry.indirect
        {
            entry.function = scope;
            self.declarator_params.push((scope, params));
        }
        Payload::Bound(bound)
    }

    /// In `int (*f(int a))(int b)`, `b` is a parameter of what `f` returns.
    fn drop_outer_params(&mut self, frame: &Frame, bound: u32) {
        let own = self.value(frame, Slot::Bind).map_or(frame.span, |v| v.span);
        if let Some(callable) = self.callables.last_mut().filter(|_| self.bounds[bound as usize].indirect) {
            callable.params.retain(|p| p.type_span.start < own.end);
        }
    }

    /// A return type behind the parameters belongs to the definition around the declarator.
    fn keep_returns(&mut self, frame: &Frame, returns: Option<Value>) {
        self.values.truncate(frame.values as usize);
        if let Some(value) = returns {
            self.values.push(value);
            self.kept = 1;
        }
    }

    /// `operator T()`: everything before the parameters is the name.
    fn conversion_name(&mut self, frame: &Frame) -> Option<u32> {
        let kind = self.table.rule(frame.rule).names?;
        let ty = self.extent(frame, Slot::Type);
        let tail = Span::new(ty.end, frame.span.end);
        let open = self.text(tail).iter().position(|b| *b == b'(')?;
        let span = trimmed(self.source, Span::new(frame.span.start, ty.end + open as u32));
        let name = self.tidy_name(span);
        let Payload::Bound(bound) = self.new_bound(name, span) else { return None };
        let entry = &mut self.bounds[bound as usize];
        entry.kind = Some(kind);
        entry.type_span = ty;
        self.bounds[bound as usize].ty = self.expr_in(frame, Slot::Type);
        Some(bound)
    }

    /// The text of the type of a declared name. Where types stand around names, it reaches up to the name.
    pub(crate) fn type_around(&self, frame: &Frame, slot: Slot, bound: u32) -> Span {
        let entry = &self.bounds[bound as usize];
        let behind = |v: &&Value| v.slot == slot && v.span.start > entry.span.start;
        if let Some(value) = self.values_of(frame).iter().find(behind) {
            return value.span;
        }
        let base = self.extent(frame, slot);
        let name = if entry.qualifier.is_empty() { entry.span.start } else { entry.qualifier.start };
        if !self.language.types_around_names || base.is_empty() || name < base.end {
            return base;
        }
        let is_alone = matches!(frame.act, Act::Bind { .. }) && self.bounds_of(frame).len() == 1;
        let between = self.text(Span::new(base.end, name));
        match between.iter().find(|b| matches!(b, b'(' | b',' | b'[' | b'{')) {
            Some(b'(') if matches!(frame.act, Act::Param(_)) => Span::new(base.start, frame.span.end),
            // A pointer to a function: the type is all of the declaration.
            Some(b'(') if entry.function.is_none() && is_alone => {
                let declarator = if entry.declarator.is_empty() { frame.span } else { entry.declarator };
                let end = declarator.end - u32::from(self.text(declarator).ends_with(b";"));
                Span::new(base.start, end)
            }
            Some(_) => base,
            None => trimmed(self.source, Span::new(base.start, name)),
        }
    }

    /// The type of a parameter without a name.
    pub(crate) fn unnamed_type(&self, frame: &Frame) -> Span {
        let base = self.extent(frame, Slot::Type);
        let default = self.value(frame, Slot::Value).or_else(|| self.value(frame, Slot::OuterValue));
        match self.language.types_around_names && default.is_none() && !base.is_empty() {
            true => Span::new(base.start, frame.span.end),
            false => base,
        }
    }

    /// `Type name(argument)` inside a function, read as a function declarator: the arguments are no types.
    pub(crate) fn constructs(&mut self, frame: &Frame, bound: u32) -> bool {
        let scope = self.bounds[bound as usize].function;
        let inside = matches!(self.declaring_kind(), ScopeKind::Function | ScopeKind::Block);
        if !self.language.declarators_construct || scope.is_none() || !inside || frame.flags.has(Flags::EXTERN) {
            return false;
        }
        let Some((_, params)) = self.declarator_params.iter().rev().find(|(own, _)| *own == scope) else {
            return false;
        };
        if params.is_empty() || params.iter().any(|p| !p.name.is_empty()) {
            return false;
        }
        for reference in self.facts.refs.iter_mut().rev().take_while(|r| r.span.start >= frame.span.start) {
            if reference.scope == scope && reference.kind == RefKind::TypeRef {
                reference.kind = RefKind::Read;
                reference.scope = self.scope;
            }
        }
        true
    }

    /// `f(a) int a; { }`: a declaration between header and body says the type of a parameter.
    pub(crate) fn type_parameter_of_old_style(&mut self, bound: u32) -> bool {
        let entry = self.bounds[bound as usize];
        let source = self.source;
        let Some(callable) = self.callables.last_mut() else { return false };
        if !self.language.types_around_names || self.facts.scopes[self.scope.index()].kind != ScopeKind::Function {
            return false;
        }
        let name = &source[entry.span.range()];
        let same = |p: &&mut Param| p.type_span.is_empty() && &source[p.name.range()] == name;
        let Some(param) = callable.params.iter_mut().find(same) else { return false };
        param.type_span = entry.type_span;
        let binding = self.facts.bindings.iter_mut().rev().find(|b| b.scope == self.scope && b.name == entry.name);
        if let Some(binding) = binding {
            binding.ty = entry.ty;
        }
        true
    }

    /// A type without a name takes the one of its typedef; the variable or field that it stands in takes its place.
    pub(crate) fn name_anonymous_type(&mut self, frame: &Frame, bounds: &[u32], kind: SymbolKind, ty: ExprId) {
        let Some(symbol) = self.anonymous(ty) else { return };
        let direct = bounds.iter().copied().find(|b| !self.bounds[*b as usize].indirect);
        let Some(bound) = direct.or(bounds.first().copied()) else { return };
        let is_alias = kind == SymbolKind::TypeAlias;
        let is_local = matches!(self.declaring_kind(), ScopeKind::Function | ScopeKind::Block);
        let target = &mut self.facts.symbols[symbol.index()];
        if !is_alias && (is_local || target.kind == SymbolKind::Enum) {
            return;
        }
        let entry = &mut self.bounds[bound as usize];
        entry.symbol = symbol;
        target.name = entry.name;
        target.name_span = entry.span;
        target.span = trimmed(self.source, frame.span);
        if !is_alias {
            target.kind = kind;
            self.facts.exprs[ty.index()] = Expr { op: ExprOp::Shape, a: target.inner.0, b: 0 };
        }
        self.dissolved.retain(|s| *s != symbol);
        self.settle(symbol, frame.visibility);
    }

    /// The symbol of a type definition that turned out to have no name.
    fn anonymous(&self, ty: ExprId) -> Option<SymbolId> {
        let expr = self.facts.exprs.get(ty.index())?;
        let symbol = SymbolId(expr.a);
        (expr.op == ExprOp::Own && self.dissolved.contains(&symbol)).then_some(symbol)
    }
}
