//! Functions that belong to the values of types that are written elsewhere, and types of functions.

use std::sync::Arc;

use codegraph_model::*;

use crate::calls::Signature;
use crate::external::ExternalId;
use crate::lookup::{Found, Linker, What};
use crate::overload::Fit;
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
        if !unit.language.linking.namespaces {
            return self.is_imported(unit, scope, owner, symbol);
        }
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
            || self.is_used_everywhere(unit, home)
    }

    /// Whether what extends a type stands in the same module, is imported, or belongs to a type around.
    fn is_imported(&mut self, unit: &Arc<Unit>, mut scope: ScopeId, owner: &Arc<Unit>, symbol: SymbolId) -> bool {
        let entry = owner.symbol(symbol);
        if entry.scope == ScopeId(0) && self.program.same_module(unit.file, owner.file) {
            return true;
        }
        if self.is_imported_by_name(unit, owner, symbol) {
            return true;
        }
        if entry.scope == ScopeId(0) {
            let home = self.program.module(owner.file);
            let stars = unit.stars().to_vec();
            return stars.into_iter().any(|star| match self.import_target(unit, star).map(|found| found.what) {
                Some(What::Module(crate::module::ModuleRef::Package(package))) => self.packages.name(package) == home,
                _ => false,
            });
        }
        let Some(Ty::Type(home, _)) = self.type_around(owner, entry.parent) else { return false };
        // What the companion of a type declares is seen in the type.
        let around = owner.symbol(home.symbol);
        let is_companion = home.file == owner.file && around.flags.has(Flags::DEFAULT);
        let outer = if is_companion { self.type_around(owner, around.parent) } else { None };
        while scope.is_some() {
            let around = *unit.scope(scope);
            if let Some(receiver) = self.unwritten_receiver(unit, scope)
                && let Ty::Instance(own, _) | Ty::Type(own, _) = receiver.ty
                && self.lineage(own).contains(&home)
            {
                return true;
            }
            if around.kind == ScopeKind::Type
                && let Some(Ty::Type(own, _)) = self.type_around(unit, around.owner)
                && let Some(Ty::Type(outer, _)) = outer
                && self.lineage(own).contains(&outer)
            {
                return true;
            }
            if around.kind == ScopeKind::Type
                && let Some(Ty::Type(own, _)) = self.type_around(unit, around.owner)
                && self.lineage(own).contains(&home)
            {
                return true;
            }
            scope = around.parent;
        }
        false
    }

    /// Whether an import names what extends a type, or another of its name that stands in the same place.
    fn is_imported_by_name(&mut self, unit: &Arc<Unit>, owner: &Arc<Unit>, symbol: SymbolId) -> bool {
        let entry = owner.symbol(symbol);
        let imports = unit.declared(ScopeId(0), owner.name(entry.name)).filter_map(|decl| match decl {
            crate::Decl::Import(i) => Some(i),
            _ => None,
        });
        let imports: Vec<u32> = imports.collect();
        let (sym, home) = (Sym { file: owner.file, symbol }, self.program.module(owner.file));
        imports.into_iter().any(|import| match self.import_target(unit, import).map(|found| found.what) {
            Some(What::Symbol(found)) if found == sym => true,
            Some(What::Symbol(found)) => {
                let other = self.unit(found.file);
                let place = other.symbol(found.symbol);
                match entry.scope == ScopeId(0) {
                    true => place.scope == ScopeId(0) && *self.program.module(found.file) == *home,
                    false => found.file == owner.file && place.scope == entry.scope,
                }
            }
            _ => false,
        })
    }

    /// Whether something that belongs to values of a type was found by its name alone where there is no such value.
    pub(crate) fn is_stray(&mut self, unit: &Arc<Unit>, reference: &Reference, found: &Found) -> bool {
        let What::Symbol(sym) = found.what else { return false };
        if !unit.language.linking.receivers_apart || found.receiver.is_some() || sym.symbol.0 == 0 {
            return false;
        }
        let owner = self.unit(sym.file);
        if !owner.is_extension(sym.symbol) {
            return false;
        }
        if reference.kind == RefKind::Read && owner.symbol(sym.symbol).kind.is_callable() {
            return true;
        }
        let of = self.extended_type(sym);
        let mut scope = reference.scope;
        while scope.is_some() {
            let entry = *unit.scope(scope);
            let receiver = match entry.kind {
                ScopeKind::Type => match self.type_around(unit, entry.owner) {
                    Some(Ty::Type(own, args)) => Some(Ty::Instance(own, args)),
                    _ => None,
                },
                _ => self.unwritten_receiver(unit, scope).map(|receiver| receiver.ty),
            };
            if receiver.is_some_and(|receiver| self.passes(unit, &receiver, &of) != Fit::No) {
                return false;
            }
            scope = entry.parent;
        }
        reference.kind != RefKind::Attribute
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
        let typed = match self.found_value(unit, found) {
            Typed { ty: Ty::Callable(sym, _), .. } => self.returned(sym),
            typed => typed,
        };
        Some(Typed { ty: self.substitute(typed.ty, &base.ty), inferred: true })
    }

    /// The receiver that a function has by itself: a value that it extends, or what it is called with.
    pub(crate) fn unwritten_receiver(&mut self, unit: &Arc<Unit>, scope: ScopeId) -> Option<Typed> {
        let entry = *unit.scope(scope);
        if entry.kind != ScopeKind::Function || !unit.language.linking.lambda_receivers {
            return None;
        }
        let owner = unit.symbol(entry.owner);
        if (owner.inner == scope || !owner.kind.is_callable()) && unit.is_extension(entry.owner) {
            let ty = self.extended_type(Sym { file: unit.file, symbol: entry.owner });
            return Some(Typed::sure(ty));
        }
        let name = self.words(unit).lambda_receiver?;
        let declared = unit.declared(scope, name).find_map(|decl| match decl {
            crate::Decl::Binding(i) if unit.facts.bindings[i as usize].kind == BindingKind::Label => Some(i),
            _ => None,
        });
        let typed = self.binding_value(unit, declared?);
        (typed.ty != Ty::Unknown).then_some(typed)
    }

    /// A name as a member of the receiver of the function around.
    pub(crate) fn member_of_receiver(
        &mut self,
        unit: &Arc<Unit>,
        scope: ScopeId,
        name: TermId,
        reference: &Reference,
    ) -> Option<Found> {
        let receiver = self.unwritten_receiver(unit, scope)?;
        self.member(unit, &receiver, name, reference.args, reference.kind)
    }

    /// A method that every value has, as a function: what it gives to the function that it takes.
    pub(crate) fn scope_function(&mut self, unit: &Arc<Unit>, of: &Ty, name: TermId) -> Option<Ty> {
        let function = *self.words(unit).scope_functions.get(&name)?;
        if !is_value(of) {
            return None;
        }
        let taken = match function.as_receiver {
            true => Signature::Receiver(of.clone()),
            false => Signature::Types(types([of.clone()])),
        };
        let callback = Ty::Function(Arc::new(Ty::Unknown), Arc::new(taken));
        let gives = if function.returns_it { of.clone() } else { Ty::Unknown };
        Some(Ty::Function(Arc::new(gives), Arc::new(Signature::Types(types([callback])))))
    }

    /// The object whose members a type has as its own.
    pub(crate) fn companion(&mut self, unit: &Arc<Unit>, inner: ScopeId) -> Option<ScopeId> {
        if !unit.language.linking.companions {
            return None;
        }
        let is_it = |s: &&Symbol| s.scope == inner && s.kind == SymbolKind::Object && s.flags.has(Flags::DEFAULT);
        unit.facts.symbols.iter().find(is_it).map(|symbol| symbol.inner)
    }

    /// All that can be called under a name at the top of a module: functions, and types that are made.
    pub(crate) fn top_callables(&mut self, unit: &Arc<Unit>, name: TermId, args: u8) -> Vec<Sym> {
        let mut all = Vec::new();
        for &file in self.program.defining(name).iter() {
            if !self.program.same_module(file, unit.file) || !self.program.language(file).is_related(unit.language) {
                continue;
            }
            let other = self.unit(file);
            for decl in other.declared(ScopeId(0), name) {
                let crate::Decl::Symbol(symbol) = decl else { continue };
                let entry = other.symbol(symbol);
                let fits = crate::lookup::accepts(entry, args);
                let called = entry.kind.is_callable() && !other.is_extension(symbol);
                if fits && (called || entry.kind.is_type()) {
                    all.push(Sym { file, symbol });
                }
            }
        }
        all
    }

    /// Where a type is named, the type that has the name, not the function.
    pub(crate) fn named_type(&mut self, unit: &Arc<Unit>, kind: RefKind, found: Found) -> Found {
        use RefKind::*;
        let What::Symbol(sym) = found.what else { return found };
        let owner = self.unit(sym.file);
        let symbol = owner.symbol(sym.symbol);
        if !matches!(kind, TypeRef | Inherit | Implements | Decorator)
            || symbol.scope != ScopeId(0)
            || !symbol.kind.is_callable()
        {
            return found;
        }
        let name = owner.name(symbol.name);
        for &file in self.program.defining(name).iter() {
            if !self.program.same_module(file, sym.file) || !self.program.language(file).is_related(unit.language) {
                continue;
            }
            let other = self.unit(file);
            let named = other.declared(ScopeId(0), name).find_map(|decl| match decl {
                crate::Decl::Symbol(id) if other.symbol(id).kind.is_type() => Some(id),
                _ => None,
            });
            if let Some(symbol) = named {
                return Found { what: What::Symbol(Sym { file, symbol }), ..found };
            }
        }
        found
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
