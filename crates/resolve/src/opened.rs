//! Namespaces that macros open: `LIB_BEGIN … LIB_END`, each alone on its line, where another file says
//! `#define LIB_BEGIN namespace lib {`.

use std::rc::Rc;
use std::sync::Arc;

use codegraph_model::*;

use crate::lookup::Linker;
use crate::spaces::SpaceId;
use crate::{TermId, Unit};

/// What a macro that stands alone between declarations does.
#[derive(Clone, Debug)]
pub(crate) enum Opened {
    /// One in the other.
    Namespaces(Rc<[TermId]>),
    Closes,
}

/// A part of a scope whose declarations are in a namespace that is not written there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Region {
    pub(crate) scope: ScopeId,
    pub(crate) span: Span,
    pub(crate) space: SpaceId,
}

/// The macros that stand alone between declarations.
pub(crate) fn brackets(unit: &Unit) -> impl Iterator<Item = &Reference> + '_ {
    let outside = |scope: ScopeId| matches!(unit.scope(scope).kind, ScopeKind::Module | ScopeKind::Namespace);
    let refs = if unit.language.linking.headers { &unit.facts.refs[..] } else { &[] };
    refs.iter().filter(move |r| r.kind == RefKind::Macro && r.args > 0 && outside(r.scope))
}

impl Linker<'_> {
    /// The regions of a scope that is in a namespace itself.
    pub(crate) fn regions(&mut self, unit: &Arc<Unit>, scope: ScopeId, around: SpaceId) -> Vec<Region> {
        let mut all: Vec<Region> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        for reference in brackets(unit).filter(|reference| reference.scope == scope) {
            let end = unit.scope(scope).span.end.max(unit.facts.length);
            match self.opened(unit.name(reference.name)) {
                Some(Opened::Namespaces(path)) => {
                    let from = open.last().map_or(around, |last| all[*last].space);
                    let space = path.iter().fold(from, |space, name| self.open_spaces.number(space, *name));
                    open.push(all.len());
                    all.push(Region { scope, span: Span::new(reference.span.end, end), space });
                }
                Some(Opened::Closes) => {
                    if let Some(last) = open.pop() {
                        all[last].span.end = reference.span.start;
                    }
                }
                None => {}
            }
        }
        all
    }

    /// What a macro of this name opens or closes.
    fn opened(&mut self, name: TermId) -> Option<Opened> {
        if let Some(known) = self.open_spaces.opened.get(&name) {
            return known.clone();
        }
        let mut found = None;
        let mut best = u8::MAX;
        for &file in self.program.defining(name).iter() {
            let unit = self.unit(file);
            let private = !self.is_included(&unit);
            for id in unit.named(name).filter(|id| unit.symbol(*id).kind == SymbolKind::Macro) {
                let unlikely = unit.symbol(id).flags.has(Flags::INACTIVE);
                let rank = 2 * u8::from(unlikely) + u8::from(private);
                if rank < best {
                    (found, best) = (opened_by(&unit, id), rank);
                }
            }
        }
        self.open_spaces.opened.insert(name, found.clone());
        found
    }
}

fn opened_by(unit: &Unit, id: SymbolId) -> Option<Opened> {
    if unit.note(id, Tie::SelfType).is_some() {
        return Some(Opened::Closes);
    }
    let span = unit.symbol(id).span;
    let inside = |symbol: &&Symbol| symbol.kind == SymbolKind::Namespace && span.contains(symbol.name_span.start);
    let path: Rc<[TermId]> = unit.facts.symbols.iter().skip(1).filter(inside).map(|s| unit.name(s.name)).collect();
    (!path.is_empty()).then_some(Opened::Namespaces(path))
}
