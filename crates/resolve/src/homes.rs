//! Where a declaration counts in languages whose files are put together by including them.
//!
//! What stands in a namespace or a type without a name belongs to what is around it, members of an enum that is no scope
//! of its own too, and macros know no scopes at all.

use codegraph_languages::linking::Linking;
use codegraph_model::*;

/// The scopes of a file, each with the one that its declarations belong to.
pub(crate) struct Homes {
    of: Vec<ScopeId>,
    /// Scopes of types that have no name.
    nameless: Vec<bool>,
    /// Scopes of enums whose members are named through them only.
    apart: Vec<bool>,
    tags_leak: bool,
}

impl Homes {
    pub(crate) fn new(facts: &FileFacts, linking: &Linking) -> Homes {
        let count = facts.scopes.len();
        let mut named = vec![SymbolId::NONE; count];
        for (i, symbol) in facts.symbols.iter().enumerate().skip(1) {
            if let Some(inner) = symbol.inner.get() {
                named[inner.index()] = SymbolId(i as u32);
            }
        }
        let mut homes = Homes {
            of: (0..count as u32).map(ScopeId).collect(),
            nameless: vec![false; count],
            apart: vec![false; count],
            tags_leak: linking.tags_leak,
        };
        for (i, scope) in facts.scopes.iter().enumerate().skip(1) {
            let symbol = named[i].get().map(|id| &facts.symbols[id.index()]);
            let parent = homes.of[scope.parent.index()];
            match scope.kind {
                ScopeKind::Namespace if symbol.is_none_or(|s| s.flags.has(Flags::INLINE)) => homes.of[i] = parent,
                ScopeKind::Type if symbol.is_none() => {
                    homes.nameless[i] = true;
                    if facts.scopes[parent.index()].kind == ScopeKind::Type {
                        homes.of[i] = parent;
                    }
                }
                ScopeKind::Type => {
                    homes.apart[i] = symbol.is_some_and(|s| s.kind == SymbolKind::Enum && s.flags.has(Flags::SCOPED));
                }
                _ => {}
            }
        }
        homes
    }

    /// The scopes in which a symbol can be named.
    pub(crate) fn scopes(&self, facts: &FileFacts, symbol: &Symbol) -> [Option<ScopeId>; 2] {
        if symbol.kind == SymbolKind::Macro {
            return [Some(ScopeId(0)), None];
        }
        let own = self.of[symbol.scope.index()];
        let further = match symbol.kind {
            SymbolKind::EnumMember if !self.apart[symbol.scope.index()] => {
                Some(self.around(facts, facts.scopes[symbol.scope.index()].parent))
            }
            kind if self.tags_leak && kind.is_type() && facts.scopes[own.index()].kind == ScopeKind::Type => {
                Some(self.around(facts, own))
            }
            _ => None,
        };
        [Some(own), further.filter(|scope| *scope != own)]
    }

    /// The first scope outwards that is no part of another.
    fn around(&self, facts: &FileFacts, scope: ScopeId) -> ScopeId {
        let mut scope = scope;
        loop {
            let entry = &facts.scopes[scope.index()];
            let passes = entry.kind == ScopeKind::Type && (self.tags_leak || self.nameless[scope.index()]);
            if !passes || entry.parent.is_none() {
                return self.of[scope.index()];
            }
            scope = entry.parent;
        }
    }

    pub(crate) fn of(&self, scope: ScopeId) -> ScopeId {
        self.of[scope.index()]
    }
}
