//! The checks of the reference implementation's linter, `scip lint`, and a parser for symbols.

use std::collections::BTreeSet;

use crate::types::{Index, SymbolRole};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::range::Range;

/// What is wrong with an index, nothing for a valid one.
pub fn lint(index: &Index) -> Vec<String> {
    let mut faults = Vec::new();
    let external = externals(index, &mut faults);
    let mut paths = FxHashSet::default();
    let mut known: FxHashSet<&str> = external.iter().copied().collect();
    for document in &index.documents {
        if document.relative_path.is_empty() || !paths.insert(document.relative_path.as_str()) {
            faults.push(format!("empty or repeated path '{}'", document.relative_path));
        }
        let mut own = FxHashSet::default();
        for information in &document.symbols {
            let symbol = information.symbol.as_str();
            if symbol.is_empty() || !own.insert(symbol) {
                faults.push(format!("empty or repeated symbol '{symbol}' in {}", document.relative_path));
            }
            if external.contains(symbol) {
                faults.push(format!("'{symbol}' is external and in {}", document.relative_path));
            }
            known.insert(symbol);
        }
    }
    relationships(index, &known, &mut faults);
    occurrences(index, &known, &mut faults);
    faults
}

fn externals<'i>(index: &'i Index, faults: &mut Vec<String>) -> FxHashSet<&'i str> {
    let mut external = FxHashSet::default();
    for information in &index.external_symbols {
        if information.symbol.is_empty() || !external.insert(information.symbol.as_str()) {
            faults.push(format!("empty or repeated external symbol '{}'", information.symbol));
        }
    }
    external
}

fn relationships(index: &Index, known: &FxHashSet<&str>, faults: &mut Vec<String>) {
    let mut pairs = FxHashSet::default();
    let all = index.documents.iter().flat_map(|document| &document.symbols).chain(&index.external_symbols);
    for information in all {
        for other in &information.relationships {
            let flags = [other.is_definition, other.is_reference, other.is_implementation, other.is_type_definition];
            if !flags.contains(&true) {
                faults.push(format!("'{}' has a relationship without a flag", information.symbol));
            }
            if !known.contains(other.symbol.as_str()) {
                faults.push(format!("'{}' is related to unknown '{}'", information.symbol, other.symbol));
            }
            if !pairs.insert((&information.symbol, &other.symbol)) {
                faults.push(format!("'{}' is related to '{}' twice", information.symbol, other.symbol));
            }
        }
    }
}

fn occurrences(index: &Index, known: &FxHashSet<&str>, faults: &mut Vec<String>) {
    let mut parsed: FxHashMap<&str, bool> = FxHashMap::default();
    for document in &index.documents {
        let path = &document.relative_path;
        let mut seen = BTreeSet::new();
        for occurrence in &document.occurrences {
            let symbol = occurrence.symbol.as_str();
            if !*parsed.entry(symbol).or_insert_with(|| is_canonical(symbol)) {
                faults.push(format!("'{symbol}' in {path} does not follow the grammar"));
            }
            let Some(range) = Range::of_occurrence(occurrence) else {
                faults.push(format!("a range of '{symbol}' in {path} has {} numbers", occurrence.range.len()));
                continue;
            };
            let roles = occurrence.symbol_roles;
            let both = SymbolRole::Definition as i32 | SymbolRole::ForwardDefinition as i32;
            if roles & both == both {
                faults.push(format!("'{symbol}' in {path} is a definition and a declaration"));
            }
            if !seen.insert((range, roles, symbol)) {
                faults.push(format!("'{symbol}' occurs twice in {path} at {:?}", range.start));
            }
            if !known.contains(symbol) {
                faults.push(format!("'{symbol}' in {path} at {:?} is not described", range.start));
            }
            if Range::around(occurrence).is_some_and(|around| around.start > range.start || around.end < range.end) {
                faults.push(format!("the enclosing range of '{symbol}' in {path} does not enclose it"));
            }
        }
    }
}

/// Whether a symbol follows the grammar and is written in its one form.
fn is_canonical(symbol: &str) -> bool {
    if let Some(local) = symbol.strip_prefix("local ") {
        return !local.is_empty() && local.bytes().all(is_plain);
    }
    let mut rest = symbol;
    for _ in 0..4 {
        match after_word(rest) {
            Some(next) => rest = next,
            None => return false,
        }
    }
    descriptors(rest).is_some_and(|names| !names.is_empty())
}

/// What follows a word in which a space is written twice.
fn after_word(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    let mut at = 0;
    loop {
        at += text.get(at..)?.find(' ')?;
        match bytes.get(at + 1) {
            Some(b' ') => at += 2,
            _ => return (at > 0).then(|| &text[at + 1..]),
        }
    }
}

const fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'+' | b'-' | b'$')
}

/// The names of the descriptors of a symbol; nothing if the text does not follow the grammar.
pub(crate) fn descriptors(mut text: &str) -> Option<Vec<String>> {
    let mut names = Vec::new();
    while !text.is_empty() {
        let (name, rest) = match text.as_bytes()[0] {
            open @ (b'(' | b'[') => {
                let (name, rest) = identifier(&text[1..])?;
                (name, rest.strip_prefix(if open == b'(' { ')' } else { ']' })?)
            }
            _ => {
                let (name, rest) = identifier(text)?;
                (name, after_suffix(rest)?)
            }
        };
        names.push(name);
        text = rest;
    }
    Some(names)
}

fn after_suffix(text: &str) -> Option<&str> {
    match text.as_bytes().first()? {
        b'/' | b'#' | b'.' | b':' | b'!' => Some(&text[1..]),
        b'(' => {
            let end = text.find(").")?;
            text[1..end].bytes().all(is_plain).then(|| &text[end + 2..])
        }
        _ => None,
    }
}

fn identifier(text: &str) -> Option<(String, &str)> {
    let Some(mut rest) = text.strip_prefix('`') else {
        let end = text.bytes().position(|byte| !is_plain(byte)).unwrap_or(text.len());
        return (end > 0).then(|| (text[..end].to_owned(), &text[end..]));
    };
    let mut name = String::new();
    loop {
        let end = rest.find('`')?;
        name.push_str(&rest[..end]);
        rest = &rest[end + 1..];
        match rest.strip_prefix('`') {
            Some(more) => {
                name.push('`');
                rest = more;
            }
            // What could be plain must be.
            None => return (!name.bytes().all(is_plain)).then_some((name, rest)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grammar_is_followed() {
        for good in
            ["local 12", "codegraph . my  app . src/`a b.rs`/T#f(+1).", "a b c d x.", "a . . . [T]", "a . . . f().(x)"]
        {
            assert!(is_canonical(good), "{good}");
        }
        for bad in ["", "local ", "local a.b", "a . . x.", "a . . . ", "a . . . x", "a . . . `x`.", "a . . . f(+1)"] {
            assert!(!is_canonical(bad), "{bad}");
        }
        assert_eq!(descriptors("a/`b``c`#d()."), Some(vec!["a".into(), "b`c".into(), "d".into()]));
    }
}
