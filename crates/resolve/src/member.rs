//! Members: what a name means on a type, a module or a value, with inheritance and definitions outside the type.

use std::sync::Arc;

use codegraph_languages::linking::Holds;
use codegraph_model::*;

use crate::lookup::{Found, Linker, What, accepts};
use crate::types::{Ty, Typed, as_instance};
use crate::unit::Decl;
use crate::{Sym, TermId, Unit};

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
        let mut found = self.member_of(unit, &base.ty, name, args, kind)?;
        found.inferred |= base.inferred;
        if found.receiver.is_none() {
            found.receiver = Some(base.ty.clone());
        }
        Some(found)
    }

    fn member_of(&mut self, unit: &Arc<Unit>, ty: &Ty, name: TermId, args: u8, kind: RefKind) -> Option<Found> {
        match ty {
            Ty::Instance(sym, _) | Ty::Type(sym, _) => self.type_member(*sym, name, args, kind),
            Ty::Module(module) => self.module_member(module, name),
            Ty::Shape(file, scope) => {
                let owner = self.unit(*file);
                self.scope_member(&owner, *scope, name, args, kind).map(|(found, _)| found)
            }
            Ty::ExternalInstance(container, Some(items)) => {
                let holds = self.container(unit, *container)?;
                let inner = items.get(holds.item as usize).cloned().filter(|_| holds.transparent)?;
                self.member_of(unit, &inner, name, args, kind)
            }
            Ty::Either(parts) => self.member_of_all(unit, parts, name, args, kind),
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
            None => Typed::UNKNOWN,
        }
    }

    /// A member of a type of the project: its own, those defined outside it, then those of its bases.
    pub(crate) fn type_member(&mut self, sym: Sym, name: TermId, args: u8, kind: RefKind) -> Option<Found> {
        let mut seen = Vec::new();
        self.type_member_in(sym, name, args, kind, &mut seen)
    }

    fn type_member_in(
        &mut self,
        sym: Sym,
        name: TermId,
        args: u8,
        kind: RefKind,
        seen: &mut Vec<Sym>,
    ) -> Option<Found> {
        if seen.contains(&sym) || seen.len() > 64 {
            return None;
        }
        seen.push(sym);
        let mut misfit = None;
        if let Some((found, fits)) = self.own_member(sym, name, args, kind) {
            if fits && !self.is_weak(&found) {
                return Some(found);
            }
            misfit = Some(found);
        }
        for base in self.bases(sym) {
            if let Ty::Instance(base, _) | Ty::Type(base, _) = base
                && let Some(found) = self.type_member_in(base, name, args, kind, seen)
            {
                return Some(found);
            }
        }
        misfit
    }

    /// A member that exists only because a method assigns to it: where a base declares it, the base's counts.
    fn is_weak(&mut self, found: &Found) -> bool {
        match found.what {
            What::Symbol(sym) => self.unit(sym.file).symbol(sym.symbol).kind == SymbolKind::InstanceVariable,
            _ => false,
        }
    }

    /// A member defined in the type itself or outside it; the second part says whether its parameters fit the call.
    fn own_member(&mut self, sym: Sym, name: TermId, args: u8, kind: RefKind) -> Option<(Found, bool)> {
        let unit = self.unit(sym.file);
        let inner = unit.symbol(sym.symbol).inner;
        let inside = match inner.get() {
            Some(inner) => self.scope_member(&unit, inner, name, args, kind),
            None => None,
        };
        if !unit.language.linking.outside_members {
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
        let mut best: Option<SymbolId> = None;
        let mut fitting = 0;
        for decl in unit.declared(scope, name) {
            let Decl::Symbol(symbol) = decl else { continue };
            let entry = unit.symbol(symbol);
            if unit.language.linking.functions_apart && is_call && !entry.kind.is_callable() && !entry.kind.is_type() {
                continue;
            }
            fitting += u32::from(overloads && entry.kind.is_callable() && accepts(entry, args));
            let better = match best {
                None => true,
                Some(old) => {
                    let old = unit.symbol(old);
                    (overloads && !accepts(old, args) && accepts(entry, args))
                        || (is_call && !old.kind.is_callable() && entry.kind.is_callable())
                        || (!overloads && old.flags.has(Flags::DECLARATION) && !entry.flags.has(Flags::DECLARATION))
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
        for file in self.program.defining(name) {
            let unit = self.unit(file);
            if unit.language.name != own.language.name {
                continue;
            }
            for (i, symbol) in unit.facts.symbols.iter().enumerate().skip(1) {
                if unit.name(symbol.name) != name || called && !symbol.kind.is_callable() {
                    continue;
                }
                let qualified = symbol.qualifier.is_some() && unit.name(symbol.qualifier) == type_name;
                let found = if qualified {
                    self.same_place(&unit, own)
                } else {
                    self.in_impl_of(&unit, symbol.parent, sym, type_name)
                };
                if found {
                    let what = What::Symbol(Sym { file, symbol: SymbolId(i as u32) });
                    return Some((Found::new(what), true));
                }
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

    /// Whether a receiver or qualifier in `unit` can mean a type of `own`.
    fn same_place(&mut self, unit: &Unit, own: &Unit) -> bool {
        unit.file == own.file || self.program.module(unit.file) == self.program.module(own.file)
    }

    fn in_impl_of(&mut self, unit: &Arc<Unit>, parent: SymbolId, sym: Sym, type_name: TermId) -> bool {
        let entry = unit.symbol(parent);
        if entry.kind != SymbolKind::Impl || unit.name(entry.name) != type_name {
            return false;
        }
        matches!(self.type_around(unit, parent), Some(Ty::Type(found, _)) if found == sym)
    }

    /// The bases of a type in lookup order, as types of the project.
    pub(crate) fn bases(&mut self, sym: Sym) -> Vec<Ty> {
        if let Some(known) = self.base_types.get(&sym) {
            return known.clone();
        }
        self.base_types.insert(sym, Vec::new());
        let unit = self.unit(sym.file);
        let mut found = Vec::new();
        for note in unit.notes(sym.symbol).to_vec() {
            if matches!(note.tie, Tie::Base | Tie::Implements) {
                let ty = self.annotation(&unit, note.expr).ty;
                if matches!(ty, Ty::Instance(..)) {
                    found.push(as_instance(ty));
                }
            }
        }
        if unit.language.linking.outside_members {
            self.outside_bases(&unit, sym, &mut found);
        }
        self.base_types.insert(sym, found.clone());
        found
    }

    /// Traits that impl blocks implement for a type.
    fn outside_bases(&mut self, own: &Arc<Unit>, sym: Sym, found: &mut Vec<Ty>) {
        let type_name = own.name(own.symbol(sym.symbol).name);
        for file in self.program.defining(type_name) {
            let unit = self.unit(file);
            for i in 1..unit.facts.symbols.len() as u32 {
                let id = SymbolId(i);
                if self.in_impl_of(&unit, id, sym, type_name)
                    && let Some(expr) = unit.note(id, Tie::Implements)
                {
                    let ty = self.annotation(&unit, expr).ty;
                    if matches!(ty, Ty::Instance(..)) && !found.contains(&ty) {
                        found.push(ty);
                    }
                }
            }
        }
    }

    /// What an external type holds, by its name.
    pub(crate) fn container(&mut self, unit: &Unit, name: TermId) -> Option<Holds> {
        let containers = unit.language.linking.containers;
        if containers.is_empty() {
            return None;
        }
        let text = self.program.text(name);
        containers.iter().find(|(word, _)| *word == text).map(|(_, holds)| *holds)
    }
}
