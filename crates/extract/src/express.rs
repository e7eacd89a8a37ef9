//! Expressions and references: what a name in code refers to is left to the linker, how it is written is kept.

use codegraph_languages::table::{Act, Op, Slot};
use codegraph_model::*;

use crate::frame::*;
use crate::walk::{NO_STEPS, Walk};
use crate::words::is_word_byte;

impl<'s> Walk<'s> {
    pub(crate) fn expr(&mut self, op: ExprOp, a: u32, b: u32) -> ExprId {
        self.facts.exprs.push(Expr { op, a, b });
        ExprId(self.facts.exprs.len() as u32 - 1)
    }

    pub(crate) fn new_expr(&mut self, op: ExprOp, a: u32, b: u32) -> Payload {
        Payload::Expr(self.expr(op, a, b))
    }

    pub(crate) fn reference(&mut self, name: StrId, span: Span, kind: RefKind, receiver: ExprId) -> RefId {
        self.facts.refs.push(Reference { name, span, kind, scope: self.scope, receiver, args: 0 });
        RefId(self.facts.refs.len() as u32 - 1)
    }

    fn reference_expr(&mut self, name: StrId, span: Span, kind: RefKind, receiver: ExprId) -> Payload {
        let reference = self.reference(name, span, kind, receiver);
        Payload::Expr(self.expr(ExprOp::Ref, reference.0, 0))
    }

    /// A leaf that is a name: takes it as a term and as whatever its place makes of it.
    pub(crate) fn identifier(&mut self, ctx: Ctx, span: Span) -> Payload {
        if span.is_empty() {
            return Payload::Nothing;
        }
        let text = self.text(span);
        let name = if text.iter().all(|b| is_word_byte(*b) && *b < 0x80) {
            self.words.word(span.start as usize, span.end as usize, TermMask::CODE)
        } else {
            self.words.scan(span.start as usize, span.end as usize, TermMask::CODE);
            self.words.intern(text)
        };
        self.named(ctx, name, span)
    }

    /// A node with children whose whole text is a name; its words were taken on the way.
    pub(crate) fn identifier_node(&mut self, frame: &Frame) -> Payload {
        let name = self.tidy_name(frame.span);
        let payload = self.named(frame.ctx, name, frame.span);
        if let Payload::Bound(bound) = payload {
            self.bounds[bound as usize].kind = self.table.rule(frame.rule).names;
        }
        payload
    }

    /// A name without the white space that may stand inside it; words stay apart.
    pub(crate) fn tidy_name(&mut self, span: Span) -> StrId {
        let text = self.text(span);
        if !text.iter().any(u8::is_ascii_whitespace) {
            return self.words.intern(text);
        }
        let text = String::from_utf8_lossy(text);
        let mut name = String::with_capacity(text.len());
        for part in text.split_ascii_whitespace() {
            let is_word = |c: char| c.is_alphanumeric() || c == '_';
            if name.ends_with(is_word) && part.starts_with(is_word) {
                name.push(' ');
            }
            name.push_str(part);
        }
        self.words.intern_made(name)
    }

    pub(crate) fn named(&mut self, ctx: Ctx, name: StrId, span: Span) -> Payload {
        if self.language.underscore_discards && self.text(span) == b"_" {
            return Payload::Text(span);
        }
        if ctx == Ctx::Type && self.text(span) == self.language.implicit_type.as_bytes() {
            return Payload::Nothing;
        }
        if self.is_receiver_name(ctx, span) {
            return self.receiver_named(ctx, name, span);
        }
        if ctx == Ctx::Expr && self.is_bare_call(name) {
            return self.bare_call(name, span);
        }
        let kind = match ctx {
            Ctx::Expr => RefKind::Read,
            Ctx::Callee => RefKind::Call,
            Ctx::Class => RefKind::Instantiation,
            Ctx::Macro => RefKind::Macro,
            Ctx::Type if self.is_variable(span) => RefKind::Read,
            Ctx::Type => RefKind::TypeRef,
            Ctx::Inherit => RefKind::Inherit,
            Ctx::Implements => RefKind::Implements,
            Ctx::Decorator => RefKind::Decorator,
            Ctx::Update => RefKind::Write,
            Ctx::Write if !self.language.assignment_declares || self.is_setter_call() => RefKind::Write,
            Ctx::Write => return self.new_bound(name, span),
            Ctx::Bind if self.language.capital_patterns_refer && self.is_capital(span) => RefKind::Read,
            Ctx::Bind => return self.new_bound(name, span),
            Ctx::Name => return Payload::Text(span),
            Ctx::Import => {
                let reference = self.reference(name, span, RefKind::Import, ExprId::NONE);
                self.paths.push(reference);
                return Payload::Path(self.paths.len() as u32 - 1, self.paths.len() as u32);
            }
            Ctx::Skip => return Payload::Nothing,
        };
        let receiver = self.inherited_receiver(ctx);
        let payload = self.reference_expr(name, span, kind, receiver);
        self.maybe_base(ctx, span, payload);
        if kind == RefKind::Read && receiver.is_none() && !self.members.is_empty() {
            return self.checked_member(name, payload);
        }
        payload
    }

