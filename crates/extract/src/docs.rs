//! Documentation comments: which comment block belongs to which definition.

use codegraph_languages::table::{Act, Slot};
use codegraph_model::{ExprId, Span};

use crate::frame::{Frame, Payload};
use crate::walk::Walk;

/// The last block of comments and of attributes before the current position.
#[derive(Default)]
pub(crate) struct Docs {
    block: Span,
    /// The last line that the block, or an attribute after it, touches.
    last_line: u32,
    attributes: Vec<Span>,
    attribute_line: u32,
    header_done: bool,
    /// Where the last comment before any definition ends.
    head_end: u32,
    /// What attributes have the definition below them implement, and where they say it.
    pub(crate) derived: Vec<(Span, ExprId)>,
}

impl Docs {
    /// Whether the comments before any definition say that a program wrote the file.
    pub(crate) fn say_generated(&self, source: &[u8]) -> bool {
        says_generated(&source[..self.head_end as usize])
    }
}

impl Walk<'_> {
    pub(crate) fn comment(&mut self, span: Span) {
        self.document_statement(span);
        let line = self.words.line_of(span.start);
        let end_line = self.words.line_of(span.end.saturating_sub(1).max(span.start));
        let own_line = self.is_first_on_line(span.start, line);
        let joins = !self.docs.block.is_empty() && line <= self.docs.last_line + 1 && own_line;
        let same = self.is_doc(span) == self.is_doc(self.docs.block);
        if joins && same && self.only_comments_between(self.docs.block.end, span.start) {
            self.docs.block.end = span.end;
        } else if own_line {
            self.docs.block = span;
        } else {
            return;
        }
        self.docs.last_line = end_line;
        self.header_comment();
    }

    /// The first comment block before any definition is the file's header.
    fn header_comment(&mut self) {
        if !self.docs.header_done && self.facts.symbols.len() == 1 && self.facts.refs.is_empty() {
            self.docs.head_end = self.docs.block.end;
            if self.facts.header.is_empty() || self.facts.header.start == self.docs.block.start {
                self.facts.header = self.docs.block;
            }
        } else {
            self.docs.header_done = true;
        }
    }

    fn is_first_on_line(&self, offset: u32, line: u32) -> bool {
        let start = self.words.line_start(line);
        self.source[start as usize..offset as usize].iter().all(u8::is_ascii_whitespace)
    }

    fn only_comments_between(&self, from: u32, to: u32) -> bool {
        self.source[from as usize..to as usize].iter().all(u8::is_ascii_whitespace)
    }

    /// The documentation of a definition that starts here: the block that ends on the line above it.
    pub(crate) fn doc_for(&mut self, frame: &Frame) -> Span {
        if let Some(wrapper) = self.frames.last()
            && wrapper.act == Act::Wrapper
            && !wrapper.doc.is_empty()
        {
            return wrapper.doc;
        }
        self.doc_before(frame.span)
    }

    /// The documentation that ends on the line above, or on the line of, what starts here.
    pub(crate) fn doc_before(&mut self, span: Span) -> Span {
        let block = self.docs.block;
        let line = self.words.line_of(span.start);
        if block.is_empty() || block.end > span.start || self.docs.last_line + 1 < line {
            return Span::default();
        }
        self.docs.block = Span::default();
        if self.is_doc(block) { block } else { Span::default() }
    }

    fn is_doc(&self, block: Span) -> bool {
        let prefixes = self.language.doc_prefixes;
        let text = self.text(block);
        prefixes.is_empty() || prefixes.iter().any(|prefix| text.starts_with(prefix.as_bytes()))
    }

    /// An attribute keeps the comment above it in touch with the definition below.
    pub(crate) fn close_attribute(&mut self, frame: &Frame) -> Payload {
        if frame.slot == Slot::Decorator {
            return self.close_pass(frame);
        }
        let line = self.words.line_of(frame.span.start);
        let end = self.words.line_of(frame.span.end.saturating_sub(1));
        if !self.docs.block.is_empty() && line <= self.docs.last_line + 1 {
            self.docs.last_line = self.docs.last_line.max(end);
        }
        if line > self.docs.attribute_line + 1 {
            self.docs.attributes.clear();
        }
        self.docs.attributes.push(frame.span);
        self.read_derives(frame.span);
        self.docs.attribute_line = end;
        Payload::Nothing
    }

    /// The attributes that stand right before a definition.
    pub(crate) fn take_attributes(&mut self, span: Span) -> Vec<Span> {
        let line = self.words.line_of(span.start);
        let near = line <= self.docs.attribute_line + 1;
        let taken = std::mem::take(&mut self.docs.attributes);
        if near { taken } else { Vec::new() }
    }

    /// A string that is the first statement of a body documents the definition.
    pub(crate) fn doc_string(&mut self, frame: &Frame) {
        if !self.language.doc_strings {
            return;
        }
        let depth = self.frames.len() - 1;
        let Some(statement) = self.frames[..depth].last() else { return };
        if !matches!(statement.act, Act::Pass) || statement.span.start != frame.span.start || statement.children != 1 {
            return;
        }
        let Some(block) = depth.checked_sub(2).map(|i| self.frames[i]) else { return };
        if block.children != 1 {
            return;
        }
        let definition = depth.checked_sub(3).map(|i| self.frames[i]);
        match definition {
            Some(Frame { act: Act::Def(_), symbol, .. }) if block.slot == Slot::Body => {
                self.facts.symbols[symbol.index()].doc = frame.span;
                self.words.are_comments_from(frame.span.start);
            }
            _ if depth == 3 => {
                self.facts.symbols[0].doc = frame.span;
                // What stands above it is a part of the header, whether a licence or the name of an interpreter.
                let above = self.facts.header;
                let start = if above.is_empty() { frame.span.start } else { above.start.min(frame.span.start) };
                self.facts.header = Span::new(start, frame.span.end);
                self.words.are_comments_from(frame.span.start);
            }
            _ => {}
        }
    }
}

/// Whoever says it says it soon.
const LOOKED_AT: usize = 4 << 10;

/// Whether the comments at the top of a file say that a program wrote it: `@generated`, `<auto-generated>`, or that it was
/// generated and is not to be edited.
fn says_generated(head: &[u8]) -> bool {
    let head = &head[..head.len().min(LOOKED_AT)];
    // Most files do not have the word.
    if memchr::memmem::find(head, b"enerated").is_none() && memchr::memmem::find(head, b"ENERATED").is_none() {
        return false;
    }
    let text = head.to_ascii_lowercase();
    let has = |word: &str| memchr::memmem::find(&text, word.as_bytes()).is_some();
    let marked = ["@generated", "<auto-generated", "<autogenerated"].into_iter().any(has);
    marked || ["do not edit", "do not modify", "don't edit", "do not change", "not be edited"].into_iter().any(has)
}

#[cfg(test)]
mod tests {
    use super::says_generated;

    #[test]
    fn a_comment_says_that_a_program_wrote_the_file() {
        for comment in [
            "// Code generated by protoc-gen-go. DO NOT EDIT.",
            "/**\n * @generated SignedSource<<0>>\n */",
            "// <auto-generated>\n//     This code was generated by a tool.",
            "# Generated by the protocol buffer compiler.  DO NOT EDIT!",
            "/* automatically generated, do not modify */",
        ] {
            assert!(says_generated(comment.as_bytes()), "{comment}");
        }
        for comment in [
            "// Generates code.", "# How sites are generated.", "// Do not edit while it runs.",
            "/* Regenerated daily. */",
        ] {
            assert!(!says_generated(comment.as_bytes()), "{comment}");
        }
    }
}
