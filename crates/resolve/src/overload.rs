//! Which of several functions of the same name a call means, by the types of its arguments.
//!
//! A candidate that an argument cannot be passed to is out; among the others one must be at least as close as all the
//! rest for every argument. What is not known about an argument decides nothing.

use std::sync::Arc;

use codegraph_model::*;

use crate::calls::Signature;
use crate::convert::{CONVERTED, PERHAPS};
use crate::lookup::{Found, Linker, What, accepts};
use crate::types::{Ty, Typed};
use crate::{Decl, Sym, TermId, Unit};

/// How an argument suits a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fit {
    No,
    Unknown,
    /// It can be passed; the less, the closer.
    Yes(u32),
}

/// Distances beyond those of written tables and ancestors.
const OUTSIDE_BASE: u32 = 100;
const TYPE_PARAMETER: u32 = 150;
const ANYTHING: u32 = 200;
const LIST_OF_REST: u32 = 1000;
/// A list is passed as an interface that it implements.
const LIST: u32 = 1;

struct Candidate {
    sym: Sym,
    /// What declares it.
    owner: Sym,
    /// One for each argument.
    params: Vec<Ty>,
    fits: Vec<Fit>,
    /// How many parameters keep their defaults.
    left_out: usize,
    /// How many type parameters it has.
    open: usize,
    /// It takes any number of arguments.
    rest: bool,
    /// A template that is there for some types only.
    constrained: bool,
}

impl Candidate {
    /// Every argument can be passed, whatever the others are.
    fn takes_surely(&self) -> bool {
        self.fits.iter().zip(&self.params).all(|(fit, param)| match fit {
            Fit::Yes(far) => *far <= CONVERTED || *far > PERHAPS,
            _ => is_open(param),
        })
    }
}

/// An argument as far as it is known.
struct Argument {
    /// The parameter that it says that it is for.
    name: Option<TermId>,
    /// A word says that the function may assign to it.
    by_reference: bool,
    ty: Ty,
    inferred: bool,
    literal: Option<Literal>,
    /// How many parameters a function without a name has.
    takes: Option<usize>,
    gives: Gives,
}

/// What a function without a name gives.
enum Gives {
    /// That is not asked.
    Unasked,
    Nothing,
    Value(Ty),
    /// The value of an expression that may stand as a statement, too.
    Statement(Ty),
}