    fn is_capital(&self, span: Span) -> bool {
        let declares = |f: &Frame| matches!(f.act, Act::Def(_) | Act::Local(BindingKind::TypeParam));
        !self.frames.last().is_some_and(declares) && self.source[span.start as usize].is_ascii_uppercase()
    }

    /// A complete base type (not a part of a generic one) belongs to the definition around it.
    fn maybe_base(&mut self, ctx: Ctx, span: Span, payload: Payload) {
        let depth = self.frames.len() - usize::from(self.frames.last().is_some_and(|f| f.span == span));
        if self.frames[..depth].last().is_some_and(|f| matches!(f.act, Act::Apply | Act::Unary(Op::Index))) {
            return;
        }
        let tie = match ctx {
            Ctx::Inherit => Tie::Base,
            Ctx::Implements => Tie::Implements,
            _ => return,
        };
        let Payload::Expr(expr) = payload else { return };
        self.add_base(span, expr, tie);
    }

    /// What a path starts from: the path around it, or the outermost namespace.
    pub(crate) fn path_receiver(&mut self, frame: &Frame) -> ExprId {
        let outer = self.outer_receiver(frame.slot);
        let rooted = self.language.rooted_paths && frame.act == Act::Member && frame.ctx != Ctx::Import;
        if outer.is_none() && rooted && self.text(frame.span).starts_with(self.language.separator.as_bytes()) {
            return self.expr(ExprOp::Root, 0, 0);
        }
        outer
    }

    /// In `A::B::c` nested to the right, the inner path starts from the outer one.
    pub(crate) fn outer_receiver(&self, slot: Slot) -> ExprId {
        match self.frames.last() {
            Some(parent) if parent.act == Act::Member && matches!(slot, Slot::Property | Slot::Path) => {
                let object = self.object_of(parent);
                if object.is_some() { object } else { parent.receiver }
            }
            _ => ExprId::NONE,
        }
    }

    /// What stands before the dot or `::`.
    fn object_of(&self, frame: &Frame) -> ExprId {
        match self.expr_in(frame, Slot::Object) {
            object if object.is_some() => object,
            _ => self.expr_in(frame, Slot::Path),
        }
    }

    /// The receiver that the first name of a nested path has.
    fn inherited_receiver(&mut self, ctx: Ctx) -> ExprId {
        match self.frames.last().copied().as_ref() {
            Some(frame) if frame.act == Act::Member => match self.object_of(frame) {
                object if object.is_some() => object,
                _ => frame.receiver,
            },
            Some(frame) if frame.act == Act::Assign && frame.slot == Slot::Key => match ctx {
                Ctx::Write | Ctx::Update => match (self.expected_of_new(), self.literal_type()) {
                    (expected, _) if expected.is_some() => expected,
                    (_, class) if class.is_some() => class,
                    _ => self.expr(ExprOp::Literal, Literal::Other as u32, u32::MAX),
                },
                _ => ExprId::NONE,
            },
            Some(frame) if frame.act == Act::Call => match self.object_of(frame) {
                object if object.is_some() => object,
                _ => self.unknown_object(frame),
            },
            Some(frame) if frame.act == Act::Tokens => self.token_receiver(frame),
            Some(frame) if frame.act == Act::Apply => frame.receiver,
            Some(frame) if ctx == Ctx::Update => match self.literal_type() {
                none if none.is_none() && frame.act == Act::FieldInit && self.initialises_members() => {
                    self.expr(ExprOp::This, self.receiver_scope().0, 0)
                }
                class => class,
            },
            _ => ExprId::NONE,
        }
    }

    /// `name(value)` stands between the head and the body of a constructor.
    fn initialises_members(&self) -> bool {
        let mut around =
            self.frames.iter().rev().skip(1).skip_while(|f| matches!(f.act, Act::Pass | Act::Opaque | Act::List));
        self.language.linking.headers && around.next().is_some_and(|f| matches!(f.act, Act::Def(_)))
    }

