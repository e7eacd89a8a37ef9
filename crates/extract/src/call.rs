//! Calls: their callee and arguments, and those that a language uses instead of syntax.

use codegraph_languages::table::{Act, CallRole, Slot};
use codegraph_model::*;

use crate::frame::*;
use crate::walk::Walk;
use crate::words::is_word_byte;

impl<'s> Walk<'s> {
    pub(crate) fn close_call(&mut self, frame: &Frame) -> Payload {
        let callee = match self.expr_in(frame, Slot::Callee) {
            expr if expr.is_some() => expr,
            _ => self.expr_in(frame, Slot::Class),
        };
        let types = std::mem::replace(&mut self.type_arguments, ExprId::NONE);
        // Type arguments stand with the others, or before them.
        let types = if types.is_some() { types } else { self.types_among(frame) };
        let callee = match callee.is_some() && types.is_some() {
            true => self.expr(ExprOp::Apply, callee.0, types.0),
            false => callee,
        };
        let (count, first, value, list) = match self.value(frame, Slot::Args).map(|v| v.payload) {
            Some(Payload::Args(count, first, value, list)) => (count, first, value, list),
            // `a name b`: one argument without brackets.
            Some(argument) if self.table.rule(frame.rule).second == Slot::Callee => {
                let value = self.argument(argument);
                (1, None, value, self.expr(ExprOp::Cons, value.0, u32::MAX))
            }
            _ => (0, None, ExprId::NONE, ExprId::NONE),
        };
        if callee.is_none() {
            return self.value(frame, Slot::Object).map_or(Payload::Nothing, |v| v.payload);
        }
        let mut target = self.facts.exprs[callee.index()];
        if target.op == ExprOp::Apply {
            target = self.facts.exprs[target.a as usize];
        }
        if !self.table.calls.is_empty()
            && let Some(payload) = self.close_cast(callee)
        {
            return payload;
        }
        if target.op == ExprOp::Ref {
            self.facts.refs[target.a as usize].args = count;
            self.note_block_call(target.a, list);
            self.note_within(frame, target.a);
            self.note_handed_on(frame, callee);
            let deciding = if self.language.linking.overloads { list } else { ExprId::NONE };
            self.keep_arguments(callee, deciding);
            if let Some(receiver) = self.receiver_made(target.a) {
                return Payload::Expr(receiver);
            }
            if let Some(made) = self.instantiated(target.a, count) {
                return made;
            }
            self.note_inheritance(frame, target.a);
            self.note_given(frame, target.a);
            if value.is_some() && self.passes_first(frame) {
                return Payload::Expr(value);
            }
            if let Some(called) = self.invoked(target.a, count) {
                return called;
            }
            if self.is_super_call(target.a) {
                return self.new_expr(ExprOp::Super, self.scope.0, 0);
            }
            if !self.table.calls.is_empty()
                && let Some(value) = self.call_role(frame, target.a, first, value)
            {
                return Payload::Expr(value);
            }
        }
        if matches!(target.op, ExprOp::Array | ExprOp::Pointer | ExprOp::Optional) {
            return self.new_expr(ExprOp::Typed, callee.0, 0);
        }
        self.new_expr(ExprOp::Call, callee.0, count as u32)
    }

    /// `cast<T>(x)`: the word is no reference, the value has type `T`.
    fn close_cast(&mut self, callee: ExprId) -> Option<Payload> {
        let target = self.facts.exprs[callee.index()];
        let (base, list) = match target.op {
            ExprOp::Apply => (self.facts.exprs[target.a as usize], ExprId(target.b)),
            _ => (target, ExprId::NONE),
        };
        let reference = self.facts.refs.get(base.a as usize).filter(|_| base.op == ExprOp::Ref)?;
        if reference.receiver.is_some()
            || self.table.calls.get(self.words.text(reference.name)) != Some(&CallRole::Cast)
        {
            return None;
        }
        self.facts.refs[base.a as usize].name = StrId::NONE;
        let Some(list) = list.get() else { return Some(Payload::Nothing) };
        let ty = self.facts.exprs[list.index()].a;
        Some(self.new_expr(ExprOp::Typed, ty, 0))
    }

