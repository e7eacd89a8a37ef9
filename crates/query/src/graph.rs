//! Who refers to whom: the links of files with the facts behind them, read when a question walks there.

use std::sync::Arc;

use codegraph_model::{Certainty, FileId, How, RefKind, Reference, SymbolId};
use codegraph_store::{BoundRef, FileLinks, LinkTarget, Stored, SymbolRow, SymbolUse};

use crate::recent::Recent;
use crate::source::Source;
use crate::symbol::Place;
use crate::{Reader, Result};

/// A file with what its references mean. Expressions and notes are empty.
pub(crate) struct LinkedFile {
    pub(crate) id: FileId,
    pub(crate) stored: Arc<Stored>,
    pub(crate) links: FileLinks,
}

/// A place where a symbol is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Site {
    /// The smallest symbol around the place.
    pub(crate) user: SymbolRow,
    pub(crate) reference: Reference,
    pub(crate) certainty: Certainty,
    pub(crate) how: How,
    /// Where that is in lines, if it was unpacked together.
    pub(crate) place: Option<Place>,
}

/// A use of something by a symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Use {
    pub(crate) site: Site,
    pub(crate) target: LinkTarget,
}

impl LinkedFile {
    /// The smallest symbol around a reference; decorators and defaults belong to the scope around the function.
    pub(crate) fn user(&self, reference: &Reference) -> SymbolId {
        let facts = &self.stored.facts;
        let owner = facts.scopes.get(reference.scope.index()).map(|scope| scope.owner);
        owner.filter(|owner| owner.index() < facts.symbols.len()).unwrap_or(SymbolId(0))
    }

    pub(crate) fn site(&self, bound: &BoundRef) -> Site {
        let mut reference = self.stored.facts.refs[bound.reference.index()];
        reference.kind = bound.kind(&reference);
        let user = SymbolRow::new(self.id, self.user(&reference));
        Site { user, reference, certainty: bound.certainty, how: bound.how, place: None }
    }

    /// Whether a symbol is another one or inside it.
    pub(crate) fn is_inside(&self, mut symbol: SymbolId, outer: SymbolId) -> bool {
        while symbol.is_some() {
            if symbol == outer {
                return true;
            }
            symbol = self.stored.facts.symbols[symbol.index()].parent;
        }
        false
    }
}

/// Users of a symbol that are unpacked whole, so that the next question finds them; of more, only the uses are read.
const FEW: usize = 16;
/// Files that are read together.
const AT_A_TIME: usize = 1024;

/// The links of a project.
pub(crate) struct Graph<'r> {
    pub(crate) reader: &'r Reader,
    facts: Recent<Arc<Stored>>,
    sources: Recent<Option<Arc<Source>>>,
    users: Recent<Arc<[(SymbolId, FileId)]>>,
}

