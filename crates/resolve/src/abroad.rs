//! What is used of other projects beyond what links say: members of values whose types lie outside, inherited ones too, and
//! names that may be those of several packages.
//!
//! In a project such a use stays open, because whatever is not known may still mean something of its own. Among many projects
//! the path is a question that can be asked: somebody offers it or nobody does. So a linker of its own follows them
//! ([`Linker::abroad`]), and nothing of it gets into an index.

use std::sync::Arc;

use codegraph_languages::linking::ImportScheme;
use codegraph_model::*;

use crate::external::ExternalId;
use crate::lookup::{Found, Linker, What};
use crate::module::ModuleRef;
use crate::types::Ty;
use crate::{External, FileId, Link, Program, Sym, Target, TermId, Unit};

/// A use of something outside the project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsedAbroad {
    pub reference: RefId,
    /// A name of a module or type is followed by those of its members; the result of a function has its members under the name of
    /// the function.
    pub path: External,
    pub certainty: Certainty,
    pub how: How,
}

impl<'p> Linker<'p> {
    /// A linker that goes on outside the project. Its links are not those of an index.
    pub fn abroad(program: &'p dyn Program) -> Linker<'p> {
        let mut linker = Linker::new(program);
        linker.goes_abroad = true;
        linker
    }

    /// What a file uses of others, in the order of its references.
    pub fn used_abroad(&mut self, file: FileId) -> Vec<UsedAbroad> {
        let links = self.link(file);
        let unit = self.unit(file);
        let mut found: Vec<UsedAbroad> = Vec::new();
        let mut bound = vec![false; unit.facts.refs.len()];
        for link in links {
            bound[link.reference.index()] = true;
            if let Target::External(path) = link.target
                && !self.is_everywhere(&unit, &path)
            {
                let Link { reference, certainty, how, .. } = link;
                found.push(UsedAbroad { reference, path, certainty, how });
            }
        }
        if unit.language.linking.namespaces {
            found.extend(self.opened_packages(&unit, &bound));
            found.sort_by_key(|one| one.reference);
        }
        found
    }

    /// A path that starts from what every program has, and not from a package of the same name.
    fn is_everywhere(&mut self, unit: &Unit, path: &External) -> bool {
        let linking = &unit.language.linking;
        let starts = |import: &Import| {
            import.path.first().is_some_and(|part| unit.name(unit.facts.refs[part.index()].name) == path.names[0])
        };
        self.words(unit).builtins.contains(&path.names[0]) && !unit.facts.imports.iter().any(starts)
            || !linking.standard_modules.is_empty()
                && linking.standard_modules.contains(&&*self.program.text(path.names[0]))
    }

    /// Namespaces that are imported and that the project may have a part of, too.
    fn opened_packages(&mut self, unit: &Arc<Unit>, bound: &[bool]) -> Vec<UsedAbroad> {
        let separator = unit.language.separator;
        let imports = unit.facts.imports.iter().filter(|import| import.source.is_none() && !import.path.is_empty());
        let one = |import: &Import| {
            let reference = *import.path.last()?;
            let name = |part: &RefId| unit.name(unit.facts.refs[part.index()].name);
            let names = import.path.iter().map(name).collect();
            let path = External { names, joint: separator, separator };
            let (certainty, how) = (Certainty::Exact, How::Import);
            (!bound[reference.index()]).then_some(UsedAbroad { reference, path, certainty, how })
        };
        imports.filter_map(one).collect()
    }

    /// A member of something outside, or of a type whose one base lies there.
    pub(crate) fn member_abroad(&mut self, unit: &Arc<Unit>, ty: &Ty, name: TermId) -> Option<Found> {
        if !self.goes_abroad {
            return None;
        }
        let of = match ty {
            Ty::ExternalInstance(id, _) => *id,
            // Others add to the same module.
            Ty::Type(sym, _) if unit.language.linking.open_types && self.is_capital(name) => {
                let full = self.full_name(*sym);
                let found = self.path_abroad(unit, &full).map(|of| self.inside_abroad(of, name));
                return found.map(|found| Found { inferred: false, ..found }.by(How::Module));
            }
            Ty::Instance(sym, _) | Ty::Type(sym, _) | Ty::This(sym) | Ty::Super(sym) => self.base_abroad(*sym)?,
            Ty::Module(ModuleRef::Package(package)) if !unit.language.linking.namespaces => {
                let full = self.packages.name(*package);
                let found = self.path_abroad(unit, &full).map(|of| self.inside_abroad(of, name));
                return found.map(|found| Found { inferred: false, ..found }.by(How::Module));
            }
            Ty::Either(parts) | Ty::Both(parts) => {
                return parts.iter().find_map(|part| self.member_abroad(unit, part, name));
            }
            _ => return None,
        };
        Some(self.inside_abroad(of, name))
    }

    fn is_capital(&self, name: TermId) -> bool {
        self.program.text(name).starts_with(char::is_uppercase)
    }

    /// The names of a type and of those around it, as they are written.
    fn full_name(&mut self, sym: Sym) -> String {
        let unit = self.unit(sym.file);
        let mut names = Vec::new();
        let mut at = Some(sym.symbol);
        while let Some(symbol) = at.filter(|symbol| symbol.0 != 0) {
            let entry = unit.symbol(symbol);
            names.push(self.program.text(unit.name(entry.name)));
            names.extend(entry.qualifier.get().map(|qualifier| self.program.text(unit.name(qualifier))));
            at = entry.parent.get();
        }
        names.reverse();
        names.iter().map(|name| &**name).collect::<Vec<&str>>().join(unit.language.separator)
    }

    fn inside_abroad(&mut self, of: ExternalId, name: TermId) -> Found {
        let path = self.externals.child(of, name);
        Found { inferred: true, ..Found::new(What::External(path)).by(How::Member) }
    }

    /// A package that has a part in this project, by its full name.
    fn path_abroad(&mut self, unit: &Unit, full: &str) -> Option<ExternalId> {
        let mut parts = full.split(unit.language.separator);
        let first = self.program.term(parts.next()?)?;
        let What::External(mut at) = self.outside(unit, first).what else { return None };
        for part in parts {
            at = self.externals.child(at, self.program.term(part)?);
        }
        Some(at)
    }

    /// The one type outside the project that a type inherits from. Where a type is given interfaces apart from itself, a method
    /// may be that of any.
    fn base_abroad(&mut self, sym: Sym) -> Option<ExternalId> {
        let mut only = None;
        for of in self.lineage(sym).iter() {
            let unit = self.unit(of.file);
            if unit.language.linking.impl_blocks {
                return None;
            }
            for note in unit.notes(of.symbol).iter().filter(|note| matches!(note.tie, Tie::Base | Tie::Implements)) {
                let (Ty::ExternalInstance(base, _) | Ty::External(base, _)) = self.annotation(&unit, note.expr).ty
                else {
                    continue;
                };
                let path = self.externals.path(base).clone();
                if self.is_everywhere(&unit, &path) || only == Some(base) {
                    continue;
                }
                if only.replace(base).is_some() {
                    return None;
                }
            }
        }
        only
    }

    /// A name that nothing declares: that of the one base outside, or of a package that is imported as a whole.
    pub(crate) fn name_abroad(&mut self, unit: &Arc<Unit>, name: TermId, reference: &Reference) -> Option<Found> {
        use RefKind::{Call, Decorator, Implements, Import, Inherit, Instantiation, Read, TypeRef};
        let linking = &unit.language.linking;
        if !self.goes_abroad {
            return None;
        }
        let is_capital = self.is_capital(name);
        let as_type = matches!(reference.kind, TypeRef | Inherit | Implements | Instantiation | Decorator);
        let path_starts = matches!(reference.kind, Read | RefKind::Attribute);
        let is_unknown = || self.program.defining(name).is_empty();
        if is_capital && linking.open_types && reference.kind != Call && is_unknown() {
            return Some(self.outside(unit, name));
        }
        let declared = linking.imports == ImportScheme::Declared;
        let has_stars = linking.namespaces || !unit.stars().is_empty();
        if declared && is_capital && has_stars && (as_type || path_starts) && reference.kind != Import && is_unknown() {
            return Some(self.outside(unit, name));
        }
        if linking.members_in_scope && !linking.open_types && reference.kind == Call {
            let mut scope = reference.scope;
            while scope.is_some() {
                let entry = *unit.scope(scope);
                if entry.kind == ScopeKind::Type
                    && let Some(Ty::Type(sym, _)) = self.type_around(unit, entry.owner)
                    && let Some(base) = self.base_abroad(sym)
                {
                    return Some(self.inside_abroad(base, name));
                }
                scope = entry.parent;
            }
        }
        None
    }
}
