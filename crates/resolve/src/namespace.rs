//! Open namespaces: several files add to one of the same name, which its names are seen in and wherever it is imported.
//!
//! Whether something is a namespace is never asked. A name that is nothing else may be the start of one: what is looked
//! up in it is looked up in all namespaces that the path can mean, the innermost first.

use std::rc::Rc;
use std::sync::Arc;

use codegraph_languages::Language;
use codegraph_model::*;
use rustc_hash::FxHashMap;

use crate::everywhere::Everywhere;
use crate::lookup::{Found, Linker, What};
use crate::module::{ModuleRef, PackageId};
use crate::types::{Ty, Typed};
use crate::{FileId, Sym, TermId, Unit};

/// Begins each of the full names that a path can mean.
const OR: char = '|';

/// What was found out about namespaces.
#[derive(Default)]
pub(crate) struct Spaces {
    /// The full names of the namespaces that scopes are in.
    around: FxHashMap<(FileId, ScopeId), PackageId>,
    /// All that namespaces declare under a name, with the namespace of each.
    declared: FxHashMap<TermId, Rc<[(PackageId, Sym)]>>,
    /// The full names that an import of everything can mean, and from the innermost namespace outwards those around it.
    imported: FxHashMap<(FileId, u32), Rc<[PackageId]>>,
    /// What is imported for all files of a build: by file, and by the folder of the build.
    pub(crate) everywhere: FxHashMap<FileId, Rc<Everywhere>>,
    pub(crate) by_home: FxHashMap<Option<String>, Rc<Everywhere>>,
}

impl Spaces {
    pub(crate) fn len(&self) -> usize {
        self.around.len() + self.declared.len() + self.imported.len()
    }
}

