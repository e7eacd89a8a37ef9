//! Types that only documentation comments define, and names that only they import: `@typedef`, `@callback`, `@import`.

use codegraph_languages::doc_types::{DocTag, DocTypes};
use codegraph_model::*;

use crate::doc_types::{DocReader, Said, Tag};
use crate::walk::Walk;

impl Walk<'_> {
    /// What the tags of a comment define for the whole file.
    pub(crate) fn doc_definitions(&mut self, language: &'static DocTypes, tags: &[Tag], comment: Span) {
        for (at, tag) in tags.iter().enumerate() {
            // The tags after a definition are about it, up to the next one.
            let ends = |t: &Tag| matches!(t.tag, DocTag::Typedef | DocTag::Callback | DocTag::Import);
            let end = tags[at + 1..].iter().position(ends).map_or(tags.len(), |next| at + 1 + next);
            match tag.tag {
                DocTag::Typedef => self.doc_typedef(language, *tag, &tags[at + 1..end], comment),
                DocTag::Callback => self.doc_callback(language, *tag, &tags[at + 1..end], comment),
                DocTag::Import => self.doc_import(language, *tag),
                _ => {}
            }
        }
    }

    /// `@typedef {Type} Name`, with a `@property` for each member where it is an object.
    fn doc_typedef(&mut self, language: &'static DocTypes, tag: Tag, rest: &[Tag], comment: Span) {
        let said = self.said(language, tag.rest);
        let properties: Vec<Tag> = rest.iter().filter(|t| t.tag == DocTag::Property).copied().collect();
        let Some(symbol) = self.doc_symbol(said.name, comment) else { return };
        let ty = match properties.is_empty() {
            true => said.ty,
            false => {
                let scope = self.doc_scope(comment);
                for property in properties {
                    let said = self.said(language, property.rest);
                    self.doc_key(scope, said);
                }
                self.expr(ExprOp::Shape, scope.0, 0)
            }
        };
        self.note_type(symbol, ty);
    }

    /// `@callback Name` with `@param` and `@returns`: a type of functions.
    fn doc_callback(&mut self, language: &'static DocTypes, tag: Tag, rest: &[Tag], comment: Span) {
        let mut reader = DocReader::new(tag.rest, language);
        self.doc_blank(&mut reader);
        let name = self.doc_word(&mut reader);
        let Some(symbol) = self.doc_symbol(name, comment) else { return };
        let returns = rest.iter().find(|t| t.tag == DocTag::Returns).copied();
        let returns = returns.map_or(ExprId::NONE, |tag| self.said(language, tag.rest).ty);
        if returns.is_some() {
            let ty = self.expr(ExprOp::FunctionType, returns.0, 0);
            self.note_type(symbol, ty);
        }
    }

    fn doc_symbol(&mut self, name_span: Span, comment: Span) -> Option<SymbolId> {
        if name_span.is_empty() {
            return None;
        }
        let name = self.words.word(name_span.start as usize, name_span.end as usize, TermMask::CODE);
        let scope = ScopeId(0);
        if !self.declared.insert((scope, name)) {
            return None;
        }
        let symbol = SymbolId(self.facts.symbols.len() as u32);
        self.facts.symbols.push(Symbol {
            kind: SymbolKind::TypeAlias,
            name,
            parent: SymbolId(0),
            span: comment,
            name_span,
            head_end: comment.end,
            scope,
            visibility: Visibility::Public,
            flags: Flags::EXPORT,
            ..Symbol::default()
        });
        Some(symbol)
    }

    /// A scope for the members of a type without a name.
    pub(crate) fn doc_scope(&mut self, span: Span) -> ScopeId {
        let scope = ScopeId(self.facts.scopes.len() as u32);
        let owner = self.facts.scopes[self.scope.index()].owner;
        self.facts.scopes.push(Scope { kind: ScopeKind::Type, parent: self.scope, owner, span });
        scope
    }

    /// A member of a type without a name.
    pub(crate) fn doc_key(&mut self, scope: ScopeId, said: Said) {
        if said.name.is_empty() {
            return;
        }
        let name = self.words.word(said.name.start as usize, said.name.end as usize, TermMask::CODE);
        let (kind, span) = (BindingKind::Local, said.name);
        self.facts.bindings.push(Binding { kind, name, span, scope, from: span.end, ty: said.ty, init: ExprId::NONE });
    }

    /// `@import { A, B as C } from "./file"`, `@import D from "x"`, `@import * as all from "x"`.
    fn doc_import(&mut self, language: &'static DocTypes, tag: Tag) {
        let text = self.text(tag.rest);
        let Some(from) = memchr::memmem::rfind(text, b"from") else { return };
        let is_quote = |b: &u8| matches!(b, b'\'' | b'"');
        let Some(open) = text[from..].iter().position(is_quote).map(|at| from + at + 1) else { return };
        let Some(length) = text[open..].iter().position(is_quote) else { return };
        let start = tag.rest.start;
        let source = Span::new(start + open as u32, start + (open + length) as u32);
        let mut reader = DocReader::new(Span::new(start, start + from as u32), language);
        let (mut in_braces, mut flags) = (false, ImportFlags::DEFAULT);
        while reader.at < reader.end {
            self.doc_blank(&mut reader);
            let word = self.doc_word(&mut reader);
            if !word.is_empty() {
                let mut alias = Span::default();
                self.doc_blank(&mut reader);
                let next = self.doc_word(&mut reader);
                if self.text(next) == b"as" {
                    self.doc_blank(&mut reader);
                    alias = self.doc_word(&mut reader);
                } else {
                    reader.at = if next.is_empty() { reader.at } else { next.start };
                }
                self.doc_imported(word, alias, if in_braces { ImportFlags(0) } else { flags }, source, tag.rest);
                continue;
            }
            match self.source.get(reader.at as usize) {
                Some(b'{') => in_braces = true,
                Some(b'}') => in_braces = false,
                _ => {}
            }
            reader.at += 1;
            // `* as all`: the star was taken for one of those that comments are drawn with.
            if !in_braces && self.text(Span::new(start, reader.end)).trim_ascii_start().starts_with(b"*") {
                self.doc_blank(&mut reader);
                let word = self.doc_word(&mut reader);
                flags = ImportFlags::STAR;
                if self.text(word) != b"as" {
                    reader.at = word.start;
                }
            }
        }
    }

    fn doc_imported(&mut self, name: Span, alias: Span, flags: ImportFlags, source: Span, span: Span) {
        let mut flags = flags;
        flags.insert(ImportFlags::TYPE_ONLY);
        let mut import = Import { span, scope: ScopeId(0), flags, ..Import::default() };
        let by_name = !flags.has(ImportFlags::DEFAULT) && !flags.has(ImportFlags::STAR);
        let local = if by_name { alias } else { name };
        if by_name {
            let id = self.words.word(name.start as usize, name.end as usize, TermMask::CODE);
            import.path = vec![self.reference(id, name, RefKind::Import, ExprId::NONE)];
        }
        if !local.is_empty() {
            import.alias = self.words.word(local.start as usize, local.end as usize, TermMask::CODE);
            import.alias_span = local;
            self.reference(import.alias, local, RefKind::Import, ExprId::NONE);
        }
        self.set_source(&mut import, source);
        self.facts.imports.push(import);
    }

    /// `import("./file").Name` as a type.
    pub(crate) fn doc_import_type(&mut self, reader: &mut DocReader) -> ExprId {
        let rest = &self.source[reader.at as usize..reader.end as usize];
        let is_quote = |b: &u8| matches!(b, b'\'' | b'"');
        let Some(open) = rest.iter().position(is_quote).map(|at| at + 1) else { return ExprId::NONE };
        let Some(length) = rest[open..].iter().position(is_quote) else { return ExprId::NONE };
        let source = Span::new(reader.at + open as u32, reader.at + (open + length) as u32);
        let span = Span::new(reader.at, source.end + 1);
        reader.at = source.end + 1;
        self.doc_blank(reader);
        if self.source.get(reader.at as usize) == Some(&b')') {
            reader.at += 1;
        }
        let flags = ImportFlags::MODULE;
        let mut import = Import { span, scope: self.scope, flags, ..Import::default() };
        self.set_source(&mut import, source);
        self.facts.imports.push(import);
        let mut object = self.expr(ExprOp::Module, self.facts.imports.len() as u32 - 1, 0);
        while reader.at < reader.end && self.source[reader.at as usize] == b'.' {
            reader.at += 1;
            let word = self.doc_word(reader);
            if word.is_empty() {
                break;
            }
            let name = self.words.word(word.start as usize, word.end as usize, TermMask::CODE);
            let reference = self.reference(name, word, RefKind::TypeRef, object);
            object = self.expr(ExprOp::Ref, reference.0, 0);
        }
        object
    }
}
