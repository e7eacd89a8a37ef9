//! Names: what a reference means, from the innermost scope outwards, then imports, the module and the package.

use std::sync::Arc;

use codegraph_languages::linking::Linking;
use codegraph_model::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::module::ModuleRef;
use crate::types::{Ty, Typed};
use crate::unit::Decl;
use crate::{Certainty, FileId, Link, Program, Sym, Target, TermId, Unit};

/// What a lookup led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum What {
    Symbol(Sym),
    Local(FileId, u32),
    Module(ModuleRef),
    External(TermId),
}

#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) what: What,
    pub(crate) inferred: bool,
    /// The type that a member was found through.
    pub(crate) receiver: Option<Ty>,
    /// Other functions of the same name fit as well.
    pub(crate) ambiguous: bool,
}

impl Found {
    pub(crate) fn new(what: What) -> Found {
        Found { what, inferred: false, receiver: None, ambiguous: false }
    }
}

/// Links the references of files, remembering what it found out about types on the way.
pub struct Linker<'p> {
    pub(crate) program: &'p dyn Program,
    pub(crate) file: FileId,
    units: FxHashMap<FileId, Arc<Unit>>,
    pub(crate) resolved: FxHashMap<(FileId, u32), Option<Found>>,
    resolving: FxHashSet<(FileId, u32)>,
    pub(crate) values: FxHashMap<u32, Typed>,
    pub(crate) symbols: FxHashMap<Sym, Typed>,
    pub(crate) bindings: FxHashMap<(FileId, u32), Typed>,
    pub(crate) returns: FxHashMap<Sym, Typed>,
    pub(crate) base_types: FxHashMap<Sym, Vec<Ty>>,
    pub(crate) parents: FxHashMap<FileId, Option<FileId>>,
    pub(crate) open: FxHashSet<Sym>,
    pub(crate) open_bindings: FxHashSet<(FileId, u32)>,
    pub(crate) open_returns: FxHashSet<Sym>,
    pub(crate) open_imports: FxHashSet<(FileId, u32)>,
    /// A cycle made something unknown since the last time this was reset.
    pub(crate) cut: bool,
    pub(crate) depth: u32,
}

