//! What other files can learn from a file, name by name: the key to relinking no more than an edit asks for.
//!
//! Linking a file asks for the names that stand in it, and for the names that the declarations found on the way
//! mention. So a change reaches those files that have one of the changed names in them, where a declaration that
//! mentions a name whose meaning changed has changed itself. Positions and bodies do not count, unless a type is
//! inferred from them. Where links lead to a declaration, they tell who is reached; the name alone tells it where
//! something came or went, or where no link leads to what changed.

mod walk;

use codegraph_model::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::made::other_names;
use crate::open::is_open_type;
use crate::unit::is_star;
use crate::words::default_name;
use crate::{Program, TermId, Unit};
use walk::{File, Walk};

/// A name that no text has: imports that lead to a file without naming it (`.`, `from . import x`) mention it.
pub const UNNAMED: TermId = TermId::MAX - 1;

/// The declarations of a file as others see them.
#[derive(Clone, Debug, Default)]
pub struct Interface {
    /// By name, in source order.
    entities: Vec<Entity>,
    /// What importers of the file as a whole get: its package, the default export.
    whole: Entity,
    /// Imports of everything: what any name of the file may come from.
    stars: Entity,
    /// The file can reach others without naming them.
    looks_up: bool,
    /// Imports that hold for other files too.
    everywhere: Option<u64>,
}

#[derive(Clone, Debug, Default)]
struct Entity {
    name: TermId,
    start: u32,
    hash: u64,
    /// The part of the hash that decides whether and before what it is found.
    face: u64,
    /// What links lead to, if links tell everything about who uses it.
    symbol: Option<SymbolId>,
    /// The symbol around it.
    parent: Option<SymbolId>,
    kind: EntityKind,
    /// The name that its symbol has.
    defines: Option<TermId>,
    mentions: Vec<TermId>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum EntityKind {
    #[default]
    Plain,
    Import,
    /// Known in a function only.
    Local,
    /// A type that is declared here and nowhere else: who reaches its members has a link to it, or to what leads to it.
    ClosedType,
    /// A module whose body is another file.
    Module,
}

/// What means something else than before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changed {
    /// Names that declarations of the file itself may have used.
    pub own: FxHashSet<TermId>,
    /// Names behind which something changed that not every user has a link to.
    pub loose: FxHashSet<TermId>,
    /// Names under which something came: it may be found where something else was, or nothing.
    pub added: FxHashSet<TermId>,
    /// Names under which something went.
    pub removed: FxHashSet<TermId>,
    /// Names that the file defines now, or no longer: whether anything has the name may have changed.
    pub come: FxHashSet<TermId>,
    pub gone: FxHashSet<TermId>,
    /// Declarations of the file as it is now that are new or mean something else: links lead to their users.
    pub symbols: Vec<SymbolId>,
    /// The file itself means something else to those that import it.
    pub whole: bool,
    /// A module that another file is the body of came or went.
    pub modules: bool,
    /// Something changed that any file may depend on.
    pub everything: bool,
}

/// What means something else in a file because names in it do.
#[derive(Clone, Debug, Default)]
pub struct Reached {
    pub loose: FxHashSet<TermId>,
    /// Names under which others may find something else through this file.
    pub imports: FxHashSet<TermId>,
    pub symbols: Vec<SymbolId>,
    pub whole: bool,
}

