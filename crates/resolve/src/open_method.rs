//! Methods of open types: those of values apart from those of the type itself, and plain names in their bodies.

use std::rc::Rc;
use std::sync::Arc;

use codegraph_model::*;
use rustc_hash::FxHashSet;

use crate::lookup::{Found, Linker, What};
use crate::module::ModuleRef;
use crate::open::{NestingId, is_open_type};
use crate::types::{Ty, Typed};
use crate::unit::Decl;
use crate::{Sym, TermId, Unit};

/// Files that may say the name of a type whose heirs are asked for a method.
const MOST_NAMING: usize = 50;

impl Linker<'_> {
    /// A member of an open type or of a value of it.
    pub(crate) fn open_member(&mut self, ty: &Ty, name: TermId, kind: RefKind) -> Option<Found> {
        match ty {
            Ty::Type(sym, _) if kind != RefKind::Call && self.is_constant_name(name) => self.constant_of(*sym, name),
            Ty::Type(sym, _) => self.open_method(*sym, name, true, kind),
            Ty::Instance(sym, _) => self.open_method(*sym, name, false, kind),
            Ty::Super(sym) => {
                let line = self.lineage(*sym);
                line.iter()
                    .skip(1)
                    .find_map(|base| self.method_in(*base, name, false))
                    .map(|found| found.by(How::Inherited))
            }
            _ => None,
        }
    }

    /// A name of the outermost namespace, else something outside the project.
    pub(crate) fn root_member(&mut self, unit: &Arc<Unit>, name: TermId, kind: RefKind) -> Option<Found> {
        if unit.language.linking.open_types {
            return match self.words(unit).builtins.contains(&name) {
                true => Some(self.outside(unit, name)),
                false => {
                    self.constant_in(NestingId::TOP, name).map(|sym| Found::new(What::Symbol(sym)).by(How::Module))
                }
            };
        }
        let package = self.packages.number("", unit.language);
        let found =
            self.top_level(package, name, None).or_else(|| self.module_member(ModuleRef::Package(package), name));
        let found = found.map(|found| found.by(How::Module));
        // A path goes on from a module, anything else that the project does not have lies outside.
        found.or_else(|| (kind != RefKind::Import).then(|| self.outside(unit, name)))
    }

    fn is_constant_name(&self, name: TermId) -> bool {
        self.program.text(name).starts_with(char::is_uppercase)
    }

    /// A method of a type itself, or of its values.
    pub(crate) fn open_method(&mut self, sym: Sym, name: TermId, on_type: bool, kind: RefKind) -> Option<Found> {
        if kind == RefKind::Write
            && let Some(setter) = self.program.term(&format!("{}=", self.program.text(name)))
            && let Some(found) = self.open_method(sym, setter, on_type, RefKind::Call)
        {
            return Some(found);
        }
        if !on_type {
            return self.value_method(sym, name);
        }
        if let Some(found) = self.type_method(sym, name) {
            return Some(found);
        }
        let unit = self.unit(sym.file);
        if Some(name) == self.words(&unit).instantiates {
            let words = self.words(&unit);
            return words.constructors.iter().find_map(|word| self.value_method(sym, *word));
        }
        // Nothing is a value of a module: what it is asked for itself are its functions.
        let is_module = unit.symbol(sym.symbol).kind == SymbolKind::Module;
        if is_module { self.value_method(sym, name) } else { None }
    }

    fn value_method(&mut self, sym: Sym, name: TermId) -> Option<Found> {
        let line = self.lineage(sym);
        line.iter().find_map(|own| {
            let how = if *own == sym { How::Member } else { How::Inherited };
            self.method_in(*own, name, false).map(|found| found.by(how))
        })
    }

    /// A method of the type itself: its own, those of modules that extend it, then those of its bases.
    fn type_method(&mut self, sym: Sym, name: TermId) -> Option<Found> {
        let line = self.lineage(sym);
        for own in line.iter() {
            let is_own = *own == sym;
            let mixed = !is_own && self.unit(own.file).symbol(own.symbol).kind == SymbolKind::Module;
            let found = match mixed {
                true => self.method_of_class_part(*own, name),
                false => self.method_in(*own, name, true).or_else(|| self.method_of_extension(*own, name)),
            };
            if let Some(found) = found {
                return Some(found.by(if is_own { How::Member } else { How::Inherited }));
            }
        }
        None
    }

    fn method_of_extension(&mut self, sym: Sym, name: TermId) -> Option<Found> {
        let space = self.nesting_of(sym)?;
        let extensions = self.remembered(|l| &mut l.open.extensions, space, [].into(), |l| l.extensions(space).into());
        extensions.iter().find_map(|module| self.value_method(*module, name))
    }

    /// The modules that extend a type, as its declarations say.
    fn extensions(&mut self, space: NestingId) -> Vec<Sym> {
        let mut found = Vec::new();
        for part in self.declarations(space).iter() {
            let unit = self.unit(part.file);
            for note in unit.notes(part.symbol).iter().filter(|n| n.tie == Tie::Extends) {
                if let Ty::Instance(module, _) = self.annotation(&unit, note.expr).ty
                    && !found.contains(&module)
                {
                    found.push(module);
                }
            }
        }
        found
    }

    /// What includes a module may be extended by a part of it, by the name that everybody gives to that part.
    fn method_of_class_part(&mut self, module: Sym, name: TermId) -> Option<Found> {
        let unit = self.unit(module.file);
        let part = self.words(&unit).class_part?;
        let space = self.nesting_of(module)?;
        let part = self.constant_in(space, part)?;
        self.method_in(part, name, false)
    }

    /// A method that one of the declarations of a type defines.
    fn method_in(&mut self, sym: Sym, name: TermId, on_type: bool) -> Option<Found> {
        let space = self.nesting_of(sym)?;
        self.method_of_space(space, name, on_type).map(|sym| Found::new(What::Symbol(sym)))
    }

    fn method_of_space(&mut self, space: NestingId, name: TermId, on_type: bool) -> Option<Sym> {
        let key = (space, name, on_type);
        self.remembered(|l| &mut l.open.methods, key, None, |l| l.method_in_now(key))
    }

    fn method_in_now(&mut self, (space, name, on_type): (NestingId, TermId, bool)) -> Option<Sym> {
        for part in self.declarations(space).iter() {
            let unit = self.unit(part.file);
            let fits = |symbol: &Symbol| match symbol.kind {
                SymbolKind::InstanceVariable => true,
                SymbolKind::Constant | SymbolKind::Field | SymbolKind::Variable => false,
                _ if is_open_type(symbol) => false,
                _ => symbol.flags.has(Flags::STATIC) == on_type,
            };
            let own = |id: &SymbolId| {
                let symbol = unit.symbol(*id);
                symbol.parent == part.symbol && symbol.qualifier.is_none() && fits(symbol)
            };
            // The last of several definitions is the one that stays.
            if let Some(symbol) = unit.named(name).filter(own).last() {
                return Some(Sym { file: part.file, symbol });
            }
        }
        None
    }

    /// A plain name in a language with open types: a constant, a local name, or a method of the receiver.
    pub(crate) fn open_name(&mut self, unit: &Arc<Unit>, name: TermId, reference: &Reference) -> Option<Found> {
        let is_call = reference.kind == RefKind::Call;
        if !is_call && self.is_constant_name(name) {
            return self.open_constant(unit, name, reference);
        }
        let linking = &unit.language.linking;
        let mut scope = reference.scope;
        // Whether the method around is one of the type itself.
        let mut method: Option<bool> = None;
        while scope.is_some() {
            let entry = *unit.scope(scope);
            let owner = unit.symbol(entry.owner);
            match entry.kind {
                ScopeKind::Type if is_call => {
                    let own = self.canonical(Sym { file: unit.file, symbol: entry.owner });
                    let in_block = method.is_none() && unit.scope(reference.scope).kind == ScopeKind::Block;
                    let on_type = method.unwrap_or(true);
                    let found = self.open_method(own, name, on_type, RefKind::Call);
                    // A block in the body of a type is run by whom it is given to, often for a value of the type.
                    let found = match found {
                        None if in_block => {
                            self.open_method(own, name, false, RefKind::Call).map(|f| Found { inferred: true, ..f })
                        }
                        found => found,
                    };
                    let found = found.or_else(|| self.open_function(unit, name));
                    let receiver = if on_type { Ty::Type(own, None) } else { Ty::Instance(own, None) };
                    return found.or_else(|| self.method_of_heirs(&receiver, name));
                }
                _ if is_call => {
                    if let Some(symbol) = function_in(unit, scope, name) {
                        return Some(Found::new(What::Symbol(Sym { file: unit.file, symbol })));
                    }
                    if entry.kind == ScopeKind::Block
                        && let Some(found) = self.method_within(unit, scope, name)
                    {
                        return Some(found);
                    }
                }
                // A method does not see the variables around it, but global ones.
                _ if method.is_none() || scope == ScopeId(0) && self.is_global_name(name) => {
                    if let Some(found) = self.in_scope(unit, scope, name, reference, linking) {
                        return Some(found);
                    }
                }
                _ => {}
            }
            if entry.kind == ScopeKind::Function && owner.inner == scope && owner.kind.is_callable() && method.is_none()
            {
                method = Some(owner.flags.has(Flags::STATIC));
            }
            scope = entry.parent;
        }
        if is_call { self.open_function(unit, name) } else { None }
    }

    /// A member of the receiver that its type does not have: one of the types that inherit from it may, or the file.
    pub(crate) fn open_own(&mut self, unit: &Arc<Unit>, receiver: &Ty, name: TermId) -> Option<Found> {
        if *receiver != Ty::Unknown {
            return self.method_of_heirs(receiver, name);
        }
        let mut named = unit.named(name);
        let own = named.find(|id| {
            let symbol = unit.symbol(*id);
            symbol.parent == SymbolId(0) && symbol.kind == SymbolKind::InstanceVariable
        });
        own.map(|symbol| Found::new(What::Symbol(Sym { file: unit.file, symbol })))
    }

    /// A method that only those define who include a module or inherit from a class, if all mean the same.
    fn method_of_heirs(&mut self, receiver: &Ty, name: TermId) -> Option<Found> {
        let Ty::Instance(sym, _) = receiver else { return None };
        let definers = self.definers(name);
        if definers.is_empty() {
            return None;
        }
        let below = self.below(*sym);
        let mut fitting = definers.iter().filter(|space| below.contains(space));
        let first = *fitting.next()?;
        let only = match fitting.next() {
            None => self.method_of_space(first, name, false).map(|sym| Found::new(What::Symbol(sym))),
            Some(_) => self.same_of_heirs(*sym, name),
        };
        only.map(|found| Found { inferred: true, ..found.by(How::Inherited) })
    }

    /// The method that all heirs mean by a name that several types define; else that of the type around a module, which was
    /// written for it.
    fn same_of_heirs(&mut self, sym: Sym, name: TermId) -> Option<Found> {
        let heirs = self.heirs_of(sym);
        let unit = self.unit(sym.file);
        let around = Sym { file: sym.file, symbol: unit.symbol(sym.symbol).parent };
        let holds = around.symbol.0 != 0 && around.symbol.is_some() && unit.symbol(around.symbol).kind.is_type();
        if let Some(around) = holds.then(|| self.canonical(around)).filter(|around| heirs.contains(around)) {
            return self.value_method(around, name);
        }
        let mut only: Option<Found> = None;
        for heir in heirs.iter() {
            let Some(found) = self.value_method(*heir, name) else { continue };
            if only.as_ref().is_some_and(|old| old.what != found.what) {
                return None;
            }
            only = Some(found);
        }
        only
    }

    /// The open types that define a method of this name for their values. Few names have many, most have none.
    fn definers(&mut self, name: TermId) -> Rc<[NestingId]> {
        self.remembered(|l| &mut l.open.definers, name, [].into(), |l| l.definers_now(name))
    }

    fn definers_now(&mut self, name: TermId) -> Rc<[NestingId]> {
        let mut found = Vec::new();
        for &file in self.program.defining(name).iter() {
            let unit = self.unit(file);
            if !unit.language.linking.open_types {
                continue;
            }
            for id in unit.named(name) {
                let owner = unit.symbol(id).parent;
                // What only passes on to others defines nothing.
                if owner.0 != 0
                    && owner.is_some()
                    && !unit.symbol(id).flags.has(Flags::DECLARATION)
                    && let Some(space) = self.nesting_of(Sym { file, symbol: owner })
                    && !found.contains(&space)
                    && self.method_of_space(space, name, false).is_some()
                {
                    found.push(space);
                }
            }
        }
        found.into()
    }

    /// The types whose methods values of heirs have.
    fn below(&mut self, sym: Sym) -> Rc<FxHashSet<NestingId>> {
        self.remembered(
            |l| &mut l.open.below,
            sym,
            Rc::default(),
            |l| {
                let mut all = FxHashSet::default();
                for heir in l.heirs_of(sym).iter() {
                    for own in l.lineage(*heir).iter() {
                        all.extend(l.nesting_of(*own));
                    }
                }
                Rc::new(all)
            },
        )
    }

    fn heirs_of(&mut self, sym: Sym) -> Rc<[Sym]> {
        self.remembered(|l| &mut l.open.heirs, sym, [].into(), |l| l.heirs_named_by(sym, MOST_NAMING).into())
    }

    fn is_global_name(&self, name: TermId) -> bool {
        self.program.text(name).starts_with('$')
    }

    /// A function outside of all types: of the file, mixed into all of it, or the only one of the project.
    fn open_function(&mut self, unit: &Arc<Unit>, name: TermId) -> Option<Found> {
        if let Some(symbol) = function_in(unit, ScopeId(0), name) {
            return Some(Found::new(What::Symbol(Sym { file: unit.file, symbol })));
        }
        if self.words(unit).builtins.contains(&name) {
            return Some(self.outside(unit, name));
        }
        for note in unit.notes(SymbolId(0)).iter().filter(|n| n.tie == Tie::Implements) {
            if let Ty::Instance(module, _) = self.annotation(unit, note.expr).ty
                && let Some(found) = self.value_method(module, name)
            {
                return Some(found.by(How::Inherited));
            }
        }
        let only = self.remembered(|l| &mut l.open.functions, name, None, |l| l.only_function(name));
        only.map(|sym| Found::new(What::Symbol(sym)).by(How::Module))
    }

    fn only_function(&mut self, name: TermId) -> Option<Sym> {
        let mut only = None;
        for &file in self.program.defining(name).iter() {
            let unit = self.unit(file);
            if let Some(symbol) = function_in(&unit, ScopeId(0), name).filter(|_| unit.language.linking.open_types) {
                if only.is_some() {
                    return None;
                }
                only = Some(Sym { file, symbol });
            }
        }
        only
    }

    /// The receiver in the method around a scope: a value of the type, or the type itself.
    pub(crate) fn open_this(&mut self, unit: &Arc<Unit>, mut scope: ScopeId) -> Typed {
        let mut on_type = None;
        while scope.is_some() {
            let entry = *unit.scope(scope);
            let owner = unit.symbol(entry.owner);
            match entry.kind {
                ScopeKind::Function if owner.inner == scope && owner.kind.is_callable() && on_type.is_none() => {
                    on_type = Some(owner.flags.has(Flags::STATIC));
                }
                ScopeKind::Type if is_open_type(owner) => {
                    let own = self.canonical(Sym { file: unit.file, symbol: entry.owner });
                    return Typed::sure(match on_type.unwrap_or(true) {
                        true => Ty::Type(own, None),
                        false => Ty::Instance(own, None),
                    });
                }
                _ => {}
            }
            scope = entry.parent;
        }
        Typed::UNKNOWN
    }

    /// What reading an attribute gives: what is in the variable of its name, as the same declaration has it.
    pub(crate) fn attribute_value(&mut self, unit: &Arc<Unit>, symbol: SymbolId) -> Typed {
        let entry = unit.symbol(symbol);
        let name = format!("@{}", self.program.text(unit.name(entry.name)));
        let Some(name) = self.program.term(&name) else { return Typed::UNKNOWN };
        let variable = unit.named(name).find(|id| unit.symbol(*id).parent == entry.parent);
        match variable {
            Some(symbol) => self.symbol_value(Sym { file: unit.file, symbol }).guessed(true),
            None => Typed::UNKNOWN,
        }
    }

    /// `x.class`: the type of a value.
    pub(crate) fn type_of_value(&mut self, unit: &Arc<Unit>, name: TermId, of: &Ty) -> Option<Ty> {
        match of {
            Ty::Instance(sym, args) if self.words(unit).class_of == Some(name) => {
                let ty = Ty::Type(*sym, args.clone());
                Some(Ty::Function(Arc::new(ty), Arc::new(crate::calls::Signature::Unknown)))
            }
            _ => None,
        }
    }
}

/// A function that a scope declares.
fn function_in(unit: &Unit, scope: ScopeId, name: TermId) -> Option<SymbolId> {
    unit.declared(scope, name).find_map(|decl| match decl {
        Decl::Symbol(id) if unit.symbol(id).kind.is_callable() || unit.symbol(id).kind == SymbolKind::Property => {
            Some(id)
        }
        _ => None,
    })
}
