//! What could be written at a place: the members of what stands before the dot, or else the names that are visible
//! there, the nearest first.

use std::sync::Arc;

use codegraph_model::*;
use rustc_hash::FxHashSet;

use crate::lookup::{Found, Linker, What};
use crate::module::ModuleRef;
use crate::types::{Ty, Typed};
use crate::unit::is_star;
use crate::{FileId, Sym, Target, Unit};

/// A name that could be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offer {
    pub name: Arc<str>,
    pub thing: Thing,
    pub origin: Origin,
    /// Whether it is usual here: what belongs to a type on the type, what belongs to a value on the value.
    pub usual: bool,
}

/// What an offered name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Thing {
    Symbol(Sym),
    /// A local name: its file and its place in the bindings.
    Local(FileId, u32),
    /// What an import declares: its file and its place in the imports.
    Import(FileId, u32),
    /// A name that is there without an import.
    Word,
}

/// Where an offered name comes from, the nearest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Origin {
    Local,
    Member,
    Inherited,
    File,
    Import,
    Module,
    Language,
}

/// All that could be written at a place.
#[derive(Clone, Debug, Default)]
pub struct Offers {
    pub list: Vec<Offer>,
    /// Something stands before it: only members fit.
    pub member: bool,
    /// Whether it is known what stands before it.
    pub known: bool,
}

/// Modules that pass on modules are followed so deep.
const DEEPEST: u32 = 4;

/// Collects offers; of one name the first stands.
struct Collector {
    seen: FxHashSet<Arc<str>>,
    list: Vec<Offer>,
    /// The file that is written in: private things of other files are not offered.
    file: FileId,
    /// Functions of one name are all listed.
    all: bool,
}

impl Collector {
    fn add(&mut self, name: Arc<str>, thing: Thing, origin: Origin, usual: bool) {
        let is_name = name.chars().next().is_some_and(|c| c.is_alphabetic() || matches!(c, '_' | '$' | '@'));
        if is_name && (self.seen.insert(Arc::clone(&name)) || self.all) {
            self.list.push(Offer { name, thing, origin, usual });
        }
    }
}

