//! The columns that say what a reference means, and the table of entities that use each other.

use std::sync::Arc;

use codegraph_model::{RefKind, SymbolId};
use rusqlite::types::Value;

use super::columns::{REF_FILE_ID, REF_ID, RefAt, column, int, optional, target_type, text};
use super::file_view::{FileView, Reader};
use super::table::{Column, Over, Table};
use crate::{BoundRef, LinkTarget, Result, SymbolRow};

impl RefAt {
    fn bound<'a>(&'a self, reader: &Reader) -> Result<Option<(&'a BoundRef, &'a LinkTarget)>> {
        let links = self.file.links(reader)?;
        Ok(links.of(codegraph_model::RefId(self.index as u32)).map(|bound| (bound, links.target(bound))))
    }

    /// What the reference does to its target.
    pub(super) fn kind(&self, reader: &Reader) -> Result<RefKind> {
        Ok(self.bound(reader)?.map_or(self.reference().kind, |(bound, _)| bound.kind(self.reference())))
    }

    fn target(&self, reader: &Reader) -> Result<Option<SymbolRow>> {
        Ok(match self.bound(reader)? {
            Some((_, LinkTarget::Symbol(row))) => Some(*row),
            _ => None,
        })
    }

    /// The file of the target, and the symbol in it.
    fn target_symbol(&self, reader: &Reader) -> Result<Option<(Arc<FileView>, SymbolId)>> {
        Ok(match self.target(reader)? {
            Some(row) => Some((reader.file(row.file.0, false)?, row.symbol)),
            None => None,
        })
    }

    /// The class of entity that the target is: what it is known to be, else what the use says.
    pub(super) fn target_type(&self, reader: &Reader) -> Result<Option<&'static str>> {
        Ok(match self.target_symbol(reader)? {
            Some((file, id)) => file.symbol(id).kind.entity(),
            None if !self.runs(reader)? => Some("class"),
            None => target_type(self.reference()),
        })
    }

    /// Whether a use that may be a call is one: what stands as a decorator may be an annotation, which runs nothing.
    pub(super) fn runs(&self, reader: &Reader) -> Result<bool> {
        if self.reference().kind != RefKind::Decorator {
            return Ok(true);
        }
        if let Some((file, id)) = self.target_symbol(reader)? {
            return Ok(!file.symbol(id).kind.is_type());
        }
        // Outside the project, functions have small letters in the languages in which decorators are functions.
        let name = reader.name(&self.file, self.reference().name)?.unwrap_or_default();
        Ok(!name.starts_with(char::is_uppercase))
    }

    /// The target, if it is an entity of this class.
    fn callee(&self, reader: &Reader, entity: &str) -> Result<Value> {
        let found = self.target_symbol(reader)?;
        let row = found.filter(|(file, id)| file.symbol(*id).kind.entity() == Some(entity));
        Ok(row.map_or(Value::Null, |(file, id)| Value::Integer(file.row_id(id))))
    }

    /// The smallest entity around the reference, if it is of this class.
    fn caller_entity(&self, entity: &str) -> Result<Value> {
        let found = self.caller_entity_symbol().filter(|id| self.file.symbol(*id).kind.entity() == Some(entity));
        Ok(found.map_or(Value::Null, |id| Value::Integer(self.file.row_id(id))))
    }

    fn caller_entity_symbol(&self) -> Option<SymbolId> {
        let mut at = self.caller();
        while at.is_some() && self.file.symbol(at).kind.entity().is_none() {
            at = self.file.symbol(at).parent;
        }
        at.get()
    }
}

pub(super) const TARGET_ID: Column<RefAt> = column("target_id INTEGER", row_id);
pub(super) const CALLEE_ID: Column<RefAt> = column("callee_id INTEGER", row_id);
pub(super) const TARGET_SYMBOL_ID: Column<RefAt> = column("target_symbol_id TEXT", symbol_id);
pub(super) const CALLEE_SYMBOL_ID: Column<RefAt> = column("callee_symbol_id TEXT", symbol_id);
/// The name of the target: of a symbol of the project, or the path of something outside.
pub(super) const TARGET: Column<RefAt> = column("target TEXT", |reader, r| {
    Ok(match r.bound(reader)? {
        Some((_, LinkTarget::Symbol(row))) => Value::Text(reader.file(row.file.0, false)?.fqn(row.symbol)),
        Some((_, LinkTarget::External(path))) => {
            let names = path.iter().map(|name| reader.store.text(*name)).collect::<Result<Vec<_>>>()?;
            Value::Text(names.join(&r.file.record.separator))
        }
        None => Value::Null,
    })
});
pub(super) const IS_EXTERNAL: Column<RefAt> =
    column("is_external INTEGER", |reader, r| int(matches!(r.bound(reader)?, Some((_, LinkTarget::External(_))))));
