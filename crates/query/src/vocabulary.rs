//! Words that people may use in questions: kinds, languages, line types. An unknown one is an error that lists them.

use std::collections::BTreeSet;

use codegraph_languages::Language;
use codegraph_model::{LineType, SymbolKind};

use crate::{Error, Result};

/// The symbol kinds that a word means: native (`class`), as shown (`Const`) or normalized (`struct`, `fn`).
///
/// Where a word is both native and normalized, the normalized meaning is the wider one and wins.
pub(crate) fn kinds(word: &str) -> Result<Vec<SymbolKind>> {
    let all = SymbolKind::ALL.iter().copied();
    let normalized: Vec<_> = all.clone().filter(|k| k.normalized().eq_ignore_ascii_case(word)).collect();
    if !normalized.is_empty() && word != "unknown" {
        return Ok(normalized);
    }
    let native = |k: &SymbolKind| k.word().eq_ignore_ascii_case(word) || k.display().eq_ignore_ascii_case(word);
    let native: Vec<_> = all.filter(native).collect();
    match native.is_empty() && normalized.is_empty() {
        true if singular(word) != word => kinds(singular(word)),
        true => Err(Error::unknown("symbol kind", word, kind_words())),
        false => Ok(if native.is_empty() { normalized } else { native }),
    }
}

/// `classes` and `calls` are words for what is called `class` and `call`.
pub(crate) fn singular(word: &str) -> &str {
    match word.strip_suffix('s') {
        Some(rest) if rest.ends_with("sse") => &rest[..rest.len() - 1],
        Some(rest) if !rest.ends_with('s') => rest,
        _ => word,
    }
}

fn kind_words() -> Vec<&'static str> {
    let mut words: Vec<&str> = SymbolKind::ALL.iter().map(|k| k.word()).collect();
    for kind in SymbolKind::ALL {
        if !words.contains(&kind.normalized()) {
            words.push(kind.normalized());
        }
    }
    words
}

/// The language with this name, in any case, or with this extension.
pub(crate) fn language(word: &str) -> Result<&'static Language> {
    let found = codegraph_languages::ALL.iter().copied().find(|l| l.name.eq_ignore_ascii_case(word));
    let extension = word.trim_start_matches(['*', '.']).to_ascii_lowercase();
    let is_plain = !extension.is_empty() && extension.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let by_extension = || codegraph_languages::for_path(&format!("a.{extension}")).next().filter(|_| is_plain);
    found.or_else(by_extension).ok_or_else(|| Error::unknown("language", word, language_words()))
}

fn language_words() -> impl Iterator<Item = &'static str> {
    codegraph_languages::ALL.iter().map(|language| language.name)
}

/// The types of lines that words mean.
pub fn line_types(words: &[String]) -> Result<Vec<LineType>> {
    words.iter().map(|word| line_type(word)).collect()
}

/// The kinds of symbols that a word means.
pub fn kinds_of(word: &str) -> Result<Vec<SymbolKind>> {
    kinds(word)
}

pub(crate) fn line_type(word: &str) -> Result<LineType> {
    let word = word.to_ascii_lowercase();
    let kind = |word: &str| kinds(word).ok().and_then(|kinds| kinds.first().map(|kind| kind.line_type()));
    let found = LineType::from_word(&word).or_else(|| LineType::from_word(singular(&word))).or_else(|| kind(&word));
    let word = word.as_str();
    found.ok_or_else(|| Error::unknown("line type", word, LineType::ALL.iter().map(|own| own.word())))
}

/// A label is a language or a kind.
pub(crate) enum Label {
    Language(&'static Language),
    Kinds(Vec<SymbolKind>),
}

pub(crate) fn label(word: &str) -> Result<Label> {
    if let Ok(language) = language(word) {
        return Ok(Label::Language(language));
    }
    kinds(word).map(Label::Kinds).map_err(|_| Error::unknown("label", word, language_words().chain(kind_words())))
}

/// Those of some languages that have this word as a keyword.
pub(crate) fn keyword_in(word: &str, languages: &BTreeSet<&str>) -> Vec<&'static str> {
    let spoken = codegraph_languages::ALL.iter().filter(|language| languages.contains(language.name));
    // Directives carry their mark in the grammar: `#include`.
    let directive = format!("#{word}");
    let has = |language: &&&'static Language| {
        let grammar = (language.grammar)();
        language.reserved.contains(&word)
            || [word, &directive].iter().any(|token| grammar.id_for_node_kind(token, false) != 0)
    };
    spoken.filter(has).map(|language| language.name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_accepted_in_every_projection() {
        assert_eq!(kinds("fn").expect("normalized"), [SymbolKind::Function]);
        assert_eq!(kinds("Const").expect("normalized"), [SymbolKind::Constant, SymbolKind::Static]);
        assert_eq!(kinds("class").expect("native"), [SymbolKind::Class]);
        assert!(kinds("struct").expect("normalized").contains(&SymbolKind::Class));
        assert_eq!(kinds("macro").expect("native"), [SymbolKind::Macro]);
        assert!(kinds("clazz").is_err());
    }
}
