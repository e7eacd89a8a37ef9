//! Type tests: where one holds, what it tests is of the type that it names.
//!
//! A test holds in what follows it after `&&`, in the part that runs if the condition around it is true, and, where it says
//! what is not so, in the other part and behind a part that does not come to its end.

use codegraph_languages::table::{Act, Op, Slot};
use codegraph_model::*;

use crate::frame::*;
use crate::walk::Walk;

/// A test whose condition, or what depends on it, is being read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Check {
    /// The place among the open nodes of what the condition decides about, or of the outermost operand.
    depth: usize,
    /// What the variable was before.
    before: Binding,
    ty: ExprId,
    at: Span,
    /// The variable is of the type if the condition is true; else if it is false.
    positive: bool,
    /// It is known to be of the type where the walk is.
    holds: bool,
    /// The condition decides about something.
    decides: bool,
    condition_end: u32,
    otherwise: u32,
}

/// What the operators around a test make of it.
struct Around {
    positive: bool,
    and: bool,
    or: bool,
    /// An operand follows that is looked at only if the test says so.
    more: bool,
    owner: usize,
    decides: bool,
}

impl Walk<'_> {
    /// `x is T`, or `is T` about what the node around looks at.
    pub(crate) fn close_check(&mut self, frame: &Frame) -> Payload {
        let ty = self.value(frame, Slot::Type);
        if let Some(Value { payload: Payload::Expr(ty), span, .. }) = ty {
            let operand = self.value(frame, Slot::Object);
            let start = operand.map_or(frame.span.start, |v| v.span.end);
            let between = self.text(Span::new(start, span.start.max(start))).trim_ascii();
            let denied = between == self.language.checks.not.as_bytes();
            let name = match operand.map(|v| v.payload) {
                Some(payload) => self.plain_name(payload),
                None => self.subject_name(),
            };
            if let Some((name, at)) = name {
                self.check(frame, name, at, ty, !denied);
            }
        }
        self.new_expr(ExprOp::Literal, Literal::Test as u32, u32::MAX)
    }

    fn plain_name(&self, payload: Payload) -> Option<(StrId, Span)> {
        let Payload::Expr(expr) = payload else { return None };
        let node = self.facts.exprs[expr.index()];
        let reference = (node.op == ExprOp::Ref).then(|| self.facts.refs[node.a as usize])?;
        (reference.receiver.is_none() && reference.name.is_some()).then_some((reference.name, reference.span))
    }

    /// The variable that the cases around are about.
    fn subject_name(&self) -> Option<(StrId, Span)> {
        let subjects = self.frames.iter().rev().filter_map(|f| self.value(f, Slot::Subject));
        let subject = subjects.into_iter().next()?;
        match subject.payload {
            Payload::Bound(bound) => Some((self.bounds[bound as usize].name, self.bounds[bound as usize].span)),
            payload => self.plain_name(payload),
        }
    }

    fn check(&mut self, frame: &Frame, name: StrId, at: Span, ty: ExprId, positive: bool) {
        // What is no variable is a member of the receiver.
        let before = self.variable(name).unwrap_or_else(|| self.as_member(name, at));
        let around = self.around(frame, positive);
        let both = around.and && around.or;
        let useful = if around.positive { !around.or } else { !around.and } && !both;
        let twice = |c: &&mut Check| c.depth == around.owner && c.before.name == name && c.condition_end != 0;
        if let Some(other) = self.checks.iter_mut().find(twice) {
            // One of several cases: it may be any of them.
            let other = std::mem::replace(&mut other.holds, false).then_some(other.before);
            if let Some(before) = other {
                self.again(before, frame.span.end);
            }
            return;
        }
        if !useful || !around.decides && !around.more {
            return;
        }
        let holds = around.positive || around.more;
        let check = Check {
            depth: around.owner,
            before,
            ty,
            at,
            positive: around.positive,
            holds,
            decides: around.decides,
            condition_end: 0,
            otherwise: 0,
        };
        if holds {
            self.narrow_from(&check, frame.span.end);
        }
        self.checks.push(check);
    }

    /// The last thing that is known about a variable of the functions around.
    fn variable(&self, name: StrId) -> Option<Binding> {
        let mut scope = self.scope;
        while scope.is_some() && !self.declared.contains(&(scope, name)) {
            scope = self.facts.scopes[scope.index()].parent;
        }
        let scope = scope.get()?;
        self.facts.bindings.iter().rev().find(|b| b.scope == scope && b.name == name).copied()
    }

    fn around(&self, frame: &Frame, positive: bool) -> Around {
        let mut around = Around { positive, and: false, or: false, more: false, owner: 0, decides: false };
        let (mut child, mut slot) = (frame.span, frame.slot);
        around.owner = self.frames.len() - 1;
        for (place, outer) in self.frames[..self.frames.len() - 1].iter().enumerate().rev() {
            if slot == Slot::Condition {
                (around.owner, around.decides) = (place, true);
                return around;
            }
            let before = self.source[..child.start as usize].trim_ascii_end();
            let after = self.source[child.end as usize..].trim_ascii_start();
            match outer.act {
                Act::Unary(Op::Test) => {
                    let first = after.starts_with(b"&&") || after.starts_with(b"||");
                    let (and, or) = match first {
                        true => (after.starts_with(b"&&"), after.starts_with(b"||")),
                        false => (before.ends_with(b"&&"), before.ends_with(b"||")),
                    };
                    if !and && !or {
                        return around;
                    }
                    around.and |= and;
                    around.or |= or;
                    around.more |= first && (and == around.positive || or != around.positive);
                    around.owner = place;
                }
                Act::Pass => {}
                Act::Opaque if before.ends_with(b"!") && outer.span.start + 1 == child.start => {
                    around.positive = !around.positive;
                }
                Act::Opaque if outer.span == child => {}
                _ => return around,
            }
            (child, slot) = (outer.span, outer.slot);
        }
        around
    }

    /// A member of the receiver, which has no binding.
    fn as_member(&self, name: StrId, span: Span) -> Binding {
        let (kind, none) = (BindingKind::Again, ExprId::NONE);
        Binding { kind, name, span, scope: ScopeId::NONE, from: 0, ty: none, init: none }
    }

    /// The value of a member of the receiver, as the tests around say it.
    pub(crate) fn checked_member(&mut self, name: StrId, payload: Payload) -> Payload {
        match self.members.iter().rev().find(|(member, _)| *member == name) {
            Some((_, ty)) if matches!(payload, Payload::Expr(_)) => self.new_expr(ExprOp::Typed, ty.0, 0),
            _ => payload,
        }
    }

    fn narrow_from(&mut self, check: &Check, from: u32) {
        if check.before.scope.is_none() {
            self.members.push((check.before.name, check.ty));
            return;
        }
        let (kind, init) = (BindingKind::Again, ExprId::NONE);
        let Binding { name, scope, .. } = check.before;
        self.facts.bindings.push(Binding { kind, name, span: check.at, scope, from, ty: check.ty, init });
    }

    fn again(&mut self, before: Binding, from: u32) {
        if before.scope.is_none() {
            if let Some(place) = self.members.iter().rposition(|(name, _)| *name == before.name) {
                self.members.remove(place);
            }
            return;
        }
        self.facts.bindings.push(Binding { kind: BindingKind::Again, from, ..before });
    }

    /// The part that runs if the condition is not true begins.
    pub(crate) fn begin_otherwise(&mut self, start: u32) {
        let depth = self.frames.len() - 1;
        for place in 0..self.checks.len() {
            let check = self.checks[place];
            if check.depth != depth || !check.decides {
                continue;
            }
            self.checks[place].otherwise = start;
            match check.positive {
                true if check.holds => self.again(check.before, start),
                true => {}
                false => self.narrow_from(&check, start),
            }
            self.checks[place].holds = !check.positive;
        }
    }

    /// A node is closed: what was known inside it may no longer be.
    pub(crate) fn end_checks(&mut self, frame: &Frame) {
        let depth = self.frames.len() - 1;
        for place in 0..self.checks.len() {
            let check = self.checks[place];
            if frame.slot == Slot::Condition && check.decides && check.depth + 1 == depth && check.condition_end == 0 {
                self.checks[place].condition_end = frame.span.end;
                if !check.positive && check.holds {
                    self.again(check.before, frame.span.end);
                    self.checks[place].holds = false;
                }
            }
        }
        while let Some(check) = self.checks.pop_if(|check| check.depth >= depth) {
            let end = if check.otherwise == 0 { frame.span.end } else { check.otherwise };
            let dead = match (check.positive, check.otherwise) {
                _ if !check.decides || check.condition_end == 0 => false,
                (false, _) => self.jumps(Span::new(check.condition_end, end)),
                (true, 0) => false,
                (true, start) => self.jumps(Span::new(start, frame.span.end)),
            };
            match dead {
                true => self.narrow_behind(&check, frame.span.end),
                false if check.holds => self.again(check.before, frame.span.end),
                false => {}
            }
        }
    }

    /// What a test has shown stays so up to the end of the block around.
    fn narrow_behind(&mut self, check: &Check, from: u32) {
        self.narrow_from(check, from);
        let block = self.frames[..self.frames.len() - 1].iter().rposition(|f| matches!(f.act, Act::Scope(_)));
        if let Some(depth) = block {
            let rest = Check { depth, decides: false, holds: true, condition_end: 1, ..*check };
            let place = self.checks.partition_point(|other| other.depth <= depth);
            self.checks.insert(place, rest);
        }
    }

    /// Whether what runs does not come to its end.
    fn jumps(&self, span: Span) -> bool {
        let text = self.text(span).trim_ascii();
        let text = text.strip_prefix(b")").unwrap_or(text).trim_ascii_start();
        let text = text.strip_suffix(b"}").unwrap_or(text).trim_ascii_end();
        let last = text.rsplit(|b| matches!(b, b'\n' | b';' | b'{')).next().unwrap_or(text).trim_ascii();
        let is_word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
        let word = &last[..last.iter().position(|b| !is_word(b)).unwrap_or(last.len())];
        self.language.checks.jumps.iter().any(|jump| jump.as_bytes() == word)
    }
}