impl Interface {
    pub fn of(unit: &Unit, program: &dyn Program) -> Interface {
        let file = &File::new(unit, program);
        let mut entities = Vec::new();
        for id in (1..unit.facts.symbols.len() as u32).map(SymbolId) {
            let symbol = unit.symbol(id);
            if symbol.name.is_none() {
                continue;
            }
            let entity = symbol_entity(file, id);
            for name in [implicit_name(unit, program, symbol), short_name(unit, program, symbol)].into_iter().flatten()
            {
                entities.push(Entity { name, symbol: None, defines: None, ..entity.clone() });
            }
            // Who inherits from an open type may give it what it lacks.
            for name in bases(unit, id) {
                let mut heir = Entity { name, symbol: None, defines: None, ..entity.clone() };
                heir.mentions.push(unit.name(symbol.name));
                entities.push(heir);
            }
            if !unit.language.linking.getters.is_empty() {
                for name in other_names(unit, &program.text(unit.name(symbol.name)), symbol) {
                    if let Some(name) = program.term(&name) {
                        entities.push(Entity { name, symbol: None, defines: None, ..entity.clone() });
                    }
                }
            }
            if let Some(name) = set_name(unit, program, symbol) {
                entities.push(Entity { name, symbol: None, defines: None, ..entity.clone() });
            }
            entities.push(entity);
        }
        let import_self = unit.language.linking.import_self.and_then(|word| program.term(word));
        for import in unit.facts.imports.iter().filter(|import| !is_star(import)) {
            entities.extend(unit.bound_name(import, import_self).map(|name| import_entity(file, import, name)));
        }
        let visible = |binding: &Binding| {
            matches!(binding.kind, BindingKind::Local | BindingKind::Again) && !file.is_inside_function(binding.scope)
        };
        for (i, _) in unit.facts.bindings.iter().enumerate().filter(|(_, binding)| visible(binding)) {
            entities.push(binding_entity(file, i));
        }
        entities.sort_by_key(|entity| (entity.name, entity.start));
        let (looks_up, everywhere) = (looks_up(file), everywhere(file));
        Interface { entities, whole: whole(file), stars: stars(file), looks_up, everywhere }
    }

    /// What changed from one state of a file to the next; none where there was no file or is none any more.
    pub fn difference(before: Option<&Interface>, after: Option<&Interface>) -> Changed {
        let nothing = Interface::default();
        let is_new = before.is_none() || after.is_none();
        let (before, after) = (before.unwrap_or(&nothing), after.unwrap_or(&nothing));
        let mut changed = Changed { whole: is_new || after.whole.hash != before.whole.hash, ..Changed::default() };
        changed.everything = before.everywhere != after.everywhere;
        let (old, new) = (by_name(&before.entities), by_name(&after.entities));
        let differs = |name: &&TermId| {
            let hashes = |entities: Option<&&[Entity]>| -> Vec<u64> {
                entities.into_iter().flat_map(|entities| entities.iter()).map(|entity| entity.hash).collect()
            };
            hashes(old.get(*name)) != hashes(new.get(*name))
        };
        changed.own = old.keys().chain(new.keys()).filter(differs).copied().collect();
        let (had, has) = (before.defined(), after.defined());
        changed.come = has.difference(&had).copied().collect();
        changed.gone = had.difference(&has).copied().collect();
        let (gone, come) = (Types::new(&before.entities, &old, &new), Types::new(&after.entities, &new, &old));
        let mut sorted = Changed::default();
        for name in &changed.own {
            let [old, new] = [&old, &new].map(|all| all.get(name).copied().unwrap_or_default());
            changed.modules |= old.iter().chain(new).any(|entity| entity.kind == EntityKind::Module);
            changed.symbols.extend(new.iter().filter_map(|entity| entity.symbol));
            sorted.sort_out(*name, (old, &gone), (new, &come));
        }
        (changed.loose, changed.added, changed.removed) = (sorted.loose, sorted.added, sorted.removed);
        if after.stars.hash != before.stars.hash {
            let open: Vec<TermId> = before.open_names().chain(after.open_names()).collect();
            changed.loose.extend(&open);
            changed.own.extend(open);
            changed.whole = true;
        }
        changed
    }

