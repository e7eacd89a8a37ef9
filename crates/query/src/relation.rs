//! How answers show symbols and the places where they are used.

use std::rc::Rc;

use codegraph_model::{Certainty, How, RefKind, SymbolId, SymbolKind, TermId};
use codegraph_store::{FileRecord, LinkTarget, SymbolRow};
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::graph::{Graph, Site};
use crate::reader::FileView;
use crate::source::{LineCursor, Source, shown_line};
use crate::{Reader, Remarks, Result};

/// A symbol in few words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SymbolBrief {
    pub symbol_id: String,
    pub fqn: String,
    /// The qualified name without that of its module.
    #[serde(skip)]
    pub scoped: String,
    pub name: String,
    pub kind: SymbolKind,
    /// The linked project that it is in; absent for the project that is asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    pub file: String,
    pub line_number: u32,
    pub end_line: u32,
}

/// A place where something is used.
#[derive(Clone, Debug, Serialize)]
pub struct SiteInfo {
    pub file: String,
    pub line_number: u32,
    pub start_col: u32,
    pub byte_start: u32,
    pub byte_end: u32,
    /// How it is used: call, instantiation, read, write, attribute, type_ref, import, inherit, implements, …
    pub kind: RefKind,
    /// The smallest symbol around the place.
    pub user: SymbolBrief,
    pub certainty: Certainty,
    /// The rule that proves it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub how: Option<How>,
    /// The line; absent if the text could not be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// Turns rows of the index into what answers show, reading each file once.
pub(crate) struct Describer<'g, 'r> {
    graph: &'g Graph<'r>,
    views: FxHashMap<u32, Rc<FileView<'r>>>,
    source: Option<(u32, Option<Source>, LineCursor)>,
    pub(crate) remarks: Remarks,
}

impl<'g, 'r> Describer<'g, 'r> {
    pub(crate) fn new(graph: &'g Graph<'r>) -> Describer<'g, 'r> {
        Describer { graph, views: FxHashMap::default(), source: None, remarks: Remarks::of(graph.reader) }
    }

    fn reader(&self) -> &'r Reader {
        self.graph.reader
    }

    pub(crate) fn view(&mut self, row: SymbolRow) -> Result<Rc<FileView<'r>>> {
        if let Some(view) = self.views.get(&row.file.0) {
            return Ok(view.clone());
        }
        let view = Rc::new(self.reader().view_of(row.file)?);
        self.views.insert(row.file.0, view.clone());
        Ok(view)
    }

    pub(crate) fn brief(&mut self, row: SymbolRow) -> Result<SymbolBrief> {
        let view = self.view(row)?;
        let brief = brief(&view, row.symbol);
        view.check()?;
        Ok(brief)
    }

    /// The name of a target: of a symbol, or the path of something outside.
    pub(crate) fn target(&mut self, from: &FileRecord, target: &LinkTarget) -> Result<String> {
        match target {
            LinkTarget::Symbol(row) => Ok(self.brief(*row)?.fqn),
            LinkTarget::External(path) => external(self.reader(), from, path),
        }
    }

    pub(crate) fn site(&mut self, site: &Site) -> Result<SiteInfo> {
        let view = self.view(site.user)?;
        let span = site.reference.span;
        let (line_number, start_col) = view.facts().position(span.start);
        Ok(SiteInfo {
            file: view.record.path.clone(),
            line_number,
            start_col,
            byte_start: span.start,
            byte_end: span.end,
            kind: site.reference.kind,
            user: self.brief(site.user)?,
            certainty: site.certainty,
            how: Some(site.how),
            text: self.line(&view, line_number, start_col),
        })
    }

    fn line(&mut self, view: &FileView<'_>, line: u32, column: u32) -> Option<String> {
        let file = view.record.id.0;
        if self.source.as_ref().is_none_or(|(open, ..)| *open != file) {
            let source = self.reader().source(&view.record).ok();
            if source.is_none() {
                self.remarks.stale(&view.record.path);
            }
            self.source = Some((file, source, LineCursor::default()));
        }
        let (_, source, cursor) = self.source.as_mut()?;
        let (_, text) = cursor.line(&source.as_ref()?.bytes, line)?;
        Some(shown_line(text, column as usize).trim().to_owned())
    }

    /// The text of a site's file before its name, from the start of the line, and after it.
    pub(crate) fn around(&mut self, site: &Site) -> Result<Option<(String, String)>> {
        let view = self.view(site.user)?;
        let span = site.reference.span;
        let (line, column) = view.facts().position(span.start);
        if self.line(&view, line, column).is_none() {
            return Ok(None);
        }
        let Some((_, Some(source), _)) = &self.source else { return Ok(None) };
        let text = |from: u32, to: u32| source.text(codegraph_model::Span::new(from, to));
        let after = (span.end + LONGEST_CALL).min(source.bytes.len() as u32);
        Ok(Some((text(span.start - column, span.start), text(span.end, after))))
    }

    pub(crate) fn graph(&self) -> &'g Graph<'r> {
        self.graph
    }
}

/// Arguments of a call beyond so many bytes are not read.
const LONGEST_CALL: u32 = 2_000;

pub(crate) fn brief(view: &FileView<'_>, id: SymbolId) -> SymbolBrief {
    let symbol = view.symbol(id);
    let fqn = view.fqn(id);
    SymbolBrief {
        symbol_id: view.symbol_id(id),
        scoped: scoped(&fqn, &view.record),
        fqn,
        name: view.name(id).to_owned(),
        kind: if id.0 == 0 { SymbolKind::Module } else { symbol.kind },
        project: view.label(),
        file: view.record.path.clone(),
        line_number: view.name_line(id),
        end_line: view.facts().line_of(symbol.span.end.saturating_sub(1).max(symbol.span.start)).max(1),
    }
}

/// A qualified name without the name of the file's module, which a path says as well.
fn scoped(fqn: &str, record: &FileRecord) -> String {
    let inner = fqn.strip_prefix(record.module.as_str()).map(|rest| rest.trim_start_matches(&*record.separator));
    inner.filter(|inner| !inner.is_empty()).unwrap_or(fqn).to_owned()
}

/// `os.path.join`, `std::fs::read`, `react#useState`.
pub(crate) fn external(reader: &Reader, from: &FileRecord, path: &[TermId]) -> Result<String> {
    let mut text = String::new();
    for (i, name) in path.iter().enumerate() {
        let name = reader.store.text(*name)?;
        if i > 0 {
            text.push_str(&from.separator);
        }
        text.push_str(&name);
    }
    Ok(text)
}
