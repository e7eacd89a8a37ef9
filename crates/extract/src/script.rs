//! What scripting languages say by the form of names and by calls: sigils, instance variables, calls without brackets.

use codegraph_languages::table::{Act, CallRole, Slot};
use codegraph_model::*;

use crate::frame::*;
use crate::literal::string_content;
use crate::walk::Walk;
use crate::words::is_word_byte;

impl Walk<'_> {
    /// The name of a field without the mark of variables.
    pub(crate) fn without_sigil(&self, span: Span) -> Span {
        let marked = self.is_variable(span);
        Span::new(span.start + if marked { self.language.sigil.len() as u32 } else { 0 }, span.end)
    }

    /// A bound name that becomes a field.
    pub(crate) fn strip_sigil(&mut self, bound: u32) {
        let span = self.bounds[bound as usize].span;
        let bare = self.without_sigil(span);
        if bare != span {
            self.bounds[bound as usize].name = self.words.intern(&self.source[bare.range()]);
            self.bounds[bound as usize].span = bare;
        }
    }

    /// The form of the name says that it is a variable.
    pub(crate) fn is_variable(&self, span: Span) -> bool {
        let sigil = self.language.sigil.as_bytes();
        !sigil.is_empty() && self.text(span).starts_with(sigil)
    }

    pub(crate) fn is_receiver_name(&self, ctx: Ctx, span: Span) -> bool {
        let words = self.language.receivers;
        !words.is_empty()
            && matches!(ctx, Ctx::Expr | Ctx::Callee | Ctx::Class | Ctx::Type)
            && words.iter().any(|word| word.as_bytes() == self.text(span))
    }

    /// An instance variable: assigning to it declares it.
    pub(crate) fn field_name(&mut self, frame: &Frame) -> Payload {
        let name = self.words.intern(&self.source[frame.span.range()]);
        if frame.ctx == Ctx::Write
            && let Some(symbol) = self.instance_variable(name, frame.span)
        {
            return Payload::Member(symbol);
        }
        let kind = match frame.ctx {
            Ctx::Name => return Payload::Text(frame.span),
            Ctx::Skip => return Payload::Nothing,
            Ctx::Write | Ctx::Update | Ctx::Bind => RefKind::Write,
            _ => RefKind::Attribute,
        };
        let receiver = self.expr(ExprOp::This, self.scope.0, 0);
        let reference = self.reference(name, frame.span, kind, receiver);
        self.new_expr(ExprOp::Ref, reference.0, 0)
    }

    /// A global variable: the first assignment declares it for the file.
    pub(crate) fn global_name(&mut self, frame: &Frame) -> Payload {
        let name = self.words.intern(&self.source[frame.span.range()]);
        if frame.ctx != Ctx::Write || self.declared.contains(&(ScopeId(0), name)) {
            let ctx = if matches!(frame.ctx, Ctx::Write | Ctx::Bind) { Ctx::Update } else { frame.ctx };
            return self.named(ctx, name, frame.span);
        }
        let symbol = SymbolId(self.facts.symbols.len() as u32);
        self.facts.symbols.push(Symbol {
            kind: SymbolKind::Variable,
            name,
            parent: SymbolId(0),
            span: frame.span,
            name_span: frame.span,
            head_end: frame.span.end,
            scope: ScopeId(0),
            ..Symbol::default()
        });
        self.settle(symbol, Visibility::Public);
        Payload::Member(symbol)
    }

    /// A name that no assignment or parameter around has declared is a call.
    pub(crate) fn is_bare_call(&self, name: StrId) -> bool {
        if !self.language.bare_calls || self.words.text(name).starts_with(char::is_uppercase) {
            return false;
        }
        let mut scope = self.scope;
        loop {
            let entry = self.facts.scopes[scope.index()];
            // What an object of its own is opened for is named outside of it.
            let is_section = entry.kind == ScopeKind::Type && self.facts.symbols[entry.owner.index()].inner != scope;
            if !is_section && !matches!(entry.kind, ScopeKind::Function | ScopeKind::Block) {
                break;
            }
            if self.declared.contains(&(scope, name)) {
                return false;
            }
            scope = entry.parent;
        }
        !self.is_variable_of(scope, name) && !self.is_about_to_be_bound(name)
    }

    /// A variable of a module; functions of the same scope are called.
    fn is_variable_of(&self, scope: ScopeId, name: StrId) -> bool {
        let is_variable = |s: &Symbol| matches!(s.kind, SymbolKind::Variable | SymbolKind::Field);
        let known = |s: &Symbol| s.scope == scope && s.name == name && is_variable(s);
        self.declared.contains(&(scope, name)) && self.facts.symbols.iter().any(known)
    }

    /// A name of a pattern whose statement is still open.
    pub(crate) fn is_about_to_be_bound(&self, name: StrId) -> bool {
        self.values.iter().any(|v| match v.payload {
            Payload::Bound(bound) => self.bounds[bound as usize].name == name,
            _ => false,
        })
    }

    /// A call by its name alone may begin a section of the type: `private`.
    pub(crate) fn bare_call(&mut self, name: StrId, span: Span) -> Payload {
        let role = self.table.calls.get(self.words.text(name)).copied();
        if let (Some(CallRole::Section(visibility)), ScopeKind::Type) = (role, self.declaring_kind()) {
            self.set_section(visibility);
        }
        let reference = self.reference(name, span, RefKind::Call, ExprId::NONE);
        let callee = self.expr(ExprOp::Ref, reference.0, 0);
        self.new_expr(ExprOp::Call, callee.0, 0)
    }

    /// `a.b = c` calls a setter; it declares nothing.
    pub(crate) fn is_setter_call(&self) -> bool {
        self.frames.last().is_some_and(|f| f.act == Act::Call)
    }

    /// `A.new(x)`: the receiver is instantiated.
    pub(crate) fn instantiated(&mut self, reference: u32, args: u8) -> Option<Payload> {
        let call = self.facts.refs[reference as usize];
        if self.language.instantiates.is_empty() || self.words.text(call.name) != self.language.instantiates {
            return None;
        }
        let receiver = call.receiver.get()?;
        let node = self.facts.exprs[receiver.index()];
        if node.op == ExprOp::Ref {
            let class = &mut self.facts.refs[node.a as usize];
            class.kind = RefKind::Instantiation;
            class.args = args;
        }
        Some(self.new_expr(ExprOp::Call, receiver.0, args as u32))
    }

    /// The reference that a path goes on from.
    pub(crate) fn receiver_ref(&self, reference: u32) -> Option<u32> {
        let receiver = self.facts.refs[reference as usize].receiver.get()?;
        let node = self.facts.exprs[receiver.index()];
        (node.op == ExprOp::Ref).then_some(node.a)
    }

    /// Where the path that ends in a reference starts.
    pub(crate) fn path_start(&self, mut reference: u32) -> u32 {
        while let Some(before) = self.receiver_ref(reference) {
            reference = before;
        }
        self.facts.refs[reference as usize].span.start
    }

    /// The first argument, a symbol or a string, is the name of a member.
    pub(crate) fn argument_member(&mut self, frame: &Frame, kind: SymbolKind) {
        let Some(args) = self.value(frame, Slot::Args) else { return };
        let text = self.text(args.span);
        let skipped = text.iter().take_while(|b| **b == b'(' || b.is_ascii_whitespace()).count();
        let end = text.iter().position(|b| *b == b',').unwrap_or(text.len());
        if skipped >= end || !matches!(text[skipped], b':' | b'"' | b'\'') {
            return;
        }
        let first = Span::new(args.span.start + skipped as u32, args.span.start + end as u32);
        let name = string_content(self.source, first);
        let ends = |b: &u8| b.is_ascii_whitespace() || matches!(b, b',' | b')' | b'#' | b'{');
        let length = self.text(name).iter().take_while(|b| !ends(b)).count() as u32;
        if length > 0 {
            self.named_member(kind, Span::new(name.start, name.start + length), frame.span);
        }
    }

    /// Sets the visibility of the members that a stretch of code defines or names (`:name`).
    pub(crate) fn set_visibility(&mut self, within: Span, visibility: Visibility) {
        let owner = self.owner();
        let is_name = |b: &u8| is_word_byte(*b) || matches!(b, b':' | b'?' | b'!' | b'=');
        let words = self.text(within).split(|b| !is_name(b));
        let named: Vec<&[u8]> = words.filter_map(|word| word.strip_prefix(b":")).collect();
        for i in 1..self.facts.symbols.len() {
            let symbol = &self.facts.symbols[i];
            if symbol.parent != owner || symbol.name.is_none() {
                continue;
            }
            let inside = within.contains(symbol.span.start);
            if inside || named.contains(&self.words.text(symbol.name).as_bytes()) {
                self.facts.symbols[i].visibility = visibility;
            }
        }
    }

    /// An import of a file by a statement. The last string counts: `__DIR__ . '/x'`.
    pub(crate) fn close_include(&mut self, frame: &Frame, flags: ImportFlags) -> Payload {
        let direct = self.value(frame, Slot::Value).and_then(|v| match v.payload {
            Payload::Source(span) => Some(span),
            _ => None,
        });
        if let Some(span) = direct.or_else(|| self.last_string(frame.span)) {
            self.import_source(frame, span, flags);
        }
        Payload::Nothing
    }

    fn last_string(&self, span: Span) -> Option<Span> {
        let text = self.text(span);
        let end = text.iter().rposition(|b| !(b.is_ascii_whitespace() || *b == b')'))?;
        let quote = text[end];
        if !matches!(quote, b'"' | b'\'') {
            return None;
        }
        let start = text[..end].iter().rposition(|b| *b == quote)?;
        Some(Span::new(span.start + start as u32 + 1, span.start + end as u32))
    }
}
