//! The files in which a member can be meant although no reference there is bound to it: where a value of its type can be.
//!
//! What a file uses leads there. Where types are declared, whoever names a member of a type has come by it through
//! declarations, so its file uses that of the type, directly or not. Elsewhere values are handed on to anybody, but those of
//! a test that nobody uses come no further than what the test itself uses.

use std::collections::BTreeSet;

use codegraph_languages::Language;
use codegraph_model::{FileId, Flags, Symbol, SymbolKind};
use codegraph_store::SymbolRow;

use crate::Result;
use crate::dispatch;
use crate::graph::{Graph, LinkedFile};
use crate::paths::{is_aside, is_run_as_test, is_test};

/// Beyond so many files everything is in sight.
const MOST_FILES: usize = 20_000;

/// Files, or all.
pub(crate) enum Sight {
    All,
    Files(BTreeSet<FileId>),
}

impl Sight {
    pub(crate) fn has(&self, file: FileId) -> bool {
        match self {
            Sight::All => true,
            Sight::Files(files) => files.contains(&file),
        }
    }

    /// Where a symbol can be meant.
    pub(crate) fn of(graph: &Graph<'_>, language: &Language, row: SymbolRow) -> Result<Sight> {
        let file = graph.file(row.file)?;
        let facts = &file.stored.facts;
        let symbol = &facts.symbols[row.symbol.index()];
        if language.linking.headers {
            return text_of_one_file(graph, language, row, symbol, &facts.symbols);
        }
        if language.linking.static_types {
            let parent = facts.symbols.get(symbol.parent.index());
            // Methods may stand outside of their types; so do functions that extend others.
            let is_outside = symbol.kind == SymbolKind::Method && !language.linking.extensions;
            let is_member =
                is_outside || parent.is_some_and(|parent| parent.kind.is_type() || parent.kind == SymbolKind::Impl);
            let is_apart = symbol.flags.has(Flags::PARTIAL) || parent.is_some_and(|of| of.flags.has(Flags::PARTIAL));
            // What extends the values of other types is in sight wherever these are.
            let may_extend = language.linking.extensions && symbol.flags.has(Flags::STATIC);
            if !is_member || is_apart || may_extend {
                return Ok(Sight::All);
            }
            let is_inside = parent.is_some_and(|parent| parent.kind.is_type() && parent.kind != SymbolKind::Impl);
            return match dispatch::owner(graph, row)? {
                _ if is_inside => walk(&[row.file], |at| users(graph, at)),
                // Whoever has a value of a type need not have met the file that adds a member to it.
                Some(owner) => walk(&[row.file, owner.file], |at| users(graph, at)),
                // A type that nothing declares, as when a macro makes it: who uses it is not known either.
                None => Ok(Sight::All),
            };
        }
        let path = graph.reader.record(row.file)?.path.clone();
        let name = path.rsplit('/').next().unwrap_or(&path);
        let is_module = !facts.imports.is_empty() || is_exporting(&file);
        let is_given = language.linking.given_files.contains(&name);
        let is_program = is_run_as_test(&path) || language.linking.exports_apart && is_aside(&path);
        if is_module && !is_given && is_program && users(graph, row.file)?.is_empty() {
            return walk(&[row.file], |at| used(graph, at));
        }
        if is_island(graph, language, row.file)? {
            return Ok(Sight::Files(BTreeSet::from([row.file])));
        }
        Ok(Sight::All)
    }
}

fn is_exporting(file: &LinkedFile) -> bool {
    file.stored.facts.symbols.iter().any(|symbol| symbol.flags.has(Flags::EXPORT))
}

/// Whether a file of tests has nothing to do with others, where files have to name each other: nothing gets in or out.
pub(crate) fn is_island(graph: &Graph<'_>, language: &Language, file: FileId) -> Result<bool> {
    if !language.linking.exports_apart || !is_test(&graph.reader.record(file)?.path) {
        return Ok(false);
    }
    let linked = graph.file(file)?;
    let uses_others = linked.links.symbols().any(|row| row.file != file);
    Ok(!uses_others && !is_exporting(&linked) && users(graph, file)?.is_empty())
}

/// A macro of a file that nobody includes is known there alone, and the members of a type that is declared there besides in
/// what the file includes: a template may be given the type.
fn text_of_one_file(
    graph: &Graph<'_>,
    language: &Language,
    row: SymbolRow,
    symbol: &Symbol,
    symbols: &[Symbol],
) -> Result<Sight> {
    let of_type = symbols.get(symbol.parent.index()).is_some_and(|parent| parent.kind.is_type());
    let is_member = of_type && symbol.qualifier.is_none();
    let is_header = |file: FileId| -> Result<bool> {
        let path = &graph.reader.record(file)?.path;
        let extension = path.rsplit('.').next().unwrap_or_default();
        Ok(language.linking.included_extensions.contains(&extension))
    };
    let is_included =
        || Ok::<_, crate::Error>(graph.reader.store.all_sources(row.file)?.iter().any(|(to, _)| to.0 == 0));
    if symbol.kind != SymbolKind::Macro && !is_member || is_header(row.file)? || is_included()? {
        return Ok(Sight::All);
    }
    if !is_member {
        return Ok(Sight::Files(BTreeSet::from([row.file])));
    }
    walk(&[row.file], |at| {
        let mut headers = Vec::new();
        for file in used(graph, at)? {
            if is_header(file)? {
                headers.push(file);
            }
        }
        Ok(headers)
    })
}

/// The files that use something of a file.
fn users(graph: &Graph<'_>, file: FileId) -> Result<Vec<FileId>> {
    let sources = graph.reader.store.all_sources(file)?;
    Ok(sources.into_iter().map(|(_, source)| source).filter(|source| *source != file).collect())
}

/// The files of which a file uses something.
fn used(graph: &Graph<'_>, file: FileId) -> Result<Vec<FileId>> {
    Ok(graph.reader.store.links(file)?.symbols().map(|row| row.file).collect())
}

/// All files to which steps lead from some, and themselves.
fn walk(from: &[FileId], mut next: impl FnMut(FileId) -> Result<Vec<FileId>>) -> Result<Sight> {
    let mut seen = BTreeSet::from_iter(from.iter().copied());
    let mut open = from.to_vec();
    while let Some(at) = open.pop() {
        for file in next(at)? {
            if seen.insert(file) {
                open.push(file);
            }
        }
        if seen.len() > MOST_FILES {
            return Ok(Sight::All);
        }
    }
    Ok(Sight::Files(seen))
}
