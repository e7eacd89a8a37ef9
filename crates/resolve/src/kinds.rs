//! What a place can mean by what stands there: where functions, values and types have names of their own, one is never
//! taken for the other.

use std::sync::Arc;

use codegraph_model::*;

use crate::How;
use crate::lookup::{Found, Linker, What};
use crate::module::ModuleRef;
use crate::types::{Ty, Typed};
use crate::unit::Decl;
use crate::{Sym, TermId, Unit};

impl Linker<'_> {
    /// What is imported under a name, if a place can mean it; where functions have names of their own, the other one of its
    /// type that has the same name.
    pub(crate) fn of_kind(&mut self, found: Found, args: u8, kind: RefKind) -> Option<Found> {
        let What::Symbol(sym) = found.what else { return Some(found) };
        let unit = self.unit(sym.file);
        let (linking, symbol) = (unit.language.linking, unit.symbol(sym.symbol));
        let is_macro = matches!(kind, RefKind::Macro | RefKind::Decorator);
        let may_be_macro = matches!(symbol.kind, SymbolKind::Macro | SymbolKind::Function);
        if linking.values_apart && (never_meant(symbol, kind) || is_macro && !may_be_macro) {
            return None;
        }
        let calls = kind == RefKind::Call;
        if !linking.functions_apart || !calls && !is_uncalled(kind) || calls == symbol.kind.is_callable() {
            return Some(found);
        }
        let owner = Sym { file: sym.file, symbol: symbol.parent };
        match unit.symbol(symbol.parent).kind.is_type() {
            true => self.type_member(owner, unit.name(symbol.name), args, kind),
            false => None,
        }
    }
}

impl Linker<'_> {
    /// What a place means by a name that `around` has for a module: no call and no macro means one where those have names
    /// of their own.
    pub(crate) fn beside_module(
        &mut self,
        unit: &Arc<Unit>,
        kind: RefKind,
        around: Ty,
        name: TermId,
        found: Found,
    ) -> Option<Found> {
        let is_module = match found.what {
            What::Module(_) => unit.language.linking.values_apart,
            What::Symbol(sym) => unit.language.linking.values_apart && self.is_module(sym),
            _ => false,
        };
        match (kind, around) {
            _ if !is_module => Some(found),
            (RefKind::Call, Ty::Module(module)) => self.callable_export(module, name),
            (RefKind::Call | RefKind::Macro, _) => None,
            _ => Some(found),
        }
    }
}

/// Imports of one name that are followed in search of a macro, at most.
const MOST_IMPORTS: u32 = 64;

