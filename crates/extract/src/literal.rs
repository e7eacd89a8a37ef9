//! Literals: strings and their content, and the members of objects and records that are written out.

use codegraph_languages::table::{Act, Slot};
use codegraph_model::*;

use crate::frame::*;
use crate::walk::Walk;

impl<'s> Walk<'s> {
    pub(crate) fn close_string(&mut self, frame: &Frame) -> Payload {
        self.doc_string(frame);
        let span = string_content(self.source, frame.span);
        match frame.ctx {
            _ if frame.level == INTERPOLATED => self.new_expr(ExprOp::Literal, Literal::String as u32, u32::MAX),
            Ctx::Name => Payload::Text(span),
            _ => self.quoted_type(frame, span).map_or(Payload::Source(span), Payload::Expr),
        }
    }

    /// A string with code inside has no fixed content.
    pub(crate) fn mark_interpolated(&mut self) {
        for frame in self.frames.iter_mut().rev().take_while(|f| f.mask == TermMask::STRING) {
            frame.level = INTERPOLATED;
        }
    }

    pub(crate) fn close_literal(&mut self, frame: &Frame, kind: Literal) -> Payload {
        if matches!(frame.ctx, Ctx::Bind | Ctx::Write) {
            return self.close_sequence(frame);
        }
        match frame.ctx {
            Ctx::Name => Payload::Text(frame.span),
            _ if frame.symbol.is_some() => self.new_expr(ExprOp::Own, frame.symbol.0, 0),
            _ if kind == Literal::Number && self.language.linking.overloads => {
                let kind = number_kind(self.text(frame.span));
                self.new_expr(ExprOp::Literal, kind as u32, u32::MAX)
            }
            _ if kind == Literal::Map => self.object(frame),
            _ => self.new_expr(ExprOp::Literal, kind as u32, u32::MAX),
        }
    }

    /// An object without a name: its members, and those of the values that it copies.
    fn object(&mut self, frame: &Frame) -> Payload {
        let mut all = match self.scope != frame.outer {
            true => self.expr(ExprOp::Shape, self.scope.0, 0),
            false => self.expr(ExprOp::Literal, Literal::Map as u32, u32::MAX),
        };
        while let Some((_, copied)) = self.copied.pop_if(|(at, _)| *at == frame.span.start) {
            all = self.expr(ExprOp::Meet, all.0, copied.0);
        }
        Payload::Expr(all)
    }

    /// What an object copies is to it what a base is to a type.
    pub(crate) fn close_copied(&mut self, frame: &Frame) -> Payload {
        let value = self.expr_in(frame, Slot::Object);
        let object = self.frames.iter().rev().nth(1).filter(|f| f.act == Act::Literal(Literal::Map));
        let (Some(object), Some(value)) = (object.copied(), value.get()) else { return Payload::Nothing };
        match object.symbol.get() {
            Some(symbol) => self.facts.notes.push(Note { symbol, tie: Tie::Base, expr: value }),
            None => self.copied.push((object.span.start, value)),
        }
        Payload::Nothing
    }

    /// A word of the language for a type.
    pub(crate) fn basic_type(&mut self, frame: &Frame) -> Payload {
        let name = self.words.intern(&self.source[frame.span.range()]);
        match frame.ctx {
            Ctx::Type | Ctx::Class | Ctx::Expr => self.new_expr(ExprOp::Literal, Literal::Basic as u32, name.0),
            Ctx::Name => Payload::Text(frame.span),
            _ => Payload::Nothing,
        }
    }

