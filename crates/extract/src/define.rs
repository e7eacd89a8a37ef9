//! Definitions: symbols with their scopes, names, kinds, visibility and headers.

use codegraph_languages::table::{Act, DefaultVisibility, Modifier, Slot};
use codegraph_model::*;

use crate::frame::*;
use crate::opened::next;
use crate::walk::{Walk, apply_modifier};

/// Namespaces that are written in one name at most.
const MOST_NESTED: usize = 64;

impl<'s> Walk<'s> {
    pub(crate) fn owner(&self) -> SymbolId {
        self.facts.scopes[self.scope.index()].owner
    }

    /// The kind of the scope that declares names here, blocks apart.
    pub(crate) fn declaring_kind(&self) -> ScopeKind {
        let mut scope = self.scope;
        loop {
            let entry = &self.facts.scopes[scope.index()];
            if entry.kind != ScopeKind::Block || entry.parent.is_none() {
                return entry.kind;
            }
            scope = entry.parent;
        }
    }

    /// The nearest scope that is no block: where assignments declare.
    pub(crate) fn hoist_scope(&self) -> ScopeId {
        let mut scope = self.scope;
        while self.facts.scopes[scope.index()].kind == ScopeKind::Block {
            scope = self.facts.scopes[scope.index()].parent;
        }
        scope
    }

    pub(crate) fn push_scope(&mut self, kind: ScopeKind, owner: SymbolId, span: Span) -> ScopeId {
        let id = ScopeId(self.facts.scopes.len() as u32);
        self.facts.scopes.push(Scope { kind, parent: self.scope, owner, span });
        self.scope = id;
        id
    }

    pub(crate) fn open_scope(&mut self, frame: &Frame, kind: ScopeKind) {
        let owner = self.owner();
        self.push_scope(kind, owner, frame.span);
    }

    /// A new symbol in the current scope; its name comes later.
    pub(crate) fn new_symbol(&mut self, kind: SymbolKind, span: Span) -> SymbolId {
        let id = SymbolId(self.facts.symbols.len() as u32);
        let (scope, wrapper) = self.scope_outside_wrappers();
        let parent = self.facts.scopes[scope.index()].owner;
        let span = trimmed(self.source, span);
        self.facts.symbols.push(Symbol { kind, parent, span, head_end: span.end, scope, ..Symbol::default() });
        if wrapper.is_some() {
            self.facts.scopes[wrapper.index()].owner = id;
        }
        id
    }

    /// Where a definition is declared, and the scope that a wrapper around it opened.
    fn scope_outside_wrappers(&self) -> (ScopeId, ScopeId) {
        let closing = usize::from(self.frames.last().is_some_and(|f| matches!(f.act, Act::Bind { .. })));
        let around = self.frames.iter().rev().skip(closing).take_while(|f| f.act == Act::Wrapper);
        let opened = around.filter(|f| self.table.rule(f.rule).scope.is_some());
        match opened.last() {
            Some(frame) => (frame.outer, self.scope),
            None => (self.scope, ScopeId::NONE),
        }
    }

    pub(crate) fn open_definition(&mut self, frame: &mut Frame, kind: SymbolKind) {
        let member = self.declaring_kind() == ScopeKind::Type;
        let kind = if kind == SymbolKind::Function && member { SymbolKind::Method } else { kind };
        frame.doc = self.doc_for(frame);
        let around = self.scope;
        let opened = if self.nests(kind) { self.open_around(frame.span) } else { Vec::new() };
        let symbol = self.new_symbol(kind, frame.span);
        let nested = self.scope != around;
        self.begin_definition(frame, symbol, kind);
        for space in opened {
            // What a namespace is written with is seen from outside.
            let inside = self.facts.symbols[space.index()].scope != around;
            let flags = if inside { frame.flags.with(Flags::EXPORT) } else { frame.flags };
            self.facts.symbols[space.index()].flags.insert(flags);
            self.settle(space, frame.visibility);
        }
        if nested {
            frame.flags.insert(Flags::EXPORT);
        }
    }

    /// Namespaces that are written with those around them are in them, where no namespace is open to other files.
    fn nests(&self, kind: SymbolKind) -> bool {
        let linking = &self.language.linking;
        kind == SymbolKind::Namespace && !linking.namespaces && !linking.headers
    }

