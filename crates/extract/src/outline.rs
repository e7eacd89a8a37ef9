//! Headings: sections by level, whatever the tree of the grammar says.

use codegraph_languages::table::{Act, Slot};
use codegraph_model::*;

use crate::define::trimmed;
use crate::frame::*;
use crate::walk::Walk;

/// A heading whose section goes on.
pub(crate) struct Heading {
    symbol: SymbolId,
    level: u8,
    scope: ScopeId,
}

impl Walk<'_> {
    pub(crate) fn heading_level(&mut self, level: u8) -> Payload {
        let around = self.frames.iter_mut().rev().find(|f| f.act == Act::Heading);
        if let Some(frame) = around {
            frame.level = level;
        }
        Payload::Nothing
    }

    pub(crate) fn close_heading(&mut self, frame: &Frame) -> Payload {
        let level = self.frames.last().map_or(0, |f| f.level);
        let name = self.value(frame, Slot::Name).map(|v| self.heading_name(v.span)).filter(|s| !s.is_empty());
        let Some(name_span) = name else { return Payload::Nothing };
        self.close_sections(level, frame.span.start);
        let parent = self.headings.last().map_or(self.owner(), |h| h.symbol);
        let symbol = self.new_symbol(SymbolKind::Heading, frame.span);
        let name = self.words.intern(&self.source[name_span.range()]);
        let head_end = trimmed(self.source, frame.span).end;
        let entry = &mut self.facts.symbols[symbol.index()];
        entry.parent = parent;
        entry.name = name;
        entry.name_span = name_span;
        entry.head_end = head_end;
        self.settle(symbol, Visibility::Unknown);
        self.headings.push(Heading { symbol, level, scope: self.scope });
        Payload::Nothing
    }

    /// The first line of a heading without closing marks.
    fn heading_name(&self, span: Span) -> Span {
        let span = trimmed(self.source, span);
        let text = self.text(span);
        let line = &text[..memchr::memchr(b'\n', text).unwrap_or(text.len())];
        let marks = line.iter().rev().take_while(|b| **b == b'#').count();
        let bare = &line[..line.len() - marks];
        let closed = marks > 0 && bare.last().is_none_or(u8::is_ascii_whitespace);
        let kept = if closed { bare } else { line };
        trimmed(self.source, Span::new(span.start, span.start + kept.len() as u32))
    }

    /// Ends the sections that a heading of this level ends: those of its own scope, and all of scopes that are closed.
    pub(crate) fn close_sections(&mut self, level: u8, at: u32) {
        while let Some(last) = self.headings.last() {
            let own = last.scope == self.scope;
            if own && last.level < level {
                break;
            }
            let around = self.facts.scopes[last.scope.index()].span;
            if !own && around.contains(at) && at > 0 {
                break;
            }
            let end = if own && at > 0 { at } else { around.end };
            self.facts.symbols[last.symbol.index()].span.end = end;
            self.headings.pop();
        }
    }
}