    pub(crate) fn close_member(&mut self, frame: &Frame) -> Payload {
        if frame.ctx == Ctx::Import {
            return self.close_path(frame);
        }
        let object = self.path_before(frame);
        let property = self.values_of(frame).iter().rev().find(|v| v.slot == Slot::Property).copied();
        let Some(property) = property else {
            if self.is_type_literal(frame) {
                return self.new_expr(ExprOp::Literal, Literal::Type as u32, u32::MAX);
            }
            self.write_object(frame, object);
            return if object.is_some() { Payload::Expr(object) } else { Payload::Nothing };
        };
        let payload = match property.payload {
            Payload::Text(span) if frame.ctx == Ctx::Name && !self.ends_value(frame) => {
                return self.qualified_name(frame, span);
            }
            Payload::Text(span) if object.is_some() && self.text(span).iter().all(u8::is_ascii_digit) => {
                let place = self.text(span).iter().fold(0u32, |n, b| n.wrapping_mul(10) + u32::from(b - b'0'));
                return self.new_expr(ExprOp::Item, object.0, place);
            }
            Payload::Text(span) => {
                let receiver = if object.is_some() { object } else { frame.receiver };
                let receiver = if receiver.is_some() { receiver } else { self.unknown_object(frame) };
                self.member_reference(frame, span, receiver)
            }
            // `T.this`: the value of a type around.
            Payload::Expr(expr) if object.is_some() && self.is_own_value(expr) => {
                return self.new_expr(ExprOp::Typed, object.0, 0);
            }
            // A path nested to the right has said everything already.
            Payload::Expr(expr) => Payload::Expr(expr),
            Payload::Bound(bound) => return self.qualify(frame, bound),
            _ => return Payload::Nothing,
        };
        self.maybe_base(frame.ctx, frame.span, payload);
        if let Payload::Expr(expr) = payload
            && self.table.rule(frame.rule).names.is_some_and(SymbolKind::is_callable)
            && let Expr { op: ExprOp::Ref, a, .. } = self.facts.exprs[expr.index()]
        {
            self.facts.refs[a as usize].args = ANY_COUNT;
        }
        payload
    }

    fn is_own_value(&self, expr: ExprId) -> bool {
        let linking = &self.language.linking;
        let op = self.facts.exprs[expr.index()].op;
        linking.members_in_scope && linking.static_types && matches!(op, ExprOp::This | ExprOp::Super)
    }

    /// `T::class`: the type as a value.
    fn is_type_literal(&self, frame: &Frame) -> bool {
        let ends = |word: &str| self.text(frame.span).ends_with(word.as_bytes());
        let has_literals = self.language.linking.literals.iter().any(|(kind, _)| *kind == Literal::Type);
        has_literals && self.language.keyword_members.iter().any(|word| ends(word))
    }

    /// A name alone in the place of what is assigned to.
    fn write_object(&mut self, frame: &Frame, object: ExprId) {
        if frame.ctx == Ctx::Update
            && let Some(Expr { op: ExprOp::Ref, a, .. }) = object.get().map(|e| self.facts.exprs[e.index()])
        {
            self.facts.refs[a as usize].kind = RefKind::Write;
        }
    }

    /// What stands before the last name of a member; a path that is written flat is built here.
    fn path_before(&mut self, frame: &Frame) -> ExprId {
        let mut object = self.object_of(frame);
        let parts = self.values_of(frame).iter().filter(|v| v.slot == Slot::Property);
        let parts: Vec<Span> = parts.filter(|v| matches!(v.payload, Payload::Text(_))).map(|v| v.span).collect();
        let Some((_, before)) = parts.split_last() else { return object };
        if object.is_none() && !before.is_empty() {
            object = frame.receiver;
        }
        for span in before.iter().filter(|_| frame.ctx != Ctx::Name) {
            let name = self.words.intern(&self.source[span.range()]);
            let reference = self.reference(name, *span, RefKind::TypeRef, object);
            object = self.expr(ExprOp::Ref, reference.0, 0);
        }
        object
    }

    /// `A.b` where a definition is named: the name is `b`, its qualifier `A`.
    fn qualified_name(&mut self, frame: &Frame, span: Span) -> Payload {
        let name = self.words.intern(&self.source[span.range()]);
        match self.new_bound(name, span) {
            Payload::Bound(bound) => self.qualify(frame, bound),
            payload => payload,
        }
    }

    /// The path that a node ends, nested to the right, is used and not defined.
    fn ends_value(&self, frame: &Frame) -> bool {
        use Ctx::*;
        matches!(self.path_ctx(frame), Callee | Expr | Type | Class | Inherit | Write | Update)
    }

    /// The context of the whole path that a node ends.
    fn path_ctx(&self, frame: &Frame) -> Ctx {
        let (mut ctx, mut slot) = (frame.ctx, frame.slot);
        for parent in self.frames[..self.frames.len() - 1].iter().rev() {
            if slot != Slot::Property || parent.act != Act::Member {
                break;
            }
            (ctx, slot) = (parent.ctx, parent.slot);
        }
        ctx
    }