    /// Declares `a` and `b` of `namespace a.b.c`, outermost first, and goes into them. Several that begin alike share the
    /// beginning.
    fn open_around(&mut self, span: Span) -> Vec<SymbolId> {
        let source = self.source;
        let mut names: Vec<Span> = Vec::new();
        let (mut at, mut goes_on) = (span.start, false);
        while let Some(word) = next(source, at, span.end).filter(|word| source[word.start as usize] != b'{') {
            at = word.end;
            let is_dot = source[word.range()] == *b".";
            // A word after another one begins a name.
            if !is_dot && !goes_on {
                names.clear();
            }
            names.extend((!is_dot).then_some(word));
            goes_on = is_dot;
        }
        names.pop();
        // Nobody writes so many; each would have the names of all before it in its own.
        if names.len() > MOST_NESTED {
            return Vec::new();
        }
        let mut opened = Vec::with_capacity(names.len());
        for name_span in names {
            let name = self.words.intern(&source[name_span.range()]);
            let scope = self.scope;
            let same =
                |s: &Symbol| (s.kind, s.name, s.scope) == (SymbolKind::Namespace, name, scope) && s.inner.is_some();
            let known = self.facts.symbols.iter().position(same);
            let symbol = known.map_or_else(|| self.new_symbol(SymbolKind::Namespace, span), |at| SymbolId(at as u32));
            if known.is_none() {
                let inner = self.push_scope(ScopeKind::Namespace, symbol, span);
                let entry = &mut self.facts.symbols[symbol.index()];
                (entry.name, entry.name_span, entry.head_end, entry.inner) = (name, name_span, name_span.end, inner);
                opened.push(symbol);
            }
            self.scope = self.facts.symbols[symbol.index()].inner;
        }
        opened
    }

    /// Attributes, wrappers, the scope inside and the list of parameters of a symbol that is being defined.
    pub(crate) fn begin_definition(&mut self, frame: &mut Frame, symbol: SymbolId, kind: SymbolKind) {
        frame.symbol = symbol;
        self.inherit_section_flags(frame);
        let attributes = self.take_attributes(frame.span);
        self.facts.symbols[symbol.index()].decorators = attributes;
        if !self.docs.derived.is_empty() {
            self.note_derived(symbol);
        }
        self.inherit_wrapper(frame);
        let scope_kind = if kind.is_callable() || kind == SymbolKind::Property {
            ScopeKind::Function
        } else if kind.is_type() {
            ScopeKind::Type
        } else if kind.is_module() {
            self.table.rule(frame.rule).scope.unwrap_or(ScopeKind::Namespace)
        } else {
            ScopeKind::Block
        };
        let inner = self.push_scope(scope_kind, symbol, frame.span);
        self.facts.symbols[symbol.index()].inner = inner;
        if scope_kind == ScopeKind::Function {
            self.push_callable(frame, symbol);
        }
    }

    /// A region of a type may say something about all its members.
    fn inherit_section_flags(&self, frame: &mut Frame) {
        frame.flags.insert(self.section_flags());
    }

    pub(crate) fn section_flags(&self) -> Flags {
        let around = self.frames.iter().rev().find(|f| is_section_frame(f));
        around.filter(|f| f.act == Act::Scope(ScopeKind::Type)).map_or(Flags(0), |f| f.flags)
    }

    /// Decorators, `export` and the like stand on the wrapper around a definition.
    fn inherit_wrapper(&mut self, frame: &mut Frame) {
        let mut decorators = Vec::new();
        for wrapper in self.frames.iter().rev().take_while(|f| f.act == Act::Wrapper) {
            frame.flags.insert(wrapper.flags);
            frame.kind = frame.kind.or(wrapper.kind);
            if wrapper.visibility != Visibility::Unknown {
                frame.visibility = wrapper.visibility;
            }
            let values = self.values[wrapper.values as usize..].iter();
            decorators.extend(values.filter(|v| v.slot == Slot::Decorator).copied());
        }
        self.decorate(frame, &decorators);
    }

