//! Names that a file has by including others.
//!
//! A file may include hundreds, each of which includes others. Who declares a name is known without asking them all: of
//! those files, the first counts that is reached when one file after the other is included.

use std::rc::Rc;
use std::sync::Arc;

use codegraph_model::ScopeId;
use rustc_hash::FxHashMap;

use crate::lookup::{Found, Linker};
use crate::module::ModuleRef;
use crate::{FileId, TermId, Unit};

/// Orders that are kept, at most.
const KEPT: usize = 256;

/// What is known about who includes whom.
#[derive(Default)]
pub(crate) struct Includes {
    direct: FxHashMap<FileId, Rc<Direct>>,
    orders: FxHashMap<FileId, Rc<Order>>,
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
    /// What the files that a file includes declare under a name.
    pub(crate) fn included_name(&mut self, unit: &Arc<Unit>, name: TermId) -> Option<Found> {
        self.remembered(|l| &mut l.included, (unit.file, name), None, |l| l.included_name_now(unit, name))
    }

    fn included_name_now(&mut self, unit: &Arc<Unit>, name: TermId) -> Option<Found> {
        let order = self.order(unit);
        if order.places.is_empty() {
            return None;
        }
        let declaring = self.program.declaring(name);
        let reached =
            declaring.iter().chain(&order.passing_on).filter_map(|file| Some((order.places.get(file)?, file)));
        let mut reached: Vec<(u32, FileId)> = reached.map(|(place, file)| (*place, *file)).collect();
        reached.sort_unstable();
        reached.dedup();
        reached.into_iter().find_map(|(_, file)| {
            let other = self.unit(file);
            let found = self.scope_declares(&other, ScopeId(0), name);
            found.or_else(|| self.passed_on(&other, ScopeId(0), name))
        })
    }

    /// What a file has under a name by importing everything of something that is no file.
    fn passed_on(&mut self, unit: &Arc<Unit>, scope: ScopeId, name: TermId) -> Option<Found> {
        let others = unit.stars().iter().filter(|star| {
            let import = &unit.facts.imports[**star as usize];
            import.source.is_none() && import.scope == scope
        });
        let others: Vec<u32> = others.copied().collect();
        others.into_iter().find_map(|star| self.star_member(unit, star, name))
    }

    fn order(&mut self, unit: &Arc<Unit>) -> Rc<Order> {
        if let Some(known) = self.includes.orders.get(&unit.file) {
            return Rc::clone(known);
        }
        let mut order = Order::default();
        // The root includes in whatever scope, the others where everybody sees it.
        let mut pending = self.included_files(unit, |_| true);
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
        let files = self.included_files(&unit, |scope| scope == ScopeId(0));
        let others = |star: &u32| unit.facts.imports[*star as usize].source.is_none();
        let direct = Rc::new(Direct { files, passes_on: unit.stars().iter().any(others) });
        self.includes.direct.insert(file, Rc::clone(&direct));
        direct
    }

    /// The files of the project that a file includes in the scopes that are wanted, in source order.
    fn included_files(&mut self, unit: &Arc<Unit>, wanted: impl Fn(ScopeId) -> bool) -> Vec<FileId> {
        let mut files = Vec::new();
        for star in unit.stars() {
            let import = &unit.facts.imports[*star as usize];
            if import.source.is_some()
                && wanted(import.scope)
                && let Some(ModuleRef::File(file)) = self.source_module(unit, import)
            {
                files.push(file);
            }
        }
        files
    }
}
