//! Names that no scope of a file declares: star imports, other files of the module, modules of the package, and what is there
//! without an import.

use std::sync::Arc;

use codegraph_languages::linking::ImportScheme;
use codegraph_model::*;

use crate::lookup::{Found, Linker};
use crate::module::ModuleRef;
use crate::{TermId, Unit};

impl Linker<'_> {
    /// Star imports, other files of the module, modules of the package, then what is there without an import.
    pub(crate) fn beyond_file(&mut self, unit: &Arc<Unit>, name: TermId, reference: &Reference) -> Option<Found> {
        if unit.language.linking.namespaces {
            return self.beyond_spaces(unit, name, reference);
        }
        let stars = if unit.language.linking.exports_apart { &[] } else { unit.stars() };
        for &import in stars {
            if !unit.is_within(reference.scope, unit.facts.imports[import as usize].scope) {
                continue;
            }
            let mut found = self.star_member(unit, import, name);
            if unit.language.linking.values_apart
                && matches!(reference.kind, RefKind::Call | RefKind::Macro)
                && let Some(around) = self.import_target(unit, import)
            {
                let around = self.found_value(unit, around).ty;
                found = found.and_then(|found| self.beside_module(unit, reference.kind, around, name, found));
            }
            if let Some(found) = found.and_then(|found| self.of_kind(found, reference.args, reference.kind)) {
                return Some(found.by(How::Import));
            }
        }
        if unit.language.linking.shared_modules
            && let Some(found) = self.module_neighbour(unit, name, reference)
            && let Some(found) = self.of_kind(found, reference.args, reference.kind)
        {
            return Some(found.by(How::Module));
        }
        // A macro of the standard library is not one that another file has for itself.
        if reference.kind == RefKind::Macro
            && !self.words(unit).builtins.contains(&name)
            && let Some(found) = self.package_macro(unit, name)
        {
            return Some(found.by(How::Module));
        }
        let found = self.package_name(unit, name);
        if let Some(found) = found.and_then(|found| self.of_kind(found, reference.args, reference.kind)) {
            return Some(found.by(How::Module));
        }
        if unit.language.linking.relative_modules && reference.kind == RefKind::TypeRef {
            let own = self.packages.number(&self.program.module(unit.file), unit.language);
            if let Some(found) = self.inner_module(ModuleRef::Package(own), name) {
                return Some(found.by(How::Module));
            }
        }
        // Functions and constants that the module does not have are those outside of all modules.
        if unit.language.linking.outermost_functions
            && matches!(reference.kind, RefKind::Call | RefKind::Read)
            && let package = self.packages.number("", unit.language)
            && let Some(found) = self.top_level(package, name, None)
        {
            return Some(found.by(How::Module));
        }
        if let Some(found) = self.full_name_start(unit, name, reference) {
            return Some(found);
        }
        // What a module of the same name would have is there without a word; a type that nobody has is outside.
        let names_type = matches!(reference.kind, RefKind::TypeRef | RefKind::Inherit | RefKind::Implements);
        let outside = self.words(unit).builtins.contains(&name)
            || self.names_package(unit, name, reference)
            || unit.language.linking.unknown_types_outside && names_type;
        outside.then(|| self.outside(unit, name))
    }

    /// What no namespace of the project has: a type outside it, or the start of a path.
    fn beyond_spaces(&mut self, unit: &Arc<Unit>, name: TermId, reference: &Reference) -> Option<Found> {
        use RefKind::*;
        match reference.kind {
            TypeRef | Inherit | Implements | Instantiation | Decorator if unit.member_on(reference).is_none() => {
                Some(self.outside(unit, name))
            }
            _ if self.words(unit).builtins.contains(&name) => Some(self.outside(unit, name)),
            Call | Write => None,
            _ => Some(self.maybe_space(unit, reference.scope, name)),
        }
    }

    /// Where paths start from packages without an import, a path that starts from nothing else starts from one.
    fn names_package(&self, unit: &Unit, name: TermId, reference: &Reference) -> bool {
        unit.language.linking.imports == ImportScheme::Paths
            && reference.kind == RefKind::TypeRef
            && self.program.text(name).starts_with(|c: char| c.is_lowercase())
    }
}