    fn decorate(&mut self, frame: &mut Frame, decorators: &[Value]) {
        for value in decorators {
            self.facts.symbols[frame.symbol.index()].decorators.push(value.span);
            if let Payload::Expr(expr) = value.payload {
                self.facts.notes.push(Note { symbol: frame.symbol, tie: Tie::Decorator, expr });
            }
            if let Some(modifier) = self.decorator_modifier(value.span) {
                apply_modifier(frame, modifier);
            }
        }
    }

    /// The last name of a decorator, before its arguments, may change what it decorates.
    fn decorator_modifier(&self, span: Span) -> Option<Modifier> {
        let text = std::str::from_utf8(self.text(span)).ok()?;
        let head = text.split('(').next()?.trim_end();
        let name = head.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next()?;
        self.language.decorators.iter().find(|(word, _)| *word == name).map(|(_, modifier)| *modifier)
    }

    pub(crate) fn push_callable(&mut self, frame: &mut Frame, symbol: SymbolId) {
        let context = frame.receiver;
        self.callables.push(Callable {
            symbol,
            params: Vec::new(),
            receiver: StrId::NONE,
            context,
            returned: ExprId::NONE,
        });
        frame.callable = true;
    }

    pub(crate) fn begin_body(&mut self, start: u32) {
        if let Some(parent) = self.frames.last_mut()
            && parent.body == u32::MAX
        {
            parent.body = start;
            let parent = *parent;
            self.name_early(&parent);
        }
    }

    /// Members may ask for the name of their type while its body is read.
    fn name_early(&mut self, frame: &Frame) {
        if frame.symbol.is_none() || !matches!(frame.act, Act::Def(_) | Act::DefOrRef(_)) {
            return;
        }
        let named = self.values_of(frame).iter().find(|v| matches!(v.slot, Slot::Name | Slot::Bind)).copied();
        if let Some((name, _, _)) = named.and_then(|v| self.name_in(&v)) {
            self.facts.symbols[frame.symbol.index()].name = name;
        }
    }

    /// Default values are evaluated in the scope around the function they belong to.
    pub(crate) fn scope_around_callable(&self) -> ScopeId {
        self.frames.iter().rev().find(|f| f.callable).map_or(self.scope, |f| f.outer)
    }

    pub(crate) fn close_definition(&mut self, frame: &Frame) -> Payload {
        let mut frame = *frame;
        let params = self.take_params(&frame);
        let symbol = frame.symbol;
        let values: Vec<Value> = self.values_of(&frame).to_vec();
        let name = values.iter().find_map(|v| self.name_in(v)).or_else(|| self.impl_name(&frame, &values));
        let name = name.or_else(|| self.default_name(&frame));
        let Some((name, name_span, qualifier)) = name.map(|name| self.with_prefix(name)) else {
            return self.dissolve(&frame);
        };
        if matches!(frame.act, Act::DefOrRef(_)) && frame.body == u32::MAX {
            return self.reference_instead(&frame, name, name_span);
        }
        let entry = &mut self.facts.symbols[symbol.index()];
        entry.name = name;
        entry.name_span = name_span;
        let entry_kind = entry.kind;
        if qualifier.is_some() && !self.nests(entry_kind) {
            self.facts.symbols[symbol.index()].qualifier = qualifier;
        }
        self.refer_to_key(name_span);
        self.complete_definition(&mut frame, &values, params);
        self.note_path(symbol);
        self.settle(symbol, frame.visibility);
        if !self.language.defines_derive.is_empty() && !self.facts.symbols[symbol.index()].decorators.is_empty() {
            self.define_derive(symbol);
        }
        Payload::Expr(self.expr(ExprOp::Own, symbol.0, 0))
    }

