//! Values that take the name they are assigned to, where the name is a member, a default export or their own.

use codegraph_languages::table::{Act, Slot};
use codegraph_model::*;

use crate::frame::*;
use crate::walk::Walk;

/// Where names are kept apart that a file exports by assigning to members.
const EXPORTS: ScopeId = ScopeId(u32::MAX - 1);

impl Walk<'_> {
    /// A class or function that is a value.
    pub(crate) fn open_value_definition(&mut self, frame: &mut Frame, kind: SymbolKind) {
        let member = self.declaring_kind() == ScopeKind::Type;
        let kind = if kind == SymbolKind::Function && member { SymbolKind::Method } else { kind };
        let symbol = match self.adopt(kind, frame.slot) {
            symbol if symbol.is_some() => symbol,
            _ => self.new_symbol(kind, frame.span),
        };
        frame.receiver = self.expected();
        self.begin_definition(frame, symbol, kind);
    }

    pub(crate) fn close_value_definition(&mut self, frame: &Frame) -> Payload {
        let symbol = frame.symbol;
        let adopted = self.facts.symbols[symbol.index()].name.is_some();
        let own = self.value(frame, Slot::Name);
        if !adopted && own.is_none() && frame.callable {
            let scope = self.facts.symbols[symbol.index()].inner;
            self.take_params(frame);
            self.dissolved.push(symbol);
            return self.new_expr(ExprOp::Lambda, scope.0, u32::MAX);
        }
        if !adopted {
            let payload = self.close_definition(frame);
            self.facts.symbols[symbol.index()].flags.insert(Flags::VALUE);
            return payload;
        }
        let mut frame = *frame;
        let params = self.take_params(&frame);
        let values: Vec<Value> = self.values_of(&frame).to_vec();
        self.complete_definition(&mut frame, &values, params);
        let value = self.expr(ExprOp::Own, symbol.0, 0);
        if let Some(Value { payload: Payload::Text(span), .. }) = own {
            self.call_by_own_name(symbol, span);
            self.bind_inside(symbol, span, value);
        }
        Payload::Expr(value)
    }

    /// What a file is worth as a whole has no other name than its own: `module.exports = function parse() {}`.
    fn call_by_own_name(&mut self, symbol: SymbolId, span: Span) {
        let name = self.words.intern(&self.source[span.range()]);
        let entry = &mut self.facts.symbols[symbol.index()];
        if entry.flags.has(Flags::DEFAULT.with(Flags::MEMBER)) {
            (entry.name, entry.name_span) = (name, span);
        }
    }

    /// The own name of a value that is called otherwise is known inside it.
    fn bind_inside(&mut self, symbol: SymbolId, span: Span, value: ExprId) {
        let name = self.words.intern(&self.source[span.range()]);
        let scope = self.facts.symbols[symbol.index()].inner;
        let (kind, ty) = (BindingKind::Local, ExprId::NONE);
        self.facts.bindings.push(Binding { kind, name, span, scope, from: span.end, ty, init: value });
    }

    /// A pattern with a default is a parameter directly inside a parameter list.
    pub(crate) fn defaulted(&self) -> Act {
        match self.frames.last() {
            Some(parent) if parent.act == Act::Params => Act::Param(Flags(0)),
            _ => Act::Opaque,
        }
    }

    /// The text of a name in a declaration binds it, whatever kind of node it is.
    pub(crate) fn bound_name(&mut self, name: Span, span: Span) -> Payload {
        let parent = self.frames.last().expect("the root frame is never closed");
        if !matches!(parent.act, Act::Bind { .. } | Act::Initialized) {
            return Payload::Text(name);
        }
        let id = self.words.intern(&self.source[name.range()]);
        let doc = self.doc_before(span);
        let payload = self.new_bound(id, name);
        if let Payload::Bound(bound) = payload {
            self.bounds[bound as usize].declarator = span;
            self.bounds[bound as usize].doc = doc;
        }
        payload
    }

    /// The symbol of the object literal whose pair is being read.
    pub(crate) fn named_object(&self) -> Option<SymbolId> {
        let around = |f: &&Frame| !matches!(f.act, Act::Pass | Act::Typed | Act::Pair);
        let object = self.frames.iter().rev().find(around)?;
        let is_object = object.act == Act::Literal(Literal::Map);
        object.symbol.get().filter(|_| is_object)
    }

    /// A member that a value opening now is assigned to is defined by it.
    pub(crate) fn adopt_member(&mut self, kind: SymbolKind) -> SymbolId {
        let depth = self.frames.iter().rposition(|f| !matches!(f.act, Act::Pass | Act::Typed));
        let Some(assign) = depth.map(|d| self.frames[d]).filter(|f| f.act == Act::Assign) else {
            return SymbolId::NONE;
        };
        let is_target = |i: &usize| self.values[*i].slot == Slot::Target;
        let Some(target) = (assign.values as usize..self.values.len()).find(is_target) else { return SymbolId::NONE };
        match self.values[target].payload {
            Payload::Member(symbol) => self.take_over(symbol, kind, assign.span),
            Payload::Expr(expr) if kind != SymbolKind::Variable => self.define_target(target, expr, kind, assign.span),
            _ => SymbolId::NONE,
        }
    }

    /// The value of a member that was declared by this assignment says what it is.
    fn take_over(&mut self, symbol: SymbolId, kind: SymbolKind, span: Span) -> SymbolId {
        let entry = &mut self.facts.symbols[symbol.index()];
        let is_field = entry.kind == SymbolKind::InstanceVariable;
        if is_field && kind == SymbolKind::Variable {
            return SymbolId::NONE;
        }
        entry.kind = if is_field && kind == SymbolKind::Function { SymbolKind::Method } else { kind };
        entry.span = span;
        symbol
    }

    /// `a.b = function`: defines `b`, qualified by `a`.
    fn define_target(&mut self, target: usize, expr: ExprId, kind: SymbolKind, span: Span) -> SymbolId {
        let Some(rules) = self.language.member_assignments else { return SymbolId::NONE };
        let node = self.facts.exprs[expr.index()];
        let newest = expr.index() + 1 == self.facts.exprs.len() && node.a as usize + 1 == self.facts.refs.len();
        if node.op != ExprOp::Ref || !newest || self.facts.refs[node.a as usize].receiver.is_none() {
            return SymbolId::NONE;
        }
        let reference = self.facts.refs[node.a as usize];
        let mut owner = Span::new(self.values[target].span.start, self.owner_end(reference.span.start));
        let mut kind = kind;
        for word in rules.transparent {
            if let Some(rest) = self.text(owner).strip_suffix(word.as_bytes()).and_then(|t| t.strip_suffix(b".")) {
                owner.end = owner.start + rest.len() as u32;
                kind = if kind == SymbolKind::Function { SymbolKind::Method } else { kind };
            }
        }
        if !self.text(owner).iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$' | b'.')) {
            return SymbolId::NONE;
        }
        self.facts.refs.pop();
        self.facts.exprs.pop();
        let receiver = self.facts.exprs[reference.receiver.index()].op;
        let qualifier = if receiver == ExprOp::This { StrId::NONE } else { self.qualifier(owner) };
        let symbol = self.new_symbol(kind, span);
        let entry = &mut self.facts.symbols[symbol.index()];
        entry.name = reference.name;
        entry.name_span = reference.span;
        entry.qualifier = qualifier;
        self.values[target].payload = Payload::Member(symbol);
        self.settle(symbol, Visibility::Unknown);
        symbol
    }

    /// Where the object before a member name ends.
    fn owner_end(&self, name: u32) -> u32 {
        let before = &self.source[..name as usize];
        let is_joint = |b: &u8| matches!(b, b'.' | b'?' | b'[' | b'\'' | b'"') || b.is_ascii_whitespace();
        before.iter().rposition(|b| !is_joint(b)).map_or(0, |i| i as u32 + 1)
    }

    /// `exports.a = …` and `module.exports = …` declare what a file exports.
    pub(crate) fn exported_member(&mut self, frame: &Frame, name: StrId, span: Span) -> Option<SymbolId> {
        let rules = self.language.member_assignments?;
        let is_export = |text: &[u8]| rules.exports.iter().any(|word| word.as_bytes() == text);
        let owner = Span::new(frame.span.start, self.owner_end(span.start));
        let whole = is_export(self.text(frame.span));
        if !whole && !is_export(self.text(owner)) {
            return None;
        }
        // The first assignment declares; a later one changes what is there.
        if !self.declared.insert((EXPORTS, name)) {
            return None;
        }
        let id = SymbolId(self.facts.symbols.len() as u32);
        let flags = if whole { Flags::EXPORT.with(Flags::DEFAULT) } else { Flags::EXPORT };
        let flags = flags.with(Flags::MEMBER);
        self.facts.symbols.push(Symbol {
            kind: SymbolKind::Variable,
            name,
            parent: SymbolId(0),
            span: frame.span,
            name_span: span,
            head_end: frame.span.end,
            scope: ScopeId(0),
            flags,
            ..Symbol::default()
        });
        self.settle(id, Visibility::Public);
        Some(id)
    }

    /// `exports.a = b` and `module.exports = b` export a name; they define nothing.
    pub(crate) fn export_name(&mut self, symbol: SymbolId, value: ExprId) {
        let Some(node) = value.get().map(|v| self.facts.exprs[v.index()]) else { return };
        let entry = &self.facts.symbols[symbol.index()];
        if node.op != ExprOp::Ref || !entry.flags.has(Flags::EXPORT.with(Flags::MEMBER)) {
            return;
        }
        if self.facts.refs[node.a as usize].receiver.is_some() {
            return;
        }
        let (span, whole) = (entry.name_span, entry.flags.has(Flags::DEFAULT));
        let mut import = Import {
            span: entry.span,
            scope: self.scope,
            path: vec![RefId(node.a)],
            alias: entry.name,
            flags: ImportFlags::REEXPORT,
            ..Import::default()
        };
        if whole {
            import.flags.insert(ImportFlags::MODULE);
            import.alias = self.words.intern_made("default".to_owned());
        } else {
            import.alias_span = span;
            self.reference(import.alias, span, RefKind::Import, ExprId::NONE);
        }
        self.facts.imports.push(import);
        self.dissolved.push(symbol);
    }

    /// A value that is the default export is called `default`.
    pub(crate) fn adopt_default(&mut self, kind: SymbolKind) -> SymbolId {
        let depth = self.frames.iter().rposition(|f| !matches!(f.act, Act::Pass | Act::Typed));
        let Some(wrapper) = depth.map(|d| self.frames[d]) else { return SymbolId::NONE };
        if wrapper.act != Act::Wrapper || !wrapper.flags.has(Flags::DEFAULT) {
            return SymbolId::NONE;
        }
        let symbol = self.new_symbol(kind, wrapper.span);
        let name = self.words.intern_made("default".to_owned());
        let entry = &mut self.facts.symbols[symbol.index()];
        entry.name = name;
        entry.name_span = Span::new(wrapper.span.start, wrapper.span.start);
        entry.flags.insert(wrapper.flags);
        entry.doc = wrapper.doc;
        self.settle(symbol, wrapper.visibility);
        symbol
    }

    /// A parameter with a visibility is a field of the type whose method is being read.
    pub(crate) fn promote(&mut self, frame: &Frame, bound: u32, param: &Param) {
        let marked = frame.visibility != Visibility::Unknown
            || frame.flags.has(Flags::READONLY)
            || frame.flags.has(Flags::REASSIGNED);
        if !self.language.promoted_parameters || !marked {
            return;
        }
        let bound = self.bounds[bound as usize];
        let span = self.without_sigil(bound.span);
        let name = self.words.intern(&self.source[span.range()]);
        let kind = self.language.components;
        let Some(symbol) = self.member_of_type(kind, name, span, false) else { return };
        let entry = &mut self.facts.symbols[symbol.index()];
        entry.span = frame.span;
        entry.head_end = frame.span.end;
        entry.type_span = param.type_span;
        entry.flags.insert(frame.flags);
        if frame.visibility != Visibility::Unknown {
            entry.visibility = frame.visibility;
        }
        if bound.ty.is_some() {
            self.facts.notes.push(Note { symbol, tie: Tie::Type, expr: bound.ty });
        }
    }
}
