//! How answers show symbols and the places where they are used.

use std::rc::Rc;

use codegraph_model::{Certainty, How, RefId, RefKind, SymbolId, SymbolKind};
use codegraph_store::{FileRecord, LinkTarget, SymbolRow, TermId};
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::graph::{Graph, Site};
use crate::reader::FileView;
use crate::source::{LineCursor, Source, shown_line};
use crate::{Reader, Remarks, Result, vocabulary};

/// A symbol in few words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SymbolBrief {
    pub symbol_id: String,
    pub fqn: String,
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

/// Sites that name a symbol although nothing proves that they mean it.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Unbound {
    /// How many there are.
    pub total: u64,
    /// Shown when asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<SiteInfo>,
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

    /// The sites that only name a symbol; listed if asked for.
    pub(crate) fn unbound(&mut self, row: SymbolRow, listed: bool) -> Result<Unbound> {
        let view = self.view(row)?;
        let Some(name) = view.symbol(row.symbol).name.get() else {
            return Ok(Unbound::default());
        };
        let (name, language) = (view.stored.term(name), vocabulary::language(&view.record.language)?);
        let mut files = Vec::new();
        for (file, count) in self.reader().store.unbound(name)? {
            let record = self.reader().record(file)?;
            if vocabulary::language(&record.language)?.is_related(language) {
                files.push((record.path.clone(), file, u64::from(count)));
            }
        }
        files.sort_unstable();
        let mut found = Unbound { total: files.iter().map(|(.., count)| count).sum(), candidates: Vec::new() };
        for (_, file, _) in files.iter().filter(|_| listed) {
            let linked = self.graph.file(*file)?;
            for open in open_sites(
                &linked.links.unbound,
                |id| linked.stored.facts.refs.get(id.index()).copied(),
                |r| linked.stored.term(r.name) == name,
            ) {
                let user = SymbolRow::new(*file, linked.user(&open));
                let (certainty, how) = (Certainty::Candidate, How::Name);
                let site = Site { user, reference: open, certainty, how };
                found.candidates.push(self.site(&site)?);
            }
        }
        Ok(found)
    }
}

fn open_sites(
    open: &[RefId],
    get: impl Fn(RefId) -> Option<codegraph_model::Reference>,
    wanted: impl Fn(&codegraph_model::Reference) -> bool,
) -> Vec<codegraph_model::Reference> {
    open.iter().filter_map(|id| get(*id)).filter(|reference| wanted(reference)).collect()
}

pub(crate) fn brief(view: &FileView<'_>, id: SymbolId) -> SymbolBrief {
    let symbol = view.symbol(id);
    let fqn = view.fqn(id);
    SymbolBrief {
        symbol_id: view.symbol_id(id, &fqn),
        fqn,
        name: view.name(id).to_owned(),
        kind: if id.0 == 0 { SymbolKind::Module } else { symbol.kind },
        project: view.label(),
        file: view.record.path.clone(),
        line_number: view.name_line(id),
        end_line: view.facts().line_of(symbol.span.end.saturating_sub(1).max(symbol.span.start)).max(1),
    }
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
