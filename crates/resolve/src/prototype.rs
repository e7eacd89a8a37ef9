//! Functions and objects that are given members from outside: constructors with prototypes, namespaces made of objects,
//! and what `this` is in them.

use std::sync::Arc;

use codegraph_model::*;

use crate::external::ExternalId;
use crate::lookup::{Found, Linker, What};
use crate::module::ModuleRef;
use crate::types::{Ty, Typed};
use crate::unit::Decl;
use crate::{Sym, TermId, Unit};

/// The longest chain of variables that are initialised with each other.
const DEEPEST: u32 = 32;

impl Linker<'_> {
    /// A member that a function or variable is given by assignments in its file.
    pub(crate) fn assigned_member(&mut self, sym: Sym, name: TermId, kind: RefKind) -> Option<Found> {
        let unit = self.unit(sym.file);
        unit.language.member_assignments?;
        let owners = owner_names(&unit, sym.symbol);
        let is_member = |id: &SymbolId| {
            let qualifier = unit.symbol(*id).qualifier;
            qualifier.is_some() && owners.contains(&unit.name(qualifier))
        };
        let mut best: Option<SymbolId> = None;
        for id in unit.named(name).filter(is_member) {
            let entry = unit.symbol(id);
            // The last definition runs; a field that is set somewhere is not one.
            let weak = entry.kind == SymbolKind::InstanceVariable || kind == RefKind::Call && !entry.kind.is_callable();
            if best.is_none() || !weak {
                best = Some(id);
            }
        }
        if let Some(symbol) = best {
            return Some(Found::new(What::Symbol(Sym { file: sym.file, symbol })).by(How::Member));
        }
        self.exported_beside(&unit, sym, name)
    }

    /// What a file exports under a name beside the thing that it exports as a whole.
    fn exported_beside(&mut self, unit: &Arc<Unit>, sym: Sym, name: TermId) -> Option<Found> {
        let whole = self.assigned_whole(unit)?;
        if whole.what != What::Symbol(sym) {
            return None;
        }
        self.assigned_export(unit, name).map(|found| found.by(How::Module))
    }

    /// A member that an object does not declare itself: one that is assigned to it (`a.b = …`), else one of its prototype.
    pub(crate) fn object_member(&mut self, sym: Sym, name: TermId, args: u8, kind: RefKind) -> Option<Found> {
        let unit = self.unit(sym.file);
        let symbol = unit.symbol(sym.symbol);
        if symbol.kind.is_type() || unit.language.member_assignments.is_none() {
            return None;
        }
        if let Some(found) = self.assigned_member(sym, name, kind) {
            return Some(found);
        }
        let init = unit.note(sym.symbol, Tie::Init)?;
        if symbol.inner.is_some() || symbol.kind.is_callable() {
            return None;
        }
        // Variables may be initialised with each other.
        if self.depth > DEEPEST {
            return None;
        }
        self.depth += 1;
        let base = self.value(&unit, init);
        let found = self.member(&unit, &base, name, args, kind);
        self.depth -= 1;
        found
    }

    /// `A.prototype`: what all values of `A` have.
    pub(crate) fn prototype_value(&mut self, unit: &Arc<Unit>, id: RefId) -> Option<Typed> {
        unit.language.member_assignments?;
        let reference = unit.facts.refs[id.index()];
        let receiver = reference.receiver.get()?;
        if !self.words(unit).transparent.contains(&unit.name(reference.name)) {
            return None;
        }
        let of = self.value(unit, receiver);
        match of.ty {
            Ty::Callable(sym, _) | Ty::Type(sym, _) => {
                Some(Typed { ty: Ty::Instance(sym, None), inferred: of.inferred })
            }
            _ => None,
        }
    }

    /// Whether members are assigned to a variable.
    pub(crate) fn has_assigned_members(&self, unit: &Unit, symbol: SymbolId) -> bool {
        let name = unit.symbol(symbol).name;
        unit.language.member_assignments.is_some()
            && name.is_some()
            && unit.is_extended(unit.name(name))
            && unit.symbol(symbol).scope == ScopeId(0)
    }

    /// The receiver in a function that is a type, or in one that is assigned to a member.
    pub(crate) fn receiver_of_function(&mut self, unit: &Arc<Unit>, scope: ScopeId) -> Option<Ty> {
        unit.language.member_assignments?;
        let owner = unit.scope(scope).owner;
        let symbol = unit.symbol(owner);
        if symbol.inner != scope || !symbol.kind.is_callable() {
            return None;
        }
        if symbol.flags.has(Flags::MEMBER) {
            return Some(Ty::Module(ModuleRef::File(unit.file)));
        }
        let sym = Sym { file: unit.file, symbol: owner };
        if symbol.qualifier.is_none() {
            let is_type = symbol.kind == SymbolKind::Function && unit.is_extended(unit.name(symbol.name));
            return is_type.then_some(Ty::Instance(sym, None));
        }
        let of = unit.declared(ScopeId(0), unit.name(symbol.qualifier)).find_map(|decl| match decl {
            Decl::Symbol(id) => Some(id),
            _ => None,
        })?;
        let of_kind = unit.symbol(of).kind;
        let of = Sym { file: unit.file, symbol: of };
        match of_kind.is_callable() || of_kind.is_type() {
            true => Some(Ty::Instance(of, None)),
            false => Some(Ty::Type(of, None)),
        }
    }

    /// The receiver in a method of an object that is written out.
    pub(crate) fn receiver_of_object(&mut self, unit: &Arc<Unit>, scope: ScopeId) -> Option<Ty> {
        if !unit.language.object_members {
            return None;
        }
        let owner = unit.scope(scope).owner;
        let symbol = unit.symbol(owner);
        match symbol.inner == scope {
            true if symbol.kind.is_type() || symbol.kind == SymbolKind::Impl => None,
            true => Some(Ty::Type(Sym { file: unit.file, symbol: owner }, None)),
            false => Some(Ty::Shape(unit.file, scope, None)),
        }
    }

    /// Whether a name without a declaration means what the file exports.
    pub(crate) fn is_own_exports(&self, unit: &Unit, external: ExternalId) -> bool {
        let Some(rules) = unit.language.member_assignments else { return false };
        let names = &self.externals.path(external).names;
        let last = self.program.text(names[names.len() - 1]);
        names.len() <= 2
            && rules.exports.iter().any(|word| {
                let mut parts = word.rsplit('.');
                parts.next() == Some(&last)
                    && match (parts.next(), names.len()) {
                        (Some(first), 2) => *self.program.text(names[0]) == *first,
                        (None, 1) => true,
                        _ => false,
                    }
            })
    }

    /// A function that is a type, as a base.
    pub(crate) fn function_as_base(&mut self, unit: &Arc<Unit>, base: ExprId) -> Option<Ty> {
        unit.language.member_assignments?;
        match self.value(unit, base).ty {
            Ty::Callable(sym, _) => Some(Ty::Instance(sym, None)),
            _ => None,
        }
    }

    /// What `new` makes of a function.
    pub(crate) fn made_by(&mut self, unit: &Unit, callee: ExprId, function: &Typed) -> Option<Typed> {
        unit.language.member_assignments?;
        let node = unit.facts.exprs[callee.index()];
        let made = node.op == ExprOp::Ref && unit.facts.refs[node.a as usize].kind == RefKind::Instantiation;
        match &function.ty {
            Ty::Callable(sym, _) if made => Some(Typed { ty: Ty::Instance(*sym, None), inferred: function.inferred }),
            _ => None,
        }
    }
}

/// The names under which a file knows a symbol: its own, and those of variables that are initialised with it.
fn owner_names(unit: &Unit, symbol: SymbolId) -> Vec<TermId> {
    let entry = unit.symbol(symbol);
    let mut names: Vec<TermId> = entry.name.get().map(|name| unit.name(name)).into_iter().collect();
    if entry.flags.has(Flags::MEMBER) {
        let is_it = |note: &&Note| {
            let expr = unit.facts.exprs[note.expr.index()];
            note.tie == Tie::Init && expr.op == ExprOp::Own && expr.a == symbol.0 && note.symbol != symbol
        };
        names.extend(unit.facts.notes.iter().filter(is_it).map(|note| unit.name(unit.symbol(note.symbol).name)));
    }
    names
}
