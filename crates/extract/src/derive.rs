//! Attributes that have a type implement what they name, and those that define such attributes.

use codegraph_model::*;

use crate::walk::Walk;
use crate::words::is_word_byte;

impl Walk<'_> {
    /// The macros that an attribute names, as references; each but those of the language is told to the type below.
    pub(crate) fn read_derives(&mut self, attribute: Span) {
        let word = self.language.derives;
        if word.is_empty() {
            return;
        }
        let (mut from, end) = (attribute.start as usize, attribute.end as usize);
        while let Some(arguments) = self.arguments_of(word, from, end) {
            from = self.derived(arguments, end);
        }
    }

    /// Behind the opening parenthesis of an attribute of a name, from somewhere on.
    fn arguments_of(&self, word: &str, from: usize, end: usize) -> Option<usize> {
        let text = &self.source[from..end];
        memchr::memmem::find_iter(text, word.as_bytes()).find_map(|start| {
            let behind = start + word.len();
            let is_whole = start == 0 || !is_word_byte(text[start - 1]);
            (is_whole && text.get(behind) == Some(&b'(')).then_some(from + behind + 1)
        })
    }

    /// `path::Name, …` up to the closing parenthesis; gives where that is.
    fn derived(&mut self, mut at: usize, end: usize) -> usize {
        let mut receiver = ExprId::NONE;
        while at < end && self.source[at] != b')' {
            let length = self.source[at..end].iter().take_while(|byte| is_word_byte(**byte)).count();
            if length == 0 {
                if self.source[at] == b',' {
                    receiver = ExprId::NONE;
                }
                at += 1;
                continue;
            }
            let span = Span::new(at as u32, (at + length) as u32);
            at += length;
            let name = self.words.intern(&self.source[span.range()]);
            let leads_on = self.source[at..end].trim_ascii_start().starts_with(self.language.separator.as_bytes());
            let kind = if leads_on { RefKind::Read } else { RefKind::Macro };
            let reference = self.reference(name, span, kind, receiver);
            receiver = self.expr(ExprOp::Ref, reference.0, 0);
            if !leads_on && !self.language.linking.builtins.contains(&self.words.text(name)) {
                self.docs.derived.push((span, receiver));
            }
        }
        at
    }

    /// What the attributes of a type have it implement.
    pub(crate) fn note_derived(&mut self, symbol: SymbolId) {
        let derived = std::mem::take(&mut self.docs.derived);
        for (span, expr) in derived {
            if self.facts.symbols[symbol.index()].decorators.iter().any(|attribute| attribute.contains(span.start)) {
                self.facts.notes.push(Note { symbol, tie: Tie::Implements, expr });
            }
        }
    }

    /// A function whose attribute says that it is a macro of another name: that macro is where the function is.
    pub(crate) fn define_derive(&mut self, function: SymbolId) {
        let word = self.language.defines_derive;
        let Symbol { scope, parent, span, name_span, head_end, ref decorators, .. } =
            self.facts.symbols[function.index()];
        let argument = decorators.iter().find_map(|attribute| {
            let end = attribute.end as usize;
            let text = self.source[self.arguments_of(word, attribute.start as usize, end)?..end].trim_ascii_start();
            let length = text.iter().take_while(|byte| is_word_byte(**byte)).count();
            (length > 0).then(|| &text[..length])
        });
        if let Some(argument) = argument {
            let name = self.words.intern(argument);
            let name_span = Span::new(name_span.start, name_span.start);
            let (kind, visibility) = (SymbolKind::Macro, Visibility::Public);
            let made = Symbol { kind, name, parent, span, name_span, head_end, scope, visibility, ..Symbol::default() };
            self.facts.symbols.push(made);
        }
    }
}
