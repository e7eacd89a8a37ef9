//! Whether a symbol that nothing is proved to refer to may be used all the same: where its name stands, what else has it, and
//! names that macros put together.

use codegraph_model::{FileFacts, Flags, RefKind, Reference, StrId, Symbol, SymbolKind, TermId, TermMask};
use codegraph_store::{LineMask, LinkTarget, Stored, SymbolRow};
use rustc_hash::FxHashSet;

use crate::graph::{Graph, LinkedFile};
use crate::{Reader, Result, vocabulary};

/// What the places of a name say about a symbol without a proved use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Doubt {
    /// Every place means something else.
    None,
    /// Some place may mean it.
    Some,
    /// It is another name for something, and used as such.
    Used,
}

/// A symbol in question.
pub(crate) struct Suspect<'a> {
    pub(crate) row: SymbolRow,
    pub(crate) symbol: &'a Symbol,
    pub(crate) name: TermId,
    pub(crate) file: &'a LinkedFile,
    /// Files of its language include each other.
    pub(crate) has_headers: bool,
}

/// Looks at all places of the name.
pub(crate) fn doubt(reader: &Reader, graph: &Graph<'_>, suspect: &Suspect<'_>) -> Result<Doubt> {
    let mut found = if is_spelled(reader, graph, suspect)? { Doubt::Some } else { Doubt::None };
    let own = reader.record(suspect.row.file)?.language.clone();
    let language = vocabulary::language(&own)?;
    for posting in reader.store.postings(suspect.name)? {
        if posting.lines.iter().any(|line| line.mask.has(TermMask::STRING)) {
            found = Doubt::Some;
        }
        let file = graph.file(posting.file)?;
        let facts = &file.stored.facts;
        let Some(id) = file.stored.str_id(suspect.name) else { continue };
        let refs = facts.refs.iter().filter(|r| r.name == id).map(|r| r.span);
        let symbols = facts.symbols.iter().filter(|s| s.name == id).map(|s| s.name_span);
        let bindings = facts.bindings.iter().filter(|b| b.name == id).map(|b| b.span);
        let known: FxHashSet<u32> = refs.chain(symbols).chain(bindings).map(|span| facts.line_of(span.start)).collect();
        let open = |line: &&LineMask| line.mask.has(TermMask::CODE) && !known.contains(&line.line);
        if posting.lines.iter().any(|line| open(&line)) {
            found = Doubt::Some;
        }
        let record = reader.record(posting.file)?;
        let same_language = record.language == own;
        // Declared in another language, or asked for by an interface: others call it by that name.
        let asks = |symbol: &Symbol| match same_language {
            true => {
                language.linking.structural_interfaces
                    && is_asked_for(facts, symbol)
                    && suspect.symbol.kind.is_callable()
            }
            false => symbol.flags.has(Flags::DECLARATION) && suspect.symbol.kind.is_callable(),
        };
        if facts.symbols.iter().any(|symbol| symbol.name == id && asks(symbol)) {
            found = Doubt::Some;
        }
        for bound in &file.links.bound {
            let reference = &facts.refs[bound.reference.index()];
            if reference.name != id || !same_language {
                continue;
            }
            if let LinkTarget::Symbol(target) = file.links.target(bound)
                && target.file != suspect.row.file
                && are_twins(graph, suspect, *target)?
            {
                found = Doubt::Some;
            }
            match place(suspect, &file, reference, file.links.target(bound))? {
                Doubt::Used => return Ok(Doubt::Used),
                Doubt::Some => found = Doubt::Some,
                Doubt::None => {}
            }
        }
    }
    Ok(found)
}

