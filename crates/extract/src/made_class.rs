//! Classes that are made by a call and named by the constant that they are assigned to: `Point = Struct.new(:x, :y)`.

use codegraph_languages::table::{ClassMaker, Slot};
use codegraph_model::*;

use crate::frame::*;
use crate::walk::Walk;
use crate::words::is_word_byte;

impl Walk<'_> {
    /// Makes a class of a constant whose value is one.
    pub(crate) fn made_class(&mut self, frame: &Frame, symbol: SymbolId, init: ExprId) {
        if self.facts.symbols[symbol.index()].kind != SymbolKind::Constant {
            return;
        }
        let Some(maker) = self.class_maker(init) else { return };
        let Some(value) = self.value(frame, Slot::Value).map(|v| v.span) else { return };
        let symbol = self.before_block(symbol, value);
        let inner = self.class_scope(symbol, value);
        let head = Span::new(value.start, self.head_of_maker(inner, value));
        let entry = &mut self.facts.symbols[symbol.index()];
        entry.kind = SymbolKind::Class;
        entry.inner = inner;
        entry.head_end = head.end;
        self.facts.notes.retain(|n| n.symbol != symbol || n.tie != Tie::Init);
        match maker.attributes {
            true => self.class_attributes(symbol, inner, head),
            false => self.class_base(symbol, head),
        }
    }

    /// Symbols come after those around them: what a block has defined already goes behind the class.
    fn before_block(&mut self, symbol: SymbolId, value: Span) -> SymbolId {
        let Some(block) = self.block_in(value) else { return symbol };
        let span = self.facts.scopes[block].span;
        let Some(first) = self.facts.symbols[1..].iter().position(|s| span.contains(s.span.start)) else {
            return symbol;
        };
        let first = SymbolId(first as u32 + 1);
        let moved = |id: SymbolId| match id {
            id if id == symbol => first,
            id if id.is_some() && id.0 >= first.0 && id.0 < symbol.0 => SymbolId(id.0 + 1),
            id => id,
        };
        let class = self.facts.symbols.remove(symbol.index());
        self.facts.symbols.insert(first.index(), class);
        self.facts.symbols.iter_mut().for_each(|s| s.parent = moved(s.parent));
        self.facts.scopes.iter_mut().for_each(|s| s.owner = moved(s.owner));
        self.facts.notes.iter_mut().for_each(|n| n.symbol = moved(n.symbol));
        self.bounds.iter_mut().for_each(|b| b.symbol = moved(b.symbol));
        self.dissolved.iter_mut().for_each(|s| *s = moved(*s));
        for expr in self.facts.exprs.iter_mut().filter(|e| e.op == ExprOp::Own) {
            expr.a = moved(SymbolId(expr.a)).0;
        }
        let around = self.facts.scopes[block].owner;
        for inner in self.facts.symbols[first.index() + 1..].iter_mut().filter(|s| span.contains(s.span.start)) {
            if inner.parent == around {
                inner.parent = first;
                inner.kind = if inner.kind == SymbolKind::Function { SymbolKind::Method } else { inner.kind };
            }
        }
        first
    }

    /// A class that inherits from one which a call makes has its attributes.
    pub(crate) fn inherits_made(&mut self, symbol: SymbolId, base: &Value) {
        let Payload::Expr(expr) = base.payload else { return };
        if self.class_maker(expr).is_some_and(|maker| maker.attributes) {
            let inner = self.facts.symbols[symbol.index()].inner;
            self.class_attributes(symbol, inner, base.span);
        }
    }

    fn class_maker(&self, init: ExprId) -> Option<&'static ClassMaker> {
        let makers = self.language.class_makers;
        let node = self.facts.exprs[init.get().filter(|_| !makers.is_empty())?.index()];
        let callee = self.facts.exprs.get(node.a as usize).filter(|_| node.op == ExprOp::Call)?;
        let reference = self.facts.refs.get(callee.a as usize).filter(|_| callee.op == ExprOp::Ref)?;
        let (receiver, method) = match reference.receiver.get().map(|r| self.facts.exprs[r.index()]) {
            None => (reference.name, self.language.instantiates),
            Some(Expr { op: ExprOp::Ref, a, .. }) => {
                (self.facts.refs[a as usize].name, self.words.text(reference.name))
            }
            Some(_) => return None,
        };
        makers.iter().find(|m| m.receiver == self.words.text(receiver) && m.method == method)
    }

    /// The block of the call becomes the body of the class; without one, the class has a scope of its own.
    fn class_scope(&mut self, symbol: SymbolId, value: Span) -> ScopeId {
        let around = self.scope;
        let Some(block) = self.block_in(value) else {
            let scope = self.push_scope(ScopeKind::Type, symbol, value);
            self.scope = around;
            return scope;
        };
        let (owner, span) = (self.facts.scopes[block].owner, self.facts.scopes[block].span);
        self.facts.scopes[block].kind = ScopeKind::Type;
        for scope in self.facts.scopes[block..].iter_mut().filter(|s| s.owner == owner) {
            if span.start <= scope.span.start && scope.span.end <= span.end {
                scope.owner = symbol;
            }
        }
        ScopeId(block as u32)
    }

    /// The block that is given to a call.
    fn block_in(&self, value: Span) -> Option<usize> {
        let around = self.scope;
        self.facts.scopes.iter().position(|s| {
            s.kind == ScopeKind::Block && s.parent == around && value.start <= s.span.start && s.span.end <= value.end
        })
    }

    /// Where the arguments end: before the body, if there is one.
    fn head_of_maker(&self, inner: ScopeId, value: Span) -> u32 {
        let body = self.facts.scopes[inner.index()].span;
        if body == value { value.end } else { body.start }
    }

    fn class_attributes(&mut self, symbol: SymbolId, scope: ScopeId, head: Span) {
        let text = self.text(head);
        let mut at = 0;
        while let Some(colon) = memchr::memchr(b':', &text[at..]) {
            let start = at + colon + 1;
            let length = text[start..].iter().take_while(|b| is_word_byte(**b)).count();
            let lone = start < 2 || !is_word_byte(text[start - 2]);
            if length > 0 && lone {
                let from = head.start + start as u32;
                let name_span = Span::new(from, from + length as u32);
                let name = self.words.intern(&self.source[name_span.range()]);
                self.facts.symbols.push(Symbol {
                    kind: SymbolKind::Property,
                    name,
                    parent: symbol,
                    span: name_span,
                    name_span,
                    head_end: name_span.end,
                    scope,
                    visibility: Visibility::Public,
                    ..Symbol::default()
                });
            }
            at = start + length;
        }
    }

    /// The class among the arguments is the base.
    fn class_base(&mut self, symbol: SymbolId, head: Span) {
        let inside = |r: &Reference| head.start < r.span.start && r.span.end <= head.end;
        let found: Vec<u32> = (0..self.facts.refs.len() as u32)
            .rev()
            .take_while(|i| self.facts.refs[*i as usize].span.start >= head.start)
            .filter(|i| inside(&self.facts.refs[*i as usize]))
            .collect();
        let is_part = |i: &u32| found.iter().any(|other| self.receiver_ref(*other) == Some(*i));
        let bases: Vec<u32> = found.iter().copied().filter(|i| !is_part(i)).collect();
        for reference in bases {
            let entry = self.facts.refs[reference as usize];
            let is_constant = self.words.text(entry.name).starts_with(char::is_uppercase);
            // What makes the class stands first, and its arguments in brackets.
            let before = &self.source[head.start as usize..entry.span.start as usize];
            if is_constant && before.contains(&b'(') {
                let span = Span::new(self.path_start(reference), entry.span.end);
                self.facts.refs[reference as usize].kind = RefKind::Inherit;
                let expr = self.expr(ExprOp::Ref, reference, 0);
                self.facts.symbols[symbol.index()].bases.push(span);
                self.facts.notes.push(Note { symbol, tie: Tie::Base, expr });
            }
        }
    }
}
