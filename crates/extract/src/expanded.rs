//! What calls of macros stand for: text behind that of the file. What is found in it is put back to where it is written,
//! and what is written nowhere to the call.

use codegraph_languages::table::{Expansion, Expansions};
use codegraph_model::*;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::compile::Table;
use crate::words::Words;

pub(crate) struct Expanded {
    found: Expansions,
    /// Where the text of the file ends and this begins.
    start: u32,
}

/// How much of everything there was at some time.
pub(crate) struct Mark {
    symbols: usize,
    scopes: usize,
    bindings: usize,
    refs: usize,
    imports: usize,
}

impl Mark {
    pub(crate) fn of(facts: &FileFacts) -> Mark {
        Mark {
            symbols: facts.symbols.len(),
            scopes: facts.scopes.len(),
            bindings: facts.bindings.len(),
            refs: facts.refs.len(),
            imports: facts.imports.len(),
        }
    }
}

impl Expanded {
    pub(crate) fn of(table: &Table, source: &[u8]) -> Option<Expanded> {
        let found = table.language.expand?(source)?;
        Some(Expanded { found, start: source.len() as u32 })
    }

    pub(crate) fn text(&self) -> &[u8] {
        &self.found.text
    }

    /// The call that has these arguments.
    pub(crate) fn of_call(&self, arguments: Span) -> Option<usize> {
        let calls = &self.found.calls;
        let place = calls.binary_search_by_key(&arguments.start, |call| call.arguments.start).ok()?;
        (calls[place].arguments == arguments).then_some(place)
    }

    /// Where what a call stands for is read.
    pub(crate) fn stretch(&self, call: usize) -> Span {
        let text = self.found.calls[call].text;
        Span::new(self.start + text.start, self.start + text.end)
    }

    /// Puts back what was found since a time.
    pub(crate) fn put_back(&self, facts: &mut FileFacts, words: &mut Words<'_>, since: &Mark, call: usize) {
        let origin = Origin { expanded: self, call: self.found.calls[call] };
        origin.keep_apart(&mut facts.bindings[since.bindings..], &mut facts.refs[since.refs..], words);
        for symbol in &mut facts.symbols[since.symbols..] {
            origin.symbol(symbol);
        }
        for scope in &mut facts.scopes[since.scopes..] {
            scope.span = origin.whole(scope.span);
        }
        for binding in &mut facts.bindings[since.bindings..] {
            binding.span = origin.name(binding.span);
            binding.from = origin.end(binding.from);
        }
        for reference in &mut facts.refs[since.refs..] {
            reference.span = origin.name(reference.span);
        }
        for import in &mut facts.imports[since.imports..] {
            import.span = origin.whole(import.span);
            import.alias_span = origin.part(import.alias_span);
            import.source_span = origin.part(import.source_span);
        }
    }
}

/// Where the text of one call comes from.
struct Origin<'e> {
    expanded: &'e Expanded,
    call: Expansion,
}

impl Origin<'_> {
    /// Local names that the definition of the macro declares are not those of the arguments.
    fn keep_apart(&self, bindings: &mut [Binding], refs: &mut [Reference], words: &mut Words<'_>) {
        let is_given = |span: Span| self.is_argument(self.part(span));
        let is_bare = |reference: &Reference| reference.receiver.is_none() && reference.name.is_some();
        let given: FxHashSet<StrId> =
            refs.iter().filter(|r| is_bare(r) && is_given(r.span)).map(|reference| reference.name).collect();
        let mut apart: FxHashMap<StrId, StrId> = FxHashMap::default();
        for binding in bindings.iter_mut().filter(|binding| given.contains(&binding.name)) {
            let is_local = matches!(binding.kind, BindingKind::Local | BindingKind::Param | BindingKind::Again);
            if is_local && !is_given(binding.span) {
                let made = format!("own {}", words.text(binding.name));
                binding.name = *apart.entry(binding.name).or_insert_with(|| words.intern_made(made));
            }
        }
        for reference in refs.iter_mut().filter(|reference| is_bare(reference)) {
            if let Some(name) = apart.get(&reference.name).filter(|_| !is_given(reference.span)) {
                reference.name = *name;
            }
        }
    }

    fn symbol(&self, symbol: &mut Symbol) {
        let name = self.part(symbol.name_span);
        let span = self.part(symbol.span);
        let is_written = self.is_argument(name) && self.is_argument(span);
        let has_body = symbol.head_end < symbol.span.end;
        symbol.span = if is_written { span } else { self.around() };
        symbol.head_end = match has_body {
            false => symbol.span.end,
            true if is_written => self.end(symbol.head_end),
            true => self.call.arguments.start,
        };
        let here = self.call.name.start;
        symbol.name_span = if self.is_argument(name) { name } else { Span::new(here, here) };
        symbol.doc = self.part(symbol.doc);
        symbol.type_span = self.part(symbol.type_span);
        for param in &mut symbol.params {
            param.name = self.part(param.name);
            param.type_span = self.part(param.type_span);
            param.default = self.part(param.default);
        }
        for span in symbol.bases.iter_mut().chain(&mut symbol.decorators) {
            *span = self.part(*span);
        }
        symbol.bases.retain(|span| !span.is_empty());
        symbol.decorators.retain(|span| !span.is_empty());
    }

    /// The whole call.
    fn around(&self) -> Span {
        Span::new(self.call.name.start, self.call.arguments.end)
    }

    fn is_argument(&self, span: Span) -> bool {
        !span.is_empty() && self.call.arguments.contains(span.start)
    }

    /// A name where it is written, or else that of the macro.
    fn name(&self, span: Span) -> Span {
        let found = self.part(span);
        if found.is_empty() { self.call.name } else { found }
    }

    /// A stretch of the arguments, or else the whole call.
    fn whole(&self, span: Span) -> Span {
        let found = self.part(span);
        if self.is_argument(found) { found } else { self.around() }
    }

    /// Where a stretch is written, if its ends are written together; else nothing.
    fn part(&self, span: Span) -> Span {
        if span.is_empty() {
            return Span::default();
        }
        let (Some(first), Some(last)) = (self.at(span.start), self.at(span.end - 1)) else { return Span::default() };
        match first <= last && self.call.arguments.contains(first) == self.call.arguments.contains(last) {
            true => Span::new(first, last + 1),
            false => Span::default(),
        }
    }

    /// Behind what is written before an offset.
    fn end(&self, offset: u32) -> u32 {
        self.at(offset.saturating_sub(1)).map_or(self.call.arguments.end, |at| at + 1)
    }

    /// Where a byte is written.
    fn at(&self, offset: u32) -> Option<u32> {
        let pieces = &self.expanded.found.pieces;
        let at = offset.checked_sub(self.expanded.start)?;
        let piece = pieces[..pieces.partition_point(|piece| piece.at <= at)].last()?;
        let into = at - piece.at;
        (into < piece.from.len()).then_some(piece.from.start + into)
    }
}