impl Linker<'_> {
    /// What could stand in place of a reference of a file.
    pub fn offers(&mut self, file: FileId, reference: RefId) -> Offers {
        self.open(file);
        let unit = self.unit(file);
        let entry = unit.facts.refs[reference.index()];
        let mut found = Collector { seen: FxHashSet::default(), list: Vec::new(), file, all: false };
        if entry.kind == RefKind::Import {
            let base = self.before_import(&unit, reference);
            let known = base.is_some();
            if let Some(base) = base {
                self.members(&unit, &base.ty, &mut found, 0);
            }
            return Offers { list: found.list, member: true, known };
        }
        if entry.receiver.is_some() {
            let base = self.value(&unit, entry.receiver);
            self.members(&unit, &base.ty, &mut found, 0);
            return Offers { list: found.list, member: true, known: base.ty != Ty::Unknown };
        }
        self.visible(&unit, entry.scope, entry.span.start, &mut found);
        Offers { list: found.list, member: false, known: true }
    }

    /// The names that are visible at an offset of a file.
    pub fn visible_at(&mut self, file: FileId, position: u32) -> Offers {
        self.open(file);
        let unit = self.unit(file);
        let around = unit.facts.scopes.iter().enumerate().filter(|(_, scope)| scope.span.contains(position));
        let scope = around.min_by_key(|(i, scope)| (scope.span.len(), std::cmp::Reverse(*i))).map_or(0, |(i, _)| i);
        let mut found = Collector { seen: FxHashSet::default(), list: Vec::new(), file, all: false };
        self.visible(&unit, ScopeId(scope as u32), position, &mut found);
        Offers { list: found.list, member: false, known: true }
    }

    /// The members of a type that others see, inherited ones too: of one name those of the nearest type.
    pub fn members_of(&mut self, sym: Sym) -> Vec<(Arc<str>, Sym)> {
        let mut members: Vec<(Arc<str>, Sym)> = Vec::new();
        let mut names: FxHashSet<Arc<str>> = FxHashSet::default();
        for own in self.lineage(sym).iter() {
            let (seen, list) = (FxHashSet::default(), Vec::new());
            let mut found = Collector { seen, list, file: FileId::MAX, all: true };
            self.own_members(*own, Origin::Member, None, &mut found);
            let fresh = found.list.into_iter().filter(|offer| !names.contains(&offer.name));
            members.extend(fresh.filter_map(|offer| match offer.thing {
                Thing::Symbol(member) => Some((offer.name, member)),
                _ => None,
            }));
            names.extend(found.seen);
        }
        self.forget_cuts();
        members
    }

    /// The type of the project that calling a function gives, or that a value is of; of a list that of its items.
    pub fn given_type(&mut self, sym: Sym) -> Option<Sym> {
        let unit = self.unit(sym.file);
        let symbol = unit.symbol(sym.symbol);
        let typed = match symbol.kind {
            kind if kind.is_callable() => self.returned(sym),
            kind if kind.is_type() || kind.is_module() || kind == SymbolKind::TypeAlias => return None,
            _ => self.symbol_value(sym),
        };
        let held = self.held_types(&unit, &typed.ty).map(|(_, value)| value);
        self.forget_cuts();
        only_type(&typed.ty).or_else(|| only_type(&held?))
    }

    /// How many arguments a call of a function may have, at least and at most, where functions of one name are told apart by that.
    pub fn argument_counts(&mut self, sym: Sym) -> Option<(u8, u8)> {
        let unit = self.unit(sym.file);
        let symbol = unit.symbol(sym.symbol);
        if !unit.language.linking.overloads || !symbol.kind.is_callable() {
            return None;
        }
        let taken: Vec<u8> = (0..u8::MAX - 1).filter(|count| crate::lookup::accepts(symbol, *count)).collect();
        Some((*taken.first()?, *taken.last()?))
    }

    /// What an import of a file declares.
    pub fn imported(&mut self, file: FileId, import: u32) -> Option<Target> {
        let unit = self.unit(file);
        let found = self.import_target(&unit, import)?;
        self.forget_cuts();
        self.target(&unit, found.what)
    }

    /// What stands before a part of an import.
    fn before_import(&mut self, unit: &Arc<Unit>, part: RefId) -> Option<Typed> {
        let (import, place) = unit.import_of(part)?;
        let entry = &unit.facts.imports[import as usize];
        if entry.source.is_some() {
            return self.source_module(unit, entry).map(|module| Typed::sure(Ty::Module(module)));
        }
        let before: Found = match place {
            0 => self.path_start(unit, entry).filter(|(_, taken)| *taken == 0)?.0,
            _ => self.path_target(unit, entry, place)?,
        };
        Some(self.found_value(unit, before))
    }

    /// From the innermost scope outwards, then what other files give.
    fn visible(&mut self, unit: &Arc<Unit>, from: ScopeId, position: u32, found: &mut Collector) {
        let linking = &unit.language.linking;
        let mut scope = from;
        let mut crossed_function = false;
        while scope.is_some() {
            let entry = *unit.scope(scope);
            let is_type = entry.kind == ScopeKind::Type;
            if is_type && linking.members_in_scope {
                self.type_members(Sym { file: unit.file, symbol: entry.owner }, None, found);
            } else if !is_type || linking.bodies_are_scopes && !crossed_function {
                let origin = if scope.0 == 0 { Origin::File } else { Origin::Local };
                self.declared_in(unit, scope, Some(position), origin, found);
            }
            crossed_function |= entry.kind == ScopeKind::Function;
            scope = entry.parent;
        }
        self.starred(unit, None, found, 0);
        if linking.shared_modules {
            let module = self.program.module(unit.file);
            self.package_names(&module, found);
        }
        for word in linking.builtins {
            found.add((*word).into(), Thing::Word, Origin::Language, true);
        }
        self.forget_cuts();
    }

    /// What a scope declares: local names from their declaration on, symbols, imports.
    fn declared_in(
        &mut self,
        unit: &Arc<Unit>,
        scope: ScopeId,
        position: Option<u32>,
        origin: Origin,
        found: &mut Collector,
    ) {
        let ordered = unit.language.linking.ordered_locals;
        for (i, binding) in unit.facts.bindings.iter().enumerate().filter(|(_, b)| b.scope == scope) {
            let declares = matches!(binding.kind, BindingKind::Local | BindingKind::Param | BindingKind::TypeParam);
            let later = ordered && binding.kind == BindingKind::Local && position.is_some_and(|at| binding.from > at);
            if declares && !later && binding.name.is_some() {
                let name = self.program.text(unit.name(binding.name));
                found.add(name, Thing::Local(unit.file, i as u32), origin, true);
            }
        }
        self.symbols_in(unit, |symbol| symbol.scope == scope && symbol.qualifier.is_none(), origin, None, found);
        for (i, import) in unit.facts.imports.iter().enumerate().filter(|(_, import)| import.scope == scope) {
            if !is_star(import)
                && let Some(name) = self.import_name(unit, import)
            {
                found.add(name, Thing::Import(unit.file, i as u32), Origin::Import, true);
            }
        }
    }

    fn import_name(&mut self, unit: &Arc<Unit>, import: &Import) -> Option<Arc<str>> {
        let import_self = self.words(unit).import_self;
        unit.bound_name(import, import_self).map(|name| self.program.text(unit.name(name)))
    }

    fn symbols_in(
        &mut self,
        unit: &Arc<Unit>,
        wanted: impl Fn(&Symbol) -> bool,
        origin: Origin,
        on_type: Option<bool>,
        found: &mut Collector,
    ) {
        use SymbolKind::{Constructor, Destructor, Heading, Impl, Operator};
        for (i, symbol) in unit.facts.symbols.iter().enumerate().skip(1) {
            let unnamed = symbol.name.is_none() || symbol.name_span.is_empty();
            let never = matches!(symbol.kind, Constructor | Destructor | Operator | Impl | Heading);
            let hidden = symbol.visibility == Visibility::Private && unit.file != found.file;
            if unnamed || never || hidden || !wanted(symbol) {
                continue;
            }
            let name = self.program.text(unit.name(symbol.name));
            let thing = Thing::Symbol(Sym { file: unit.file, symbol: SymbolId(i as u32) });
            let usual = on_type.is_none_or(|on_type| of_type(symbol) == on_type);
            found.add(name, thing, origin, usual);
        }
    }

    /// What imports of everything give, those of one scope or all.
    fn starred(&mut self, unit: &Arc<Unit>, scope: Option<ScopeId>, found: &mut Collector, depth: u32) {
        if depth > DEEPEST {
            return;
        }
        for &import in unit.stars() {
            let entry = &unit.facts.imports[import as usize];
            if scope.is_some_and(|scope| entry.scope != scope) {
                continue;
            }
            let module = match entry.source.is_some() {
                true => self.source_module(unit, entry).map(|module| Found::new(What::Module(module))),
                false => self.import_target(unit, import),
            };
            if let Some(module) = module {
                let base = self.found_value(unit, module);
                if matches!(base.ty, Ty::Module(_) | Ty::Type(..)) {
                    self.members(unit, &base.ty, found, depth + 1);
                }
            }
        }
    }

    /// The members of something of this type.
    fn members(&mut self, unit: &Arc<Unit>, ty: &Ty, found: &mut Collector, depth: u32) {
        if depth > DEEPEST {
            return;
        }
        match ty {
            Ty::Type(sym, _) => self.type_members(*sym, Some(true), found),
            Ty::Instance(sym, _) | Ty::This(sym) => self.type_members(*sym, Some(false), found),
            Ty::Variant(sym, _) => {
                let owner = self.unit(sym.file);
                let symbol = owner.symbol(sym.symbol);
                let (inner, parent) = (symbol.inner, symbol.parent);
                self.symbols_in(&owner, |s| inner.is_some() && s.scope == inner, Origin::Member, None, found);
                self.type_members(Sym { file: sym.file, symbol: parent }, Some(false), found);
            }
            Ty::Super(sym) => {
                for base in self.lineage(*sym).iter().skip(1) {
                    self.own_members(*base, Origin::Inherited, Some(false), found);
                }
            }
            Ty::Module(module) => self.module_names(*module, found, depth),
            Ty::Shape(file, scope, _) => {
                let owner = self.unit(*file);
                self.declared_in(&owner, *scope, None, Origin::Member, found);
            }
            Ty::ExternalInstance(container, Some(items)) => {
                let holds = self.container(unit, self.externals.name(*container));
                let inner = holds.filter(|holds| holds.transparent).and_then(|h| items.get(h.item as usize).cloned());
                if let Some(inner) = inner {
                    self.members(unit, &inner, found, depth + 1);
                }
            }
            Ty::Both(parts) | Ty::Either(parts) => {
                for part in parts.iter() {
                    self.members(unit, part, found, depth + 1);
                }
            }
            Ty::Parameter(..) | Ty::Member(..) => {
                let bound = self.bound_of(ty.clone());
                if bound != *ty {
                    self.members(unit, &bound, found, depth + 1);
                }
            }
            _ => {}
        }
        self.forget_cuts();
    }

    /// The members of a type, then those of its bases.
    fn type_members(&mut self, sym: Sym, on_type: Option<bool>, found: &mut Collector) {
        for (place, own) in self.lineage(sym).iter().enumerate() {
            let origin = if place == 0 { Origin::Member } else { Origin::Inherited };
            self.own_members(*own, origin, on_type, found);
        }
    }

    /// Members inside a type and those that are defined outside it.
    fn own_members(&mut self, sym: Sym, origin: Origin, on_type: Option<bool>, found: &mut Collector) {
        let unit = self.unit(sym.file);
        let inner = unit.symbol(sym.symbol).inner;
        if inner.is_some() {
            self.symbols_in(
                &unit,
                |symbol| symbol.scope == inner && symbol.qualifier.is_none(),
                origin,
                on_type,
                found,
            );
        }
        if !unit.language.linking.outside_members {
            return;
        }
        let type_name = unit.name(unit.symbol(sym.symbol).name);
        for &file in self.program.extending(type_name).iter() {
            let other = self.unit(file);
            if other.language.name != unit.language.name {
                continue;
            }
            let blocks: Vec<SymbolId> = other.impls_of(type_name).collect();
            let blocks: Vec<SymbolId> = blocks.into_iter().filter(|id| self.is_about(&other, *id, sym)).collect();
            let same_module = self.program.same_module(file, sym.file);
            let outside = |symbol: &Symbol| {
                let qualified = symbol.qualifier.is_some() && other.name(symbol.qualifier) == type_name;
                blocks.contains(&symbol.parent) || qualified && same_module
            };
            self.symbols_in(&other, outside, origin, on_type, found);
        }
    }

    /// The top-level names of a module.
    fn module_names(&mut self, module: ModuleRef, found: &mut Collector, depth: u32) {
        let (file, scope) = match module {
            ModuleRef::Package(package) => {
                let package = self.packages.name(package);
                return self.package_names(&package, found);
            }
            ModuleRef::File(file) => (file, ScopeId(0)),
            ModuleRef::Inline(sym) => (sym.file, self.unit(sym.file).symbol(sym.symbol).inner),
        };
        let unit = self.unit(file);
        if !unit.language.linking.exports_apart || scope.0 != 0 {
            self.declared_in(&unit, scope, None, Origin::Module, found);
            return self.starred(&unit, Some(scope), found, depth);
        }
        let exported = |symbol: &Symbol| symbol.scope.0 == 0 && symbol.flags.has(Flags::EXPORT);
        self.symbols_in(&unit, exported, Origin::Module, None, found);
        for (i, import) in unit.facts.imports.iter().enumerate() {
            if import.flags.has(ImportFlags::REEXPORT)
                && !is_star(import)
                && let Some(name) = self.import_name(&unit, import)
            {
                found.add(name, Thing::Import(file, i as u32), Origin::Module, true);
            }
        }
        self.starred(&unit, None, found, depth);
    }

    /// The top-level names of the files that share a module.
    fn package_names(&mut self, package: &str, found: &mut Collector) {
        for &file in self.program.files_of_module(package).iter() {
            let unit = self.unit(file);
            let top = |symbol: &Symbol| symbol.scope.0 == 0 && symbol.qualifier.is_none();
            self.symbols_in(&unit, top, Origin::Module, None, found);
        }
    }
}

/// The one type of the project that a value is of, or that its items are of.
fn only_type(ty: &Ty) -> Option<Sym> {
    match ty {
        Ty::Instance(of, _) | Ty::This(of) => Some(*of),
        Ty::List(item) => only_type(item),
        Ty::Both(parts) => parts.iter().find_map(only_type),
        Ty::Either(parts) => {
            let mut known = parts.iter().filter_map(only_type);
            known.next().filter(|only| known.all(|other| other == *only))
        }
        _ => None,
    }
}

/// Whether a member belongs to its type rather than to values of it.
fn of_type(symbol: &Symbol) -> bool {
    symbol.flags.has(Flags::STATIC) || symbol.kind.is_type() || symbol.kind == SymbolKind::EnumMember
}
