//! Imports that hold for all files of a build: one of the files has them, or its manifest says so.

use std::rc::Rc;
use std::sync::Arc;

use codegraph_model::*;

use crate::lookup::{Found, Linker, What};
use crate::module::PackageId;
use crate::types::Ty;
use crate::workspace::Using;
use crate::{Decl, FileId, TermId, Unit};

/// What the files of a build import without a word.
#[derive(Default)]
pub(crate) struct Everywhere {
    /// Files that import for all, in the order of their paths.
    files: Vec<FileId>,
    /// Namespaces that the manifest imports.
    spaces: Vec<PackageId>,
    /// Types whose members the manifest imports, and types that it has names for.
    types: Vec<Using>,
}

impl Linker<'_> {
    /// What imports that hold for all files say about a name.
    pub(crate) fn used_everywhere(&mut self, unit: &Arc<Unit>, name: TermId, reference: &Reference) -> Option<Found> {
        let all = self.everywhere(unit);
        let arity = unit.type_arguments(reference);
        let mut only: Option<Found> = None;
        for file in all.files.iter().filter(|file| **file != unit.file) {
            let other = self.unit(*file);
            for star in everywhere_imports(&other, other.stars()) {
                let found = self.through_import(&other, star, name, reference, arity);
                only = agreed(only, found);
            }
            let aliases: Vec<u32> = other.declared(ScopeId(0), name).filter_map(import_of).collect();
            for alias in everywhere_imports(&other, &aliases) {
                only = agreed(only, self.import_target(&other, alias));
            }
        }
        for space in all.spaces.iter().filter(|_| reference.kind != RefKind::Call) {
            only = agreed(only, self.space_declares(unit, *space, name, arity));
        }
        for using in &all.types {
            only = agreed(only, self.used_type(unit, using, name, reference));
        }
        only
    }

    /// A type that the manifest has this name for, or a member of one whose members it imports.
    fn used_type(&mut self, unit: &Arc<Unit>, using: &Using, name: TermId, reference: &Reference) -> Option<Found> {
        if !using.alias.is_empty() && self.program.term(&using.alias) != Some(name) {
            return None;
        }
        let separator = unit.language.separator;
        let (space, last) = using.path.rsplit_once(separator).unwrap_or(("", &using.path));
        let space = self.packages.number(space, unit.language);
        let found = self.space_declares(unit, space, self.program.term(last)?, None)?;
        if !using.alias.is_empty() {
            return Some(found);
        }
        let base = self.found_value(unit, found);
        match base.ty {
            Ty::Type(..) => self.member(unit, &base, name, reference.args, reference.kind),
            _ => None,
        }
    }

    /// Whether a namespace is imported for all files that are built with a file.
    pub(crate) fn is_used_everywhere(&mut self, unit: &Arc<Unit>, space: PackageId) -> bool {
        let all = self.everywhere(unit);
        if all.spaces.contains(&space) {
            return true;
        }
        all.files.iter().any(|file| {
            let other = self.unit(*file);
            let stars = everywhere_imports(&other, other.stars());
            stars.into_iter().any(|star| self.imported_spaces(&other, star).contains(&space))
        })
    }

    /// What holds for all files that are built with a file.
    fn everywhere(&mut self, unit: &Unit) -> Rc<Everywhere> {
        if let Some(known) = self.spaces.everywhere.get(&unit.file) {
            return Rc::clone(known);
        }
        let home = self.home(unit.file).map(str::to_owned);
        let known = self.spaces.by_home.get(&home).map(Rc::clone);
        let all = known.unwrap_or_else(|| Rc::new(self.everywhere_in(unit, home.as_deref())));
        self.spaces.by_home.insert(home, Rc::clone(&all));
        self.spaces.everywhere.insert(unit.file, Rc::clone(&all));
        all
    }

    fn everywhere_in(&mut self, unit: &Unit, home: Option<&str>) -> Everywhere {
        let mut all = Everywhere::default();
        if let Some(mark) = self.program.term(EVERYWHERE) {
            for &file in self.program.extending(mark).iter() {
                if self.home(file) == home && self.program.language(file).is_related(unit.language) {
                    all.files.push(file);
                }
            }
        }
        let usings = home.and_then(|home| self.program.workspace().builds.get(home)).cloned().unwrap_or_default();
        for using in usings {
            match using.members || !using.alias.is_empty() {
                true => all.types.push(using),
                false => all.spaces.push(self.packages.number(&using.path, unit.language)),
            }
        }
        all
    }

    /// The folder of the build that a file belongs to.
    fn home(&self, file: FileId) -> Option<&str> {
        let path = self.program.path(file);
        self.program.workspace().build_around(path.rsplit_once('/').map_or("", |(folder, _)| folder))
    }
}

fn import_of(decl: Decl) -> Option<u32> {
    match decl {
        Decl::Import(import) => Some(import),
        _ => None,
    }
}

/// Those of some imports of a file that hold for all files.
fn everywhere_imports(unit: &Unit, imports: &[u32]) -> Vec<u32> {
    let holds = |import: &u32| unit.facts.imports[*import as usize].flags.has(ImportFlags::REEXPORT);
    imports.iter().copied().filter(holds).collect()
}

/// What two imports say about a name: two things are neither.
fn agreed(only: Option<Found>, found: Option<Found>) -> Option<Found> {
    let same = |a: &What, b: &What| a == b;
    match (only, found) {
        (Some(old), Some(new)) if !same(&old.what, &new.what) => Some(Found { ambiguous: true, ..old }),
        (old, new) => old.or(new),
    }
}
