//! Names: what a reference means, from the innermost scope outwards, then imports, the module and the package.

use std::rc::Rc;
use std::sync::Arc;

use codegraph_languages::linking::Linking;
use codegraph_model::*;
use rustc_hash::FxHashMap;

use crate::conditional::Made;
use crate::external::{ExternalId, Externals};
use crate::full_names::fallback;
use crate::hierarchy::names_base;
use crate::include::Includes;
use crate::kinds::{is_member_scope, is_uncalled, never_meant, type_parameter, value_around};
use crate::memo::Memo;
use crate::module::{ModuleRef, PackageId, Packages};
use crate::namespace::Spaces;
use crate::open::Open;
use crate::outline::{Body, Outer};
use crate::spaces::OpenSpaces;
use crate::standing::{comes_later, has_twin, is_in_head, is_in_method};
use crate::stars::Stars;
use crate::types::{Ty, Typed};
use crate::unit::Decl;
use crate::words::Words;
use crate::{FileId, Link, Program, Sym, Target, TermId, Unit};

/// What a lookup led to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    Symbol(Sym),
    Local(FileId, u32),
    Module(ModuleRef),
    External(ExternalId),
}

#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) what: What,
    pub(crate) how: How,
    pub(crate) inferred: bool,
    /// Other functions of the same name fit as well.
    pub(crate) ambiguous: bool,
    /// The type that a member was found through.
    pub(crate) receiver: Option<Ty>,
}

impl Found {
    pub(crate) fn new(what: What) -> Found {
        Found { what, how: How::Scope, inferred: false, ambiguous: false, receiver: None }
    }

    pub(crate) fn by(self, how: How) -> Found {
        Found { how, ..self }
    }
}

/// More remembered answers than this are forgotten before the next file.
const MOST_ANSWERS: usize = 1 << 18;
/// Unpacked files of more bytes than this are let go before the next file: the program keeps what fits.
const MOST_UNIT_BYTES: usize = 8 << 20;

/// Declarations of one name in one scope that are looked at: nobody writes more, and each use asks again.
const MOST_DECLARED: usize = 1000;

/// Links the references of files, remembering what it found out about types on the way.
///
/// Chains of inferences can be long: run it on a thread with a stack of [`Linker::STACK`] bytes.
pub struct Linker<'p> {
    pub(crate) program: &'p dyn Program,
    file: FileId,
    /// By number.
    units: Vec<Option<Arc<Unit>>>,
    unit_bytes: usize,
    pub(crate) words: Vec<Rc<Words>>,
    pub(crate) externals: Externals,
    pub(crate) packages: Packages,
    pub(crate) spaces: Spaces,
    /// All places in which a type is written, by each of them.
    pub(crate) parts: FxHashMap<Sym, Rc<[Sym]>>,
    pub(crate) parents: FxHashMap<FileId, Option<FileId>>,
    /// Types that stand outside of what they belong to, by their names.
    pub(crate) types_outside: FxHashMap<TermId, Arc<[Sym]>>,
    pub(crate) roots: FxHashMap<(&'static str, TermId), Option<ModuleRef>>,
    pub(crate) inner_modules: FxHashMap<(ModuleRef, TermId), Option<ModuleRef>>,
    /// Answers about the references of the file that is being linked, by reference.
    own: Vec<Own>,
    resolved: Memo<(FileId, u32), Option<Found>>,
    pub(crate) symbols: Memo<Sym, Typed>,
    pub(crate) bindings: Memo<(FileId, u32), Typed>,
    pub(crate) returns: Memo<Sym, Typed>,
    /// What calls in chains give, by their callees, since the file at hand was opened.
    pub(crate) calls: Memo<(FileId, u32), Typed>,
    /// What methods give to their blocks, by place.
    pub(crate) yields: Memo<(Sym, u32), Typed>,
    pub(crate) base_types: Memo<Sym, Rc<[Ty]>>,
    pub(crate) lineages: Memo<Sym, Rc<[Sym]>>,
    /// Top-level symbols by package, name and, where that matters, number of arguments.
    pub(crate) tops: FxHashMap<(PackageId, TermId, Option<u8>), Option<Sym>>,
    pub(crate) exports: Memo<(ModuleRef, TermId), Option<Found>>,
    /// What imports mean; for an import of everything, one answer for each name.
    pub(crate) imports: Memo<(FileId, u32, Option<TermId>), Option<Found>>,
    /// What definitions with qualified names belong to.
    pub(crate) outers: Memo<Sym, Option<Outer>>,
    /// The definitions of what headers declare.
    pub(crate) definitions: FxHashMap<Sym, Option<Sym>>,
    /// Functions with a body, by their names.
    pub(crate) bodies: FxHashMap<TermId, Arc<[Body]>>,
    pub(crate) includes: Includes,
    pub(crate) stars: Stars,
    /// Types that several declarations make up.
    pub(crate) open: Open,
    pub(crate) open_spaces: OpenSpaces,
    pub(crate) made: Made,
    /// It is asked whether a constructor takes a value.
    pub(crate) converting: bool,
    /// The number of the outermost question.
    question: u32,
    /// A cycle made something unknown since the last time this was reset.
    pub(crate) cut: bool,
    /// How deep an expression of the entity is that is being looked at.
    pub(crate) depth: u32,
    /// How many entities wait for the one that is being looked at.
    pub(crate) waiting: u32,
    /// It follows what lies outside the project further than links do.
    pub(crate) goes_abroad: bool,
    /// Imports mean what runs, not what only describes it.
    pub(crate) wants_what_runs: bool,
}

