//! Types that are known for sure: of everything that a name may be, not of what was assigned to it first.
//!
//! Linking takes the first value of a name for its type, because a member that the type has proves it right. Where nothing
//! proves it, only what holds for all values counts.

use std::sync::Arc;

use codegraph_languages::table::DefaultVisibility;
use codegraph_model::*;

use crate::lookup::{Linker, What};
use crate::types::{Ty, types};
use crate::{Sym, Unit};

/// How many steps an expression is followed.
const DEEPEST: u32 = 16;

impl Linker<'_> {
    /// The type of an expression if all that it may be is known; a type is not known where some assignment is not.
    pub(crate) fn known_type(&mut self, unit: &Arc<Unit>, id: ExprId, depth: u32) -> Ty {
        if id.is_none() || depth > DEEPEST {
            return Ty::Unknown;
        }
        let expr = unit.facts.exprs[id.index()];
        let a = ExprId(expr.a);
        match expr.op {
            ExprOp::Ref => self.known_reference(unit, id, RefId(expr.a), depth),
            ExprOp::Either => {
                let both = [a, ExprId(expr.b)].map(|part| self.known_type(unit, part, depth + 1));
                all_of(both)
            }
            ExprOp::Call => self.known_result_of(unit, id, a, depth),
            // Who copies what is not known has what is not known.
            ExprOp::Meet => {
                let both = [a, ExprId(expr.b)].map(|part| self.known_type(unit, part, depth + 1));
                let is_open = both.iter().any(|ty| matches!(ty, Ty::Unknown | Ty::Module(_)));
                if is_open { Ty::Unknown } else { self.value(unit, id).ty }
            }
            ExprOp::Deref
            | ExprOp::AddressOf
            | ExprOp::Pointer
            | ExprOp::Optional
            | ExprOp::Index
            | ExprOp::Iterate
            | ExprOp::Await
            | ExprOp::Try
            | ExprOp::Item
            | ExprOp::Key
            | ExprOp::Apply => match self.known_type(unit, a, depth + 1) {
                Ty::Unknown => Ty::Unknown,
                _ => self.value(unit, id).ty,
            },
            ExprOp::Literal => match self.value(unit, id).ty {
                // What is written out is of a type of the language, whatever that is called.
                Ty::Unknown if is_plain(expr.a) && !unit.language.linking.open_types => Ty::Tuple(types([])),
                ty => ty,
            },
            _ => self.value(unit, id).ty,
        }
    }

    fn known_reference(&mut self, unit: &Arc<Unit>, id: ExprId, reference: RefId, depth: u32) -> Ty {
        if let Some(receiver) = unit.facts.refs[reference.index()].receiver.get()
            && unit.facts.exprs[receiver.index()].op != ExprOp::Parameters
        {
            match self.known_type(unit, receiver, depth + 1) {
                Ty::Unknown => return Ty::Unknown,
                // A member of what holds values of other types may be one of these.
                Ty::ExternalInstance(_, Some(_)) if !is_of_project(&self.value(unit, id).ty) => return Ty::Unknown,
                _ => {}
            }
        }
        match self.resolve(unit, reference).map(|found| found.what) {
            Some(What::Local(file, binding)) if file == unit.file => self.known_local(unit, id, binding, depth),
            Some(What::Symbol(sym)) => self.known_variable(unit, id, sym, depth),
            _ => self.value(unit, id).ty,
        }
    }

    /// A local name is known if everything that is assigned to it is.
    fn known_local(&mut self, unit: &Arc<Unit>, id: ExprId, binding: u32, depth: u32) -> Ty {
        let own = unit.facts.bindings[binding as usize];
        let again = |b: &Binding| b.kind == BindingKind::Again && (b.scope, b.name) == (own.scope, own.name);
        let inits: Vec<ExprId> = unit.facts.bindings.iter().filter(|b| again(b)).map(|b| b.init).collect();
        if own.ty.is_some() || unit.language.linking.flows || inits.is_empty() {
            return match own.init.get().filter(|_| own.ty.is_none() && !unit.language.linking.flows) {
                Some(init) => match (self.known_type(unit, init, depth + 1), self.value(unit, id).ty) {
                    (Ty::Unknown, _) => Ty::Unknown,
                    (known, Ty::Unknown) => known,
                    (_, ty) => ty,
                },
                None => self.value(unit, id).ty,
            };
        }
        let mut all = vec![own.init];
        all.extend(inits);
        self.known_values(unit, &all, depth)
    }

    /// A variable or field without a declared type is known if everything that is assigned to it here is.
    fn known_variable(&mut self, unit: &Arc<Unit>, id: ExprId, sym: Sym, depth: u32) -> Ty {
        use SymbolKind::*;
        let owner = self.unit(sym.file);
        let kind = owner.symbol(sym.symbol).kind;
        let is_variable = matches!(kind, Variable | Field | InstanceVariable | Constant | Static);
        if !is_variable || owner.note(sym.symbol, Tie::Type).is_some() || owner.symbol(sym.symbol).inner.is_some() {
            return self.value(unit, id).ty;
        }
        let inits: Vec<ExprId> =
            owner.notes(sym.symbol).iter().filter(|n| n.tie == Tie::Init).map(|n| n.expr).collect();
        match inits.is_empty() {
            true => Ty::Unknown,
            false => self.known_values(&owner, &inits, depth),
        }
    }

    fn known_values(&mut self, unit: &Arc<Unit>, inits: &[ExprId], depth: u32) -> Ty {
        let is_null = |id: &ExprId| {
            let expr = unit.facts.exprs.get(id.index());
            expr.is_some_and(|expr| expr.op == ExprOp::Literal && expr.a == Literal::Null as u32)
        };
        let known: Vec<Ty> =
            inits.iter().filter(|init| !is_null(init)).map(|init| self.known_type(unit, *init, depth + 1)).collect();
        all_of(known)
    }

    /// What a function outside the project gives may be anything that it was given; what a type makes is a value of it.
    fn known_result_of(&mut self, unit: &Arc<Unit>, id: ExprId, callee: ExprId, depth: u32) -> Ty {
        match self.known_type(unit, callee, depth + 1) {
            Ty::Unknown => Ty::Unknown,
            Ty::External(path, args) => {
                let name = self.program.text(self.externals.name(path));
                let is_type = match unit.language.visibility {
                    // Functions are written with a capital too.
                    DefaultVisibility::Capital => args.is_none() && self.is_given_nothing(unit, id, depth),
                    _ => name.trim_start_matches('_').starts_with(char::is_uppercase),
                };
                if is_type { self.value(unit, id).ty } else { Ty::Unknown }
            }
            _ => self.value(unit, id).ty,
        }
    }

    /// Whether a call outside the project has nothing of the project to give back: neither as an argument nor in what it is
    /// asked of.
    fn is_given_nothing(&mut self, unit: &Arc<Unit>, call: ExprId, depth: u32) -> bool {
        let mut callee = unit.facts.exprs[unit.facts.exprs[call.index()].a as usize];
        if callee.op == ExprOp::Apply {
            return false;
        }
        if callee.op != ExprOp::Ref {
            callee = unit.facts.exprs[callee.a as usize];
        }
        let reference = RefId(callee.a);
        let Reference { receiver, args, .. } = unit.facts.refs[reference.index()];
        if receiver.is_some() && !is_plain_outside(&self.known_type(unit, receiver, depth + 1)) {
            return false;
        }
        let Some(mut cell) = unit.arguments(reference) else { return args == 0 };
        while cell.is_some() {
            let Expr { a, b, .. } = unit.facts.exprs[cell.index()];
            if !is_plain_outside(&self.known_type(unit, ExprId(a), depth + 1)) {
                return false;
            }
            cell = ExprId(b);
        }
        true
    }
}