    /// Arguments decide between functions of the same name.
    fn keep_arguments(&mut self, callee: ExprId, list: ExprId) {
        let Expr { op, a, b } = self.facts.exprs[callee.index()];
        let by_types = op == ExprOp::Apply && self.language.linking.extensions;
        if list.is_some() || by_types {
            let (op, a, b) = match (op, by_types) {
                (ExprOp::Apply, false) => {
                    let base = self.facts.exprs[a as usize];
                    (base.op, base.a, base.b)
                }
                _ => (op, a, b),
            };
            let callee = self.expr(op, a, b);
            let expr = self.expr(ExprOp::Arguments, callee.0, list.0);
            self.facts.notes.push(Note { symbol: SymbolId(0), tie: Tie::Call, expr });
        }
    }

    /// The values of all arguments, where they decide between functions of the same name.
    fn argument_list(&mut self, frame: &Frame) -> ExprId {
        let values: Vec<Value> = self.values_of(frame).iter().filter(|v| v.slot != Slot::TypeArgs).copied().collect();
        let wanted = self.language.linking.overloads || self.runs_block(frame);
        if !wanted || values.len() != frame.children as usize {
            return ExprId::NONE;
        }
        let payloads: Vec<Payload> = values.iter().map(|v| v.payload).collect();
        payloads.into_iter().rev().fold(ExprId::NONE, |rest, payload| {
            let argument = self.argument(payload);
            self.expr(ExprOp::Cons, argument.0, rest.0)
        })
    }

    /// `f.call(x)`: calls `f`.
    fn invoked(&mut self, reference: u32, count: u8) -> Option<Payload> {
        let reference = self.facts.refs[reference as usize];
        let receiver = reference.receiver.get()?;
        let function = self.facts.exprs[receiver.index()];
        if function.op != ExprOp::Ref || !self.language.invokers.contains(&self.words.text(reference.name)) {
            return None;
        }
        let called = &mut self.facts.refs[function.a as usize];
        if matches!(called.kind, RefKind::Read | RefKind::Attribute) {
            called.kind = RefKind::Call;
        }
        Some(self.new_expr(ExprOp::Call, receiver.0, count.saturating_sub(1) as u32))
    }

    /// `new static`: a value of the type of the receiver.
    fn receiver_made(&self, reference: u32) -> Option<ExprId> {
        let reference = self.facts.refs[reference as usize];
        let receiver = reference.receiver.get()?;
        let is_own = reference.kind == RefKind::Instantiation && self.facts.exprs[receiver.index()].op == ExprOp::This;
        (is_own && self.language.receivers.contains(&self.words.text(reference.name))).then_some(receiver)
    }

    /// The types that stand with the arguments of a call.
    fn types_among(&mut self, frame: &Frame) -> ExprId {
        let types: Vec<Payload> =
            self.values_of(frame).iter().filter(|v| v.slot == Slot::TypeArgs).map(|v| v.payload).collect();
        types.into_iter().rev().fold(ExprId::NONE, |rest, payload| {
            let ty = match payload {
                Payload::Expr(ty) => ty,
                _ => self.expr(ExprOp::Literal, Literal::Other as u32, u32::MAX),
            };
            self.expr(ExprOp::Cons, ty.0, rest.0)
        })
    }

    /// `super()`: the receiver as its base.
    fn is_super_call(&self, reference: u32) -> bool {
        let reference = self.facts.refs[reference as usize];
        reference.receiver.is_none() && self.table.calls.get(self.words.text(reference.name)) == Some(&CallRole::Super)
    }

    /// Calls that a language uses instead of syntax. Gives the value of the call if it is no ordinary one.
    fn call_role(&mut self, frame: &Frame, reference: u32, first: Option<Span>, value: ExprId) -> Option<ExprId> {
        let reference = self.facts.refs[reference as usize];
        if reference.receiver.is_some() {
            return None;
        }
        let role = self.table.calls.get(self.words.text(reference.name)).copied()?;
        match role {
            CallRole::First => return value.get(),
            CallRole::Cast | CallRole::Super => {}
            CallRole::Import(flags) => {
                if let Some(span) = first {
                    self.import_source(frame, span, flags);
                    return Some(self.expr(ExprOp::Module, self.facts.imports.len() as u32 - 1, 0));
                }
            }
            CallRole::Members(kind) => self.argument_members(frame, kind),
            CallRole::Delegates { receiver_first, one } => self.delegates(frame, receiver_first, one),
            CallRole::Member(kind) => {
                let made = self.facts.symbols.len() as u32;
                self.argument_member(frame, kind);
                self.note_block(frame, made);
            }
            CallRole::Section(visibility) => match self.value(frame, Slot::Args) {
                None => self.set_section(visibility),
                Some(args) => self.set_visibility(args.span, visibility),
            },
            CallRole::Bases(tie) => self.argument_bases(frame, tie),
            CallRole::Constant => {
                if let Some(span) = first {
                    self.named_member(SymbolKind::Constant, span, frame.span);
                }
            }
        }
        None
    }

