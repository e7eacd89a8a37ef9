//! Names that are bound rather than defined: variables, fields, parameters, loop and pattern names, assignments.

use codegraph_languages::table::{Act, Slot};
use codegraph_model::*;

use crate::frame::*;
use crate::walk::{NO_STEPS, Walk};

impl<'s> Walk<'s> {
    /// A name in a pattern.
    pub(crate) fn new_bound(&mut self, name: StrId, span: Span) -> Payload {
        self.bounds.push(Bound {
            name,
            span,
            steps: NO_STEPS,
            init: ExprId::NONE,
            ty: ExprId::NONE,
            type_span: Span::default(),
            flags: Flags(0),
            qualifier: Span::default(),
            declarator: Span::default(),
            from: 0,
            symbol: SymbolId::NONE,
            doc: Span::default(),
            function: ScopeId::NONE,
            indirect: false,
            kind: None,
        });
        Payload::Bound(self.bounds.len() as u32 - 1)
    }

    pub(crate) fn bounds_of(&self, frame: &Frame) -> Vec<u32> {
        self.values_of(frame)
            .iter()
            .filter_map(|v| match v.payload {
                Payload::Bound(bound) => Some(bound),
                _ => None,
            })
            .collect()
    }

    /// The expression in a slot of a declaration: value, or an item of what is iterated over.
    pub(crate) fn initialiser(&mut self, frame: &Frame) -> ExprId {
        let iterated = self.expr_in(frame, Slot::Iterable);
        if iterated.is_some() {
            return self.expr(ExprOp::Iterate, iterated.0, 0);
        }
        let outer = self.expr_in(frame, Slot::OuterValue);
        let value = if outer.is_some() { outer } else { self.expr_in(frame, Slot::Value) };
        let is_text =
            |walk: &Self| matches!(walk.value(frame, Slot::Value).map(|v| v.payload), Some(Payload::Source(_)));
        // What a text is decides between functions, too.
        if value.is_none() && self.language.linking.overloads && is_text(self) {
            return self.expr(ExprOp::Literal, Literal::String as u32, u32::MAX);
        }
        value
    }

    /// The end of what a declaration evaluates before its names can be used.
    fn evaluated(&self, frame: &Frame) -> u32 {
        let values = self.values_of(frame).iter();
        let before = values.filter(|v| matches!(v.slot, Slot::Value | Slot::Iterable));
        before.map(|v| v.span.end).max().unwrap_or(0)
    }

    /// The value that the patterns of a match are compared with.
    fn subject(&self) -> ExprId {
        let depth = self.frames.len() - 1;
        let near = self.frames[..depth].iter().rev().take(4);
        near.map(|f| self.expr_in(f, Slot::Subject)).find(|e| e.is_some()).unwrap_or(ExprId::NONE)
    }

    /// Applies destructuring steps to an initialiser.
    fn destructure(&mut self, mut expr: ExprId, mut steps: u32) -> ExprId {
        // A pattern that names a type refers to its members by itself.
        let mut names_type = false;
        while steps != NO_STEPS && expr.is_some() {
            let (step, rest) = self.steps[steps as usize];
            let named = std::mem::replace(&mut names_type, matches!(step, Step::Case(_)));
            expr = match step {
                Step::Item(i) => self.item(expr, i),
                Step::Key(key, span) => {
                    if !named {
                        self.refer_to_part(key, span, expr);
                    }
                    self.expr(ExprOp::Key, expr.0, key.0)
                }
                Step::Case(case) => self.expr(ExprOp::Case, expr.0, case.0),
            };
            steps = rest;
        }
        expr
    }

    /// Taking a member out of a value refers to that member.
    fn refer_to_part(&mut self, name: StrId, span: Span, value: ExprId) {
        let is_new = |walk: &mut Self| walk.parts.insert(span.start);
        if self.language.values_have_context && is_new(self) {
            self.reference(name, span, RefKind::Attribute, value);
        }
    }

