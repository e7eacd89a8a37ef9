//! Symbols that nothing refers to, as far as references can be known.

use codegraph_model::{Flags, Symbol, SymbolKind, TermMask, Visibility};
use codegraph_store::{LineMask, LinkTarget, SymbolRow, TermId};
use rustc_hash::FxHashSet;
use serde::Serialize;

use crate::graph::{Graph, LinkedFile};
use crate::hierarchy::bases_of;
use crate::paths::{FileFilter, is_test};
use crate::relation::{Describer, SymbolBrief};
use crate::{Note, Reader, Remarks, Result, Window, vocabulary};

/// A question for unused symbols.
#[derive(Clone, Debug, Default)]
pub struct DeadCode {
    /// Those too that others outside the project could use.
    pub public: bool,
    pub file_filter: Option<String>,
    pub window: Window,
}

/// A symbol that nothing refers to.
#[derive(Clone, Debug, Serialize)]
pub struct DeadSymbol {
    pub symbol: SymbolBrief,
    pub visibility: Visibility,
    pub lines: u32,
}

/// The unused symbols by path and position.
#[derive(Clone, Debug, Serialize)]
pub struct DeadCodeAnswer {
    pub symbols: Vec<DeadSymbol>,
    pub total: usize,
    pub lines: u64,
    /// Symbols without a proved use whose name stands somewhere unproved: they are not listed.
    pub undecided: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
    #[serde(flatten)]
    pub remarks: Remarks,
}

/// Answers which functions, methods, types and constants nothing refers to. Entry points, tests, overriding and
/// decorated things are used by others than references, and are left out.
pub fn dead_code(reader: &Reader, question: &DeadCode) -> Result<DeadCodeAnswer> {
    let filter = FileFilter::new(question.file_filter.as_deref())?;
    let graph = Graph::new(reader);
    let used = used(reader, &graph)?;
    let (mut found, mut undecided) = (Vec::new(), 0);
    for record in reader.store.files()? {
        if is_test(&record.path) || !filter.accepts(&record.path) {
            continue;
        }
        let file = graph.file(record.id)?;
        let language = vocabulary::language(&record.language)?;
        for (id, symbol) in file.stored.facts.symbols.iter().enumerate().skip(1) {
            let row = SymbolRow::new(record.id, codegraph_model::SymbolId(id as u32));
            let wanted = is_judged(symbol) && (question.public || !is_public(symbol));
            if !wanted || used.contains(&row) || overrides(&graph, &file, symbol)? {
                continue;
            }
            let name = file.stored.term(symbol.name);
            let text = reader.store.text(name)?;
            if is_entry(&text) || language.entries.functions.contains(&&*text) {
                continue;
            }
            match reader.store.unbound(name)?.is_empty() && !stands_unproved(reader, &graph, name)? {
                true => found.push((row, symbol.visibility)),
                false => undecided += 1,
            }
        }
    }
    let mut describer = Describer::new(&graph);
    let mut symbols = Vec::new();
    for (row, visibility) in question.window.of(&found) {
        let symbol = describer.brief(*row)?;
        let lines = symbol.end_line.saturating_sub(symbol.line_number) + 1;
        symbols.push(DeadSymbol { symbol, visibility: *visibility, lines });
    }
    describer.remarks.note(Note::Unseen);
    Ok(DeadCodeAnswer {
        lines: symbols.iter().map(|dead| u64::from(dead.lines)).sum(),
        symbols,
        total: found.len(),
        undecided,
        next_offset: question.window.next(found.len()),
        remarks: describer.remarks,
    })
}

/// All symbols that something outside themselves refers to.
fn used(reader: &Reader, graph: &Graph<'_>) -> Result<FxHashSet<SymbolRow>> {
    let mut used = FxHashSet::default();
    for file in reader.store.file_ids()? {
        let file = graph.file(file)?;
        for bound in &file.links.bound {
            let LinkTarget::Symbol(target) = file.links.target(bound) else { continue };
            let user = file.user(&file.stored.facts.refs[bound.reference.index()]);
            if target.file != file.id || !file.is_inside(user, target.symbol) {
                used.insert(*target);
            }
        }
    }
    Ok(used)
}

/// Whether a name stands in a string, or in code that was not understood: who uses it there cannot be known.
fn stands_unproved(reader: &Reader, graph: &Graph<'_>, name: TermId) -> Result<bool> {
    for posting in reader.store.postings(name)? {
        if posting.lines.iter().any(|line| line.mask.has(TermMask::STRING)) {
            return Ok(true);
        }
        let file = graph.file(posting.file)?;
        let facts = &file.stored.facts;
        let Some(id) = file.stored.str_id(name) else { continue };
        let refs = facts.refs.iter().filter(|r| r.name == id).map(|r| r.span);
        let symbols = facts.symbols.iter().filter(|s| s.name == id).map(|s| s.name_span);
        let bindings = facts.bindings.iter().filter(|b| b.name == id).map(|b| b.span);
        let known: FxHashSet<u32> = refs.chain(symbols).chain(bindings).map(|span| facts.line_of(span.start)).collect();
        let open = |line: &&LineMask| line.mask.has(TermMask::CODE) && !known.contains(&line.line);
        if posting.lines.iter().any(|line| open(&line)) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn is_judged(symbol: &Symbol) -> bool {
    use SymbolKind::*;
    let kind = matches!(
        symbol.kind,
        Function
            | Method
            | Class
            | Record
            | Object
            | Struct
            | Interface
            | Protocol
            | Trait
            | Enum
            | Union
            | TypeAlias
            | Constant
            | Static
            | Macro
    );
    let nameless = symbol.name.is_none() || symbol.name_span.is_empty();
    let used_otherwise = !symbol.decorators.is_empty()
        || symbol.flags.has(Flags::OVERRIDE)
        || symbol.flags.has(Flags::DECLARATION)
        || symbol.flags.has(Flags::EXTERN)
        || symbol.flags.has(Flags::DEFAULT)
        || symbol.flags.has(Flags::VALUE);
    kind && !nameless && !used_otherwise
}

/// `main` and names such as `__enter__` are called by others than the program.
fn is_entry(name: &str) -> bool {
    name == "main" || name.starts_with("__")
}

fn is_public(symbol: &Symbol) -> bool {
    symbol.visibility == Visibility::Public || symbol.flags.has(Flags::EXPORT)
}

/// Whether a member may stand for one of a base, inside or outside the project.
fn overrides(graph: &Graph<'_>, file: &LinkedFile, symbol: &Symbol) -> Result<bool> {
    let Some(parent) = symbol.parent.get().filter(|parent| file.stored.facts.symbols[parent.index()].kind.is_type())
    else {
        return Ok(false);
    };
    let owner = &file.stored.facts.symbols[parent.index()];
    if owner.kind == SymbolKind::Impl {
        return Ok(owner.qualifier.is_some());
    }
    Ok(!owner.bases.is_empty() || !bases_of(graph, SymbolRow::new(file.id, parent))?.is_empty())
}
