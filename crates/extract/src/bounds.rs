//! What is said about types apart from where they are declared: bounds of type parameters, members of what they name.

use codegraph_languages::table::{Act, Slot};
use codegraph_model::*;

use crate::frame::*;
use crate::walk::Walk;

impl Walk<'_> {
    /// `where T: Bound`: the parameter is declared elsewhere, maybe later in the walk.
    pub(crate) fn close_type_bound(&mut self, frame: &Frame) -> Payload {
        let (left, bound) = (self.expr_in(frame, Slot::Returns), self.expr_in(frame, Slot::Type));
        if let (Some(left), true) = (left.get().map(|e| self.facts.exprs[e.index()]), bound.is_some())
            && left.op == ExprOp::Ref
            && self.facts.refs[left.a as usize].receiver.is_none()
        {
            self.type_bounds.push((self.scope, self.facts.refs[left.a as usize].name, bound));
        }
        Payload::Nothing
    }

    /// `#[path = "file"] mod name;`: the file of a module that is not where modules are.
    pub(crate) fn note_path(&mut self, symbol: SymbolId) {
        let (word, entry) = (self.language.path_attribute, &self.facts.symbols[symbol.index()]);
        if word.is_empty() || !entry.kind.is_module() || entry.decorators.is_empty() {
            return;
        }
        let quoted = entry.decorators.iter().find_map(|span| {
            let text = std::str::from_utf8(self.text(*span)).ok()?;
            let value = text.trim_start_matches(['#', '[', ' ']).strip_prefix(word)?.trim_start().strip_prefix('=')?;
            value.split('"').nth(1)
        });
        if let Some(path) = quoted {
            let path = self.words.intern_made(path.to_owned());
            let expr = self.expr(ExprOp::Literal, Literal::String as u32, path.0);
            self.facts.notes.push(Note { symbol, tie: Tie::Init, expr });
        }
    }

    /// `Trait<Name = Type>`: the name is a member of the trait.
    pub(crate) fn close_type_binding(&mut self, frame: &Frame) -> Payload {
        let around = self.frames[..self.frames.len() - 1].iter().rev().find(|f| f.act == Act::Apply).copied();
        let of = around.map_or(ExprId::NONE, |apply| self.expr_in(&apply, Slot::Object));
        if let (Some(Value { payload: Payload::Text(span), .. }), true) =
            (self.value(frame, Slot::Property), of.is_some())
        {
            let name = self.words.intern(&self.source[span.range()]);
            self.reference(name, span, RefKind::TypeRef, of);
        }
        Payload::Nothing
    }
}

/// Gives type parameters the bounds that are said apart from them.
pub(crate) fn add_type_bounds(facts: &mut FileFacts, bounds: &[(ScopeId, StrId, ExprId)]) {
    for (scope, name, bound) in bounds {
        let mut scope = *scope;
        while scope.is_some() {
            let named = |b: &Binding| b.kind == BindingKind::TypeParam && b.scope == scope && b.name == *name;
            if let Some(place) = facts.bindings.iter().position(named) {
                let known = facts.bindings[place].ty;
                facts.bindings[place].ty = match known.is_some() {
                    false => *bound,
                    true => {
                        facts.exprs.push(Expr { op: ExprOp::Either, a: known.0, b: bound.0 });
                        ExprId(facts.exprs.len() as u32 - 1)
                    }
                };
                break;
            }
            scope = facts.scopes[scope.index()].parent;
        }
    }
}
