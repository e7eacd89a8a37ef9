//! Which files are read to follow values: all of a small project, else a bounded part around what is asked about.

use codegraph_model::{FileId, RefKind, Span};
use codegraph_store::SymbolRow;

use crate::graph::{Graph, is_call};
use crate::refs::uses;
use crate::{Result, vocabulary};

/// A project of at most so many bytes is followed as a whole.
const WHOLE_BYTES: u64 = 256_000;
/// Files that are read for one question.
pub(super) const MOST_FILES: usize = 32;
/// Files that are read for what stands at one place: somebody is waiting at it.
pub(super) const MOST_FILES_OF_PLACE: usize = 4;
/// A project of at most so many bytes is followed as a whole for it.
const WHOLE_BYTES_OF_PLACE: u64 = 96_000;
/// Files larger than this are not read for it.
pub(super) const LARGEST_OF_PLACE: u64 = 64_000;
/// Files that name something without proof of what it means, and users of a function, that are read.
const MOST_OPEN: usize = 8;

fn has_flow(graph: &Graph<'_>, file: FileId) -> Result<bool> {
    Ok(vocabulary::language(&graph.reader.record(file)?.language)?.flow.is_some())
}

/// The files whose values matter for a symbol; none if nothing can come of it.
pub(super) fn files_around(graph: &Graph<'_>, row: SymbolRow, of_callers: bool) -> Result<Vec<FileId>> {
    if !has_flow(graph, row.file)? {
        return Ok(Vec::new());
    }
    if let Some(all) = all_files(graph, WHOLE_BYTES)? {
        return Ok(all);
    }
    let mut found = Part { graph, files: Vec::new() };
    match of_callers {
        true => found.leading_to(row)?,
        false => found.called_in(row)?,
    }
    Ok(found.files)
}

/// The files of a project that has at most so many bytes: it is followed as a whole.
fn all_files(graph: &Graph<'_>, most: u64) -> Result<Option<Vec<FileId>>> {
    let mut all = graph.reader.store.files()?;
    all.retain(|file| vocabulary::language(&file.language).is_ok_and(|language| language.flow.is_some()));
    if all.iter().map(|file| file.size).sum::<u64>() > most {
        return Ok(None);
    }
    all.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(Some(all.into_iter().map(|file| file.id).collect()))
}

/// The files whose values matter for what stands at a place: its own, and those that give values to the function around it.
pub(super) fn files_of_place(graph: &Graph<'_>, file: FileId, name: Span) -> Result<Vec<FileId>> {
    if !has_flow(graph, file)? {
        return Ok(Vec::new());
    }
    if let Some(all) = all_files(graph, WHOLE_BYTES_OF_PLACE)? {
        return Ok(all);
    }
    let mut found = Part { graph, files: Vec::new() };
    found.add(file)?;
    let linked = graph.file(file)?;
    let reference = linked.stored.facts.refs.iter().find(|reference| reference.span == name);
    if let Some(reference) = reference {
        let user = linked.user(reference);
        found.add_users(SymbolRow::new(file, user))?;
    }
    found.files.truncate(MOST_FILES_OF_PLACE / 2);
    Ok(found.files)
}

/// A part of a project.
struct Part<'g, 'r> {
    graph: &'g Graph<'r>,
    files: Vec<FileId>,
}

impl Part<'_, '_> {
    fn add(&mut self, file: FileId) -> Result<()> {
        if self.files.len() < MOST_FILES / 2 && !self.files.contains(&file) && has_flow(self.graph, file)? {
            self.files.push(file);
        }
        Ok(())
    }

    /// Where a function is a value, and where its name is called on something of which nothing is known.
    fn leading_to(&mut self, row: SymbolRow) -> Result<()> {
        let is_value = |kind: RefKind| !is_call(kind) && !matches!(kind, RefKind::Import | RefKind::TypeRef);
        let sites = uses(self.graph, row)?;
        for site in sites.iter().filter(|site| is_value(site.reference.kind)) {
            self.add(site.user.file)?;
            self.add_users(site.user)?;
        }
        let own = self.graph.file(row.file)?;
        let symbol = &own.stored.facts.symbols[row.symbol.index()];
        if let Some(name) = symbol.name.get().filter(|_| symbol.parent.get().is_some_and(|parent| parent.0 != 0)) {
            let name = own.stored.term(name);
            let open = self.graph.reader.store.unbound(name)?;
            for (file, _) in open.into_iter().take(MOST_OPEN) {
                self.add_open(file, name)?;
            }
        }
        if !self.files.is_empty() {
            self.add(row.file)?;
        }
        Ok(())
    }

    /// Adds a file that uses a name without a link, and the files that call the functions around those uses.
    fn add_open(&mut self, file: FileId, name: codegraph_model::TermId) -> Result<()> {
        self.add(file)?;
        let linked = self.graph.file(file)?;
        for id in &linked.links.unbound {
            let reference = &linked.stored.facts.refs[id.index()];
            if linked.stored.term(reference.name) == name && is_call(reference.kind) {
                self.add_users(SymbolRow::new(file, linked.user(reference)))?;
            }
        }
        Ok(())
    }

    fn add_users(&mut self, row: SymbolRow) -> Result<()> {
        if row.symbol.0 == 0 {
            return Ok(());
        }
        for file in self.graph.users(row)?.into_iter().take(MOST_OPEN) {
            self.add(file)?;
        }
        Ok(())
    }

    /// What a function calls without proof, and who gives it values.
    fn called_in(&mut self, row: SymbolRow) -> Result<()> {
        let file = self.graph.file(row.file)?;
        let refs = file.stored.facts.refs.iter().enumerate();
        let mut open = refs.filter(|(i, reference)| {
            is_call(reference.kind)
                && file.links.of(codegraph_model::RefId(*i as u32)).is_none()
                && file.is_inside(file.user(reference), row.symbol)
        });
        if open.next().is_none() {
            return Ok(());
        }
        self.add(row.file)?;
        self.add_users(row)?;
        let parent = file.stored.facts.symbols[row.symbol.index()].parent;
        parent.get().map_or(Ok(()), |parent| self.add_users(SymbolRow::new(row.file, parent)))
    }
}