    /// Item `i` of an expression; taken apart at once where the expression is a list of items.
    fn item(&mut self, expr: ExprId, i: u32) -> ExprId {
        let node = self.facts.exprs[expr.index()];
        if self.language.second_tells_success && matches!(node.op, ExprOp::Index | ExprOp::Typed) {
            return if i == 0 { expr } else { ExprId::NONE };
        }
        if node.op == ExprOp::Tuple {
            let mut cell = ExprId(node.a);
            for _ in 0..i {
                if cell.is_none() {
                    return ExprId::NONE;
                }
                cell = ExprId(self.facts.exprs[cell.index()].b);
            }
            return if cell.is_some() { ExprId(self.facts.exprs[cell.index()].a) } else { ExprId::NONE };
        }
        self.expr(ExprOp::Item, expr.0, i)
    }

    /// Adds a step in front of every name bound directly inside a node.
    pub(crate) fn add_step(&mut self, value: usize, step: Step) {
        if let Payload::Bound(bound) = self.values[value].payload {
            let rest = self.bounds[bound as usize].steps;
            self.steps.push((step, rest));
            self.bounds[bound as usize].steps = self.steps.len() as u32 - 1;
        }
    }

    pub(crate) fn close_bind(&mut self, frame: &Frame, module: SymbolKind, member: SymbolKind) -> Payload {
        let init = self.initialiser(frame);
        let ty = self.expr_in(frame, Slot::Type);
        let mut frame = *frame;
        for wrapper in self.frames[..self.frames.len() - 1].iter().rev().take_while(|f| f.act == Act::Wrapper) {
            frame.flags.insert(wrapper.flags);
            frame.kind = frame.kind.or(wrapper.kind);
            if wrapper.visibility != Visibility::Unknown {
                frame.visibility = wrapper.visibility;
            }
        }
        let place = self.declaring_kind();
        self.share_out(&frame, init);
        let from = self.evaluated(&frame);
        let kind = frame.kind.unwrap_or(if place == ScopeKind::Type { member } else { module });
        let bounds = self.bounds_of(&frame);
        self.name_anonymous_type(&frame, &bounds, kind, ty);
        let scope = if self.table.rule(frame.rule).hoists { self.hoist_scope() } else { self.scope };
        let alone = bounds.len() == 1 && frame.slot != Slot::Body;
        for bound in bounds {
            let type_span = self.type_around(&frame, Slot::Type, bound);
            if place == ScopeKind::Type {
                self.strip_sigil(bound);
            }
            let entry = &mut self.bounds[bound as usize];
            entry.from = entry.from.max(from);
            if entry.ty.is_none() {
                entry.ty = ty;
            }
            if entry.type_span.is_empty() {
                entry.type_span = type_span;
            }
            if alone {
                entry.declarator = Span::default();
            }
            let entry = *entry;
            let function = entry.function.is_some() && !self.constructs(&frame, bound);
            match place {
                _ if entry.symbol.is_some() => self.complete_adopted(&frame, bound),
                ScopeKind::Function | ScopeKind::Block if !function && !self.is_definite(kind) => {
                    if !self.type_parameter_of_old_style(bound) {
                        self.bind(scope, bound, BindingKind::Local, ExprId::NONE, init);
                    }
                }
                _ => self.declare_variable(&frame, bound, kind, init),
            }
        }
        Payload::Nothing
    }

    /// Several names with one initialiser take an item each.
    fn share_out(&mut self, frame: &Frame, init: ExprId) {
        let bounds = self.bounds_of(frame);
        let plain = |b: &u32| self.bounds[*b as usize].steps == NO_STEPS && self.bounds[*b as usize].init.is_none();
        if init.is_none() || bounds.len() < 2 || !bounds.iter().all(plain) {
            return;
        }
        for (i, bound) in bounds.iter().enumerate() {
            self.steps.push((Step::Item(i as u32), NO_STEPS));
            self.bounds[*bound as usize].steps = self.steps.len() as u32 - 1;
        }
    }

