//! What other files can learn from a file, name by name: the key to relinking no more than an edit asks for.
//!
//! Linking a file asks for the names that stand in it, and for the names that the declarations found on the way
//! mention. So a change reaches exactly those files that have one of the changed names in them, where a declaration
//! that mentions a changed name has changed itself. Positions and bodies do not count, unless a type is inferred from
//! them.

mod walk;

use codegraph_model::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::unit::is_star;
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
}

#[derive(Clone, Debug, Default)]
struct Entity {
    name: TermId,
    start: u32,
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
        let mut entities = Vec::new();
        for id in (1..unit.facts.symbols.len() as u32).map(SymbolId) {
            let symbol = unit.symbol(id);
            if symbol.name.is_none() {
                continue;
            }
            let entity = symbol_entity(file, id);
            if let Some(name) = implicit_name(unit, program, symbol) {
                entities.push(Entity { name, ..entity.clone() });
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
        Interface { entities, whole: whole(file), stars: stars(file), looks_up: looks_up(file) }
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
        let mut names: FxHashSet<TermId> = old.keys().chain(new.keys()).filter(differs).copied().collect();
        let mut all = before.entities.iter().chain(&self.entities);
        let modules = all.any(|entity| entity.module && names.contains(&entity.name));
        let stars = self.stars.hash != before.stars.hash;
        if stars {
            names.extend(before.open_names().chain(self.open_names()));
        }
        Changed { names, whole: stars || self.whole.hash != before.whole.hash, modules }
    }

    /// The names that mean something else because names that they mention do.
    pub fn reached(&self, names: &FxHashSet<TermId>) -> Changed {
        let touched = |entity: &Entity| entity.mentions.iter().any(|name| names.contains(name));
        let reached = self.entities.iter().filter(|entity| touched(entity)).map(|entity| entity.name);
        let mut reached: FxHashSet<TermId> = reached.collect();
        let stars = touched(&self.stars);
        if stars {
            reached.extend(self.open_names());
        }
        Changed { names: reached, whole: stars || touched(&self.whole), modules: false }
    }

    /// Whether the file can reach files above it without naming them.
    pub fn looks_up(&self) -> bool {
        self.looks_up
    }

    /// What mentions a name may find it among the imports of everything.
    fn open_names(&self) -> impl Iterator<Item = TermId> + '_ {
        self.entities.iter().filter(|entity| !entity.mentions.is_empty()).map(|entity| entity.name)
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
    let name = program.text(unit.name(symbol.name));
    let implicit = matches!(symbol.kind, SymbolKind::Operator | SymbolKind::TypeAlias | SymbolKind::Constructor)
        || symbol.kind.is_callable() && name.starts_with("__")
        || *name == *CALL;
    (implicit && parent.kind.is_type() && parent.name.is_some()).then(|| unit.name(parent.name))
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
    for import in unit.facts.imports.iter().filter(|import| import.flags.has(ImportFlags::DEFAULT)) {
        walk.import(import);
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
    let mut walk = Walk::new(file);
    walk.symbol(id);
    let symbol = file.unit.symbol(id);
    let module = symbol.kind == SymbolKind::Module && symbol.head_end == symbol.span.end;
    Entity { module, ..walk.entity(file.unit.name(symbol.name), symbol.name_span.start) }
}

fn import_entity(file: &File<'_>, import: &Import, name: StrId) -> Entity {
    let mut walk = Walk::new(file);
    walk.import(import);
    walk.entity(file.unit.name(name), import.span.start)
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