    /// A member that is defined by a block gives what the block gives.
    fn note_block(&mut self, frame: &Frame, made: u32) {
        let block = self.value(frame, Slot::Expr).map(|v| v.payload);
        if let Some(Payload::Expr(expr)) = block
            && self.facts.symbols.len() as u32 > made
        {
            self.facts.notes.push(Note { symbol: SymbolId(made), tie: Tie::Return, expr });
        }
    }

    /// The symbols among the arguments (`:name`) are members.
    fn argument_members(&mut self, frame: &Frame, kind: SymbolKind) {
        let Some(args) = self.value(frame, Slot::Args) else { return };
        let text = self.text(args.span);
        let mut at = 0;
        while let Some(colon) = memchr::memchr(b':', &text[at..]) {
            let start = at + colon + 1;
            let len = text[start..].iter().take_while(|b| is_word_byte(**b)).count();
            if len > 0 {
                let from = args.span.start + start as u32;
                self.named_member(kind, Span::new(from, from + len as u32), frame.span);
            }
            at = start + len;
        }
    }

    /// The members that are passed on to another object.
    fn delegates(&mut self, frame: &Frame, receiver_first: bool, one: bool) {
        let Some(args) = self.value(frame, Slot::Args) else { return };
        let text = self.text(args.span);
        let mut names: Vec<Span> = Vec::new();
        let mut at = 0;
        while let Some(colon) = memchr::memchr(b':', &text[at..]) {
            let start = at + colon + 1;
            let is_key = start >= 2 && is_word_byte(text[start - 2]);
            // Behind the members stand options.
            if is_key {
                break;
            }
            let len = text[start..].iter().take_while(|b| is_word_byte(**b) || matches!(b, b'@' | b'?' | b'!')).count();
            if len > 0 {
                let from = args.span.start + start as u32;
                names.push(Span::new(from, from + len as u32));
            }
            at = start + len;
        }
        let members = names.get(usize::from(receiver_first)..).unwrap_or_default();
        let members = if one { &members[members.len().saturating_sub(1)..] } else { members };
        for name in members.iter().copied() {
            let member = self.named_member(SymbolKind::Method, name, frame.span);
            self.facts.symbols[member.index()].flags.insert(Flags::DECLARATION);
        }
    }

    /// The constants among the arguments of `include` are bases of the type around; a call whose value is handed on is none of these.
    fn argument_bases(&mut self, frame: &Frame, tie: Tie) {
        let around = self.frames.len().checked_sub(2).map(|i| self.frames[i].slot);
        if around == Some(Slot::Args) {
            return;
        }
        let Some(args) = self.value(frame, Slot::Args) else { return };
        let inside = |span: Span| args.span.start <= span.start && span.end <= args.span.end;
        let found: Vec<(u32, Span)> = (0..self.facts.refs.len() as u32)
            .rev()
            .take_while(|i| self.facts.refs[*i as usize].span.start >= args.span.start)
            .filter(|i| inside(self.facts.refs[*i as usize].span))
            .map(|i| (i, self.facts.refs[i as usize].span))
            .collect();
        let inner = |i: u32| found.iter().any(|(other, _)| self.receiver_ref(*other) == Some(i));
        let is_constant = |span: Span| self.source[span.start as usize].is_ascii_uppercase();
        let whole = found.iter().copied().filter(|(i, span)| !inner(*i) && is_constant(*span));
        let whole: Vec<(u32, Span)> = whole.collect();
        for (reference, span) in whole.into_iter().rev() {
            let span = Span::new(self.path_start(reference), span.end);
            self.facts.refs[reference as usize].kind = RefKind::Inherit;
            let expr = self.expr(ExprOp::Ref, reference, 0);
            self.add_base(span, expr, tie);
        }
    }

