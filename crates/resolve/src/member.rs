//! Members: what a name means on a type, a module or a value, with inheritance and definitions outside the type.

use std::sync::Arc;

use codegraph_languages::linking::Arity;
use codegraph_model::*;

use crate::kinds::is_uncalled;
use crate::lookup::{Found, Linker, What, accepts, may_be_type};
use crate::module::ModuleRef;
use crate::overload::stays_with;
use crate::types::{Ty, Typed, is_defined_type};
use crate::unit::Decl;
use crate::{Sym, TermId, Unit};

/// The longest chain of types that are defined by each other.
const DEEPEST_TYPE: u32 = 64;

/// Asked from a language in which functions and properties share their names.
const EITHER: u8 = u8::MAX - 1;

impl Linker<'_> {
    /// The member `name` of something of this type.
    pub(crate) fn member(
        &mut self,
        unit: &Arc<Unit>,
        base: &Typed,
        name: TermId,
        args: u8,
        kind: RefKind,
    ) -> Option<Found> {
        let found = self.known_member(unit, base, name, args, kind);
        found.or_else(|| self.member_abroad(unit, &base.ty, name))
    }

    /// The same, where it is known what the type has.
    pub(crate) fn known_member(
        &mut self,
        unit: &Arc<Unit>,
        base: &Typed,
        name: TermId,
        args: u8,
        kind: RefKind,
    ) -> Option<Found> {
        let either = kind == RefKind::Attribute && !unit.language.linking.functions_apart;
        let args = if either { EITHER } else { args };
        let mut found = match self.member_of(unit, &base.ty, name, args, kind) {
            None if kind == RefKind::Call => self.blanket_method(unit, &base.ty, name)?,
            found => found?,
        };
        found.inferred |= base.inferred;
        if found.receiver.is_none() {
            found.receiver = Some(base.ty.clone());
        }
        Some(found)
    }

    fn member_of(&mut self, unit: &Arc<Unit>, ty: &Ty, name: TermId, args: u8, kind: RefKind) -> Option<Found> {
        match ty {
            Ty::Instance(sym, _) | Ty::Type(sym, _) | Ty::Super(sym) if self.is_open(*sym) => {
                self.open_member(ty, name, kind)
            }
            Ty::Instance(sym, _) | Ty::Type(sym, _) => {
                let found = self.type_member(*sym, name, args, kind);
                let found = found.filter(|found| !matches!(ty, Ty::Type(..)) || !self.is_of_values(found));
                let found = found.map(|found| self.rather_of_class(*sym, found, name, args));
                let found = found.or_else(|| self.object_member(*sym, name, args, kind));
                let found = found.or_else(|| self.member_behind(unit, ty, *sym, name, args, kind));
                match self.underlying(ty).filter(|_| found.is_none()) {
                    Some(under) => self.member_of(unit, &under, name, args, kind),
                    None => found,
                }
            }
            Ty::Callable(sym, _) => self.assigned_member(*sym, name, kind),
            Ty::Variant(sym, _) => {
                let owner = self.unit(sym.file);
                let symbol = owner.symbol(sym.symbol);
                let own = symbol.inner.get().and_then(|inner| self.scope_member(&owner, inner, name, args, kind));
                match own {
                    Some((found, _)) => Some(found.by(How::Member)),
                    None => self.type_member(Sym { file: sym.file, symbol: symbol.parent }, name, args, kind),
                }
            }
            Ty::Super(sym) => self.base_member(*sym, name, args, kind),
            Ty::Module(ModuleRef::Package(space)) if unit.language.linking.namespaces => {
                self.space_member(unit, *space, name)
            }
            Ty::Module(ModuleRef::Inline(sym)) if unit.language.linking.headers => {
                let space = self.space_of_symbol(*sym);
                self.member_in_view(unit, space, name, args, kind).map(|found| found.by(How::Module))
            }
            Ty::Module(module) => {
                let found = self.module_member(*module, name)?;
                // A module and a function may have the same name; only one can be called.
                let found = match found.what {
                    What::Module(_) if kind == RefKind::Call => self.callable_export(*module, name).unwrap_or(found),
                    What::Symbol(sym) if kind == RefKind::Call && self.is_module(sym) => {
                        self.callable_export(*module, name).unwrap_or(found)
                    }
                    _ => found,
                };
                Some(found.by(How::Module))
            }
            // What makes values of a type stands for the type.
            Ty::External(path, _) if self.goes_abroad && self.words(unit).instantiates == Some(name) => {
                Some(Found::new(What::External(*path)).by(How::Member))
            }
            Ty::External(path, _) => {
                let path = self.externals.child(*path, name);
                Some(Found::new(What::External(path)).by(How::Module))
            }
            Ty::This(sym) => self.type_member(*sym, name, args, kind),
            Ty::Shape(file, scope, _) => {
                let owner = self.unit(*file);
                self.shape_member(&owner, *scope, name, args, kind).map(|found| found.by(How::Member))
            }
            Ty::ExternalInstance(container, Some(items)) => {
                let holds = self.container(unit, self.externals.name(*container))?;
                let inner = items.get(holds.item as usize).cloned().filter(|_| holds.transparent)?;
                self.member_of(unit, &inner, name, args, kind)
            }
            Ty::Both(parts) => parts.iter().find_map(|part| self.member_of(unit, part, name, args, kind)),
            Ty::Either(parts) if unit.language.linking.declared_overloads => {
                self.member_of_some(unit, parts, name, args, kind)
            }
            Ty::Either(parts) => self.member_of_all(unit, parts, name, args, kind),
            Ty::Member(of, member) => {
                let base = Typed::sure(self.bound_of((**of).clone()));
                match self.member_value(unit, &base, *member).ty {
                    Ty::Member(..) | Ty::Parameter(..) => None,
                    ty => self.member_of(unit, &ty, name, args, kind),
                }
            }
            Ty::Parameter(file, binding) => {
                let owner = self.unit(*file);
                let bound = owner.facts.bindings[*binding as usize].ty;
                let bound = self.annotation(&owner, bound);
                match bound.ty {
                    Ty::Parameter(..) | Ty::Unknown => None,
                    ty => self.member_of(unit, &ty, name, args, kind),
                }
            }
            _ => None,
        }
    }

    /// Whether a member is one of a class's values, not of the class itself, where the two are apart.
    fn is_of_values(&mut self, found: &Found) -> bool {
        use SymbolKind::*;
        let What::Symbol(sym) = found.what else { return false };
        let unit = self.unit(sym.file);
        let symbol = unit.symbol(sym.symbol);
        let is_own = matches!(symbol.kind, Method | Field | Getter | Setter) && !symbol.flags.has(Flags::STATIC);
        let in_class = || symbol.parent.get().is_some_and(|parent| unit.symbol(parent).kind == Class);
        unit.language.linking.declared_overloads && is_own && symbol.qualifier.is_none() && in_class()
    }

    /// A method that every value has is that one, even if an interface among the bases declares it again.
    fn rather_of_class(&mut self, sym: Sym, found: Found, name: TermId, args: u8) -> Found {
        let What::Symbol(method) = found.what else { return found };
        let (owner, class) = (self.unit(method.file), self.unit(sym.file));
        let methods = class.language.linking.class_methods;
        let declares = owner.symbol(owner.symbol(method.symbol).parent).kind;
        let of = Sym { file: method.file, symbol: owner.symbol(method.symbol).parent };
        if methods.is_empty() || declares != SymbolKind::Interface || of == sym {
            return found;
        }
        let text = self.program.text(name);
        if !methods.contains(&(&*text, args)) {
            return found;
        }
        let Some(anything) = self.words(&class).anything else { return found };
        match self.outside(&class, anything).what {
            What::External(of) => Found::new(What::External(self.externals.child(of, name))).by(How::Inherited),
            _ => found,
        }
    }

    /// What a type is made of that is defined by another one: it has its fields and elements, but not its methods.
    pub(crate) fn underlying(&mut self, of: &Ty) -> Option<Ty> {
        let (Ty::Instance(sym, _) | Ty::Type(sym, _)) = of else { return None };
        let unit = self.unit(sym.file);
        if !is_defined_type(&unit, sym.symbol) || self.depth > DEEPEST_TYPE {
            return None;
        }
        let expr = unit.note(sym.symbol, Tie::Type)?;
        self.depth += 1;
        let typed = self.annotation(&unit, expr);
        let under = self.substitute(typed.ty, of);
        self.depth -= 1;
        let itself = matches!(&under, Ty::Instance(same, _) | Ty::Type(same, _) if same == sym);
        (!itself && !matches!(under, Ty::Unknown)).then_some(under)
    }

    /// A member of what a type gives access to, as a pointer does.
    fn member_behind(
        &mut self,
        unit: &Arc<Unit>,
        ty: &Ty,
        sym: Sym,
        name: TermId,
        args: u8,
        kind: RefKind,
    ) -> Option<Found> {
        let behind = self.unit(sym.file).language.linking.behind;
        if behind.is_empty() || !matches!(ty, Ty::Instance(..)) {
            return None;
        }
        let operator = self.program.term(behind).filter(|operator| *operator != name)?;
        let What::Symbol(operator) = self.type_member(sym, operator, 0, RefKind::Call)?.what else { return None };
        let returned = self.returned(operator).ty;
        match self.substitute(returned, ty) {
            Ty::Instance(same, _) if same == sym => None,
            inner => {
                let found = self.member_of(unit, &inner, name, args, kind)?;
                let receiver = found.receiver.clone().or(Some(inner));
                Some(Found { inferred: true, receiver, ..found })
            }
        }
    }

    /// Whether a type may have several declarations.
    fn is_open(&mut self, sym: Sym) -> bool {
        self.program.language(sym.file).linking.open_types
    }

    /// A member of a type without a name, or a key of a literal without one.
    fn shape_member(
        &mut self,
        owner: &Arc<Unit>,
        scope: ScopeId,
        name: TermId,
        args: u8,
        kind: RefKind,
    ) -> Option<Found> {
        if let Some((found, _)) = self.scope_member(owner, scope, name, args, kind) {
            return Some(found);
        }
        let mut keys = owner.declared(scope, name).filter_map(|decl| match decl {
            Decl::Binding(i) if owner.facts.bindings[i as usize].kind != BindingKind::TypeParam => Some(i),
            _ => None,
        });
        keys.next().map(|binding| Found::new(What::Local(owner.file, binding)))
    }

    /// A member of a union: one that only one part has, or that all parts share.
    fn member_of_all(
        &mut self,
        unit: &Arc<Unit>,
        parts: &[Ty],
        name: TermId,
        args: u8,
        kind: RefKind,
    ) -> Option<Found> {
        let mut only: Option<Found> = None;
        for part in parts {
            if let Some(found) = self.member_of(unit, part, name, args, kind) {
                match &only {
                    Some(old) if old.what != found.what => return None,
                    _ => only = Some(found),
                }
            }
        }
        only
    }

    /// A parameter of a called function or constructor, or the field that a constructor without a body sets.
    pub(crate) fn parameter_of(&mut self, unit: &Arc<Unit>, callee: ExprId, name: TermId) -> Option<Found> {
        let Typed { ty, inferred } = self.value(unit, callee);
        let function = match ty {
            Ty::Callable(sym, _) => sym,
            Ty::Type(class, _) => match self.constructor(class) {
                Some(sym) => sym,
                None => {
                    if let Some(found) = self.head_parameter(class, name) {
                        return Some(Found { inferred, ..found });
                    }
                    let found = self.type_member(class, name, 0, RefKind::Write)?;
                    return (!self.is_callable(&found))
                        .then_some(Found { inferred: found.inferred || inferred, ..found });
                }
            },
            _ => return None,
        };
        let owner = self.unit(function.file);
        let mut params = owner.symbol(function.symbol).params.iter();
        let binding = params.find_map(|param| {
            let binding = owner.parameter(param.name)?;
            (owner.name(owner.facts.bindings[binding as usize].name) == name).then_some(binding)
        })?;
        let found = Found::new(What::Local(function.file, binding));
        Some(Found { inferred, ..found.by(How::Member) })
    }

    /// A parameter that the head of a type takes without making it a member.
    fn head_parameter(&mut self, class: Sym, name: TermId) -> Option<Found> {
        let owner = self.unit(class.file);
        if !owner.language.linking.head_parameters {
            return None;
        }
        let symbol = owner.symbol(class.symbol);
        let member = |span: Span| owner.named(name).any(|id| owner.symbol(id).name_span == span);
        let mut params = symbol.params.iter().filter_map(|param| owner.parameter(param.name));
        let binding = params.find(|binding| {
            let binding = &owner.facts.bindings[*binding as usize];
            owner.name(binding.name) == name && !member(binding.span)
        })?;
        Some(Found::new(What::Local(class.file, binding)).by(How::Member))
    }

    /// The constructor of a class, its own or an inherited one.
    fn constructor(&mut self, class: Sym) -> Option<Sym> {
        let unit = self.unit(class.file);
        let words = self.words(&unit);
        words.constructors.iter().find_map(|name| match self.type_member(class, *name, 0, RefKind::Call)?.what {
            What::Symbol(sym) => Some(sym),
            _ => None,
        })
    }

    /// A member of a union whose parts declare it apart: one that all have, or only one; the first that always has it
    /// stands for all. What several have but not all is known only after a test that is not seen here.
    fn member_of_some(
        &mut self,
        unit: &Arc<Unit>,
        parts: &[Ty],
        name: TermId,
        args: u8,
        kind: RefKind,
    ) -> Option<Found> {
        let mut found: Vec<Found> = Vec::new();
        let mut without = 0;
        for part in parts.iter().filter(|part| has_members(part)) {
            match self.member_of(unit, part, name, args, kind) {
                Some(member) if found.iter().all(|f| f.what != member.what) => found.push(member),
                Some(_) => {}
                None => without += 1,
            }
        }
        if found.len() > 1 && without > 0 {
            return None;
        }
        let always = found.iter().position(|f| !self.is_optional(f)).unwrap_or(0);
        (!found.is_empty()).then(|| found.swap_remove(always))
    }

    /// What a type parameter is at least.
    pub(crate) fn bound_of(&mut self, ty: Ty) -> Ty {
        match ty {
            Ty::Parameter(file, binding) => {
                let owner = self.unit(file);
                self.annotation(&owner, owner.facts.bindings[binding as usize].ty).ty
            }
            other => other,
        }
    }

    fn is_optional(&mut self, found: &Found) -> bool {
        match found.what {
            What::Symbol(sym) => self.unit(sym.file).symbol(sym.symbol).flags.has(Flags::OPTIONAL),
            _ => false,
        }
    }

    /// The type of a member as a value.
    pub(crate) fn member_value(&mut self, unit: &Arc<Unit>, base: &Typed, name: TermId) -> Typed {
        match self.member(unit, base, name, 0, RefKind::Attribute) {
            Some(found) => {
                let receiver = found.receiver.clone();
                let typed = self.found_value(unit, found);
                match receiver {
                    Some(receiver) => Typed { ty: self.substitute(typed.ty, &receiver), inferred: true },
                    None => typed.guessed(true),
                }
            }
            None => self.mapped_value(unit, base),
        }
    }

    /// What a map has under any name.
    fn mapped_value(&mut self, unit: &Arc<Unit>, base: &Typed) -> Typed {
        let Ty::ExternalInstance(name, Some(args)) = &base.ty else { return Typed::UNKNOWN };
        match self.container(unit, self.externals.name(*name)) {
            Some(holds) if holds.index != holds.item => {
                let ty = args.get(holds.index as usize).cloned().unwrap_or(Ty::Unknown);
                Typed { ty, inferred: true }
            }
            _ => Typed::UNKNOWN,
        }
    }

    /// A member of a type of the project: its own, those defined outside it, then those of its bases.
    pub(crate) fn type_member(&mut self, sym: Sym, name: TermId, args: u8, kind: RefKind) -> Option<Found> {
        let line = self.lineage(sym);
        let found = self.first_member(&line, sym, name, args, kind);
        if self.unit(sym.file).language.linking.headers {
            let found = self.or_injected(found, &line, name);
            return found.or_else(|| self.type_outside(&line, name));
        }
        if found.is_some() || !self.unit(sym.file).language.linking.declared_overloads {
            return found;
        }
        self.member_of_siblings(sym, name, args, kind)
    }

    /// The name of a type is known in it and in its heirs, and means the type rather than a constructor.
    fn or_injected(&mut self, found: Option<Found>, line: &[Sym], name: TermId) -> Option<Found> {
        if let Some(found) = found {
            let What::Symbol(sym) = found.what else { return Some(found) };
            let unit = self.unit(sym.file);
            let symbol = unit.symbol(sym.symbol);
            if symbol.kind != SymbolKind::Constructor || !unit.symbol(symbol.parent).kind.is_type() {
                return Some(found);
            }
            let class = Sym { symbol: symbol.parent, ..sym };
            return Some(Found { what: What::Symbol(class), ambiguous: false, ..found });
        }
        let own = line.iter().copied().find(|sym| {
            let unit = self.unit(sym.file);
            let symbol = unit.symbol(sym.symbol);
            unit.language.linking.members_in_scope && symbol.name.is_some() && unit.name(symbol.name) == name
        });
        own.map(|sym| Found::new(What::Symbol(sym)).by(How::Member))
    }

    /// A member that another declaration of the same name has.
    fn member_of_siblings(&mut self, sym: Sym, name: TermId, args: u8, kind: RefKind) -> Option<Found> {
        let unit = self.unit(sym.file);
        let own = unit.symbol(sym.symbol);
        for decl in unit.declared(own.scope, unit.name(own.name)) {
            let Decl::Symbol(symbol) = decl else { continue };
            let entry = unit.symbol(symbol);
            let has_members = entry.kind.is_type() || entry.kind.is_module();
            if symbol != sym.symbol
                && has_members
                && let Some((found, _)) = self.scope_member(&unit, entry.inner, name, args, kind)
            {
                return Some(found.by(How::Member));
            }
        }
        None
    }

    /// A member of the bases of a type.
    fn base_member(&mut self, sym: Sym, name: TermId, args: u8, kind: RefKind) -> Option<Found> {
        let line = self.lineage(sym);
        let own = self.parts(sym).len();
        self.first_member(line.get(own..).unwrap_or_default(), sym, name, args, kind)
    }

    fn first_member(&mut self, line: &[Sym], of: Sym, name: TermId, args: u8, kind: RefKind) -> Option<Found> {
        let mut misfit = None;
        for &sym in line {
            if let Some((found, fits)) = self.own_member(sym, name, args, kind).filter(|(found, _)| {
                sym == of || !matches!(found.what, What::Symbol(own) if stays_with(&self.unit(own.file), own.symbol))
            }) {
                let found = found.by(if sym == of { How::Member } else { How::Inherited });
                if fits && !self.is_weak(&found) {
                    return match misfit {
                        Some(own) if self.only_assigns(&found) => Some(own),
                        _ => Some(found),
                    };
                }
                // What takes another number of arguments is not what is called; a base that is not known may have that.
                if fits || !self.counts_exactly(sym) {
                    misfit = misfit.or(Some(found));
                }
            } else if let Some(found) = self.instead(sym, name) {
                return Some(found.by(How::Inherited));
            }
        }
        misfit
    }

    /// Whether a call of another number of arguments never means a function.
    fn counts_exactly(&mut self, sym: Sym) -> bool {
        let linking = self.unit(sym.file).language.linking;
        linking.functions_apart && linking.arity == Arity::Exact
    }

    /// A member that exists only because a method assigns to it: where a base declares it, the base's counts.
    fn is_weak(&mut self, found: &Found) -> bool {
        match found.what {
            What::Symbol(sym) => self.unit(sym.file).symbol(sym.symbol).kind == SymbolKind::InstanceVariable,
            _ => false,
        }
    }

    /// Whether a base only gives a member a value, and says no more of it than an assignment does.
    fn only_assigns(&mut self, found: &Found) -> bool {
        use SymbolKind::{Constant, Field, Variable};
        let What::Symbol(sym) = found.what else { return false };
        let unit = self.unit(sym.file);
        unit.language.linking.bodies_run
            && matches!(unit.symbol(sym.symbol).kind, Field | Variable | Constant)
            && unit.note(sym.symbol, Tie::Type).is_none()
    }

    /// A member defined in the type itself or outside it; the second part says whether its parameters fit the call.
    fn own_member(&mut self, sym: Sym, name: TermId, args: u8, kind: RefKind) -> Option<(Found, bool)> {
        let unit = self.unit(sym.file);
        // What a function declares is not a member of what it makes.
        let entry = unit.symbol(sym.symbol);
        let inner = if entry.kind.is_callable() { ScopeId::NONE } else { entry.inner };
        let inside = match inner.get() {
            Some(inner) => self.scope_member(&unit, inner, name, args, kind),
            None => None,
        };
        if let Some(companion) = inner.get().and_then(|inner| self.companion(&unit, inner)) {
            let settled = inside.as_ref().is_some_and(|(found, _)| kind != RefKind::Call || self.is_callable(found));
            if !settled && let Some(found) = self.scope_member(&unit, companion, name, args, kind) {
                return Some(found);
            }
        }
        if !unit.language.linking.outside_members || unit.language.linking.headers {
            return inside;
        }
        // A call means a method even where a field has the same name.
        let called = kind == RefKind::Call;
        match inside {
            Some((found, fits)) if !called || self.is_callable(&found) => Some((found, fits)),
            other => self.outside_member(&unit, sym, name, called).or(other),
        }
    }

    fn scope_member(
        &mut self,
        unit: &Arc<Unit>,
        scope: ScopeId,
        name: TermId,
        args: u8,
        kind: RefKind,
    ) -> Option<(Found, bool)> {
        let is_call = matches!(kind, RefKind::Call | RefKind::Instantiation);
        let overloads = unit.language.linking.overloads && is_call;
        let names_type = unit.language.linking.names_type(kind);
        // What is named without being called is no function, unless the place names one.
        let named = unit.language.linking.functions_apart && is_uncalled(kind) && args != EITHER;
        let names_function = args == ANY_COUNT;
        let mut best: Option<SymbolId> = None;
        let mut fitting = 0;
        for decl in unit.declared(scope, name) {
            let Decl::Symbol(symbol) = decl else { continue };
            let entry = unit.symbol(symbol);
            if entry.flags.has(Flags::REPLACED) {
                continue;
            }
            // A type is never meant by the constructor or field that has its name.
            if names_type && !may_be_type(entry) {
                continue;
            }
            if unit.language.linking.members_apart && is_call != entry.kind.is_callable() {
                continue;
            }
            if unit.language.linking.functions_apart && is_call && !entry.kind.is_callable() && !entry.kind.is_type() {
                continue;
            }
            if named && entry.kind.is_callable() != names_function {
                continue;
            }
            fitting +=
                u32::from(named && names_function || overloads && entry.kind.is_callable() && accepts(entry, args));
            let better = match best {
                None => true,
                Some(old) => {
                    let old = unit.symbol(old);
                    old.kind == SymbolKind::InstanceVariable && entry.kind != SymbolKind::InstanceVariable
                        || (overloads && !accepts(old, args) && accepts(entry, args))
                        || (is_call && !old.kind.is_callable() && entry.kind.is_callable())
                        || (unit.language.linking.prefers_bodies
                            && !overloads
                            && old.flags.has(Flags::DECLARATION)
                            && !entry.flags.has(Flags::DECLARATION))
                }
            };
            if better {
                best = Some(symbol);
            }
        }
        let symbol = best?;
        let entry = unit.symbol(symbol);
        let fits = !overloads || !entry.kind.is_callable() || accepts(entry, args);
        let found = Found::new(What::Symbol(Sym { file: unit.file, symbol }));
        Some((Found { ambiguous: fitting > 1, ..found }, fits))
    }

    /// Members in impl blocks, with a receiver or with a qualified name.
    fn outside_member(&mut self, own: &Arc<Unit>, sym: Sym, name: TermId, called: bool) -> Option<(Found, bool)> {
        let type_name = own.name(own.symbol(sym.symbol).name);
        let (defining, extending) = (self.program.defining(name), self.program.extending(type_name));
        // Both lists have every file that counts; common names and common types have long ones.
        let files = if extending.len() < defining.len() { extending } else { defining };
        let last_runs = own.language.last_definition_runs;
        for &file in files.iter() {
            let unit = self.unit(file);
            if unit.language.name != own.language.name {
                continue;
            }
            let mut best: Option<SymbolId> = None;
            let mut given = 0;
            for id in unit.named(name) {
                let symbol = unit.symbol(id);
                if called && !symbol.kind.is_callable() {
                    continue;
                }
                let later =
                    |old: SymbolId| symbol.kind.is_callable() && unit.symbol(old).span.start < symbol.span.start;
                let by_trait = own.language.linking.impl_blocks && unit.note(symbol.parent, Tie::Implements).is_some();
                if best.is_some_and(|old| !later(old)) && !by_trait {
                    continue;
                }
                let qualified = symbol.qualifier.is_some() && unit.name(symbol.qualifier) == type_name;
                let found = if qualified {
                    self.program.same_module(unit.file, own.file)
                } else {
                    self.in_impl_of(&unit, symbol.parent, sym, type_name)
                };
                if found {
                    given += u32::from(by_trait);
                    best = if last_runs || best.is_none() { Some(id) } else { best };
                    if !last_runs && !by_trait {
                        break;
                    }
                }
            }
            if let Some(symbol) = best {
                let found = Found::new(What::Symbol(Sym { file, symbol }));
                // One trait may be implemented for several arguments: `From<A>` and `From<B>`.
                return Some((Found { ambiguous: given > 1, ..found }, true));
            }
        }
        None
    }

    fn is_callable(&mut self, found: &Found) -> bool {
        match found.what {
            What::Symbol(sym) => self.unit(sym.file).symbol(sym.symbol).kind.is_callable(),
            _ => false,
        }
    }

    fn in_impl_of(&mut self, unit: &Arc<Unit>, parent: SymbolId, sym: Sym, type_name: TermId) -> bool {
        if !unit.impls_of(type_name).any(|id| id == parent) {
            return false;
        }
        self.is_about(unit, parent, sym)
    }

    /// Whether an impl block is about a type.
    pub(crate) fn is_about(&mut self, unit: &Arc<Unit>, parent: SymbolId, sym: Sym) -> bool {
        matches!(self.type_around(unit, parent), Some(Ty::Type(found, _)) if found == sym)
    }
}

/// Whether a part of a union is something that members can be asked of.
fn has_members(ty: &Ty) -> bool {
    !matches!(ty, Ty::Unknown | Ty::Basic(_) | Ty::Function(..) | Ty::Callable(..))
}