    /// Kinds that are symbols even inside a function.
    fn is_definite(&self, kind: SymbolKind) -> bool {
        !matches!(kind, SymbolKind::Variable | SymbolKind::Constant | SymbolKind::Field | SymbolKind::Static)
    }

    /// A local name with its type and initialiser.
    pub(crate) fn bind(&mut self, scope: ScopeId, bound: u32, kind: BindingKind, ty: ExprId, init: ExprId) {
        let entry = self.bounds[bound as usize];
        let mut init = if entry.init.is_some() { entry.init } else { init };
        let mut ty = if entry.ty.is_some() { entry.ty } else { ty };
        if kind == BindingKind::Local && ty.is_none() && self.language.object_members {
            ty = self.documented(entry.name, entry.span, entry.span);
        }
        if kind == BindingKind::Param && init.is_none() && ty.is_none() {
            let place = self.callables.last().map_or(0, |c| c.params.len().saturating_sub(1));
            init = self.expected_parameter(place);
        }
        let init = self.destructure(init, entry.steps);
        self.declared.insert((scope, entry.name));
        if kind == BindingKind::Local && init.is_none() && ty.is_none() && self.language.object_members {
            self.open_names.insert((scope, entry.name));
        }
        let from = entry.from.max(entry.span.end);
        self.facts.bindings.push(Binding { kind, name: entry.name, span: entry.span, scope, from, ty, init });
    }

    /// A variable or field that is a symbol.
    pub(crate) fn declare_variable(&mut self, frame: &Frame, bound: u32, kind: SymbolKind, init: ExprId) {
        let entry = self.bounds[bound as usize];
        let frame = &self.with_type_flags(frame, &entry);
        let is_function = entry.function.is_some() && kind != SymbolKind::TypeAlias;
        let kind = match is_function {
            false => self.variable_kind(frame, &entry, kind),
            true => entry.kind.unwrap_or_else(|| self.prototype_kind(kind)),
        };
        let span = if entry.declarator.is_empty() || is_function { frame.span } else { entry.declarator };
        let symbol = self.new_symbol(kind, span);
        if self.table.rule(frame.rule).hoists {
            self.facts.symbols[symbol.index()].scope = self.hoist_scope();
        }
        if is_function {
            self.adopt_declarator(symbol, entry.function);
        } else if frame.flags.has(Flags::EXTERN) && entry.init.is_none() && init.is_none() {
            self.facts.symbols[symbol.index()].flags.insert(Flags::DECLARATION);
        }
        let attributes = self.take_attributes(frame.span);
        self.facts.symbols[symbol.index()].decorators = attributes;
        let init = if entry.init.is_some() { entry.init } else { init };
        let mut init = self.destructure(init, entry.steps);
        // `void f() = 0;`
        if is_function && init.is_some() {
            self.facts.symbols[symbol.index()].flags.insert(Flags::ABSTRACT);
            init = ExprId::NONE;
        }
        self.finish_variable(frame, bound, symbol, init);
        self.belongs_to(frame, symbol);
    }

    /// A property of values of a type that is written elsewhere.
    fn belongs_to(&mut self, frame: &Frame, symbol: SymbolId) {
        let Some(value) = self.value(frame, Slot::SelfType) else { return };
        let Payload::Expr(expr) = value.payload else { return };
        if let Some(name) = self.self_type_name(&value) {
            self.facts.symbols[symbol.index()].qualifier = name;
        }
        self.facts.notes.push(Note { symbol, tie: Tie::SelfType, expr });
        // What reads and writes it has the value as its receiver.
        let (outer, span) = (self.scope, frame.span);
        let own = |s: &&mut Scope| s.parent == outer && s.kind == ScopeKind::Function && span.contains(s.span.start);
        self.facts.scopes.iter_mut().rev().filter(own).for_each(|scope| scope.owner = symbol);
    }

