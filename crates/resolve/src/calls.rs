//! Calls: which signature is meant, what it takes, and what the methods of containers do with what they hold.

use std::sync::Arc;

use codegraph_languages::linking::Gives;
use codegraph_model::*;

use crate::lookup::{Linker, What, accepts};
use crate::types::{Args, Ty, Typed, Types, types};
use crate::unit::Decl;
use crate::{Sym, TermId, Unit};

/// The parameters of a function value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Signature {
    Unknown,
    /// Those that a scope of a file declares, seen through a generic type.
    Written(u32, ScopeId, Option<Ty>),
    Types(Arc<Types>),
    /// It has this receiver, and no parameters.
    Receiver(Ty),
    /// What a method runs its block with, seen through a type.
    Yields(Sym, Option<Ty>),
}

impl Signature {
    /// Whether the parameters depend on the type that they are seen from.
    pub(crate) fn is_open(&self) -> bool {
        match self {
            Signature::Unknown | Signature::Yields(..) => false,
            Signature::Written(_, _, of) => of.as_ref().is_none_or(Ty::is_open),
            Signature::Types(types) => types.iter().any(Ty::is_open),
            Signature::Receiver(of) => of.is_open(),
        }
    }
}

impl Linker<'_> {
    /// What argument number `place` of a call has to be.
    pub(crate) fn taken(&mut self, unit: &Arc<Unit>, function: &Ty, place: usize) -> Typed {
        if place == BLOCK_PLACE as usize {
            return Typed { ty: block_of(function), inferred: true };
        }
        let ty = match function {
            Ty::Callable(sym, receiver) => {
                let signature = self.signature(*sym, ANY_COUNT);
                let ty = self.parameter_type(signature, place);
                let ty = self.function_bound(ty);
                match receiver {
                    Some(receiver) => self.substitute(ty, receiver),
                    None => ty,
                }
            }
            Ty::Function(_, signature) => self.signature_type(unit, signature, place),
            Ty::Type(sym, args) => self.constructor_type(unit, *sym, args.clone(), place),
            Ty::Either(parts) | Ty::Both(parts) => {
                let known = parts.iter().map(|part| self.taken(unit, part, place).ty);
                known.into_iter().find(|ty| *ty != Ty::Unknown).unwrap_or(Ty::Unknown)
            }
            Ty::Parameter(..) => match self.bound_of(function.clone()) {
                bound @ (Ty::Function(..) | Ty::Both(_)) => self.taken(unit, &bound, place).ty,
                _ => Ty::Unknown,
            },
            Ty::ExternalInstance(..) => self.function_parameter(unit, function, place),
            Ty::Instance(sym, _) if self.is_delegate_type(*sym) => self.delegate_parameter(function, place),
            Ty::Instance(..) | Ty::Shape(..) => match self.call_signature(unit, function) {
                Some(signature) => self.taken(unit, &signature, place).ty,
                None => Ty::Unknown,
            },
            _ => Ty::Unknown,
        };
        Typed { ty, inferred: true }
    }

    /// A type parameter that stands for a function is what it has to be.
    fn function_bound(&mut self, ty: Ty) -> Ty {
        if !matches!(ty, Ty::Parameter(..)) {
            return ty;
        }
        match self.bound_of(ty.clone()) {
            bound @ Ty::Function(..) => bound,
            Ty::Both(parts) => parts.iter().find(|part| matches!(part, Ty::Function(..))).cloned().unwrap_or(ty),
            _ => ty,
        }
    }

    /// What a type that can be called is as a function.
    pub(crate) fn call_signature(&mut self, unit: &Arc<Unit>, ty: &Ty) -> Option<Ty> {
        let name = self.words(unit).call?;
        let declared = |owner: &Arc<Unit>, scope: ScopeId| match owner.declared(scope, name).next() {
            Some(Decl::Binding(binding)) => Some(owner.facts.bindings[binding as usize].ty),
            _ => None,
        };
        match ty {
            Ty::Shape(file, scope, _) => {
                let owner = self.unit(*file);
                let function = self.annotation(&owner, declared(&owner, *scope)?).ty;
                Some(self.substitute(function, ty))
            }
            Ty::Instance(sym, _) => {
                for base in self.lineage(*sym).iter() {
                    let owner = self.unit(base.file);
                    if let Some(expr) = declared(&owner, owner.symbol(base.symbol).inner) {
                        let function = self.annotation(&owner, expr).ty;
                        return Some(self.substitute(function, ty));
                    }
                }
                None
            }
            _ => None,
        }
    }

    /// The declaration that a call means: where a function is declared several times, the first that takes as many
    /// arguments; its definition says what it does, not how it is called.
    pub(crate) fn signature(&mut self, sym: Sym, count: u8) -> Sym {
        let unit = self.unit(sym.file);
        if !unit.language.linking.declared_overloads {
            return sym;
        }
        let own = unit.symbol(sym.symbol);
        let mut first = None;
        for decl in unit.declared(own.scope, unit.name(own.name)) {
            let Decl::Symbol(symbol) = decl else { continue };
            let entry = unit.symbol(symbol);
            if !entry.kind.is_callable() || !entry.flags.has(Flags::DECLARATION) {
                continue;
            }
            if count == ANY_COUNT || accepts(entry, count) {
                return Sym { symbol, ..sym };
            }
            first = first.or(Some(symbol));
        }
        first.map_or(sym, |symbol| Sym { symbol, ..sym })
    }

    fn parameter_type(&mut self, sym: Sym, place: usize) -> Ty {
        let unit = self.unit(sym.file);
        let symbol = unit.symbol(sym.symbol);
        let own: Vec<&Param> = symbol.params.iter().filter(|p| !p.flags.has(Flags::RECEIVER)).collect();
        let Some(param) = own.get(place).or(own.last().filter(|p| p.flags.has(Flags::VARIADIC))) else {
            return Ty::Unknown;
        };
        let ty = self.declared_parameter(&unit, symbol.inner, param.name);
        if param.flags.has(Flags::VARIADIC) { item_of(ty) } else { ty }
    }

    /// The declared type of the parameter that a scope has at a place.
    fn declared_parameter(&mut self, unit: &Arc<Unit>, scope: ScopeId, at: Span) -> Ty {
        let inside = |b: &Binding| b.kind == BindingKind::Param && b.scope == scope && at.contains(b.span.start);
        let Some(binding) = unit.facts.bindings.iter().find(|b| inside(b)) else { return Ty::Unknown };
        if binding.ty.is_some() {
            return self.annotation(unit, binding.ty).ty;
        }
        // A parameter that is taken apart has its type where that begins.
        let mut expr = binding.init;
        // One without a type takes what its default is.
        if expr.is_some() && matches!(unit.facts.exprs[expr.index()].op, ExprOp::Shape | ExprOp::Literal) {
            return self.value(unit, expr).ty;
        }
        while expr.is_some() {
            let node = unit.facts.exprs[expr.index()];
            match node.op {
                ExprOp::Key | ExprOp::Item => expr = ExprId(node.a),
                ExprOp::Typed => return self.annotation(unit, ExprId(node.a)).ty,
                _ => break,
            }
        }
        Ty::Unknown
    }

    fn signature_type(&mut self, unit: &Arc<Unit>, signature: &Signature, place: usize) -> Ty {
        match signature {
            Signature::Unknown => Ty::Unknown,
            Signature::Yields(sym, _) if place == RECEIVER_PLACE as usize => self.within(*sym),
            Signature::Yields(sym, of) => self.yielded(*sym, of.as_ref(), place),
            Signature::Types(types) => types.get(place).cloned().unwrap_or(Ty::Unknown),
            Signature::Receiver(of) if place == RECEIVER_PLACE as usize => of.clone(),
            Signature::Receiver(_) => Ty::Unknown,
            Signature::Written(file, scope, of) => {
                let owner = if *file == unit.file { Arc::clone(unit) } else { self.unit(*file) };
                let receiver = self.words(&owner).lambda_receiver;
                let is_receiver = |b: &Binding| Some(owner.name(b.name)) == receiver && b.kind == BindingKind::Label;
                let unwritten = |b: &Binding| receiver.is_some() && b.kind == BindingKind::Label && !is_receiver(b);
                let own = owner.facts.bindings.iter().filter(|b| b.scope == *scope);
                if place == RECEIVER_PLACE as usize {
                    let Some(binding) = own.copied().find(is_receiver) else { return Ty::Unknown };
                    let ty = self.annotation(&owner, binding.ty).ty;
                    return match of {
                        Some(of) => self.substitute(ty, of),
                        None => ty,
                    };
                }
                let params = own.filter(|b| b.kind == BindingKind::Param || unwritten(b));
                let mut params: Vec<Binding> = params.copied().collect();
                params.sort_by_key(|b| b.span.start);
                let Some(binding) = params.get(place).or(params.last()) else { return Ty::Unknown };
                let ty = self.annotation(&owner, binding.ty).ty;
                // Beyond the last parameter there is only a list of more.
                let ty = match (params.len() > place, ty) {
                    (true, ty) => ty,
                    (false, Ty::List(item)) => (*item).clone(),
                    _ => return Ty::Unknown,
                };
                match of {
                    Some(of) if self.is_open_member(&ty) && !matches!(of, Ty::Parameter(..)) => Ty::Unknown,
                    Some(of) => self.substitute(ty, of),
                    None => ty,
                }
            }
        }
    }

    /// Whether a type is one that implementations of a trait choose.
    fn is_open_member(&mut self, ty: &Ty) -> bool {
        let Ty::Instance(sym, _) = ty else { return false };
        let unit = self.unit(sym.file);
        let symbol = unit.symbol(sym.symbol);
        symbol.kind == SymbolKind::TypeAlias && unit.symbol(symbol.parent).kind == SymbolKind::Trait
    }

    fn constructor_type(&mut self, unit: &Arc<Unit>, sym: Sym, args: Args, place: usize) -> Ty {
        let owner = self.unit(sym.file);
        let Some(name) = self.words(&owner).constructors.first().copied() else { return Ty::Unknown };
        let class = Ty::Type(sym, args);
        let found = self.member(unit, &Typed::sure(class.clone()), name, ANY_COUNT, RefKind::Instantiation);
        match found.map(|f| f.what) {
            Some(What::Symbol(constructor)) => {
                let signature = self.signature(constructor, ANY_COUNT);
                let ty = self.parameter_type(signature, place);
                self.substitute(ty, &class)
            }
            _ => Ty::Unknown,
        }
    }

    /// A method that every container has (`map`, `first`), as the type of a function: its result, and the parameters of the callback
    /// that it takes.
    pub(crate) fn container_method(&mut self, unit: &Arc<Unit>, of: &Ty, name: TermId) -> Ty {
        let words = self.words(unit);
        let gives = words.methods.get(&name);
        let Some(item) = self.contained(unit, of) else {
            let copies = gives == Some(&Gives::Copy) && matches!(of, Ty::Instance(..) | Ty::Parameter(..));
            return if copies { Ty::Function(Arc::new(of.clone()), Arc::new(Signature::Unknown)) } else { Ty::Unknown };
        };
        if let (Some(place), Some((_, value))) = (words.fills.get(&name), self.held_types(unit, of)) {
            let taken = std::iter::repeat_n(Ty::Unknown, *place as usize).chain([value]);
            return Ty::Function(Arc::new(Ty::Unknown), Arc::new(Signature::Types(types(taken))));
        }
        let gives = match gives {
            Some(gives) => self.given(unit, of, *gives),
            None => Ty::Unknown,
        };
        let given = match words.folders.contains(&name) {
            _ if words.callbacks_apart.contains(&name) => types([]),
            true => types([Ty::Unknown, item]),
            false => types([item]),
        };
        let callback = Ty::Function(Arc::new(Ty::Unknown), Arc::new(Signature::Types(given)));
        Ty::Function(Arc::new(gives), Arc::new(Signature::Types(types([callback]))))
    }

    fn contained(&mut self, unit: &Arc<Unit>, of: &Ty) -> Option<Ty> {
        let (item, value) = self.held_types(unit, of)?;
        if self.holds_either(unit, of) {
            return Some(item);
        }
        let pairs = unit.language.linking.maps_give_pairs && item != value;
        Some(if pairs { Ty::Tuple(types([item, value])) } else { value })
    }
}

/// The block that a call of a function is given, as a function.
fn block_of(function: &Ty) -> Ty {
    match function {
        Ty::Callable(sym, of) => {
            Ty::Function(Arc::new(Ty::Unknown), Arc::new(Signature::Yields(*sym, of.as_deref().cloned())))
        }
        Ty::Function(_, signature) => match &**signature {
            Signature::Types(types) => types.first().cloned().unwrap_or(Ty::Unknown),
            _ => Ty::Unknown,
        },
        _ => Ty::Unknown,
    }
}

fn item_of(ty: Ty) -> Ty {
    match ty {
        Ty::List(item) => (*item).clone(),
        Ty::ExternalInstance(_, Some(args)) => args.first().cloned().unwrap_or(Ty::Unknown),
        _ => Ty::Unknown,
    }
}
