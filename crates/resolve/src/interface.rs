//! What other files can learn from a file, name by name: the key to relinking no more than an edit asks for.
//!
//! Linking a file asks for the names that stand in it, and for the names that the declarations found on the way
//! mention. So a change reaches exactly those files that have one of the changed names in them, where a declaration
//! that mentions a changed name has changed itself. Positions and bodies do not count, unless a type is inferred from
//! them.

use std::hash::Hasher;

use codegraph_model::*;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use crate::{Program, TermId, Unit};

/// The declarations of a file as others see them.
#[derive(Clone, Debug, Default)]
pub struct Interface {
    /// By name, in source order.
    entities: Vec<Entity>,
    /// What importers of the file as a whole get: imports of everything, the default export.
    whole: Entity,
}

#[derive(Clone, Debug, Default)]
struct Entity {
    name: TermId,
    hash: u64,
    /// A module whose body is another file.
    module: bool,
    mentions: Vec<TermId>,
}

/// Names that mean something else than before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changed {
    pub names: FxHashSet<TermId>,
    /// The file itself means something else to those that import it.
    pub whole: bool,
    /// A module that another file is the body of came or went.
    pub modules: bool,
}

impl Interface {
    pub fn of(unit: &Unit, program: &dyn Program) -> Interface {
        let file = &File::new(unit, program);
        let mut interface = Interface { whole: whole(file), ..Interface::default() };
        for id in (1..unit.facts.symbols.len() as u32).map(SymbolId) {
            let symbol = unit.symbol(id);
            if symbol.name.is_none() {
                continue;
            }
            let entity = symbol_entity(file, id);
            if let Some(name) = implicit_name(unit, program, symbol) {
                interface.entities.push(Entity { name, ..entity.clone() });
            }
            interface.entities.push(entity);
        }
        for import in &unit.facts.imports {
            interface.entities.extend(import_entity(file, import));
        }
        interface.entities.sort_by_key(|entity| entity.name);
        interface
    }

    /// All names of a file that came or went.
    pub fn all(&self) -> Changed {
        let names = self.entities.iter().map(|entity| entity.name).collect();
        Changed { names, whole: true, modules: self.entities.iter().any(|entity| entity.module) }
    }

    /// The names that mean something else than in `before`.
    pub fn changed(&self, before: &Interface) -> Changed {
        let (old, new) = (hashes(&before.entities), hashes(&self.entities));
        let differs = |name: &&TermId| old.get(*name) != new.get(*name);
        let names: FxHashSet<TermId> = old.keys().chain(new.keys()).filter(differs).copied().collect();
        let mut all = before.entities.iter().chain(&self.entities);
        let modules = all.any(|entity| entity.module && names.contains(&entity.name));
        Changed { names, whole: self.whole.hash != before.whole.hash, modules }
    }

    /// The names that mean something else because names that they mention do.
    pub fn reached(&self, names: &FxHashSet<TermId>) -> Changed {
        let touched = |entity: &Entity| entity.mentions.iter().any(|name| names.contains(name));
        let reached = self.entities.iter().filter(|entity| touched(entity)).map(|entity| entity.name);
        Changed { names: reached.collect(), whole: touched(&self.whole), modules: false }
    }
}

fn hashes(entities: &[Entity]) -> FxHashMap<TermId, Vec<u64>> {
    let mut all: FxHashMap<TermId, Vec<u64>> = FxHashMap::default();
    for entity in entities {
        all.entry(entity.name).or_default().push(entity.hash);
    }
    all
}

/// Members that syntax alone can ask for (operators, associated types, constructors, names such as `__enter__`) belong
/// to the name of their type as well.
fn implicit_name(unit: &Unit, program: &dyn Program, symbol: &Symbol) -> Option<TermId> {
    let parent = symbol.parent.get().map(|parent| unit.symbol(parent))?;
    let implicit = matches!(symbol.kind, SymbolKind::Operator | SymbolKind::TypeAlias | SymbolKind::Constructor)
        || symbol.kind.is_callable() && program.text(unit.name(symbol.name)).starts_with("__");
    (implicit && parent.kind.is_type() && parent.name.is_some()).then(|| unit.name(parent.name))
}

/// A file and what to look up in it.
struct File<'a> {
    unit: &'a Unit,
    program: &'a dyn Program,
    /// Places of bindings by scope.
    bindings: FxHashMap<ScopeId, Vec<usize>>,
}

impl<'a> File<'a> {
    fn new(unit: &'a Unit, program: &'a dyn Program) -> File<'a> {
        let mut bindings: FxHashMap<ScopeId, Vec<usize>> = FxHashMap::default();
        for (i, binding) in unit.facts.bindings.iter().enumerate() {
            bindings.entry(binding.scope).or_default().push(i);
        }
        File { unit, program, bindings }
    }

    fn bindings(&self, scope: ScopeId) -> impl Iterator<Item = (usize, &'a Binding)> {
        self.bindings.get(&scope).into_iter().flatten().map(|i| (*i, &self.unit.facts.bindings[*i]))
    }
}

