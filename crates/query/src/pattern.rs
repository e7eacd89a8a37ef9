//! The ways a name can be matched, as a list of dictionary terms.

use codegraph_model::Mode;
use codegraph_store::Term;

use crate::{Error, Reader, Result};

/// The terms that a text means. The exact case comes first in mode `exact`.
pub(crate) fn terms(reader: &Reader, text: &str, mode: Mode, case_sensitive: bool) -> Result<Vec<Term>> {
    let store = &reader.store;
    Ok(match mode {
        Mode::Exact => store.terms_equal(text, case_sensitive)?,
        Mode::StartsWith => store.terms_starting(text, case_sensitive)?,
        Mode::Contains if case_sensitive => {
            let finder = memchr::memmem::Finder::new(text);
            store.terms_matching(|term| finder.find(term.as_bytes()).is_some())?
        }
        Mode::Contains => store.terms_matching(|term| contains_folded(term.as_bytes(), text.as_bytes()))?,
        Mode::Regex => {
            let regex = compile(text, case_sensitive)?;
            store.terms_matching(|term| regex.is_match(term))?
        }
        Mode::Semantic => {
            return Err(Error::Invalid {
                what: "names are not looked for by their meaning".into(),
                give: "ask `query` in this mode, or `context` with a task",
            });
        }
    })
}

fn compile(pattern: &str, case_sensitive: bool) -> Result<regex::Regex> {
    let built = regex::RegexBuilder::new(pattern).case_insensitive(!case_sensitive).size_limit(1 << 22).build();
    built.map_err(|error| {
        let text = error.to_string();
        let reason = text.lines().last().unwrap_or(&text).trim_start_matches("error: ").to_owned();
        Error::Regex { pattern: pattern.to_owned(), reason }
    })
}

fn contains_folded(text: &[u8], part: &[u8]) -> bool {
    let Some((first, rest)) = part.split_first() else {
        return true;
    };
    let (low, high) = (first.to_ascii_lowercase(), first.to_ascii_uppercase());
    memchr::memchr2_iter(low, high, text)
        .any(|at| text.get(at + 1..at + part.len()).is_some_and(|tail| tail.eq_ignore_ascii_case(rest)))
}

#[cfg(test)]
mod tests {
    use super::contains_folded;

    #[test]
    fn containing_ignores_ascii_case() {
        assert!(contains_folded(b"PlayerHealth", b"rheal"));
        assert!(contains_folded(b"x", b"X"));
        assert!(!contains_folded(b"Player", b"players"));
    }
}
