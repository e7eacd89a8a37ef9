//! Definitions of one name in one scope of which one runs: those of which a condition chooses one (`try` and `except`, a
//! platform, a build) are variants of one symbol and are asked for together; those that a later one replaces are not meant.

use codegraph_model::{Flags, Symbol, SymbolId};

/// Whether two definitions of a file are variants of one symbol.
pub(crate) fn are_twins(a: &Symbol, b: &Symbol) -> bool {
    let judged = |s: &Symbol| s.name.is_some() && (s.kind.is_callable() || s.kind.is_type());
    let lasts = |s: &Symbol| !s.flags.has(Flags::REPLACED) && !s.flags.has(Flags::DECLARATION);
    is_same_name(a, b) && a.kind == b.kind && judged(a) && lasts(a) && lasts(b)
}

/// Whether a definition is replaced by another one.
pub(crate) fn is_replaced_by(old: &Symbol, new: &Symbol) -> bool {
    is_same_name(old, new) && old.flags.has(Flags::REPLACED) && !new.flags.has(Flags::REPLACED)
}

/// The definition that runs in place of a replaced one.
pub(crate) fn replacement(symbols: &[Symbol], id: SymbolId) -> Option<SymbolId> {
    let own = &symbols[id.index()];
    let place = symbols.iter().rposition(|new| is_replaced_by(own, new))?;
    Some(SymbolId(place as u32))
}

/// The function with a body that a declaration of an overload stands for.
pub(crate) fn implementation(symbols: &[Symbol], id: SymbolId) -> Option<SymbolId> {
    let own = &symbols[id.index()];
    if !own.flags.has(Flags::DECLARATION) || !own.kind.is_callable() || own.name.is_none() {
        return None;
    }
    let is_body = |s: &Symbol| is_same_name(own, s) && s.kind == own.kind && !s.flags.has(Flags::DECLARATION);
    let place = symbols.iter().position(|s| is_body(s) && s.span.start > own.span.start)?;
    Some(SymbolId(place as u32))
}

fn is_same_name(a: &Symbol, b: &Symbol) -> bool {
    (a.scope, a.name, a.qualifier, a.parent) == (b.scope, b.name, b.qualifier, b.parent)
}

/// The other variants of a symbol, in languages in which a name means one function.
pub(crate) fn twins(symbols: &[Symbol], id: SymbolId) -> Vec<SymbolId> {
    let own = &symbols[id.index()];
    let others = symbols.iter().enumerate().filter(|(at, other)| *at != id.index() && are_twins(own, other));
    others.map(|(at, _)| SymbolId(at as u32)).collect()
}
