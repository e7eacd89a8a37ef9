//! Uses that only the text hints at: names that code puts together from strings, functions that a macro before them marks,
//! and types that add to those of another module.

use std::cell::RefCell;

use codegraph_model::{Span, Symbol, TermMask};
use rustc_hash::FxHashMap;

use crate::doubt::Suspect;
use crate::{Reader, Result};

/// Files that are read for one name at most: where there are more, a word says nothing.
const MOST_FILES: usize = 200;

pub(crate) struct Hints<'r> {
    reader: &'r Reader,
    /// Parts of names that were looked for.
    known: RefCell<FxHashMap<(String, bool), bool>>,
}

impl<'r> Hints<'r> {
    pub(crate) fn new(reader: &'r Reader) -> Hints<'r> {
        Hints { reader, known: RefCell::default() }
    }

    /// Whether something may use a symbol that no code names.
    pub(crate) fn may_use(&self, suspect: &Suspect<'_>, name: &str) -> Result<bool> {
        Ok(self.is_marked(suspect, name)? || self.is_put_together(suspect, name)?)
    }

    /// A part of the name stands in a string that goes on with something else (`"visit_" + kind`, `f"{kind}_handler"`).
    fn is_put_together(&self, suspect: &Suspect<'_>, name: &str) -> Result<bool> {
        if suspect.has_headers || !suspect.symbol.kind.is_callable() {
            return Ok(false);
        }
        for (part, at_start) in parts(name) {
            let key = (part.to_owned(), at_start);
            let known = self.known.borrow().get(&key).copied();
            let goes_on = match known {
                Some(known) => known,
                None => self.string_goes_on(part, at_start)?,
            };
            self.known.borrow_mut().insert(key, goes_on);
            if goes_on {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether some string has a part of a name at its border.
    fn string_goes_on(&self, part: &str, at_start: bool) -> Result<bool> {
        let Some(term) = self.reader.store.term(part)? else { return Ok(false) };
        for posting in self.reader.store.postings(term)?.into_iter().take(MOST_FILES) {
            let lines = posting.lines.iter().filter(|line| line.mask.has(TermMask::STRING));
            let lines: Vec<u32> = lines.map(|line| line.line).collect();
            if lines.is_empty() {
                continue;
            }
            let record = self.reader.record(posting.file)?;
            let Ok(text) = self.reader.text(&record) else { continue };
            let mut all = text.split(|b| *b == b'\n').enumerate();
            let wanted = |line: usize| lines.binary_search(&(line as u32 + 1)).is_ok();
            if all.any(|(at, line)| wanted(at) && goes_on(line, part.as_bytes(), at_start)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn is_marked(&self, suspect: &Suspect<'_>, name: &str) -> Result<bool> {
        let record = self.reader.record(suspect.row.file)?;
        let Ok(text) = self.reader.text(&record) else { return Ok(true) };
        if suspect.has_headers && suspect.symbol.kind.is_callable() {
            let is_macro =
                name.bytes().any(|b| b.is_ascii_uppercase()) && !name.bytes().any(|b| b.is_ascii_lowercase());
            return Ok(is_macro || has_call_before(&text, suspect.symbol));
        }
        // `declare module "x" { interface Y … }`
        let mut around = suspect.symbol.parent;
        let symbols = &suspect.file.stored.facts.symbols;
        while around.is_some() && around.0 != 0 {
            let entry = &symbols[around.index()];
            let before = entry.name_span.start.checked_sub(1).and_then(|at| text.get(at as usize));
            if entry.kind.is_module() && matches!(before, Some(b'"' | b'\'')) {
                return Ok(true);
            }
            around = entry.parent;
        }
        Ok(false)
    }
}

/// The parts of a name from its start, and to its end, at the borders of its words.
fn parts(name: &str) -> Vec<(&str, bool)> {
    let bytes = name.as_bytes();
    let mut found = Vec::new();
    for at in 1..bytes.len() {
        let before = bytes[at - 1];
        let is_border = before == b'_' && bytes[at] != b'_'
            || bytes[at] == b'_' && before != b'_'
            || before.is_ascii_lowercase() && bytes[at].is_ascii_uppercase();
        if is_border && name.is_char_boundary(at) {
            found.extend([(&name[..at], true), (&name[at..], false)]);
        }
    }
    found.retain(|(part, _)| part.len() > 2);
    found
}

/// Whether a string on a line has a part at its border, with more to come, or to come before it.
fn goes_on(line: &[u8], part: &[u8], at_start: bool) -> bool {
    let is_quote = |b: &u8| matches!(b, b'"' | b'\'' | b'`');
    memchr::memmem::find_iter(line, part).any(|at| match at_start {
        true => {
            let rest = &line[at + part.len()..];
            let after = rest.first();
            let joined =
                after.is_some_and(is_quote) && matches!(rest[1..].trim_ascii_start().first(), Some(b'.' | b'+'));
            joined || matches!(after, Some(b'{' | b'$' | b'#' | b'%'))
        }
        false => {
            let (before, rest) = (&line[..at], &line[at + part.len()..]);
            let ends = rest.first().is_some_and(is_quote);
            let opened = before.last().is_some_and(is_quote);
            let joined = opened && matches!(before[..before.len() - 1].trim_ascii_end().last(), Some(b'.' | b'+'));
            ends && (joined || before.last() == Some(&b'}') || before.ends_with(b"%s"))
        }
    })
}

/// Whether something like a call stands before the name of a function: an attribute of the compiler, or a macro for one.
fn has_call_before(text: &[u8], symbol: &Symbol) -> bool {
    let head = Span::new(symbol.span.start.min(symbol.name_span.start), symbol.name_span.start);
    let start = head.start as usize;
    let line = text[..start].trim_ascii_end();
    let above = &line[line.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1)..];
    let is_mark = above.ends_with(b")") && !above.starts_with(b"#") && !above.contains(&b';');
    is_mark || text[head.range()].contains(&b'(')
}

#[cfg(test)]
mod tests {
    use super::{goes_on, parts};

    #[test]
    fn parts_of_names_that_strings_go_on_with() {
        assert!(parts("compileEndAuth").contains(&("compile", true)));
        assert!(parts("_get_current_day").contains(&("_get_current_", true)));
        assert!(goes_on(b"$this->{'compile'.ucfirst($name)}()", b"compile", true));
        assert!(goes_on(b"getattr(view, \"_get_current_%s\" % period)", b"_get_current_", true));
        assert!(goes_on(b"this[`on${name}`]()", b"on", true));
        assert!(goes_on(b"getattr(self, f\"{kind}_handler\")", b"_handler", false));
        assert!(!goes_on(b"log('compile')", b"compile", true));
    }
}