    /// `key: value`: a member of the object around it.
    pub(crate) fn close_pair(&mut self, frame: &Frame) -> Payload {
        let object = self.named_object();
        if frame.children == 0 {
            self.refer_to_key(frame.span);
            return match object {
                Some(object) => self.short_member(frame, object),
                None => self.short_nameless(frame),
            };
        }
        let Some(key) = self.value(frame, Slot::Property) else { return Payload::Nothing };
        let (Payload::Text(name) | Payload::Source(name)) = key.payload else { return Payload::Nothing };
        if name.is_empty() {
            return Payload::Nothing;
        }
        self.refer_to_key(name);
        let expr = self.expr_in(frame, Slot::Value);
        let Some(object) = object else {
            self.bind_key(name, frame.span.end, expr);
            return Payload::Nothing;
        };
        self.export_value(object, expr);
        let id = self.words.intern(&self.source[name.range()]);
        if self.declared.contains(&(self.scope, id)) {
            return Payload::Nothing;
        }
        let symbol = self.named_member(SymbolKind::Field, name, frame.span);
        if expr.is_some() {
            self.facts.notes.push(Note { symbol, tie: Tie::Init, expr });
        }
        Payload::Nothing
    }

    fn short_nameless(&mut self, frame: &Frame) -> Payload {
        let payload = self.short_pair(frame);
        if let Payload::Expr(expr) = payload {
            self.bind_key(frame.span, frame.span.end, expr);
        }
        payload
    }

    /// A name that is a value in what the file exports is exported.
    fn export_value(&mut self, object: SymbolId, value: ExprId) {
        let entry = &self.facts.symbols[object.index()];
        let exports = entry.flags.has(Flags::EXPORT.with(Flags::MEMBER));
        let Some(node) = value.get().map(|v| self.facts.exprs[v.index()]).filter(|_| exports) else { return };
        if node.op == ExprOp::Ref && self.facts.refs[node.a as usize].receiver.is_none() {
            self.exported.push(self.facts.refs[node.a as usize].name);
        }
    }

    /// A key that is its own value in a named object.
    fn short_member(&mut self, frame: &Frame, object: SymbolId) -> Payload {
        let payload = self.short_pair(frame);
        let entry = &self.facts.symbols[object.index()];
        let exports = entry.flags.has(Flags::EXPORT.with(Flags::DEFAULT)) && !entry.name_span.is_empty();
        let name = self.words.intern(&self.source[frame.span.range()]);
        if exports {
            self.exported.push(name);
        }
        if !self.declared.contains(&(self.scope, name)) {
            let symbol = self.named_member(SymbolKind::Field, frame.span, frame.span);
            if let Payload::Expr(expr) = payload {
                self.facts.notes.push(Note { symbol, tie: Tie::Init, expr });
            }
        }
        payload
    }

    /// A key that is its own value.
    fn short_pair(&mut self, frame: &Frame) -> Payload {
        if frame.children > 0 {
            return Payload::Nothing;
        }
        let name = self.words.intern(&self.source[frame.span.range()]);
        self.named(frame.ctx, name, frame.span)
    }

    /// `field: value` of a typed literal; a field was referred to when its name was read.
    pub(crate) fn close_field_init(&mut self, frame: &Frame) -> Payload {
        match self.value(frame, Slot::Property) {
            Some(_) => Payload::Nothing,
            None => self.close_key(frame),
        }
    }

    /// The type of the literal that a `field: value` stands in: said by the literal, by the variable that it initialises,
    /// or by the field whose value it is.
    pub(crate) fn literal_type(&self) -> ExprId {
        let mut around = self.frames.iter().rev().skip_while(|f| f.act == Act::Pass);
        let is_field = |f: &&Frame| f.act == Act::FieldInit || f.act == Act::Assign && f.slot == Slot::Key;
        let Some(own) = around.next().filter(is_field) else { return ExprId::NONE };
        let before = self.last_in(own, Slot::Property);
        if before.is_some() {
            return before;
        }
        for frame in around {
            let ty = match frame.act {
                Act::FieldInit => return self.last_in(frame, Slot::Property),
                Act::Call if frame.ctx != Ctx::Decorator && self.value(frame, Slot::Callee).is_some() => {
                    return ExprId::NONE;
                }
                Act::Call => self.object_made(frame),
                Act::Bind { .. } | Act::Initialized | Act::Local(_) | Act::Typed => self.expr_in(frame, Slot::Type),
                Act::Return => {
                    let function = self.frames.iter().rev().find(|f| f.callable);
                    return function.map_or(ExprId::NONE, |f| self.expr_in(f, Slot::Returns));
                }
                Act::Def(_) | Act::Lambda | Act::Scope(_) => return ExprId::NONE,
                _ => continue,
            };
            if ty.is_some() {
                return ty;
            }
        }
        ExprId::NONE
    }