    /// What the parts of a definition say, apart from its name.
    pub(crate) fn complete_definition(&mut self, frame: &mut Frame, values: &[Value], params: Vec<Param>) {
        let symbol = frame.symbol;
        let own: Vec<Value> = values.iter().filter(|v| v.slot == Slot::Decorator).copied().collect();
        self.decorate(frame, &own);
        for value in values {
            self.describe(frame, value);
        }
        let bound = values.iter().find_map(|v| match (v.slot, v.payload) {
            (Slot::Name | Slot::Bind, Payload::Bound(bound)) => Some(bound),
            _ => None,
        });
        if let Some(bound) = bound {
            let qualifier = self.facts.symbols[symbol.index()].qualifier;
            self.describe_declarator(frame, bound, qualifier);
        }
        if self.language.implicit_return {
            self.note_returned(symbol, values);
        }
        let (flags, body) = (frame.flags, frame.body);
        let entry = &mut self.facts.symbols[symbol.index()];
        entry.flags.insert(flags);
        entry.params = params;
        entry.head_end = if body == u32::MAX { entry.span.end } else { body };
        if !frame.doc.is_empty() {
            entry.doc = frame.doc;
        }
        let (own, doc) = (entry.kind, entry.doc);
        if own.is_callable() {
            self.document_function(symbol, doc);
        } else if own.is_type() {
            self.document_type(symbol, doc);
        }
        let entry = &mut self.facts.symbols[symbol.index()];
        let declares = entry.kind.is_callable() && entry.kind != SymbolKind::Macro && !self.language.empty_bodies;
        if body == u32::MAX && declares {
            entry.flags.insert(Flags::DECLARATION);
        }
        let is_operator = bound.is_some_and(|b| self.bounds[b as usize].kind.is_some());
        if let Some(kind) = frame.kind.filter(|_| !is_operator) {
            self.change_kind(symbol, kind);
        }
    }

    /// The value of the body is what the function returns.
    fn note_returned(&mut self, symbol: SymbolId, values: &[Value]) {
        let body = values.iter().find(|v| v.slot == Slot::Body);
        if let Some(Value { payload: Payload::Expr(expr), .. }) = body
            && self.facts.symbols[symbol.index()].kind.is_callable()
        {
            self.facts.notes.push(Note { symbol, tie: Tie::Return, expr: *expr });
        }
    }

    /// What the form of a declarator says about the function: kind, owner, type.
    fn describe_declarator(&mut self, frame: &Frame, bound: u32, qualifier: StrId) {
        let entry = self.bounds[bound as usize];
        let around = self.type_around(frame, Slot::Returns, bound);
        let own = self.facts.symbols[frame.symbol.index()].kind;
        let member = own == SymbolKind::Function && qualifier.is_some() && !self.is_namespace(qualifier);
        let target = &mut self.facts.symbols[frame.symbol.index()];
        if !around.is_empty() {
            target.type_span = around;
        } else if target.type_span.is_empty() {
            target.type_span = entry.type_span;
        }
        if own.is_callable() && entry.kind.is_some() {
            target.kind = entry.kind.unwrap_or(own);
        } else if member {
            target.kind = SymbolKind::Method;
        }
    }

    /// The last scope of a qualifier is a namespace of this file.
    fn is_namespace(&self, qualifier: StrId) -> bool {
        let name = self.last_part(qualifier);
        let spaces = self.facts.symbols.iter().filter(|s| s.kind == SymbolKind::Namespace && s.name.is_some());
        spaces.into_iter().any(|s| self.words.text(s.name) == name)
    }

    fn last_part(&self, qualifier: StrId) -> &str {
        let text = self.words.text(qualifier);
        text.rsplit(self.language.separator).next().unwrap_or(text)
    }

    /// What stands right before the name may be a part of it.
    fn with_prefix(&mut self, (name, span, qualifier): (StrId, Span, StrId)) -> (StrId, Span, StrId) {
        for prefix in self.language.name_prefixes {
            let before = self.source[..span.start as usize].trim_ascii_end();
            if before.ends_with(prefix.as_bytes()) {
                let whole = Span::new((before.len() - prefix.len()) as u32, span.end);
                return (self.words.intern(&self.source[whole.range()]), whole, qualifier);
            }
        }
        (name, span, qualifier)
    }

    /// An impl block is named by its type, `<Type as Trait>` if it implements one.
    fn impl_name(&mut self, frame: &Frame, values: &[Value]) -> Option<(StrId, Span, StrId)> {
        if frame.act == Act::Def(SymbolKind::Operator) {
            // A conversion is named by what it converts to.
            let span = values.iter().find(|v| v.slot == Slot::Returns)?.span;
            return Some((self.words.intern(&self.source[span.range()]), span, StrId::NONE));
        }
        if frame.act != Act::Def(SymbolKind::Impl) {
            return None;
        }
        let own = values.iter().find(|v| v.slot == Slot::SelfType)?;
        let type_name = self.self_type_name(own).unwrap_or_else(|| self.tidy_name(own.span));
        let name = match values.iter().find(|v| v.slot == Slot::Implements) {
            Some(value) => {
                let trait_name = self.self_type_name(value)?;
                let name = format!("<{} as {}>", self.words.text(type_name), self.words.text(trait_name));
                self.words.intern_made(name)
            }
            None => type_name,
        };
        Some((name, own.span, StrId::NONE))
    }