/// What is known about a reference of the file that is being linked.
#[derive(Clone)]
enum Own {
    New,
    Open,
    Known(Option<Found>),
    /// Holds for the outermost question only: its number.
    Cut(u32, Option<Found>),
}

impl<'p> Linker<'p> {
    /// The stack that the longest chain of inferences may need.
    pub const STACK: usize = 64 << 20;

    pub fn new(program: &'p dyn Program) -> Linker<'p> {
        Linker {
            program,
            file: FileId::MAX,
            units: Vec::new(),
            unit_bytes: 0,
            words: Vec::new(),
            externals: Externals::default(),
            packages: Packages::default(),
            spaces: Spaces::default(),
            parts: FxHashMap::default(),
            parents: FxHashMap::default(),
            types_outside: FxHashMap::default(),
            roots: FxHashMap::default(),
            inner_modules: FxHashMap::default(),
            own: Vec::new(),
            resolved: Memo::default(),
            symbols: Memo::default(),
            bindings: Memo::default(),
            returns: Memo::default(),
            calls: Memo::default(),
            yields: Memo::default(),
            base_types: Memo::default(),
            lineages: Memo::default(),
            tops: FxHashMap::default(),
            exports: Memo::default(),
            imports: Memo::default(),
            outers: Memo::default(),
            definitions: FxHashMap::default(),
            bodies: FxHashMap::default(),
            includes: Includes::default(),
            stars: Stars::default(),
            open: Open::default(),
            open_spaces: OpenSpaces::default(),
            made: Made::default(),
            converting: false,
            question: 0,
            cut: false,
            depth: 0,
            waiting: 0,
            goes_abroad: false,
            wants_what_runs: false,
        }
    }

    /// The links of one file, in the order of its references.
    pub fn link(&mut self, file: FileId) -> Vec<Link> {
        self.link_only(file, |_, _| true)
    }

    /// The links of those references of a file that are wanted.
    pub fn link_only(&mut self, file: FileId, wanted: impl Fn(RefId, &Reference) -> bool) -> Vec<Link> {
        self.open(file);
        let unit = self.unit(file);
        let mut links = Vec::new();
        for (i, reference) in unit.facts.refs.iter().enumerate() {
            let i = i as u32;
            if !wanted(RefId(i), reference) {
                continue;
            }
            let found = self.resolve(&unit, RefId(i));
            self.forget_cuts();
            if let Some(found) = found.filter(|f| !f.ambiguous)
                && let Some(target) = self.target(&unit, found.what)
            {
                let is_twin = matches!(found.what, What::Symbol(sym) if has_twin(&self.unit(sym.file), sym.symbol));
                let certainty = if found.inferred || is_twin { Certainty::Inferred } else { Certainty::Exact };
                links.push(Link { reference: RefId(i), target, certainty, how: found.how });
            }
        }
        links
    }

    /// Makes a file the one that questions are about.
    pub(crate) fn open(&mut self, file: FileId) {
        self.make_room();
        let unit = self.unit(file);
        self.file = file;
        self.calls.clear();
        self.own.clear();
        self.own.resize(unit.facts.refs.len(), Own::New);
    }

    /// The same, unless it is the file at hand.
    pub(crate) fn stay(&mut self, file: FileId) {
        if self.file != file || self.own.len() != self.unit(file).facts.refs.len() {
            self.open(file);
        }
    }

    /// What a question met on a cycle does not count for the next one.
    pub(crate) fn forget_cuts(&mut self) {
        if std::mem::replace(&mut self.cut, false) {
            self.question += 1;
            self.resolved.end_question();
            self.symbols.end_question();
            self.bindings.end_question();
            self.returns.end_question();
            self.calls.end_question();
            self.yields.end_question();
            self.base_types.end_question();
            self.lineages.end_question();
            self.exports.end_question();
            self.imports.end_question();
            self.open.end_question();
            self.outers.end_question();
        }
    }

    /// Forgets what is remembered if it is much, and lets files go; all is found again when it is asked for.
    fn make_room(&mut self) {
        let types = self.symbols.len() + self.bindings.len() + self.returns.len() + self.base_types.len();
        let names = self.resolved.len() + self.imports.len() + self.open_spaces.len();
        let names = names + self.exports.len() + self.tops.len() + self.spaces.len() + self.parts.len();
        let names = names + self.open.len();
        if types + names > MOST_ANSWERS {
            self.forget();
        } else if self.unit_bytes > MOST_UNIT_BYTES {
            self.units.clear();
            self.unit_bytes = 0;
        }
    }

    /// Forgets everything that was found out so far. The links stay the same.
    pub fn forget(&mut self) {
        self.resolved.clear();
        self.symbols.clear();
        self.bindings.clear();
        self.returns.clear();
        self.calls.clear();
        self.yields.clear();
        self.base_types.clear();
        self.lineages.clear();
        self.tops = FxHashMap::default();
        self.spaces = Spaces::default();
        self.parts = FxHashMap::default();
        self.exports.clear();
        self.roots = FxHashMap::default();
        self.inner_modules = FxHashMap::default();
        self.imports.clear();
        self.open.clear();
        self.outers.clear();
        self.definitions = FxHashMap::default();
        self.bodies = FxHashMap::default();
        self.open_spaces.clear();
        self.parents = FxHashMap::default();
        self.types_outside = FxHashMap::default();
        self.units.clear();
        self.unit_bytes = 0;
    }

    pub(crate) fn target(&mut self, unit: &Unit, what: What) -> Option<Target> {
        Some(match what {
            What::Symbol(sym) if sym.symbol.0 == 0 => Target::Module(sym.file),
            What::Symbol(sym) => match self.stands_for(sym) {
                Some(other) => return self.target(unit, other),
                None => {
                    let sym = self.template_of(sym);
                    Target::Symbol(self.definition_of(sym).unwrap_or(sym))
                }
            },
            What::Local(file, binding) if file == unit.file => Target::Local(binding),
            What::Local(file, binding) => Target::Parameter(file, binding),
            What::Module(ModuleRef::File(file)) => Target::Module(file),
            What::Module(ModuleRef::Package(package)) => Target::Package(self.packages.name(package)),
            What::Module(ModuleRef::Inline(sym)) => Target::Symbol(sym),
            What::External(path) => Target::External(self.externals.path(path).clone()),
        })
    }

    /// What a declaration stands for: a module without a body is its file, and a type that an impl block gives a trait
    /// is the one that the trait declares.
    fn stands_for(&mut self, sym: Sym) -> Option<What> {
        let unit = self.unit(sym.file);
        if !unit.language.linking.impl_blocks {
            return None;
        }
        let symbol = unit.symbol(sym.symbol);
        match symbol.kind {
            SymbolKind::Module if symbol.head_end == symbol.span.end => match self.module_symbol(&unit, sym).ty {
                Ty::Module(module @ ModuleRef::File(_)) => Some(What::Module(module)),
                _ => None,
            },
            SymbolKind::TypeAlias if unit.symbol(symbol.parent).kind == SymbolKind::Impl => {
                let of = unit.note(symbol.parent, Tie::Implements)?;
                match self.annotation(&unit, of).ty {
                    Ty::Instance(base, _) => {
                        let found = self.type_member(base, unit.name(symbol.name), 0, RefKind::TypeRef)?;
                        let What::Symbol(declared) = found.what else { return None };
                        let owner = self.unit(declared.file);
                        let parent = owner.symbol(owner.symbol(declared.symbol).parent).kind;
                        (parent == SymbolKind::Trait).then_some(found.what)
                    }
                    Ty::ExternalInstance(path, _) => {
                        Some(What::External(self.externals.child(path, unit.name(symbol.name))))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    pub(crate) fn unit(&mut self, file: FileId) -> Arc<Unit> {
        match self.units.get(file as usize) {
            Some(Some(unit)) => Arc::clone(unit),
            _ => self.fetch(file),
        }
    }

    #[cold]
    fn fetch(&mut self, file: FileId) -> Arc<Unit> {
        let unit = self.program.unit(file);
        self.unit_bytes += unit.bytes();
        if self.units.len() <= file as usize {
            self.units.resize(file as usize + 1, None);
        }
        self.units[file as usize] = Some(Arc::clone(&unit));
        unit
    }

    /// What a reference means.
    pub(crate) fn resolve(&mut self, unit: &Arc<Unit>, reference: RefId) -> Option<Found> {
        if unit.file != self.file {
            let key = (unit.file, reference.0);
            return self.remembered(|l| &mut l.resolved, key, None, |l| l.resolve_now(unit, reference));
        }
        match &self.own[reference.index()] {
            Own::Known(found) => return found.clone(),
            Own::Cut(question, found) if *question == self.question => {
                self.cut = true;
                return found.clone();
            }
            Own::Open => {
                self.cut = true;
                return None;
            }
            Own::New | Own::Cut(..) => {}
        }
        self.own[reference.index()] = Own::Open;
        let (found, cut) = self.apart(None, |l| l.resolve_now(unit, reference));
        let known = found.clone();
        self.own[reference.index()] = if cut { Own::Cut(self.question, known) } else { Own::Known(known) };
        found
    }

    fn resolve_now(&mut self, unit: &Arc<Unit>, id: RefId) -> Option<Found> {
        let found = self.resolve_name(unit, id)?;
        let calls = matches!(unit.facts.refs[id.index()].kind, RefKind::Call | RefKind::Instantiation);
        match unit.language.linking.overloads && calls {
            true => Some(self.chosen(unit, id, found)),
            false => Some(found),
        }
    }

    fn resolve_name(&mut self, unit: &Arc<Unit>, id: RefId) -> Option<Found> {
        let reference = unit.facts.refs[id.index()];
        if reference.kind == RefKind::Import {
            return self.import_part(unit, id).map(|found| found.by(How::Import));
        }
        let name = unit.name(reference.name);
        if reference.receiver.is_some() {
            let receiver = unit.facts.exprs[reference.receiver.index()];
            if receiver.op == ExprOp::Parameters {
                return self.parameter_of(unit, ExprId(receiver.a), name);
            }
            if let Some(found) = self.variant_field(unit, reference.receiver, name) {
                return Some(found.by(How::Member));
            }
            if receiver.op == ExprOp::Root {
                return self.root_member(unit, name, reference.kind);
            }
            let is_own = receiver.op == ExprOp::This && unit.language.linking.open_types;
            let receiver = self.value(unit, reference.receiver);
            if reference.kind == RefKind::Macro
                && let Ty::Module(module) = receiver.ty
                && let Some(found) = self.macro_in(module, name)
            {
                return Some(found.by(How::Member));
            }
            let found = match unit.language.linking.extensions {
                true => self.known_member(unit, &receiver, name, reference.args, reference.kind),
                false => self.member(unit, &receiver, name, reference.args, reference.kind),
            };
            let kind = reference.kind;
            let found = found.and_then(|found| self.beside_module(unit, kind, receiver.ty.clone(), name, found));
            return match found {
                None if is_own => self.open_own(unit, &receiver.ty, name),
                None if unit.language.linking.headers => self.instead_of_member(unit, &reference, name),
                found if unit.language.linking.extensions => match self.or_extension(unit, id, &receiver, found) {
                    found if self.shows_nothing(unit, found.as_ref()) => {
                        let own = self.accessor(unit, &receiver, name, reference.kind).or(found);
                        own.or_else(|| self.member_abroad(unit, &receiver.ty, name))
                    }
                    found => found,
                },
                None => self.accessor(unit, &receiver, name, reference.kind),
                found => found,
            };
        }
        if matches!(
            reference.kind,
            RefKind::TypeRef
                | RefKind::Inherit
                | RefKind::Implements
                | RefKind::Import
                | RefKind::Call
                | RefKind::Instantiation
        ) && let Some(found) = self.path_word(unit, name, reference.scope)
        {
            return Some(found);
        }
        let found = match reference.kind == RefKind::Decorator {
            true => self.decorator(unit, name, &reference),
            false => self.name(unit, name, reference.scope, &reference),
        };
        let found = match (found, reference.kind) {
            // A class is made of what an expression gives: a value that is a class stands for it.
            (None, RefKind::Inherit) if unit.language.linking.declared_overloads => {
                let value = Reference { kind: RefKind::Read, ..reference };
                self.name(unit, name, reference.scope, &value)
            }
            (found, _) => found,
        };
        let found = found.filter(|found| !self.is_stray(unit, &reference, found));
        let found = match found {
            // A name that may be one of several namespaces.
            Some(Found { what: What::Module(_), ambiguous: true, .. }) | None => {
                self.name_abroad(unit, name, &reference).or(found)
            }
            found => found,
        };
        match unit.language.linking {
            Linking { namespaces: true, .. } => found.map(|found| self.type_of_same_name(unit, id, found)),
            Linking { companions: true, .. } => found.map(|found| self.named_type(unit, reference.kind, found)),
            _ => found,
        }
    }

    /// What stands in the place of a member that nothing has: a base that is initialised, a macro.
    fn instead_of_member(&mut self, unit: &Arc<Unit>, reference: &Reference, name: TermId) -> Option<Found> {
        let receiver = unit.facts.exprs[reference.receiver.index()];
        if receiver.op == ExprOp::This && reference.kind == RefKind::Write {
            let named = Reference { kind: RefKind::TypeRef, receiver: ExprId::NONE, ..*reference };
            let found = self.name(unit, name, reference.scope, &named);
            if found.is_some() {
                return found;
            }
        }
        self.macro_as_member(unit, name, reference)
    }

    /// The name of a decorator, of which the end may be left out.
    fn decorator(&mut self, unit: &Arc<Unit>, name: TermId, reference: &Reference) -> Option<Found> {
        let suffix = unit.language.linking.decorator_suffix;
        let reference = Reference { kind: RefKind::TypeRef, ..*reference };
        if suffix.is_empty() {
            return self.name(unit, name, reference.scope, &Reference { kind: RefKind::Decorator, ..reference });
        }
        let whole = self.program.term(&format!("{}{suffix}", self.program.text(name)));
        let found = whole.and_then(|whole| self.name(unit, whole, reference.scope, &reference));
        let found = found.filter(|found| !matches!(found.what, What::External(_)));
        let found = found.or_else(|| self.name(unit, name, reference.scope, &reference))?;
        match found.what {
            What::Symbol(sym) if !self.ends_outside(sym, suffix) => Some(self.outside(unit, name)),
            _ => Some(found),
        }
    }

    /// Whether a type inherits from one outside the project whose name ends like this.
    fn ends_outside(&mut self, sym: Sym, end: &str) -> bool {
        for of in self.lineage(sym).iter() {
            let unit = self.unit(of.file);
            for note in unit.notes(of.symbol).iter().filter(|n| n.tie == Tie::Base) {
                if let Ty::ExternalInstance(base, _) = self.annotation(&unit, note.expr).ty
                    && self.program.text(self.externals.name(base)).ends_with(end)
                {
                    return true;
                }
            }
        }
        false
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
        // A method that stands only there is reached through the one that it overrides.
        let is_field = |decl: &Decl| !matches!(decl, Decl::Symbol(own) if owner.symbol(*own).kind.is_callable());
        let decl = owner.declared(symbol.inner, name).find(is_field)?;
        self.declared_thing(&owner, decl)
    }

    /// `crate`, `self`, `super`, `Self` at the start of a path.
    fn path_word(&mut self, unit: &Arc<Unit>, name: TermId, scope: ScopeId) -> Option<Found> {
        let words = unit.language.linking.path_words;
        if words.root.is_empty() && words.own_type.is_empty() {
            return None;
        }
        let words = self.words(unit);
        let name = Some(name);
        if name == words.own_type {
            return self.own_type(unit, scope);
        }
        if name == words.root && unit.language.linking.namespaces {
            return Some(self.outermost_space(unit));
        }
        let module = if name == words.root {
            self.root_module(unit)?
        } else if name == words.here {
            self.module_here(unit, scope)
        } else if name == words.up {
            self.module_up(unit, scope)?
        } else {
            return None;
        };
        Some(Found::new(What::Module(module)).by(How::Module))
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
        let linking = &unit.language.linking;
        if linking.open_types {
            return self.open_name(unit, name, reference);
        }
        if linking.headers {
            return self.translated_name(unit, name, from, reference);
        }
        let mut scope = from;
        let mut crossed_function = false;
        // What is read is rather a variable further out than a function.
        let reads = linking.variables_first && matches!(reference.kind, RefKind::Read | RefKind::Write);
        let mut function: Option<Found> = None;
        // What the body of a type has no value for yet.
        let mut later: Option<Found> = None;
        while scope.is_some() {
            let entry = *unit.scope(scope);
            let is_type = entry.kind == ScopeKind::Type;
            if !is_type || !crossed_function || linking.members_in_scope || !linking.bodies_are_scopes {
                // Overloads of the bases count as much as own ones.
                let as_members =
                    is_type && linking.members_in_scope && linking.overloads && reference.kind == RefKind::Call;
                if !as_members && let Some(found) = self.in_scope(unit, scope, name, reference, linking) {
                    match reads && self.is_function(&found) {
                        true => function = function.or(Some(found)),
                        false if linking.bodies_run && is_type && comes_later(unit, scope, name, reference) => {
                            later = later.or(Some(found));
                        }
                        false => return Some(found),
                    }
                }
                if is_type
                    && linking.members_in_scope
                    && !names_base(unit, scope, reference)
                    && let Some(found) = self.inherited(unit, entry.owner, name, reference)
                {
                    match reads && self.is_function(&found) {
                        true => function = function.or(Some(found)),
                        false => return Some(found),
                    }
                }
                if linking.lambda_receivers
                    && entry.kind == ScopeKind::Function
                    && let Some(found) = self.member_of_receiver(unit, scope, name, reference)
                {
                    return Some(found);
                }
                if entry.kind == ScopeKind::Namespace
                    && entry.owner.is_some()
                    && let Some(found) = self.declared_beside(unit, entry.owner, name)
                {
                    return Some(found);
                }
                let is_space = matches!(entry.kind, ScopeKind::Module | ScopeKind::Namespace);
                if linking.namespaces
                    && is_space
                    && let Some(found) = self.in_space(unit, scope, name, reference)
                {
                    return Some(found);
                }
            } else if let Some(parameter) = type_parameter(unit, scope, name) {
                return Some(Found::new(What::Local(unit.file, parameter)));
            }
            crossed_function |= entry.kind == ScopeKind::Function && !is_in_head(unit, scope, reference);
            scope = entry.parent;
        }
        function.or_else(|| self.beyond_file(unit, name, reference)).or(later)
    }

    fn is_function(&mut self, found: &Found) -> bool {
        match found.what {
            What::Symbol(sym) => self.unit(sym.file).symbol(sym.symbol).kind.is_callable(),
            _ => false,
        }
    }

    pub(crate) fn in_scope(
        &mut self,
        unit: &Arc<Unit>,
        scope: ScopeId,
        name: TermId,
        reference: &Reference,
        linking: &Linking,
    ) -> Option<Found> {
        let position = reference.span.start;
        let names_type = linking.names_type(reference.kind);
        let calls = linking.functions_apart && reference.kind == RefKind::Call;
        // What is made is a type or one of its constructors, never a variable.
        let makes = linking.functions_apart && reference.kind == RefKind::Instantiation;
        let reads = linking.functions_apart && is_uncalled(reference.kind);
        let is_macro = matches!(reference.kind, RefKind::Macro | RefKind::Decorator);
        let mut best: Option<Decl> = None;
        let mut fitting = 0;
        let no_members = !linking.bodies_are_scopes && is_member_scope(unit, scope, names_type);
        let in_method = linking.head_parameters && is_in_method(unit, reference.scope, scope);
        let in_head = linking.bodies_run && is_in_head(unit, scope, reference);
        for decl in unit.declared(scope, name).take(MOST_DECLARED) {
            match decl {
                Decl::Symbol(_) if no_members => continue,
                Decl::Binding(i)
                    if no_members
                        && unit.facts.bindings[i as usize].kind != BindingKind::TypeParam
                        && value_around(unit, i).is_none() =>
                {
                    continue;
                }
                Decl::Binding(i) => {
                    let binding = &unit.facts.bindings[i as usize];
                    match binding.kind {
                        // At the top level the statement says nothing.
                        BindingKind::Global if scope == ScopeId(0) => continue,
                        BindingKind::Global => return self.in_module(unit, name, reference),
                        BindingKind::Nonlocal => return self.in_outer_function(unit, scope, name, reference),
                        BindingKind::Label => continue,
                        // What the head of a type only takes is not known in its methods.
                        BindingKind::Param if in_method || in_head => continue,
                        // A type or a path never means a variable, nor does a call where functions are no values.
                        BindingKind::Local | BindingKind::Param if names_type || calls || makes => continue,
                        _ => {}
                    }
                    let hidden =
                        linking.ordered_locals && binding.kind == BindingKind::Local && binding.from > position;
                    // A parameter may be a member too.
                    let member =
                        |old: &Decl| matches!(old, Decl::Symbol(s) if unit.symbol(*s).name_span == binding.span);
                    if best.as_ref().is_some_and(member) {
                        continue;
                    }
                    // A function that has a name only in itself leaves it to its own variables.
                    let itself = |old: &Decl| matches!(old, Decl::Symbol(s) if unit.symbol(*s).inner == scope);
                    if !hidden && (linking.ordered_locals || best.as_ref().is_none_or(itself)) {
                        best = Some(decl);
                    }
                }
                Decl::Symbol(symbol) => {
                    let entry = unit.symbol(symbol);
                    if linking.bodies_run && entry.kind == SymbolKind::InstanceVariable {
                        continue;
                    }
                    // What runs before the later definition still means the earlier one.
                    if entry.flags.has(Flags::REPLACED)
                        && !(scope == reference.scope && self.runs_before(unit, symbol, position))
                    {
                        continue;
                    }
                    // A namespace is more than what one file writes of it.
                    if linking.namespaces && entry.kind.is_module() {
                        continue;
                    }
                    let is_made = may_be_type(entry) || entry.kind == SymbolKind::Constructor;
                    if names_type && !may_be_type(entry) || calls && !entry.kind.is_callable() || makes && !is_made {
                        continue;
                    }
                    // An attribute or a macro is never called by the name of a function beside it.
                    if linking.values_apart && is_macro && entry.kind != SymbolKind::Macro {
                        continue;
                    }
                    if reads && entry.kind.is_callable() || linking.values_apart && never_meant(entry, reference.kind) {
                        continue;
                    }
                    // A module and a function may have the same name.
                    if reference.kind == RefKind::Call && linking.types_apart && entry.kind.is_module() {
                        continue;
                    }
                    // Where macros are no text, they are called as such or imported; no other name means one.
                    let of_macros = matches!(reference.kind, RefKind::Macro | RefKind::Import | RefKind::Decorator);
                    if entry.kind == SymbolKind::Macro && !linking.headers && !of_macros {
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
                    let hides = |old: &Decl| !matches!(old, Decl::Symbol(s) if linking.only_type(unit.symbol(*s), reference.kind));
                    if !best.as_ref().is_some_and(hides) {
                        best = Some(decl);
                    }
                }
            }
        }
        let own = match best {
            Some(Decl::Import(_)) if linking.values_apart => {
                self.import_of_kind(unit, scope, name, reference.kind == RefKind::Macro)
            }
            _ => None,
        };
        let mut found = match own {
            Some(found) => found,
            None => self.declared_thing(unit, best?)?,
        };
        if let Some(Decl::Import(_)) = best {
            found = self.of_kind(found, reference.args, reference.kind)?;
            found = self.beside_module(unit, reference.kind, Ty::Unknown, name, found)?;
        }
        if let (Some(Decl::Import(_)), What::External(_)) = (best, found.what)
            && let Some(symbol) = fallback(unit, scope, name)
        {
            let own = Found::new(What::Symbol(Sym { file: unit.file, symbol }));
            return Some(Found { inferred: true, ..own });
        }
        Some(Found { ambiguous: found.ambiguous || fitting > 1, ..found })
    }

    pub(crate) fn declared_thing(&mut self, unit: &Arc<Unit>, decl: Decl) -> Option<Found> {
        if unit.language.linking.loads_are_imports
            && let Some(found) = self.loaded_thing(unit, decl)
        {
            return Some(found.by(How::Import));
        }
        match decl {
            Decl::Symbol(symbol) => {
                let sym = Sym { file: unit.file, symbol };
                Some(Found::new(What::Symbol(sym)))
            }
            Decl::Binding(binding) => {
                let name = unit.facts.bindings[binding as usize].name;
                let own = value_around(unit, binding).filter(|symbol| unit.symbol(*symbol).name == name);
                let own = own.map(|symbol| What::Symbol(Sym { file: unit.file, symbol }));
                Some(Found::new(own.unwrap_or(What::Local(unit.file, binding))))
            }
            Decl::Import(import) => self.import_target(unit, import).map(|found| found.by(How::Import)),
        }
    }

    /// Whether `new` fits a call better than `old`: the number of arguments decides where names may be overloaded.
    pub(crate) fn better_overload(&self, unit: &Unit, old: SymbolId, new: SymbolId, reference: &Reference) -> bool {
        let (old, new) = (unit.symbol(old), unit.symbol(new));
        let linking = &unit.language.linking;
        if linking.only_type(old, reference.kind) && !linking.only_type(new, reference.kind) {
            return true;
        }
        let is_call = matches!(reference.kind, RefKind::Call | RefKind::Instantiation);
        if unit.language.linking.overloads && is_call && old.kind.is_callable() && new.kind.is_callable() {
            return !accepts(old, reference.args) && accepts(new, reference.args);
        }
        // A definition is better than its declaration; of several definitions the first stands.
        unit.language.linking.prefers_bodies && old.flags.has(Flags::DECLARATION) && !new.flags.has(Flags::DECLARATION)
    }

    /// Whether a place comes before the definition that stands for a replaced one in the end.
    fn runs_before(&self, unit: &Unit, replaced: SymbolId, position: u32) -> bool {
        let (scope, name) = (unit.symbol(replaced).scope, unit.symbol(replaced).name);
        let mut later = unit.declared(scope, unit.name(name)).filter_map(|decl| match decl {
            Decl::Symbol(id) if id != replaced => Some(unit.symbol(id).span.start),
            _ => None,
        });
        later.all(|start| start > position || start < unit.symbol(replaced).span.start)
    }

    fn in_module(&mut self, unit: &Arc<Unit>, name: TermId, reference: &Reference) -> Option<Found> {
        let linking = &unit.language.linking;
        self.in_scope(unit, ScopeId(0), name, reference, linking)
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
    pub(crate) fn inherited(
        &mut self,
        unit: &Arc<Unit>,
        owner: SymbolId,
        name: TermId,
        reference: &Reference,
    ) -> Option<Found> {
        let own = Ty::Type(Sym { file: unit.file, symbol: owner }, None);
        self.known_member(unit, &Typed::sure(own), name, reference.args, reference.kind)
    }
}

/// Whether a symbol can be meant where a type or the start of a path stands.
pub(crate) fn may_be_type(symbol: &Symbol) -> bool {
    use SymbolKind::*;
    let is_value = matches!(symbol.kind, Constant | Static | Variable | Field | InstanceVariable | Getter | Setter);
    !symbol.kind.is_callable() && symbol.kind != Property && (!is_value || symbol.inner.is_some())
}

/// Whether a function can be called with this many arguments.
pub(crate) fn accepts(symbol: &Symbol, args: u8) -> bool {
    // By its own name a function of other values takes the value as an argument.
    let by_name = symbol.flags.has(Flags::STATIC);
    let own = symbol.params.iter().filter(|p| by_name || !p.flags.has(Flags::RECEIVER));
    let needed = own.clone().filter(|p| p.default.is_empty() && !p.flags.has(Flags::VARIADIC)).count();
    let most = if own.clone().any(|p| p.flags.has(Flags::VARIADIC)) { usize::MAX } else { own.count() };
    (needed..=most).contains(&(args as usize))
}
