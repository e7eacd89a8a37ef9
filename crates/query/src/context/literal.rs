//! What a task quotes, letter by letter: options (`--collect-only`), words in quotes and backticks, names with hyphens. Split into
//! words it is in many places, as it is written in few.

use std::sync::LazyLock;

use codegraph_model::FileId;
use memchr::memmem;
use regex::Regex;
use rustc_hash::FxHashMap;

use super::meaning::Compared;
use super::rank::{Ranked, sort};
use super::task::Literal;
use crate::{Reader, Result};

/// What the only place of a literal gains, what it may gain in all, and in how many places a literal says nothing.
const GAIN: f64 = 0.35;
const MOST_GAIN: f64 = 2.0;
const MOST_PLACES: usize = 40;
/// Literals that are looked for.
const MOST: usize = 40;
/// The bytes of one: less is anything, more is a text.
const SHORTEST: usize = 4;
const LONGEST: usize = 80;
/// The text of a task that they are taken from.
const MOST_BYTES: usize = 4000;

static QUOTED: LazyLock<Regex> = LazyLock::new(|| {
    // How long they may be is asked later: counting makes a large automaton.
    Regex::new(r#"`([^`\n]+)`|"([^"\n]+)"|(?:^|[^A-Za-z0-9_])'([^'\n]+)'"#).expect("it compiles")
});
static JOINED: LazyLock<Regex> = LazyLock::new(|| {
    let (option, hyphens) = (r"--?[A-Za-z][A-Za-z0-9_-]+", r"[a-z]+(?:-[a-z]+)+");
    Regex::new(&format!(r"(?:^|[^A-Za-z0-9_./-])({option}|{hyphens})")).expect("it compiles")
});

/// The literals of a task, those of the title for twice as much.
pub(super) fn literals(text: &str, title: &str) -> Vec<Literal> {
    let end = (0..=MOST_BYTES.min(text.len())).rev().find(|end| text.is_char_boundary(*end));
    let text = &text[..end.unwrap_or_default()];
    let mut found: Vec<Literal> = Vec::new();
    for captures in QUOTED.captures_iter(text).chain(JOINED.captures_iter(text)) {
        let Some(group) = captures.iter().skip(1).flatten().next() else { continue };
        let text = group.as_str().trim();
        let is_known = found.iter().any(|known| known.text == text);
        if !(SHORTEST..=LONGEST).contains(&text.len()) || is_known || text.starts_with("http") || found.len() == MOST {
            continue;
        }
        let said = if title.contains(text) { 2.0 } else { 1.0 };
        found.push(Literal { text: text.to_owned(), said });
    }
    found
}

/// Symbols that have a literal of the task in their documentation or body gain, the more the fewer have it.
pub(super) fn weigh(reader: &Reader, literals: &[Literal], symbols: &mut [Ranked]) -> Result<()> {
    if literals.is_empty() {
        return Ok(());
    }
    let finders: Vec<_> = literals.iter().map(|literal| memmem::Finder::new(literal.text.as_bytes())).collect();
    let mut by_file: FxHashMap<FileId, Vec<usize>> = FxHashMap::default();
    for (place, one) in symbols.iter().enumerate() {
        by_file.entry(one.row.file).or_default().push(place);
    }
    let mut have: Vec<Vec<usize>> = vec![Vec::new(); literals.len()];
    for (file, places) in by_file {
        let view = reader.view_of(file)?;
        let compared = Compared::of(reader, &view);
        for place in places {
            let texts: Vec<&str> = compared.texts(symbols[place].row.symbol).collect();
            for (finder, have) in finders.iter().zip(&mut have) {
                if texts.iter().any(|text| finder.find(text.as_bytes()).is_some()) {
                    have.push(place);
                }
            }
        }
    }
    let mut gains = vec![0.0; symbols.len()];
    for (literal, places) in literals.iter().zip(&have).filter(|(_, places)| places.len() <= MOST_PLACES) {
        places.iter().for_each(|place| gains[*place] += literal.said / (places.len() as f64).sqrt());
    }
    for (one, gain) in symbols.iter_mut().zip(gains) {
        one.score *= 1.0 + GAIN * f64::min(gain, MOST_GAIN);
    }
    sort(symbols);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_what_is_quoted_and_what_hyphens_join() {
        let of = |text: &str| -> Vec<String> {
            let title = text.lines().next().unwrap_or_default();
            literals(text, title).into_iter().map(|one| format!("{} {}", one.text, one.said)).collect()
        };
        assert_eq!(
            of("`--recursive=y` ignores `ignore-paths`"),
            ["--recursive=y 2", "ignore-paths 2", "--recursive 2"]
        );
        assert_eq!(
            of("needs a shortcut\nfor --collect-only, says \"no tests ran\""),
            ["no tests ran 1", "--collect-only 1"]
        );
        assert_eq!(of("see https://a.b/not-this and src/not-that.py, it's o'clock"), [] as [&str; 0]);
        assert!(literals(&"é".repeat(5000), "").is_empty());
    }
}