    fn variable_kind(&self, frame: &Frame, entry: &Bound, kind: SymbolKind) -> SymbolKind {
        let constant = frame.flags.has(Flags::CONST) || frame.flags.has(Flags::STATIC.with(Flags::FINAL));
        match kind {
            SymbolKind::Variable | SymbolKind::Field if constant => SymbolKind::Constant,
            SymbolKind::Variable if !entry.qualifier.is_empty() => SymbolKind::Field,
            kind => kind,
        }
    }

    fn prototype_kind(&self, kind: SymbolKind) -> SymbolKind {
        let member = self.declaring_kind() == ScopeKind::Type;
        if member && kind != SymbolKind::Function { SymbolKind::Method } else { SymbolKind::Function }
    }

    /// Flags of the type are flags of a plain variable of that type; a constant member is one that cannot be assigned to.
    fn with_type_flags(&self, frame: &Frame, entry: &Bound) -> Frame {
        let mut frame = *frame;
        if entry.function.is_some() || entry.indirect {
            return frame;
        }
        let mut flags = frame.type_flags;
        let member = self.declaring_kind() == ScopeKind::Type;
        if member && flags.has(Flags::CONST) && !frame.flags.has(Flags::STATIC) {
            flags = Flags::READONLY;
        }
        frame.flags.insert(flags);
        frame
    }

    fn adopt_declarator(&mut self, symbol: SymbolId, scope: ScopeId) {
        let entry = &mut self.facts.symbols[symbol.index()];
        entry.flags.insert(Flags::DECLARATION);
        entry.inner = scope;
        self.facts.scopes[scope.index()].owner = symbol;
        let position = self.declarator_params.iter().rposition(|(own, _)| *own == scope);
        if let Some(position) = position {
            self.facts.symbols[symbol.index()].params = self.declarator_params.swap_remove(position).1;
        }
    }

    fn finish_variable(&mut self, frame: &Frame, bound: u32, symbol: SymbolId, init: ExprId) {
        let entry = self.bounds[bound as usize];
        let qualifier = self.qualifier(entry.qualifier);
        let target = &mut self.facts.symbols[symbol.index()];
        target.name = entry.name;
        target.name_span = entry.span;
        target.qualifier = qualifier;
        target.flags.insert(frame.flags.with(entry.flags));
        target.type_span = entry.type_span;
        let doc = if entry.doc.is_empty() { frame.doc } else { entry.doc };
        if !doc.is_empty() {
            target.doc = doc;
        }
        for (tie, expr) in [(Tie::Type, entry.ty), (Tie::Init, init)] {
            if expr.is_some() {
                self.facts.notes.push(Note { symbol, tie, expr });
            }
        }
        self.document_variable(symbol, doc);
        if self.language.object_members && !self.has_type(symbol) {
            let ty = self.documented(entry.name, entry.span, entry.span);
            self.note_type(symbol, ty);
        }
        let decorators = self.values_of(frame).iter().filter(|v| v.slot == Slot::Decorator).map(|v| v.span);
        let decorators: Vec<Span> = decorators.collect();
        self.facts.symbols[symbol.index()].decorators.extend(decorators);
        self.settle(symbol, frame.visibility);
    }

    /// A symbol that a function or object value made before its declaration was complete.
    fn complete_adopted(&mut self, frame: &Frame, bound: u32) {
        let symbol = self.bounds[bound as usize].symbol;
        let kind = self.facts.symbols[symbol.index()].kind;
        if kind == SymbolKind::Variable && frame.flags.has(Flags::CONST) {
            self.facts.symbols[symbol.index()].kind = SymbolKind::Constant;
        }
        let entry = self.bounds[bound as usize];
        // A type that a typedef names was settled when it was read.
        if kind.is_type() && self.facts.symbols[symbol.index()].visibility != Visibility::Unknown {
            return self.finish_named_type(frame, symbol);
        }
        let mut frame = *frame;
        if kind.is_callable() || kind.is_type() {
            frame.flags.0 &= !Flags::CONST.0;
        }
        if entry.declarator.is_empty() {
            self.facts.symbols[symbol.index()].span = frame.span;
        }
        let params_type = self.facts.symbols[symbol.index()].type_span;
        self.finish_variable(&frame, bound, symbol, entry.init);
        if entry.type_span.is_empty() || !params_type.is_empty() && kind.is_callable() {
            self.facts.symbols[symbol.index()].type_span = params_type;
        }
    }

