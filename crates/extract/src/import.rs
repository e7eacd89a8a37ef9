//! Imports: paths, items, aliases and marks, whatever order a language writes them in.

use codegraph_languages::linking::ImportScheme;
use codegraph_languages::table::{Act, Slot};
use codegraph_model::*;

use crate::frame::*;
use crate::walk::Walk;

impl Walk<'_> {
    /// Joins the path parts inside a node of an import.
    pub(crate) fn close_path(&mut self, frame: &Frame) -> Payload {
        let parts: Vec<Payload> = self.values_of(frame).iter().map(|v| v.payload).collect();
        let mut joined: Option<(u32, u32)> = None;
        for part in parts {
            match (part, joined) {
                (Payload::Path(start, end), Some((first, last))) if last == start => joined = Some((first, end)),
                (Payload::Path(start, end), None) => joined = Some((start, end)),
                (Payload::Source(_), None) => return part,
                _ => {}
            }
        }
        joined.map_or(Payload::Nothing, |(start, end)| Payload::Path(start, end))
    }

    pub(crate) fn mark_import(&mut self, frame: &Frame, flags: ImportFlags) -> Payload {
        if frame.slot == Slot::Expr {
            return Payload::Nothing;
        }
        let around = self.frames.iter_mut().rev().find(|f| matches!(f.act, Act::Import(_) | Act::ImportItem(_)));
        if let Some(frame) = around {
            frame.import.insert(flags);
        }
        Payload::Nothing
    }

    pub(crate) fn import_dots(&mut self, frame: &Frame) -> Payload {
        let dots = self.text(frame.span).iter().filter(|b| **b == b'.').count() as u8;
        let around = self.frames.iter_mut().rev().find(|f| matches!(f.act, Act::Import(_)));
        if let Some(frame) = around {
            frame.level = frame.level.saturating_add(dots);
        }
        Payload::Nothing
    }

    fn new_import(&mut self, frame: &Frame, payload: Payload, alias: Option<Span>) {
        let mut import =
            Import { span: frame.span, scope: frame.outer, level: 0, flags: frame.import, ..Import::default() };
        if self.is_inactive(frame.span.start) {
            import.flags.insert(ImportFlags::INACTIVE);
        }
        match payload {
            Payload::Path(start, end) => import.path = self.paths[start as usize..end as usize].to_vec(),
            Payload::Source(span) => self.set_source(&mut import, span),
            _ => {}
        }
        if let (Some(_), Payload::Path(..)) = (alias, payload) {
            // With a name of its own, the path is imported as a whole.
            import.flags.0 &= !ImportFlags::STAR.0;
        }
        if let Some(span) = alias {
            import.alias = self.words.intern(&self.source[span.range()]);
            import.alias_span = span;
            if self.language.linking.exports_apart {
                self.reference(import.alias, span, RefKind::Import, ExprId::NONE);
            }
        } else if let Payload::Source(span) = payload
            && self.language.linking.imports == ImportScheme::Folders
        {
            let name = folder_name(self.source, span);
            import.alias = self.words.intern(&self.source[name.range()]);
            import.alias_span = name;
        }
        self.facts.imports.push(import);
    }

    pub(crate) fn set_source(&mut self, import: &mut Import, span: Span) {
        import.source = self.words.intern(&self.source[span.range()]);
        import.source_span = span;
        if span.start > 0 && self.source[span.start as usize - 1] == b'<' {
            import.flags.insert(ImportFlags::SYSTEM);
        }
    }

    pub(crate) fn close_import(&mut self, frame: &Frame) -> Payload {
        let frame = &self.frames.last().copied().unwrap_or(*frame);
        let values: Vec<Value> = self.values_of(frame).to_vec();
        let alias = values.iter().find(|v| v.slot == Slot::Alias).map(|v| match v.payload {
            Payload::Text(span) => span,
            _ => v.span,
        });
        let is_item = |v: &&Value| v.slot == Slot::Item && v.payload != Payload::Nothing;
        let items: Vec<Value> = values.iter().filter(is_item).copied().collect();
        for (i, item) in items.iter().enumerate() {
            let own = if i + 1 == items.len() { alias } else { None };
            self.new_import(frame, item.payload, own);
        }
        let emitted = self.facts.imports.len() as u32 > frame.first_import;
        if items.is_empty() && alias.is_some() {
            self.new_import(frame, Payload::Nothing, alias);
        }
        let module = values.iter().find(|v| v.slot == Slot::Module).map(|v| v.payload);
        if !emitted && items.is_empty() && alias.is_none() && (module.is_some() || frame.level > 0) {
            self.new_import(frame, Payload::Nothing, None);
            if let Some(last) = self.facts.imports.last_mut()
                && !last.flags.has(ImportFlags::STAR)
            {
                last.flags.insert(ImportFlags::BARE);
            }
        }
        self.prefix_imports(frame, module);
        Payload::Nothing
    }

    /// A wrapper may export what it wraps, or names of another module.
    pub(crate) fn close_wrapper(&mut self, frame: &Frame) -> Payload {
        let module = self.value(frame, Slot::Module).map(|v| v.payload);
        if module.is_some() && self.facts.imports.len() as u32 == frame.first_import {
            self.new_import(frame, Payload::Nothing, None);
            self.facts.imports[frame.first_import as usize].flags.insert(ImportFlags::STAR);
        }
        if module.is_some() || frame.import != ImportFlags(0) {
            let reexport = Frame { import: ImportFlags(frame.import.0 | ImportFlags::REEXPORT.0), ..*frame };
            self.prefix_imports(&reexport, module);
        }
        if frame.flags.has(Flags::DEFAULT) {
            self.export_default(frame);
        }
        self.close_pass(frame)
    }

    /// A name of this file becomes its default export, any other value is what the file is worth by default.
    fn export_default(&mut self, frame: &Frame) {
        let expr = self.expr_in(frame, Slot::Value);
        let Some(value) = expr.get().map(|e| self.facts.exprs[e.index()]) else { return };
        if value.op != ExprOp::Ref || self.facts.refs[value.a as usize].receiver.is_some() {
            self.facts.notes.push(Note { symbol: SymbolId(0), tie: Tie::Init, expr });
            return;
        }
        let alias = self.words.intern_made("default".to_owned());
        let path = vec![RefId(value.a)];
        let flags = ImportFlags::REEXPORT;
        self.facts.imports.push(Import {
            span: frame.span,
            scope: frame.outer,
            path,
            alias,
            flags,
            ..Import::default()
        });
    }

    /// Everything imported inside a statement comes from its module.
    fn prefix_imports(&mut self, frame: &Frame, module: Option<Payload>) {
        for i in frame.first_import as usize..self.facts.imports.len() {
            let mut import = std::mem::take(&mut self.facts.imports[i]);
            import.flags.0 |= frame.import.0 & !ImportFlags::STAR.0 & !ImportFlags::DEFAULT.0;
            import.level = import.level.saturating_add(frame.level);
            match module {
                Some(Payload::Path(start, end)) => {
                    let mut path = self.paths[start as usize..end as usize].to_vec();
                    path.append(&mut import.path);
                    import.path = path;
                }
                Some(Payload::Source(span)) if import.source.is_none() => self.set_source(&mut import, span),
                _ => {}
            }
            import.scope = frame.outer;
            self.facts.imports[i] = import;
        }
    }

    /// An import by a call with a string.
    pub(crate) fn import_source(&mut self, frame: &Frame, span: Span, flags: ImportFlags) {
        let mut import = Import { span: frame.span, scope: self.scope, flags, ..Import::default() };
        self.set_source(&mut import, span);
        self.facts.imports.push(import);
    }
}

/// The last part of an import path that is a name: without a version folder or a version suffix.
fn folder_name(source: &[u8], path: Span) -> Span {
    let is_version = |part: &[u8]| part.len() > 1 && part[0] == b'v' && part[1..].iter().all(u8::is_ascii_digit);
    let mut end = path.end as usize;
    let start = path.start as usize;
    let part_start = |end: usize| source[start..end].iter().rposition(|b| *b == b'/').map_or(start, |i| start + i + 1);
    let mut from = part_start(end);
    if is_version(&source[from..end]) && from > start {
        end = from - 1;
        from = part_start(end);
    }
    if let Some(dot) = source[from..end].iter().rposition(|b| *b == b'.')
        && is_version(&source[from + dot + 1..end])
    {
        end = from + dot;
    }
    Span::new(from as u32, end as u32)
}