    /// The name that a definition has although none is written: it stands where the definition begins.
    fn default_name(&mut self, frame: &Frame) -> Option<(StrId, Span, StrId)> {
        let name = self.table.rule(frame.rule).unnamed;
        let word = self.text(frame.span).iter().take_while(|b| b.is_ascii_alphanumeric()).count();
        let span = Span::new(frame.span.start, frame.span.start + word as u32);
        (!name.is_empty()).then(|| (self.words.intern_made(name.to_owned()), span, StrId::NONE))
    }

    fn name_in(&mut self, value: &Value) -> Option<(StrId, Span, StrId)> {
        match (value.slot, value.payload) {
            (Slot::Name, Payload::Text(span)) => {
                let span = trimmed(self.source, span);
                (!span.is_empty()).then(|| (self.words.intern(&self.source[span.range()]), span, StrId::NONE))
            }
            (Slot::WholeName, _) => {
                Some((self.words.intern(&self.source[value.span.range()]), value.span, StrId::NONE))
            }
            (Slot::Name | Slot::Bind, Payload::Bound(bound)) => {
                let bound = self.bounds[bound as usize];
                let qualifier = self.qualifier(bound.qualifier);
                Some((bound.name, bound.span, qualifier))
            }
            _ => None,
        }
    }

    /// The scopes before a name, without template arguments and trailing separators.
    pub(crate) fn qualifier(&mut self, span: Span) -> StrId {
        if span.is_empty() {
            return StrId::NONE;
        }
        let text = &self.source[span.range()];
        let text = String::from_utf8_lossy(text);
        let mut depth = 0;
        let outside = text.chars().filter(|c| {
            depth += i32::from(*c == '<');
            let keep = depth == 0 && !c.is_whitespace();
            depth -= i32::from(*c == '>');
            keep
        });
        let name: String = outside.collect();
        // The comma is that of a macro whose arguments are read as a qualified name.
        let name = name.trim_matches(':').trim_end_matches(['.', ',']);
        if name.is_empty() { StrId::NONE } else { self.words.intern_made(name.to_owned()) }
    }

    /// What one part of the header says about the symbol.
    fn describe(&mut self, frame: &Frame, value: &Value) {
        let symbol = frame.symbol;
        let expr = match value.payload {
            Payload::Expr(expr) => expr,
            _ => ExprId::NONE,
        };
        if value.slot == Slot::Base && !self.language.class_makers.is_empty() {
            self.inherits_made(symbol, value);
        }
        let entry = &mut self.facts.symbols[symbol.index()];
        let tie = match value.slot {
            // The shape of the type stands there.
            Slot::Type if frame.kind.is_some_and(SymbolKind::is_type) => return,
            Slot::Returns | Slot::Type => {
                entry.type_span = value.span;
                Tie::Type
            }
            Slot::Value => Tie::Init,
            // Another name for a method: it gives what the method gives.
            Slot::Callee if expr.is_some() => {
                let expr = self.expr(ExprOp::Call, expr.0, 0);
                self.facts.notes.push(Note { symbol, tie: Tie::Return, expr });
                return;
            }
            Slot::SelfType => {
                if let Some(id) = self.self_type_name(value).filter(|_| frame.act != Act::Def(SymbolKind::Impl)) {
                    self.facts.symbols[symbol.index()].qualifier = id;
                }
                Tie::SelfType
            }
            Slot::Qualifier => {
                if let Some(id) = self.type_name(value.span) {
                    self.facts.symbols[symbol.index()].qualifier = id;
                }
                return;
            }
            Slot::TypeParams => {
                if let Payload::Bound(bound) = value.payload {
                    let inner = self.facts.symbols[symbol.index()].inner;
                    self.bind(inner, bound, BindingKind::TypeParam, ExprId::NONE, ExprId::NONE);
                }
                return;
            }
            _ => return,
        };
        if expr.is_some() {
            self.facts.notes.push(Note { symbol, tie, expr });
        }
    }