    fn member_reference(&mut self, frame: &Frame, span: Span, receiver: ExprId) -> Payload {
        let ctx = self.path_ctx(frame);
        let span = self.without_sigil(span);
        let name = self.words.intern(&self.source[span.range()]);
        if self.language.keyword_members.contains(&self.words.text(name)) {
            return self.new_expr(ExprOp::Typed, receiver.0, 0);
        }
        let kind = match ctx {
            Ctx::Callee => RefKind::Call,
            Ctx::Class => RefKind::Instantiation,
            Ctx::Macro => RefKind::Macro,
            Ctx::Write | Ctx::Update => {
                if ctx == Ctx::Write
                    && let Some(symbol) =
                        self.receiver_field(name, span, receiver).or_else(|| self.exported_member(frame, name, span))
                {
                    return Payload::Member(symbol);
                }
                RefKind::Write
            }
            Ctx::Type => RefKind::TypeRef,
            Ctx::Inherit => RefKind::Inherit,
            Ctx::Implements => RefKind::Implements,
            Ctx::Decorator => RefKind::Decorator,
            Ctx::Skip => return Payload::Nothing,
            Ctx::Bind | Ctx::Name => RefKind::Read,
            _ => RefKind::Attribute,
        };
        let payload = self.reference_expr(name, span, kind, receiver);
        let is_own = || receiver.get().is_some_and(|at| self.facts.exprs[at.index()].op == ExprOp::This);
        if kind == RefKind::Attribute && !self.members.is_empty() && is_own() {
            return self.checked_member(name, payload);
        }
        payload
    }

    /// Something stands before the name, but its value is not known.
    fn unknown_object(&mut self, frame: &Frame) -> ExprId {
        let before = self.values_of(frame).iter().find(|v| matches!(v.slot, Slot::Object | Slot::Path));
        let literal = match before.map(|v| v.payload) {
            Some(Payload::Source(_)) => Literal::String,
            Some(_) => Literal::Other,
            None => return ExprId::NONE,
        };
        self.expr(ExprOp::Literal, literal as u32, u32::MAX)
    }

    /// The receiver, or its constructor where a class is expected: `super(x)`.
    pub(crate) fn close_receiver(&mut self, frame: &Frame, op: ExprOp) -> Payload {
        if frame.slot == Slot::Name {
            return Payload::Text(frame.span);
        }
        let receiver = self.expr(op, self.receiver_scope().0, 0);
        if frame.ctx != Ctx::Class {
            return Payload::Expr(receiver);
        }
        let name = self.words.intern(&self.source[frame.span.range()]);
        self.reference_expr(name, frame.span, RefKind::Instantiation, receiver)
    }

    /// The scope whose receiver is meant: functions without a name of their own have that of what is around them.
    pub(crate) fn receiver_scope(&self) -> ScopeId {
        let callables = self.frames.iter().rev().filter(|f| f.callable);
        let lambdas = callables.take_while(|f| f.act == Act::Lambda);
        lambdas.last().map_or(self.scope, |f| f.outer)
    }

    /// A name that means the receiver.
    fn receiver_named(&mut self, ctx: Ctx, name: StrId, span: Span) -> Payload {
        let receiver = self.expr(ExprOp::This, self.receiver_scope().0, 0);
        match ctx {
            Ctx::Class => self.reference_expr(name, span, RefKind::Instantiation, receiver),
            _ => Payload::Expr(receiver),
        }
    }

    /// `Foo::bar` where a definition is named: the name is `bar`, its qualifier `Foo`.
    fn qualify(&mut self, frame: &Frame, bound: u32) -> Payload {
        let end = self.bounds[bound as usize].span.start;
        self.bounds[bound as usize].qualifier = Span::new(frame.span.start, end);
        Payload::Bound(bound)
    }

