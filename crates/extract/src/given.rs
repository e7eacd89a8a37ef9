//! Members that a function or an object is given as a whole: an object in the place of a prototype, one that is made from
//! another prototype, and calls that add members (`Object.assign`, `Object.defineProperty`).

use codegraph_languages::table::{Giver, MemberAssignments, Slot};
use codegraph_model::*;

use crate::frame::*;
use crate::walk::Walk;
use crate::words::is_word_byte;

impl Walk<'_> {
    /// `A.prototype = { … }` gives `A` members, `A.prototype = Object.create(B.prototype)` a base.
    pub(crate) fn assign_prototype(&mut self, frame: &Frame, init: ExprId) {
        let Some(rules) = self.language.member_assignments else { return };
        let Some(target) = self.value(frame, Slot::Target) else { return };
        let Some(owner) = self.owner_of_prototype(rules, target.span) else { return };
        let name = self.words.intern(&self.source[owner.range()]);
        if let Some(Expr { op: ExprOp::Shape, a, .. }) = init.get().map(|init| self.facts.exprs[init.index()]) {
            return self.give_members(ScopeId(a), name);
        }
        let Some(value) = self.value(frame, Slot::Value) else { return };
        let text = self.text(value.span);
        let Some(maker) = rules.makers.iter().find(|maker| text.starts_with(maker.as_bytes())) else { return };
        let inside = Span::new(value.span.start + maker.len() as u32, value.span.end);
        if let Some(base) = self.named_in(rules, inside) {
            self.facts.refs[base as usize].kind = RefKind::Inherit;
            let expr = self.expr(ExprOp::Ref, base, 0);
            self.inherited.push((name, expr));
        }
    }

    /// The name before `.prototype`.
    fn owner_of_prototype(&self, rules: MemberAssignments, span: Span) -> Option<Span> {
        let text = self.text(span);
        let owner = rules.transparent.iter().find_map(|word| text.strip_suffix(word.as_bytes())?.strip_suffix(b"."))?;
        owner.iter().all(|b| is_word_byte(*b)).then(|| Span::new(span.start, span.start + owner.len() as u32))
    }

    /// The last name of a path inside a place that stands for an object: `a.B` of `a.B.prototype, {}`.
    fn named_in(&self, rules: MemberAssignments, span: Span) -> Option<u32> {
        let inside = |r: &Reference| span.start <= r.span.start && r.span.end <= span.end;
        let refs = (0..self.facts.refs.len() as u32).rev();
        let refs = refs.take_while(|i| self.facts.refs[*i as usize].span.start >= span.start);
        let mut names: Vec<u32> = refs.filter(|i| inside(&self.facts.refs[*i as usize])).collect();
        names.sort_unstable_by_key(|i| self.facts.refs[*i as usize].span.start);
        let first = *names.first().filter(|i| self.facts.refs[**i as usize].receiver.is_none())?;
        let mut last = first;
        for next in names.into_iter().skip(1) {
            let reference = self.facts.refs[next as usize];
            let on_last = reference.receiver.get().is_some_and(|receiver| {
                let expr = self.facts.exprs[receiver.index()];
                expr.op == ExprOp::Ref && expr.a == last
            });
            if !on_last || rules.transparent.contains(&self.words.text(reference.name)) {
                break;
            }
            last = next;
        }
        Some(last)
    }

    /// The functions of an object that is written out belong to what it is given to.
    fn give_members(&mut self, scope: ScopeId, owner: StrId) {
        for symbol in self.facts.symbols.iter_mut().filter(|s| s.scope == scope && s.kind.is_callable()) {
            symbol.qualifier = owner;
        }
    }

    /// Whether the value of a call is what its first argument is.
    pub(crate) fn passes_first(&self, frame: &Frame) -> bool {
        let Some(rules) = self.language.member_assignments else { return false };
        let callee = self.value(frame, Slot::Callee).map(|callee| self.text(callee.span));
        callee.is_some_and(|callee| rules.passes.iter().any(|name| name.as_bytes() == callee))
    }

    /// A call that gives members to its first argument.
    pub(crate) fn note_given(&mut self, frame: &Frame, reference: u32) {
        let Some(rules) = self.language.member_assignments else { return };
        let word = self.words.text(self.facts.refs[reference as usize].name);
        if !rules.givers.iter().any(|(name, _)| name.rsplit('.').next() == Some(word)) {
            return;
        }
        let (Some(callee), Some(args)) = (self.value(frame, Slot::Callee), self.value(frame, Slot::Args)) else {
            return;
        };
        let callee = self.text(callee.span);
        let Some((_, giver)) = rules.givers.iter().find(|(name, _)| name.as_bytes() == callee) else { return };
        let text = self.text(args.span);
        let Some(comma) = memchr::memchr(b',', text) else { return };
        let open = usize::from(text.first() == Some(&b'('));
        let lead = text[open..comma].iter().take_while(|b| b.is_ascii_whitespace()).count();
        let first = text[open + lead..comma].trim_ascii_end();
        let start = args.span.start + (open + lead) as u32;
        let first = Span::new(start, start + first.len() as u32);
        let is_name = |text: &[u8]| !text.is_empty() && text.iter().all(|b| is_word_byte(*b));
        let owner = match self.owner_of_prototype(rules, first) {
            Some(owner) => owner,
            None if is_name(self.text(first)) && !rules.exports.iter().any(|e| e.as_bytes() == self.text(first)) => {
                first
            }
            None => return,
        };
        let owner = self.words.intern(&self.source[owner.range()]);
        let rest = Span::new(args.span.start + comma as u32, args.span.end);
        let objects = self.outermost_objects(rest);
        match giver {
            Giver::Members => objects.into_iter().for_each(|object| self.give_members(object, owner)),
            Giver::Member => {
                if let (Some(name), [object]) = (self.quoted_name(rest), objects.as_slice()) {
                    self.give_member(*object, owner, name);
                }
            }
        }
    }

    /// The objects that are written out as arguments.
    fn outermost_objects(&self, span: Span) -> Vec<ScopeId> {
        let mut found: Vec<(Span, ScopeId)> = Vec::new();
        for (at, scope) in self.facts.scopes.iter().enumerate().rev().take_while(|(_, s)| s.span.start >= span.start) {
            if scope.kind == ScopeKind::Type && scope.span.end <= span.end {
                found.push((scope.span, ScopeId(at as u32)));
            }
        }
        let outer = |own: Span| !found.iter().any(|(other, _)| other.start < own.start && own.end <= other.end);
        found.iter().filter(|(own, _)| outer(*own)).map(|(_, scope)| *scope).collect()
    }

    /// The name in the string that an argument starts with.
    fn quoted_name(&self, rest: Span) -> Option<Span> {
        let text = self.text(rest);
        let start = 1 + text[1..].iter().take_while(|b| b.is_ascii_whitespace()).count();
        if !matches!(text.get(start), Some(b'\'' | b'"')) {
            return None;
        }
        let length = text[start + 1..].iter().take_while(|b| is_word_byte(**b)).count();
        let closes = text.get(start + 1 + length) == text.get(start);
        let from = rest.start + start as u32 + 1;
        (length > 0 && closes).then(|| Span::new(from, from + length as u32))
    }

    /// `{ get() { … } }` or `{ value: function … }` defines the member that a string names.
    fn give_member(&mut self, object: ScopeId, owner: StrId, name_span: Span) {
        let is_value = |s: &Symbol| s.scope == object && s.kind.is_callable() && s.name.is_some();
        let found =
            self.facts.symbols.iter().position(|s| is_value(s) && matches!(self.words.text(s.name), "get" | "value"));
        let Some(place) = found else { return };
        let gets = self.words.text(self.facts.symbols[place].name) == "get";
        let name = self.words.word(name_span.start as usize, name_span.end as usize, TermMask::CODE);
        let symbol = &mut self.facts.symbols[place];
        symbol.kind = if gets { SymbolKind::Getter } else { SymbolKind::Method };
        symbol.name = name;
        symbol.span.start = name_span.start.min(symbol.span.start);
        symbol.name_span = name_span;
        symbol.qualifier = owner;
    }
}
