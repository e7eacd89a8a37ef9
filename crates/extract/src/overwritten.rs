//! Definitions that a later one of the same name and scope replaces: what runs is the last one.

use codegraph_model::*;
use rustc_hash::FxHashMap;

/// Marks what is replaced. A definition that only runs under a condition replaces nothing for sure.
pub(crate) fn mark_overwritten(facts: &mut FileFacts, source: &[u8]) {
    let mut named: FxHashMap<(ScopeId, StrId), Vec<usize>> = FxHashMap::default();
    let mut outermost: FxHashMap<ScopeId, u32> = FxHashMap::default();
    outermost.insert(ScopeId(0), 0);
    for (place, symbol) in facts.symbols.iter().enumerate().skip(1) {
        let column = indentation(facts, source, symbol.name_span.start);
        let least = outermost.entry(symbol.scope).or_insert(column);
        *least = column.min(*least);
        // Inside a function each definition has its own stretch.
        let lasts = !matches!(facts.scopes[symbol.scope.index()].kind, ScopeKind::Function | ScopeKind::Block);
        if lasts && may_be_replaced(symbol) && is_asked_for(source, symbol.name_span) {
            named.entry((symbol.scope, symbol.name)).or_default().push(place);
        }
    }
    let mut replaced = Vec::new();
    for ((scope, _), mut places) in named.into_iter().filter(|(_, places)| places.len() > 1) {
        places.sort_unstable_by_key(|place| facts.symbols[*place].span.start);
        let last = places.pop().expect("there are at least two");
        let symbol = &facts.symbols[last];
        let same = |place: &usize| facts.symbols[*place].flags.has(Flags::STATIC) == symbol.flags.has(Flags::STATIC);
        if indentation(facts, source, symbol.name_span.start) == outermost[&scope] {
            replaced.extend(places.into_iter().filter(same));
        }
    }
    for place in replaced {
        facts.symbols[place].flags.insert(Flags::REPLACED);
    }
}

/// Names such as `_` are used for what nobody asks for by name.
fn is_asked_for(source: &[u8], name: Span) -> bool {
    source.get(name.range()).is_some_and(|text| text.iter().any(|b| b.is_ascii_alphanumeric() || !b.is_ascii()))
}

fn may_be_replaced(symbol: &Symbol) -> bool {
    use SymbolKind::*;
    matches!(symbol.kind, Function | Method | Class | Variable | Constant)
        && symbol.name.is_some()
        && symbol.qualifier.is_none()
        && !symbol.flags.has(Flags::DECLARATION)
        && !symbol.flags.has(Flags::MEMBER)
}

/// How far the line of an offset is indented.
fn indentation(facts: &FileFacts, source: &[u8], offset: u32) -> u32 {
    let start = facts.line_starts[facts.line_of(offset).max(1) as usize - 1] as usize;
    source[start..].iter().take_while(|b| matches!(b, b' ' | b'\t')).count() as u32
}
