//! Namespaces that are open across files: what a file and the files that it includes declare in one of them.
//!
//! A namespace is its path of names. One without a name, and one that says so, is the same as the one around it.

use std::rc::Rc;
use std::sync::Arc;

use codegraph_model::*;
use rustc_hash::FxHashMap;

use crate::lookup::Linker;
use crate::opened::{Opened, Region};
use crate::unit::Decl;
use crate::{FileId, Sym, TermId, Unit};

/// A namespace of the whole project.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct SpaceId(u32);

impl SpaceId {
    /// What is in no namespace.
    pub(crate) const GLOBAL: SpaceId = SpaceId(0);
}

/// Declarations with their files.
pub(crate) type Things = Rc<[(FileId, Decl)]>;

/// The namespaces that a linker met.
#[derive(Default)]
pub(crate) struct OpenSpaces {
    /// Around each, and its last name; the global one is left out.
    paths: Vec<(SpaceId, TermId)>,
    numbers: FxHashMap<(SpaceId, TermId), SpaceId>,
    files: FxHashMap<FileId, Rc<FileSpaces>>,
    visible: FxHashMap<(FileId, SpaceId, TermId), Things>,
    /// What macros open or close, by name.
    pub(crate) opened: FxHashMap<TermId, Option<Opened>>,
}

/// The namespaces of a file.
struct FileSpaces {
    /// By scope: the namespace that it is in.
    of: Vec<SpaceId>,
    /// The scopes of each namespace whose declarations are its own.
    scopes: FxHashMap<SpaceId, Vec<ScopeId>>,
    /// What macros put into other namespaces.
    regions: Vec<Region>,
}

impl FileSpaces {
    /// The namespace of a place in a scope: of several around it, the last that was opened.
    fn at(&self, scope: ScopeId, at: u32) -> SpaceId {
        let around = |region: &&Region| region.scope == scope && region.span.contains(at);
        self.regions.iter().rfind(around).map_or(self.of[scope.index()], |region| region.space)
    }
}

impl OpenSpaces {
    pub(crate) fn number(&mut self, around: SpaceId, name: TermId) -> SpaceId {
        let next = SpaceId(self.paths.len() as u32 + 1);
        let number = *self.numbers.entry((around, name)).or_insert(next);
        if number == next {
            self.paths.push((around, name));
        }
        number
    }

    /// The namespace around another.
    pub(crate) fn around(&self, space: SpaceId) -> Option<SpaceId> {
        (space != SpaceId::GLOBAL).then(|| self.paths[space.0 as usize - 1].0)
    }

    pub(crate) fn len(&self) -> usize {
        self.visible.len()
    }

    /// Lets go what can be found again.
    pub(crate) fn clear(&mut self) {
        self.visible = FxHashMap::default();
        self.files = FxHashMap::default();
        self.opened = FxHashMap::default();
    }
}

