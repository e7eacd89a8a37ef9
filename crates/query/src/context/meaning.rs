//! What the title of a task means, beside the words that it has: the best symbols are weighed again by how near their names,
//! places and bodies are to it.

use codegraph_meaning::{Table, Vector, table};
use codegraph_model::{FileId, Span, SymbolId};
use codegraph_store::NameSource;
use rustc_hash::FxHashMap;

use super::rank::{Ranked, sort};
use super::task::Task;
use crate::reader::FileView;
use crate::source::Source;
use crate::{Reader, Result};

/// Symbols that are weighed again.
pub(super) const MOST: usize = 300;
/// How much nearness counts.
pub(super) const NEARNESS: f64 = 6.0;
/// A longer title is a text, and says no more than its beginning.
pub(super) const LONGEST: usize = 600;
/// Bytes of a body and of a documentation that are read: more has nothing new.
pub(super) const MOST_OF_BODY: usize = 4000;
pub(super) const MOST_OF_DOC: usize = 400;

/// How many are weighed again: what is behind the last one must stay behind it.
pub(super) fn best(symbols: &[Ranked]) -> usize {
    let mut most = symbols.len().min(MOST);
    while most > 0 && most < symbols.len() && symbols[most].score == symbols[most - 1].score {
        most -= 1;
    }
    most
}

pub(super) fn weigh(reader: &Reader, task: &Task, symbols: &mut [Ranked]) -> Result<()> {
    let Some(table) = table() else { return Ok(()) };
    let title = task.title.char_indices().nth(LONGEST).map_or(task.title.as_str(), |(end, _)| &task.title[..end]);
    let asked = table.question(title);
    let mut by_file: FxHashMap<FileId, Vec<usize>> = FxHashMap::default();
    for (place, one) in symbols.iter().enumerate() {
        by_file.entry(one.row.file).or_default().push(place);
    }
    for (file, places) in by_file {
        let view = reader.view_of(file)?;
        let compared = Compared::of(reader, &view);
        for place in places {
            let one = &mut symbols[place];
            let near = asked.near(&compared.code(table, one.row.symbol)).max(0.0);
            one.score *= 1.0 + NEARNESS * f64::from(near);
        }
    }
    sort(symbols);
    Ok(())
}

/// A file whose symbols are compared with a question.
pub(crate) struct Compared<'v, 'r> {
    view: &'v FileView<'r>,
    source: Option<Source>,
}

impl<'v, 'r> Compared<'v, 'r> {
    pub(crate) fn of(reader: &Reader, view: &'v FileView<'r>) -> Compared<'v, 'r> {
        Compared { view, source: reader.source(&view.record).ok() }
    }

    /// The direction of a symbol: its name with what its documentation says, its path and owner, and its body.
    pub(crate) fn code(&self, table: &Table, id: SymbolId) -> Vector {
        let [name, owner] = self.names(id);
        let place = [self.view.record.path.as_str(), owner, name];
        let said = format!("{name} {}", self.doc(id).unwrap_or_default());
        match self.body(id) {
            Some(body) => table.code(&said, &place, std::iter::once(body)),
            None => table.code(&said, &place, self.uses(id)),
        }
    }

    /// The same as texts.
    pub(crate) fn texts(&self, id: SymbolId) -> impl Iterator<Item = &str> {
        let names = self.names(id).into_iter();
        let (body, uses) = (self.body(id), self.uses(id));
        let uses = uses.take(if body.is_some() { 0 } else { usize::MAX });
        names.chain(self.doc(id)).chain(body).chain(uses)
    }

    /// Its name and its owner's.
    fn names(&self, id: SymbolId) -> [&str; 2] {
        let name = |id: SymbolId| if self.view.symbol(id).name.is_some() { self.view.name(id) } else { "" };
        [name(id), self.view.symbol(id).parent.get().filter(|parent| parent.0 != 0).map_or("", name)]
    }

    fn doc(&self, id: SymbolId) -> Option<&str> {
        self.text(self.view.symbol(id).doc, MOST_OF_DOC)
    }

    fn body(&self, id: SymbolId) -> Option<&str> {
        self.text(self.view.symbol(id).span, MOST_OF_BODY)
    }

    fn text(&self, span: Span, most: usize) -> Option<&str> {
        let start = span.start as usize;
        let bytes = self.source.as_ref()?.bytes.get(start..(span.end as usize).min(start + most))?;
        match std::str::from_utf8(bytes) {
            Ok(text) => Some(text),
            Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).ok(),
        }
    }

    /// The names that a body uses, for where the text has changed.
    fn uses(&self, id: SymbolId) -> impl Iterator<Item = &str> {
        let (facts, span) = (self.view.facts(), self.view.symbol(id).span);
        let from = facts.refs.partition_point(|reference| reference.span.start < span.start);
        let body = facts.refs[from..].iter().take_while(move |reference| reference.span.start < span.end);
        body.map(|reference| self.view.text(reference.name))
    }
}