impl<'p> Linker<'p> {
    pub fn new(program: &'p dyn Program) -> Linker<'p> {
        Linker {
            program,
            file: FileId::MAX,
            units: FxHashMap::default(),
            resolved: FxHashMap::default(),
            resolving: FxHashSet::default(),
            values: FxHashMap::default(),
            symbols: FxHashMap::default(),
            bindings: FxHashMap::default(),
            returns: FxHashMap::default(),
            base_types: FxHashMap::default(),
            parents: FxHashMap::default(),
            open: FxHashSet::default(),
            open_bindings: FxHashSet::default(),
            open_returns: FxHashSet::default(),
            open_imports: FxHashSet::default(),
            cut: false,
            depth: 0,
        }
    }

    /// The links of one file, in the order of its references.
    pub fn link(&mut self, file: FileId) -> Vec<Link> {
        let unit = self.unit(file);
        self.file = file;
        self.values.clear();
        let mut links = Vec::new();
        for i in 0..unit.facts.refs.len() as u32 {
            self.cut = false;
            if let Some(found) = self.resolve(&unit, RefId(i)).filter(|f| !f.ambiguous) {
                let certainty = if found.inferred { Certainty::Inferred } else { Certainty::Exact };
                let target = self.target(&unit, found.what);
                links.push(Link { reference: RefId(i), target, certainty });
            }
        }
        links
    }

    fn target(&mut self, unit: &Unit, what: What) -> Target {
        match what {
            What::Symbol(sym) => Target::Symbol(sym),
            What::Local(file, binding) if file == unit.file => Target::Local(binding),
            What::Local(..) => Target::External(String::new()),
            What::Module(ModuleRef::File(file)) => Target::Module(file),
            What::Module(ModuleRef::Package(name)) => Target::Package(name.to_string()),
            What::Module(ModuleRef::Inline(sym)) => Target::Symbol(sym),
            What::External(name) => Target::External(self.program.text(name)),
        }
    }

    pub(crate) fn unit(&mut self, file: FileId) -> Arc<Unit> {
        if let Some(unit) = self.units.get(&file) {
            return Arc::clone(unit);
        }
        let unit = self.program.unit(file);
        self.units.insert(file, Arc::clone(&unit));
        unit
    }

    pub(crate) fn enter(&mut self, sym: Sym) -> bool {
        self.open.insert(sym)
    }

    pub(crate) fn leave(&mut self, sym: Sym) {
        self.open.remove(&sym);
    }

    /// What a reference means.
    pub(crate) fn resolve(&mut self, unit: &Arc<Unit>, reference: RefId) -> Option<Found> {
        let key = (unit.file, reference.0);
        if let Some(known) = self.resolved.get(&key) {
            return known.clone();
        }
        if !self.resolving.insert(key) {
            self.cut = true;
            return None;
        }
        let before = std::mem::replace(&mut self.cut, false);
        let found = self.resolve_now(unit, reference);
        self.resolving.remove(&key);
        if !self.cut || self.resolving.is_empty() {
            self.resolved.insert(key, found.clone());
        }
        self.cut |= before;
        found
    }

    fn resolve_now(&mut self, unit: &Arc<Unit>, id: RefId) -> Option<Found> {
        let reference = unit.facts.refs[id.index()];
        if reference.kind == RefKind::Import {
            return self.import_part(unit, id);
        }
        let name = unit.name(reference.name);
        if reference.receiver.is_some() {
            if let Some(found) = self.variant_field(unit, reference.receiver, name) {
                return Some(found);
            }
            let receiver = self.value(unit, reference.receiver);
            return self.member(unit, &receiver, name, reference.args, reference.kind);
        }
        if matches!(
            reference.kind,
            RefKind::TypeRef | RefKind::Inherit | RefKind::Implements | RefKind::Import | RefKind::Call
        ) && let Some(found) = self.path_word(unit, name, reference.scope)
        {
            return Some(found);
        }
        self.name(unit, name, reference.scope, &reference)
    }

    /// A field of an enum member that has fields of its own.
    fn variant_field(&mut self, unit: &Arc<Unit>, receiver: ExprId, name: TermId) -> Option<Found> {
        let expr = unit.facts.exprs[receiver.index()];
        if expr.op != ExprOp::Ref {
            return None;
        }
        let What::Symbol(sym) = self.resolve(unit, RefId(expr.a))?.what else { return None };
        let owner = self.unit(sym.file);
        let symbol = owner.symbol(sym.symbol);
        if symbol.kind != SymbolKind::EnumMember || symbol.inner.is_none() {
            return None;
        }
        let decl = owner.declared(symbol.inner, name).next()?;
        self.declared_thing(&owner, decl)
    }

    /// `crate`, `self`, `super`, `Self` at the start of a path.
    fn path_word(&mut self, unit: &Arc<Unit>, name: TermId, scope: ScopeId) -> Option<Found> {
        let words = unit.language.linking.path_words;
        if words.root.is_empty() && words.own_type.is_empty() {
            return None;
        }
        let text = self.program.text(name);
        let what = match text.as_str() {
            "" => return None,
            word if word == words.root => What::Module(self.root_module(unit)?),
            word if word == words.here => What::Module(self.module_here(unit, scope)),
            word if word == words.up => What::Module(self.module_up(unit, scope)?),
            word if word == words.own_type => return self.own_type(unit, scope),
            _ => return None,
        };
        Some(Found::new(what))
    }

    fn own_type(&mut self, unit: &Arc<Unit>, mut scope: ScopeId) -> Option<Found> {
        while scope.is_some() {
            let entry = *unit.scope(scope);
            if entry.kind == ScopeKind::Type
                && let Some(Ty::Type(sym, _)) = self.type_around(unit, entry.owner)
            {
                return Some(Found::new(What::Symbol(sym)));
            }
            scope = entry.parent;
        }
        None
    }

    /// A plain name, from the innermost scope outwards.
    pub(crate) fn name(
        &mut self,
        unit: &Arc<Unit>,
        name: TermId,
        from: ScopeId,
        reference: &Reference,
    ) -> Option<Found> {
        let linking = unit.language.linking;
        let mut scope = from;
        let mut crossed_function = false;
        while scope.is_some() {
            let entry = *unit.scope(scope);
            let is_type = entry.kind == ScopeKind::Type;
            if !is_type || !crossed_function || linking.members_in_scope {
                if let Some(found) = self.in_scope(unit, scope, name, reference, &linking) {
                    return Some(found);
                }
                if is_type
                    && linking.members_in_scope
                    && let Some(found) = self.inherited(unit, entry.owner, name, reference)
                {
                    return Some(found);
                }
            }
            crossed_function |= entry.kind == ScopeKind::Function;
            scope = entry.parent;
        }
        self.beyond_file(unit, name, reference)
    }

    fn in_scope(
        &mut self,
        unit: &Arc<Unit>,
        scope: ScopeId,
        name: TermId,
        reference: &Reference,
        linking: &Linking,
    ) -> Option<Found> {
        let position = reference.span.start;
        let names_type =
            linking.types_apart && matches!(reference.kind, RefKind::TypeRef | RefKind::Inherit | RefKind::Implements);
        let calls = linking.functions_apart && reference.kind == RefKind::Call;
        let mut best: Option<Decl> = None;
        let mut fitting = 0;
        for decl in unit.declared(scope, name) {
            match decl {
                Decl::Binding(i) => {
                    let binding = &unit.facts.bindings[i as usize];
                    match binding.kind {
                        BindingKind::Global => return self.in_module(unit, name, reference),
                        BindingKind::Nonlocal => return self.in_outer_function(unit, scope, name, reference),
                        BindingKind::Label => continue,
                        // A type or a path never means a variable, nor does a call where functions are no values.
                        BindingKind::Local | BindingKind::Param if names_type || calls => continue,
                        _ => {}
                    }
                    let hidden =
                        linking.ordered_locals && binding.kind == BindingKind::Local && binding.from > position;
                    if !hidden && (linking.ordered_locals || best.is_none()) {
                        best = Some(decl);
                    }
                }
                Decl::Symbol(symbol) => {
                    let entry = unit.symbol(symbol);
                    if names_type && entry.kind.is_callable() || calls && !entry.kind.is_callable() {
                        continue;
                    }
                    fitting += u32::from(linking.overloads && calls && accepts(entry, reference.args));
                    let better = match best {
                        Some(Decl::Symbol(old)) => self.better_overload(unit, old, symbol, reference),
                        Some(_) => false,
                        None => true,
                    };
                    if better {
                        best = Some(decl);
                    }
                }
                Decl::Import(_) => {
                    if best.is_none() {
                        best = Some(decl);
                    }
                }
            }
        }
        let found = self.declared_thing(unit, best?)?;
        Some(Found { ambiguous: found.ambiguous || fitting > 1, ..found })
    }

    pub(crate) fn declared_thing(&mut self, unit: &Arc<Unit>, decl: Decl) -> Option<Found> {
        match decl {
            Decl::Symbol(symbol) => {
                let sym = Sym { file: unit.file, symbol };
                Some(Found::new(What::Symbol(sym)))
            }
            Decl::Binding(binding) => Some(Found::new(What::Local(unit.file, binding))),
            Decl::Import(import) => self.import_target(unit, import),
        }
    }

    /// Whether `new` fits a call better than `old`: the number of arguments decides where names may be overloaded.
    pub(crate) fn better_overload(&self, unit: &Unit, old: SymbolId, new: SymbolId, reference: &Reference) -> bool {
        let (old, new) = (unit.symbol(old), unit.symbol(new));
        let is_call = matches!(reference.kind, RefKind::Call | RefKind::Instantiation);
        if unit.language.linking.overloads && is_call && old.kind.is_callable() && new.kind.is_callable() {
            return !accepts(old, reference.args) && accepts(new, reference.args);
        }
        // A definition is better than its declaration; of several definitions the first stands.
        old.flags.has(Flags::DECLARATION) && !new.flags.has(Flags::DECLARATION)
    }

    fn in_module(&mut self, unit: &Arc<Unit>, name: TermId, reference: &Reference) -> Option<Found> {
        let linking = unit.language.linking;
        self.in_scope(unit, ScopeId(0), name, reference, &linking)
    }

    fn in_outer_function(
        &mut self,
        unit: &Arc<Unit>,
        scope: ScopeId,
        name: TermId,
        reference: &Reference,
    ) -> Option<Found> {
        let parent = unit.scope(scope).parent;
        self.name(unit, name, parent, reference)
    }

    /// Names of the bases of the type around.
    fn inherited(&mut self, unit: &Arc<Unit>, owner: SymbolId, name: TermId, reference: &Reference) -> Option<Found> {
        let own = Ty::Type(Sym { file: unit.file, symbol: owner }, None);
        self.member(unit, &Typed::sure(own), name, reference.args, reference.kind)
    }

    /// Star imports, other files of the module, then modules of the package.
    fn beyond_file(&mut self, unit: &Arc<Unit>, name: TermId, reference: &Reference) -> Option<Found> {
        for import in unit.stars().to_vec() {
            if let Some(found) = self.star_member(unit, import, name) {
                return Some(found);
            }
        }
        if unit.language.linking.shared_modules
            && let Some(found) = self.module_neighbour(unit, name, reference)
        {
            return Some(found);
        }
        if reference.kind == RefKind::Macro
            && let Some(found) = self.package_macro(unit, name)
        {
            return Some(found);
        }
        self.package_name(unit, name)
    }
}

/// Whether a function can be called with this many arguments.
pub(crate) fn accepts(symbol: &Symbol, args: u8) -> bool {
    let own = symbol.params.iter().filter(|p| !p.flags.has(Flags::RECEIVER));
    let needed = own.clone().filter(|p| p.default.is_empty() && !p.flags.has(Flags::VARIADIC)).count();
    let most = if own.clone().any(|p| p.flags.has(Flags::VARIADIC)) { usize::MAX } else { own.count() };
    (needed..=most).contains(&(args as usize))
}
