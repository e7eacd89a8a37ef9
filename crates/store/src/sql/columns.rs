//! The columns that describe symbols and references, shared by the tables that list them.

use std::sync::Arc;

use codegraph_model::{Flags, Import, RefId, RefKind, Reference, Span, Symbol, SymbolId, SymbolKind, Visibility};
use rusqlite::types::Value;
use serde_json::{Map, json};

use super::file_view::{FileView, Reader};
use super::table::{Column, Key};
use crate::{Result, span_id};

/// A symbol of a file.
pub(super) struct SymbolAt {
    pub(super) file: Arc<FileView>,
    pub(super) id: SymbolId,
}

/// A reference of a file.
pub(super) struct RefAt {
    pub(super) file: Arc<FileView>,
    pub(super) index: usize,
}

impl SymbolAt {
    pub(super) fn symbol(&self) -> &Symbol {
        self.file.symbol(self.id)
    }

    fn flag(&self, flag: Flags) -> Result<Value> {
        int(self.symbol().flags.has(flag))
    }
}

impl RefAt {
    pub(super) fn reference(&self) -> &Reference {
        &self.file.stored.facts.refs[self.index]
    }

    /// The import whose last name this is.
    pub(super) fn import(&self) -> Option<&Import> {
        let own = RefId(self.index as u32);
        self.file.stored.facts.imports.iter().find(|import| import.path.last() == Some(&own))
    }

    /// The symbol that the reference belongs to.
    pub(super) fn caller(&self) -> SymbolId {
        let facts = &self.file.stored.facts;
        let owner = facts.scopes.get(self.reference().scope.index()).map(|scope| scope.owner);
        owner.filter(|owner| owner.index() < facts.symbols.len()).unwrap_or(SymbolId(0))
    }
}

pub(super) fn int(value: impl Into<i64>) -> Result<Value> {
    Ok(Value::Integer(value.into()))
}

pub(super) fn text(value: impl Into<String>) -> Result<Value> {
    Ok(Value::Text(value.into()))
}

pub(super) fn optional(value: Option<String>) -> Result<Value> {
    Ok(value.map_or(Value::Null, Value::Text))
}

/// A column without a search key.
pub(super) const fn column<R>(declaration: &'static str, value: fn(&Reader, &R) -> Result<Value>) -> Column<R> {
    Column { declaration, key: None, value }
}

/// A column that narrows the search.
pub(super) const fn keyed<R>(
    declaration: &'static str,
    key: Key,
    value: fn(&Reader, &R) -> Result<Value>,
) -> Column<R> {
    Column { declaration, key: Some(key), value }
}

pub(super) const ID: Column<SymbolAt> = keyed("id INTEGER", Key::Row, |_, s| int(s.file.row_id(s.id)));
pub(super) const FILE_ID: Column<SymbolAt> = keyed("file_id INTEGER", Key::File, |_, s| int(s.file.record.id.0));
pub(super) const FILE_PATH: Column<SymbolAt> =
    keyed("file_path TEXT", Key::Path, |_, s| text(s.file.record.path.as_str()));
pub(super) const NAME: Column<SymbolAt> = keyed("name TEXT", Key::Defined, |_, s| text(s.file.symbol_name(s.id)));
pub(super) const LINE: Column<SymbolAt> =
    column("line INTEGER", |_, s| int(s.file.position(s.symbol().name_or_start()).0));
pub(super) const LINE_NUMBER: Column<SymbolAt> =
    column("line_number INTEGER", |_, s| int(s.file.position(s.symbol().name_or_start()).0));
pub(super) const END_LINE: Column<SymbolAt> =
    column("end_line INTEGER", |_, s| int(s.file.position(last_byte(s.symbol().span)).0));
pub(super) const CLASS_ID: Column<SymbolAt> = column("class_id INTEGER", |reader, s| {
    if let Some(class) = s.file.enclosing(s.id, "class") {
        return Ok(Value::Integer(s.file.row_id(class)));
    }
    let is_block = |parent: SymbolId| s.file.symbol(parent).kind == SymbolKind::Impl;
    if s.symbol().qualifier.is_none() && !s.symbol().parent.get().is_some_and(is_block) {
        return Ok(Value::Null);
    }
    // It stands outside of its class.
    let file = reader.file(s.file.record.id.0, true)?;
    let named = file.links(reader)?.type_named_by(&file.stored.facts, s.id);
    Ok(match named {
        Some(row) if reader.file(row.file.0, false)?.symbol(row.symbol).kind.entity() == Some("class") => {
            Value::Integer(row.row_id())
        }
        _ => Value::Null,
    })
});
pub(super) const PROTOTYPE: Column<SymbolAt> =
    column("prototype TEXT", |r, s| optional(r.prototype(&s.file, s.symbol())));