    pub(crate) fn close_unary(&mut self, frame: &Frame, op: Op) -> Payload {
        if op == Op::Index && matches!(frame.ctx, Ctx::Type | Ctx::Inherit | Ctx::Implements) {
            return self.close_generic(frame, Slot::Expr);
        }
        let operand = self.value(frame, Slot::Object).map(|v| v.payload);
        if let Some(Payload::Expr(expr)) = operand {
            if op == Op::Index && frame.ctx == Ctx::Write && self.declare_used(expr) {
                return Payload::Nothing;
            }
            if op == Op::Test {
                self.narrow(frame, expr);
            }
        }
        // A declarator wraps a name, not a value.
        let bound = self.values_of(frame).iter().map(|v| v.payload).find(|p| matches!(p, Payload::Bound(_)));
        if let Some(Payload::Bound(bound)) = bound {
            self.bounds[bound as usize].indirect = true;
            return Payload::Bound(bound);
        }
        if let (Op::NewArray, item) = (op, self.expr_in(frame, Slot::Type)) {
            let array = self.expr(ExprOp::Array, item.0, 0);
            return self.new_expr(ExprOp::Typed, array.0, 0);
        }
        if op == Op::TypeOf {
            let value = self.expr_in(frame, Slot::Expr);
            return if value.is_some() { self.new_expr(ExprOp::TypeOf, value.0, 0) } else { Payload::Nothing };
        }
        let expr = match operand {
            Some(Payload::Expr(expr)) => expr,
            Some(Payload::Source(_)) if op == Op::Both => {
                return self.new_expr(ExprOp::Literal, Literal::String as u32, u32::MAX);
            }
            _ => return Payload::Nothing,
        };
        if let (Op::Lookup, Some(Payload::Source(key))) = (op, self.value(frame, Slot::Expr).map(|v| v.payload)) {
            let name = self.words.intern(&self.source[key.range()]);
            if let Some(literal) = self.value(frame, Slot::Expr) {
                let receiver = self.expr(ExprOp::Typed, expr.0, 0);
                self.reference(name, literal.span, RefKind::Attribute, receiver);
            }
            return self.new_expr(ExprOp::Key, expr.0, name.0);
        }
        if let Some(key) = self.constant_key(frame, op) {
            return self.member_reference(frame, key, expr);
        }
        let op = match op {
            Op::Index | Op::Lookup => ExprOp::Index,
            Op::Await => ExprOp::Await,
            Op::Try => ExprOp::Try,
            Op::Deref => ExprOp::Deref,
            Op::AddressOf => ExprOp::AddressOf,
            Op::Array => ExprOp::Array,
            Op::Optional => ExprOp::Optional,
            Op::Pointer => ExprOp::Pointer,
            Op::Step => return self.step(expr),
            Op::Test => return self.new_expr(ExprOp::Literal, Literal::Test as u32, u32::MAX),
            Op::Both => return self.both(frame, expr),
            Op::Same | Op::Written | Op::NewArray | Op::TypeOf => return Payload::Expr(expr),
        };
        self.new_expr(op, expr.0, 0)
    }

    /// `x["name"]` is the member `name` where objects are written out with their members.
    fn constant_key(&self, frame: &Frame, op: Op) -> Option<Span> {
        let Some(Payload::Source(key)) = self.value(frame, Slot::Expr).map(|v| v.payload) else { return None };
        let is_name = |text: &[u8]| text.iter().all(|b| is_word_byte(*b)) && !text.iter().all(u8::is_ascii_digit);
        (op == Op::Index && self.language.object_members && is_name(self.text(key))).then_some(key)
    }

    /// Two operands: one of them decides what they make.
    fn both(&mut self, frame: &Frame, left: ExprId) -> Payload {
        let right = match self.value(frame, Slot::Expr).map(|v| v.payload) {
            Some(Payload::Expr(right)) => right,
            Some(Payload::Source(_)) => self.expr(ExprOp::Literal, Literal::String as u32, u32::MAX),
            _ => return Payload::Expr(left),
        };
        self.new_expr(ExprOp::Either, left.0, right.0)
    }

    /// What is counted up or down is written.
    fn step(&mut self, operand: ExprId) -> Payload {
        let Expr { op, a, .. } = self.facts.exprs[operand.index()];
        if op == ExprOp::Ref {
            self.facts.refs[a as usize].kind = RefKind::Write;
        }
        Payload::Expr(operand)
    }

    fn exprs_in(&self, frame: &Frame, slot: Slot) -> Vec<ExprId> {
        let values = self.values_of(frame).iter().filter(|v| v.slot == slot);
        values
            .filter_map(|v| match v.payload {
                Payload::Expr(expr) => Some(expr),
                _ => None,
            })
            .collect()
    }

    fn exprs_of(&self, frame: &Frame) -> Vec<ExprId> {
        let values = self.values_of(frame).iter();
        values
            .filter_map(|v| match v.payload {
                Payload::Expr(expr) => Some(expr),
                _ => None,
            })
            .collect()
    }

    /// Like `exprs_of`, strings included.
    fn items_of(&mut self, frame: &Frame) -> Vec<ExprId> {
        let payloads: Vec<Payload> = self.values_of(frame).iter().map(|v| v.payload).collect();
        let item = |payload| match payload {
            Payload::Expr(expr) => Some(expr),
            Payload::Source(_) => Some(self.expr(ExprOp::Literal, Literal::String as u32, u32::MAX)),
            _ => None,
        };
        payloads.into_iter().filter_map(item).collect()
    }