    /// A type that took the name of its typedef.
    fn finish_named_type(&mut self, frame: &Frame, symbol: SymbolId) {
        let target = &mut self.facts.symbols[symbol.index()];
        target.flags.insert(frame.flags);
        target.doc = if frame.doc.is_empty() { target.doc } else { frame.doc };
    }

    /// One declarator: its type and initialiser stay with its names.
    pub(crate) fn close_initialized(&mut self, frame: &Frame) -> Payload {
        let init = self.initialiser(frame);
        let from = self.evaluated(frame);
        let type_span = self.extent(frame, Slot::Type);
        let ty = self.expr_in(frame, Slot::Type);
        let bounds = self.bounds_of(frame);
        for bound in &bounds {
            let steps = self.bounds[*bound as usize].steps;
            let source = if steps == NO_STEPS { init } else { self.typed_whole(ty, init) };
            let init = self.destructure(source, steps);
            let whole = steps == NO_STEPS;
            let entry = &mut self.bounds[*bound as usize];
            // Without an initialiser here, one further out is taken apart.
            entry.steps = if init.is_some() { NO_STEPS } else { steps };
            entry.from = entry.from.max(from);
            entry.declarator = frame.span;
            if entry.init.is_none() {
                entry.init = init;
            }
            if whole && !type_span.is_empty() {
                entry.type_span = type_span;
            }
            if whole && ty.is_some() {
                entry.ty = ty;
            }
        }
        self.hand_on(frame, &bounds)
    }

    /// What a pattern takes apart: a value of the declared type, if there is one.
    fn typed_whole(&mut self, ty: ExprId, init: ExprId) -> ExprId {
        if ty.is_some() { self.expr(ExprOp::Typed, ty.0, 0) } else { init }
    }

    /// Passes bound names up: the last one as this node's own value, the others before it.
    pub(crate) fn hand_on(&mut self, frame: &Frame, bounds: &[u32]) -> Payload {
        let Some((last, rest)) = bounds.split_last() else { return Payload::Nothing };
        let start = frame.values as usize;
        self.values.truncate(start);
        for bound in rest {
            self.values.push(Value { slot: frame.slot, payload: Payload::Bound(*bound), span: frame.span });
        }
        self.kept = rest.len();
        Payload::Bound(*last)
    }

    pub(crate) fn close_local(&mut self, frame: &Frame, kind: BindingKind) -> Payload {
        let mut init = self.initialiser(frame);
        if init.is_none() && kind == BindingKind::Local && self.value(frame, Slot::Type).is_none() {
            init = self.subject();
        }
        if init.is_none() && kind == BindingKind::Local {
            init = self.expected_by_reference(frame);
        }
        let ty = self.expr_in(frame, Slot::Type);
        let pairs = self.language.iterates_pairs && self.value(frame, Slot::Iterable).is_some();
        let from = self.evaluated(frame);
        let given = self.given_to_block(frame, kind);
        for (place, bound) in self.bounds_of(frame).into_iter().enumerate() {
            self.bounds[bound as usize].from = from;
            let init = match pairs {
                true => self.item_of_pair(bound, init),
                false if given.is_some() => self.expr(ExprOp::Takes, given.0, place as u32),
                false => init,
            };
            let entry = self.bounds[bound as usize];
            match entry.symbol.is_some() {
                true => self.settle(entry.symbol, Visibility::Unknown),
                false if frame.flags.has(Flags::REASSIGNED) && self.is_declared_here(entry.name) => {
                    self.reference(entry.name, entry.span, RefKind::Write, ExprId::NONE);
                    self.bind(self.scope, bound, BindingKind::Again, ty, init);
                }
                false => {
                    // `nonlocal x` names a variable that is declared elsewhere.
                    if matches!(kind, BindingKind::Global | BindingKind::Nonlocal) {
                        self.reference(entry.name, entry.span, RefKind::Read, ExprId::NONE);
                    }
                    let scope = if self.table.rule(frame.rule).hoists { self.block_scope() } else { self.scope };
                    self.bind(scope, bound, kind, ty, init);
                }
            }
        }
        if frame.slot == Slot::Subject && !self.language.checks.not.is_empty() {
            return match self.bounds_of(frame)[..] {
                [bound] => self.hand_on(frame, &[bound]),
                _ => self.last_expr(frame),
            };
        }
        let value = self.expr_in(frame, Slot::Object);
        if value.is_some() { Payload::Expr(value) } else { Payload::Nothing }
    }

