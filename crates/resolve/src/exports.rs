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
        if let Some(found) = self.assigned_export(&unit, name) {
            return Some(found);
        }
        // What a file is worth as a whole has the members that count.
        if self.assigned_whole(&unit).is_some()
            && let Some(found) = self.member_of_whole(&unit, name)
        {
            return Some(found);
        }
        if let Some(symbol) = exported_symbol(&unit, name, true) {
            return self.declared_thing(&unit, Decl::Symbol(symbol));
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
        // A file that is worth a value has it as its default only for those who ask for a default.
        unit.exports(name).find_map(|import| self.import_target(unit, import))
    }

    /// What is assigned to a member of the exports: a name that is exported, or a definition.
    pub(crate) fn assigned_export(&mut self, unit: &Arc<Unit>, name: TermId) -> Option<Found> {
        if let Some(found) = self.listed_export(unit, name) {
            return Some(found);
        }
        let all: Vec<SymbolId> = unit.assigned_exports(name).collect();
        let part = |id: &&SymbolId| !unit.symbol(**id).flags.has(Flags::DEFAULT);
        let symbol = *all.iter().rfind(part)?;
        let symbol = self.assigned_again(unit, name, symbol).unwrap_or(symbol);
        Some(Found::new(What::Symbol(Sym { file: unit.file, symbol })))
    }

    /// The last function that is assigned to an export after the assignment that declared it.
    fn assigned_again(&self, unit: &Unit, name: TermId, first: SymbolId) -> Option<SymbolId> {
        let rules = unit.language.member_assignments?;
        let own = unit.symbol(first);
        let on_exports = |entry: &Symbol| {
            let qualifier = entry.qualifier.get().map(|qualifier| self.program.text(unit.name(qualifier)));
            qualifier.is_some_and(|qualifier| rules.exports.contains(&&*qualifier))
        };
        let is_later = |id: &SymbolId| {
            let entry = unit.symbol(*id);
            let later = entry.span.start > own.span.start && entry.scope == own.scope;
            entry.kind.is_callable() && later && on_exports(entry)
        };
        unit.named(name).filter(is_later).max_by_key(|id| unit.symbol(*id).span.start)
    }

    /// The default export of a module.
    pub(crate) fn default_export(&mut self, module: ModuleRef) -> Option<Found> {
        let ModuleRef::File(file) = module else { return None };
        let unit = self.unit(file);
        if let Some(name) = self.words(&unit).default
            && let Some(found) = self.assigned_export(&unit, name)
        {
            return Some(found);
        }
        if let Some(found) = self.whole_export(&unit) {
            return Some(found);
        }
        // A value without a name: what it is can be asked of the module.
        if unit.note(SymbolId(0), Tie::Init).is_some() {
            return Some(Found::new(What::Symbol(Sym { file, symbol: SymbolId(0) })));
        }
        // Who imports the default of a file that only assigns members gets them all.
        has_assigned_exports(&unit).then(|| Found::new(What::Module(module)))
    }

    /// What is assigned to the exports as a whole: the symbol that it names, or the one that the assignment defines.
    pub(crate) fn assigned_whole(&mut self, unit: &Arc<Unit>) -> Option<Found> {
        let symbol = match unit.whole()? {
            Decl::Import(import) => return self.import_target(unit, import),
            Decl::Symbol(symbol) => symbol,
            Decl::Binding(_) => return None,
        };
        // `module.exports = require("./other")`: one file stands for another.
        let init = unit.note(symbol, Tie::Init).map(|expr| unit.facts.exprs[expr.index()]);
        if let Some(Expr { op: ExprOp::Module, a, .. }) = init
            && self.is_in_project(unit, a)
        {
            return self.loaded_module(unit, a);
        }
        Some(Found::new(What::Symbol(Sym { file: unit.file, symbol })))
    }

    /// The symbol that is the default, or that stands for the whole module; a second name for a thing is that thing.
    fn whole_export(&mut self, unit: &Arc<Unit>) -> Option<Found> {
        if let Some(found) = self.assigned_whole(unit) {
            return Some(found);
        }
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
        let found = match self.assigned_whole(unit) {
            Some(found) => found,
            None => self.default_as_whole(unit)?,
        };
        let base = self.found_value(unit, found);
        match base.ty {
            Ty::Module(ModuleRef::File(file)) if file == unit.file => None,
            _ => self.member(unit, &base, name, 0, RefKind::Import),
        }
    }

    /// The default of a file that exports nothing else, as tools have it that turn one kind of module into the other.
    fn default_as_whole(&mut self, unit: &Arc<Unit>) -> Option<Found> {
        let whole =
            unit.facts.symbols.iter().any(|s| s.flags.has(Flags::DEFAULT.with(Flags::EXPORT)) && s.scope.0 == 0);
        if !whole || unit.facts.imports.iter().any(|i| i.flags.has(ImportFlags::REEXPORT)) {
            return None;
        }
        self.whole_export(unit)
    }

    /// What a variable names that is what a module load gives, or a part of that.
    pub(crate) fn loaded_thing(&mut self, unit: &Arc<Unit>, decl: Decl) -> Option<Found> {
        let init = match decl {
            Decl::Symbol(symbol) if unit.note(symbol, Tie::Type).is_none() => unit.note(symbol, Tie::Init)?,
            Decl::Binding(binding) => unit.facts.bindings[binding as usize].init.get()?,
            _ => return None,
        };
        let expr = unit.facts.exprs[init.index()];
        if expr.op == ExprOp::Module {
            return self.loaded_module(unit, expr.a);
        }
        let (of, name) = part_of(unit, expr)?;
        // What is taken apart may lie deeper: `const { a } = require("./x").y`.
        let direct = unit.facts.exprs[of.index()].op == ExprOp::Module;
        if !direct && (expr.op != ExprOp::Key || !is_part_of_load(unit, of)) {
            return None;
        }
        let base = self.value(unit, of);
        let found = self.member(unit, &base, name, 0, RefKind::Import)?;
        let found = self.named_by_key(found);
        Some(self.outside_of_export(&found).unwrap_or(found))
    }

    /// What an export names that is a part of another package.
    fn outside_of_export(&mut self, export: &Found) -> Option<Found> {
        let What::Symbol(sym) = export.what else { return None };
        let unit = self.unit(sym.file);
        if !unit.symbol(sym.symbol).flags.has(Flags::MEMBER) {
            return None;
        }
        let init = unit.facts.exprs[unit.note(sym.symbol, Tie::Init)?.index()];
        part_of(&unit, init)?;
        let found = self.resolve(&unit, RefId(init.a)).filter(|_| init.op == ExprOp::Ref)?;
        matches!(found.what, What::External(_)).then_some(found)
    }

    /// A key of what a file exports that is its own value, among others of that kind only, is the export of a name.
    fn named_by_key(&mut self, found: Found) -> Found {
        let What::Symbol(sym) = found.what else { return found };
        let unit = self.unit(sym.file);
        let key = unit.symbol(sym.symbol);
        let of_exports = key.parent.get().is_some_and(|parent| {
            let object = unit.symbol(parent);
            object.flags.has(Flags::MEMBER.with(Flags::DEFAULT)) && object.inner == key.scope
        });
        if !of_exports || !has_short_keys_only(&unit, key.scope) {
            return found;
        }
        let init = unit.note(sym.symbol, Tie::Init).map(|expr| unit.facts.exprs[expr.index()]);
        match init {
            Some(Expr { op: ExprOp::Ref, a, .. }) => self.resolve(&unit, RefId(a)).unwrap_or(found),
            _ => found,
        }
    }

    /// Whether an import loads a file of the project.
    fn is_in_project(&mut self, unit: &Arc<Unit>, import: u32) -> bool {
        let import = &unit.facts.imports[import as usize];
        self.source_module(unit, import).is_some()
    }

    /// What loading a module gives. Files may load each other in a circle.
    fn loaded_module(&mut self, unit: &Arc<Unit>, import: u32) -> Option<Found> {
        let key = (unit.file, import, None);
        self.remembered(|l| &mut l.imports, key, None, |l| l.loaded_module_now(unit, import))
    }

    fn loaded_module_now(&mut self, unit: &Arc<Unit>, import: u32) -> Option<Found> {
        let import = &unit.facts.imports[import as usize];
        match self.source_module(unit, import) {
            Some(ModuleRef::File(file)) => {
                let loaded = self.unit(file);
                let module = Found::new(What::Module(ModuleRef::File(file)));
                Some(self.assigned_whole(&loaded).filter(|whole| self.has_name(whole)).unwrap_or(module))
            }
            Some(module) => Some(Found::new(What::Module(module))),
            None => Some(self.outside(unit, unit.name(import.source))),
        }
    }

    /// Whether what a file exports as a whole has a name or a body of its own; any other value is known by its file.
    fn has_name(&mut self, whole: &Found) -> bool {
        let What::Symbol(sym) = whole.what else { return true };
        let unit = self.unit(sym.file);
        let symbol = unit.symbol(sym.symbol);
        !symbol.flags.has(Flags::MEMBER) || symbol.kind.is_callable() || symbol.kind.is_type()
    }

    /// The value of loading a module: what it exports as a whole, else the module.
    pub(crate) fn loaded_value(&mut self, unit: &Arc<Unit>, import: u32) -> Typed {
        match self.loaded_module(unit, import) {
            Some(found) => self.found_value(unit, found),
            None => Typed::UNKNOWN,
        }
    }
}

