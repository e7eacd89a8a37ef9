//! What methods give to the blocks that calls of them are given, and members that stand for those of other bases.

use codegraph_model::*;

use crate::lookup::{Found, Linker};
use crate::types::{Ty, Typed};
use crate::{Sym, TermId};

impl Linker<'_> {
    /// What parameter number `place` of a block gets from the method that runs it: the same wherever it does.
    pub(crate) fn yielded(&mut self, sym: Sym, of: Option<&Ty>, place: usize) -> Ty {
        let key = (sym, place as u32);
        let typed = self.remembered(|l| &mut l.yields, key, Typed::UNKNOWN, |l| l.yielded_now(sym, place));
        match of {
            Some(of) => self.substitute(typed.ty, of),
            None => typed.ty,
        }
    }

    fn yielded_now(&mut self, sym: Sym, place: usize) -> Typed {
        let unit = self.unit(sym.file);
        let mut only = Ty::Unknown;
        for note in unit.notes(sym.symbol).iter().filter(|note| note.tie == Tie::Yield) {
            let mut cell = ExprId(unit.facts.exprs[note.expr.index()].a);
            for _ in 0..place {
                cell = cell.get().map_or(cell, |cell| ExprId(unit.facts.exprs[cell.index()].b));
            }
            let Some(cell) = cell.get() else { return Typed::UNKNOWN };
            let ty = self.value(&unit, ExprId(unit.facts.exprs[cell.index()].a)).ty;
            if ty == Ty::Unknown || only != Ty::Unknown && only != ty {
                return Typed::UNKNOWN;
            }
            only = ty;
        }
        Typed { ty: only, inferred: true }
    }

    /// The member of one base that a type says it has in place of those of others.
    pub(crate) fn instead(&mut self, sym: Sym, name: TermId) -> Option<Found> {
        let unit = self.unit(sym.file);
        let named = |note: &&Note| match unit.facts.exprs[note.expr.index()] {
            Expr { op: ExprOp::Ref, a, .. } => unit.name(unit.facts.refs[a as usize].name) == name,
            _ => false,
        };
        let note = *unit.notes(sym.symbol).iter().filter(|note| note.tie == Tie::Instead).find(named)?;
        self.resolve(&unit, RefId(unit.facts.exprs[note.expr.index()].a))
    }
}