impl Linker<'_> {
    /// The namespace that a place in a scope is in.
    pub(crate) fn space_of(&mut self, unit: &Arc<Unit>, scope: ScopeId, at: u32) -> SpaceId {
        match scope.get() {
            Some(scope) => self.file_spaces(unit).at(scope, at),
            None => SpaceId::GLOBAL,
        }
    }

    /// The namespace that a symbol is, or stands in.
    pub(crate) fn space_of_symbol(&mut self, sym: Sym) -> SpaceId {
        let unit = self.unit(sym.file);
        let symbol = unit.symbol(sym.symbol);
        let is_space = symbol.kind == SymbolKind::Namespace && symbol.inner.is_some();
        let scope = if is_space { symbol.inner } else { symbol.scope };
        self.space_of(&unit, scope, symbol.name_span.start)
    }

    fn file_spaces(&mut self, unit: &Arc<Unit>) -> Rc<FileSpaces> {
        if let Some(known) = self.open_spaces.files.get(&unit.file) {
            return Rc::clone(known);
        }
        let of = vec![SpaceId::GLOBAL; unit.facts.scopes.len()];
        let mut scopes: FxHashMap<SpaceId, Vec<ScopeId>> = FxHashMap::default();
        scopes.insert(SpaceId::GLOBAL, vec![ScopeId(0)]);
        let mut named: FxHashMap<ScopeId, SymbolId> = FxHashMap::default();
        for (i, symbol) in unit.facts.symbols.iter().enumerate().skip(1) {
            if symbol.kind == SymbolKind::Namespace && symbol.inner.is_some() {
                named.insert(symbol.inner, SymbolId(i as u32));
            }
        }
        let mut spaces = FileSpaces { of: Vec::new(), scopes: FxHashMap::default(), regions: Vec::new() };
        spaces.regions = self.regions(unit, ScopeId(0), SpaceId::GLOBAL);
        spaces.of = of;
        for (i, scope) in unit.facts.scopes.iter().enumerate().skip(1) {
            let id = ScopeId(i as u32);
            let around = spaces.at(scope.parent, scope.span.start);
            spaces.of[i] = around;
            if let Some(symbol) = named.get(&id).map(|symbol| unit.symbol(*symbol))
                && !symbol.flags.has(Flags::INLINE)
            {
                let space = self.inner_space(unit, around, symbol);
                spaces.of[i] = space;
                scopes.entry(space).or_default().push(id);
                spaces.regions.extend(self.regions(unit, id, space));
            }
        }
        spaces.scopes = scopes;
        let spaces = Rc::new(spaces);
        self.open_spaces.files.insert(unit.file, Rc::clone(&spaces));
        spaces
    }

    fn inner_space(&mut self, unit: &Unit, mut around: SpaceId, symbol: &Symbol) -> SpaceId {
        if symbol.qualifier.is_some() {
            let path = self.program.text(unit.name(symbol.qualifier));
            for part in path.split(unit.language.separator) {
                if let Some(name) = self.program.term(part) {
                    around = self.open_spaces.number(around, name);
                }
            }
        }
        self.open_spaces.number(around, unit.name(symbol.name))
    }

    /// What a file and those that it includes declare in a namespace under a name: own things first, then in the order
    /// in which files are reached.
    pub(crate) fn in_view(&mut self, unit: &Arc<Unit>, space: SpaceId, name: TermId) -> Things {
        let key = (unit.file, space, name);
        if let Some(known) = self.open_spaces.visible.get(&key) {
            return Rc::clone(known);
        }
        let mut all = Vec::new();
        self.declared_in_space(unit, space, name, &mut all);
        for file in self.reached_declaring(unit, name) {
            if file != unit.file {
                let other = self.unit(file);
                self.declared_in_space(&other, space, name, &mut all);
            }
        }
        let all: Things = all.into();
        self.open_spaces.visible.insert(key, Rc::clone(&all));
        all
    }

    pub(crate) fn declared_in_space(
        &mut self,
        unit: &Arc<Unit>,
        space: SpaceId,
        name: TermId,
        all: &mut Vec<(FileId, Decl)>,
    ) {
        let spaces = self.file_spaces(unit);
        for scope in spaces.scopes.get(&space).into_iter().flatten() {
            let things = unit.declared(*scope, name).filter(|decl| !matches!(decl, Decl::Binding(_)));
            let own = things.filter(|decl| spaces.regions.is_empty() || place(unit, &spaces, *scope, decl) == space);
            all.extend(own.map(|decl| (unit.file, decl)));
        }
        let mut seen: Option<ScopeId> = None;
        for region in spaces.regions.iter().filter(|region| region.space == space) {
            let known = spaces.scopes.get(&space).is_some_and(|scopes| scopes.contains(&region.scope));
            if known || seen.replace(region.scope) == Some(region.scope) {
                continue;
            }
            let things = unit.declared(region.scope, name).filter(|decl| !matches!(decl, Decl::Binding(_)));
            let own = things.filter(|decl| place(unit, &spaces, region.scope, decl) == space);
            all.extend(own.map(|decl| (unit.file, decl)));
        }
        // `namespace a::b` has its name only where it is written; `b` is declared in `a`.
        for id in unit.named(name) {
            let symbol = unit.symbol(id);
            let written = symbol.kind == SymbolKind::Namespace && symbol.qualifier.is_some();
            if written && self.open_spaces.around(spaces.of[symbol.inner.index()]) == Some(space) {
                all.push((unit.file, Decl::Symbol(id)));
            }
        }
    }
}

/// The namespace that a declaration of a scope is in. Macros are in none.
fn place(unit: &Unit, spaces: &FileSpaces, scope: ScopeId, decl: &Decl) -> SpaceId {
    match decl {
        Decl::Symbol(id) if unit.symbol(*id).kind == SymbolKind::Macro => SpaceId::GLOBAL,
        Decl::Symbol(id) => spaces.at(scope, unit.symbol(*id).name_span.start),
        Decl::Import(import) => spaces.at(scope, unit.facts.imports[*import as usize].span.start),
        Decl::Binding(_) => spaces.of[scope.index()],
    }
}