fn whole(file: &File<'_>) -> Entity {
    let unit = file.unit;
    let mut walk = Walk::new(file);
    if let Some(package) = unit.facts.package.get() {
        walk.term(unit.name(package));
    }
    for note in unit.notes(SymbolId(0)) {
        walk.hasher.write_u8(note.tie as u8);
        walk.expr(note.expr);
    }
    for (id, symbol) in unit.facts.symbols.iter().enumerate().skip(1) {
        if symbol.flags.has(Flags::DEFAULT) {
            walk.symbol(SymbolId(id as u32));
        }
    }
    for import in &unit.facts.imports {
        let star = import.flags.has(ImportFlags::STAR) || import.flags.has(ImportFlags::INCLUDE);
        if star || import.flags.has(ImportFlags::DEFAULT) {
            walk.import(import);
        }
    }
    walk.entity(TermId::MAX)
}

fn symbol_entity(file: &File<'_>, id: SymbolId) -> Entity {
    let mut walk = Walk::new(file);
    walk.symbol(id);
    let symbol = file.unit.symbol(id);
    let module = symbol.kind == SymbolKind::Module && symbol.head_end == symbol.span.end;
    Entity { module, ..walk.entity(file.unit.name(symbol.name)) }
}

fn import_entity(file: &File<'_>, import: &Import) -> Option<Entity> {
    let unit = file.unit;
    let last = import.path.last().map(|part| unit.facts.refs[part.index()].name);
    let name = import.alias.get().or(last)?;
    let mut walk = Walk::new(file);
    walk.import(import);
    Some(walk.entity(unit.name(name)))
}

/// Goes through everything that a declaration says, without positions.
struct Walk<'a> {
    file: &'a File<'a>,
    unit: &'a Unit,
    hasher: FxHasher,
    mentions: FxHashSet<TermId>,
    seen_exprs: FxHashSet<ExprId>,
    seen_bindings: FxHashSet<usize>,
}