impl Linker<'_> {
    /// Of imports of one name that a scope has, the first of a macro, or of anything else; none if only the first counts.
    pub(crate) fn import_of_kind(
        &mut self,
        unit: &Arc<Unit>,
        scope: ScopeId,
        name: TermId,
        is_macro: bool,
    ) -> Option<Found> {
        let imports = unit.declared(scope, name).filter_map(|decl| match decl {
            Decl::Import(import) => Some(import),
            _ => None,
        });
        let imports: Vec<u32> = imports.collect();
        let mut left = MOST_IMPORTS;
        if is_macro {
            let found = imports.into_iter().find_map(|import| self.macro_by_import(unit, import, &mut left));
            return found.map(|found| found.by(How::Import));
        }
        if imports.len() < 2 {
            return None;
        }
        let found = imports.into_iter().filter_map(|import| self.declared_thing(unit, Decl::Import(import)));
        let mut found: Vec<Found> = found.take(MOST_IMPORTS as usize).collect();
        let place = found.iter().position(|found| !self.is_macro(found)).unwrap_or(0);
        (place < found.len()).then(|| found.swap_remove(place))
    }

    /// Whether a macro is meant, and nothing else that has its name.
    pub(crate) fn is_macro(&mut self, found: &Found) -> bool {
        match found.what {
            What::Symbol(sym) => self.unit(sym.file).symbol(sym.symbol).kind == SymbolKind::Macro,
            _ => false,
        }
    }

    /// The macro of a module that has a name.
    pub(crate) fn macro_in(&mut self, module: ModuleRef, name: TermId) -> Option<Found> {
        self.macro_of_module(module, name, &mut { MOST_IMPORTS })
    }

    fn macro_by_import(&mut self, unit: &Arc<Unit>, index: u32, left: &mut u32) -> Option<Found> {
        *left = left.checked_sub(1)?;
        let import = &unit.facts.imports[index as usize];
        let (last, before) = import.path.split_last()?;
        let around = match before {
            [] => return None,
            _ => self.path_target(unit, import, before.len())?,
        };
        let name = unit.name(unit.facts.refs[last.index()].name);
        match self.found_value(unit, around).ty {
            Ty::Module(module) => self.macro_of_module(module, name, left),
            _ => None,
        }
    }

    fn macro_of_module(&mut self, module: ModuleRef, name: TermId, left: &mut u32) -> Option<Found> {
        let (file, scope) = match module {
            ModuleRef::File(file) => (file, ScopeId(0)),
            ModuleRef::Inline(sym) => (sym.file, self.unit(sym.file).symbol(sym.symbol).inner),
            ModuleRef::Package(_) => return None,
        };
        let unit = self.unit(file);
        let declared: Vec<Decl> = unit.declared(scope, name).collect();
        // One that is written in the language is a function.
        let mut function = None;
        for decl in declared {
            match decl {
                Decl::Symbol(id) if unit.symbol(id).kind == SymbolKind::Function => {
                    function = Some(Found::new(What::Symbol(Sym { file, symbol: id })));
                }
                Decl::Symbol(id) if unit.symbol(id).kind == SymbolKind::Macro => {
                    return Some(Found::new(What::Symbol(Sym { file, symbol: id })));
                }
                Decl::Import(import) => match self.macro_by_import(&unit, import, left) {
                    Some(found) => return Some(found),
                    None => continue,
                },
                _ => {}
            }
        }
        for &star in unit.stars() {
            *left = left.checked_sub(1)?;
            if unit.facts.imports[star as usize].scope == scope
                && let Some(around) = self.import_target(&unit, star)
                && let Ty::Module(module) = self.found_value(&unit, around).ty
                && let Some(found) = self.macro_of_module(module, name, left)
            {
                return Some(found);
            }
        }
        // What is exported is a name of the root, wherever it is written.
        match self.root_module(&unit) == Some(module) {
            true if function.is_none() => self.package_macro(&unit, name),
            _ => function,
        }
    }

    /// As a type, the name of a macro is what it implements: that has the same name.
    pub(crate) fn derived(&mut self, unit: &Arc<Unit>, id: RefId) -> Typed {
        let reference = Reference { kind: RefKind::TypeRef, ..unit.facts.refs[id.index()] };
        let name = unit.name(reference.name);
        let found = match reference.receiver.is_some() {
            true => {
                let receiver = self.value(unit, reference.receiver);
                self.member(unit, &receiver, name, 0, RefKind::TypeRef)
            }
            false => self.name(unit, name, reference.scope, &reference),
        };
        match found.map(|found| found.what) {
            Some(What::Symbol(sym)) if self.unit(sym.file).symbol(sym.symbol).kind == SymbolKind::Trait => {
                Typed::sure(Ty::Instance(sym, None))
            }
            _ => Typed::sure(Ty::Unknown),
        }
    }
}

/// Whether what stands in such a place is a value, and not called.
pub(crate) fn is_uncalled(kind: RefKind) -> bool {
    matches!(kind, RefKind::Read | RefKind::Write | RefKind::Attribute | RefKind::TypeRef)
}

/// Whether a symbol is only a type, and the place wants a value.
pub(crate) fn never_meant(symbol: &Symbol, kind: RefKind) -> bool {
    use SymbolKind::*;
    matches!(kind, RefKind::Call | RefKind::Read) && matches!(symbol.kind, Enum | Trait | TypeAlias | Union | Macro)
}

/// A type parameter of a type: its methods see it even where they do not see its members.
pub(crate) fn type_parameter(unit: &Unit, scope: ScopeId, name: TermId) -> Option<u32> {
    unit.declared(scope, name).find_map(|decl| match decl {
        Decl::Binding(i) if unit.facts.bindings[i as usize].kind == BindingKind::TypeParam => Some(i),
        _ => None,
    })
}

/// Whether a scope declares members that are not names by themselves; those of an enum are, but no types.
pub(crate) fn is_member_scope(unit: &Unit, scope: ScopeId, names_type: bool) -> bool {
    let entry = unit.scope(scope);
    entry.kind == ScopeKind::Type && (names_type || unit.symbol(entry.owner).kind != SymbolKind::Enum)
}

/// The function or class whose own name a binding inside of it is.
pub(crate) fn value_around(unit: &Unit, binding: u32) -> Option<SymbolId> {
    let binding = unit.facts.bindings[binding as usize];
    let init = unit.facts.exprs[binding.init.get()?.index()];
    let symbol = SymbolId(init.a);
    (init.op == ExprOp::Own && unit.symbol(symbol).inner == binding.scope).then_some(symbol)
}