pub(super) const CERTAINTY: Column<RefAt> = column("certainty TEXT", |reader, r| {
    if let Some((bound, _)) = r.bound(reader)? {
        return text(bound.certainty.word());
    }
    let open = r.file.links(reader)?.unbound.binary_search(&codegraph_model::RefId(r.index as u32)).is_ok();
    optional(open.then(|| codegraph_model::Certainty::Candidate.word().to_owned()))
});
pub(super) const HOW: Column<RefAt> =
    column("how TEXT", |reader, r| optional(r.bound(reader)?.map(|(bound, _)| bound.how.word().to_owned())));
/// The class of a target that is a member of one.
pub(super) const TARGET_CLASS: Column<RefAt> = column("target_class TEXT", |reader, r| {
    let found = r.target_symbol(reader)?;
    optional(found.and_then(|(file, id)| Some(file.symbol_name(file.enclosing(id, "class")?))))
});

fn row_id(reader: &Reader, r: &RefAt) -> Result<Value> {
    Ok(r.target(reader)?.map_or(Value::Null, |row| Value::Integer(row.row_id())))
}

fn symbol_id(reader: &Reader, r: &RefAt) -> Result<Value> {
    optional(r.target_symbol(reader)?.map(|(file, id)| file.symbol_id(id)))
}

/// The key of the target, which edits above it do not change.
pub(super) const TARGET_KEY: Column<RefAt> =
    column("target_key TEXT", |reader, r| optional(r.target_symbol(reader)?.map(|(file, id)| file.symbol_key(id))));

/// One row per use of one entity by another.
pub(super) static ENTITY_CROSS_REF: Table<RefAt> = Table {
    name: "entity_cross_ref",
    over: Over::Files,
    columns: &[
        REF_ID,
        column("caller_class_id INTEGER", |_, r| r.caller_entity("class")),
        column("caller_method_id INTEGER", |_, r| r.caller_entity("method")),
        column("caller_function_id INTEGER", |_, r| r.caller_entity("function")),
        column("callee_class_id INTEGER", |reader, r| r.callee(reader, "class")),
        column("callee_method_id INTEGER", |reader, r| r.callee(reader, "method")),
        column("callee_function_id INTEGER", |reader, r| r.callee(reader, "function")),
        column("ref_type TEXT", |reader, r| match r.runs(reader)? {
            true => optional(ref_type(r.kind(reader)?).map(str::to_owned)),
            false => text("attribute"),
        }),
        REF_FILE_ID,
        column("line INTEGER", |_, r| int(r.file.position(r.reference().span.start).0)),
        column("created_at REAL", |_, r| {
            // The Julian day of when the file was read.
            Ok(Value::Real(r.file.record.indexed_at as f64 / 86_400.0 + 2_440_587.5))
        }),
    ],
    rows: |reader, file| {
        let file = reader.file(file, true)?;
        let mut rows = Vec::new();
        for bound in &file.links(reader)?.bound {
            let row = RefAt { file: file.clone(), index: bound.reference.index() };
            if ref_type(row.reference().kind).is_none() || row.caller_entity_symbol().is_none() {
                continue;
            }
            if let Some((target, id)) = row.target_symbol(reader)?
                && target.symbol(id).kind.entity().is_some()
            {
                rows.push(row);
            }
        }
        Ok(rows)
    },
};

/// What entities do to each other; an import is not a use.
const fn ref_type(kind: RefKind) -> Option<&'static str> {
    match kind {
        RefKind::Call | RefKind::Macro | RefKind::Decorator => Some("call"),
        RefKind::Instantiation => Some("instantiation"),
        RefKind::Inherit | RefKind::Implements => Some("inherit"),
        RefKind::Attribute | RefKind::Read | RefKind::Write | RefKind::TypeRef => Some("attribute"),
        RefKind::Import => None,
    }
}