impl Linker<'_> {
    /// The function that a call means, if several of the found name take as many arguments.
    pub(crate) fn chosen(&mut self, unit: &Arc<Unit>, id: RefId, found: Found) -> Found {
        let reference = unit.facts.refs[id.index()];
        let list = match unit.arguments(id) {
            Some(list) => list,
            // Of two without parameters, one may be for values that stay as they are.
            None if unit.language.linking.headers && reference.args == 0 => ExprId::NONE,
            None => return found,
        };
        // Functions of other values were chosen among when they were found.
        if let (What::Symbol(sym), Some(receiver)) = (found.what, &found.receiver)
            && !matches!(receiver, Ty::Type(..))
            && self.unit(sym.file).is_extension(sym.symbol)
        {
            return found;
        }
        let imported = self.imported_overloads(unit, &reference, &found);
        let all = match imported {
            Some(all) => all,
            None => self.overloads(unit, &found, reference.args),
        };
        if let ([only], true) = (&all[..], unit.language.linking.module_overloads || self.misfits(&found, &reference)) {
            return Found { what: What::Symbol(*only), ambiguous: false, ..found };
        }
        if all.len() < 2 {
            let misfits = unit.language.linking.functions_apart && self.misfits(&found, &reference);
            return Found { ambiguous: found.ambiguous || misfits, ..found };
        }
        let arguments = self.arguments(unit, list);
        let deduces = unit.language.linking.headers;
        let all = self.of_arity(all, unit.type_arguments(&unit.facts.refs[id.index()]), deduces);
        let stays = unit.language.linking.headers && self.stays_as_it_is(unit, &reference);
        match self.closest(unit, &arguments, all, found.receiver.as_ref(), stays) {
            Some(sym) => {
                let inferred = found.inferred || arguments.iter().any(|a| a.inferred);
                Found { what: What::Symbol(sym), ambiguous: false, inferred, ..found }
            }
            None => Found { ambiguous: true, ..found },
        }
    }

    /// Whether an argument of a call, as far as it is known for sure, cannot be passed to a function.
    pub(crate) fn refuses(&mut self, unit: &Arc<Unit>, call: RefId, sym: Sym, receiver: Option<&Ty>) -> bool {
        // A template takes what it is there for.
        let Some(list) = unit.arguments(call).filter(|_| !unit.language.linking.headers) else { return false };
        let arguments = self.arguments(unit, list);
        let Some((params, _)) = self.parameters(sym, &arguments) else { return true };
        arguments.iter().zip(params).filter(|(argument, _)| !argument.inferred).any(|(argument, param)| {
            let param = match receiver {
                Some(receiver) => self.substitute(param, receiver),
                None => param,
            };
            self.fit(unit, argument, &param) == Fit::No
        })
    }

    /// Whether a function takes another number of arguments than a call has.
    fn misfits(&mut self, found: &Found, reference: &Reference) -> bool {
        let What::Symbol(sym) = found.what else { return false };
        let unit = self.unit(sym.file);
        let symbol = unit.symbol(sym.symbol);
        symbol.kind.is_callable() && !accepts(symbol, reference.args)
    }

    /// Functions of types that a file imports by the name of a call: all of them are overloads of each other. An import of
    /// the name alone comes before those of everything.
    fn imported_overloads(&mut self, unit: &Arc<Unit>, reference: &Reference, found: &Found) -> Option<Vec<Sym>> {
        let is_call = reference.kind == RefKind::Call && reference.receiver.is_none();
        if !unit.language.linking.functions_apart || !is_call || found.how != How::Import {
            return None;
        }
        let name = unit.name(reference.name);
        let mut owners = Vec::new();
        let named = unit.declared(ScopeId(0), name).filter_map(|decl| match decl {
            Decl::Import(import) => Some(import),
            _ => None,
        });
        for import in named.collect::<Vec<_>>() {
            if let Some(What::Symbol(sym)) = self.import_target(unit, import).map(|found| found.what) {
                owners.push(self.owner(sym));
            }
        }
        if owners.is_empty() {
            for &import in unit.stars() {
                let Some(target) = self.import_target(unit, import) else { continue };
                if let Ty::Type(sym, _) = self.found_value(unit, target).ty {
                    owners.push(sym);
                }
            }
        }
        let mut all = Vec::new();
        for owner in owners {
            for of in self.lineage(owner).iter() {
                let unit = self.unit(of.file);
                let inner = unit.symbol(of.symbol).inner.get();
                all.extend(inner.map(|inner| callables(&unit, inner, name, reference.args)).unwrap_or_default());
            }
        }
        all.sort_unstable();
        all.dedup();
        Some(all)
    }

    /// Of functions that belong to values of other types, the one that a call of a member means, and whether that was
    /// inferred.
    pub(crate) fn chosen_extension(
        &mut self,
        unit: &Arc<Unit>,
        id: RefId,
        receiver: &Typed,
        all: Vec<Sym>,
    ) -> Option<(Sym, bool)> {
        let own = Argument {
            name: None,
            by_reference: false,
            ty: receiver.ty.clone(),
            inferred: receiver.inferred,
            literal: None,
            takes: None,
            gives: Gives::Unasked,
        };
        let mut arguments = vec![own];
        arguments.extend(unit.arguments(id).map(|list| self.arguments(unit, list)).into_iter().flatten());
        let mut fitting = Vec::new();
        for sym in all {
            let of = self.extended_type(sym);
            match self.passes(unit, &receiver.ty, &of) {
                Fit::No => {}
                Fit::Unknown if matches!(receiver.ty, Ty::Unknown | Ty::Parameter(..)) => {}
                _ => fitting.push(sym),
            }
        }
        let fitting = self.of_arity(fitting, unit.type_arguments(&unit.facts.refs[id.index()]), false);
        let sym = match fitting[..] {
            [] => return None,
            [only] => only,
            _ => self.closest(unit, &arguments, fitting, None, false)?,
        };
        // A value outside the project may have a method of this name that fits better.
        if matches!(receiver.ty, Ty::ExternalInstance(..) | Ty::Basic(_)) {
            let (params, _) = self.parameters(sym, &arguments)?;
            let given = arguments.iter().zip(&params).skip(1);
            for (argument, param) in given.filter(|(a, _)| a.takes.is_none()) {
                if !matches!(self.fit(unit, argument, param), Fit::Yes(_)) {
                    return None;
                }
            }
        }
        Some((sym, arguments.iter().any(|a| a.inferred)))
    }

    /// Functions with as many type parameters as a call says, or with more where the rest is found by the arguments.
    fn of_arity(&mut self, mut all: Vec<Sym>, arity: Option<usize>, deduces: bool) -> Vec<Sym> {
        if let Some(arity) = arity {
            all.retain(|sym| {
                let own = self.type_parameters(*sym);
                own == arity || deduces && own > arity
            });
        }
        all
    }

    fn owner(&mut self, sym: Sym) -> Sym {
        Sym { file: sym.file, symbol: self.unit(sym.file).symbol(sym.symbol).parent }
    }

    fn type_parameters(&mut self, sym: Sym) -> usize {
        let unit = self.unit(sym.file);
        unit.type_params_of(unit.head_of(unit.symbol(sym.symbol).inner)).count()
    }

    /// The function that is at least as close as all others for every argument.
    fn closest(
        &mut self,
        unit: &Arc<Unit>,
        arguments: &[Argument],
        all: Vec<Sym>,
        receiver: Option<&Ty>,
        stays: bool,
    ) -> Option<Sym> {
        let mut candidates: Vec<Candidate> = Vec::new();
        for sym in all {
            let Some((mut params, left_out)) = self.parameters(sym, arguments) else { continue };
            if let Some(receiver) = receiver {
                params = params.into_iter().map(|ty| self.substitute(ty, receiver)).collect();
            }
            // Of two that take the same, one without type parameters is meant.
            let open = self.type_parameters(sym);
            let rest = self.takes_rest(sym);
            // What a base declares with the same parameters is overridden.
            let known = !params.contains(&Ty::Unknown);
            let owner = self.owner(sym);
            let same = |c: &Candidate| {
                (c.left_out, c.open, c.rest) == (left_out, open, rest)
                    && (known && c.params == params || c.owner != owner && written_alike(&c.params, &params))
            };
            if let Some(place) = candidates.iter().position(same) {
                if self.suits_better(candidates[place].sym, sym, stays) {
                    candidates[place].sym = sym;
                }
            } else {
                let mut fits: Vec<Fit> = arguments.iter().zip(&params).map(|(a, p)| self.fit(unit, a, p)).collect();
                if unit.language.linking.headers && is_torn(arguments, &params) {
                    fits.fill(Fit::No);
                }
                let constrained = unit.language.linking.headers && open > 0 && self.is_constrained(sym);
                candidates.push(Candidate { sym, owner, params, fits, left_out, open, rest, constrained });
            }
        }
        candidates.retain(|c| !c.fits.contains(&Fit::No));
        if unit.language.linking.rest_comes_last && candidates.iter().any(takes_all) {
            let whole_list = matches!(arguments.last().map(|argument| &argument.ty), Some(Ty::List(_)));
            candidates.retain(|c| !c.rest || whole_list && c.params.len() == arguments.len());
        }
        let forwards = unit.language.linking.headers;
        let best = |all: &[Candidate]| {
            let best = all.iter().position(|c| all.iter().all(|o| o.sym == c.sym || beats(c, o, forwards)))?;
            // Of two templates that are as close one is there for other types.
            let twin = |o: &Candidate| o.sym != all[best].sym && o.open > 0 && beats(o, &all[best], forwards);
            (!forwards || all[best].open == 0 || !all.iter().any(twin)).then_some(best)
        };
        // Nobody knows here for which types a template is there: what surely takes the arguments comes before it.
        let (some, all): (Vec<Candidate>, Vec<Candidate>) = candidates.into_iter().partition(|c| c.constrained);
        match (best(&all), &some[..]) {
            (Some(i), []) => Some(all[i].sym),
            (Some(i), _) if all[i].takes_surely() => Some(all[i].sym),
            (None, [only]) if all.is_empty() => Some(only.sym),
            _ => None,
        }
    }

    /// Whether the receiver of a call is constant: it is a constant local, or `this` in a constant method.
    fn stays_as_it_is(&mut self, unit: &Arc<Unit>, reference: &Reference) -> bool {
        let receiver = reference.receiver.get().map(|receiver| unit.facts.exprs[receiver.index()]);
        match receiver {
            None | Some(Expr { op: ExprOp::This, .. }) => {}
            Some(Expr { op: ExprOp::Ref, a, .. }) => {
                let Some(What::Local(file, binding)) = self.resolve(unit, RefId(a)).map(|found| found.what) else {
                    return false;
                };
                let owner = self.unit(file);
                let ty = owner.facts.bindings[binding as usize].ty;
                return ty.is_some() && owner.facts.exprs[ty.index()].op == ExprOp::Typed;
            }
            Some(_) => return false,
        }
        let mut owner = unit.scope(reference.scope).owner;
        while !unit.symbol(owner).kind.is_callable() && unit.symbol(owner).parent.is_some() {
            owner = unit.symbol(owner).parent;
        }
        unit.symbol(owner).flags.has(Flags::READONLY)
    }

    /// Of two methods of a type that take the same, whether the second is the one for values that stay as they are, or not.
    fn suits_better(&mut self, old: Sym, new: Sym, stays: bool) -> bool {
        let unit = self.unit(old.file);
        if old.file != new.file || unit.symbol(old.symbol).parent != unit.symbol(new.symbol).parent {
            return false;
        }
        let [old, new] = [old, new].map(|sym| unit.symbol(sym.symbol).flags.has(Flags::READONLY));
        unit.language.linking.headers && old != new && new == stays
    }

    /// All functions of the name of a found one that take this many arguments, inherited ones behind own ones.
    fn overloads(&mut self, from: &Arc<Unit>, found: &Found, args: u8) -> Vec<Sym> {
        let What::Symbol(sym) = found.what else { return Vec::new() };
        let unit = self.unit(sym.file);
        let symbol = unit.symbol(sym.symbol);
        let name = unit.name(symbol.name);
        if unit.language.linking.module_overloads && symbol.scope == ScopeId(0) && !unit.is_extension(sym.symbol) {
            return self.top_callables(&unit, name, args);
        }
        if symbol.kind == SymbolKind::Constructor {
            return callables(&unit, symbol.scope, name, args);
        }
        let around = match (&found.receiver, self.type_around(&unit, symbol.parent)) {
            (Some(Ty::Instance(of, _) | Ty::Type(of, _)), Some(_)) => *of,
            (_, Some(Ty::Type(of, _))) => of,
            _ if unit.language.linking.headers && symbol.kind.is_callable() => {
                return self.overloads_in_view(from, sym, args);
            }
            _ => return callables(&unit, symbol.scope, name, args),
        };
        let mut all = Vec::new();
        for of in self.lineage(around).iter() {
            let unit = self.unit(of.file);
            if let Some(inner) = unit.symbol(of.symbol).inner.get() {
                let own = callables(&unit, inner, name, args);
                all.extend(own.into_iter().filter(|sym| *of == around || !stays_with(&unit, sym.symbol)));
                let companion = self.companion(&unit, inner);
                all.extend(companion.into_iter().flat_map(|inner| callables(&unit, inner, name, args)));
            }
        }
        self.likely(from, all)
    }

    fn arguments(&mut self, unit: &Arc<Unit>, mut cell: ExprId) -> Vec<Argument> {
        let mut all = Vec::new();
        while cell.is_some() {
            let Expr { a, b, .. } = unit.facts.exprs[cell.index()];
            let (mut name, mut by_reference, mut a) = (None, false, a);
            let mut expr = unit.facts.exprs[a as usize];
            if expr.op == ExprOp::Named {
                (name, a) = (Some(unit.name(StrId(expr.b))), expr.a);
                expr = unit.facts.exprs[a as usize];
            } else if expr.op == ExprOp::AddressOf && !unit.language.by_reference.is_empty() {
                (by_reference, a) = (true, expr.a);
                expr = unit.facts.exprs[a as usize];
            }
            let literal = (expr.op == ExprOp::Literal).then(|| literal_of(expr.a)).flatten();
            let takes = (expr.op == ExprOp::Lambda).then(|| parameter_count(unit, ScopeId(expr.a)));
            let Typed { ty, inferred } = match expr.op {
                ExprOp::Literal if expr.a == Literal::List as u32 => Typed::sure(Ty::List(Arc::new(Ty::Unknown))),
                ExprOp::Lambda => Typed::sure(Ty::Function(Arc::new(Ty::Unknown), Arc::new(Signature::Unknown))),
                _ => self.value(unit, ExprId(a)),
            };
            let gives = match takes.is_some() && unit.language.linking.lambda_results_decide {
                true => self.gives(unit, ExprId(expr.b)),
                false => Gives::Unasked,
            };
            all.push(Argument { name, by_reference, ty, inferred, literal, takes, gives });
            cell = ExprId(b);
        }
        all
    }

    fn gives(&mut self, unit: &Arc<Unit>, result: ExprId) -> Gives {
        let Some(result) = result.get() else { return Gives::Nothing };
        let op = unit.facts.exprs[result.index()].op;
        let ty = self.value(unit, result).ty;
        match op {
            ExprOp::Call | ExprOp::Await => Gives::Statement(ty),
            _ if ty == Ty::Unknown => Gives::Statement(ty),
            _ => Gives::Value(ty),
        }
    }

    /// The types of the parameters that arguments are passed to, and how many parameters get none. `None` if an argument names a
    /// parameter that is not there, or if only one of the two is passed by reference.
    fn parameters(&mut self, sym: Sym, arguments: &[Argument]) -> Option<(Vec<Ty>, usize)> {
        let unit = self.unit(sym.file);
        let symbol = unit.symbol(sym.symbol);
        let by_name = symbol.flags.has(Flags::STATIC);
        let own: Vec<&Param> = symbol.params.iter().filter(|p| by_name || !p.flags.has(Flags::RECEIVER)).collect();
        let mut types = Vec::with_capacity(arguments.len());
        // The value that a function belongs to may be no parameter of it.
        let apart = unit.language.linking.receivers_apart && unit.is_extension(sym.symbol);
        if apart {
            types.push(self.extended_type(sym));
        }
        let arguments = &arguments[usize::from(apart).min(arguments.len())..];
        for (i, argument) in arguments.iter().enumerate() {
            let param = match argument.name {
                Some(name) => Some(self.named_parameter(&unit, &own, name)?),
                None => own.get(i).or(own.last()).copied(),
            };
            let Some(param) = param else { break };
            let assigned = param.flags.has(Flags::REASSIGNED);
            if !unit.language.by_reference.is_empty() && assigned != argument.by_reference {
                return None;
            }
            let ty = match unit.parameter(param.name) {
                Some(binding) => self.binding_value(&unit, binding).ty,
                None => Ty::Unknown,
            };
            types.push(match (param.flags.has(Flags::VARIADIC), ty) {
                (true, Ty::List(item))
                    if unit.language.linking.rest_is_list || unit.language.linking.rest_makes_list =>
                {
                    Ty::Rest(item)
                }
                (true, ty) => Ty::Rest(Arc::new(ty)),
                (false, ty) => ty,
            });
        }
        Some((types, own.len().saturating_sub(arguments.len())))
    }

    fn named_parameter<'u>(&self, unit: &'u Unit, own: &[&'u Param], name: TermId) -> Option<&'u Param> {
        let is_it = |param: &&Param| {
            let binding = unit.parameter(param.name).map(|binding| &unit.facts.bindings[binding as usize]);
            binding.is_some_and(|binding| unit.name(binding.name) == name)
        };
        own.iter().copied().find(is_it)
    }

    fn takes_rest(&mut self, sym: Sym) -> bool {
        let unit = self.unit(sym.file);
        unit.symbol(sym.symbol).params.iter().any(|param| param.flags.has(Flags::VARIADIC))
    }

    fn fit(&mut self, unit: &Arc<Unit>, argument: &Argument, param: &Ty) -> Fit {
        match (argument.literal, param) {
            (Some(Literal::Null), Ty::Basic(_)) => Fit::No,
            (Some(Literal::Null), Ty::Unknown) => Fit::Unknown,
            (Some(Literal::Null), Ty::Instance(sym, _)) if unit.language.linking.value_types => {
                let kind = self.unit(sym.file).symbol(sym.symbol).kind;
                if matches!(kind, SymbolKind::Struct | SymbolKind::Enum) { Fit::No } else { Fit::Yes(0) }
            }
            (Some(Literal::Null), Ty::ExternalInstance(id, _)) => {
                let name = self.externals.name(*id);
                match () {
                    () if self.words(unit).values.contains(&name) => Fit::No,
                    () if self.is_anything(unit, name) => Fit::Yes(ANYTHING),
                    () => Fit::Yes(0),
                }
            }
            (None, _) if argument.takes.is_some() => {
                match self.function_fits(unit, argument.takes.unwrap_or(0), param) {
                    Fit::Unknown => self.result_fits(unit, &argument.gives, param),
                    fit => fit,
                }
            }
            (Some(Literal::Null), _) => Fit::Yes(0),
            (Some(Literal::Number), Ty::ExternalInstance(id, _))
                if self.words(unit).number_types.contains(&self.externals.name(*id)) =>
            {
                Fit::Yes(1)
            }
            _ => self.passes(unit, &argument.ty, param),
        }
    }

    /// Whether a function without a name can be passed: by the number of its parameters.
    fn function_fits(&mut self, unit: &Arc<Unit>, takes: usize, param: &Ty) -> Fit {
        let wanted = match param {
            Ty::Instance(sym, _) if self.is_delegate_type(*sym) => {
                let owner = self.unit(sym.file);
                parameter_count(&owner, owner.symbol(sym.symbol).inner)
            }
            Ty::ExternalInstance(id, args) => {
                let count = args.as_ref().map_or(0, |args| args.len());
                match self.words(unit).functions.get(&self.externals.name(*id)) {
                    Some(gives) => count - usize::from(*gives).min(count),
                    None => return self.takes_function(unit, param),
                }
            }
            _ => return self.takes_function(unit, param),
        };
        if wanted == takes { Fit::Unknown } else { Fit::No }
    }

    /// Whether what a function without a name gives is what is wanted of it.
    fn result_fits(&mut self, unit: &Arc<Unit>, gives: &Gives, param: &Ty) -> Fit {
        let words = self.words(unit);
        let wanted = match param {
            Ty::Instance(sym, _) if self.is_delegate_type(*sym) => self.delegated(param).ty,
            Ty::ExternalInstance(id, Some(args)) => match words.functions.get(&self.externals.name(*id)) {
                Some(true) => args.last().cloned().unwrap_or(Ty::Unknown),
                Some(false) => Ty::Basic(words.void.unwrap_or(TermId::MAX)),
                None => return Fit::Unknown,
            },
            Ty::ExternalInstance(id, None) => match words.functions.get(&self.externals.name(*id)) {
                Some(false) => Ty::Basic(words.void.unwrap_or(TermId::MAX)),
                _ => return Fit::Unknown,
            },
            _ => return Fit::Unknown,
        };
        let is_void = |ty: &Ty| matches!(ty, Ty::Basic(word) if Some(*word) == words.void || *word == TermId::MAX);
        let awaits = |l: &Self, ty: &Ty| match ty {
            Ty::ExternalInstance(id, args) if words.awaited.contains(&l.externals.name(*id)) => {
                Some(args.as_ref().and_then(|args| args.first().cloned()))
            }
            _ => None,
        };
        match (gives, &wanted) {
            (Gives::Unasked, _) | (_, Ty::Unknown) => Fit::Unknown,
            (Gives::Nothing, wanted) if is_void(wanted) => Fit::Yes(0),
            (Gives::Nothing, wanted) => match awaits(self, wanted) {
                Some(None) => Fit::Unknown,
                _ => Fit::No,
            },
            (Gives::Statement(ty), wanted) if is_void(wanted) => match ty {
                Ty::Unknown => Fit::Unknown,
                ty if is_void(ty) => Fit::Yes(0),
                _ => Fit::Yes(2 * ANYTHING),
            },
            (Gives::Value(_), wanted) if is_void(wanted) => Fit::No,
            (Gives::Value(ty) | Gives::Statement(ty), _) if *ty == Ty::Unknown => Fit::Unknown,
            (Gives::Value(ty) | Gives::Statement(ty), _) if is_void(ty) => Fit::No,
            (Gives::Value(ty) | Gives::Statement(ty), wanted) => match (awaits(self, ty), awaits(self, wanted)) {
                (Some(None), Some(None)) => Fit::Yes(0),
                (Some(Some(_)), Some(None)) => Fit::Yes(ANYTHING),
                (Some(None), Some(Some(_))) => Fit::No,
                (Some(Some(own)), Some(Some(wanted))) => self.passes(unit, &own, &wanted),
                (None, Some(_)) => Fit::Unknown,
                _ => self.passes(unit, ty, wanted),
            },
        }
    }

    pub(crate) fn passes(&mut self, unit: &Arc<Unit>, argument: &Ty, param: &Ty) -> Fit {
        let (of_argument, of_param) = (self.present(unit, argument), self.present(unit, param));
        match (of_argument, of_param) {
            (Some(_), None) if !matches!(param, Ty::Unknown | Ty::Parameter(..) | Ty::Rest(_)) => {
                return match param {
                    Ty::ExternalInstance(id, _) if self.is_anything(unit, self.externals.name(*id)) => {
                        Fit::Yes(ANYTHING)
                    }
                    _ => Fit::No,
                };
            }
            (Some(argument), Some(param)) => return self.passes(unit, &argument, &param),
            (None, Some(param)) => {
                return match self.passes(unit, argument, &param) {
                    Fit::Yes(far) => Fit::Yes(far + 1),
                    other => other,
                };
            }
            _ => {}
        }
        match (argument, param) {
            // A whole list stands for the rest.
            (Ty::List(a), Ty::Rest(item)) if self.passes(unit, a, item) != Fit::No => {
                match self.passes(unit, a, item) {
                    Fit::Yes(far) => Fit::Yes(far / 2),
                    other => other,
                }
            }
            (_, Ty::Rest(item)) => match self.passes(unit, argument, item) {
                Fit::Yes(far) => Fit::Yes(far + LIST_OF_REST),
                // A whole list may stand for the rest.
                _ if matches!(argument, Ty::List(_)) => Fit::Unknown,
                other => other,
            },
            (_, Ty::ExternalInstance(p, _))
                if matches!(argument, Ty::Unknown) && self.is_anything(unit, self.externals.name(*p)) =>
            {
                Fit::Yes(ANYTHING)
            }
            (Ty::Unknown, _) | (_, Ty::Unknown) => Fit::Unknown,
            // A template takes everything as it is.
            (_, Ty::Parameter(..)) if unit.language.linking.headers => Fit::Yes(1),
            (_, Ty::Parameter(..)) => Fit::Yes(TYPE_PARAMETER),
            (Ty::Parameter(file, binding), _) => self.bounded(unit, *file, *binding, param),
            (Ty::Either(parts), _) => self.all_pass(unit, parts, param),
            (Ty::Instance(a, _), Ty::Instance(p, _)) => match self.lineage(*a).iter().position(|sym| sym == p) {
                Some(far) => Fit::Yes(far as u32 * if unit.language.linking.headers { 2 } else { 1 }),
                None => self.converted(argument, *p),
            },
            (Ty::Instance(a, _), Ty::ExternalInstance(p, _)) => {
                let name = self.externals.name(*p);
                self.inherits_outside(*a, name)
            }
            (Ty::ExternalInstance(a, _), Ty::ExternalInstance(p, _)) => {
                let (a, p) = (self.externals.name(*a), self.externals.name(*p));
                self.widens(unit, a, p)
            }
            (Ty::ExternalInstance(a, _), Ty::Basic(p)) => {
                let a = self.externals.name(*a);
                self.widens(unit, a, *p)
            }
            (Ty::Basic(a), Ty::ExternalInstance(p, _)) => {
                let p = self.externals.name(*p);
                self.widens(unit, *a, p)
            }
            (Ty::Basic(a), Ty::Basic(p)) => self.widens(unit, *a, *p),
            (Ty::Instance(a, _) | Ty::Variant(a, _), Ty::Basic(p)) if unit.language.linking.headers => {
                self.counts_as(unit, *a, *p)
            }
            (Ty::List(a), Ty::List(p)) => self.passes(unit, a, p),
            (Ty::Function(..) | Ty::Callable(..), _) => self.takes_function(unit, param),
            (_, Ty::ExternalInstance(p, _)) if self.is_anything(unit, self.externals.name(*p)) => Fit::Yes(ANYTHING),
            (Ty::Tuple(_), _) if self.words(unit).pairs_by.is_some() => self.pair_fits(unit, param),
            (Ty::List(_), Ty::ExternalInstance(p, _)) => {
                let (p, words) = (self.externals.name(*p), self.words(unit));
                let wider = words.array.and_then(|array| words.widens.get(&array));
                match wider.and_then(|wider| wider.iter().position(|term| *term == p)) {
                    Some(far) => Fit::Yes(LIST + far as u32),
                    None => Fit::No,
                }
            }
            (Ty::ExternalInstance(..) | Ty::Basic(_) | Ty::List(_), Ty::Instance(p, _)) => self.converted(argument, *p),
            (Ty::Instance(..) | Ty::ExternalInstance(..) | Ty::Basic(_) | Ty::List(_), _) => Fit::No,
            _ => Fit::Unknown,
        }
    }

    /// Whether a value of a type can be passed as a number: enumerators can that are known without their enum.
    fn counts_as(&mut self, unit: &Arc<Unit>, sym: Sym, to: TermId) -> Fit {
        let owner = self.unit(sym.file);
        let symbol = owner.symbol(sym.symbol);
        if symbol.kind != SymbolKind::Enum || symbol.flags.has(Flags::SCOPED) {
            return Fit::No;
        }
        let whole = self.words(unit).literals[Literal::Number as usize];
        match whole.map(|whole| self.widens(unit, whole, to)) {
            Some(Fit::Yes(far)) => Fit::Yes(OUTSIDE_BASE + far),
            _ => Fit::No,
        }
    }

    /// What a type holds that stands for a value or nothing.
    fn present(&mut self, unit: &Unit, ty: &Ty) -> Option<Ty> {
        match ty {
            Ty::ExternalInstance(id, Some(args)) if self.words(unit).optional == Some(self.externals.name(*id)) => {
                args.first().cloned()
            }
            _ => None,
        }
    }

    /// A type may say itself what can be passed in its place.
    fn converted(&mut self, argument: &Ty, to: Sym) -> Fit {
        let unit = self.unit(to.file);
        if unit.language.linking.headers && unit.language.linking.overloads {
            return self.becomes(argument, to);
        }
        if !unit.language.linking.conversions {
            return Fit::No;
        }
        let inner = unit.symbol(to.symbol).inner;
        let converts = unit.facts.symbols.iter().any(|s| s.kind == SymbolKind::Operator && s.scope == inner);
        if converts { Fit::Unknown } else { Fit::No }
    }

    fn bounded(&mut self, unit: &Arc<Unit>, file: u32, binding: u32, param: &Ty) -> Fit {
        let owner = self.unit(file);
        let bound = owner.facts.bindings[binding as usize].ty;
        match self.annotation(&owner, bound).ty {
            Ty::Parameter(..) => Fit::Unknown,
            Ty::Unknown if matches!(param, Ty::Basic(_)) => Fit::No,
            bound => self.passes(unit, &bound, param),
        }
    }

    /// Text added to anything is text; otherwise every part must fit.
    fn all_pass(&mut self, unit: &Arc<Unit>, parts: &[Ty], param: &Ty) -> Fit {
        let text = self.words(unit).literals[Literal::String as usize];
        let is_text =
            |l: &Self, ty: &Ty| matches!(ty, Ty::ExternalInstance(id, _) if Some(l.externals.name(*id)) == text);
        if let Some(part) = parts.iter().find(|part| is_text(self, part)) {
            return self.passes(unit, part, param);
        }
        let mut all = Fit::Yes(0);
        for part in parts {
            all = match (all, self.passes(unit, part, param)) {
                (Fit::No, _) | (_, Fit::No) => Fit::No,
                (Fit::Unknown, _) | (_, Fit::Unknown) => Fit::Unknown,
                (Fit::Yes(a), Fit::Yes(b)) => Fit::Yes(a.max(b)),
            };
        }
        all
    }

    /// Whether a type outside the project can be passed as another one.
    fn widens(&mut self, unit: &Unit, from: TermId, to: TermId) -> Fit {
        if from == to {
            return Fit::Yes(0);
        }
        let words = self.words(unit);
        if Some(to) == words.anything {
            return Fit::Yes(ANYTHING);
        }
        match words.widens.get(&from) {
            Some(wider) => match wider.iter().position(|term| *term == to) {
                Some(far) => Fit::Yes(1 + u32::from(unit.language.linking.headers) + far as u32),
                None => Fit::No,
            },
            None if words.basics.contains(&to) || words.sealed.contains(&to) => Fit::No,
            None => Fit::Unknown,
        }
    }

    fn is_anything(&mut self, unit: &Unit, name: TermId) -> bool {
        self.words(unit).anything == Some(name)
    }

    /// Whether a type of the project can be passed as one outside.
    fn inherits_outside(&mut self, sym: Sym, name: TermId) -> Fit {
        let mut open = false;
        for of in self.lineage(sym).iter() {
            let unit = self.unit(of.file);
            if self.is_anything(&unit, name) {
                return Fit::Yes(ANYTHING);
            }
            let words = self.words(&unit);
            let unwritten = match unit.symbol(of.symbol).kind {
                SymbolKind::Enum => Some(words.enum_base),
                SymbolKind::Record => Some(words.record_base),
                _ => None,
            };
            match unwritten.map(|base| base.map_or(Fit::Unknown, |base| self.widens(&unit, base, name))) {
                Some(Fit::Yes(_)) => return Fit::Yes(OUTSIDE_BASE),
                Some(Fit::Unknown) => open = true,
                _ => {}
            }
            for note in unit.notes(of.symbol).iter().filter(|n| matches!(n.tie, Tie::Base | Tie::Implements)) {
                match self.annotation(&unit, note.expr).ty {
                    Ty::ExternalInstance(base, _) if self.externals.name(base) == name => {
                        return Fit::Yes(OUTSIDE_BASE);
                    }
                    Ty::Instance(..) => {}
                    Ty::ExternalInstance(base, _) => match self.widens(&unit, self.externals.name(base), name) {
                        Fit::Yes(_) => return Fit::Yes(OUTSIDE_BASE),
                        Fit::Unknown => open = true,
                        Fit::No => {}
                    },
                    _ => open = true,
                }
            }
        }
        if open { Fit::Unknown } else { Fit::No }
    }

    /// A function can be passed as an interface, never as a class or a basic type.
    fn takes_function(&mut self, unit: &Unit, param: &Ty) -> Fit {
        match param {
            Ty::Instance(sym, _) => {
                let kind = self.unit(sym.file).symbol(sym.symbol).kind;
                if kind == SymbolKind::Interface { Fit::Unknown } else { Fit::No }
            }
            Ty::ExternalInstance(id, _) => {
                let name = self.externals.name(*id);
                let words = self.words(unit);
                if words.widens.contains_key(&name) || words.anything == Some(name) { Fit::No } else { Fit::Unknown }
            }
            Ty::Basic(_) | Ty::List(_) => Fit::No,
            _ => Fit::Unknown,
        }
    }
}