    /// The nearest block, outside of types that are written out.
    fn block_scope(&self) -> ScopeId {
        let mut scope = self.scope;
        loop {
            let entry = &self.facts.scopes[scope.index()];
            if entry.kind == ScopeKind::Block || entry.parent.is_none() {
                return scope;
            }
            scope = entry.parent;
        }
    }

    /// Of two loop names, the first is a key and the second the item.
    fn item_of_pair(&mut self, bound: u32, item: ExprId) -> ExprId {
        let steps = self.bounds[bound as usize].steps;
        if steps == NO_STEPS {
            return item;
        }
        let (step, rest) = self.steps[steps as usize];
        self.bounds[bound as usize].steps = rest;
        if matches!(step, Step::Item(0)) { ExprId::NONE } else { item }
    }

    /// The parameters of a function belong to the block that is its body.
    fn is_declared_here(&self, name: StrId) -> bool {
        let around = self.facts.scopes[self.scope.index()].parent;
        let of_function = around.is_some() && self.facts.scopes[around.index()].kind == ScopeKind::Function;
        self.declared.contains(&(self.scope, name)) || of_function && self.declared.contains(&(around, name))
    }

    /// In one case of a type switch, the names of the switch have the type of the case.
    pub(crate) fn close_type_case(&mut self, frame: &Frame) -> Payload {
        let mut types = self.values_of(frame).iter().filter(|v| v.slot == Slot::Type);
        let (Some(Value { payload: Payload::Expr(ty), .. }), None) = (types.next().copied(), types.next()) else {
            return Payload::Nothing;
        };
        let around = self.frames[..self.frames.len() - 1].iter().rev().find(|f| matches!(f.act, Act::Local(_)));
        let Some(switch) = around.copied() else { return Payload::Nothing };
        let names = self.values[switch.values as usize..frame.values as usize].iter();
        let names: Vec<Payload> = names.map(|v| v.payload).collect();
        for name in names {
            if let Payload::Bound(bound) = name {
                self.bind(self.scope, bound, BindingKind::Local, ty, ExprId::NONE);
            }
        }
        Payload::Nothing
    }

    /// A field, or an embedded type: a base that is a field too.
    pub(crate) fn close_field_or_base(&mut self, frame: &Frame) -> Payload {
        if self.value(frame, Slot::Bind).is_some() {
            return self.close_bind(frame, SymbolKind::Field, SymbolKind::Field);
        }
        let Some(Value { payload: Payload::Expr(expr), span, .. }) = self.value(frame, Slot::Type) else {
            return Payload::Nothing;
        };
        let mut named = self.facts.exprs[expr.index()];
        while matches!(named.op, ExprOp::Apply | ExprOp::Pointer) {
            named = self.facts.exprs[named.a as usize];
        }
        if named.op != ExprOp::Ref {
            return Payload::Nothing;
        }
        self.facts.refs[named.a as usize].kind = RefKind::Inherit;
        self.add_base(span, expr, Tie::Base);
        let reference = self.facts.refs[named.a as usize];
        let Payload::Bound(bound) = self.new_bound(reference.name, reference.span) else { return Payload::Nothing };
        self.bounds[bound as usize].ty = expr;
        self.bounds[bound as usize].type_span = span;
        self.declare_variable(frame, bound, SymbolKind::Field, ExprId::NONE);
        Payload::Nothing
    }