    pub(crate) fn self_type_name(&mut self, value: &Value) -> Option<StrId> {
        self.type_name(value.span)
    }

    /// The last name of a type before its arguments.
    pub(crate) fn type_name(&mut self, span: Span) -> Option<StrId> {
        let text = &self.source[span.range()];
        let end = text.iter().position(|b| matches!(b, b'<' | b'[')).unwrap_or(text.len());
        let start = text[..end].iter().rposition(|b| !(b.is_ascii_alphanumeric() || *b == b'_')).map_or(0, |i| i + 1);
        (start < end).then(|| self.words.intern(&text[start..end]))
    }

    /// A base without the word that introduces it.
    fn without_base_word(&self, span: Span) -> Span {
        let word = self.language.base_word.as_bytes();
        match self.text(span).strip_prefix(word).filter(|_| !word.is_empty()) {
            Some(rest) if rest.first().is_some_and(u8::is_ascii_whitespace) => {
                Span::new(span.end - rest.trim_ascii_start().len() as u32, span.end)
            }
            _ => span,
        }
    }

    /// Registers a base type at the definition it stands in.
    pub(crate) fn add_base(&mut self, span: Span, expr: ExprId, tie: Tie) {
        let definition =
            self.frames.iter().rev().find(|f| matches!(f.act, Act::Def(_) | Act::DefOrRef(_) | Act::DefValue(_)));
        let Some(symbol) = definition.map(|f| f.symbol) else {
            // What is mixed in outside of all types is there for the whole file.
            if tie == Tie::Implements {
                self.facts.notes.push(Note { symbol: SymbolId(0), tie, expr });
            }
            return;
        };
        let span = self.without_base_word(span);
        // A generic base without arguments is its own name: it is one base.
        if self.facts.symbols[symbol.index()].bases.last() == Some(&span) {
            return;
        }
        self.facts.symbols[symbol.index()].bases.push(span);
        self.facts.notes.push(Note { symbol, tie, expr });
    }

    pub(crate) fn take_params(&mut self, frame: &Frame) -> Vec<Param> {
        if !frame.callable {
            return Vec::new();
        }
        let mut params = self.callables.pop().map(|c| c.params).unwrap_or_default();
        params.sort_by_key(|p| p.name.start.min(if p.type_span.is_empty() { u32::MAX } else { p.type_span.start }));
        params
    }

    fn change_kind(&mut self, symbol: SymbolId, kind: SymbolKind) {
        let entry = &mut self.facts.symbols[symbol.index()];
        match kind {
            SymbolKind::Getter => entry.flags.insert(Flags::GETTER),
            SymbolKind::Setter => entry.flags.insert(Flags::SETTER),
            _ => {}
        }
        entry.kind = kind;
    }

    /// Last decisions about a named symbol: constructor, constant, visibility; then its name is declared.
    pub(crate) fn settle(&mut self, symbol: SymbolId, visibility: Visibility) {
        let entry = &self.facts.symbols[symbol.index()];
        let (name, scope, kind, parent) = (entry.name, entry.scope, entry.kind, entry.parent);
        let text = self.words.text(name).to_owned();
        let qualifier = entry.qualifier;
        if kind == SymbolKind::Method && self.is_constructor(&text, parent, qualifier) {
            self.facts.symbols[symbol.index()].kind = SymbolKind::Constructor;
        }
        let constant = self.language.upper_constants && is_upper(&text)
            || self.language.capital_constants && text.starts_with(char::is_uppercase);
        if constant && matches!(kind, SymbolKind::Variable | SymbolKind::Field) {
            self.facts.symbols[symbol.index()].kind = SymbolKind::Constant;
        }
        let visibility = self.visible(visibility, &text, symbol);
        self.facts.symbols[symbol.index()].visibility = visibility;
        if self.is_inactive(self.facts.symbols[symbol.index()].name_span.start) {
            self.facts.symbols[symbol.index()].flags.insert(Flags::INACTIVE);
        }
        // Where a bare name may be a call, a method hides no variable and is none.
        let is_method = self.language.bare_calls && (kind.is_callable() || kind == SymbolKind::Property);
        if !is_method {
            self.declared.insert((scope, name));
        }
    }