fn is_of_project(ty: &Ty) -> bool {
    matches!(ty, Ty::Instance(..) | Ty::Type(..) | Ty::Variant(..) | Ty::Callable(..) | Ty::Shape(..))
}

/// Whether nothing of the project is in a value of a type.
fn is_plain_outside(ty: &Ty) -> bool {
    match ty {
        Ty::ExternalInstance(_, args) | Ty::External(_, args) => {
            args.as_ref().is_none_or(|of| of.iter().all(is_plain_outside))
        }
        Ty::Basic(_) => true,
        Ty::List(of) | Ty::Rest(of) => is_plain_outside(of),
        Ty::Tuple(of) | Ty::Either(of) => of.iter().all(is_plain_outside),
        _ => false,
    }
}

/// Whether a literal is a text, a number, a list or the like.
fn is_plain(kind: u32) -> bool {
    use Literal::*;
    let kinds = [String, Number, Bool, List, Map, Set, Regex, Char, Long, Double, Float, Test, Decimal];
    kinds.iter().any(|known| *known as u32 == kind)
}

/// One of several types, if all are known.
fn all_of(known: impl IntoIterator<Item = Ty>) -> Ty {
    let mut all: Vec<Ty> = Vec::new();
    for ty in known {
        match ty {
            Ty::Unknown => return Ty::Unknown,
            ty if all.contains(&ty) => {}
            ty => all.push(ty),
        }
    }
    match all.len() {
        0 => Ty::Unknown,
        1 => all.swap_remove(0),
        _ => Ty::Either(types(all)),
    }
}
