//! What methods give to the blocks that calls of them are given, and members that stand for those of other bases.

use std::sync::Arc;

use codegraph_model::*;

use crate::lookup::{Found, Linker};
use crate::types::{Ty, Typed};
use crate::{Decl, Sym, TermId, Unit};

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
            if unit.facts.exprs[note.expr.index()].op == ExprOp::Takes {
                let block = self.value(&unit, note.expr).ty;
                let ty = self.taken(&unit, &block, place).ty;
                if ty == Ty::Unknown || only != Ty::Unknown && only != ty {
                    return Typed::UNKNOWN;
                }
                only = ty;
                continue;
            }
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

    /// What the receiver is in the block that a method runs.
    pub(crate) fn within(&mut self, sym: Sym) -> Ty {
        let unit = self.unit(sym.file);
        let mut notes = unit.notes(sym.symbol).iter().filter(|note| note.tie == Tie::Within);
        match (notes.next().copied(), notes.next()) {
            (Some(only), None) => self.value(&unit, only.expr).ty,
            (None, _) => self.yielded(sym, None, RECEIVER_PLACE as usize),
            _ => Ty::Unknown,
        }
    }

    /// A method of what a block is run for.
    pub(crate) fn method_within(&mut self, unit: &Arc<Unit>, scope: ScopeId, name: TermId) -> Option<Found> {
        let receiver = self.words(unit).block_receiver?;
        let binding = unit.declared(scope, receiver).find_map(|decl| match decl {
            Decl::Binding(i) if unit.facts.bindings[i as usize].kind == BindingKind::Label => Some(i),
            _ => None,
        })?;
        let called = called_with(unit, binding)?;
        if Some(called) != self.words(unit).instantiates && !self.may_run_within(called) {
            return None;
        }
        let Ty::Instance(of, _) = self.binding_value(unit, binding).ty else { return None };
        let found = self.open_method(of, name, false, RefKind::Call)?;
        Some(Found { inferred: true, ..found.by(How::Member) })
    }

    /// Whether some method of this name says what the receiver is in its block: few do, and blocks are many.
    fn may_run_within(&mut self, name: TermId) -> bool {
        if let Some(known) = self.open.within.get(&name) {
            return *known;
        }
        let says = |unit: &Unit| {
            let mut named = unit.named(name);
            named.any(|id| unit.notes(id).iter().any(|note| note.tie == Tie::Within || is_handed_on(unit, note)))
        };
        let files = self.program.defining(name);
        let may = files.iter().any(|file| says(&self.unit(*file)));
        self.open.within.insert(name, may);
        may
    }

    /// The member that a type takes from one of its bases and not from the others.
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

/// Whether a note says that a block is handed on to another method.
fn is_handed_on(unit: &Unit, note: &Note) -> bool {
    note.tie == Tie::Yield && unit.facts.exprs[note.expr.index()].op == ExprOp::Takes
}

/// The name of the method that is called with the block whose receiver this is.
fn called_with(unit: &Unit, receiver: u32) -> Option<TermId> {
    let mut expr = unit.facts.exprs[unit.facts.bindings[receiver as usize].init.get()?.index()];
    while expr.op == ExprOp::Takes {
        expr = unit.facts.exprs[expr.a as usize];
    }
    (expr.op == ExprOp::Ref).then(|| unit.name(unit.facts.refs[expr.a as usize].name))
}