    /// What means something else because names that it mentions do. `strong` are names that may lead elsewhere; those in
    /// `weak` lead where they did, to something that has changed.
    pub fn reached(&self, strong: &FxHashSet<TermId>, weak: &FxHashSet<TermId>) -> Reached {
        let (mut strong, mut weak) = (strong.clone(), weak.clone());
        let mut reached = Reached::default();
        let mut open = vec![true; self.entities.len()];
        let touched =
            |entity: &Entity, names: &FxHashSet<TermId>| entity.mentions.iter().any(|name| names.contains(name));
        if touched(&self.stars, &strong) {
            reached.whole = true;
            reached.loose.extend(self.open_names());
            strong.extend(self.open_names());
        }
        // Declarations without links of their own hand on what reached them inside the file too.
        let mut again = true;
        while std::mem::take(&mut again) {
            for (entity, open) in self.entities.iter().zip(&mut open).filter(|(_, open)| **open) {
                let strongly = touched(entity, &strong);
                if !strongly && !touched(entity, &weak) {
                    continue;
                }
                *open = entity.kind == EntityKind::Import && !strongly;
                match entity.symbol {
                    Some(symbol) => {
                        reached.symbols.push(symbol);
                        again |= entity.kind == EntityKind::ClosedType && weak.insert(entity.name);
                    }
                    None if *open => again |= weak.insert(entity.name),
                    None => {
                        let names =
                            if entity.kind == EntityKind::Import { &mut reached.imports } else { &mut reached.loose };
                        names.insert(entity.name);
                        again |= strong.insert(entity.name);
                    }
                }
            }
        }
        reached.whole |= touched(&self.whole, &strong) || touched(&self.whole, &weak);
        reached
    }

    /// Whether the file can reach files above it without naming them.
    pub fn looks_up(&self) -> bool {
        self.looks_up
    }

    /// The names of symbols.
    fn defined(&self) -> FxHashSet<TermId> {
        self.entities.iter().filter_map(|entity| entity.defines).collect()
    }

    /// What mentions a name may find it among the imports of everything.
    fn open_names(&self) -> impl Iterator<Item = TermId> + '_ {
        self.entities.iter().filter(|entity| !entity.mentions.is_empty()).map(|entity| entity.name)
    }
}

/// Runs of entities with the same name.
fn by_name(entities: &[Entity]) -> FxHashMap<TermId, &[Entity]> {
    entities.chunk_by(|a, b| a.name == b.name).map(|run| (run[0].name, run)).collect()
}

/// The types of one state of a file that the other one does not have: nobody can reach a member of them without a link
/// that changes with the type.
struct Types(FxHashSet<SymbolId>);

impl Types {
    fn new(entities: &[Entity], own: &FxHashMap<TermId, &[Entity]>, other: &FxHashMap<TermId, &[Entity]>) -> Types {
        let apart = |entity: &&Entity| {
            let faces = other.get(&entity.name).copied().unwrap_or_default();
            entity.kind == EntityKind::ClosedType
                && own[&entity.name].iter().filter(|same| same.symbol.is_some()).count() == 1
                && faces.iter().all(|same| same.face != entity.face)
        };
        Types(entities.iter().filter(apart).filter_map(|entity| entity.symbol).collect())
    }

    fn has(&self, entity: &Entity) -> bool {
        entity.parent.is_some_and(|parent| self.0.contains(&parent))
    }
}

impl Changed {
    /// Sorts out how the users of a name are found.
    fn sort_out(&mut self, name: TermId, (old, gone): (&[Entity], &Types), (new, come): (&[Entity], &Types)) {
        let hashes = |all: &[Entity], imports: bool| -> Vec<u64> {
            let wanted = |entity: &&Entity| entity.symbol.is_none() && (entity.kind == EntityKind::Import) == imports;
            all.iter().filter(wanted).map(|entity| entity.hash).collect()
        };
        if hashes(old, false) != hashes(new, false) {
            self.loose.insert(name);
        }
        // Who imports something through this file has a link to what it is.
        if hashes(old, true) != hashes(new, true) {
            self.added.insert(name);
        }
        let faces = |all: &[Entity], types: &Types| -> Vec<u64> {
            let seen =
                |entity: &&Entity| entity.symbol.is_some() && entity.kind != EntityKind::Local && !types.has(entity);
            all.iter().filter(seen).map(|entity| entity.face).collect()
        };
        let (old, new) = (faces(old, gone), faces(new, come));
        if old == new {
            return;
        }
        // Among several of a name, which one is meant may depend on all of them.
        if new.len() > 1 || new.iter().any(|face| !old.contains(face)) {
            self.added.insert(name);
        }
        if old.len() > 1 || old.iter().any(|face| !new.contains(face)) {
            self.removed.insert(name);
        }
    }
}

