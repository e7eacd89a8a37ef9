//! Functions, types and objects without a name of their own: they take the name that they are assigned to, or none.

use codegraph_languages::table::{Act, Slot};
use codegraph_model::*;

use crate::frame::*;
use crate::walk::{NO_STEPS, Walk};

impl<'s> Walk<'s> {
    /// The one name that a value opening now will be assigned to.
    fn adopting_bound(&self, slot: Slot) -> Option<(u32, usize)> {
        if !matches!(slot, Slot::Value | Slot::Inherit) {
            return None;
        }
        let mut depth = self.frames.len();
        loop {
            depth = depth.checked_sub(1)?;
            let frame = &self.frames[depth];
            match frame.act {
                Act::Pass | Act::Typed | Act::Row if matches!(frame.slot, Slot::Value | Slot::Inherit) => {}
                Act::Initialized | Act::Bind { .. } | Act::Assign | Act::Local(BindingKind::Local) => {
                    let values = &self.values[frame.values as usize..];
                    let mut bounds = values.iter().filter_map(|v| match v.payload {
                        Payload::Bound(bound) => Some(bound),
                        _ => None,
                    });
                    let first = bounds.next()?;
                    let single = bounds.next().is_none() && self.bounds[first as usize].steps == NO_STEPS;
                    return single.then_some((first, depth));
                }
                _ => return None,
            }
        }
    }

    /// The key of a `key: value` pair that a function opening now is the value of.
    fn adopting_pair(&self) -> Option<(Span, Span)> {
        let frame = self.frames.iter().rev().find(|f| !matches!(f.act, Act::Pass | Act::Typed))?;
        if frame.act != Act::Pair {
            return None;
        }
        let key = self.values[frame.values as usize..].iter().find(|v| v.slot == Slot::Property)?;
        match key.payload {
            Payload::Text(span) | Payload::Source(span) => Some((span, frame.span)),
            _ => None,
        }
    }

    pub(crate) fn adopt(&mut self, kind: SymbolKind, slot: Slot) -> SymbolId {
        if let Some((bound, depth)) = self.adopting_bound(slot) {
            let entry = self.bounds[bound as usize];
            let frame = self.frames[depth];
            if frame.act == Act::Assign && self.declared.contains(&(self.hoist_scope(), entry.name)) {
                return SymbolId::NONE;
            }
            let symbol = self.new_symbol(kind, frame.span);
            let target = &mut self.facts.symbols[symbol.index()];
            target.name = entry.name;
            target.name_span = entry.span;
            self.bounds[bound as usize].symbol = symbol;
            if frame.act == Act::Assign {
                self.settle(symbol, Visibility::Unknown);
            }
            return symbol;
        }
        if (kind.is_callable() || self.named_object().is_some())
            && let Some((name, span)) = self.adopting_pair()
        {
            let symbol = self.named_member(kind, name, span);
            // Who gets the object or the element around it uses it.
            if kind.is_callable() && self.named_object().is_none() {
                self.facts.symbols[symbol.index()].flags.insert(Flags::VALUE);
            }
            return symbol;
        }
        if !matches!(slot, Slot::Value | Slot::Inherit) {
            return SymbolId::NONE;
        }
        match self.adopt_member(kind) {
            member if member.is_some() => member,
            _ => self.adopt_default(kind),
        }
    }

    pub(crate) fn named_member(&mut self, kind: SymbolKind, name: Span, span: Span) -> SymbolId {
        let symbol = self.new_symbol(kind, span);
        let id = self.words.intern(&self.source[name.range()]);
        let target = &mut self.facts.symbols[symbol.index()];
        target.name = id;
        target.name_span = name;
        let flags = self.section_flags();
        self.facts.symbols[symbol.index()].flags.insert(flags);
        self.settle(symbol, Visibility::Unknown);
        if kind == SymbolKind::Property {
            let doc = self.doc_before(span);
            self.facts.symbols[symbol.index()].doc = doc;
            self.document_variable(symbol, doc);
        }
        symbol
    }

    pub(crate) fn open_lambda(&mut self, frame: &mut Frame) {
        let member = self.declaring_kind() == ScopeKind::Type;
        let kind = if member { SymbolKind::Method } else { SymbolKind::Function };
        let takes_name = self.language.lambdas_take_names;
        let symbol = if takes_name { self.adopt(kind, frame.slot) } else { SymbolId::NONE };
        frame.receiver = self.expected();
        frame.symbol = symbol;
        let owner = if symbol.is_some() { symbol } else { self.owner() };
        let scope = self.push_scope(ScopeKind::Function, owner, frame.span);
        if symbol.is_some() {
            self.facts.symbols[symbol.index()].inner = scope;
        }
        self.push_callable(frame, symbol);
    }

