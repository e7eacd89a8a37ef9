//! Generic types: what their parameters stand for in a value of them.

use std::sync::Arc;

use codegraph_languages::linking::TypeFunction;
use codegraph_model::*;

use crate::calls::Signature;
use crate::lookup::{Linker, What};
use crate::types::{Args, Ty, Typed, Types, as_instance, types, with_args};
use crate::{Sym, TermId, Unit};

/// How far type parameters are followed through bases.
const MOST_STEPS: u32 = 6;

impl Linker<'_> {
    /// A type as it is in a value of type `receiver`: parameters of generic types stand for arguments, the own type for
    /// that of the receiver.
    pub(crate) fn substitute(&mut self, ty: Ty, receiver: &Ty) -> Ty {
        match receiver {
            Ty::Shape(_, _, Some(of)) => {
                let of = Arc::clone(of);
                self.replace(ty, &of, 0)
            }
            Ty::Shape(_, _, None) | Ty::Module(_) | Ty::Unknown | Ty::External(..) => ty,
            _ => self.replace(ty, receiver, 0),
        }
    }

    fn replace(&mut self, ty: Ty, receiver: &Ty, steps: u32) -> Ty {
        if !ty.is_open() {
            return ty;
        }
        match ty {
            Ty::Parameter(file, binding) => self.argument(file, binding, receiver, steps),
            Ty::This(_) => as_instance(receiver.clone()),
            Ty::Member(of, name) => {
                let of = self.replace((*of).clone(), receiver, steps);
                let (Ty::Instance(sym, _) | Ty::Type(sym, _)) = receiver else { return Ty::Unknown };
                let unit = self.unit(sym.file);
                self.looked_up(&unit, Typed { ty: of, inferred: true }, name).ty
            }
            Ty::Instance(sym, Some(args)) => Ty::Instance(sym, self.replace_all(&args, receiver, steps)),
            Ty::Type(sym, Some(args)) => Ty::Type(sym, self.replace_all(&args, receiver, steps)),
            Ty::ExternalInstance(name, Some(args)) => {
                Ty::ExternalInstance(name, self.replace_all(&args, receiver, steps))
            }
            Ty::List(item) => Ty::List(Arc::new(self.replace((*item).clone(), receiver, steps))),
            Ty::Tuple(items) => Ty::Tuple(self.replace_all(&items, receiver, steps).unwrap_or(items)),
            Ty::Both(items) => Ty::Both(self.replace_all(&items, receiver, steps).unwrap_or(items)),
            Ty::Either(items) => Ty::Either(self.replace_all(&items, receiver, steps).unwrap_or(items)),
            Ty::Callable(sym, None) if is_receiver(receiver) => Ty::Callable(sym, Some(Box::new(receiver.clone()))),
            Ty::Callable(sym, Some(of)) => Ty::Callable(sym, Some(Box::new(self.replace(*of, receiver, steps)))),
            Ty::Shape(file, scope, None) if has_arguments(receiver) => {
                Ty::Shape(file, scope, Some(Arc::new(receiver.clone())))
            }
            Ty::Shape(file, scope, Some(of)) => {
                let of = self.replace((*of).clone(), receiver, steps);
                Ty::Shape(file, scope, Some(Arc::new(of)))
            }
            Ty::Function(returns, signature) => {
                let returns = Arc::new(self.replace((*returns).clone(), receiver, steps));
                let signature = match &*signature {
                    Signature::Written(file, scope, None) => {
                        Arc::new(Signature::Written(*file, *scope, Some(receiver.clone())))
                    }
                    Signature::Written(file, scope, Some(of)) => {
                        let of = self.replace(of.clone(), receiver, steps);
                        Arc::new(Signature::Written(*file, *scope, Some(of)))
                    }
                    _ => signature,
                };
                Ty::Function(returns, signature)
            }
            other => other,
        }
    }

    fn replace_all(&mut self, types: &[Ty], receiver: &Ty, steps: u32) -> Args {
        Some(Arc::new(types.iter().map(|ty| self.replace(ty.clone(), receiver, steps)).collect()))
    }

    /// What a type parameter stands for in a value of type `receiver`: an argument of it or of one of its bases.
    fn argument(&mut self, file: u32, binding: u32, receiver: &Ty, steps: u32) -> Ty {
        let parameter = Ty::Parameter(file, binding);
        let (Ty::Instance(sym, args) | Ty::Type(sym, args)) = receiver else { return parameter };
        let unit = self.unit(file);
        let scope = unit.facts.bindings[binding as usize].scope;
        let owner = unit.scope(scope).owner;
        let kind = unit.symbol(owner).kind;
        let place = unit.type_param_place(binding);
        if kind.is_callable() {
            let is_own = *sym == Sym { file, symbol: owner };
            let arg = args.as_ref().filter(|_| is_own).and_then(|args| args.get(place).cloned());
            return arg.unwrap_or(parameter);
        }
        let own = self.is_part(Sym { file, symbol: owner }, *sym);
        // An impl block has parameters of its own, in the order of those of its type.
        if own || kind == SymbolKind::Impl {
            return match args {
                Some(args) => args.get(place).cloned().unwrap_or(parameter),
                None => parameter,
            };
        }
        let owner = Sym { file, symbol: owner };
        if steps >= MOST_STEPS || !self.lineage(*sym).contains(&owner) {
            return parameter;
        }
        for base in self.bases(*sym).iter() {
            let leads = match base {
                Ty::Instance(base, _) => self.lineage(*base).contains(&owner),
                _ => false,
            };
            if leads {
                let base = self.replace(base.clone(), receiver, steps + 1);
                return self.argument(file, binding, &base, steps + 1);
            }
        }
        parameter
    }

    /// A generic type with its arguments. A second name for a type is replaced by what it means.
    pub(crate) fn applied(&mut self, unit: &Arc<Unit>, base: ExprId, args: Args) -> Typed {
        if let Some(alias) = self.named_alias(unit, base) {
            let body = self.symbol_value(alias);
            let of = Ty::Instance(alias, args);
            return Typed { ty: self.substitute(as_instance(body.ty), &of), inferred: body.inferred };
        }
        let typed = self.annotation(unit, base);
        let ty = match (typed.ty, args) {
            (Ty::Instance(sym, _), Some(args)) if unit.language.linking.declared_overloads => {
                Ty::Instance(sym, Some(self.completed(sym, args)))
            }
            (ty, args) => with_args(ty, args),
        };
        Typed { ty: self.evaluated(unit, ty), inferred: typed.inferred }
    }

    /// The arguments of a generic type, and behind them the defaults of the parameters that got none.
    fn completed(&mut self, sym: Sym, args: Arc<Types>) -> Arc<Types> {
        let owner = self.unit(sym.file);
        let params: Vec<u32> = owner.type_params_of(owner.symbol(sym.symbol).inner).skip(args.len()).collect();
        let has_default = |binding: &u32| owner.facts.bindings[*binding as usize].init.is_some();
        if params.is_empty() || !params.iter().all(has_default) {
            return args;
        }
        let of = Ty::Instance(sym, Some(Arc::clone(&args)));
        let mut all: Vec<Ty> = args.iter().cloned().collect();
        for binding in params {
            let default = self.annotation(&owner, owner.facts.bindings[binding as usize].init).ty;
            all.push(self.substitute(default, &of));
        }
        types(all)
    }

    /// A member of a type. The member of a type parameter is found when the parameter has an argument.
    pub(crate) fn looked_up(&mut self, unit: &Arc<Unit>, base: Typed, name: TermId) -> Typed {
        match base.ty {
            Ty::Parameter(..) | Ty::Member(..) if unit.language.linking.declared_overloads => {
                Typed { ty: Ty::Member(Arc::new(base.ty), name), inferred: base.inferred }
            }
            _ => self.member_value(unit, &base, name),
        }
    }

    /// The generic type that a plain name means: one whose parameters have defaults.
    pub(crate) fn generic_of(&mut self, unit: &Arc<Unit>, base: ExprId) -> Option<Sym> {
        if !unit.language.linking.declared_overloads {
            return None;
        }
        let What::Symbol(sym) = self.resolve(unit, RefId(unit.facts.exprs[base.index()].a))?.what else { return None };
        let sym = self.fitting_declaration(sym, true);
        let owner = self.unit(sym.file);
        let inner = owner.symbol(sym.symbol).inner;
        owner.type_params_of(inner).any(|b| owner.facts.bindings[b as usize].init.is_some()).then_some(sym)
    }

    /// A generic type without arguments: parameters stand for their defaults.
    pub(crate) fn with_defaults(&mut self, ty: Ty, sym: Sym) -> Ty {
        let owner = self.unit(sym.file);
        let inner = owner.symbol(sym.symbol).inner;
        let params: Vec<u32> = owner.type_params_of(inner).collect();
        let default = |l: &mut Self, b: u32| match owner.facts.bindings[b as usize].init.get() {
            Some(init) => l.annotation(&owner, init).ty,
            None => Ty::Parameter(sym.file, b),
        };
        let args: Vec<Ty> = params.into_iter().map(|b| default(self, b)).collect();
        match ty {
            Ty::Instance(own, None) if own == sym => Ty::Instance(sym, Some(crate::types::types(args))),
            other => self.substitute(other, &Ty::Instance(sym, Some(crate::types::types(args)))),
        }
    }

    fn named_alias(&mut self, unit: &Arc<Unit>, base: ExprId) -> Option<Sym> {
        let expr = unit.facts.exprs[base.index()];
        if expr.op != ExprOp::Ref || !unit.language.linking.declared_overloads {
            return None;
        }
        let found = self.resolve(unit, RefId(expr.a))?;
        let What::Symbol(sym) = found.what else { return None };
        let sym = self.fitting_declaration(sym, true);
        let owner = self.unit(sym.file);
        (owner.symbol(sym.symbol).kind == SymbolKind::TypeAlias).then_some(sym)
    }

    /// Functions on types that the language has.
    fn evaluated(&mut self, unit: &Arc<Unit>, ty: Ty) -> Ty {
        let Ty::ExternalInstance(name, Some(args)) = &ty else { return ty };
        let name = self.externals.name(*name);
        let Some(function) = self.words(unit).type_functions.get(&name).copied() else { return ty };
        let Some(first) = args.first().cloned() else { return Ty::Unknown };
        match function {
            TypeFunction::Same => first,
            TypeFunction::Result => self.called(unit, Typed::sure(first), ANY_COUNT).ty,
            TypeFunction::Instance => as_instance(first),
            TypeFunction::Held => self.held(unit, Typed::sure(first)).ty,
        }
    }

    /// The declaration with the same name that fits where the name stands: a type in a type, a value in an expression.
    pub(crate) fn fitting_declaration(&mut self, sym: Sym, wants_type: bool) -> Sym {
        let unit = self.unit(sym.file);
        let own = unit.symbol(sym.symbol);
        if !unit.language.linking.declared_overloads || sym.symbol.0 == 0 || fits(own.kind, wants_type) {
            return sym;
        }
        let others = unit.declared(own.scope, unit.name(own.name)).filter_map(|decl| match decl {
            crate::Decl::Symbol(symbol) => Some(symbol),
            _ => None,
        });
        let best = others.into_iter().find(|symbol| fits(unit.symbol(*symbol).kind, wants_type));
        best.map_or(sym, |symbol| Sym { symbol, ..sym })
    }
}

/// Whether a symbol of this kind can be meant where a type, or a value, is named.
fn fits(kind: SymbolKind, wants_type: bool) -> bool {
    match kind {
        SymbolKind::Interface | SymbolKind::TypeAlias => wants_type,
        SymbolKind::Class | SymbolKind::Enum => true,
        kind if kind.is_module() => true,
        _ => !wants_type,
    }
}

fn is_receiver(ty: &Ty) -> bool {
    matches!(ty, Ty::Instance(..) | Ty::Type(..) | Ty::ExternalInstance(_, Some(_)))
}

fn has_arguments(ty: &Ty) -> bool {
    matches!(ty, Ty::Instance(_, Some(_)) | Ty::Type(_, Some(_)) | Ty::ExternalInstance(_, Some(_)))
}
