//! What the type parameters of a function stand for in a call: as written there, else as its arguments say.

use std::sync::Arc;

use codegraph_model::*;

use crate::calls::Signature;
use crate::lookup::Linker;
use crate::types::{Ty, Typed, types};
use crate::{Sym, Unit};

/// Type parameters and what they stand for.
type Meanings = Vec<(Ty, Ty)>;

impl Linker<'_> {
    /// A type of a function's head as it is in a call of the function.
    /// What the functions without a name give that it is given counts only if that was asked for: what these take may
    /// depend on the rest.
    pub(crate) fn instantiated(
        &mut self,
        unit: &Arc<Unit>,
        callee: ExprId,
        function: &Ty,
        ty: Ty,
        with_results: bool,
    ) -> Ty {
        let Ty::Callable(sym, receiver) = function else { return ty };
        let owner = self.unit(sym.file);
        let params: Vec<u32> = owner.type_params_of(owner.symbol(sym.symbol).inner).collect();
        if params.is_empty() {
            return ty;
        }
        let own = |binding: &u32| Ty::Parameter(sym.file, *binding);
        let expr = unit.facts.exprs[callee.index()];
        let meanings: Meanings = match expr.op {
            ExprOp::Apply => {
                let args = self.type_list(unit, ExprId(expr.b));
                params.iter().map(own).zip(args.iter().flat_map(|args| args.iter().cloned())).collect()
            }
            ExprOp::Ref => self.meanings_of(unit, RefId(expr.a), *sym, receiver.as_deref(), with_results),
            _ => return ty,
        };
        filled(&ty, &meanings)
    }

    /// What the arguments of a call say about the type parameters of a function.
    fn meanings_of(
        &mut self,
        unit: &Arc<Unit>,
        call: RefId,
        sym: Sym,
        receiver: Option<&Ty>,
        with_results: bool,
    ) -> Meanings {
        let mut meanings = Meanings::new();
        let owner = self.unit(sym.file);
        if let (Some(receiver), true) = (receiver, owner.is_extension(sym.symbol)) {
            let of = self.extended_type(sym);
            gather(&of, receiver, &mut meanings);
        }
        let mut cell = unit.arguments(call).unwrap_or(ExprId::NONE);
        let params: Vec<Span> =
            owner.symbol(sym.symbol).params.iter().filter(|p| !p.flags.has(Flags::RECEIVER)).map(|p| p.name).collect();
        for param in params {
            if cell.is_none() {
                break;
            }
            let Expr { a, b, .. } = unit.facts.exprs[cell.index()];
            cell = ExprId(b);
            let argument = unit.facts.exprs[a as usize];
            if matches!(argument.op, ExprOp::Literal | ExprOp::Named) || argument.op == ExprOp::Lambda && !with_results
            {
                continue;
            }
            let declared = match owner.parameter(param) {
                Some(binding) => self.binding_value(&owner, binding).ty,
                None => Ty::Unknown,
            };
            if declared.is_open() && argument.op == ExprOp::Lambda {
                let result = self.lambda_value(unit, argument).ty;
                let wanted = match &declared {
                    Ty::Function(returns, _) => (**returns).clone(),
                    of @ Ty::ExternalInstance(..) => self.function_result(unit, of).ty,
                    _ => Ty::Unknown,
                };
                gather(&wanted, &result, &mut meanings);
            } else if declared.is_open() {
                let value = self.value(unit, ExprId(a)).ty;
                gather(&declared, &value, &mut meanings);
            }
        }
        meanings
    }

    /// What a function takes that makes its first argument the receiver of the function that it is given.
    pub(crate) fn first_as_receiver(&mut self, unit: &Arc<Unit>, callee: ExprId, function: &Ty) -> Option<Typed> {
        let (Ty::External(..), ExprOp::Ref) = (function, unit.facts.exprs[callee.index()].op) else { return None };
        let call = RefId(unit.facts.exprs[callee.index()].a);
        let name = unit.name(unit.facts.refs[call.index()].name);
        if self.words(unit).with != Some(name) {
            return None;
        }
        let cell = unit.arguments(call)?;
        let first = ExprId(unit.facts.exprs.get(cell.index())?.a);
        let value = self.value(unit, first);
        let taken = Ty::Function(Arc::new(Ty::Unknown), Arc::new(Signature::Receiver(value.ty)));
        Some(Typed { ty: taken, inferred: true })
    }
}

/// Notes what the parameters in a type stand for in a value's type; the first argument that says something counts.
pub(crate) fn gather(declared: &Ty, value: &Ty, meanings: &mut Meanings) {
    match (declared, value) {
        (_, Ty::Unknown) => {}
        (Ty::Parameter(..), _) if !meanings.iter().any(|(parameter, _)| parameter == declared) => {
            meanings.push((declared.clone(), value.clone()));
        }
        (Ty::Instance(a, Some(own)), Ty::Instance(b, Some(given))) if a == b => {
            own.iter().zip(given.iter()).for_each(|(a, b)| gather(a, b, meanings));
        }
        (Ty::ExternalInstance(_, Some(own)), Ty::ExternalInstance(_, Some(given))) if own.len() == given.len() => {
            own.iter().zip(given.iter()).for_each(|(a, b)| gather(a, b, meanings));
        }
        (Ty::ExternalInstance(_, Some(own)), Ty::List(item)) if own.len() == 1 => gather(&own[0], item, meanings),
        (Ty::List(own), Ty::List(item)) => gather(own, item, meanings),
        _ => {}
    }
}

/// A type with what its parameters stand for.
fn filled(ty: &Ty, meanings: &[(Ty, Ty)]) -> Ty {
    if !ty.is_open() {
        return ty.clone();
    }
    let all = |items: &[Ty]| types(items.iter().map(|item| filled(item, meanings)));
    match ty {
        Ty::Parameter(..) => {
            let meaning = meanings.iter().find(|(parameter, _)| parameter == ty);
            meaning.map_or_else(|| ty.clone(), |(_, meaning)| meaning.clone())
        }
        Ty::Instance(sym, Some(args)) => Ty::Instance(*sym, Some(all(args))),
        Ty::ExternalInstance(id, Some(args)) => Ty::ExternalInstance(*id, Some(all(args))),
        Ty::List(item) => Ty::List(Arc::new(filled(item, meanings))),
        Ty::Tuple(items) => Ty::Tuple(all(items)),
        Ty::Either(items) => Ty::Either(all(items)),
        _ => ty.clone(),
    }
}