pub(super) const SIGNATURE: Column<SymbolAt> =
    column("signature TEXT", |r, s| optional(r.prototype(&s.file, s.symbol())));
pub(super) const VISIBILITY: Column<SymbolAt> = column("visibility TEXT", |_, s| {
    Ok(match s.symbol().visibility {
        Visibility::Unknown => Value::Null,
        known => Value::Text(known.word().to_owned()),
    })
});
pub(super) const IS_STATIC: Column<SymbolAt> = column("is_static INTEGER", |_, s| s.flag(Flags::STATIC));
pub(super) const IS_ASYNC: Column<SymbolAt> = column("is_async INTEGER", |_, s| s.flag(Flags::ASYNC));
pub(super) const IS_ABSTRACT: Column<SymbolAt> = column("is_abstract INTEGER", |_, s| s.flag(Flags::ABSTRACT));
pub(super) const DOCSTRING: Column<SymbolAt> =
    column("docstring TEXT", |r, s| optional(r.slice(&s.file, s.symbol().doc)));
pub(super) const DOCS: Column<SymbolAt> = column("docs TEXT", |r, s| optional(r.slice(&s.file, s.symbol().doc)));
pub(super) const BASES: Column<SymbolAt> = column("bases TEXT", |r, s| spans(r, &s.file, &s.symbol().bases));
pub(super) const DECORATORS: Column<SymbolAt> =
    column("decorators TEXT", |r, s| spans(r, &s.file, &s.symbol().decorators));
pub(super) const ARGS: Column<SymbolAt> = column("args TEXT", parameters);
pub(super) const PARAMETERS: Column<SymbolAt> = column("parameters TEXT", parameters);

/// All columns of `symbols`.
pub(super) const SYMBOLS: &[Column<SymbolAt>] = &[
    ID,
    column("symbol_id TEXT", |_, s| text(s.file.symbol_id(s.id))),
    column("symbol_key TEXT", |_, s| text(s.file.symbol_key(s.id))),
    NAME,
    column("kind TEXT", |_, s| text(s.symbol().kind.display())),
    column("kind_normalized TEXT", |_, s| text(s.symbol().kind.normalized())),
    column("fqn TEXT", |_, s| text(s.file.fqn(s.id))),
    column("display_fqn TEXT", |_, s| text(s.file.fqn(s.id))),
    column("canonical_fqn TEXT", |_, s| text(s.file.canonical(s.id))),
    column("language TEXT", |_, s| text(s.file.record.language.as_str())),
    FILE_ID,
    FILE_PATH,
    column("parent_id INTEGER", |_, s| {
        Ok(s.symbol().parent.get().map_or(Value::Null, |parent| Value::Integer(s.file.row_id(parent))))
    }),
    column("byte_start INTEGER", |_, s| int(s.symbol().span.start)),
    column("byte_end INTEGER", |_, s| int(s.symbol().span.end)),
    column("start_line INTEGER", |_, s| int(s.file.position(s.symbol().span.start).0)),
    column("start_col INTEGER", |_, s| int(s.file.position(s.symbol().span.start).1)),
    column("end_line INTEGER", |_, s| int(s.file.position(s.symbol().span.end).0)),
    column("end_col INTEGER", |_, s| int(s.file.position(s.symbol().span.end).1)),
    column("name_start INTEGER", |_, s| int(s.symbol().name_span.start)),
    column("name_end INTEGER", |_, s| int(s.symbol().name_span.end)),
    column("span_id TEXT", |_, s| {
        let span = s.symbol().span;
        text(span_id(&s.file.record.path, span.start, span.end))
    }),
    VISIBILITY,
    column("flags TEXT", |_, s| text(s.symbol().flags.words().collect::<Vec<_>>().join(" "))),
    IS_STATIC,
    IS_ASYNC,
    IS_ABSTRACT,
    SIGNATURE,
    PARAMETERS,
    column("type TEXT", |r, s| optional(r.slice(&s.file, s.symbol().type_span))),
    BASES,
    DECORATORS,
    DOCS,
    column("parent_key TEXT", |_, s| optional(s.symbol().parent.get().map(|parent| s.file.symbol_key(parent)))),
    column("name_line INTEGER", |_, s| int(s.file.position(s.symbol().name_or_start()).0)),
];

