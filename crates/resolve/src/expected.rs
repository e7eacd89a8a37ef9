//! What the type parameters of a function stand for in a call whose arguments are not kept: the types that are written
//! with it, and what the variable has to be that the call is assigned to.

use std::sync::Arc;

use codegraph_model::*;

use crate::infer::gather;
use crate::lookup::Linker;
use crate::types::{Ty, types};
use crate::{Sym, Unit};

impl Linker<'_> {
    /// What a function takes in a call, seen from what is written around the call.
    pub(crate) fn as_expected(&mut self, unit: &Arc<Unit>, takes: ExprId, function: &Ty, ty: Ty) -> Ty {
        let Ty::Callable(sym, _) = function else { return ty };
        if !unit.language.linking.declared_overloads || !ty.is_open() {
            return ty;
        }
        match self.instance_of_function(unit, takes, *sym) {
            Some(of) => self.substitute(ty, &of),
            None => ty,
        }
    }

    /// A generic function with its type arguments, as a type.
    fn instance_of_function(&mut self, unit: &Arc<Unit>, takes: ExprId, sym: Sym) -> Option<Ty> {
        let owner = self.unit(sym.file);
        let params: Vec<u32> = owner.type_params_of(owner.symbol(sym.symbol).inner).collect();
        if params.is_empty() {
            return None;
        }
        let own = |binding: &u32| Ty::Parameter(sym.file, *binding);
        let callee = unit.facts.exprs[takes.index()].a;
        let written = unit.facts.exprs[callee as usize];
        let mut meanings: Vec<(Ty, Ty)> = Vec::new();
        if written.op == ExprOp::Apply {
            let args = self.type_list(unit, ExprId(written.b));
            meanings.extend(params.iter().map(own).zip(args.iter().flat_map(|args| args.iter().cloned())));
        } else {
            let expected = self.expected_of_call(unit, takes, callee)?;
            let given = self.returned(sym).ty;
            gather(&given, &expected, &mut meanings);
        }
        if meanings.is_empty() {
            return None;
        }
        let meaning =
            |of: &Ty| meanings.iter().find(|(parameter, _)| parameter == of).map(|(_, meaning)| meaning.clone());
        let known: Vec<Ty> = params.iter().map(own).map(|of| meaning(&of).unwrap_or(of)).collect();
        let of = Ty::Instance(sym, Some(types(known.iter().cloned())));
        let mut all = Vec::with_capacity(known.len());
        for (binding, ty) in params.iter().zip(known) {
            // What nothing says stands for its default.
            let default = owner.facts.bindings[*binding as usize].init.get().filter(|_| ty == own(binding));
            all.push(match default {
                Some(default) => {
                    let default = self.annotation(&owner, default).ty;
                    self.substitute(default, &of)
                }
                None => ty,
            });
        }
        Some(Ty::Instance(sym, Some(types(all))))
    }

    /// The declared type of the variable that a call is the value of.
    fn expected_of_call(&mut self, unit: &Arc<Unit>, takes: ExprId, callee: u32) -> Option<Ty> {
        let later = &unit.facts.exprs[takes.index()..];
        let call = later.iter().position(|expr| expr.op == ExprOp::Call && expr.a == callee)?;
        let call = ExprId((takes.index() + call) as u32);
        let is_call = |note: &&Note| note.tie == Tie::Init && note.expr == call;
        let declared = match unit.facts.notes.iter().find(is_call) {
            Some(note) => unit.note(note.symbol, Tie::Type)?,
            None => unit.facts.bindings.iter().find(|b| b.init == call)?.ty.get()?,
        };
        Some(self.annotation(unit, declared).ty).filter(|ty| *ty != Ty::Unknown)
    }
}
