//! Types that are written in documentation comments: of parameters, results, variables and of members that exist only
//! there. Which tags say what, and in which order, is data of the language.

use codegraph_languages::doc_types::{DocOrder, DocTag, DocTypes};
use codegraph_model::*;

use crate::walk::Walk;
use crate::words::is_word_byte;

/// Types inside types are read up to this depth.
const DEEPEST: u32 = 12;

/// A type that a comment gives to a variable of the next statement.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DocVariable {
    /// None: whatever is assigned.
    name: StrId,
    ty: ExprId,
    last_line: u32,
    comment: Span,
}

/// One tag of a comment: what stands after it on its line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tag {
    pub(crate) tag: DocTag,
    pub(crate) rest: Span,
}

/// What a tag says: a type, a name, or both.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Said {
    pub(crate) ty: ExprId,
    pub(crate) name: Span,
}

impl Walk<'_> {
    /// What the documentation of a function says about its parameters and what it returns.
    pub(crate) fn document_function(&mut self, symbol: SymbolId, doc: Span) {
        let Some(language) = self.language.doc_types.filter(|_| !doc.is_empty()) else { return };
        let inner = self.facts.symbols[symbol.index()].inner;
        let mut tags = self.tags(language, doc);
        // What stands after the definition of a type is about that.
        if let Some(end) = tags.iter().position(|t| matches!(t.tag, DocTag::Typedef | DocTag::Callback)) {
            tags.truncate(end);
        }
        self.doc_templates(language, &tags, inner);
        for tag in tags {
            match tag.tag {
                DocTag::Param => {
                    let said = self.said(language, tag.rest);
                    self.type_parameter(inner, said);
                }
                DocTag::Returns if !self.has_type(symbol) || self.is_generic(tag.rest) => {
                    let ty = self.said(language, tag.rest).ty;
                    self.note_rather(symbol, ty);
                }
                _ => {}
            }
        }
    }

    /// What the documentation of a type says: its parameters, and members that are defined nowhere else.
    pub(crate) fn document_type(&mut self, symbol: SymbolId, doc: Span) {
        let Some(language) = self.language.doc_types.filter(|_| !doc.is_empty()) else { return };
        let inner = self.facts.symbols[symbol.index()].inner;
        let tags = self.tags(language, doc);
        self.doc_templates(language, &tags, inner);
        for tag in tags {
            match tag.tag {
                DocTag::Property if language.order != DocOrder::Braced => {
                    let said = self.said(language, tag.rest);
                    self.doc_member(symbol, SymbolKind::Field, said, tag.rest);
                }
                DocTag::Method => self.doc_method(language, symbol, tag.rest),
                DocTag::Mixin => {
                    let ty = self.said(language, tag.rest).ty;
                    if ty.is_some() {
                        self.facts.notes.push(Note { symbol, tie: Tie::Implements, expr: ty });
                    }
                }
                _ => {}
            }
        }
    }

    /// What the documentation of a variable or field says.
    pub(crate) fn document_variable(&mut self, symbol: SymbolId, doc: Span) {
        let Some(language) = self.language.doc_types.filter(|_| !doc.is_empty()) else { return };
        let (name, name_span) = (self.facts.symbols[symbol.index()].name, self.facts.symbols[symbol.index()].name_span);
        let known = self.documented(name, doc, name_span);
        if language.order == DocOrder::Braced && known.is_some() {
            if !self.has_type(symbol) {
                self.note_type(symbol, known);
            }
            return;
        }
        let wanted = |tag: &Tag| matches!(tag.tag, DocTag::Variable | DocTag::Returns);
        if let Some(tag) = self.tags(language, doc).into_iter().find(wanted)
            && (!self.has_type(symbol) || self.is_generic(tag.rest))
        {
            let ty = self.said(language, tag.rest).ty;
            self.note_rather(symbol, ty);
        }
    }

    /// Whether what is documented may say more than a declaration can.
    fn is_generic(&self, rest: Span) -> bool {
        self.language.rooted_paths && self.text(rest).contains(&b'<')
    }

    /// A documented type with arguments says more than the declared one.
    fn note_rather(&mut self, symbol: SymbolId, ty: ExprId) {
        if !self.has_type(symbol) {
            return self.note_type(symbol, ty);
        }
        if ty.is_some() && self.facts.exprs[ty.index()].op == ExprOp::Apply {
            self.facts.notes.retain(|n| n.symbol != symbol || n.tie != Tie::Type);
            self.note_type(symbol, ty);
        }
    }

    /// A comment among statements may say the type of what the next one assigns to.
    pub(crate) fn document_statement(&mut self, comment: Span) {
        let Some(language) = self.language.doc_types else { return };
        let in_function = matches!(self.declaring_kind(), ScopeKind::Function | ScopeKind::Module);
        if !in_function || memchr::memmem::find(self.text(comment), b"@").is_none() {
            return;
        }
        let last_line = self.words.line_of(comment.end.saturating_sub(1).max(comment.start));
        self.doc_variables.retain(|v| v.last_line + 1 >= last_line);
        let tags = self.tags(language, comment);
        self.doc_definitions(language, &tags, comment);
        if language.order == DocOrder::Braced && self.is_cast_inside(comment) {
            return;
        }
        for tag in tags.into_iter().filter(|t| t.tag == DocTag::Variable) {
            let said = self.said(language, tag.rest);
            let name =
                if said.name.is_empty() { StrId::NONE } else { self.words.intern(&self.source[said.name.range()]) };
            if said.ty.is_some() {
                self.doc_variables.push(DocVariable { name, ty: said.ty, last_line, comment });
            }
        }
    }

    /// `/** @type {T} */ (value)` says what that value is, and what is assigned only if the value is all of it.
    fn is_cast_inside(&self, comment: Span) -> bool {
        let is_blank = |b: &&u8| b.is_ascii_whitespace();
        let after = self.source[comment.end as usize..].iter().find(|b| !is_blank(b));
        let before = self.source[..comment.start as usize].iter().rev().find(|b| !is_blank(b));
        after == Some(&b'(') && before != Some(&b'=')
    }

    /// The type that a comment right above gives to a name that is assigned to.
    pub(crate) fn documented(&self, name: StrId, at: Span, name_span: Span) -> ExprId {
        if self.doc_variables.is_empty() {
            return ExprId::NONE;
        }
        let line = self.words.line_of(at.start);
        let is_braced = self.language.doc_types.is_some_and(|doc| doc.order == DocOrder::Braced);
        let fits = |v: &&DocVariable| match is_braced {
            true => self.stands_beside(v.comment, name_span),
            false => (v.name == name || v.name.is_none()) && (v.last_line..=v.last_line + 1).contains(&line),
        };
        self.doc_variables.iter().rev().find(fits).map_or(ExprId::NONE, |v| v.ty)
    }

    /// Whether nothing but words stands between a comment and a name, or a comment is the start of what is assigned to it.
    fn stands_beside(&self, comment: Span, name: Span) -> bool {
        if comment.end <= name.start {
            let between = self.text(Span::new(comment.end, name.start));
            return between.iter().all(|b| is_word_byte(*b) || b.is_ascii_whitespace() || *b == b'.');
        }
        name.end <= comment.start && self.text(Span::new(name.end, comment.start)).trim_ascii() == b"="
    }

    pub(crate) fn has_type(&self, symbol: SymbolId) -> bool {
        let own = |n: &&Note| n.symbol == symbol && n.tie == Tie::Type;
        self.facts.notes.iter().rev().take(64).any(|n| own(&n))
    }

    pub(crate) fn note_type(&mut self, symbol: SymbolId, ty: ExprId) {
        if ty.is_some() {
            self.facts.notes.push(Note { symbol, tie: Tie::Type, expr: ty });
        }
    }

    /// A parameter without a declared type has the one that is documented.
    fn type_parameter(&mut self, scope: ScopeId, said: Said) {
        if said.ty.is_none() || said.name.is_empty() {
            return;
        }
        let name = self.words.intern(&self.source[said.name.range()]);
        let own = |b: &&mut Binding| b.scope == scope && b.name == name && b.kind == BindingKind::Param;
        let says_more = self.facts.exprs[said.ty.index()].op == ExprOp::Apply;
        if let Some(binding) = self.facts.bindings.iter_mut().rev().find(own)
            && (binding.ty.is_none() || says_more)
        {
            binding.ty = said.ty;
        }
    }

    /// `@template T of Bound` declares a type parameter.
    fn doc_templates(&mut self, language: &'static DocTypes, tags: &[Tag], scope: ScopeId) {
        for tag in tags.iter().filter(|t| t.tag == DocTag::Template) {
            if language.order == DocOrder::Braced {
                self.braced_templates(language, *tag, scope);
                continue;
            }
            let mut reader = DocReader::new(tag.rest, language);
            self.doc_blank(&mut reader);
            let name = self.doc_word(&mut reader);
            if name.is_empty() {
                continue;
            }
            self.doc_blank(&mut reader);
            let bound = match self.doc_word(&mut reader) {
                word if matches!(self.text(word), b"of" | b"as") => self.doc_type(&mut reader),
                _ => ExprId::NONE,
            };
            self.doc_template(scope, name, bound);
        }
    }

    /// `@template {Bound} T`, `@template T, U`.
    fn braced_templates(&mut self, language: &'static DocTypes, tag: Tag, scope: ScopeId) {
        let Said { ty, mut name } = self.said(language, tag.rest);
        while !name.is_empty() {
            self.doc_template(scope, name, ty);
            let mut reader = DocReader::new(Span::new(name.end, tag.rest.end), language);
            self.doc_blank(&mut reader);
            if self.peek(&reader) != Some(b',') {
                break;
            }
            reader.at += 1;
            self.doc_blank(&mut reader);
            name = self.doc_word(&mut reader);
        }
    }

    fn doc_template(&mut self, scope: ScopeId, span: Span, ty: ExprId) {
        let name = self.words.word(span.start as usize, span.end as usize, TermMask::CODE);
        self.declared.insert((scope, name));
        let (kind, init) = (BindingKind::TypeParam, ExprId::NONE);
        self.facts.bindings.push(Binding { kind, name, span, scope, from: 0, ty, init });
    }

    /// `@method Type name(...)`.
    fn doc_method(&mut self, language: &'static DocTypes, owner: SymbolId, rest: Span) {
        let mut reader = DocReader::new(rest, language);
        self.doc_blank(&mut reader);
        let start = reader.at;
        let mut name = self.doc_word(&mut reader);
        let mut flags = Flags::DECLARATION;
        if self.text(name) == b"static" {
            flags.insert(Flags::STATIC);
            self.doc_blank(&mut reader);
        } else {
            reader.at = start;
        }
        let before = reader.at;
        name = self.doc_word(&mut reader);
        let mut ty = ExprId::NONE;
        if self.source.get(reader.at as usize) != Some(&b'(') || name.is_empty() {
            reader.at = before;
            ty = self.doc_type(&mut reader);
            self.doc_blank(&mut reader);
            name = self.doc_word(&mut reader);
        }
        if self.source.get(reader.at as usize) == Some(&b'(') {
            let symbol = self.doc_member(owner, SymbolKind::Method, Said { ty, name }, rest);
            if let Some(symbol) = symbol {
                self.facts.symbols[symbol.index()].flags.insert(flags);
            }
        }
    }

    fn doc_member(&mut self, owner: SymbolId, kind: SymbolKind, said: Said, line: Span) -> Option<SymbolId> {
        let name_span = self.without_sigil(said.name);
        let scope = self.facts.symbols[owner.index()].inner;
        if name_span.is_empty() {
            return None;
        }
        let name = self.words.word(name_span.start as usize, name_span.end as usize, TermMask::CODE);
        if self.declared.contains(&(scope, name)) {
            return None;
        }
        let symbol = SymbolId(self.facts.symbols.len() as u32);
        self.facts.symbols.push(Symbol {
            kind,
            name,
            parent: owner,
            span: line,
            name_span,
            head_end: line.end,
            scope,
            visibility: Visibility::Public,
            ..Symbol::default()
        });
        self.declared.insert((scope, name));
        self.note_type(symbol, said.ty);
        Some(symbol)
    }

    /// The tags of a comment that say types.
    fn tags(&self, language: &'static DocTypes, mut doc: Span) -> Vec<Tag> {
        let mut found = Vec::new();
        // Of several comments the last one is about what follows.
        if language.order == DocOrder::Braced
            && let Some(last) = memchr::memmem::rfind(self.text(doc), b"/**")
        {
            doc.start += last as u32;
        }
        let mut start = doc.start;
        for line in self.text(doc).split(|b| *b == b'\n') {
            let end = start + line.len() as u32;
            let skipped =
                line.iter().take_while(|b| b.is_ascii_whitespace() || matches!(b, b'*' | b'/' | b'#')).count();
            if line.get(skipped) == Some(&b'@') {
                for part in parts_of_line(language, Span::new(start + skipped as u32, end), self.source) {
                    found.extend(self.tag(language, part, doc.end));
                }
            }
            start = end + 1;
        }
        found
    }

    fn tag(&self, language: &'static DocTypes, part: Span, doc_end: u32) -> Option<Tag> {
        let text = self.text(part);
        let length = 1 + text[1..].iter().take_while(|b| is_word_byte(**b) || **b == b'-').count();
        let word = std::str::from_utf8(&text[1..length]).unwrap_or_default();
        let word = language.prefixes.iter().find_map(|p| word.strip_prefix(p)).unwrap_or(word);
        let (_, tag) = language.tags.iter().find(|(name, _)| *name == word)?;
        let mut rest = Span::new(part.start + length as u32, part.end);
        // A type in braces may go on over lines.
        let open = |text: &[u8]| text.iter().fold(0i32, |n, b| n + i32::from(*b == b'{') - i32::from(*b == b'}'));
        if language.order == DocOrder::Braced && open(self.text(rest)) > 0 {
            rest.end = doc_end;
        }
        Some(Tag { tag: *tag, rest })
    }

    /// The type and the name that stand after a tag.
    pub(crate) fn said(&mut self, language: &'static DocTypes, rest: Span) -> Said {
        let mut reader = DocReader::new(rest, language);
        self.doc_blank(&mut reader);
        match language.order {
            DocOrder::TypeThenName => {
                let ty = self.doc_type(&mut reader);
                self.doc_blank(&mut reader);
                while matches!(self.peek(&reader), Some(b'&' | b'.')) {
                    reader.at += 1;
                }
                let name = match self.peek(&reader) {
                    Some(b'$') => self.doc_variable_name(&mut reader),
                    _ => Span::default(),
                };
                Said { ty, name }
            }
            DocOrder::Braced => self.said_in_braces(&mut reader),
            DocOrder::Bracketed => {
                let mut name = self.doc_word(&mut reader);
                self.doc_blank(&mut reader);
                let mut ty = ExprId::NONE;
                if self.peek(&reader) == Some(b'[') {
                    reader.at += 1;
                    ty = self.doc_type(&mut reader);
                    let after = self.source[reader.at as usize..rest.end as usize].iter().position(|b| *b == b']');
                    reader.at += after.map_or(0, |i| i as u32 + 1);
                    self.doc_blank(&mut reader);
                    name = if name.is_empty() { self.doc_word(&mut reader) } else { name };
                }
                Said { ty, name }
            }
        }
    }

    /// `{Type} name`, `{Type} [name=default]`; `{Type} options.part` is about no name of its own.
    fn said_in_braces(&mut self, reader: &mut DocReader) -> Said {
        let mut ty = ExprId::NONE;
        if self.peek(reader) == Some(b'{') {
            let mut depth = 0i32;
            let balanced = self.source[reader.at as usize..reader.end as usize].iter().position(|b| {
                depth += i32::from(*b == b'{') - i32::from(*b == b'}');
                depth == 0
            });
            let Some(length) = balanced else { return Said { ty, name: Span::default() } };
            let close = reader.at + length as u32;
            let mut inner = DocReader::new(Span::new(reader.at + 1, close), reader.doc);
            self.doc_blank(&mut inner);
            ty = self.doc_type(&mut inner);
            reader.at = close + 1;
        }
        self.doc_blank(reader);
        if self.peek(reader) == Some(b'[') {
            reader.at += 1;
            self.doc_blank(reader);
        }
        let name = self.doc_word(reader);
        match self.peek(reader) {
            Some(b'.') => Said { ty: ExprId::NONE, name: Span::default() },
            _ => Said { ty, name },
        }
    }

    fn doc_variable_name(&self, reader: &mut DocReader) -> Span {
        let start = reader.at;
        reader.at += 1;
        let word = self.doc_word(reader);
        if word.is_empty() { Span::default() } else { Span::new(start, word.end) }
    }

    fn peek(&self, reader: &DocReader) -> Option<u8> {
        (reader.at < reader.end).then(|| self.source[reader.at as usize])
    }

    pub(crate) fn doc_blank(&self, reader: &mut DocReader) {
        let over_lines = reader.doc.order == DocOrder::Braced;
        while matches!(self.peek(reader), Some(b' ' | b'\t'))
            || over_lines && matches!(self.peek(reader), Some(b'\n' | b'\r' | b'*'))
        {
            reader.at += 1;
        }
    }

    pub(crate) fn doc_word(&self, reader: &mut DocReader) -> Span {
        let start = reader.at;
        while self.peek(reader).is_some_and(is_word_byte) {
            reader.at += 1;
        }
        Span::new(start, reader.at)
    }

    /// One or several types.
    pub(crate) fn doc_type(&mut self, reader: &mut DocReader) -> ExprId {
        reader.depth += 1;
        let mut ty = self.doc_part(reader);
        loop {
            let before = reader.at;
            self.doc_blank(reader);
            let op = match self.peek(reader) {
                Some(b'|') => ExprOp::Either,
                Some(b',') if reader.doc.order == DocOrder::Bracketed && reader.depth == 1 => ExprOp::Either,
                // `Type &$name` is passed by reference.
                Some(b'&') if !matches!(self.source.get(reader.at as usize + 1), Some(b'$' | b'.')) => ExprOp::Meet,
                _ => {
                    reader.at = before;
                    break;
                }
            };
            reader.at += 1;
            self.doc_blank(reader);
            let next = self.doc_part(reader);
            ty = match (ty.is_some(), next.is_some()) {
                (true, true) => self.expr(op, ty.0, next.0),
                (false, _) => next,
                _ => ty,
            };
        }
        reader.depth -= 1;
        ty
    }

    fn doc_part(&mut self, reader: &mut DocReader) -> ExprId {
        if reader.depth > DEEPEST {
            return ExprId::NONE;
        }
        if reader.doc.order == DocOrder::Braced {
            while matches!(self.peek(reader), Some(b'!' | b'.')) {
                reader.at += 1;
            }
            if let Some(ty) = self.braced_part(reader) {
                return ty;
            }
        }
        let mut ty = match self.peek(reader) {
            Some(b'?') => {
                reader.at += 1;
                self.doc_part(reader)
            }
            Some(b'(') => {
                reader.at += 1;
                let ty = self.doc_type(reader);
                if self.peek(reader) == Some(b')') {
                    reader.at += 1;
                }
                ty
            }
            Some(b'$') => {
                let name = self.doc_variable_name(reader);
                match self.language.receivers.iter().any(|word| word.as_bytes() == self.text(name)) {
                    true => self.expr(ExprOp::This, self.scope.0, 0),
                    false => ExprId::NONE,
                }
            }
            Some(quote @ (b'\'' | b'"')) => {
                reader.at += 1;
                while self.peek(reader).is_some_and(|b| b != quote) {
                    reader.at += 1;
                }
                reader.at = (reader.at + 1).min(reader.end);
                ExprId::NONE
            }
            _ => self.doc_named(reader),
        };
        if reader.doc.order == DocOrder::Braced {
            return self.doc_suffixes(reader, ty);
        }
        while self.source[reader.at as usize..reader.end as usize].starts_with(b"[]") {
            reader.at += 2;
            ty = if ty.is_some() { self.expr(ExprOp::Array, ty.0, 0) } else { ty };
        }
        ty
    }

    /// What is written as in the language's own types: functions, objects, types of values and of other files.
    fn braced_part(&mut self, reader: &mut DocReader) -> Option<ExprId> {
        let rest = &self.source[reader.at as usize..reader.end as usize];
        let ty = match rest.first()? {
            b'(' => {
                let close = closing(rest, b'(', b')')?;
                let arrow = rest[close + 1..].trim_ascii_start();
                if !arrow.starts_with(b"=>") {
                    return None;
                }
                reader.at += (rest.len() - arrow.len() + 2) as u32;
                self.doc_blank(reader);
                let returns = self.doc_type(reader);
                return Some(match returns.is_some() {
                    true => self.expr(ExprOp::FunctionType, returns.0, 0),
                    false => returns,
                });
            }
            b'{' => self.doc_shape(reader, closing(rest, b'{', b'}')?),
            b'[' => {
                reader.at += closing(rest, b'[', b']')? as u32 + 1;
                ExprId::NONE
            }
            _ if rest.starts_with(b"import(") => {
                let base = self.doc_import_type(reader);
                let args = self.doc_arguments(reader);
                self.applied(base, &args)
            }
            _ if rest.starts_with(b"typeof ") => {
                reader.at += 7;
                self.doc_blank(reader);
                let value = match self.source[reader.at as usize..].starts_with(b"import(") {
                    true => self.doc_import_type(reader),
                    false => self.doc_named(reader),
                };
                match value.is_some() {
                    true => self.expr(ExprOp::TypeOf, value.0, 0),
                    false => value,
                }
            }
            _ if rest.starts_with(b"readonly ") => {
                reader.at += 9;
                self.doc_named(reader)
            }
            _ if rest.starts_with(b"keyof ") => {
                reader.at += 6;
                self.doc_named(reader);
                ExprId::NONE
            }
            _ => {
                // `name is Type` says something about a parameter.
                let word = rest.iter().take_while(|b| is_word_byte(**b)).count();
                if !rest[word..].starts_with(b" is ") {
                    return None;
                }
                reader.at += word as u32 + 4;
                self.doc_type(reader);
                return Some(ExprId::NONE);
            }
        };
        Some(self.doc_suffixes(reader, ty))
    }

    /// `Type[]` is a list, `Type["key"]` a type that is not looked into.
    fn doc_suffixes(&mut self, reader: &mut DocReader, mut ty: ExprId) -> ExprId {
        while self.peek(reader) == Some(b'[') {
            let rest = &self.source[reader.at as usize..reader.end as usize];
            let Some(close) = closing(rest, b'[', b']') else { return ExprId::NONE };
            reader.at += close as u32 + 1;
            ty = match close == 1 && ty.is_some() {
                true => self.expr(ExprOp::Array, ty.0, 0),
                false => ExprId::NONE,
            };
        }
        ty
    }

    /// `{ a: A, b?: B }`.
    fn doc_shape(&mut self, reader: &mut DocReader, length: usize) -> ExprId {
        let span = Span::new(reader.at, reader.at + length as u32 + 1);
        let scope = self.doc_scope(span);
        let mut inner = DocReader { at: span.start + 1, end: span.end - 1, depth: reader.depth + 1, doc: reader.doc };
        reader.at = span.end;
        while inner.at < inner.end && inner.depth <= DEEPEST {
            self.doc_blank(&mut inner);
            let name = self.doc_word(&mut inner);
            if self.peek(&inner) == Some(b'?') {
                inner.at += 1;
            }
            self.doc_blank(&mut inner);
            if name.is_empty() || self.peek(&inner) != Some(b':') {
                break;
            }
            inner.at += 1;
            self.doc_blank(&mut inner);
            let ty = self.doc_type(&mut inner);
            self.doc_key(scope, Said { ty, name });
            self.doc_blank(&mut inner);
            if !matches!(self.peek(&inner), Some(b',' | b';')) {
                break;
            }
            inner.at += 1;
        }
        self.expr(ExprOp::Shape, scope.0, 0)
    }

    fn applied(&mut self, base: ExprId, args: &[ExprId]) -> ExprId {
        if args.is_empty() || base.is_none() {
            return base;
        }
        let mut list = ExprId::NONE;
        for arg in args.iter().rev() {
            let item = match arg.is_some() {
                true => *arg,
                false => self.expr(ExprOp::Literal, Literal::Other as u32, u32::MAX),
            };
            list = self.expr(ExprOp::Cons, item.0, list.0);
        }
        self.expr(ExprOp::Apply, base.0, list.0)
    }

    /// A type by its name, with what stands in brackets after it.
    fn doc_named(&mut self, reader: &mut DocReader) -> ExprId {
        let start = reader.at;
        let separator = self.language.separator.as_bytes();
        let mut parts: Vec<Span> = Vec::new();
        let rooted = self.source[start as usize..reader.end as usize].starts_with(separator);
        if rooted {
            reader.at += separator.len() as u32;
        }
        loop {
            let word = self.doc_word(reader);
            if word.is_empty() {
                break;
            }
            parts.push(word);
            // `class-string`, `non-empty-list`
            while self.peek(reader) == Some(b'-') && parts.len() == 1 {
                reader.at += 1;
                self.doc_word(reader);
                parts[0].end = reader.at;
            }
            let rest = &self.source[reader.at as usize..reader.end as usize];
            if !rest.starts_with(separator) || !rest.get(separator.len()).is_some_and(|b| is_word_byte(*b)) {
                break;
            }
            reader.at += separator.len() as u32;
        }
        let (Some(first), Some(last)) = (parts.first().copied(), parts.last().copied()) else {
            self.skip_bracket(reader);
            return ExprId::NONE;
        };
        let whole = Span::new(first.start, last.end);
        let word = String::from_utf8_lossy(self.text(whole)).into_owned();
        let is_list = reader.doc.lists.contains(&word.as_str());
        let args = self.doc_arguments(reader);
        self.skip_bracket(reader);
        if is_list {
            return match args.last() {
                Some(item) if item.is_some() => self.expr(ExprOp::Array, item.0, 0),
                _ => ExprId::NONE,
            };
        }
        if self.language.receivers.contains(&word.as_str()) && !rooted {
            return self.expr(ExprOp::This, self.scope.0, 0);
        }
        if word.contains('-')
            || reader.doc.basics.contains(&word.as_str())
            || word.starts_with(|c: char| c.is_ascii_digit())
        {
            return ExprId::NONE;
        }
        let base = self.doc_path(&parts, rooted);
        self.applied(base, &args)
    }

    fn doc_path(&mut self, parts: &[Span], rooted: bool) -> ExprId {
        let mut object = match rooted {
            true => self.expr(ExprOp::Root, 0, 0),
            false => ExprId::NONE,
        };
        for span in parts {
            let name = self.words.word(span.start as usize, span.end as usize, TermMask::CODE);
            let reference = self.reference(name, *span, RefKind::TypeRef, object);
            object = self.expr(ExprOp::Ref, reference.0, 0);
        }
        object
    }

    /// `<K, V>` or `{K => V}`.
    fn doc_arguments(&mut self, reader: &mut DocReader) -> Vec<ExprId> {
        let mut args = Vec::new();
        // `Array.<T>` is an old way to write it.
        if self.source[reader.at as usize..reader.end as usize].starts_with(b".<") {
            reader.at += 1;
        }
        if self.peek(reader) != Some(b'<') {
            return args;
        }
        loop {
            reader.at += 1;
            self.doc_blank(reader);
            reader.depth += 1;
            args.push(self.doc_type(reader));
            reader.depth -= 1;
            self.doc_blank(reader);
            match self.peek(reader) {
                Some(b',') => {}
                Some(b'>') => {
                    reader.at += 1;
                    break;
                }
                _ => break,
            }
        }
        args
    }

    /// Shapes and the parameters of functions say nothing that is needed.
    fn skip_bracket(&self, reader: &mut DocReader) {
        let Some(open @ (b'{' | b'(')) = self.peek(reader) else { return };
        let close = if open == b'{' { b'}' } else { b')' };
        let mut depth = 0;
        while let Some(byte) = self.peek(reader) {
            reader.at += 1;
            depth += i32::from(byte == open) - i32::from(byte == close);
            if depth == 0 {
                break;
            }
        }
        if open == b'(' && self.peek(reader) == Some(b':') {
            reader.at += 1;
            self.doc_blank(reader);
            while self.peek(reader).is_some_and(|b| !b.is_ascii_whitespace() && b != b'|' && b != b',' && b != b'>') {
                reader.at += 1;
            }
        }
    }
}

