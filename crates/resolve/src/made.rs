//! What calls give that no declaration says: results of functions without a name, containers that the standard library
//! makes, members that every enum has, and properties that another language of the family has as methods.

use std::sync::Arc;

use codegraph_languages::linking::Gives;
use codegraph_model::*;

use crate::lookup::{Found, Linker, What};
use crate::types::{Ty, Typed, types};
use crate::{Sym, TermId, Unit};

impl Linker<'_> {
    /// What a function without a name gives.
    pub(crate) fn lambda_value(&mut self, unit: &Arc<Unit>, lambda: Expr) -> Typed {
        let result = ExprId(lambda.b);
        if result.is_none() {
            return Typed::UNKNOWN;
        }
        self.value(unit, result).guessed(true)
    }

    /// What the call of a function outside the project gives, by what it is given.
    pub(crate) fn made_outside(&mut self, unit: &Arc<Unit>, callee: ExprId, function: &Ty) -> Option<Typed> {
        let node = unit.facts.exprs[callee.index()];
        let (call, given) = match node.op {
            ExprOp::Ref => (RefId(node.a), None),
            ExprOp::Apply if unit.facts.exprs[node.a as usize].op == ExprOp::Ref => {
                (RefId(unit.facts.exprs[node.a as usize].a), Some(ExprId(node.b)))
            }
            _ => return None,
        };
        let reference = unit.facts.refs[call.index()];
        let name = unit.name(reference.name);
        let words = self.words(unit);
        if words.instantiates == Some(name) && reference.receiver.is_none() {
            return match self.this_type(unit, reference.scope).ty {
                Ty::Type(sym, _) => Some(Typed { ty: Ty::Instance(sym, None), inferred: true }),
                _ => None,
            };
        }
        if words.pairs_by == Some(name) && reference.receiver.is_some() && reference.args == 1 {
            let first = self.value(unit, reference.receiver).ty;
            let second = self.first_given(unit, call).unwrap_or(Ty::Unknown);
            return Some(Typed { ty: Ty::Tuple(types([first, second])), inferred: true });
        }
        let ty = if let Some(container) = words.makers.get(&name).filter(|_| matches!(function, Ty::External(..))) {
            let args = match given {
                Some(given) => self.type_list(unit, given)?,
                None => match (self.container(unit, *container), self.first_given(unit, call)?) {
                    // A map is made of pairs.
                    (Some(holds), Ty::Tuple(pair)) if holds.item != holds.index => pair,
                    (Some(holds), _) if holds.item != holds.index => return None,
                    (_, item) => types([item]),
                },
            };
            Ty::ExternalInstance(self.external_type(unit, *container), Some(args))
        } else if words.with == Some(name) || words.scope_functions.get(&name).is_some_and(|f| !f.returns_it) {
            self.given_result(unit, call)?
        } else {
            let mapped = *words.methods.get(&name)?;
            let receiver = self.value(unit, reference.receiver).ty;
            let (item, _) = self.held_types(unit, &receiver)?;
            match mapped {
                Gives::Mapped => {
                    let result = self.given_result(unit, call)?;
                    self.list_of(unit, result)
                }
                Gives::Flattened => {
                    let result = Typed::sure(self.given_result(unit, call)?);
                    let item = self.element(unit, result, false).ty;
                    self.list_of(unit, item)
                }
                Gives::Groups => {
                    let group = self.list_of(unit, item);
                    self.list_of(unit, group)
                }
                _ => return None,
            }
        };
        (ty != Ty::Unknown).then_some(Typed { ty, inferred: true })
    }

    /// A list of values, as the standard library has it.
    pub(crate) fn list_of(&mut self, unit: &Unit, item: Ty) -> Ty {
        match self.words(unit).list {
            Some(name) if item != Ty::Unknown => {
                Ty::ExternalInstance(self.external_type(unit, name), Some(types([item])))
            }
            _ => Ty::List(Arc::new(item)),
        }
    }

    /// What others know of an object without a name that a member holds or gives: its only base.
    pub(crate) fn base_of_nameless(&mut self, unit: &Arc<Unit>, member: SymbolId, value: ExprId) -> Option<Typed> {
        let symbol = unit.symbol(member);
        let is_known = matches!(unit.scope(symbol.scope).kind, ScopeKind::Type | ScopeKind::Module);
        if !unit.language.linking.nameless_by_base || symbol.visibility == Visibility::Private || !is_known {
            return None;
        }
        let mut made = unit.facts.exprs[value.index()];
        // The body of an object on one line is read as a function that it is called with.
        if made.op == ExprOp::Call {
            made = unit.facts.exprs[made.a as usize];
        }
        let Expr { op: ExprOp::Own, a, .. } = made else { return None };
        let notes = unit.notes(SymbolId(a)).iter().filter(|note| matches!(note.tie, Tie::Base | Tie::Implements));
        let bases: Vec<ExprId> = notes.map(|note| note.expr).collect();
        match bases[..] {
            [only] => Some(self.annotation(unit, only).guessed(true)),
            _ => None,
        }
    }

    /// The type of the first argument of a call, or of what it gives if it is a function without a name.
    fn first_given(&mut self, unit: &Arc<Unit>, call: RefId) -> Option<Ty> {
        let cell = unit.arguments(call)?;
        let first = ExprId(unit.facts.exprs.get(cell.index())?.a);
        let ty = match unit.facts.exprs[first.index()] {
            lambda @ Expr { op: ExprOp::Lambda, .. } => self.lambda_value(unit, lambda).ty,
            _ => self.value(unit, first).ty,
        };
        (ty != Ty::Unknown).then_some(ty)
    }

    /// What the function without a name gives that a call is given.
    fn given_result(&mut self, unit: &Arc<Unit>, call: RefId) -> Option<Ty> {
        let mut cell = unit.arguments(call)?;
        while cell.is_some() {
            let Expr { a, b, .. } = unit.facts.exprs[cell.index()];
            let argument = match unit.facts.exprs[a as usize] {
                Expr { op: ExprOp::Named, a, .. } => unit.facts.exprs[a as usize],
                argument => argument,
            };
            if argument.op == ExprOp::Lambda {
                return Some(self.lambda_value(unit, argument).ty);
            }
            cell = ExprId(b);
        }
        None
    }

    /// A member that every enum has.
    pub(crate) fn enum_member(&mut self, unit: &Arc<Unit>, of: &Ty, name: TermId) -> Option<Ty> {
        let gives = *self.words(unit).enum_members.get(&name)?;
        let Ty::Type(sym, _) = of else { return None };
        if self.unit(sym.file).symbol(sym.symbol).kind != SymbolKind::Enum {
            return None;
        }
        let item = Ty::Instance(*sym, None);
        Some(if gives == Gives::Item { item } else { self.list_of(unit, item) })
    }

    /// What a property is whose value another one gives.
    pub(crate) fn delegated_value(&mut self, unit: &Arc<Unit>, base: &Typed) -> Option<Typed> {
        let name = self.words(unit).delegate?;
        let found = self.member(unit, base, name, 2, RefKind::Call)?;
        let What::Symbol(sym) = found.what else { return None };
        let returned = self.returned(sym);
        Some(Typed { ty: self.substitute(returned.ty, &base.ty), inferred: true })
    }

    /// A method of another language of the family that is used as a property, or a property that is called as a method.
    pub(crate) fn accessor(
        &mut self,
        unit: &Arc<Unit>,
        receiver: &Typed,
        name: TermId,
        kind: RefKind,
    ) -> Option<Found> {
        let linking = &unit.language.linking;
        if linking.getters.is_empty() || !matches!(receiver.ty, Ty::Instance(..) | Ty::Type(..)) {
            return None;
        }
        let text = self.program.text(name);
        for prefix in linking.getters.iter().chain([&linking.setter]) {
            let sets = *prefix == linking.setter;
            let (other, args) = match kind {
                RefKind::Call => (property_name(&text, prefix), 0),
                _ if sets != (kind == RefKind::Write) => continue,
                _ => (Some(format!("{prefix}{}", capital(&text))), u8::from(sets)),
            };
            let Some(other) = other.and_then(|other| self.program.term(&other)) else { continue };
            let asked = if kind == RefKind::Call { RefKind::Attribute } else { RefKind::Call };
            let Some(found) = self.member(unit, receiver, other, args, asked) else { continue };
            if let What::Symbol(sym) = found.what
                && !std::ptr::eq(self.program.language(sym.file), unit.language)
                && self.is_method(sym) == (asked == RefKind::Call)
            {
                return Some(found);
            }
        }
        None
    }

    /// Whether nothing was found, or what another language of the family does not show.
    pub(crate) fn shows_nothing(&mut self, unit: &Unit, found: Option<&Found>) -> bool {
        match found.map(|found| found.what) {
            None => true,
            Some(What::Symbol(sym)) if !std::ptr::eq(self.program.language(sym.file), unit.language) => {
                let owner = self.unit(sym.file);
                let symbol = owner.symbol(sym.symbol);
                symbol.visibility == Visibility::Private && !symbol.kind.is_callable()
            }
            Some(_) => false,
        }
    }

    fn is_method(&mut self, sym: Sym) -> bool {
        self.unit(sym.file).symbol(sym.symbol).kind.is_callable()
    }
}

/// The names by which others of the family may use a method, or a property.
pub(crate) fn other_names(unit: &Unit, name: &str, symbol: &Symbol) -> Vec<String> {
    let linking = &unit.language.linking;
    let prefixes = linking.getters.iter().chain([&linking.setter]).filter(|prefix| !prefix.is_empty());
    match symbol.kind.is_callable() {
        true => prefixes.filter_map(|prefix| property_name(name, prefix)).collect(),
        false => prefixes.map(|prefix| format!("{prefix}{}", capital(name))).collect(),
    }
}

/// `getName` as a property is `name`.
fn property_name(method: &str, prefix: &str) -> Option<String> {
    let rest = method.strip_prefix(prefix).filter(|_| !prefix.is_empty())?;
    let first = rest.chars().next().filter(|c| c.is_uppercase())?;
    Some(format!("{}{}", first.to_lowercase(), &rest[first.len_utf8()..]))
}

fn capital(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}
