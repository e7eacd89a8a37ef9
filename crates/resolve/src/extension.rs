//! Functions that belong to the values of types that are written elsewhere, and types of functions.

use std::sync::Arc;

use codegraph_model::*;

use crate::external::ExternalId;
use crate::lookup::{Found, Linker, What};
use crate::types::{Ty, Typed, is_delegate, types};
use crate::{Sym, TermId, Unit};

impl Linker<'_> {
    /// A member, or what extends the values of its type if they have none that fits.
    pub(crate) fn or_extension(
        &mut self,
        unit: &Arc<Unit>,
        id: RefId,
        receiver: &Typed,
        found: Option<Found>,
    ) -> Option<Found> {
        let reference = unit.facts.refs[id.index()];
        let settled = match &found {
            Some(found) => reference.kind != RefKind::Call || self.takes(found, reference.args),
            None => false,
        };
        if settled || !is_value(&receiver.ty) {
            return found;
        }
        self.extension(unit, id, receiver).or(found)
    }

    /// Whether something that is called takes this many arguments.
    fn takes(&mut self, found: &Found, args: u8) -> bool {
        match found.what {
            What::Symbol(sym) => {
                let owner = self.unit(sym.file);
                let symbol = owner.symbol(sym.symbol);
                !symbol.kind.is_callable() || crate::lookup::accepts(symbol, args)
            }
            _ => true,
        }
    }

    /// What extends the values of the receiver's type under the name of a reference.
    fn extension(&mut self, unit: &Arc<Unit>, id: RefId, receiver: &Typed) -> Option<Found> {
        let reference = unit.facts.refs[id.index()];
        let name = unit.name(reference.name);
        let mut all = Vec::new();
        for &file in self.program.defining(name).iter() {
            if !self.program.language(file).is_related(unit.language) {
                continue;
            }
            let owner = self.unit(file);
            for symbol in owner.named(name) {
                let fits = reference.kind != RefKind::Call || takes_besides(owner.symbol(symbol), reference.args);
                let left_out = owner.symbol(symbol).flags.has(Flags::INACTIVE);
                if owner.is_extension(symbol)
                    && fits
                    && !left_out
                    && self.is_visible(unit, reference.scope, &owner, symbol)
                {
                    all.push(Sym { file, symbol });
                }
            }
        }
        let (sym, inferred) = self.chosen_extension(unit, id, receiver, all)?;
        let found = Found::new(What::Symbol(sym)).by(How::Member);
        Some(Found { inferred, receiver: Some(receiver.ty.clone()), ..found })
    }

    /// Whether what extends a type can be seen from a scope.
    fn is_visible(&mut self, unit: &Arc<Unit>, scope: ScopeId, owner: &Arc<Unit>, symbol: SymbolId) -> bool {
        let home = self.space_around(owner, owner.symbol(symbol).scope);
        let here = self.space_around(unit, scope);
        let (home_name, here_name) = (self.packages.name(home), self.packages.name(here));
        let separator = unit.language.separator;
        let inside = |rest: &str| rest.is_empty() || rest.starts_with(separator);
        if home == here || home_name.is_empty() || here_name.strip_prefix(&*home_name).is_some_and(inside) {
            return true;
        }
        let stars = unit.stars().to_vec();
        stars.into_iter().any(|star| self.imported_spaces(unit, star).contains(&home))
    }

    /// The type whose values a function or property belongs to.
    pub(crate) fn extended_type(&mut self, sym: Sym) -> Ty {
        let unit = self.unit(sym.file);
        match unit.note(sym.symbol, Tie::SelfType) {
            Some(expr) => self.annotation(&unit, expr).ty,
            None => Ty::Unknown,
        }
    }

    /// What indexing a value of the project gives, if its type says so.
    pub(crate) fn indexed(&mut self, unit: &Arc<Unit>, base: &Typed) -> Option<Typed> {
        let name = self.words(unit).indexer?;
        if !matches!(base.ty, Ty::Instance(..)) {
            return None;
        }
        let found = self.member(unit, base, name, 1, RefKind::Attribute)?;
        let typed = self.found_value(unit, found);
        Some(Typed { ty: self.substitute(typed.ty, &base.ty), inferred: true })
    }

    // Types of functions.

    /// A type outside the project by its name alone.
    pub(crate) fn external_type(&mut self, unit: &Unit, name: TermId) -> ExternalId {
        let separator = unit.language.separator;
        self.externals.root(name, separator, separator)
    }

    /// The type of a value or nothing: another one only if values of the type are never nothing.
    pub(crate) fn optional(&mut self, unit: &Unit, ty: Ty) -> Ty {
        let words = self.words(unit);
        let is_value = match &ty {
            Ty::Basic(_) => true,
            Ty::Instance(sym, _) => {
                let kind = self.unit(sym.file).symbol(sym.symbol).kind;
                matches!(kind, SymbolKind::Struct | SymbolKind::Enum)
            }
            Ty::ExternalInstance(id, _) => words.values.contains(&self.externals.name(*id)),
            _ => false,
        };
        match words.optional.filter(|_| is_value) {
            Some(name) => Ty::ExternalInstance(self.external_type(unit, name), Some(types([ty]))),
            None => ty,
        }
    }

    /// What calling a value of a function type outside the project gives.
    pub(crate) fn function_result(&mut self, unit: &Arc<Unit>, of: &Ty) -> Typed {
        let Ty::ExternalInstance(id, Some(args)) = of else { return Typed::UNKNOWN };
        match self.words(unit).functions.get(&self.externals.name(*id)) {
            Some(true) => Typed::sure(args.last().cloned().unwrap_or(Ty::Unknown)),
            _ => Typed::UNKNOWN,
        }
    }

    /// What a function of such a type is given.
    pub(crate) fn function_parameter(&mut self, unit: &Arc<Unit>, of: &Ty, place: usize) -> Ty {
        let Ty::ExternalInstance(id, Some(args)) = of else { return Ty::Unknown };
        match self.words(unit).functions.get(&self.externals.name(*id)) {
            Some(gives) if place + usize::from(*gives) < args.len() => args[place].clone(),
            Some(_) => Ty::Unknown,
            // What wraps a function says so by its only argument.
            None if args.len() == 1 => self.function_parameter(unit, &args[0].clone(), place),
            None => Ty::Unknown,
        }
    }

    pub(crate) fn is_delegate_type(&mut self, sym: Sym) -> bool {
        is_delegate(&self.unit(sym.file), sym.symbol)
    }

    /// What calling a value of a function type of the project gives.
    pub(crate) fn delegated(&mut self, of: &Ty) -> Typed {
        let Ty::Instance(sym, _) = of else { return Typed::UNKNOWN };
        let unit = self.unit(sym.file);
        match unit.note(sym.symbol, Tie::Type).filter(|_| is_delegate(&unit, sym.symbol)) {
            Some(expr) => {
                let typed = self.annotation(&unit, expr);
                Typed { ty: self.substitute(typed.ty, of), inferred: typed.inferred }
            }
            None => Typed::UNKNOWN,
        }
    }

    /// What a function of such a type is given.
    pub(crate) fn delegate_parameter(&mut self, of: &Ty, place: usize) -> Ty {
        let Ty::Instance(sym, _) = of else { return Ty::Unknown };
        let unit = self.unit(sym.file);
        let inner = unit.symbol(sym.symbol).inner;
        let params = unit.facts.bindings.iter().filter(|b| b.kind == BindingKind::Param && b.scope == inner);
        let mut params: Vec<Binding> = params.copied().collect();
        params.sort_by_key(|b| b.span.start);
        match params.get(place) {
            Some(param) => {
                let ty = self.annotation(&unit, param.ty).ty;
                self.substitute(ty, of)
            }
            None => Ty::Unknown,
        }
    }
}

/// Whether members can be asked of it as of a value.
fn is_value(ty: &Ty) -> bool {
    !matches!(ty, Ty::Unknown | Ty::Type(..) | Ty::Module(_) | Ty::External(..) | Ty::Super(_))
}

/// Whether a function takes this many arguments besides the value that it belongs to.
fn takes_besides(symbol: &Symbol, args: u8) -> bool {
    if !symbol.kind.is_callable() {
        return false;
    }
    let own = symbol.params.iter().filter(|p| !p.flags.has(Flags::RECEIVER));
    let needed = own.clone().filter(|p| p.default.is_empty() && !p.flags.has(Flags::VARIADIC)).count();
    let most = if own.clone().any(|p| p.flags.has(Flags::VARIADIC)) { usize::MAX } else { own.count() };
    (needed..=most).contains(&(args as usize))
}