/// Whether it is certain that a candidate takes the arguments one by one.
fn takes_all(candidate: &Candidate) -> bool {
    !candidate.rest && candidate.fits.iter().all(|fit| matches!(fit, Fit::Yes(_)))
}

/// Whether one candidate is at least as close as another for every argument.
fn beats(one: &Candidate, other: &Candidate, forwards: bool) -> bool {
    let pairs = one.fits.iter().zip(&other.fits).zip(one.params.iter().zip(&other.params));
    if one.params == other.params {
        return (one.left_out, one.open, one.rest) < (other.left_out, other.open, other.rest);
    }
    pairs.into_iter().all(|((a, b), (own, theirs))| match (a, b) {
        _ if own == theirs => true,
        // Nothing is closer than what takes a value as it is, but for what is made for it.
        (_, b) if forwards && is_open(own) => is_open(theirs) || *b != Fit::Yes(0),
        // Two classes that a value becomes unasked are equally far: only one of the functions can be there.
        (Fit::Yes(a), Fit::Yes(b)) if a == b && (CONVERTED..=PERHAPS).contains(a) => is_alike(own, theirs),
        (Fit::Yes(0), Fit::Yes(0)) => false,
        (Fit::Yes(0), _) => true,
        (Fit::Yes(a), Fit::Yes(b)) => a <= b,
        _ => false,
    })
}

