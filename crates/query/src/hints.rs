//! Uses that only the text hints at: names that code puts together from strings, functions that a macro before them marks,
//! and types that add to those of another module.

use std::cell::RefCell;

use codegraph_model::{Span, Symbol, TermMask};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::doubt::Suspect;
use crate::{Reader, Result, vocabulary};

/// Files that are read for one name at most: where there are more, a word says nothing.
const MOST_FILES: usize = 200;

pub(crate) struct Hints<'r> {
    reader: &'r Reader,
    /// Parts of names that were looked for.
    known: RefCell<FxHashMap<(String, bool), bool>>,
    /// The names of all files, once they were asked for.
    files: RefCell<Option<FxHashSet<String>>>,
}

impl<'r> Hints<'r> {
    pub(crate) fn new(reader: &'r Reader) -> Hints<'r> {
        Hints { reader, known: RefCell::default(), files: RefCell::default() }
    }

    /// Whether something may use a symbol that no code names.
    pub(crate) fn may_use(&self, suspect: &Suspect<'_>, name: &str) -> Result<bool> {
        Ok(self.is_named_in_broken_text(suspect)?
            || self.is_marked(suspect, name)?
            || self.is_read_by_name(suspect, name)?
            || self.is_put_together(suspect, name)?)
    }

    /// The parser did not understand all of the file, and the name stands in its code on another line.
    fn is_named_in_broken_text(&self, suspect: &Suspect<'_>) -> Result<bool> {
        let record = self.reader.record(suspect.row.file)?;
        if record.problems.is_empty() {
            return Ok(false);
        }
        let own = suspect.file.stored.facts.line_of(suspect.symbol.name_span.start);
        let postings = self.reader.store.postings(suspect.name)?.into_iter();
        let mut here = postings.filter(|posting| posting.file == suspect.row.file).flat_map(|posting| posting.lines);
        Ok(here.any(|line| line.line != own && line.mask.has(TermMask::CODE)))
    }

    /// The file reads members by names that it makes at run time, and this could be one (`getattr(module, f"_{system}_{verb}")`).
    fn is_read_by_name(&self, suspect: &Suspect<'_>, name: &str) -> Result<bool> {
        let record = self.reader.record(suspect.row.file)?;
        let reader = vocabulary::language(&record.language)?.flow.map_or("", |flow| flow.member_reader);
        let Ok(text) = self.reader.text(&record) else { return Ok(true) };
        let mut lines =
            text.split(|b| *b == b'\n').filter(|line| memchr::memmem::find(line, reader.as_bytes()).is_some());
        Ok(!reader.is_empty() && lines.any(|line| fits_template(line, name)))
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

    /// The file takes in code of a file that is not here, which a build makes: nobody knows what that uses.
    fn takes_in_what_is_missing(&self, text: &[u8], language: &str) -> Result<bool> {
        let made_for_it = vocabulary::language(language)?.linking.included_extensions;
        let lines = text.split(|b| *b == b'\n').filter_map(|line| std::str::from_utf8(line.trim_ascii_start()).ok());
        let named = lines.filter_map(|line| {
            let path = line.strip_prefix('#')?.trim_start().strip_prefix("include")?.trim_start().strip_prefix('"')?;
            let name = path.split('"').next()?.rsplit('/').next()?;
            (!made_for_it.contains(&name.rsplit('.').next()?)).then_some(name)
        });
        let named: Vec<&str> = named.collect();
        if named.is_empty() {
            return Ok(false);
        }
        if self.files.borrow().is_none() {
            let all = self.reader.store.files()?.into_iter();
            let names = all.map(|file| file.path.rsplit('/').next().unwrap_or_default().to_owned());
            *self.files.borrow_mut() = Some(names.collect());
        }
        let files = self.files.borrow();
        Ok(named.iter().any(|name| files.as_ref().is_some_and(|files| !files.contains(*name))))
    }

    fn is_marked(&self, suspect: &Suspect<'_>, name: &str) -> Result<bool> {
        let record = self.reader.record(suspect.row.file)?;
        let Ok(text) = self.reader.text(&record) else { return Ok(true) };
        if suspect.has_headers && suspect.symbol.kind.is_callable() {
            let is_macro =
                name.bytes().any(|b| b.is_ascii_uppercase()) && !name.bytes().any(|b| b.is_ascii_lowercase());
            return Ok(is_macro
                || has_call_before(&text, suspect.symbol)
                || is_begun_by_macro(&text, name)
                || self.takes_in_what_is_missing(&text, &record.language)?);
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

/// Whether a macro of the file stands for the beginning of a name: a template that is included then puts names together.
fn is_begun_by_macro(text: &[u8], name: &str) -> bool {
    let lines = text.split(|b| *b == b'\n').filter_map(|line| line.strip_prefix(b"#"));
    let mut values = lines.filter_map(|line| {
        let mut words = line.split(|b| b.is_ascii_whitespace()).filter(|word| !word.is_empty());
        (words.next()? == b"define" && words.next().is_some()).then(|| words.next())?
    });
    values.any(|value| {
        value.len() > 2 && parts(name).iter().any(|(part, at_start)| *at_start && part.as_bytes() == value)
    })
}

/// Whether some string on a line has holes and could become a name.
fn fits_template(line: &[u8], name: &str) -> bool {
    let texts = line.split(|b| matches!(b, b'"' | b'\'' | b'`')).skip(1).step_by(2);
    texts.into_iter().any(|text| {
        let Ok(text) = std::str::from_utf8(text) else { return false };
        let mut rest = name;
        let mut parts = text.split('{');
        let first = parts.next().unwrap_or_default().trim_end_matches(['$', '#']);
        let Some(after) = rest.strip_prefix(first).filter(|_| text.contains('{')) else { return false };
        rest = after;
        for part in parts {
            let Some((_, fixed)) = part.split_once('}') else { return false };
            let fixed = fixed.trim_end_matches(['$', '#']);
            match rest.find(fixed) {
                Some(at) => rest = &rest[at + fixed.len()..],
                None => return false,
            }
        }
        true
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
    use super::{fits_template, goes_on, is_begun_by_macro, parts};

    #[test]
    fn a_macro_can_stand_for_the_beginning_of_a_name() {
        assert!(is_begun_by_macro(b"#define SH_PREFIX pagetable\n", "pagetable_free"));
        assert!(!is_begun_by_macro(b"#define SIZE 10\n", "pagetable_free"));
    }

    #[test]
    fn a_text_with_holes_could_become_a_name() {
        let line = br#"    run = getattr(sys.modules[__name__], f"_{kernel}_{verb}")"#;
        assert!(fits_template(line, "_linux_add"));
        assert!(!fits_template(line, "linux"));
        assert!(!fits_template(br#"getattr(x, "name")"#, "name"));
    }

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
