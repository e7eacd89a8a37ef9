//! Names that a file has by including others.
//!
//! A file may include hundreds, each of which includes others. Who declares a name is known without asking them all: of
//! those files, the first counts that is reached when one file after the other is included.

use std::rc::Rc;
use std::sync::Arc;

use codegraph_model::{Import, ImportFlags, SymbolKind};
use rustc_hash::FxHashMap;

use crate::lookup::Linker;
use crate::module::ModuleRef;
use crate::spaces::SpaceId;
use crate::unit::Decl;
use crate::{FileId, Sym, TermId, Unit};

/// Orders that are kept, at most.
const KEPT: usize = 256;

/// What is known about who includes whom.
#[derive(Default)]
pub(crate) struct Includes {
    direct: FxHashMap<FileId, Rc<Direct>>,
    orders: FxHashMap<FileId, Rc<Order>>,
    directives: FxHashMap<(FileId, SpaceId), Rc<[SpaceId]>>,
}

/// What a file includes itself.
struct Direct {
    files: Vec<FileId>,
    /// It passes on names that it declares nowhere.
    passes_on: bool,
}

/// The files that a file includes, by when they are reached.
#[derive(Default)]
struct Order {
    places: FxHashMap<FileId, u32>,
    /// Those that pass on names that they declare nowhere.
    passing_on: Vec<FileId>,
}

impl Linker<'_> {
    /// The files that a file includes and that declare a name, in the order in which they are reached.
    pub(crate) fn reached_declaring(&mut self, unit: &Arc<Unit>, name: TermId) -> Vec<FileId> {
        let order = self.order(unit);
        if order.places.is_empty() {
            return Vec::new();
        }
        let declaring = self.program.declaring(name);
        let reached = declaring.iter().filter_map(|file| Some((*order.places.get(file)?, *file)));
        let mut reached: Vec<(u32, FileId)> = reached.collect();
        reached.sort_unstable();
        reached.dedup();
        reached.into_iter().map(|(_, file)| file).collect()
    }

    /// The namespaces that a namespace takes everything from, as a file sees it.
    pub(crate) fn directives(&mut self, unit: &Arc<Unit>, space: SpaceId) -> Rc<[SpaceId]> {
        if let Some(known) = self.includes.directives.get(&(unit.file, space)) {
            return Rc::clone(known);
        }
        let mut all = Vec::new();
        self.add_directives(unit, unit, space, &mut all);
        for file in self.order(unit).passing_on.clone() {
            let other = self.unit(file);
            self.add_directives(unit, &other, space, &mut all);
        }
        let all: Rc<[SpaceId]> = all.into();
        self.includes.directives.insert((unit.file, space), Rc::clone(&all));
        all
    }

    fn add_directives(&mut self, from: &Arc<Unit>, unit: &Arc<Unit>, space: SpaceId, all: &mut Vec<SpaceId>) {
        for star in unit.stars() {
            let import = &unit.facts.imports[*star as usize];
            if import.source.is_none()
                && self.space_of(unit, import.scope, import.span.start) == space
                && let Some(meant) = self.directed(from, unit, import)
                && meant != space
                && !all.contains(&meant)
            {
                all.push(meant);
            }
        }
    }

    /// The namespace that a path of names leads to, from the scope that names it outwards.
    fn directed(&mut self, from: &Arc<Unit>, unit: &Arc<Unit>, import: &Import) -> Option<SpaceId> {
        let parts: Vec<TermId> = import.path.iter().map(|p| unit.name(unit.facts.refs[p.index()].name)).collect();
        let mut start = Some(self.space_of(unit, import.scope, import.span.start));
        while let Some(at) = start {
            let mut space = Some(at);
            for part in &parts {
                space = space.and_then(|space| self.inner_space_named(from, space, *part));
            }
            if space.is_some() {
                return space;
            }
            start = self.open_spaces.around(at);
        }
        None
    }

    fn inner_space_named(&mut self, unit: &Arc<Unit>, space: SpaceId, name: TermId) -> Option<SpaceId> {
        self.in_view(unit, space, name).iter().find_map(|(file, decl)| {
            let Decl::Symbol(symbol) = decl else { return None };
            let owner = self.unit(*file);
            let is_space = owner.symbol(*symbol).kind == SymbolKind::Namespace;
            is_space.then(|| self.space_of_symbol(Sym { file: *file, symbol: *symbol }))
        })
    }

    /// Whether a file includes another one itself.
    pub(crate) fn includes(&mut self, file: FileId, other: FileId) -> bool {
        self.direct(file).files.contains(&other)
    }

    /// Whether a file includes another one, itself or through others.
    pub(crate) fn reaches(&mut self, unit: &Arc<Unit>, file: FileId) -> bool {
        self.order(unit).places.contains_key(&file)
    }

    fn order(&mut self, unit: &Arc<Unit>) -> Rc<Order> {
        if let Some(known) = self.includes.orders.get(&unit.file) {
            return Rc::clone(known);
        }
        let mut order = Order::default();
        let mut pending = self.included_files(unit);
        pending.reverse();
        while let Some(file) = pending.pop() {
            let place = order.places.len() as u32;
            if *order.places.entry(file).or_insert(place) != place {
                continue;
            }
            let direct = self.direct(file);
            if direct.passes_on {
                order.passing_on.push(file);
            }
            pending.extend(direct.files.iter().rev());
        }
        let order = Rc::new(order);
        if self.includes.orders.len() >= KEPT {
            self.includes.orders.clear();
        }
        self.includes.orders.insert(unit.file, Rc::clone(&order));
        order
    }

    fn direct(&mut self, file: FileId) -> Rc<Direct> {
        if let Some(known) = self.includes.direct.get(&file) {
            return Rc::clone(known);
        }
        let unit = self.unit(file);
        let files = self.included_files(&unit);
        let others = |star: &u32| unit.facts.imports[*star as usize].source.is_none();
        let direct = Rc::new(Direct { files, passes_on: unit.stars().iter().any(others) });
        self.includes.direct.insert(file, Rc::clone(&direct));
        direct
    }

    /// The files of the project that a file includes, in source order.
    fn included_files(&mut self, unit: &Arc<Unit>) -> Vec<FileId> {
        let mut files = Vec::new();
        for star in unit.stars() {
            let import = &unit.facts.imports[*star as usize];
            if import.source.is_some()
                && !import.flags.has(ImportFlags::INACTIVE)
                && let Some(ModuleRef::File(file)) = self.source_module(unit, import)
            {
                files.push(file);
            }
        }
        files
    }
}
