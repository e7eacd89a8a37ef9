//! Methods that a trait gives to every type with a bound: `impl<T: Bound> Trait for T`.

use std::sync::Arc;

use codegraph_model::*;

use crate::lookup::{Found, Linker, What};
use crate::types::{Ty, as_instance};
use crate::{Sym, TermId, Unit};

impl Linker<'_> {
    /// A method of the one trait in sight that all types of the receiver's kind have.
    pub(crate) fn blanket_method(&mut self, unit: &Arc<Unit>, base: &Ty, name: TermId) -> Option<Found> {
        if !unit.language.linking.impl_blocks {
            return None;
        }
        // A type without fields is its own value.
        let base = &as_instance(base.clone());
        if !matches!(base, Ty::Instance(..) | Ty::Parameter(..)) {
            return None;
        }
        let mut only = None;
        let defining = self.program.defining(name);
        for &file in defining.iter() {
            let other = self.unit(file);
            if other.language.name != unit.language.name {
                continue;
            }
            let of_trait = |id: &SymbolId| other.symbol(other.symbol(*id).parent).kind == SymbolKind::Trait;
            for id in other.named(name).filter(of_trait) {
                let owner = other.symbol(id).parent;
                if self.is_in_sight(unit, &other, owner) && self.is_given(&other, owner, base) {
                    if only.is_some() {
                        return None;
                    }
                    only = Some(Sym { file, symbol: id });
                }
            }
        }
        only.map(|sym| Found { inferred: true, ..Found::new(What::Symbol(sym)).by(How::Inherited) })
    }

    /// A trait has to be named where its methods are used.
    fn is_in_sight(&self, unit: &Unit, other: &Unit, owner: SymbolId) -> bool {
        unit.file == other.file || unit.names.contains(&other.name(other.symbol(owner).name))
    }

    /// Whether the file of a trait implements it for all types with a bound that a type has.
    fn is_given(&mut self, unit: &Arc<Unit>, owner: SymbolId, base: &Ty) -> bool {
        let of = Sym { file: unit.file, symbol: owner };
        let impls: Vec<SymbolId> = (1..unit.facts.symbols.len() as u32)
            .map(SymbolId)
            .filter(|id| unit.symbol(*id).kind == SymbolKind::Impl)
            .collect();
        impls.into_iter().any(|id| {
            let implements = unit.note(id, Tie::Implements).map(|expr| self.annotation(unit, expr).ty);
            if !matches!(implements, Some(Ty::Instance(base, _)) if base == of) {
                return false;
            }
            let about = unit.note(id, Tie::SelfType).map(|expr| self.annotation(unit, expr).ty);
            let Some(about @ Ty::Parameter(..)) = about else { return false };
            let bounds = traits_of(self.bound_of(about));
            let own = traits_of(self.bound_of(base.clone()));
            !bounds.is_empty() && bounds.iter().any(|bound| own.iter().any(|own| self.lineage(*own).contains(bound)))
        })
    }
}

/// The types of the project that a type is.
fn traits_of(ty: Ty) -> Vec<Sym> {
    match ty {
        Ty::Instance(sym, _) => vec![sym],
        Ty::Either(parts) | Ty::Both(parts) => {
            let one = |ty: &Ty| if let Ty::Instance(sym, _) = ty { Some(*sym) } else { None };
            parts.iter().filter_map(one).collect()
        }
        _ => Vec::new(),
    }
}
