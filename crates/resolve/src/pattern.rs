//! Patterns: what a value is once it has been compared with a variant or a type, and what its parts are.

use std::sync::Arc;

use codegraph_model::*;

use crate::lookup::{Linker, What};
use crate::types::{Ty, Typed, types};
use crate::{Sym, Unit};

impl Linker<'_> {
    /// A value as the variant or type that a pattern names.
    pub(crate) fn case_value(&mut self, unit: &Arc<Unit>, whole: ExprId, case: ExprId) -> Typed {
        let Some(found) = self.named_case(unit, case) else { return Typed::UNKNOWN };
        let Typed { ty: whole, inferred } = self.value(unit, whole);
        let ty = match found {
            What::Symbol(sym) => self.symbol_case(unit, sym, whole, case),
            What::External(id) => {
                let place = self.words(unit).variants.get(&self.externals.name(id)).copied();
                place.map_or(Ty::Unknown, |place| Ty::Tuple(types([held_at(&whole, place as usize)])))
            }
            _ => Ty::Unknown,
        };
        Typed { ty, inferred }
    }

    fn named_case(&mut self, unit: &Arc<Unit>, mut case: ExprId) -> Option<What> {
        while case.is_some() {
            let expr = unit.facts.exprs[case.index()];
            match expr.op {
                ExprOp::Ref => return self.resolve(unit, RefId(expr.a)).map(|found| found.what),
                ExprOp::Apply | ExprOp::Typed => case = ExprId(expr.a),
                _ => return None,
            }
        }
        None
    }

    fn symbol_case(&mut self, unit: &Arc<Unit>, sym: Sym, whole: Ty, case: ExprId) -> Ty {
        let owner = self.unit(sym.file);
        let symbol = owner.symbol(sym.symbol);
        let args = match whole {
            Ty::Instance(_, args) => args,
            _ => None,
        };
        match symbol.kind {
            SymbolKind::EnumMember => Ty::Variant(sym, args),
            SymbolKind::TypeAlias => self.annotation(unit, case).ty,
            kind if kind.is_type() => Ty::Instance(sym, args),
            _ => Ty::Unknown,
        }
    }

    /// Item number `place` of a tuple, a list, or of what has fields without names.
    pub(crate) fn item_value(&mut self, whole: Typed, place: usize) -> Typed {
        let inferred = whole.inferred;
        let ty = match whole.ty {
            Ty::Tuple(items) => items.get(place).cloned().unwrap_or(Ty::Unknown),
            Ty::List(item) => (*item).clone(),
            Ty::ExternalInstance(_, Some(args)) => args.get(place).cloned().unwrap_or(Ty::Unknown),
            Ty::Variant(sym, args) => {
                let owner = Sym { file: sym.file, symbol: self.unit(sym.file).symbol(sym.symbol).parent };
                self.field_at(sym, place, &Ty::Instance(owner, args))
            }
            ref own @ Ty::Instance(sym, _) => self.field_at(sym, place, own),
            _ => Ty::Unknown,
        };
        Typed { ty, inferred }
    }

    /// The type of a field without a name.
    fn field_at(&mut self, sym: Sym, place: usize, receiver: &Ty) -> Ty {
        let unit = self.unit(sym.file);
        let Some(fields) = unit.note(sym.symbol, Tie::Type) else {
            // A record is taken apart into what its head takes.
            let symbol = unit.symbol(sym.symbol);
            let params = if symbol.kind == SymbolKind::Record { &symbol.params[..] } else { &[] };
            let Some(binding) = params.get(place).and_then(|param| unit.parameter(param.name)) else {
                return Ty::Unknown;
            };
            let ty = self.binding_value(&unit, binding).ty;
            return self.substitute(ty, receiver);
        };
        match self.annotation(&unit, fields).ty {
            Ty::Tuple(items) => match items.get(place) {
                Some(ty) => self.substitute(ty.clone(), receiver),
                None => Ty::Unknown,
            },
            _ => Ty::Unknown,
        }
    }
}

/// What a variant outside the project holds: a type argument of its whole.
fn held_at(whole: &Ty, place: usize) -> Ty {
    match whole {
        Ty::ExternalInstance(_, Some(args)) => args.get(place).cloned().unwrap_or(Ty::Unknown),
        Ty::List(item) if place == 0 => (**item).clone(),
        _ => Ty::Unknown,
    }
}
