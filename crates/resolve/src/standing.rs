//! Where a name stands: in the head of a function, in the body of a type before it has a value, beside a twin.

use codegraph_model::*;

use crate::unit::Decl;
use crate::{TermId, Unit};

/// Whether a name stands in the head of the function that a scope belongs to: what is written there is read in the scope around.
pub(crate) fn is_in_head(unit: &Unit, scope: ScopeId, reference: &Reference) -> bool {
    let owner = unit.symbol(unit.scope(scope).owner);
    owner.inner == scope && reference.span.start < owner.head_end
}

/// Whether a symbol, or a module around it, is written twice: which of the two is there, the conditions of a build decide.
pub(crate) fn has_twin(unit: &Unit, mut id: SymbolId) -> bool {
    if !unit.language.linking.impl_blocks {
        return false;
    }
    loop {
        let symbol = unit.symbol(id);
        if id.0 == 0 {
            return false;
        }
        let is_twin =
            |decl: Decl| matches!(decl, Decl::Symbol(other) if other != id && unit.symbol(other).kind == symbol.kind);
        let may_be = symbol.kind.is_callable() || symbol.kind.is_type() || symbol.kind.is_module();
        if may_be
            && symbol.name.is_some()
            && symbol.kind != SymbolKind::Macro
            && unit.declared(symbol.scope, unit.name(symbol.name)).any(is_twin)
        {
            return true;
        }
        id = symbol.parent;
    }
}

/// Whether everything that the body of a type calls by a name is still to come, or being made, where the name stands.
pub(crate) fn comes_later(unit: &Unit, scope: ScopeId, name: TermId, reference: &Reference) -> bool {
    let is_type = matches!(reference.kind, RefKind::TypeRef | RefKind::Inherit);
    unit.declared(scope, name).all(|decl| match decl {
        // What a type is called may be said before there is one.
        Decl::Symbol(id) if is_type => unit.symbol(id).span.contains(reference.span.start),
        Decl::Symbol(id) => unit.symbol(id).span.end > reference.span.start,
        Decl::Binding(_) | Decl::Import(_) => false,
    })
}

/// Whether a scope is in a function that a type declares.
pub(crate) fn is_in_method(unit: &Unit, mut scope: ScopeId, of: ScopeId) -> bool {
    if unit.scope(of).kind != ScopeKind::Type {
        return false;
    }
    while scope.is_some() && scope != of {
        let entry = unit.scope(scope);
        let owner = unit.symbol(entry.owner);
        if owner.inner == scope && owner.kind.is_callable() && entry.parent == of {
            return true;
        }
        scope = entry.parent;
    }
    false
}