    pub(crate) fn close_either(&mut self, frame: &Frame, op: ExprOp) -> Payload {
        let either = |v: &&Value| matches!(v.slot, Slot::Object | Slot::Otherwise);
        let parts: Vec<Payload> = self.values_of(frame).iter().filter(either).map(|v| v.payload).collect();
        let mut parts = parts.into_iter().filter_map(|payload| match payload {
            Payload::Expr(expr) => Some(expr),
            _ => None,
        });
        let Some(mut expr) = parts.next() else { return Payload::Nothing };
        for part in parts {
            expr = self.expr(op, expr.0, part.0);
        }
        Payload::Expr(expr)
    }

    /// A list made of cells, last item first.
    fn cons(&mut self, items: &[ExprId]) -> ExprId {
        let mut list = ExprId::NONE;
        for item in items.iter().rev() {
            list = self.expr(ExprOp::Cons, item.0, list.0);
        }
        list
    }

    pub(crate) fn close_sequence(&mut self, frame: &Frame) -> Payload {
        if frame.slot == Slot::Args {
            return self.close_args(frame);
        }
        if matches!(frame.ctx, Ctx::Bind | Ctx::Write) {
            let case = self.value(frame, Slot::Expr).filter(|v| v.span.start == frame.span.start);
            let case = match case.map(|v| v.payload) {
                Some(Payload::Expr(case)) => Some(case),
                _ => None,
            };
            let start = frame.values as usize + usize::from(case.is_some());
            let from = case.map_or(frame.span.start, |_| self.values[start - 1].span.end);
            for i in start..self.values.len() {
                let place = place_in_list(&self.source[from as usize..self.values[i].span.start as usize]);
                self.add_step(i, Step::Item(place));
                if let Some(case) = case {
                    self.add_step(i, Step::Case(case));
                }
            }
            return self.all_bounds(frame);
        }
        let items = self.items_of(frame);
        if items.len() as u32 != frame.children || items.is_empty() {
            return Payload::Nothing;
        }
        if items.len() == 1 {
            return Payload::Expr(items[0]);
        }
        let list = self.cons(&items);
        self.new_expr(ExprOp::Tuple, list.0, 0)
    }

    /// `Type { a, b: c }` as a pattern.
    pub(crate) fn close_typed_pattern(&mut self, frame: &Frame) -> Payload {
        let case = self.expr_in(frame, Slot::Type);
        if case.is_some() {
            for i in frame.values as usize..self.values.len() {
                self.add_step(i, Step::Case(case));
            }
        }
        self.all_bounds(frame)
    }

    /// The types of fields that have numbers for names, as those of a tuple.
    pub(crate) fn close_fields(&mut self, frame: &Frame) -> Payload {
        let payloads: Vec<Payload> =
            self.values_of(frame).iter().filter(|v| v.slot == Slot::Type).map(|v| v.payload).collect();
        let mut items = Vec::with_capacity(payloads.len());
        for payload in payloads {
            items.push(match payload {
                Payload::Expr(item) => item,
                _ => self.expr(ExprOp::Literal, Literal::Other as u32, u32::MAX),
            });
        }
        if items.is_empty() {
            return Payload::Nothing;
        }
        let list = self.cons(&items);
        let tuple = self.expr(ExprOp::Tuple, list.0, 0);
        let owner = self.frames.iter().rev().nth(1).filter(|f| f.act == Act::Def(SymbolKind::Struct)).map(|f| f.symbol);
        if let Some(symbol) = owner.filter(|symbol| symbol.is_some()) {
            self.facts.notes.push(Note { symbol, tie: Tie::Type, expr: tuple });
        }
        Payload::Expr(tuple)
    }

    /// One part alone stands for itself, several are a sequence.
    pub(crate) fn close_row(&mut self, frame: &Frame) -> Payload {
        match (frame.children, frame.ctx) {
            (1, Ctx::Bind | Ctx::Write) => self.all_bounds(frame),
            (1, _) if frame.slot != Slot::Args => self.last_expr(frame),
            _ => self.close_sequence(frame),
        }
    }

    /// Passes every bound name up through a pattern node.
    fn all_bounds(&mut self, frame: &Frame) -> Payload {
        let bounds = self.bounds_of(frame);
        self.hand_on(frame, &bounds)
    }

    /// Destructuring by name: `{ a, b: c }`.
    pub(crate) fn close_keyed(&mut self, frame: &Frame) -> Payload {
        if frame.children == 0 {
            return self.keyed_name(frame);
        }
        let key = match self.value(frame, Slot::Property).map(|v| v.payload) {
            Some(Payload::Text(span)) => Some((self.words.intern(&self.source[span.range()]), span)),
            _ => None,
        };
        self.pattern_member(frame);
        for i in frame.values as usize..self.values.len() {
            if let Payload::Bound(bound) = self.values[i].payload {
                let own = self.bounds[bound as usize];
                let (name, span) = key.unwrap_or((own.name, own.span));
                self.add_step(i, Step::Key(name, span));
            }
        }
        self.all_bounds(frame)
    }