/// A method that is run where its name without the last sign is assigned to.
fn set_name(unit: &Unit, program: &dyn Program, symbol: &Symbol) -> Option<TermId> {
    if !unit.language.linking.open_types || !symbol.kind.is_callable() {
        return None;
    }
    program.text(unit.name(symbol.name)).strip_suffix('=').and_then(|name| program.term(name))
}

/// The names of what an open type inherits from.
fn bases(unit: &Unit, id: SymbolId) -> Vec<TermId> {
    if !unit.language.linking.open_types {
        return Vec::new();
    }
    let notes = unit.notes(id).iter().filter(|note| matches!(note.tie, Tie::Base | Tie::Implements));
    notes.filter_map(|note| unit.facts.type_name(note.expr)).map(|name| unit.name(name)).collect()
}

/// Members that syntax alone can ask for (operators, associated types, constructors, names such as `__enter__`) belong
/// to the name of their type as well.
fn implicit_name(unit: &Unit, program: &dyn Program, symbol: &Symbol) -> Option<TermId> {
    let parent = symbol.parent.get().map(|parent| unit.symbol(parent))?;
    let name = program.text(unit.name(symbol.name));
    let implicit = matches!(symbol.kind, SymbolKind::Operator | SymbolKind::TypeAlias | SymbolKind::Constructor)
        || symbol.kind.is_callable() && name.starts_with("__")
        || *name == *CALL;
    (implicit && parent.kind.is_type() && parent.name.is_some()).then(|| unit.name(parent.name))
}

/// What decorates by a type may leave out the end of its name.
fn short_name(unit: &Unit, program: &dyn Program, symbol: &Symbol) -> Option<TermId> {
    let suffix = unit.language.linking.decorator_suffix;
    if suffix.is_empty() || !symbol.kind.is_type() {
        return None;
    }
    program.term(program.text(unit.name(symbol.name)).strip_suffix(suffix)?)
}

fn whole(file: &File<'_>) -> Entity {
    let unit = file.unit;
    let mut walk = Walk::new(file);
    if let Some(package) = unit.facts.package.get() {
        walk.term(unit.name(package));
    }
    // Calls with their arguments are noted with the file, but say nothing about it.
    for note in unit.notes(SymbolId(0)).iter().filter(|note| note.tie != Tie::Call) {
        walk.note(note);
    }
    for (id, symbol) in unit.facts.symbols.iter().enumerate().skip(1) {
        if symbol.flags.has(Flags::DEFAULT) {
            walk.symbol(SymbolId(id as u32));
        }
    }
    let default = default_name(file.program, unit.language);
    for import in default.into_iter().flat_map(|name| unit.exports(name)) {
        walk.import(&unit.facts.imports[import as usize]);
    }
    walk.entity(TermId::MAX, 0)
}

fn stars(file: &File<'_>) -> Entity {
    let mut walk = Walk::new(file);
    for import in file.unit.stars() {
        let import = &file.unit.facts.imports[*import as usize];
        let inside = walk.place(import.scope);
        // Only the function around can use it.
        if !inside {
            walk.import(import);
        }
    }
    walk.entity(TermId::MAX, 0)
}

