//! What a ranking found in an index, as answers show it.

use std::ops::Range;
use std::rc::Rc;

use codegraph_model::Span;
use codegraph_store::plain_comment;
use rustc_hash::FxHashMap;

use super::excerpt::Body;
use super::fit::{Found, Near, dedented};
use super::near::{around, named};
use super::rank::Ranked;
use super::task::Task;
use super::{ContextSymbol, MOST_SUMMARY, ReadRange, clipped};
use crate::get::whole;
use crate::graph::Graph;
use crate::reader::FileView;
use crate::relation::Describer;
use crate::source::Source;
use crate::{Error, Result, prototype};

pub(super) struct Indexed<'g, 'r> {
    graph: &'g Graph<'r>,
    task: &'g Task,
    symbols: &'g [Ranked],
    pub(super) describer: Describer<'g, 'r>,
    sources: FxHashMap<u32, Option<Rc<Source>>>,
}

impl<'g, 'r> Indexed<'g, 'r> {
    pub(super) fn new(graph: &'g Graph<'r>, task: &'g Task, symbols: &'g [Ranked]) -> Indexed<'g, 'r> {
        Indexed { graph, task, symbols, describer: Describer::new(graph), sources: FxHashMap::default() }
    }

    /// The text of a file, read once; none if it has changed.
    fn source(&mut self, view: &FileView<'_>) -> Option<Rc<Source>> {
        let (reader, remarks) = (self.graph.reader, &mut self.describer.remarks);
        let read = || {
            let source = reader.source(&view.record).ok();
            if source.is_none() {
                remarks.stale(&view.record.path);
            }
            source.map(Rc::new)
        };
        self.sources.entry(view.record.id.0).or_insert_with(read).clone()
    }
}

impl Found for Indexed<'_, '_> {
    type Error = Error;

    fn len(&self) -> usize {
        self.symbols.len()
    }

    fn symbol(&mut self, place: usize) -> Result<ContextSymbol> {
        let one = &self.symbols[place];
        let brief = self.describer.brief(one.row)?;
        let view = self.describer.view(one.row)?;
        let symbol = view.symbol(one.row.symbol);
        let source = self.source(&view);
        Ok(ContextSymbol {
            line_number: view.place(symbol.span).start_line,
            signature: source.as_ref().map(|source| prototype(&source.bytes, symbol)),
            summary: source.as_ref().map(|source| summary(source, symbol.doc)).unwrap_or_default(),
            ..ContextSymbol::of(brief, one.score, self.task, &one.words)
        })
    }

    fn near(&mut self, place: usize) -> Result<Near> {
        let near = around(self.graph, self.symbols[place].row)?;
        let callers = named(&mut self.describer, &near.callers)?;
        let callees = named(&mut self.describer, &near.callees)?;
        let more_callers = near.callers.len() - callers.len() + near.unread;
        let more_callees = near.callees.len() - callees.len();
        Ok(Near { callers: (callers, more_callers), callees: (callees, more_callees) })
    }

    fn span(&mut self, place: usize) -> Result<(usize, Range<usize>)> {
        let row = self.symbols[place].row;
        let Span { start, end } = self.describer.view(row)?.symbol(row.symbol).span;
        Ok((row.file.0 as usize, start as usize..end as usize))
    }

    fn body(&mut self, place: usize) -> Result<Option<Body<'static>>> {
        let row = self.symbols[place].row;
        let view = self.describer.view(row)?;
        let symbol = view.symbol(row.symbol);
        Ok(self.source(&view).map(|source| {
            let span = whole(&view, symbol, &source);
            Body::of(&view, symbol, span.start, dedented(&source.text(span)))
        }))
    }

    fn range(&mut self, place: usize) -> Result<(Option<String>, String, ReadRange)> {
        let brief = self.describer.brief(self.symbols[place].row)?;
        let range = ReadRange { start_line: brief.line_number, end_line: brief.end_line, name: brief.name };
        Ok((None, brief.file, range))
    }
}

/// The first sentence or line of a documentation.
fn summary(source: &Source, doc: Span) -> String {
    let text = plain_comment(&source.text(doc));
    let is_tag = |line: &str| line.starts_with('<') && line.ends_with('>') && !line.contains(' ');
    let line = text.lines().map(str::trim).find(|line| !line.is_empty() && !is_tag(line)).unwrap_or_default();
    let end = line.find(". ").map_or(line.len(), |end| end + 1);
    clipped(&line[..end], MOST_SUMMARY)
}