    /// What a literal, an annotation or a copy with changes makes.
    fn object_made(&self, frame: &Frame) -> ExprId {
        let slots = [Slot::Class, Slot::Callee, Slot::Object].into_iter();
        slots.map(|slot| self.expr_in(frame, slot)).find(|e| e.is_some()).unwrap_or(ExprId::NONE)
    }

    fn last_in(&self, frame: &Frame, slot: Slot) -> ExprId {
        let last = self.values_of(frame).iter().rev().find(|v| v.slot == slot).map(|v| v.payload);
        if let Some(Payload::Expr(expr)) = last { expr } else { ExprId::NONE }
    }

    /// A plain name before the colon is a field if the literal is a record: nested literals are items of outer ones.
    fn close_key(&mut self, frame: &Frame) -> Payload {
        let Some(Value { payload: Payload::Expr(key), span, .. }) = self.value(frame, Slot::Key) else {
            return Payload::Nothing;
        };
        let around = &self.frames[..self.frames.len() - 1];
        let literal = around.iter().rposition(|f| f.act == Act::Call);
        let Some(literal) = literal else { return Payload::Nothing };
        let depth = around[literal..].iter().filter(|f| f.act == Act::Literal(Literal::Map)).count();
        let mut class = self.expr_in(&around[literal], Slot::Class);
        for _ in 1..depth {
            match class.get().map(|c| self.facts.exprs[c.index()]) {
                Some(Expr { op: ExprOp::Array | ExprOp::Pointer, a, .. }) => class = ExprId(a),
                _ => return Payload::Nothing,
            }
        }
        if class.get().is_none_or(|c| self.facts.exprs[c.index()].op == ExprOp::Array) {
            return Payload::Nothing;
        }
        let Expr { op, a, .. } = self.facts.exprs[key.index()];
        if op == ExprOp::Ref && self.facts.refs[a as usize].span == span {
            let reference = &mut self.facts.refs[a as usize];
            reference.kind = RefKind::Write;
            reference.receiver = class;
        }
        Payload::Nothing
    }
}

const INTERPOLATED: u8 = 3;

/// The content of a string literal, without prefix and quotes.
pub(crate) fn string_content(source: &[u8], span: Span) -> Span {
    let text = &source[span.range()];
    let is_quote = |b: &u8| matches!(b, b'"' | b'\'' | b'`' | b'<');
    let Some(open) = text.iter().position(is_quote) else {
        let colons = text.iter().take_while(|b| **b == b':').count() as u32;
        return Span::new(span.start + colons, span.end);
    };
    let quote = text[open];
    let close = if quote == b'<' { b'>' } else { quote };
    let run = text[open..].iter().take_while(|b| **b == quote).count();
    let width = if run >= 3 && text.len() >= open + 6 { 3 } else { 1 };
    let start = open + width;
    let end = text.iter().rposition(|b| *b == close).map_or(text.len(), |i| (i + 1).saturating_sub(width));
    Span::new(span.start + start as u32, span.start + end.max(start) as u32)
}

/// What kind of number a literal is, by its last letter or its fraction.
fn number_kind(text: &[u8]) -> Literal {
    let is_hex = text.starts_with(b"0x") || text.starts_with(b"0X");
    match text.last().map(u8::to_ascii_lowercase) {
        Some(b'l') => Literal::Long,
        Some(b'm') if !is_hex => Literal::Decimal,
        Some(b'f') if !is_hex => Literal::Float,
        Some(b'd') if !is_hex => Literal::Double,
        _ if !is_hex && text.iter().any(|b| matches!(b, b'.' | b'e' | b'E')) => Literal::Double,
        _ => Literal::Number,
    }
}