/// Whether one type parameter would have to be two types.
fn is_torn(arguments: &[Argument], params: &[Ty]) -> bool {
    let is_plain = |ty: &Ty| matches!(ty, Ty::Basic(_) | Ty::Instance(..) | Ty::ExternalInstance(..));
    let known = arguments.iter().zip(params).filter(|(a, p)| matches!(p, Ty::Parameter(..)) && is_plain(&a.ty));
    let known: Vec<(&Ty, &Ty)> = known.map(|(a, p)| (p, &a.ty)).collect();
    known.iter().enumerate().any(|(i, (p, ty))| known[..i].iter().any(|(other, own)| p == other && ty != own))
}

/// Whether a parameter takes values of any type.
fn is_open(param: &Ty) -> bool {
    match param {
        Ty::Rest(item) => is_open(item),
        param => matches!(param, Ty::Parameter(..)),
    }
}

/// Whether two lists of parameters are the same but for type arguments and the names of type parameters: no type declares
/// both, so that one overrides the other.
fn written_alike(one: &[Ty], other: &[Ty]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| is_alike(one, other))
}

fn is_alike(one: &Ty, other: &Ty) -> bool {
    match (one, other) {
        (Ty::Unknown, _) => false,
        (Ty::Instance(a, _), Ty::Instance(b, _)) => a == b,
        (Ty::ExternalInstance(a, _), Ty::ExternalInstance(b, _)) => a == b,
        (Ty::Parameter(..), Ty::Parameter(..)) => true,
        (Ty::List(a), Ty::List(b)) | (Ty::Rest(a), Ty::Rest(b)) => is_alike(a, b),
        _ => one == other,
    }
}

fn parameter_count(unit: &Unit, scope: ScopeId) -> usize {
    unit.facts.bindings.iter().filter(|b| b.kind == BindingKind::Param && b.scope == scope).count()
}

fn callables(unit: &Unit, scope: ScopeId, name: TermId, args: u8) -> Vec<Sym> {
    let symbols = unit.declared(scope, name).filter_map(|decl| match decl {
        Decl::Symbol(id) => Some(id),
        _ => None,
    });
    let fitting = symbols.filter(|id| unit.symbol(*id).kind.is_callable() && accepts(unit.symbol(*id), args));
    fitting.map(|symbol| Sym { file: unit.file, symbol }).collect()
}

/// Whether a function is reached through the type alone that declares it: heirs of an interface have none of its own.
pub(crate) fn stays_with(unit: &Unit, symbol: SymbolId) -> bool {
    let symbol = unit.symbol(symbol);
    let is_own = symbol.kind.is_callable() && symbol.flags.has(Flags::STATIC);
    is_own && unit.language.linking.static_types && unit.symbol(symbol.parent).kind == SymbolKind::Interface
}

fn literal_of(number: u32) -> Option<Literal> {
    [Literal::Null, Literal::Number].into_iter().find(|literal| *literal as u32 == number)
}