    /// `name=value`: names a parameter of what is called.
    pub(crate) fn close_keyword(&mut self, frame: &Frame) -> Payload {
        let names: Vec<Span> =
            self.values_of(frame).iter().filter(|v| v.slot == Slot::Property).map(|v| v.span).collect();
        let has_value = self.values_of(frame).iter().any(|v| v.slot != Slot::Property);
        let (name, value) = match (names[..].first(), names[..].get(1)) {
            (Some(name), None) if has_value || frame.children > 1 => {
                let value = self.values_of(frame).iter().rev().find(|v| v.slot != Slot::Property);
                (*name, value.map_or(Payload::Nothing, |v| v.payload))
            }
            // Two names: the second one is the value.
            (Some(name), Some(value)) => (*name, self.name_argument(*value)),
            (Some(value), None) => return self.name_argument(*value),
            // It may stand without a name.
            (None, _) => {
                let value = self.close_pass(frame);
                return self.by_reference(frame, value);
            }
        };
        // The list of arguments is around the keyword, the call around the list.
        let call = self.frames.iter().rev().skip(2).take(2).copied().find(|f| f.act == Act::Call);
        let callee = call.map_or(ExprId::NONE, |call| match self.expr_in(&call, Slot::Callee) {
            callee if callee.is_some() => callee,
            _ => self.expr_in(&call, Slot::Class),
        });
        if callee.is_some() {
            let receiver = self.expr(ExprOp::Parameters, callee.0, 0);
            let id = self.words.intern(&self.source[name.range()]);
            self.reference(id, name, RefKind::Write, receiver);
        }
        if !self.language.linking.overloads {
            return Payload::Nothing;
        }
        let value = self.argument(value);
        let id = self.words.intern(&self.source[name.range()]);
        self.new_expr(ExprOp::Named, value.0, id.0)
    }

    /// The value of an argument, as far as it is known.
    fn argument(&mut self, payload: Payload) -> ExprId {
        match payload {
            Payload::Expr(argument) => argument,
            // Of other characters than the usual ones.
            Payload::Source(span) if self.language.linking.headers && is_wide(self.source, span) => {
                self.expr(ExprOp::Literal, Literal::Other as u32, u32::MAX)
            }
            Payload::Source(_) => self.expr(ExprOp::Literal, Literal::String as u32, u32::MAX),
            _ => self.expr(ExprOp::Literal, Literal::Other as u32, u32::MAX),
        }
    }

    /// An argument that the function may assign to: a word before it says so.
    fn by_reference(&mut self, frame: &Frame, value: Payload) -> Payload {
        let text = self.text(frame.span);
        let marked = |word: &str| text.strip_prefix(word.as_bytes()).is_some_and(|t| t.starts_with(b" "));
        if !self.language.by_reference.iter().any(|word| marked(word)) {
            return value;
        }
        let value = self.argument(value);
        self.new_expr(ExprOp::AddressOf, value.0, 0)
    }

    /// A name that is an argument.
    fn name_argument(&mut self, span: Span) -> Payload {
        let name = self.words.intern(&self.source[span.range()]);
        self.named(Ctx::Expr, name, span)
    }

    pub(crate) fn close_args(&mut self, frame: &Frame) -> Payload {
        let first = self.values_of(frame).first().and_then(|v| match v.payload {
            Payload::Source(span) => Some(span),
            _ => None,
        });
        let alone = self.values_of(frame).first().is_some_and(|v| self.is_first_argument(frame, v.span));
        let value = match self.values_of(frame).first() {
            Some(Value { slot: Slot::Type, payload: Payload::Expr(ty), .. }) if alone => {
                let ty = ty.0;
                self.expr(ExprOp::Typed, ty, 0)
            }
            Some(Value { payload: Payload::Expr(expr), .. }) if alone => *expr,
            _ => ExprId::NONE,
        };
        self.declare_passed(frame);
        let list = self.argument_list(frame);
        self.type_arguments = self.types_among(frame);
        Payload::Args(frame.children.min(255) as u8, first.filter(|_| alone), value, list)
    }

    fn is_first_argument(&self, frame: &Frame, span: Span) -> bool {
        let between = &self.source[frame.span.start as usize..span.start as usize];
        between.iter().all(|b| matches!(b, b'(' | b'"' | b'\'' | b'`') || b.is_ascii_whitespace())
    }
}

/// Whether a letter before the quote says that a string has wide characters.
fn is_wide(source: &[u8], content: Span) -> bool {
    let quote = content.range().start;
    quote >= 2 && source[quote - 1] == b'"' && matches!(source[quote - 2], b'L' | b'U' | b'u' | b'8')
}