    /// In a pattern, the names of a parameter list go on to the node around it.
    pub(crate) fn close_params(&mut self, frame: &Frame) -> Payload {
        if frame.slot == Slot::Returns {
            return self.close_row(frame);
        }
        if frame.slot == Slot::Bind {
            let bounds = self.bounds_of(frame);
            return self.hand_on(frame, &bounds);
        }
        self.bind_unnamed(frame);
        self.flush_params();
        Payload::Nothing
    }

    /// The types of what a function type takes without names.
    fn bind_unnamed(&mut self, frame: &Frame) {
        let in_type = self.frames.iter().rev().nth(1).is_some_and(|f| f.act == Act::FunctionType);
        if !in_type || !self.language.unnamed_parameters {
            return;
        }
        let types = self.values_of(frame).iter().filter(|v| !matches!(v.payload, Payload::Bound(_)));
        let types: Vec<(u32, Payload)> = types.map(|v| (v.span.start, v.payload)).collect();
        for (start, payload) in types {
            let ty = match payload {
                Payload::Expr(ty) => ty,
                _ => self.expr(ExprOp::Literal, Literal::Other as u32, u32::MAX),
            };
            let name = self.words.intern_made("_".to_owned());
            // Beside a receiver, what has a name is a parameter.
            let has_receiver = !self.language.lambda_receiver.is_empty();
            let kind = if has_receiver { BindingKind::Label } else { BindingKind::Param };
            self.bind_unwritten(kind, name, start, ty);
        }
    }

    /// Names bound directly in the open parameter list are parameters, in their order.
    pub(crate) fn flush_params(&mut self) {
        let frame = *self.frames.last().expect("a parameter list is open");
        if frame.slot == Slot::Returns {
            return;
        }
        let bounds = self.bounds_of(&frame);
        if bounds.is_empty() {
            return;
        }
        let ty = self.value(&frame, Slot::Type);
        for (i, bound) in bounds.iter().enumerate() {
            let is_pattern = bounds.len() > 1 || self.bounds[*bound as usize].steps != NO_STEPS;
            if i > 0 {
                self.bind(self.scope, *bound, BindingKind::Param, ExprId::NONE, ExprId::NONE);
                continue;
            }
            if let Some(Value { payload: Payload::Expr(expr), .. }) = ty {
                self.bounds[*bound as usize].ty = expr;
            }
            let type_span = ty.map(|v| v.span).unwrap_or_default();
            self.add_param(*bound, Param { flags: frame.flags, type_span, ..Param::default() });
            if is_pattern && let Some(last) = self.callables.last_mut().and_then(|c| c.params.last_mut()) {
                last.name = frame.child;
            }
        }
        self.values.truncate(frame.values as usize);
    }

    pub(crate) fn add_param(&mut self, bound: u32, mut param: Param) {
        let entry = self.bounds[bound as usize];
        param.flags.insert(entry.flags);
        param.name = entry.span;
        if let Some(callable) = self.callables.last_mut() {
            if callable.params.is_empty() && self.language.first_parameter_is_receiver && callable.symbol.is_some() {
                let symbol = &self.facts.symbols[callable.symbol.index()];
                if symbol.kind == SymbolKind::Method {
                    param.flags.insert(Flags::RECEIVER);
                    callable.receiver = entry.name;
                }
            }
            callable.params.push(param);
        }
        self.bind(self.scope, bound, BindingKind::Param, ExprId::NONE, ExprId::NONE);
    }