    pub(crate) fn close_lambda(&mut self, frame: &Frame) -> Payload {
        let scope = self.scope_of(frame);
        self.direct_params(frame);
        self.bind_implicitly(frame, scope);
        let callable = self.callables.pop();
        let returned = callable.as_ref().map_or(ExprId::NONE, |c| c.returned);
        let params = callable.map(|c| c.params).unwrap_or_default();
        let returns = self.value(frame, Slot::Returns).or_else(|| self.value(frame, Slot::Type));
        let body = self.value(frame, Slot::Body);
        if frame.symbol.is_some() {
            let entry = &mut self.facts.symbols[frame.symbol.index()];
            entry.params = params;
            entry.flags.insert(frame.flags);
            entry.head_end = if frame.body == u32::MAX { frame.span.end } else { frame.body };
            entry.type_span = returns.map(|v| v.span).unwrap_or_default();
            let returned = returns.map(|v| (Tie::Type, v)).or(body.map(|v| (Tie::Return, v)));
            if let Some((tie, Value { payload: Payload::Expr(expr), .. })) = returned {
                self.facts.notes.push(Note { symbol: frame.symbol, tie, expr });
            }
            return Payload::Expr(self.expr(ExprOp::Own, frame.symbol.0, 0));
        }
        self.bind_ignored(scope, &params);
        let result = self.lambda_result(body, returned);
        Payload::Expr(self.expr(ExprOp::Lambda, scope.0, result.0))
    }

    /// What a function without a name gives: its body, or what it returns if that is a block of statements.
    fn lambda_result(&mut self, body: Option<Value>, returned: ExprId) -> ExprId {
        if !self.language.linking.extensions {
            return ExprId::NONE;
        }
        let Some(body) = body else { return returned };
        let is_block = self.language.lambda_receiver.is_empty() && self.text(body.span).starts_with(b"{");
        match body.payload {
            _ if is_block => returned,
            Payload::Expr(expr) => expr,
            Payload::Source(_) => self.expr(ExprOp::Literal, Literal::String as u32, u32::MAX),
            _ if self.language.lambda_receiver.is_empty() => {
                self.expr(ExprOp::Literal, Literal::Other as u32, u32::MAX)
            }
            _ => ExprId::NONE,
        }
    }

    /// Parameters that have no name count all the same.
    fn bind_ignored(&mut self, scope: ScopeId, params: &[Param]) {
        if !self.language.underscore_discards || !self.language.linking.overloads {
            return;
        }
        let ignored: Vec<Span> = params.iter().map(|param| param.name).filter(|at| self.text(*at) == b"_").collect();
        for span in ignored {
            let (kind, name, none) = (BindingKind::Param, self.words.intern_made("_".to_owned()), ExprId::NONE);
            self.facts.bindings.push(Binding { kind, name, span, scope, from: span.end, ty: none, init: none });
        }
    }

    /// A function without a name may have a parameter and a receiver that are not written.
    fn bind_implicitly(&mut self, frame: &Frame, scope: ScopeId) {
        let language = self.language;
        let Some(callable) = self.callables.last() else { return };
        let (context, has_params) = (callable.context, !callable.params.is_empty());
        let span = Span::new(frame.span.start, frame.span.start + 1);
        let declare = |walk: &mut Self, name: &str, kind: BindingKind, place: u32| {
            let name = walk.words.intern_made(name.to_owned());
            let init = if context.is_some() { walk.expr(ExprOp::Takes, context.0, place) } else { ExprId::NONE };
            let ty = ExprId::NONE;
            walk.facts.bindings.push(Binding { kind, name, span, scope, from: 0, ty, init });
        };
        if !language.implicit_parameter.is_empty() && !has_params {
            declare(self, language.implicit_parameter, BindingKind::Param, 0);
        }
        if !language.lambda_receiver.is_empty() && context.is_some() {
            declare(self, language.lambda_receiver, BindingKind::Label, RECEIVER_PLACE);
        }
    }

    /// An object literal that is assigned to a name outside functions: its members are symbols.
    pub(crate) fn open_object(&mut self, frame: &mut Frame) {
        if matches!(self.declaring_kind(), ScopeKind::Function | ScopeKind::Block) {
            return self.open_nameless_object(frame);
        }
        let member = self.adopting_pair().is_some() || self.declaring_kind() == ScopeKind::Type;
        let kind = if member { SymbolKind::Field } else { SymbolKind::Variable };
        let symbol = self.adopt(kind, frame.slot);
        frame.symbol = symbol;
        if symbol.is_some() {
            self.facts.symbols[symbol.index()].head_end = frame.span.start;
            let scope = self.push_scope(ScopeKind::Type, symbol, frame.span);
            self.facts.symbols[symbol.index()].inner = scope;
            frame.receiver = self.expected();
            return;
        }
        self.open_nameless_object(frame);
    }

    /// Members of an object literal without a name are no names of the scope around it.
    fn open_nameless_object(&mut self, frame: &mut Frame) {
        frame.receiver = self.expected();
        if !matches!(frame.ctx, Ctx::Bind | Ctx::Write) {
            self.open_scope(frame, ScopeKind::Type);
        }
    }

    pub(crate) fn scope_of(&self, frame: &Frame) -> ScopeId {
        let mut scope = self.scope;
        while self.facts.scopes[scope.index()].parent != frame.outer
            && self.facts.scopes[scope.index()].parent.is_some()
        {
            scope = self.facts.scopes[scope.index()].parent;
        }
        scope
    }
}