    /// The member that a part of a pattern looks at, if the pattern says the type.
    fn pattern_member(&mut self, frame: &Frame) {
        let span = match self.value(frame, Slot::Property).map(|v| v.payload) {
            Some(Payload::Text(span)) => span,
            // A name that is both the member and what is bound.
            _ => match self.value(frame, Slot::Bind).map(|v| v.payload) {
                Some(Payload::Bound(bound)) => self.bounds[bound as usize].span,
                _ => return,
            },
        };
        let around = self.frames[..self.frames.len() - 1].iter().rev().take(2);
        let ty = around.map(|f| self.expr_in(f, Slot::Type)).find(|e| e.is_some());
        if let Some(ty) = ty {
            let receiver = self.expr(ExprOp::Case, u32::MAX, ty.0);
            let name = self.words.intern(&self.source[span.range()]);
            self.reference(name, span, RefKind::Attribute, receiver);
        }
    }

    /// A name that is both the key and what is bound.
    fn keyed_name(&mut self, frame: &Frame) -> Payload {
        let name = self.words.intern(&self.source[frame.span.range()]);
        let payload = self.named(frame.ctx, name, frame.span);
        if let Payload::Bound(bound) = payload {
            self.steps.push((Step::Key(name, frame.span), NO_STEPS));
            self.bounds[bound as usize].steps = self.steps.len() as u32 - 1;
        }
        payload
    }

    pub(crate) fn close_apply(&mut self, frame: &Frame) -> Payload {
        self.close_generic(frame, Slot::TypeArgs)
    }

    /// A generic type with the arguments in `slot`.
    fn close_generic(&mut self, frame: &Frame, slot: Slot) -> Payload {
        self.join_parts(frame);
        let object = self.exprs_in(frame, Slot::Object).last().copied().unwrap_or(ExprId::NONE);
        let base = match (object, self.applied_member(frame)) {
            (base, _) if base.is_some() => base,
            (_, Some(base)) => base,
            _ => return self.close_path_or_nothing(frame),
        };
        let args: Vec<Value> = self.values_of(frame).iter().filter(|v| v.slot == slot).copied().collect();
        // Every argument keeps its place, built-in types too.
        let arg = |value: &Value| match value.payload {
            Payload::Expr(expr) => expr,
            _ => self.expr(ExprOp::Literal, Literal::Other as u32, u32::MAX),
        };
        let args: Vec<ExprId> = args.iter().map(arg).collect();
        let list = self.cons(&args);
        let payload = match args.is_empty() {
            true => Payload::Expr(base),
            false => self.new_expr(ExprOp::Apply, base.0, list.0),
        };
        self.maybe_base(frame.ctx, frame.span, payload);
        payload
    }

    /// A path whose parts stand side by side: each is a member of the one before.
    fn join_parts(&mut self, frame: &Frame) {
        for pair in self.exprs_in(frame, Slot::Object).windows(2) {
            let [before, after] = [pair[0], pair[1]].map(|part| self.facts.exprs[part.index()]);
            if before.op == ExprOp::Ref && after.op == ExprOp::Ref {
                self.facts.refs[before.a as usize].kind = RefKind::TypeRef;
                self.facts.refs[after.a as usize].receiver = pair[0];
            }
        }
    }

    /// `b<T>` at the end of `a::b<T>`: the member itself, so that its arguments stay with it.
    fn applied_member(&mut self, frame: &Frame) -> Option<ExprId> {
        let is_end = frame.slot == Slot::Property && frame.receiver.is_some();
        let Some(Value { payload: Payload::Text(span), .. }) = self.value(frame, Slot::Object).filter(|_| is_end)
        else {
            return None;
        };
        match self.member_reference(frame, span, frame.receiver) {
            Payload::Expr(expr) => Some(expr),
            _ => None,
        }
    }

    fn close_path_or_nothing(&mut self, frame: &Frame) -> Payload {
        self.values_of(frame).iter().map(|v| v.payload).find(|p| *p != Payload::Nothing).unwrap_or(Payload::Nothing)
    }

    pub(crate) fn close_typed(&mut self, frame: &Frame) -> Payload {
        let ty = self.value(frame, Slot::Type).or_else(|| self.value(frame, Slot::TypeArgs));
        match ty.map_or(ExprId::NONE, |v| if let Payload::Expr(expr) = v.payload { expr } else { ExprId::NONE }) {
            ty if ty.is_some() => self.new_expr(ExprOp::Typed, ty.0, 0),
            _ => self.last_expr(frame),
        }
    }

