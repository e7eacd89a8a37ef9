//! What the place of a value says about its type: a parameter, a declared type, a field of an outer literal.

use codegraph_languages::table::{Act, Slot};
use codegraph_model::*;

use crate::frame::*;
use crate::walk::Walk;

impl Walk<'_> {
    /// What a value that opens now has to be, as far as what stands before it says so.
    pub(crate) fn expected(&mut self) -> ExprId {
        self.expected_at(self.frames.len())
    }

    /// The same for what stands in the node at a depth.
    pub(crate) fn expected_at(&mut self, mut depth: usize) -> ExprId {
        if !self.language.values_have_context {
            return ExprId::NONE;
        }
        while depth > 1 {
            depth -= 1;
            let frame = self.frames[depth];
            match frame.act {
                Act::Pass | Act::Row | Act::Either | Act::KeywordArgument => {}
                Act::Opaque if frame.slot == Slot::Args => return self.expected_argument(depth, depth - 1),
                Act::List if self.frames[depth - 1].slot == Slot::Args => {
                    return self.expected_argument(depth, depth - 2);
                }
                Act::Literal(Literal::List) => {
                    let list = frame.receiver;
                    return if list.is_some() { self.expr(ExprOp::Index, list.0, 0) } else { list };
                }
                Act::Pair => return self.expected_member(depth),
                Act::Initialized | Act::Bind { .. } | Act::Param(_) => {
                    let ty = self.expr_in(&frame, Slot::Type);
                    return if ty.is_some() { self.expr(ExprOp::Typed, ty.0, 0) } else { ty };
                }
                Act::Assign => return self.expr_in(&frame, Slot::Target),
                Act::Return | Act::Lambda => return self.expected_result(depth),
                _ => return ExprId::NONE,
            }
        }
        ExprId::NONE
    }

    /// What `new()` makes whose members are being set: what has to stand there.
    pub(crate) fn expected_of_new(&mut self) -> ExprId {
        let depth = self.frames.len();
        let [.., call, list, _] = self.frames[..] else { return ExprId::NONE };
        let unnamed = [Slot::Class, Slot::Callee, Slot::Object].iter().all(|slot| self.value(&call, *slot).is_none());
        match call.act == Act::Call && list.act == Act::Literal(Literal::List) && unnamed {
            true => self.expected_at(depth - 3),
            false => ExprId::NONE,
        }
    }

    /// What a variable is that is declared as an argument: what the function takes there.
    pub(crate) fn expected_by_reference(&mut self, frame: &Frame) -> ExprId {
        let depth = self.frames.len() - 1;
        let passed = self.frames[..depth].last().is_some_and(|f| f.act == Act::KeywordArgument);
        match passed && !self.language.by_reference.is_empty() && self.expr_in(frame, Slot::Type).is_none() {
            true => self.expected_at(depth),
            false => ExprId::NONE,
        }
    }

    fn expected_argument(&mut self, depth: usize, call: usize) -> ExprId {
        let place = self.frames[depth].children - 1;
        let call = self.frames[call];
        if call.act != Act::Call {
            return ExprId::NONE;
        }
        let callee = match self.expr_in(&call, Slot::Callee) {
            callee if callee.is_some() => callee,
            _ => self.expr_in(&call, Slot::Class),
        };
        if callee.is_some() { self.expr(ExprOp::Takes, callee.0, place) } else { callee }
    }

    /// The value of a `key: value` pair: a member of what the literal around it has to be.
    fn expected_member(&mut self, depth: usize) -> ExprId {
        let object = self.members_expected(depth - 1);
        if object.is_none() {
            return ExprId::NONE;
        }
        let key = self.values[self.frames[depth].values as usize..].iter().find(|v| v.slot == Slot::Property);
        match key.map(|v| v.payload) {
            Some(Payload::Text(span) | Payload::Source(span)) => {
                let name = self.words.intern(&self.source[span.range()]);
                self.expr(ExprOp::Key, object.0, name.0)
            }
            _ => ExprId::NONE,
        }
    }

    /// What the function around a `return`, or whose body a value is, has to give.
    fn expected_result(&mut self, depth: usize) -> ExprId {
        let Some(function) = self.frames[..=depth].iter().rev().find(|f| f.callable).copied() else {
            return ExprId::NONE;
        };
        let declared = match self.expr_in(&function, Slot::Returns) {
            ty if ty.is_some() => ty,
            _ => self.expr_in(&function, Slot::Type),
        };
        let result = if declared.is_some() {
            self.expr(ExprOp::Typed, declared.0, 0)
        } else if matches!(function.act, Act::Lambda | Act::DefValue(_)) && function.receiver.is_some() {
            self.expr(ExprOp::Call, function.receiver.0, 0)
        } else {
            return ExprId::NONE;
        };
        let waits = function.flags.has(Flags::ASYNC);
        if waits { self.expr(ExprOp::Await, result.0, 0) } else { result }
    }

    /// What parameter number `place` of the function that is being read gets, if the place of the function says so.
    pub(crate) fn expected_parameter(&mut self, place: usize) -> ExprId {
        match self.callables.last().map(|c| c.context) {
            Some(context) if context.is_some() => self.expr(ExprOp::Takes, context.0, place as u32),
            _ => ExprId::NONE,
        }
    }

    /// A type written out; one that goes over the names of another has the members of that.
    pub(crate) fn close_shape(&mut self, frame: &Frame) -> Payload {
        let scope = self.scope_of(frame);
        let last = self.facts.bindings.iter().rev().take_while(|b| b.span.start >= frame.span.start);
        let over = last.into_iter().find(|b| b.kind == BindingKind::TypeParam && b.scope == scope && b.ty.is_some());
        match over.map(|b| b.ty) {
            Some(ty) => Payload::Expr(ty),
            None => self.new_expr(ExprOp::Shape, scope.0, 0),
        }
    }

    /// A key of a literal that has to be something refers to a member of that.
    pub(crate) fn refer_to_key(&mut self, span: Span) {
        let Some(depth) = self.frames.len().checked_sub(2) else { return };
        let context = self.members_expected(depth);
        if context.is_some() {
            let name = self.words.intern(&self.source[span.range()]);
            self.reference(name, span, RefKind::Write, context);
        }
    }

    /// What a literal has to be, or what the attributes of an element make together.
    fn members_expected(&mut self, depth: usize) -> ExprId {
        let frame = self.frames[depth];
        match frame.act {
            Act::Literal(Literal::Map) => frame.receiver,
            Act::Call => {
                let element = self.expr_in(&frame, Slot::Element);
                if element.is_some() { self.expr(ExprOp::Takes, element.0, 0) } else { element }
            }
            _ => ExprId::NONE,
        }
    }

    /// A method of a literal that has to be something is given what the method of that takes.
    pub(crate) fn expect_method(&mut self) {
        let Some(depth) = self.frames.len().checked_sub(2) else { return };
        let object = self.frames[depth];
        if object.act != Act::Literal(Literal::Map) || object.receiver.is_none() || !self.frames[depth + 1].callable {
            return;
        }
        let method = self.frames[depth + 1];
        if let Some(Value { payload: Payload::Text(span), .. }) = self.value(&method, Slot::Name) {
            let name = self.words.intern(&self.source[span.range()]);
            let context = self.expr(ExprOp::Key, object.receiver.0, name.0);
            if let Some(callable) = self.callables.last_mut() {
                callable.context = context;
            }
        }
    }

    /// Members of a literal without a name are known to what uses its value.
    /// `end` is where the pair ends.
    pub(crate) fn bind_key(&mut self, span: Span, end: u32, value: ExprId) {
        let in_object = |f: &Frame| f.act == Act::Literal(Literal::Map) && f.outer != self.scope;
        if !self.frames.iter().rev().nth(1).is_some_and(in_object) {
            return;
        }
        let name = self.words.intern(&self.source[span.range()]);
        if self.declared.insert((self.scope, name)) {
            let (kind, scope, ty) = (BindingKind::Local, self.scope, ExprId::NONE);
            self.facts.bindings.push(Binding { kind, name, span, scope, from: end, ty, init: value });
        }
    }
}
