//! Which calls run another method than the one that they name, and which of several overloads a method overrides.

use codegraph_model::{ExprOp, FileId, Flags, Param, Symbol, SymbolKind};
use codegraph_store::{LinkTarget, Stored, SymbolRow};

use crate::graph::{Graph, Site, is_call};
use crate::{Result, vocabulary};

/// The calls of a method that may run another one in its place: not those that say whose method runs (`super().m()`,
/// `Base.m(self)`).
pub(crate) fn open_uses(graph: &Graph<'_>, method: SymbolRow) -> Result<Vec<Site>> {
    let mut open = Vec::new();
    for site in graph.uses_of(method)?.into_iter().filter(|site| is_call(site.reference.kind)) {
        if !says_whose(graph, &site)? {
            open.push(site);
        }
    }
    Ok(open)
}

/// The first of some calls that may run another method.
pub(crate) fn first_open(graph: &Graph<'_>, sites: &[Site]) -> Result<Option<Site>> {
    for site in sites {
        if !says_whose(graph, site)? {
            return Ok(Some(*site));
        }
    }
    Ok(None)
}

/// Whether what stands before the dot is the base type, or a type that has values of its own.
fn says_whose(graph: &Graph<'_>, site: &Site) -> Result<bool> {
    use SymbolKind::{Class, Enum, Record, Struct};
    let Some(receiver) = site.reference.receiver.get() else { return Ok(false) };
    let id = site.user.file;
    let stored = graph.facts(id)?;
    let Some(expr) = stored.facts.exprs.get(receiver.index()).copied() else { return Ok(false) };
    match expr.op {
        ExprOp::Super => Ok(true),
        ExprOp::Ref => {
            let file = graph.file(id)?;
            let Ok(place) = file.links.bound.binary_search_by_key(&expr.a, |bound| bound.reference.0) else {
                return Ok(false);
            };
            let LinkTarget::Symbol(row) = file.links.target(&file.links.bound[place]) else { return Ok(false) };
            let kind = graph.reader.outline(row.file)?.facts.symbols[row.symbol.index()].kind;
            Ok(matches!(kind, Class | Enum | Record | Struct))
        }
        _ => Ok(false),
    }
}

/// Whether a method of a type below stands for one above: of overloads, the one that takes the same.
pub(crate) fn fits(graph: &Graph<'_>, below: SymbolRow, above: SymbolRow) -> Result<bool> {
    let language = vocabulary::language(&graph.reader.record(below.file)?.language)?;
    if !language.linking.overloads {
        return Ok(true);
    }
    let (lower, upper) = (graph.reader.outline(below.file)?, graph.reader.outline(above.file)?);
    let own = &lower.facts.symbols[below.symbol.index()];
    let other = &upper.facts.symbols[above.symbol.index()];
    if !own.kind.is_callable() || !other.kind.is_callable() {
        return Ok(true);
    }
    if taken(own).count() != taken(other).count() {
        return Ok(false);
    }
    let (Some(mine), Some(theirs)) = (types(graph, below.file, own)?, types(graph, above.file, other)?) else {
        return Ok(true);
    };
    if mine == theirs {
        return Ok(true);
    }
    // A type parameter may have another name; but where an overload takes just the same, that one is meant.
    let better = |stored: &Stored, file: FileId, of: &Symbol, wanted: &[String]| -> Result<bool> {
        for beside in stored.facts.symbols.iter().filter(|s| s.parent == of.parent && s.name == of.name) {
            let same_count = taken(beside).count() == wanted.len();
            if same_count && types(graph, file, beside)?.is_some_and(|types| types == wanted) {
                return Ok(true);
            }
        }
        Ok(false)
    };
    Ok(!better(&upper, above.file, other, &mine)? && !better(&lower, below.file, own, &theirs)?)
}

fn taken(symbol: &Symbol) -> impl Iterator<Item = &Param> {
    symbol.params.iter().filter(|param| !param.flags.has(Flags::RECEIVER))
}

/// The types of what a function takes, as written but without what differs for no reason.
fn types(graph: &Graph<'_>, file: FileId, symbol: &Symbol) -> Result<Option<Vec<String>>> {
    let Some(source) = graph.source(file)? else { return Ok(None) };
    Ok(Some(taken(symbol).map(|param| plain(&source.text(param.type_span))).collect()))
}

/// Whether a method can stand for one of an interface that nothing names: both take the same types, and give something or
/// nothing. Types that cannot be compared as they are written (type parameters, types of functions) may be the same.
pub(crate) fn takes_the_same(graph: &Graph<'_>, one: (FileId, &Symbol), other: (FileId, &Symbol)) -> Result<bool> {
    if taken(one.1).count() != taken(other.1).count() || one.1.type_span.is_empty() != other.1.type_span.is_empty() {
        return Ok(false);
    }
    let written = |(file, symbol): (FileId, &Symbol)| -> Result<Option<Vec<String>>> {
        let Some(source) = graph.source(file)? else { return Ok(None) };
        Ok(Some(taken(symbol).map(|param| unqualified(&source.text(param.type_span))).collect()))
    };
    let (Some(mine), Some(theirs)) = (written(one)?, written(other)?) else { return Ok(true) };
    Ok(mine.iter().zip(&theirs).all(|(a, b)| a == b || !is_comparable(a) || !is_comparable(b)))
}

/// A short name in capitals may be a type parameter.
fn is_comparable(written: &str) -> bool {
    let words = written.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    let is_parameter = |word: &str| word.len() <= 2 && word.starts_with(char::is_uppercase);
    !written.is_empty() && !written.contains("func(") && !words.into_iter().any(is_parameter)
}

/// A type without spaces, and its names without the packages before them.
fn unqualified(written: &str) -> String {
    let mut text = String::with_capacity(written.len());
    let mut word = 0;
    let mut letters = written.chars().filter(|letter| !letter.is_whitespace()).peekable();
    while let Some(letter) = letters.next() {
        if letter == '.' && text.len() > word && letters.peek() != Some(&'.') {
            text.truncate(word);
            continue;
        }
        text.push(letter);
        if !letter.is_alphanumeric() && letter != '_' {
            word = text.len();
        }
    }
    text.replace("interface{}", "any")
}

/// A type without spaces, type arguments and the path before its name.
fn plain(written: &str) -> String {
    let (mut depth, mut text) = (0_u32, String::new());
    for letter in written.chars() {
        match letter {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            '.' if depth == 0 && !text.ends_with('.') => text.clear(),
            letter if depth == 0 && !letter.is_whitespace() => text.push(letter),
            _ => {}
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{is_comparable, plain, unqualified};

    #[test]
    fn types_of_interfaces_are_compared_by_their_last_names() {
        assert_eq!(unqualified("[]*io.Reader"), "[]*Reader");
        assert_eq!(unqualified("map[a.Key] []b.Value"), "map[Key][]Value");
        assert_eq!((unqualified("...any"), unqualified("...interface{}")), ("...any".into(), "...any".into()));
        assert!(is_comparable("[]string") && !is_comparable("map[K]V") && !is_comparable("func(int)bool"));
    }

    #[test]
    fn types_are_compared_without_paths_and_arguments() {
        assert_eq!(plain("java.util.Map<K, List<V>> []"), "Map[]");
        assert_eq!(plain("String"), "String");
    }
}