/// The value of which an expression takes a member, and the member's name.
fn part_of(unit: &Unit, expr: Expr) -> Option<(ExprId, TermId)> {
    match expr.op {
        ExprOp::Key => Some((ExprId(expr.a), unit.name(StrId(expr.b)))),
        ExprOp::Ref => {
            let reference = unit.facts.refs[expr.a as usize];
            Some((reference.receiver.get()?, unit.name(reference.name)))
        }
        _ => None,
    }
}

/// Whether a value is what a module load gives, or a member of that: `require("./x").y`.
fn is_part_of_load(unit: &Unit, value: ExprId) -> bool {
    let expr = unit.facts.exprs[value.index()];
    expr.op == ExprOp::Module || part_of(unit, expr).is_some_and(|(of, _)| is_part_of_load(unit, of))
}

/// Whether a file assigns members to its exports.
fn has_assigned_exports(unit: &Unit) -> bool {
    let assigned = |i: &Import| i.flags.has(ImportFlags::REEXPORT) && !i.alias_span.is_empty() && i.source.is_none();
    unit.facts.symbols.iter().any(|s| s.flags.has(Flags::MEMBER)) || unit.facts.imports.iter().any(assigned)
}

/// Whether all members of an object are keys that are their own values.
pub(crate) fn has_short_keys_only(unit: &Unit, scope: ScopeId) -> bool {
    unit.facts.symbols.iter().filter(|s| s.scope == scope).all(|s| s.span == s.name_span)
}

/// A top-level symbol of a file; the value rather than the declaration of it.
fn exported_symbol(unit: &Unit, name: TermId, marked: bool) -> Option<SymbolId> {
    let mut best: Option<SymbolId> = None;
    for decl in unit.declared(ScopeId(0), name) {
        let Decl::Symbol(symbol) = decl else { continue };
        let entry = unit.symbol(symbol);
        if entry.flags.has(Flags::REPLACED) {
            continue;
        }
        let better = best
            .is_none_or(|old| unit.symbol(old).flags.has(Flags::DECLARATION) && !entry.flags.has(Flags::DECLARATION));
        if better && (!marked || entry.flags.has(Flags::EXPORT)) {
            best = Some(symbol);
        }
    }
    best
}
