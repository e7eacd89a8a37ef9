//! Symbols that nothing refers to, as far as references can be known.

use codegraph_model::{Flags, RefKind, Reference, Symbol, SymbolKind, TermId, Visibility};
use codegraph_store::{LinkTarget, SymbolRow};
use rustc_hash::FxHashSet;
use serde::Serialize;

use crate::dispatch::{implementations, reachable};
use crate::doubt::{Doubt, Pasted, Suspect, doubt};
use crate::graph::{Graph, LinkedFile};
use crate::hierarchy::bases_of;
use crate::hints::Hints;
use crate::paths::{FileFilter, MOST_BYTES_OF_A_LINE, is_test, only_declares};
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

/// Answers which symbols nobody uses: functions, methods, types and constants that nothing refers to. Entry points, tests, overriding and
/// decorated things are used by others than references, and are left out.
pub fn dead_code(reader: &Reader, question: &DeadCode) -> Result<DeadCodeAnswer> {
    let filter = FileFilter::new(question.file_filter.as_deref())?;
    let graph = Graph::new(reader);
    let used = used(reader, &graph)?;
    let (mut found, mut undecided) = (Vec::new(), 0);
    let (mut pasted, hints): (Option<Pasted>, _) = (None, Hints::new(reader));
    let mut tests = Vec::new();
    for word in ["test", "tests"] {
        tests.extend(reader.store.term(word)?);
    }
    for record in reader.store.files()? {
        if is_test(&record.path) || only_declares(&record.path) || !filter.accepts(&record.path) {
            continue;
        }
        // Nobody takes out what a tool has made.
        let packed = record.size > u64::from(record.lines) * MOST_BYTES_OF_A_LINE;
        if packed || reader.origin(&record.path)?.is_some() {
            continue;
        }
        let file = graph.file(record.id)?;
        let language = vocabulary::language(&record.language)?;
        let mut is_included = language.linking.included_extensions.iter();
        let is_included = is_included.any(|own| record.path.strip_suffix(own).is_some_and(|rest| rest.ends_with('.')));
        for (id, symbol) in file.stored.facts.symbols.iter().enumerate().skip(1) {
            let row = SymbolRow::new(record.id, codegraph_model::SymbolId(id as u32));
            // Whoever includes a header has what stands in it.
            let offered = is_public(symbol) || is_included && symbol.parent.get().is_none_or(|parent| parent.0 == 0);
            let wanted = is_judged(symbol) && (question.public || !offered);
            if !wanted || used.contains(&row) || overrides(&graph, &file, symbol)? {
                continue;
            }
            if !language.hears_of_heirs.is_empty() && is_heard_of(&graph, row, language.hears_of_heirs)? {
                continue;
            }
            let name = file.stored.term(symbol.name);
            let text = reader.store.text(name)?;
            let may_be_called = symbol.kind.is_callable() || symbol.kind == SymbolKind::Constant;
            let called = may_be_called && language.called_by_name.contains(&&*text);
            let is_entry = is_entry(&text) || language.entries.functions.contains(&&*text);
            if is_entry || called || is_in_tests(&file, symbol, &tests) {
                continue;
            }
            let has_headers = language.linking.headers;
            let suspect = Suspect { row, symbol, name, file: &file, has_headers };
            let mut doubted = match doubt(reader, &graph, &suspect)? {
                Doubt::Used => continue,
                doubt => doubt == Doubt::Some || !reader.store.unbound(name)?.is_empty(),
            };
            if !doubted && has_headers {
                if pasted.is_none() {
                    pasted = Some(Pasted::read(reader)?);
                }
                doubted = pasted.as_ref().is_some_and(|pasted| pasted.may_make(&text));
            }
            doubted = doubted || hints.may_use(&suspect, &text)?;
            doubted = doubted || symbol.kind == SymbolKind::Method && !implementations(&graph, row)?.is_empty();
            match doubted {
                false => found.push((row, symbol.visibility)),
                true => undecided += 1,
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
            // Who uses a member from outside uses its type.
            let outline = reader.outline(target.file)?;
            let mut around = outline.facts.symbols[target.symbol.index()].parent;
            while around.is_some() && around.0 != 0 {
                if target.file != file.id || !file.is_inside(user, around) {
                    used.insert(SymbolRow::new(target.file, around));
                }
                around = outline.facts.symbols[around.index()].parent;
            }
        }
    }
    Ok(used)
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

/// `main` and names such as `__enter__` and `_repr_html_` are called by others than the program.
fn is_entry(name: &str) -> bool {
    name == "main" || name.starts_with("__") || name.starts_with('_') && name.ends_with('_') && name.len() > 2
}

/// Whether a type is made of one that hears of what is made of it.
fn is_heard_of(graph: &Graph<'_>, row: SymbolRow, hears: &[&str]) -> Result<bool> {
    let outline = graph.reader.outline(row.file)?;
    let symbol = &outline.facts.symbols[row.symbol.index()];
    if !symbol.kind.is_type() || symbol.bases.is_empty() {
        return Ok(false);
    }
    for base in reachable(graph, row, bases_of)? {
        let outline = graph.reader.outline(base.file)?;
        for member in outline.facts.symbols.iter().filter(|s| s.parent == base.symbol && s.name.is_some()) {
            if hears.contains(&&*graph.reader.store.name(&outline, member.name)?) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Whether a module of tests is around a symbol.
fn is_in_tests(file: &LinkedFile, symbol: &Symbol, names: &[TermId]) -> bool {
    let facts = &file.stored.facts;
    let mut around = symbol.parent;
    while around.is_some() && around.0 != 0 {
        let entry = &facts.symbols[around.index()];
        if entry.kind.is_module() && entry.name.is_some() && names.contains(&file.stored.term(entry.name)) {
            return true;
        }
        around = entry.parent;
    }
    false
}

fn is_public(symbol: &Symbol) -> bool {
    // What heirs can reach, those outside the project can.
    matches!(symbol.visibility, Visibility::Public | Visibility::Protected) || symbol.flags.has(Flags::EXPORT)
}

/// Whether a member may stand for one of a base, inside or outside the project.
fn overrides(graph: &Graph<'_>, file: &LinkedFile, symbol: &Symbol) -> Result<bool> {
    let Some(parent) = symbol.parent.get().filter(|parent| file.stored.facts.symbols[parent.index()].kind.is_type())
    else {
        return Ok(false);
    };
    let owner = &file.stored.facts.symbols[parent.index()];
    if owner.kind == SymbolKind::Impl {
        let head = |r: &Reference| owner.span.start <= r.span.start && r.span.start < owner.head_end;
        let is_base = |r: &Reference| matches!(r.kind, RefKind::Inherit | RefKind::Implements);
        return Ok(owner.qualifier.is_some() || file.stored.facts.refs.iter().any(|r| head(r) && is_base(r)));
    }
    Ok(!owner.bases.is_empty() || !bases_of(graph, SymbolRow::new(file.id, parent))?.is_empty())
}
