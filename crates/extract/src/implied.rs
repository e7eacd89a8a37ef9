//! Names that are declared or get another type without a declaration: variables that are passed by reference or indexed
//! before anything was assigned to them, and operands of type tests.

use codegraph_languages::table::{Act, Slot};
use codegraph_model::*;

use crate::frame::*;
use crate::walk::Walk;

/// What a variable was before a test said more.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Narrowed {
    /// How many nodes are open around the branches.
    depth: usize,
    /// None for a member of the receiver, of which it was the last that was tested.
    before: Option<Binding>,
}

impl Walk<'_> {
    /// Variables that are new among the arguments of a call are declared by it: only a reference can take them.
    pub(crate) fn declare_passed(&mut self, frame: &Frame) {
        if !self.language.uses_declare {
            return;
        }
        for i in frame.values as usize..self.values.len() {
            if let Payload::Expr(expr) = self.values[i].payload
                && self.declare_used(expr)
            {
                self.values[i].payload = Payload::Nothing;
            }
        }
    }

    /// Declares a variable that is new where it is used; the use is its declaration then.
    pub(crate) fn declare_used(&mut self, expr: ExprId) -> bool {
        let node = self.facts.exprs[expr.index()];
        if !self.language.uses_declare || node.op != ExprOp::Ref || !self.is_in_function() {
            return false;
        }
        let Reference { name, span, receiver, .. } = self.facts.refs[node.a as usize];
        let scope = self.hoist_scope();
        if name.is_none() || receiver.is_some() || !self.is_variable(span) || self.is_known_variable(name) {
            return false;
        }
        self.facts.refs[node.a as usize].name = StrId::NONE;
        self.declared.insert((scope, name));
        let (kind, none) = (BindingKind::Local, ExprId::NONE);
        self.facts.bindings.push(Binding { kind, name, span, scope, from: span.end, ty: none, init: none });
        true
    }

    fn is_in_function(&self) -> bool {
        self.declaring_kind() == ScopeKind::Function
    }

    /// Whether one of the functions around has the variable: those without a name may see it.
    fn is_known_variable(&self, name: StrId) -> bool {
        if self.is_about_to_be_bound(name) {
            return true;
        }
        let mut scope = self.scope;
        while scope.is_some() {
            if self.declared.contains(&(scope, name)) {
                return true;
            }
            scope = self.facts.scopes[scope.index()].parent;
        }
        false
    }

    /// `$x instanceof T`: from here on the variable is one.
    pub(crate) fn narrow(&mut self, frame: &Frame, operand: ExprId) {
        if self.language.narrows.is_empty() || !self.is_in_function() {
            return;
        }
        let (left, right) = (self.value(frame, Slot::Object), self.value(frame, Slot::Expr));
        let (Some(left), Some(Value { payload: Payload::Expr(ty), span, .. })) = (left, right) else { return };
        let between = &self.source[left.span.end as usize..span.start as usize];
        if between.trim_ascii() != self.language.narrows.as_bytes() || self.facts.exprs[ty.index()].op != ExprOp::Ref {
            return;
        }
        let node = self.facts.exprs[operand.index()];
        let named = self.facts.exprs[ty.index()].a as usize;
        if self.facts.refs[named].kind == RefKind::Read {
            self.facts.refs[named].kind = RefKind::TypeRef;
        }
        if node.op != ExprOp::Ref {
            return;
        }
        if let Some(receiver) = self.facts.refs[node.a as usize].receiver.get() {
            if self.facts.exprs[receiver.index()].op == ExprOp::This {
                self.narrow_member(node.a as usize, left.span, ty);
            }
            return;
        }
        let Reference { name, span: at, .. } = self.facts.refs[node.a as usize];
        let scope = self.hoist_scope();
        self.remember_before(scope, name, at);
        let (kind, init) = (BindingKind::Again, ExprId::NONE);
        self.facts.bindings.push(Binding { kind, name, span: at, scope, from: span.end, ty, init });
    }

    /// Keeps what a variable was, for what comes after the branches.
    fn remember_before(&mut self, scope: ScopeId, name: StrId, at: Span) {
        let before = &self.source[..at.start as usize];
        let head = before.trim_ascii_end();
        let head = head.strip_suffix(b"(").unwrap_or(head).trim_ascii_end();
        let branch = self.frames.iter().rposition(|f| f.act == Act::Branch);
        let last = self.facts.bindings.iter().rev().find(|b| b.scope == scope && b.name == name);
        // `if (!$x instanceof T) return;` holds for all that follows.
        if let (Some(depth), Some(last), false) = (branch, last.copied(), head.ends_with(b"!")) {
            self.narrowed.push(Narrowed { depth, before: Some(last) });
        }
    }

    /// The same for a member of the receiver: up to the end of the branches, or of the function.
    fn narrow_member(&mut self, reference: usize, at: Span, ty: ExprId) {
        let before = self.source[..at.start as usize].trim_ascii_end();
        let before = before.strip_suffix(b"(").unwrap_or(before).trim_ascii_end();
        let branch = self.frames.iter().rposition(|f| f.act == Act::Branch);
        let around = match (branch, before.ends_with(b"!")) {
            (Some(depth), false) => Some(depth),
            _ => self.frames.iter().rposition(|f| f.callable),
        };
        if let Some(depth) = around {
            self.members.push((self.facts.refs[reference].name, ty));
            let place = self.narrowed.partition_point(|n| n.depth <= depth);
            self.narrowed.insert(place, Narrowed { depth, before: None });
        }
    }

    /// What was known about members of the receiver ends with the function.
    pub(crate) fn end_narrowed(&mut self) {
        let depth = self.frames.len() - 1;
        while self.narrowed.pop_if(|n| n.depth >= depth && n.before.is_none()).is_some() {
            self.members.pop();
        }
    }

    /// After the branches, variables are what they were before.
    pub(crate) fn close_branch(&mut self, frame: &Frame) -> Payload {
        let depth = self.frames.len() - 1;
        while let Some(narrowed) = self.narrowed.pop_if(|n| n.depth >= depth) {
            match narrowed.before {
                Some(before) => {
                    self.facts.bindings.push(Binding { kind: BindingKind::Again, from: frame.span.end, ..before });
                }
                None => {
                    self.members.pop();
                }
            }
        }
        Payload::Nothing
    }
}
