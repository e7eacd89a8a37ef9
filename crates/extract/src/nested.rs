//! Arguments of macros: read as code, as what the macro makes of them, or as tokens.

use codegraph_model::*;
use tree_sitter::{Point, Range, Tree};

use crate::apart::Holes;
use crate::expanded::Mark;
use crate::nodes::{self, Node};
use crate::walk::Walk;

/// Macro arguments inside macro arguments are read as code up to this depth.
const MOST_NESTED: u32 = 8;

impl Walk<'_> {
    /// Reads macro arguments as the code that they look like, or else as tokens; false if the node has these.
    pub(crate) fn read_apart(&mut self, kind: u16, span: Span) -> bool {
        if span == self.tokens {
            return false;
        }
        if self.read_expansion(span) {
            self.apart.took_whole(span);
            return true;
        }
        if self.read_code(span) {
            self.apart.took(span);
            return true;
        }
        self.apart.has(span) && self.read_tokens(kind, span)
    }

    /// Reads macro arguments as code; false if they do not look like code.
    fn read_code(&mut self, span: Span) -> bool {
        if self.nested >= MOST_NESTED {
            return false;
        }
        // What the parser reads after the stretch must not reach beyond the text.
        if span.end == self.facts.length {
            return false;
        }
        let holes = self.apart.holes(span.start + 1, span.end);
        let tree = crate::parse_statement(self.source, self.table, self.range(span), &holes);
        let Some(tree) = tree else { return false };
        if self.is_among_definitions() {
            self.flat = span;
        }
        self.walk_nested(tree);
        self.text_at = self.text_at.min(span.end);
        true
    }

    fn is_among_definitions(&self) -> bool {
        let kind = self.facts.scopes[self.scope.index()].kind;
        matches!(kind, ScopeKind::Module | ScopeKind::Namespace | ScopeKind::Type)
    }

    fn walk_nested(&mut self, tree: Tree) {
        self.nested += 1;
        nodes::list(&tree, |nodes| self.walk(nodes));
        crate::discard(tree);
        self.nested -= 1;
    }

    /// Reads what a call of a macro stands for; false if that is not known.
    fn read_expansion(&mut self, arguments: Span) -> bool {
        let Some(expanded) = self.expanded.filter(|_| self.is_among_definitions()) else { return false };
        let Some(place) = expanded.of_call(arguments) else { return false };
        let span = expanded.stretch(place);
        let Some(tree) = crate::parse_statement(self.source, self.table, self.range(span), &Holes::default()) else {
            return false;
        };
        self.gap(arguments.start, TermMask::CODE);
        let before = Mark::of(&self.facts);
        let docs = std::mem::take(&mut self.docs);
        let text_at = std::mem::replace(&mut self.text_at, self.source.len() as u32);
        self.words.quiet = true;
        self.flat = span;
        self.walk_nested(tree);
        self.words.quiet = false;
        (self.docs, self.text_at) = (docs, text_at);
        expanded.put_back(&mut self.facts, &mut self.words, &before, place);
        self.raw_text(arguments.end);
        self.gap(arguments.end, TermMask::CODE);
        true
    }

    /// Reads macro arguments as the parser does in a call.
    fn read_tokens(&mut self, kind: u16, span: Span) -> bool {
        let call = self.frames.last().expect("arguments stand in a call").span;
        let tree = crate::parse_statement(self.source, self.table, self.range(call), &Holes::default());
        let Some(tree) = tree else { return false };
        nodes::list(&tree, |nodes| {
            let is_it = |node: &Node| (node.kind, node.start, node.end) == (kind, span.start, span.end);
            if let Some(place) = nodes.iter().position(is_it) {
                self.tokens = span;
                self.apart.took_whole(span);
                // The node comes a second time.
                self.frames.last_mut().expect("arguments stand in a call").children -= 1;
                self.walk(&nodes[place..=place + nodes[place].descendants as usize]);
            }
        });
        crate::discard(tree);
        true
    }

    fn range(&self, span: Span) -> Range {
        let point = |offset: u32| {
            let line = self.words.line_of(offset);
            Point::new(line as usize - 1, (offset - self.words.line_start(line)) as usize)
        };
        Range {
            start_byte: span.start as usize,
            end_byte: span.end as usize,
            start_point: point(span.start),
            end_point: point(span.end),
        }
    }
}