/// Whether a name stands somewhere without the marks that are no part of a word: `method(:valid?)`.
fn is_spelled(reader: &Reader, graph: &Graph<'_>, suspect: &Suspect<'_>) -> Result<bool> {
    let text = reader.store.text(suspect.name)?;
    let word = text.trim_end_matches(['?', '!', '=']);
    if word.len() == text.len() || word.is_empty() {
        return Ok(false);
    }
    let Some(term) = reader.store.term(word)? else { return Ok(false) };
    for posting in reader.store.postings(term)? {
        let file = graph.file(posting.file)?;
        let facts = &file.stored.facts;
        let names = [file.stored.str_id(suspect.name), file.stored.str_id(term)];
        let is_one = |name: StrId| name.is_some() && names.contains(&Some(name));
        let refs = facts.refs.iter().filter(|r| is_one(r.name)).map(|r| r.span);
        let symbols = facts.symbols.iter().filter(|s| is_one(s.name)).map(|s| s.name_span);
        let bindings = facts.bindings.iter().filter(|b| is_one(b.name)).map(|b| b.span);
        let known: FxHashSet<u32> = refs.chain(symbols).chain(bindings).map(|span| facts.line_of(span.start)).collect();
        let open = |line: &LineMask| {
            line.mask.has(TermMask::STRING) || line.mask.has(TermMask::CODE) && !known.contains(&line.line)
        };
        if posting.lines.iter().any(open) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a symbol is a method of an interface.
fn is_asked_for(facts: &FileFacts, symbol: &Symbol) -> bool {
    symbol.parent.get().is_some_and(|parent| facts.symbols[parent.index()].kind == SymbolKind::Interface)
}

/// Whether two symbols at the top of files have one qualified name: variants for platforms, overloads.
fn are_twins(graph: &Graph<'_>, suspect: &Suspect<'_>, other: SymbolRow) -> Result<bool> {
    let outline = graph.reader.outline(other.file)?;
    let symbol = &outline.facts.symbols[other.symbol.index()];
    let at_top = |symbol: &Symbol| symbol.parent.0 == 0 && symbol.name.is_some();
    if !at_top(suspect.symbol) || !at_top(symbol) || outline.term(symbol.name) != suspect.name {
        return Ok(false);
    }
    let (own, its) = (graph.reader.record(suspect.row.file)?, graph.reader.record(other.file)?);
    let extensions = vocabulary::language(&own.language)?.linking.extensions;
    let qualifier = |stored: &Stored, symbol: &Symbol| symbol.qualifier.get().map(|name| stored.term(name));
    let of_one = qualifier(&suspect.file.stored, suspect.symbol) == qualifier(&outline, symbol);
    Ok((own.module == its.module || own.package == its.package && !own.package.is_empty() && extensions)
        && (of_one || extensions))
}

/// What one use of the name says that means something else.
fn place(suspect: &Suspect<'_>, file: &LinkedFile, reference: &Reference, target: &LinkTarget) -> Result<Doubt> {
    let plain = reference.receiver.is_none();
    let at_home = file.id == suspect.row.file;
    let user = file.user(reference);
    if at_home && file.is_inside(user, suspect.row.symbol) && user.0 != 0 {
        return Ok(Doubt::None);
    }
    let LinkTarget::Symbol(target) = target else {
        // Its own name for something outside; elsewhere, the name of something outside that it may stand in for.
        let imports = reference.kind == RefKind::Import;
        return Ok(match plain {
            true if at_home && !imports => Doubt::Used,
            true => Doubt::Some,
            false => Doubt::None,
        });
    };
    if target.file == suspect.row.file && *target != suspect.row {
        // Another definition of the name in the same file: a variant, an overload, or what was taken for it.
        let inside_it = at_home && file.is_inside(user, target.symbol) && user.0 != 0;
        return Ok(if inside_it { Doubt::None } else { Doubt::Some });
    }
    let is_alias = at_home && plain && reference.kind != RefKind::Import && reference.span != suspect.symbol.name_span;
    if is_alias && target.file != suspect.row.file {
        return Ok(Doubt::Used);
    }
    // What is included from several files may be defined in each of them; what is mixed in overrides others.
    let parent = suspect.symbol.parent.get().map(|parent| suspect.file.stored.facts.symbols[parent.index()].kind);
    let mixed_in =
        matches!(parent, Some(SymbolKind::Module | SymbolKind::Trait)) && suspect.symbol.kind == SymbolKind::Method;
    let included = suspect.has_headers && target.file != file.id && suspect.symbol.kind.is_callable();
    Ok(if mixed_in || included { Doubt::Some } else { Doubt::None })
}

/// The parts of names that macros put together with others (`a ## _ctl`).
#[derive(Default)]
pub(crate) struct Pasted {
    before: Vec<String>,
    after: Vec<String>,
}

impl Pasted {
    /// Reads the texts of all files in languages that put names together.
    pub(crate) fn read(reader: &Reader) -> Result<Pasted> {
        let mut found = Pasted::default();
        for record in reader.store.files()? {
            if !vocabulary::language(&record.language)?.linking.headers {
                continue;
            }
            let Ok(text) = reader.text(&record) else { continue };
            found.add(&text);
        }
        for list in [&mut found.before, &mut found.after] {
            list.sort_unstable();
            list.dedup();
        }
        Ok(found)
    }

    fn add(&mut self, text: &[u8]) {
        let is_word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
        for at in memchr::memmem::find_iter(text, b"##") {
            let before = text[..at].trim_ascii_end();
            let word = before.iter().rev().take_while(|b| is_word(b)).count();
            let after = text[at + 2..].trim_ascii_start();
            let next = after.iter().take_while(|b| is_word(b)).count();
            // A parameter of the macro is any name; another word, or one with a joint, is a part.
            let other = |word: &[u8]| word.len() > 3 && !is_parameter(&text[..at], word);
            let part = |word: &[u8]| String::from_utf8_lossy(word).into_owned();
            let own = &before[before.len() - word..];
            if word > 1 && own.ends_with(b"_") || other(own) {
                self.before.push(part(own));
            }
            if next > 1 && after.starts_with(b"_") || other(&after[..next]) {
                self.after.push(part(&after[..next]));
            }
        }
    }

    pub(crate) fn may_make(&self, name: &str) -> bool {
        self.before.iter().any(|part| name.len() > part.len() && name.starts_with(part.as_str()))
            || self.after.iter().any(|part| name.len() > part.len() && name.ends_with(part.as_str()))
    }
}

/// Whether a word is a parameter of the macro whose text stands last.
fn is_parameter(before: &[u8], word: &[u8]) -> bool {
    let head = memchr::memmem::rfind(before, b"#define").map_or(&[][..], |at| &before[at..]);
    let list = head.split(|b| *b == b')').next().unwrap_or_default();
    let list = list.iter().position(|b| *b == b'(').map_or(&[][..], |at| &list[at + 1..]);
    list.split(|b| *b == b',').any(|own| own.trim_ascii() == word)
}

#[cfg(test)]
mod tests {
    use super::Pasted;

    #[test]
    fn names_that_macros_put_together_are_recognised() {
        let mut pasted = Pasted::default();
        pasted.add(b"#define CTL(n) {n ## _ctl}\n#define GEN(x) get_##x\n#define CAT(a, b) a##b\n");
        assert!(pasted.may_make("prof_reset_ctl") && pasted.may_make("get_value"));
        pasted.add(b"#define TEST(name, other) void Vector##name##other() { Vector##name<int>(); }\n");
        assert!(pasted.may_make("VectorClear") && !pasted.may_make("somename"));
        assert!(!pasted.may_make("prof_reset") && !pasted.may_make("_ctl"));
    }
}
