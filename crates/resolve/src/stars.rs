//! Names that a module has because it imports everything of others.
//!
//! A package may pass on everything of hundreds of modules, each of which passes on others. Asking each of them for
//! every name means to unpack them all again and again. Who declares a name is known: of those files, the first counts
//! that is reached when one import after the other is followed.

use std::rc::Rc;
use std::sync::Arc;

use codegraph_model::{Import, ScopeId};
use rustc_hash::FxHashMap;

use crate::lookup::{Found, Linker, What};
use crate::module::ModuleRef;
use crate::{FileId, TermId, Unit};

/// Orders that are kept, at most.
const KEPT: usize = 64;

/// What is known about who passes on the names of whom.
#[derive(Default)]
pub(crate) struct Stars {
    direct: FxHashMap<FileId, Rc<Direct>>,
    orders: FxHashMap<FileId, Rc<Order>>,
}

/// What a file imports everything of.
#[derive(Default)]
struct Direct {
    files: Vec<FileId>,
    /// Imports of everything of something that is no file.
    others: Vec<u32>,
}

/// The files whose names a file passes on, by when they are reached.
#[derive(Default)]
struct Order {
    places: FxHashMap<FileId, u32>,
    /// Those that pass on names of something that is no file.
    passing_on: Vec<FileId>,
}

impl Linker<'_> {
    /// What the modules declare under a name that a file imports everything of.
    pub(crate) fn passed_on_name(&mut self, unit: &Arc<Unit>, name: TermId) -> Option<Found> {
        let order = self.star_order(unit.file);
        let declaring = self.program.declaring(name);
        let reached = declaring.iter().filter_map(|file| Some((*order.places.get(file)?, *file)));
        let mut reached: Vec<(u32, FileId)> = reached.collect();
        reached.extend(order.passing_on.iter().map(|file| (order.places[file], *file)));
        reached.sort_unstable();
        reached.dedup();
        let found = reached.into_iter().find_map(|(_, file)| {
            let other = self.unit(file);
            let found = self.scope_declares(&other, ScopeId(0), name).filter(|_| file != unit.file);
            found.or_else(|| self.passed_on_by_others(&other, name))
        });
        found.or_else(|| self.module_passed_on(unit.file, name))
    }

    /// What a file has under a name by importing everything of something that is no file.
    fn passed_on_by_others(&mut self, unit: &Arc<Unit>, name: TermId) -> Option<Found> {
        let direct = self.star_targets(unit.file);
        direct.others.iter().find_map(|star| self.star_member(unit, *star, name))
    }

    /// A module inside one that a file imports everything of.
    fn module_passed_on(&mut self, file: FileId, name: TermId) -> Option<Found> {
        let direct = self.star_targets(file);
        direct.files.iter().find_map(|file| self.inner_module(ModuleRef::File(*file), name))
    }

    fn star_order(&mut self, root: FileId) -> Rc<Order> {
        if let Some(known) = self.stars.orders.get(&root) {
            return Rc::clone(known);
        }
        let order = Rc::new(self.follow_stars(root));
        if self.stars.orders.len() >= KEPT {
            self.stars.orders.clear();
        }
        self.stars.orders.insert(root, Rc::clone(&order));
        order
    }

    fn follow_stars(&mut self, root: FileId) -> Order {
        let mut order = Order::default();
        let mut pending = vec![root];
        while let Some(file) = pending.pop() {
            let place = order.places.len() as u32;
            if *order.places.entry(file).or_insert(place) != place {
                continue;
            }
            let direct = self.star_targets(file);
            if !direct.others.is_empty() {
                order.passing_on.push(file);
            }
            pending.extend(direct.files.iter().rev());
        }
        order
    }

    fn star_targets(&mut self, file: FileId) -> Rc<Direct> {
        if let Some(known) = self.stars.direct.get(&file) {
            return Rc::clone(known);
        }
        let unit = self.unit(file);
        let mut direct = Direct::default();
        for &star in unit.stars() {
            let import = &unit.facts.imports[star as usize];
            match self.star_module(&unit, import).filter(|_| import.scope == ScopeId(0)) {
                Some(ModuleRef::File(other)) => direct.files.push(other),
                Some(_) => direct.others.push(star),
                None => {}
            }
        }
        let direct = Rc::new(direct);
        self.stars.direct.insert(file, Rc::clone(&direct));
        direct
    }

    /// The module whose names an import takes, by the tree of files alone: no name has to be looked up for it, so that
    /// it may be asked for while any name is. None for what lies outside.
    fn star_module(&mut self, unit: &Arc<Unit>, import: &Import) -> Option<ModuleRef> {
        let (start, taken) = self.path_start(unit, import)?;
        let What::Module(mut module) = start.what else { return None };
        for part in import.path.iter().skip(taken) {
            let name = unit.name(unit.facts.refs[part.index()].name);
            module = match self.inner_module(module, name)?.what {
                What::Module(inner) => inner,
                _ => return None,
            };
        }
        Some(module)
    }
}