    fn is_constructor(&self, name: &str, parent: SymbolId, qualifier: StrId) -> bool {
        self.language.constructors.iter().any(|word| match *word {
            "=" if qualifier.is_some() => self.last_part(qualifier) == name,
            "=" => {
                let parent = &self.facts.symbols[parent.index()];
                parent.name.is_some() && self.words.text(parent.name) == name
            }
            word => word == name,
        })
    }

    fn visible(&self, explicit: Visibility, name: &str, symbol: SymbolId) -> Visibility {
        if explicit != Visibility::Unknown {
            return explicit;
        }
        let parent = self.facts.symbols[self.facts.symbols[symbol.index()].parent.index()].kind;
        let by_place = self.language.visibility != DefaultVisibility::Capital;
        let own = self.facts.symbols[symbol.index()].kind;
        if own == SymbolKind::EnumMember
            || by_place && matches!(parent, SymbolKind::Trait | SymbolKind::Interface | SymbolKind::Protocol)
        {
            return Visibility::Public;
        }
        match self.language.visibility {
            DefaultVisibility::Always(visibility) => visibility,
            DefaultVisibility::Underscore => match name.starts_with('_') && !name.ends_with("__") {
                true => Visibility::Private,
                false => Visibility::Public,
            },
            DefaultVisibility::Nested if own.is_module() => Visibility::Public,
            DefaultVisibility::Nested => match parent.is_module() {
                true => Visibility::Internal,
                false => Visibility::Private,
            },
            DefaultVisibility::Capital => match name.chars().next().is_some_and(char::is_uppercase) {
                true => Visibility::Public,
                false => Visibility::Private,
            },
            DefaultVisibility::Exported => self.exported_visibility(name, symbol),
            DefaultVisibility::PublicSections => self.public_section(symbol),
            DefaultVisibility::Sections => self.section_visibility(symbol),
        }
    }

    fn exported_visibility(&self, name: &str, symbol: SymbolId) -> Visibility {
        let entry = &self.facts.symbols[symbol.index()];
        let parent = self.facts.symbols[entry.parent.index()].kind;
        // What has an object in its hands has its members.
        let of_object = self.facts.scopes[entry.scope.index()].kind == ScopeKind::Type;
        // All that a namespace without bodies declares is seen from outside.
        let is_ambient = |frame: &Frame| {
            frame.symbol != symbol
                && frame.flags.has(Flags::DECLARATION)
                && self.facts.symbols.get(frame.symbol.index()).is_some_and(|s| s.kind == SymbolKind::Namespace)
        };
        let public = match parent.is_module() && !of_object {
            true => entry.flags.has(Flags::EXPORT) || self.frames.iter().any(is_ambient),
            false => (of_object || !parent.is_callable()) && !name.starts_with('#'),
        };
        if public || entry.qualifier.is_some() { Visibility::Public } else { Visibility::Private }
    }

    /// The section of the type around it: the visibility last set on the type's frame.
    fn section_visibility(&self, symbol: SymbolId) -> Visibility {
        let parent = self.facts.symbols[symbol.index()].parent;
        let around = self.frames.iter().rev().find(|f| f.symbol == parent && f.symbol != symbol);
        match around {
            Some(frame) if frame.section != Visibility::Unknown => frame.section,
            _ => {
                let is_static = self.facts.symbols[symbol.index()].flags.has(Flags::STATIC);
                match self.facts.symbols[parent.index()].kind {
                    SymbolKind::Class => Visibility::Private,
                    kind if kind.is_module() && is_static => Visibility::Private,
                    _ => Visibility::Public,
                }
            }
        }
    }

    /// The visibility that a section gave to the members that follow, public without one.
    fn public_section(&self, symbol: SymbolId) -> Visibility {
        let around = self.frames.iter().rev().find(|f| is_section_frame(f) && f.symbol != symbol);
        let section = around.map_or(Visibility::Unknown, |f| f.section);
        if section == Visibility::Unknown { Visibility::Public } else { section }
    }

    /// `public:` sets the visibility for the members that follow.
    pub(crate) fn close_section(&mut self, frame: &Frame) -> Payload {
        if frame.ctx != Ctx::Skip {
            self.set_section(frame.visibility);
        }
        Payload::Nothing
    }

