//! What a place can mean by what stands there: where functions, values and types have names of their own, one is never
//! taken for the other.

use codegraph_model::*;

use crate::lookup::{Found, Linker, What};
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
        if linking.values_apart && (never_meant(symbol, kind) || is_macro && symbol.kind.is_module()) {
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

/// Whether what stands in such a place is a value, and not called.
pub(crate) fn is_uncalled(kind: RefKind) -> bool {
    matches!(kind, RefKind::Read | RefKind::Write | RefKind::Attribute | RefKind::TypeRef)
}

/// Whether a symbol is only a type, and the place wants a value.
pub(crate) fn never_meant(symbol: &Symbol, kind: RefKind) -> bool {
    use SymbolKind::*;
    matches!(kind, RefKind::Call | RefKind::Read) && matches!(symbol.kind, Enum | Trait | TypeAlias | Union)
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