    pub(crate) fn close_param(&mut self, frame: &Frame, flags: Flags) -> Payload {
        // A named part of a type is no parameter.
        let around = self.frames[..self.frames.len() - 1].last();
        if frame.ctx == Ctx::Type && around.is_none_or(|f| f.act != Act::Params) {
            return self.value(frame, Slot::Type).map_or(Payload::Nothing, |v| v.payload);
        }
        let default = self.value(frame, Slot::OuterValue).or_else(|| self.value(frame, Slot::Value));
        let ty = self.value(frame, Slot::Type);
        let init = self.initialiser(frame);
        let mut param = Param { flags: flags.with(frame.flags), ..Param::default() };
        // Modifiers may stand before a parameter, in the list.
        let depth = self.frames.len() - 1;
        if let Some(list) = self.frames[..depth].last_mut().filter(|f| f.act == Act::Params) {
            param.flags.insert(std::mem::take(&mut list.flags));
        }
        if let Some(value) = default {
            param.default = value.span;
            param.flags.insert(Flags::HAS_DEFAULT);
        }
        let bounds = self.bounds_of(frame);
        param.type_span = match bounds.first() {
            Some(bound) => self.type_around(frame, Slot::Type, *bound),
            None => self.unnamed_type(frame),
        };
        if self.is_pattern() {
            return self.close_initialized(frame);
        }
        match self.frames[..self.frames.len() - 1].last().map(|f| f.slot) {
            Some(Slot::Returns) => return self.close_result(frame, &bounds),
            Some(Slot::Receiver) => self.receive(&mut param, ty, bounds.first().copied()),
            Some(Slot::Components) => return self.close_component(frame, param, ty, &bounds),
            _ => self.extend_type(&param, ty),
        }
        let pattern = self.value(frame, Slot::Bind).map(|v| v.span);
        let separate = bounds.iter().all(|b| self.bounds[*b as usize].steps == NO_STEPS);
        if bounds.is_empty() {
            // `(void)` is an empty list.
            if self.language.types_around_names && self.text(param.type_span) == b"void" {
                return Payload::Nothing;
            }
            if ty.is_none() && pattern.is_none() && !self.in_parameter_list() {
                return Payload::Nothing;
            }
            let whole = if ty.is_some() { Span::default() } else { frame.span };
            param.name = pattern.filter(|_| !self.language.types_around_names).unwrap_or(whole);
            if let Some(callable) = self.callables.last_mut() {
                callable.params.push(param);
            }
            return Payload::Nothing;
        }
        let ty = self.expr_in(frame, Slot::Type);
        for (i, bound) in bounds.iter().enumerate() {
            let whole = if self.bounds[*bound as usize].steps == NO_STEPS { init } else { self.typed_whole(ty, init) };
            let entry = &mut self.bounds[*bound as usize];
            entry.init = if entry.init.is_some() { entry.init } else { whole };
            if entry.ty.is_none() && entry.steps == NO_STEPS {
                entry.ty = ty;
            }
            if i == 0 || separate {
                self.promote(frame, *bound, &param);
                self.add_param(*bound, param);
            } else {
                self.bind(self.scope, *bound, BindingKind::Param, ExprId::NONE, ExprId::NONE);
            }
        }
        let is_pattern = bounds.len() > 1 || self.bounds[bounds[0] as usize].steps != NO_STEPS;
        if is_pattern
            && !separate
            && let Some(last) = self.callables.last_mut().and_then(|c| c.params.last_mut())
        {
            last.name = frame.child;
        }
        Payload::Nothing
    }

    fn in_parameter_list(&self) -> bool {
        self.frames[..self.frames.len() - 1].last().is_some_and(|f| f.act == Act::Params)
    }

    /// The parameter that is closing declares a type parameter or a local name, not a parameter of a function.
    fn is_pattern(&self) -> bool {
        let parent = self.frames[..self.frames.len() - 1].last();
        parent.is_some_and(|f| match f.act {
            Act::Params => f.slot == Slot::Bind,
            act => act == Act::Local(BindingKind::TypeParam),
        })
    }
}