impl<'a> Walk<'a> {
    fn new(file: &'a File<'a>) -> Walk<'a> {
        Walk {
            file,
            unit: file.unit,
            hasher: FxHasher::default(),
            mentions: FxHashSet::default(),
            seen_exprs: FxHashSet::default(),
            seen_bindings: FxHashSet::default(),
        }
    }

    fn entity(self, name: TermId) -> Entity {
        Entity { name, hash: self.hasher.finish(), module: false, mentions: self.mentions.into_iter().collect() }
    }

    fn term(&mut self, term: TermId) {
        self.hasher.write_u32(term);
    }

    fn mention(&mut self, term: TermId) {
        self.term(term);
        self.mentions.insert(term);
    }

    fn symbol(&mut self, id: SymbolId) {
        let unit = self.unit;
        let symbol = unit.symbol(id);
        self.hasher.write_u8(symbol.kind as u8);
        self.hasher.write_u8(symbol.visibility as u8);
        self.hasher.write_u32(symbol.flags.0);
        self.hasher.write_u8(unit.scope(symbol.scope).kind as u8);
        self.hasher.write_u8(u8::from(symbol.inner.is_some()));
        self.hasher.write_u8(u8::from(symbol.head_end < symbol.span.end));
        if symbol.qualifier.is_some() {
            self.mention(unit.name(symbol.qualifier));
        }
        self.chain(symbol.parent);
        for param in &symbol.params {
            self.hasher.write_u32(param.flags.0);
            self.hasher.write_u8(u8::from(param.default.is_empty()));
        }
        self.parameters(symbol);
        let declared = unit.note(id, Tie::Type).is_some();
        for note in unit.notes(id) {
            // What a body returns matters only where nothing is declared.
            if !(declared && matches!(note.tie, Tie::Return | Tie::Yield)) {
                self.hasher.write_u8(note.tie as u8);
                self.expr(note.expr);
            }
        }
    }

    /// The names of the symbols around, outwards.
    fn chain(&mut self, mut at: SymbolId) {
        let unit = self.unit;
        while let Some(id) = at.get() {
            let symbol = unit.symbol(id);
            self.hasher.write_u8(symbol.kind as u8);
            if symbol.name.is_some() && id.0 != 0 {
                self.term(unit.name(symbol.name));
            }
            at = symbol.parent;
        }
    }

    fn parameters(&mut self, symbol: &Symbol) {
        let Some(inner) = symbol.inner.get() else { return };
        for (i, binding) in self.file.bindings(inner) {
            if matches!(binding.kind, BindingKind::Param | BindingKind::TypeParam) {
                self.binding(i);
            }
        }
    }

    fn import(&mut self, import: &Import) {
        let unit = self.unit;
        self.hasher.write_u16(import.flags.0);
        self.hasher.write_u8(import.level);
        if import.alias.is_some() {
            self.term(unit.name(import.alias));
        }
        for part in &import.path {
            self.mention(unit.name(unit.facts.refs[part.index()].name));
        }
        if import.source.is_some() {
            let source = unit.name(import.source);
            self.mention(source);
            let text = self.file.program.text(source);
            self.mentions.extend(words(&text).filter_map(|word| self.file.program.term(word)));
        }
    }

    fn binding(&mut self, index: usize) {
        if !self.seen_bindings.insert(index) {
            return;
        }
        let binding = self.unit.facts.bindings[index];
        self.hasher.write_u8(binding.kind as u8);
        self.term(self.unit.name(binding.name));
        self.expr(binding.ty);
        self.expr(binding.init);
        if binding.kind == BindingKind::Param {
            self.types_around(binding.scope);
        }
    }

    fn expr(&mut self, id: ExprId) {
        let mut pending = vec![id];
        while let Some(id) = pending.pop() {
            if id.is_none() || !self.seen_exprs.insert(id) {
                self.hasher.write_u8(0xff);
                continue;
            }
            let Expr { op, a, b } = self.unit.facts.exprs[id.index()];
            self.hasher.write_u8(op as u8);
            match op {
                ExprOp::Ref => pending.push(self.reference(RefId(a))),
                ExprOp::Item => {
                    self.hasher.write_u32(b);
                    pending.push(ExprId(a));
                }
                ExprOp::Key => {
                    self.mention(self.unit.name(StrId(b)));
                    pending.push(ExprId(a));
                }
                ExprOp::Apply | ExprOp::Cons | ExprOp::Either => pending.extend([ExprId(a), ExprId(b)]),
                ExprOp::Literal => {
                    self.hasher.write_u32(a);
                    if StrId(b).is_some() {
                        self.mention(self.unit.name(StrId(b)));
                    }
                }
                ExprOp::This | ExprOp::Super => self.types_around(ScopeId(a)),
                ExprOp::Own => self.own(SymbolId(a)),
                ExprOp::Shape | ExprOp::Lambda => self.region(ScopeId(a)),
                _ => pending.push(ExprId(a)),
            }
        }
    }

    /// A name: what it may mean inside the function around it counts too. Gives what it is a member of.
    fn reference(&mut self, id: RefId) -> ExprId {
        let unit = self.unit;
        let reference = unit.facts.refs[id.index()];
        self.hasher.write_u8(reference.kind as u8);
        self.hasher.write_u8(reference.args);
        self.mention(unit.name(reference.name));
        self.types_around(reference.scope);
        if reference.receiver.is_none() {
            self.local(reference.name, reference.scope);
        }
        reference.receiver
    }

    /// Everything that the functions around declare under a name.
    fn local(&mut self, name: StrId, mut scope: ScopeId) {
        let unit = self.unit;
        while scope.is_some() && matches!(unit.scope(scope).kind, ScopeKind::Function | ScopeKind::Block) {
            for (i, _) in self.file.bindings(scope).filter(|(_, binding)| binding.name == name) {
                self.binding(i);
            }
            for import in unit.facts.imports.iter().filter(|import| import.scope == scope) {
                self.import(import);
            }
            scope = unit.scope(scope).parent;
        }
    }

    /// The types around a scope: what `self` and its words mean.
    fn types_around(&mut self, mut scope: ScopeId) {
        let unit = self.unit;
        while scope.is_some() {
            let entry = unit.scope(scope);
            if entry.kind == ScopeKind::Type && unit.symbol(entry.owner).name.is_some() {
                self.mentions.insert(unit.name(unit.symbol(entry.owner).name));
            }
            scope = entry.parent;
        }
    }

    fn own(&mut self, id: SymbolId) {
        let symbol = self.unit.symbol(id);
        if symbol.name.is_some() {
            self.mention(self.unit.name(symbol.name));
        }
        self.chain(id);
    }

    /// A function or a type without a name: all names in it.
    fn region(&mut self, scope: ScopeId) {
        let unit = self.unit;
        let span = unit.scope(scope).span;
        let first = unit.facts.refs.partition_point(|reference| reference.span.start < span.start);
        for reference in unit.facts.refs[first..].iter().take_while(|reference| reference.span.start < span.end) {
            self.mention(unit.name(reference.name));
        }
        for symbol in unit.facts.symbols.iter().filter(|symbol| symbol.scope == scope && symbol.name.is_some()) {
            self.mention(unit.name(symbol.name));
        }
    }
}

/// The words of a path.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}