/// What a file imports or mixes in for all files.
fn everywhere(file: &File<'_>) -> Option<u64> {
    let linking = &file.unit.language.linking;
    let holds = |import: &&Import| linking.namespaces && import.flags.has(ImportFlags::REEXPORT);
    let imports: Vec<&Import> = file.unit.facts.imports.iter().filter(holds).collect();
    // What is mixed in outside of all types gives its constants to others.
    let mixed = |note: &&Note| linking.open_types && note.tie == Tie::Implements;
    let mixed: Vec<&Note> = file.unit.notes(SymbolId(0)).iter().filter(mixed).collect();
    if imports.is_empty() && mixed.is_empty() {
        return None;
    }
    let mut walk = Walk::new(file);
    imports.into_iter().for_each(|import| walk.import(import));
    mixed.into_iter().for_each(|note| walk.note(note));
    Some(walk.entity(TermId::MAX, 0).hash)
}

fn looks_up(file: &File<'_>) -> bool {
    let unit = file.unit;
    let words = unit.language.linking.path_words;
    let uses = |word: &str| {
        let term = if word.is_empty() { None } else { file.program.term(word) };
        term.is_some_and(|term| unit.names.contains(&term))
    };
    uses(words.root) || uses(words.up) || unit.facts.imports.iter().any(|import| walk::is_unnamed(file, import))
}

fn symbol_entity(file: &File<'_>, id: SymbolId) -> Entity {
    let unit = file.unit;
    let symbol = unit.symbol(id);
    let mut walk = Walk::new(file);
    let face = walk.symbol(id);
    let parent = symbol.parent.get().filter(|parent| parent.0 != 0);
    let open = unit.language.linking.open_types && is_open_type(symbol);
    let kind = match symbol.kind {
        // Who uses a type that others add to has no link to all of its declarations.
        _ if open => EntityKind::Plain,
        SymbolKind::Module if symbol.head_end == symbol.span.end => EntityKind::Module,
        _ if parent.is_some_and(|parent| unit.symbol(parent).kind.is_callable()) => EntityKind::Local,
        SymbolKind::Impl => EntityKind::Plain,
        _ if symbol.flags.has(Flags::PARTIAL) => EntityKind::Plain,
        kind if kind.is_type() => EntityKind::ClosedType,
        _ => EntityKind::Plain,
    };
    // An impl block is found through its type, a declaration through its definition: links do not lead to them.
    // Of the places in which a type is written, one has all the links; what extends a type matters to those, too, that it
    // does not fit.
    let alone = !symbol.flags.has(Flags::PARTIAL) && !unit.is_extension(id);
    let is_linked =
        symbol.kind != SymbolKind::Impl && kind != EntityKind::Module && !unit.language.linking.headers && alone;
    let is_linked = is_linked && !open;
    let defined = unit.name(symbol.name);
    let name = extended_type(unit, id).unwrap_or(defined);
    let (symbol_id, defines) = (is_linked.then_some(id), Some(defined));
    let mut entity = walk.entity(name, symbol.name_span.start);
    // What a file includes may use its macros.
    if symbol.kind == SymbolKind::Macro && unit.language.linking.headers {
        entity.mentions.push(defined);
    }
    Entity { face, symbol: symbol_id, parent, kind, defines, ..entity }
}

/// The name of the type that an impl block is about.
fn extended_type(unit: &Unit, id: SymbolId) -> Option<TermId> {
    if unit.symbol(id).kind != SymbolKind::Impl {
        return None;
    }
    unit.facts.type_name(unit.note(id, Tie::SelfType)?).map(|name| unit.name(name))
}

fn import_entity(file: &File<'_>, import: &Import, name: StrId) -> Entity {
    let mut walk = Walk::new(file);
    walk.import(import);
    Entity { kind: EntityKind::Import, ..walk.entity(file.unit.name(name), import.span.start) }
}

/// A variable of a module or type that is no symbol: others cannot refer to it, but to its members.
fn binding_entity(file: &File<'_>, index: usize) -> Entity {
    let binding = file.unit.facts.bindings[index];
    let mut walk = Walk::new(file);
    walk.binding(index);
    walk.entity(file.unit.name(binding.name), binding.span.start)
}

/// The words of a path.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}
