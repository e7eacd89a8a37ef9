//! What a file exports where that is said apart from its local names: lists, defaults, everything of another module.

use std::sync::Arc;

use codegraph_model::*;

use crate::lookup::{Found, Linker, What};
use crate::module::ModuleRef;
use crate::types::{Ty, Typed};
use crate::unit::Decl;
use crate::{FileId, Sym, TermId, Unit};

impl Linker<'_> {
    /// What a file exports under a name.
    pub(crate) fn export(&mut self, file: FileId, name: TermId) -> Option<Found> {
        let unit = self.unit(file);
        if let Some(found) = self.listed_export(&unit, name) {
            return Some(found);
        }
        if Some(name) == self.words(&unit).default {
            return self.default_export(ModuleRef::File(file));
        }
        if let Some(symbol) = exported_symbol(&unit, name, true) {
            return Some(Found::new(What::Symbol(Sym { file, symbol })));
        }
        for &import in unit.stars() {
            if let Some(found) = self.star_member(&unit, import, name) {
                return Some(found);
            }
        }
        self.member_of_whole(&unit, name)
    }

    /// A name of a file that is asked for by itself: what is not exported in a way that we know may be meant too.
    pub(crate) fn export_or_name(&mut self, file: FileId, name: TermId) -> Option<Found> {
        let found = self.export(file, name);
        if found.is_some() {
            return found;
        }
        let unit = self.unit(file);
        let symbol = exported_symbol(&unit, name, false)?;
        Some(Found::new(What::Symbol(Sym { file, symbol })))
    }

    fn listed_export(&mut self, unit: &Arc<Unit>, name: TermId) -> Option<Found> {
        unit.exports(name).find_map(|import| self.import_target(unit, import))
    }

    /// The default export of a module.
    pub(crate) fn default_export(&mut self, module: ModuleRef) -> Option<Found> {
        let ModuleRef::File(file) = module else { return None };
        let unit = self.unit(file);
        if let Some(name) = self.words(&unit).default
            && let Some(found) = self.listed_export(&unit, name)
        {
            return Some(found);
        }
        if let Some(found) = self.whole_export(&unit) {
            return Some(found);
        }
        // A value without a name: what it is can be asked of the module.
        unit.note(SymbolId(0), Tie::Init).map(|_| Found::new(What::Symbol(Sym { file, symbol: SymbolId(0) })))
    }

    /// The symbol that is the default, or that stands for the whole module; a second name for a thing is that thing.
    fn whole_export(&mut self, unit: &Arc<Unit>) -> Option<Found> {
        let place = unit.facts.symbols.iter().position(|s| s.flags.has(Flags::DEFAULT))?;
        let symbol = SymbolId(place as u32);
        let init = unit.note(symbol, Tie::Init).map(|expr| unit.facts.exprs[expr.index()]);
        if let Some(Expr { op: ExprOp::Ref, a, .. }) = init
            && unit.facts.refs[a as usize].receiver.is_none()
            && let Some(found) = self.resolve(unit, RefId(a))
        {
            return Some(found);
        }
        Some(Found::new(What::Symbol(Sym { file: unit.file, symbol })))
    }

    /// A member of the value that a file exports as a whole.
    fn member_of_whole(&mut self, unit: &Arc<Unit>, name: TermId) -> Option<Found> {
        let whole =
            unit.facts.symbols.iter().any(|s| s.flags.has(Flags::DEFAULT.with(Flags::EXPORT)) && s.scope.0 == 0);
        if !whole || unit.facts.imports.iter().any(|i| i.flags.has(ImportFlags::REEXPORT)) {
            return None;
        }
        let found = self.whole_export(unit)?;
        let base = self.found_value(unit, found);
        match base.ty {
            Ty::Module(_) => None,
            _ => self.member(unit, &base, name, 0, RefKind::Import),
        }
    }

    /// What a variable names that is what a module load gives, or a part of that.
    pub(crate) fn loaded_thing(&mut self, unit: &Arc<Unit>, decl: Decl) -> Option<Found> {
        let init = match decl {
            Decl::Symbol(symbol) if unit.note(symbol, Tie::Type).is_none() => unit.note(symbol, Tie::Init)?,
            Decl::Binding(binding) => unit.facts.bindings[binding as usize].init.get()?,
            _ => return None,
        };
        let expr = unit.facts.exprs[init.index()];
        match expr.op {
            // What a package gives that is not there is known by the variable alone.
            ExprOp::Module if !self.is_known_module(unit, expr.a) => None,
            ExprOp::Module => self.loaded_module(unit, expr.a),
            ExprOp::Key | ExprOp::Ref => {
                let (of, name) = match expr.op {
                    ExprOp::Key => (ExprId(expr.a), unit.name(StrId(expr.b))),
                    _ => {
                        let reference = unit.facts.refs[expr.a as usize];
                        (reference.receiver.get()?, unit.name(reference.name))
                    }
                };
                let from = unit.facts.exprs[of.index()];
                if from.op != ExprOp::Module || !self.is_known_module(unit, from.a) {
                    return None;
                }
                let base = self.loaded_value(unit, from.a);
                self.member(unit, &base, name, 0, RefKind::Import)
            }
            _ => None,
        }
    }

    /// Whether an import loads a file of the project or a module of the standard library.
    fn is_known_module(&mut self, unit: &Arc<Unit>, import: u32) -> bool {
        let import = &unit.facts.imports[import as usize];
        let source = self.program.text(unit.name(import.source));
        let (scheme, rest) = source.split_once(':').unwrap_or(("", &source));
        let first = rest.split('/').next().unwrap_or(rest);
        !scheme.is_empty()
            || unit.language.linking.standard_modules.contains(&first)
            || self.source_module(unit, import).is_some()
    }

    fn loaded_module(&mut self, unit: &Arc<Unit>, import: u32) -> Option<Found> {
        let import = &unit.facts.imports[import as usize];
        match self.source_module(unit, import) {
            Some(ModuleRef::File(file)) => {
                let loaded = self.unit(file);
                let whole = assigns_exports(&loaded).then(|| self.whole_export(&loaded)).flatten();
                Some(whole.unwrap_or_else(|| Found::new(What::Module(ModuleRef::File(file)))))
            }
            Some(module) => Some(Found::new(What::Module(module))),
            None => Some(self.outside(unit, unit.name(import.source))),
        }
    }

    /// The value of loading a module: what it exports as a whole, else the module.
    pub(crate) fn loaded_value(&mut self, unit: &Arc<Unit>, import: u32) -> Typed {
        match self.loaded_module(unit, import) {
            Some(found) => self.found_value(unit, found),
            None => Typed::UNKNOWN,
        }
    }
}

/// Only a file that assigns its exports is worth what it assigns.
fn assigns_exports(unit: &Unit) -> bool {
    unit.facts.symbols.iter().any(|s| s.flags.has(Flags::DEFAULT) && s.scope.0 == 0 && !s.name_span.is_empty())
        && !unit.facts.imports.iter().any(|i| i.flags.has(ImportFlags::REEXPORT))
}

/// A top-level symbol of a file; the value rather than the declaration of it.
fn exported_symbol(unit: &Unit, name: TermId, marked: bool) -> Option<SymbolId> {
    let mut best: Option<SymbolId> = None;
    for decl in unit.declared(ScopeId(0), name) {
        let Decl::Symbol(symbol) = decl else { continue };
        let entry = unit.symbol(symbol);
        let better = best
            .is_none_or(|old| unit.symbol(old).flags.has(Flags::DECLARATION) && !entry.flags.has(Flags::DECLARATION));
        if better && (!marked || entry.flags.has(Flags::EXPORT)) {
            best = Some(symbol);
        }
    }
    best
}