impl Linker<'_> {
    /// The full name of the namespace that a scope is in.
    pub(crate) fn space_around(&mut self, unit: &Unit, scope: ScopeId) -> PackageId {
        let key = (unit.file, scope);
        if let Some(known) = self.spaces.around.get(&key) {
            return *known;
        }
        let entry = *unit.scope(scope);
        let found = match entry.kind {
            _ if entry.parent.is_none() => {
                let module = self.program.module(unit.file);
                self.packages.number(&module, unit.language)
            }
            ScopeKind::Namespace => {
                let outer = self.space_around(unit, entry.parent);
                let name = self.program.text(unit.name(unit.symbol(entry.owner).name));
                let full = joined(&self.packages.name(outer), &name, unit.language.separator);
                self.packages.number(&full, unit.language)
            }
            _ => self.space_around(unit, entry.parent),
        };
        self.spaces.around.insert(key, found);
        found
    }

    /// What stands under a name in any namespace, in the order of paths.
    fn in_all_spaces(&mut self, name: TermId) -> Rc<[(PackageId, Sym)]> {
        if let Some(known) = self.spaces.declared.get(&name) {
            return Rc::clone(known);
        }
        let mut found = Vec::new();
        for &file in self.program.defining(name).iter() {
            if !self.program.language(file).linking.namespaces {
                continue;
            }
            let unit = self.unit(file);
            for symbol in unit.named(name) {
                let entry = unit.symbol(symbol);
                if (entry.kind.is_type() || entry.kind == SymbolKind::TypeAlias) && !entry.flags.has(Flags::INACTIVE) {
                    let kind = unit.scope(entry.scope).kind;
                    if matches!(kind, ScopeKind::Module | ScopeKind::Namespace) {
                        found.push((self.space_around(&unit, entry.scope), Sym { file, symbol }));
                    }
                }
            }
        }
        let found: Rc<[_]> = found.into();
        self.spaces.declared.insert(name, Rc::clone(&found));
        found
    }

    /// A type that a namespace declares, as a file sees it.
    pub(crate) fn space_declares(
        &mut self,
        unit: &Unit,
        space: PackageId,
        name: TermId,
        arity: Option<usize>,
    ) -> Option<Found> {
        let all = self.in_all_spaces(name);
        let own: Vec<Sym> = all
            .iter()
            .filter(|(other, sym)| *other == space && self.program.language(sym.file).is_related(unit.language))
            .map(|(_, sym)| *sym)
            .collect();
        self.picked(unit, own, arity)
    }

    /// The type of several with one name that is meant: by the number of its parameters, then the nearest one.
    fn picked(&mut self, unit: &Unit, mut all: Vec<Sym>, arity: Option<usize>) -> Option<Found> {
        let count = |l: &mut Self, sym: &Sym| {
            let owner = l.unit(sym.file);
            owner.type_params_of(owner.symbol(sym.symbol).inner).count()
        };
        if all.len() > 1 || arity.is_some() {
            let wanted = arity.unwrap_or(0);
            let fitting: Vec<Sym> = all.iter().copied().filter(|sym| count(self, sym) == wanted).collect();
            if arity.is_some() || !fitting.is_empty() {
                all = fitting;
            }
        }
        let first = *all.first()?;
        let found = |sym| Found::new(What::Symbol(sym)).by(How::Module);
        let is_part = |l: &mut Self, sym: &Sym| l.unit(sym.file).symbol(sym.symbol).flags.has(Flags::PARTIAL);
        if all.len() == 1 || all.iter().all(|sym| sym.file == first.file || is_part(self, sym)) {
            return Some(found(first));
        }
        let own = self.program.path(unit.file);
        let near = |l: &Self, sym: &Sym| shared_folders(&own, &l.program.path(sym.file));
        let best = all.iter().map(|sym| near(self, sym)).max()?;
        let nearest: Vec<Sym> = all.iter().copied().filter(|sym| near(self, sym) == best).collect();
        let alone = nearest.iter().all(|sym| sym.file == nearest[0].file || is_part(self, sym));
        Some(Found { ambiguous: !alone, ..found(nearest[0]) })
    }

    /// What a name means in the namespace of a scope, in those around it up to the next scope, and in what is imported
    /// there.
    pub(crate) fn in_space(
        &mut self,
        unit: &Arc<Unit>,
        scope: ScopeId,
        name: TermId,
        reference: &Reference,
    ) -> Option<Found> {
        let own = self.space_around(unit, scope);
        let arity = unit.type_arguments(reference);
        let outer = unit.scope(scope).parent.get().map(|parent| self.space_around(unit, parent));
        let types = reference.kind != RefKind::Call;
        // What a namespace inside a file imports counts before the namespaces around that one.
        if outer.is_some() {
            let found = types.then(|| self.space_declares(unit, own, name, arity)).flatten();
            if let Some(found) = found.or_else(|| self.used(unit, scope, name, reference)) {
                return Some(found);
            }
        }
        let separator = unit.language.separator;
        for space in upwards(&self.packages.name(own), separator).skip(usize::from(outer.is_some())) {
            let space = self.packages.number(&space, unit.language);
            if Some(space) == outer {
                break;
            }
            if types && let Some(found) = self.space_declares(unit, space, name, arity) {
                return Some(found);
            }
        }
        if outer.is_some() { None } else { self.used(unit, scope, name, reference) }
    }

    /// A name through the imports of everything that stand in a scope.
    fn used(&mut self, unit: &Arc<Unit>, scope: ScopeId, name: TermId, reference: &Reference) -> Option<Found> {
        let mut only: Option<Found> = None;
        for &star in unit.stars() {
            if unit.facts.imports[star as usize].scope != scope {
                continue;
            }
            let found = self.through_import(unit, star, name, reference, unit.type_arguments(reference));
            only = match (only, found) {
                (Some(old), Some(new)) if old.what != new.what => Some(Found { ambiguous: true, ..old }),
                (old, new) => old.or(new),
            };
        }
        if only.is_none() && scope == ScopeId(0) {
            only = self.used_everywhere(unit, name, reference);
        }
        only.map(|found| found.by(How::Import))
    }

    /// A name through one import of everything, which may stand in another file than the name.
    pub(crate) fn through_import(
        &mut self,
        unit: &Arc<Unit>,
        star: u32,
        name: TermId,
        reference: &Reference,
        arity: Option<usize>,
    ) -> Option<Found> {
        let import = &unit.facts.imports[star as usize];
        if import.flags.has(ImportFlags::STATIC) {
            let found = self.spaced_path(unit, import, import.path.len())?;
            let base = self.found_value(unit, found);
            return match base.ty {
                Ty::Type(..) => self.member(unit, &base, name, reference.args, reference.kind),
                _ => None,
            };
        }
        if reference.kind == RefKind::Call {
            return None;
        }
        let spaces = self.imported_spaces(unit, star);
        spaces.iter().find_map(|space| self.space_declares(unit, *space, name, arity))
    }

    /// The full names that an import of a namespace can mean.
    pub(crate) fn imported_spaces(&mut self, unit: &Unit, star: u32) -> Rc<[PackageId]> {
        let key = (unit.file, star);
        if let Some(known) = self.spaces.imported.get(&key) {
            return Rc::clone(known);
        }
        let import = &unit.facts.imports[star as usize];
        let parts = import.path.iter().map(|part| self.program.text(unit.name(unit.facts.refs[part.index()].name)));
        let path = parts.map(|part| part.to_string()).collect::<Vec<_>>().join(unit.language.separator);
        let spaces: Rc<[PackageId]> = self.meanings(unit, import.scope, &path).into();
        self.spaces.imported.insert(key, Rc::clone(&spaces));
        spaces
    }

    /// The full names that a path can mean in a scope, the innermost first.
    fn meanings(&mut self, unit: &Unit, scope: ScopeId, path: &str) -> Vec<PackageId> {
        let around = self.space_around(unit, scope);
        let around = self.packages.name(around);
        let separator = unit.language.separator;
        upwards(&around, separator)
            .map(|space| self.packages.number(&joined(&space, path, separator), unit.language))
            .collect()
    }

    /// What is around all namespaces.
    pub(crate) fn outermost_space(&mut self, unit: &Unit) -> Found {
        let outermost = self.packages.number("", unit.language);
        self.either_of(&[outermost], unit.language)
    }

    /// A name that is nothing else may be the start of a namespace's.
    pub(crate) fn maybe_space(&mut self, unit: &Unit, scope: ScopeId, name: TermId) -> Found {
        let text = self.program.text(name);
        let meanings = self.meanings(unit, scope, &text);
        self.either_of(&meanings, unit.language)
    }

    /// Something that may be one of several namespaces. It stays open whether it is one.
    fn either_of(&mut self, spaces: &[PackageId], language: &'static Language) -> Found {
        let mut name = String::new();
        for space in spaces {
            name.push(OR);
            name.push_str(&self.packages.name(*space));
        }
        let package = self.packages.number(&name, language);
        Found { ambiguous: true, ..Found::new(What::Module(ModuleRef::Package(package))).by(How::Module) }
    }

    /// A name in what may be a namespace: a type of the first that has it, or a namespace inside.
    pub(crate) fn space_member(&mut self, unit: &Arc<Unit>, package: PackageId, name: TermId) -> Option<Found> {
        let meanings = self.packages.name(package);
        let meanings: Vec<&str> = meanings.strip_prefix(OR)?.split(OR).collect();
        for space in &meanings {
            let space = self.packages.number(space, unit.language);
            if let Some(found) = self.space_declares(unit, space, name, None) {
                return Some(found);
            }
        }
        let text = self.program.text(name);
        let separator = unit.language.separator;
        let inner: Vec<PackageId> = meanings
            .iter()
            .map(|space| self.packages.number(&joined(space, &text, separator), unit.language))
            .collect();
        Some(self.either_of(&inner, unit.language))
    }

    /// What the first `count` parts of an import path mean.
    pub(crate) fn spaced_path(&mut self, unit: &Arc<Unit>, import: &Import, count: usize) -> Option<Found> {
        let name = |i: usize| unit.name(unit.facts.refs[import.path[i].index()].name);
        let start = name(0);
        let around = self.space_around(unit, import.scope);
        let mut at = None;
        for space in upwards(&self.packages.name(around), unit.language.separator) {
            let space = self.packages.number(&space, unit.language);
            at = at.or_else(|| self.space_declares(unit, space, start, None));
        }
        let mut at = at.unwrap_or_else(|| self.maybe_space(unit, import.scope, start));
        for i in 1..count.min(import.path.len()) {
            let base = self.found_value(unit, at);
            at = self.member(unit, &base, name(i), 0, RefKind::TypeRef)?;
        }
        Some(at)
    }

    /// A part of an import path as a reference: a type, or a namespace by its full name.
    pub(crate) fn spaced_part(&mut self, unit: &Arc<Unit>, import: &Import, count: usize) -> Option<Found> {
        let found = self.spaced_path(unit, import, count)?;
        if !found.ambiguous {
            return Some(found);
        }
        let names = import.path[..count].iter().map(|part| unit.name(unit.facts.refs[part.index()].name));
        let names: Vec<TermId> = names.collect();
        let texts: Vec<String> = names.iter().map(|name| self.program.text(*name).to_string()).collect();
        let full = texts.join(unit.language.separator);
        if let Some(module) = self.named_module(&full, unit.language) {
            return Some(Found::new(What::Module(module)));
        }
        let mut outside = self.outside(unit, names[0]);
        for name in &names[1..] {
            if let What::External(id) = outside.what {
                outside.what = What::External(self.externals.child(id, *name));
            }
        }
        Some(outside)
    }

    /// The type that a name can mean besides the variable that has its name: one that is what the variable is.
    pub(crate) fn type_of_same_name(&mut self, unit: &Arc<Unit>, id: RefId, found: Found) -> Found {
        let own = unit.facts.refs[id.index()];
        let Some(member) = unit.member_on(&own) else { return found };
        let value = self.found_value(unit, found.clone());
        let Ty::Instance(sym, _) = value.ty else { return found };
        let owner = self.unit(sym.file);
        let name = unit.name(own.name);
        if owner.name(owner.symbol(sym.symbol).name) != name {
            return found;
        }
        let reference = unit.facts.refs[member.index()];
        let base = Typed::sure(Ty::Type(sym, None));
        let member = self.member(unit, &base, unit.name(reference.name), reference.args, reference.kind);
        let is_static = match member.map(|m| m.what) {
            Some(What::Symbol(sym)) => {
                let owner = self.unit(sym.file);
                let symbol = owner.symbol(sym.symbol);
                symbol.flags.has(Flags::STATIC)
                    || symbol.kind.is_type()
                    || matches!(symbol.kind, SymbolKind::EnumMember | SymbolKind::Constant)
            }
            _ => false,
        };
        if is_static { Found { receiver: None, ..Found::new(What::Symbol(sym)) } } else { found }
    }
}

/// A path in a namespace; the one around all has no name.
fn joined(space: &str, path: &str, separator: &str) -> String {
    if space.is_empty() { path.to_owned() } else { format!("{space}{separator}{path}") }
}

/// A namespace and those around it, down to the one without a name.
fn upwards(space: &str, separator: &str) -> impl Iterator<Item = String> {
    let mut all = Vec::new();
    let mut rest = space;
    while !rest.is_empty() {
        all.push(rest.to_owned());
        rest = rest.rsplit_once(separator).map_or("", |(outer, _)| outer);
    }
    all.push(String::new());
    all.into_iter()
}

/// How many folders two paths have in common.
fn shared_folders(a: &str, b: &str) -> usize {
    let (a, b) = (a.split('/'), b.split('/'));
    a.zip(b).take_while(|(a, b)| a == b).count()
}