    pub(crate) fn last_expr(&self, frame: &Frame) -> Payload {
        let values = self.values_of(frame).iter().rev().map(|v| v.payload);
        values.into_iter().find(|p| matches!(p, Payload::Expr(_))).unwrap_or(Payload::Nothing)
    }

    /// A comprehension is a list of its first part.
    pub(crate) fn close_comprehension(&mut self, frame: &Frame) -> Payload {
        match self.exprs_of(frame).first() {
            Some(item) => self.new_expr(ExprOp::Array, item.0, 0),
            None => Payload::Nothing,
        }
    }

    /// Whether a node says what a property without a value of its own gives.
    fn is_accessor(&self) -> bool {
        let mut around = self.frames.iter().rev().skip(1).map(|f| f.act);
        around.next() == Some(Act::Scope(ScopeKind::Function)) && matches!(around.next(), Some(Act::Bind { .. }))
    }

    pub(crate) fn close_return(&mut self, frame: &Frame, tie: Tie) -> Payload {
        let expr = self.expr_in(frame, Slot::Value);
        if self.is_accessor() {
            return if expr.is_some() { Payload::Expr(expr) } else { Payload::Nothing };
        }
        let symbol = self.callables.last().map(|c| c.symbol).filter(|s| s.is_some());
        if let (Some(symbol), true) = (symbol, expr.is_some()) {
            self.facts.notes.push(Note { symbol, tie, expr });
        } else if let (Some(callable), true) = (self.callables.last_mut(), expr.is_some() && symbol.is_none()) {
            let before = std::mem::replace(&mut callable.returned, expr);
            if before.is_some() {
                let either = self.expr(ExprOp::Either, before.0, expr.0);
                self.callables.last_mut().expect("it is the same one").returned = either;
            }
        }
        Payload::Nothing
    }

    // Flat macro tokens.

    /// What stands before a name in a token list, if it is followed by a dot or `::`.
    fn token_receiver(&self, frame: &Frame) -> ExprId {
        if frame.level != DOT {
            return ExprId::NONE;
        }
        match self.values_of(frame).last() {
            Some(Value { payload: Payload::Expr(expr), .. }) => *expr,
            _ => ExprId::NONE,
        }
    }

    pub(crate) fn token(&mut self, span: Span) {
        let text = self.text(span);
        let last = self.frames.last_mut().expect("tokens stand in an open node");
        last.level = match text {
            b"." | b"::" | b"->" => DOT,
            b"!" => BANG,
            _ => 0,
        };
        if !matches!(text, b"." | b"::" | b"->" | b"!" | b"(" | b"[" | b"{") {
            let start = last.values as usize;
            self.values.truncate(start);
        }
        if text == b"!"
            && let Some(Value { payload: Payload::Expr(expr), .. }) = self.values.last().copied()
            && self.facts.exprs[expr.index()].op == ExprOp::Ref
        {
            let reference = self.facts.exprs[expr.index()].a as usize;
            self.facts.refs[reference].kind = RefKind::Macro;
        }
    }

    /// A token list in parentheses right after a name is a call of it.
    pub(crate) fn close_tokens(&mut self, frame: &Frame) -> Payload {
        let depth = self.frames.len() - 1;
        let Some(parent) = self.frames[..depth].last() else { return Payload::Nothing };
        if parent.act != Act::Tokens || self.source[frame.span.start as usize] != b'(' || parent.level == BANG {
            return Payload::Nothing;
        }
        let before = self.values[parent.values as usize..frame.values as usize].last().copied();
        let Some(Value { payload: Payload::Expr(callee), span, .. }) = before else { return Payload::Nothing };
        if span.end != frame.span.start || self.facts.exprs[callee.index()].op != ExprOp::Ref {
            return Payload::Nothing;
        }
        let reference = self.facts.exprs[callee.index()].a as usize;
        self.facts.refs[reference].kind = RefKind::Call;
        self.new_expr(ExprOp::Call, callee.0, 0)
    }
}

const DOT: u8 = 1;
const BANG: u8 = 2;

/// How many items of a list stand before the end of a text that starts with the list; parts may be left out.
fn place_in_list(text: &[u8]) -> u32 {
    let deeper = |byte: &u8| match byte {
        b'(' | b'[' | b'{' => 1,
        b')' | b']' | b'}' => -1,
        _ => 0,
    };
    let own: i32 = text.iter().map(deeper).sum();
    let (mut depth, mut place) = (0, 0);
    for byte in text {
        depth += deeper(byte);
        place += u32::from(*byte == b',' && depth == own);
    }
    place
}