/// Where a bracket at the start of a text closes.
fn closing(text: &[u8], open: u8, close: u8) -> Option<usize> {
    let mut depth = 0i32;
    text.iter().position(|b| {
        depth += i32::from(*b == open) - i32::from(*b == close);
        depth == 0
    })
}

/// The tags of a line that starts with one: where types stand in braces, others may follow on the same line.
fn parts_of_line(language: &DocTypes, line: Span, source: &[u8]) -> Vec<Span> {
    let mut starts = vec![line.start];
    if language.order == DocOrder::Braced {
        let mut depth = 0i32;
        for at in line.start..line.end.saturating_sub(1) {
            let byte = source[at as usize];
            depth += i32::from(byte == b'{') - i32::from(byte == b'}');
            if depth == 0 && byte.is_ascii_whitespace() && source[at as usize + 1] == b'@' {
                starts.push(at + 1);
            }
        }
    }
    let ends = starts.iter().skip(1).copied().chain([line.end]);
    starts.iter().zip(ends).map(|(start, end)| Span::new(*start, end)).collect()
}

/// Where the reading of a type is.
pub(crate) struct DocReader {
    pub(crate) at: u32,
    pub(crate) end: u32,
    depth: u32,
    doc: &'static DocTypes,
}

impl DocReader {
    pub(crate) fn new(span: Span, doc: &'static DocTypes) -> DocReader {
        DocReader { at: span.start, end: span.end, depth: 0, doc }
    }
}
