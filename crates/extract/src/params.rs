//! Parameters in unusual places: receivers, results, the components of records, a name alone.

use codegraph_languages::table::{Act, Slot};
use codegraph_model::*;

use crate::frame::*;
use crate::walk::Walk;

impl Walk<'_> {
    /// A parameter list in the head of a type belongs to that type.
    pub(crate) fn open_params(&mut self) {
        self.expect_method();
        let Some(parent) = self.frames.last_mut() else { return };
        if matches!(parent.act, Act::Def(_) | Act::DefOrRef(_)) && !parent.callable {
            parent.callable = true;
            let symbol = parent.symbol;
            self.callables.push(Callable {
                symbol,
                params: Vec::new(),
                receiver: StrId::NONE,
                context: ExprId::NONE,
                returned: ExprId::NONE,
            });
        }
    }

    /// A parameter of a type that is a member of it too.
    pub(crate) fn close_component(
        &mut self,
        frame: &Frame,
        mut param: Param,
        ty: Option<Value>,
        bounds: &[u32],
    ) -> Payload {
        let Some(bound) = bounds.first().copied() else { return Payload::Nothing };
        let entry = &mut self.bounds[bound as usize];
        param.name = entry.span;
        entry.type_span = param.type_span;
        if let Some(Value { payload: Payload::Expr(expr), .. }) = ty {
            entry.ty = expr;
        }
        if let Some(callable) = self.callables.last_mut() {
            callable.params.push(param);
        }
        let mut frame = *frame;
        if frame.visibility == Visibility::Unknown {
            frame.visibility = Visibility::Public;
        }
        self.declare_variable(&frame, bound, self.language.components, ExprId::NONE);
        Payload::Nothing
    }

    /// `this` before the first parameter: the function extends the type of that parameter.
    pub(crate) fn extend_type(&mut self, param: &Param, ty: Option<Value>) {
        let symbol = self.callables.last().map_or(SymbolId::NONE, |c| c.symbol);
        if let (true, Some(Value { payload: Payload::Expr(expr), .. })) = (param.flags.has(Flags::RECEIVER), ty)
            && symbol.is_some()
        {
            self.facts.notes.push(Note { symbol, tie: Tie::SelfType, expr });
        }
    }

    /// A value that stands after a parameter is its default.
    pub(crate) fn default_of_last(&mut self, span: Span) {
        if let Some(param) = self.callables.last_mut().and_then(|c| c.params.last_mut()) {
            param.default = span;
            param.flags.insert(Flags::HAS_DEFAULT);
        }
    }

    /// What a type parameter has to be, said apart from it.
    pub(crate) fn close_constraint(&mut self, frame: &Frame) -> Payload {
        let Some(Value { payload: Payload::Text(span), .. }) = self.value(frame, Slot::Property) else {
            return Payload::Nothing;
        };
        let name = self.words.intern(&self.source[span.range()]);
        self.reference(name, span, RefKind::TypeRef, ExprId::NONE);
        let types = self.values_of(frame).iter().filter(|v| v.slot == Slot::Type);
        let types: Vec<ExprId> = types
            .filter_map(|v| match v.payload {
                Payload::Expr(expr) => Some(expr),
                _ => None,
            })
            .collect();
        let mut types = types.into_iter();
        let Some(mut bound) = types.next() else { return Payload::Nothing };
        for ty in types {
            bound = self.expr(ExprOp::Meet, bound.0, ty.0);
        }
        let scope = self.scope;
        let own = |b: &&mut Binding| b.kind == BindingKind::TypeParam && b.scope == scope && b.name == name;
        if let Some(binding) = self.facts.bindings.iter_mut().rev().find(own) {
            binding.ty = bound;
        }
        Payload::Nothing
    }

    /// Names that stand as parameters without a list around them.
    pub(crate) fn direct_params(&mut self, frame: &Frame) {
        let values = self.values_of(frame).iter().filter(|v| v.slot == Slot::Params);
        let payloads: Vec<Payload> = values.map(|v| v.payload).collect();
        for payload in payloads {
            if let Payload::Bound(bound) = payload {
                self.add_param(bound, Param::default());
            }
        }
    }

    /// One declaration in a list of results: its names are local variables, its type counts once for each.
    pub(crate) fn close_result(&mut self, frame: &Frame, bounds: &[u32]) -> Payload {
        let Some(ty) = self.value(frame, Slot::Type) else { return Payload::Nothing };
        let expr = if let Payload::Expr(expr) = ty.payload { expr } else { ExprId::NONE };
        for bound in bounds {
            self.bind(self.scope, *bound, BindingKind::Local, expr, ExprId::NONE);
        }
        self.values.truncate(frame.values as usize);
        for _ in 1..bounds.len() {
            self.values.push(Value { slot: frame.slot, payload: ty.payload, span: ty.span });
        }
        self.kept = bounds.len().saturating_sub(1);
        ty.payload
    }

    /// The receiver before the name of a method: its type qualifies the method.
    pub(crate) fn receive(&mut self, param: &mut Param, ty: Option<Value>, bound: Option<u32>) {
        param.flags.insert(Flags::RECEIVER);
        let name = bound.map_or(StrId::NONE, |b| self.bounds[b as usize].name);
        let Some(callable) = self.callables.last_mut() else { return };
        callable.receiver = name;
        let symbol = callable.symbol;
        let Some(Value { payload: Payload::Expr(expr), span, .. }) = ty else { return };
        if let Some(name) = self.type_name(span) {
            self.facts.symbols[symbol.index()].qualifier = name;
        }
        self.facts.notes.push(Note { symbol, tie: Tie::SelfType, expr });
        self.bind_receiver_arguments(expr);
    }

    /// `T` in the receiver `List[T]` declares a type parameter.
    fn bind_receiver_arguments(&mut self, mut expr: ExprId) {
        while self.facts.exprs[expr.index()].op == ExprOp::Pointer {
            expr = ExprId(self.facts.exprs[expr.index()].a);
        }
        let Expr { op: ExprOp::Apply, b, .. } = self.facts.exprs[expr.index()] else { return };
        let mut cell = ExprId(b);
        while cell.is_some() {
            let Expr { a, b, .. } = self.facts.exprs[cell.index()];
            let item = self.facts.exprs[a as usize];
            if item.op == ExprOp::Ref {
                let Reference { name, span, .. } = self.facts.refs[item.a as usize];
                if let Payload::Bound(bound) = self.new_bound(name, span) {
                    self.bind(self.scope, bound, BindingKind::TypeParam, ExprId::NONE, ExprId::NONE);
                }
            }
            cell = ExprId(b);
        }
    }
}
