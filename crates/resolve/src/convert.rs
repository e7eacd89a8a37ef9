//! What a value becomes unasked where a class has a constructor for it, and templates that are there for some types only.

use std::sync::Arc;

use codegraph_model::*;

use crate::lookup::{Linker, accepts};
use crate::overload::Fit;
use crate::types::Ty;
use crate::{Sym, TermId, Unit};

/// A constructor takes the value.
pub(crate) const CONVERTED: u32 = 501;
/// One may take it: for which types it is there, or what it takes, is not known.
pub(crate) const PERHAPS: u32 = 502;

/// Parts of names that stand in the head of a template which is there for some types only.
const CONSTRAINTS: &[&str] = &["enable_if", "requires"];

impl Linker<'_> {
    /// Whether a pair can be passed: as a pair, not as what holds many, a text or a function.
    pub(crate) fn pair_fits(&mut self, unit: &Arc<Unit>, param: &Ty) -> Fit {
        let Ty::ExternalInstance(id, _) = param else {
            return if matches!(param, Ty::Instance(..) | Ty::Function(..) | Ty::Basic(_)) {
                Fit::No
            } else {
                Fit::Unknown
            };
        };
        let name = self.externals.name(*id);
        if self.program.term(unit.language.linking.pair.0) == Some(name) {
            return Fit::Yes(0);
        }
        let is_literal = self.words(unit).literals.contains(&Some(name));
        if is_literal || self.container(unit, name).is_some() { Fit::No } else { Fit::Unknown }
    }

    /// Whether a value that is no instance of a class can be passed as one: a constructor takes it that need not be called by
    /// name. Conversions do not follow each other.
    pub(crate) fn becomes(&mut self, argument: &Ty, to: Sym) -> Fit {
        if self.converting {
            return Fit::No;
        }
        let owner = self.unit(to.file);
        let Some(inner) = owner.symbol(to.symbol).inner.get() else { return Fit::Unknown };
        let is_asked = |symbol: &Symbol| {
            symbol.kind == SymbolKind::Constructor
                && symbol.scope == inner
                && !symbol.flags.has(Flags::SCOPED)
                && accepts(symbol, 1)
        };
        let all = owner.facts.symbols.iter().enumerate().skip(1).filter(|(_, symbol)| is_asked(symbol));
        let mut best = Fit::No;
        for (i, symbol) in all {
            let param = symbol.params.first().and_then(|param| owner.parameter(param.name));
            let ty = param.map_or(Ty::Unknown, |binding| self.binding_value(&owner, binding).ty);
            let ty = match ty {
                Ty::Instance(own, _) if own == to => continue,
                Ty::List(item) => (*item).clone(),
                ty => ty,
            };
            self.converting = true;
            let fit = self.passes(&owner, argument, &ty);
            self.converting = false;
            let sym = Sym { file: to.file, symbol: SymbolId(i as u32) };
            best = match fit {
                Fit::No => continue,
                Fit::Yes(_) if !self.is_constrained(sym) => return Fit::Yes(CONVERTED),
                _ => Fit::Yes(PERHAPS),
            };
        }
        best
    }

    /// Whether a template is there for some types only, as its head or the type that it gives says.
    pub(crate) fn is_constrained(&mut self, sym: Sym) -> bool {
        let unit = self.unit(sym.file);
        let symbol = unit.symbol(sym.symbol);
        let Some(first) = unit.type_params_of(unit.head_of(symbol.inner)).next() else { return false };
        let start = unit.facts.bindings[first as usize].span.start;
        let first = unit.facts.refs.partition_point(|reference| reference.span.start < start);
        let head = unit.facts.refs[first..].iter().take_while(|r| r.span.start < symbol.name_span.start);
        let mut names: Vec<TermId> = head.map(|reference| unit.name(reference.name)).collect();
        names.extend(unit.note(sym.symbol, Tie::Type).map(|given| names_in(&unit, given)).into_iter().flatten());
        names.into_iter().any(|name| {
            let name = self.program.text(name).to_ascii_lowercase();
            CONSTRAINTS.iter().any(|part| name.contains(part))
        })
    }
}

/// The names in a type.
fn names_in(unit: &Unit, expr: ExprId) -> Vec<TermId> {
    let mut names = Vec::new();
    let mut open = vec![expr];
    while let Some(expr) = open.pop().and_then(ExprId::get) {
        let Expr { op, a, b } = unit.facts.exprs[expr.index()];
        match op {
            ExprOp::Ref => {
                let reference = unit.facts.refs[a as usize];
                names.push(unit.name(reference.name));
                open.push(reference.receiver);
            }
            ExprOp::Apply | ExprOp::Cons => open.extend([ExprId(a), ExprId(b)]),
            ExprOp::Pointer | ExprOp::Array | ExprOp::Typed | ExprOp::TypeOf => open.push(ExprId(a)),
            _ => {}
        }
    }
    names
}