impl<'r> Graph<'r> {
    pub(crate) fn new(reader: &'r Reader) -> Graph<'r> {
        Graph { reader, facts: Recent::default(), sources: Recent::default(), users: Recent::default() }
    }

    /// All that is known about a file, expressions too.
    pub(crate) fn facts(&self, id: FileId) -> Result<Arc<Stored>> {
        self.facts.get(id, || Ok(Arc::new(self.reader.store.facts(id)?)))
    }

    /// The text of a file; none if it is not what was indexed.
    pub(crate) fn source(&self, id: FileId) -> Result<Option<Arc<Source>>> {
        let record = self.reader.record(id)?;
        self.sources.get(id, || Ok(self.reader.source(&record).ok().map(Arc::new)))
    }

    pub(crate) fn file(&self, id: FileId) -> Result<Arc<LinkedFile>> {
        self.reader.go_on()?;
        if let Some(file) = self.reader.kept().linked(id) {
            return Ok(file);
        }
        self.linked(id, self.reader.store.uses(id)?)
    }

    fn linked(&self, id: FileId, stored: Stored) -> Result<Arc<LinkedFile>> {
        let (stored, links) = (Arc::new(stored), self.reader.store.links(id)?);
        if links.bound.last().is_some_and(|bound| bound.reference.index() >= stored.facts.refs.len()) {
            return Err(codegraph_store::Error::Corrupt("links do not fit their file".into()).into());
        }
        let file = Arc::new(LinkedFile { id, stored, links });
        self.reader.kept().keep_linked(&file);
        Ok(file)
    }

    /// The files that refer to a symbol, by number.
    pub(crate) fn users(&self, row: SymbolRow) -> Result<Vec<FileId>> {
        let all = self.users.get(row.file, || {
            let mut all = self.reader.store.all_sources(row.file)?;
            all.sort_unstable();
            Ok(all.into())
        })?;
        let from = all.partition_point(|(symbol, _)| *symbol < row.symbol);
        Ok(all[from..].iter().take_while(|(symbol, _)| *symbol == row.symbol).map(|(_, file)| *file).collect())
    }

    /// Where a symbol is used, by path and position.
    pub(crate) fn uses_of(&self, row: SymbolRow) -> Result<Vec<Site>> {
        let mut sources = Vec::new();
        for file in self.users(row)? {
            let record = self.reader.record(file)?;
            sources.push((self.reader.origin(&record.path)?.is_some(), record.path.clone(), file));
        }
        sources.sort_unstable();
        let sources: Vec<FileId> = sources.into_iter().map(|(.., file)| file).collect();
        let mut sites = Vec::new();
        if sources.len() <= FEW {
            let target = LinkTarget::Symbol(row);
            for file in sources {
                let file = self.file(file)?;
                let place = file.links.targets.binary_search(&target).or_else(|_| position(&file.links, &target));
                let bound = file.links.bound.iter().filter(|bound| Ok(bound.target as usize) == place);
                sites.extend(bound.map(|bound| file.site(bound)));
            }
            return Ok(sites);
        }
        for files in sources.chunks(AT_A_TIME) {
            self.reader.go_on()?;
            sites.extend(self.reader.store.uses_in(row, files)?.iter().map(site));
        }
        Ok(sites)
    }

    /// What a symbol and everything inside it uses, in source order.
    pub(crate) fn uses_by(&self, row: SymbolRow) -> Result<Vec<Use>> {
        let file = self.file(row.file)?;
        let span = file.stored.facts.symbols[row.symbol.index()].span;
        let whole_file = row.symbol.0 == 0;
        let mut uses = Vec::new();
        for bound in &file.links.bound {
            let reference = &file.stored.facts.refs[bound.reference.index()];
            let near = whole_file || span.contains(reference.span.start);
            if near && file.is_inside(file.user(reference), row.symbol) {
                uses.push(Use { site: file.site(bound), target: file.links.target(bound).clone() });
            }
        }
        Ok(uses)
    }

    /// A symbol and all that is inside it.
    pub(crate) fn with_members(&self, row: SymbolRow) -> Result<Vec<SymbolRow>> {
        let file = self.file(row.file)?;
        let all = (0..file.stored.facts.symbols.len() as u32).map(SymbolId);
        Ok(all.filter(|id| file.is_inside(*id, row.symbol)).map(|id| SymbolRow::new(row.file, id)).collect())
    }

    /// The symbol that a change in another one concerns: a field or a parameter of a function is the function's affair.
    pub(crate) fn entity(&self, row: SymbolRow) -> Result<SymbolRow> {
        let file = self.file(row.file)?;
        let mut at = row.symbol;
        while at.0 != 0 {
            let symbol = &file.stored.facts.symbols[at.index()];
            if symbol.kind.entity().is_some() || symbol.parent.is_none() {
                break;
            }
            at = symbol.parent;
        }
        Ok(SymbolRow::new(row.file, at))
    }
}

fn site(one: &SymbolUse) -> Site {
    let SymbolUse { start: (start_line, start_col), end: (end_line, end_col), reference, even, .. } = *one;
    let (byte_start, byte_end) = (reference.span.start, reference.span.end);
    let place = Some(Place { byte_start, byte_end, start_line, start_col, end_line, end_col, even });
    Site { user: SymbolRow::new(one.file, one.user), reference, certainty: one.certainty, how: one.how, place }
}

/// Targets are sorted by slot, which is not the order of symbols once a file has changed.
fn position(links: &FileLinks, target: &LinkTarget) -> Result<usize, ()> {
    links.targets.iter().position(|own| own == target).ok_or(())
}

/// Whether a reference runs what it names.
pub(crate) fn is_call(kind: RefKind) -> bool {
    kind.contract() == "call"
}