pub(super) const REF_ID: Column<RefAt> =
    keyed("id INTEGER", Key::Row, |_, r| int(i64::from(r.file.record.id.0) << 24 | r.index as i64));
pub(super) const REF_FILE_ID: Column<RefAt> = keyed("file_id INTEGER", Key::File, |_, r| int(r.file.record.id.0));
pub(super) const REF_FILE_PATH: Column<RefAt> =
    keyed("file_path TEXT", Key::Path, |_, r| text(r.file.record.path.as_str()));
pub(super) const REF_START: Column<RefAt> = column("byte_start INTEGER", |_, r| int(r.reference().span.start));
pub(super) const REF_END: Column<RefAt> = column("byte_end INTEGER", |_, r| int(r.reference().span.end));
pub(super) const REF_START_LINE: Column<RefAt> =
    column("start_line INTEGER", |_, r| int(r.file.position(r.reference().span.start).0));
pub(super) const REF_START_COL: Column<RefAt> =
    column("start_col INTEGER", |_, r| int(r.file.position(r.reference().span.start).1));
pub(super) const REF_END_LINE: Column<RefAt> =
    column("end_line INTEGER", |_, r| int(r.file.position(r.reference().span.end).0));
pub(super) const REF_END_COL: Column<RefAt> =
    column("end_col INTEGER", |_, r| int(r.file.position(r.reference().span.end).1));
pub(super) const CALLER: Column<RefAt> = column("caller TEXT", |_, r| text(r.file.symbol_name(r.caller())));
pub(super) const CALLER_ID: Column<RefAt> = column("caller_id INTEGER", |_, r| int(r.file.row_id(r.caller())));
pub(super) const CALLER_SYMBOL_ID: Column<RefAt> =
    column("caller_symbol_id TEXT", |_, r| text(r.file.symbol_id(r.caller())));

/// The entity class that a reference of this kind points to where its target is not known.
pub(super) const fn target_type(reference: &Reference) -> Option<&'static str> {
    match reference.kind {
        RefKind::Call if reference.receiver.is_some() => Some("method"),
        RefKind::Call | RefKind::Macro | RefKind::Decorator => Some("function"),
        RefKind::Instantiation | RefKind::Inherit | RefKind::Implements | RefKind::TypeRef => Some("class"),
        RefKind::Attribute | RefKind::Read | RefKind::Write | RefKind::Import => None,
    }
}

/// The last byte of a span, so that a trailing line break does not count as a line.
const fn last_byte(span: Span) -> u32 {
    if span.is_empty() { span.start } else { span.end - 1 }
}

fn spans(reader: &Reader, file: &FileView, spans: &[Span]) -> Result<Value> {
    let texts: Vec<_> = spans.iter().filter_map(|span| reader.slice(file, *span)).collect();
    text(json!(texts).to_string())
}

fn parameters(reader: &Reader, s: &SymbolAt) -> Result<Value> {
    if !s.symbol().kind.is_callable() {
        return Ok(Value::Null);
    }
    let list = s.symbol().params.iter().map(|param| {
        let mut object = Map::new();
        let parts = [("name", param.name), ("type", param.type_span), ("default", param.default)];
        for (key, span) in parts {
            if let Some(value) = reader.slice(&s.file, span) {
                object.insert(key.to_owned(), value.into());
            }
        }
        if param.flags.has(Flags::VARIADIC) || param.flags.has(Flags::KEYWORD_VARIADIC) {
            object.insert("variadic".to_owned(), true.into());
        }
        object
    });
    text(json!(list.collect::<Vec<_>>()).to_string())
}

/// Where a symbol is said to be.
trait NameStart {
    fn name_or_start(&self) -> u32;
}

impl NameStart for Symbol {
    fn name_or_start(&self) -> u32 {
        if self.name_span.is_empty() { self.span.start } else { self.name_span.start }
    }
}