    pub(crate) fn set_section(&mut self, visibility: Visibility) {
        let around = self.frames.iter_mut().rev().find(|f| is_section_frame(f));
        if let Some(frame) = around {
            frame.section = visibility;
        }
    }

    /// A definition without a name: its children belong to the symbol around it.
    fn dissolve(&mut self, frame: &Frame) -> Payload {
        self.dissolved.push(frame.symbol);
        if self.lend_shape(frame) {
            return Payload::Nothing;
        }
        if frame.body != u32::MAX {
            self.facts.symbols[frame.symbol.index()].head_end = frame.body;
        }
        Payload::Expr(self.expr(ExprOp::Own, frame.symbol.0, 0))
    }

    /// `type Name struct { … }`: the named definition around becomes what the nameless one in its type slot is.
    fn lend_shape(&mut self, frame: &Frame) -> bool {
        let depth = self.frames.len() - 1;
        let Some(around) = self.frames[..depth].last().copied() else { return false };
        if around.act != Act::Def(SymbolKind::TypeAlias) || frame.slot != Slot::Type {
            return false;
        }
        let (from, to) = (frame.symbol.index(), around.symbol.index());
        let brace = self.text(frame.span).iter().position(|b| *b == b'{').map(|i| frame.span.start + i as u32);
        self.frames[depth - 1].kind = Some(self.facts.symbols[from].kind);
        self.frames[depth - 1].body = if frame.body == u32::MAX { brace.unwrap_or(u32::MAX) } else { frame.body };
        self.facts.symbols[to].bases = std::mem::take(&mut self.facts.symbols[from].bases);
        self.facts.symbols[to].inner = self.facts.symbols[from].inner;
        for note in self.facts.notes.iter_mut().rev().take_while(|n| n.symbol >= frame.symbol) {
            if note.symbol == frame.symbol {
                note.symbol = around.symbol;
            }
        }
        true
    }

    /// A statement that declares one thing: the keyword before it is a part of it.
    pub(crate) fn close_declaration(&mut self, frame: &Frame) -> Payload {
        if frame.children == 1 {
            for symbol in &mut self.facts.symbols[frame.first_symbol as usize..] {
                if symbol.scope == frame.outer {
                    let ends_there = symbol.head_end == symbol.span.end;
                    symbol.span = frame.span;
                    symbol.head_end = if ends_there { frame.span.end } else { symbol.head_end };
                }
            }
        }
        Payload::Nothing
    }

    fn reference_instead(&mut self, frame: &Frame, name: StrId, span: Span) -> Payload {
        self.dissolved.push(frame.symbol);
        let kind = match frame.ctx {
            Ctx::Inherit => RefKind::Inherit,
            Ctx::Class => RefKind::Instantiation,
            _ => RefKind::TypeRef,
        };
        self.scope = frame.outer;
        let reference = self.reference(name, span, kind, ExprId::NONE);
        self.facts.refs[reference.index()].args = 1;
        Payload::Expr(self.expr(ExprOp::Ref, reference.0, 0))
    }

    pub(crate) fn close_package(&mut self, frame: &Frame) -> Payload {
        let span = self.values_of(frame).iter().find_map(|v| match (v.slot, v.payload) {
            (Slot::Name, Payload::Text(span)) => Some(span),
            (Slot::Name, _) => Some(v.span),
            _ => None,
        });
        if let Some(span) = span {
            self.facts.package = self.words.intern(&self.source[span.range()]);
        }
        Payload::Nothing
    }
}

/// Nodes whose members can be in sections.
fn is_section_frame(frame: &Frame) -> bool {
    matches!(frame.act, Act::Def(_) | Act::DefOrRef(_) | Act::Scope(ScopeKind::Type))
}

/// A span without white space at its ends.
pub(crate) fn trimmed(source: &[u8], span: Span) -> Span {
    let text = &source[span.range()];
    let start = text.iter().position(|b| !b.is_ascii_whitespace()).unwrap_or(text.len());
    let end = text.iter().rposition(|b| !b.is_ascii_whitespace()).map_or(start, |i| i + 1);
    Span::new(span.start + start as u32, span.start + end as u32)
}

fn is_upper(name: &str) -> bool {
    name.chars().any(char::is_uppercase) && !name.chars().any(char::is_lowercase)
}
