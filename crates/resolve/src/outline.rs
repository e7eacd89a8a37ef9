//! Definitions outside of what they belong to: `void Type::method() { … }`, `int space::f() { … }`.

use std::sync::Arc;

use codegraph_model::*;

use crate::lookup::{Found, Linker, What};
use crate::module::ModuleRef;
use crate::spaces::SpaceId;
use crate::types::{Ty, Typed};
use crate::{Sym, TermId, Unit};

/// More files than this that define a name do not tell that it is a type outside of its type.
const MOST_OUTSIDE: usize = 24;

/// The name of a type, and that of the type around it.
type Member = (TermId, Option<TermId>);

/// What stands before the name of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outer {
    Type(Sym),
    Space(SpaceId),
}

/// A function with a body, as far as it tells what the function belongs to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Body {
    sym: Sym,
    /// The name of the type or namespace before its name.
    owner: Option<TermId>,
    is_static: bool,
}

impl Linker<'_> {
    /// The type or namespace that a definition belongs to by its qualified name.
    pub(crate) fn outer_of(&mut self, unit: &Arc<Unit>, id: SymbolId) -> Option<Outer> {
        let symbol = unit.symbol(id);
        if symbol.qualifier.is_none() || symbol.kind.is_module() {
            return None;
        }
        let key = Sym { file: unit.file, symbol: id };
        self.remembered(|l| &mut l.outers, key, None, |l| l.outer_of_now(unit, id))
    }

    fn outer_of_now(&mut self, unit: &Arc<Unit>, id: SymbolId) -> Option<Outer> {
        let symbol = unit.symbol(id);
        let path = self.program.text(unit.name(symbol.qualifier));
        let mut at: Option<Typed> = None;
        for part in path.split(unit.language.separator).filter(|part| !part.is_empty()) {
            let name = self.program.term(part)?;
            let found = match &at {
                None => self.named_at(unit, name, symbol.scope, symbol.span.start),
                Some(base) => self.member(unit, base, name, 0, RefKind::TypeRef),
            }?;
            at = Some(self.found_value(unit, found));
        }
        match at?.ty {
            Ty::Type(sym, _) => Some(Outer::Type(sym)),
            Ty::Module(ModuleRef::Inline(sym)) => Some(Outer::Space(self.space_of_symbol(sym))),
            _ => None,
        }
    }

    /// A type or namespace by its name, as it is seen from a scope.
    fn named_at(&mut self, unit: &Arc<Unit>, name: crate::TermId, scope: ScopeId, start: u32) -> Option<Found> {
        let reference = Reference {
            name: StrId::NONE,
            span: Span::new(start, start),
            kind: RefKind::TypeRef,
            scope,
            receiver: ExprId::NONE,
            args: 0,
        };
        self.name(unit, name, scope, &reference)
    }

    /// The type whose method a function scope is the body of.
    pub(crate) fn outer_type(&mut self, unit: &Arc<Unit>, scope: ScopeId) -> Option<Sym> {
        let function = self.function_of(unit, scope)?;
        match self.outer_of(unit, function)? {
            Outer::Type(sym) => Some(sym),
            Outer::Space(_) => None,
        }
    }

    /// A type that is a member of another one and written outside of it: `struct Outer::Inner { … }`.
    pub(crate) fn type_outside(&mut self, line: &[Sym], name: TermId) -> Option<Found> {
        let of = self.unit(line.first()?.file);
        for &sym in self.types_outside(name).iter() {
            let unit = self.unit(sym.file);
            if unit.language.is_related(of.language)
                && self.ends_like(&unit, unit.symbol(sym.symbol), line)
                && let Some(Outer::Type(outer)) = self.outer_of(&unit, sym.symbol)
                && line.contains(&outer)
            {
                return Some(Found::new(What::Symbol(sym)).by(How::Member));
            }
        }
        None
    }

    /// The types of a name that stand outside of the scope that they belong to. Most names have none, and most members that
    /// are not found are asked for again.
    fn types_outside(&mut self, name: TermId) -> Arc<[Sym]> {
        if let Some(known) = self.types_outside.get(&name) {
            return known.clone();
        }
        let files = self.program.defining(name);
        let mut found = Vec::new();
        for &file in files.iter().filter(|_| files.len() <= MOST_OUTSIDE) {
            let unit = self.unit(file);
            let is_outside = |id: &SymbolId| unit.symbol(*id).qualifier.is_some() && unit.symbol(*id).kind.is_type();
            found.extend(unit.named(name).filter(is_outside).map(|symbol| Sym { file, symbol }));
        }
        let found: Arc<[Sym]> = found.into();
        self.types_outside.insert(name, found.clone());
        found
    }

    /// The last scope before a name has the name of one of these types.
    fn ends_like(&mut self, unit: &Unit, symbol: &Symbol, line: &[Sym]) -> bool {
        let Some(last) = self.last_of_qualifier(unit, symbol) else { return false };
        line.iter().any(|sym| {
            let owner = self.unit(sym.file);
            let own = owner.symbol(sym.symbol).name;
            own.is_some() && owner.name(own) == last
        })
    }

    /// The function that a scope is the body of.
    pub(crate) fn function_of(&self, unit: &Arc<Unit>, scope: ScopeId) -> Option<SymbolId> {
        let entry = unit.scope(scope);
        (entry.kind == ScopeKind::Function && unit.symbol(entry.owner).inner == scope).then_some(entry.owner)
    }

    /// The only definition of what a header declares: a function, or a member of a type.
    pub(crate) fn definition_of(&mut self, sym: Sym) -> Option<Sym> {
        let unit = self.unit(sym.file);
        let declared = unit.symbol(sym.symbol);
        let is_function = declared.kind.is_callable() && declared.kind != SymbolKind::Macro;
        if !unit.language.linking.headers || !declared.flags.has(Flags::DECLARATION) || !is_function {
            return None;
        }
        if let Some(known) = self.definitions.get(&sym) {
            return *known;
        }
        let found = self.find_definition(&unit, sym);
        self.definitions.insert(sym, found);
        found
    }

    fn find_definition(&mut self, unit: &Arc<Unit>, sym: Sym) -> Option<Sym> {
        let declared = unit.symbol(sym.symbol);
        let name = unit.name(declared.name);
        let space = self.space_of_symbol(sym);
        let parent = unit.symbol(declared.parent);
        let around = unit.symbol(parent.parent.get().unwrap_or(SymbolId(0)));
        let outer = (around.kind.is_type() && around.name.is_some()).then(|| unit.name(around.name));
        let member_of = parent.kind.is_type().then(|| (unit.name(parent.name), outer));
        let mut only: Option<(Sym, usize)> = None;
        let mut several = false;
        let is_static = declared.flags.has(Flags::STATIC) && member_of.is_none();
        for body in self.bodies(name).iter() {
            let is_own = body.sym.file == sym.file;
            let is_hidden = (is_static || body.is_static && member_of.is_none()) && !is_own;
            let is_elsewhere = member_of.is_some_and(|(owner, _)| body.owner != Some(owner));
            if is_hidden || is_elsewhere || !self.program.language(body.sym.file).is_related(unit.language) {
                continue;
            }
            let other = self.unit(body.sym.file);
            if self.belongs(&other, body.sym.symbol, space, member_of) {
                let far = self.parameter_distance(unit, declared, &other, other.symbol(body.sym.symbol));
                match &only {
                    Some((_, nearest)) if *nearest < far => {}
                    Some((_, nearest)) if *nearest == far => several = true,
                    _ => {
                        several = false;
                        only = Some((body.sym, far));
                    }
                }
            }
        }
        only.filter(|(_, far)| !several && (*far == 0 || !unit.language.linking.overloads)).map(|(sym, _)| sym)
    }

    /// The functions with this name that have a body. Remembered, because every class that declares a method with a common name
    /// asks for them.
    fn bodies(&mut self, name: TermId) -> Arc<[Body]> {
        if let Some(known) = self.bodies.get(&name) {
            return known.clone();
        }
        let mut found = Vec::new();
        for &file in self.program.defining(name).iter() {
            let unit = self.unit(file);
            for id in unit.named(name) {
                let symbol = unit.symbol(id);
                let is_function = symbol.kind.is_callable() && symbol.kind != SymbolKind::Macro;
                if is_function && !symbol.flags.has(Flags::DECLARATION) {
                    let sym = Sym { file, symbol: id };
                    let owner = self.last_of_qualifier(&unit, symbol);
                    found.push(Body { sym, owner, is_static: symbol.flags.has(Flags::STATIC) });
                }
            }
        }
        let found: Arc<[Body]> = found.into();
        self.bodies.insert(name, found.clone());
        found
    }

    /// The name of the scope that a qualified name is in.
    fn last_of_qualifier(&self, unit: &Unit, symbol: &Symbol) -> Option<TermId> {
        let path = self.program.text(unit.name(symbol.qualifier.is_some().then_some(symbol.qualifier)?));
        path.rsplit(unit.language.separator).next().and_then(|last| self.program.term(last))
    }

    /// Whether a definition is one of something in a namespace, or of a member of a type there.
    fn belongs(&mut self, unit: &Arc<Unit>, id: SymbolId, space: SpaceId, member_of: Option<Member>) -> bool {
        let symbol = unit.symbol(id);
        let own = Sym { file: unit.file, symbol: id };
        if symbol.qualifier.is_none() {
            return member_of.is_none()
                && !unit.symbol(symbol.parent).kind.is_type()
                && self.space_of_symbol(own) == space;
        }
        match (self.outer_of(unit, id), member_of) {
            (Some(Outer::Type(sym)), Some(name)) => {
                let owner = self.unit(sym.file);
                let around = owner.symbol(owner.symbol(sym.symbol).parent);
                let outer = around.kind.is_type().then(|| owner.name(around.name));
                (owner.name(owner.symbol(sym.symbol).name), outer) == name && self.space_of_symbol(sym) == space
            }
            (Some(Outer::Space(own)), None) => own == space,
            _ => false,
        }
    }

    /// How many parameters of two functions differ, as far as their types have names.
    fn parameter_distance(&mut self, a: &Unit, one: &Symbol, b: &Unit, other: &Symbol) -> usize {
        if one.params.len() != other.params.len() {
            return one.params.len().abs_diff(other.params.len()) * 16;
        }
        let type_of = |unit: &Unit, param: &Param| {
            let binding = &unit.facts.bindings[unit.parameter(param.name)? as usize];
            unit.facts.type_name(binding.ty).map(|name| unit.name(name))
        };
        let pairs = one.params.iter().zip(&other.params);
        pairs
            .filter(|(x, y)| match (type_of(a, x), type_of(b, y)) {
                (Some(x), Some(y)) => x != y,
                _ => false,
            })
            .count()
    }
}

/// The symbol of a lookup, if it is one.
pub(crate) fn symbol_of(found: &Found) -> Option<Sym> {
    match found.what {
        What::Symbol(sym) => Some(sym),
        _ => None,
    }
}
