//! Names that lead out of a file without an import: full names of packages, and what stands in for an import that may fail.

use std::sync::Arc;

use codegraph_languages::linking::ImportScheme;
use codegraph_model::*;

use crate::lookup::{Found, Linker, What};
use crate::unit::Decl;
use crate::{TermId, Unit};

impl Linker<'_> {
    /// The first part of a full name, where packages are named without an import: `com` of `com.demo.Box`.
    pub(crate) fn full_name_start(&mut self, unit: &Arc<Unit>, name: TermId, reference: &Reference) -> Option<Found> {
        let linking = &unit.language.linking;
        let has_packages =
            linking.imports == ImportScheme::Declared && !linking.namespaces && !linking.relative_modules;
        let starts = matches!(reference.kind, RefKind::TypeRef | RefKind::Read | RefKind::Attribute);
        if !has_packages || !starts || !self.program.text(name).starts_with(char::is_lowercase) {
            return None;
        }
        if let Some(module) = self.root_named(name, unit.language) {
            return Some(Found::new(What::Module(module)).by(How::Module));
        }
        // No type has a name in small letters: it is a package outside.
        (reference.kind == RefKind::TypeRef).then(|| self.outside(unit, name))
    }
}

/// What a file defines under the name of something outside that it also imports, in case that is not there.
pub(crate) fn fallback(unit: &Unit, scope: ScopeId, name: TermId) -> Option<SymbolId> {
    if !unit.language.last_definition_runs {
        return None;
    }
    unit.declared(scope, name).find_map(|decl| match decl {
        Decl::Symbol(id) => {
            let entry = unit.symbol(id);
            let counts = matches!(entry.kind, SymbolKind::Function | SymbolKind::Class);
            (counts && !entry.flags.has(Flags::REPLACED) && entry.qualifier.is_none()).then_some(id)
        }
        _ => None,
    })
}
