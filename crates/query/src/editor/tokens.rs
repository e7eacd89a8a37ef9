//! What each name of a file stands for, where that is known: for colours that follow meaning.

use codegraph_live::{Locals, on_deep_stack};
use codegraph_model::{BindingKind, Flags, RefKind, Span, SymbolKind};
use codegraph_store::{LinkTarget, SymbolRow};
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::graph::{Graph, LinkedFile};
use crate::symbol::Place;
use crate::{NameKind, Reader, Result};

/// A name with what it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Token {
    pub range: Place,
    pub kind: NameKind,
    /// It is declared here.
    pub declaration: bool,
    /// It gets a value here.
    pub write: bool,
    /// It lies outside the project.
    pub external: bool,
    #[serde(rename = "static")]
    pub is_static: bool,
    pub readonly: bool,
    #[serde(rename = "async")]
    pub is_async: bool,
}

/// Answers what the names of a file stand for, in source order. Names of which nothing is known are left out.
pub fn tokens(reader: &Reader, file: &str) -> Result<Vec<Token>> {
    let record = reader.file(file)?;
    let graph = Graph::new(reader);
    let file = graph.file(record.id)?;
    let mut found: Vec<(Span, Known)> = Vec::new();
    declared(&file, &mut found);
    bound(&graph, &file, &mut found)?;
    local(&graph, &file, &mut found)?;
    found.retain(|(span, _)| !span.is_empty());
    found.sort_by_key(|(span, known)| (span.start, !known.declaration));
    found.dedup_by(|later, first| later.0.start < first.0.end);
    let view = reader.view(record)?;
    let token = |(span, known): (Span, Known)| Token {
        range: view.place(span),
        kind: known.kind,
        declaration: known.declaration,
        write: known.write,
        external: known.external,
        is_static: known.flags.has(Flags::STATIC),
        readonly: known.flags.has(Flags::READONLY) || known.flags.has(Flags::CONST),
        is_async: known.flags.has(Flags::ASYNC),
    };
    Ok(found.into_iter().map(token).collect())
}

struct Known {
    kind: NameKind,
    flags: Flags,
    declaration: bool,
    write: bool,
    external: bool,
}

impl Known {
    fn of(kind: NameKind, flags: Flags) -> Known {
        Known { kind, flags, declaration: false, write: false, external: false }
    }

    fn declared(self) -> Known {
        Known { declaration: true, ..self }
    }
}

fn declared(file: &LinkedFile, found: &mut Vec<(Span, Known)>) {
    let facts = &file.stored.facts;
    let symbols = facts.symbols.iter().skip(1).filter(|symbol| symbol.kind != SymbolKind::Impl);
    found.extend(symbols.map(|s| (s.name_span, Known::of(NameKind::Symbol(s.kind), s.flags).declared())));
    let again = |kind| matches!(kind, BindingKind::Again | BindingKind::Global | BindingKind::Nonlocal);
    let bindings = facts.bindings.iter().filter(|binding| !again(binding.kind));
    found.extend(bindings.map(|b| (b.span, Known::of(b.kind.into(), Flags::default()).declared())));
}

fn bound(graph: &Graph<'_>, file: &LinkedFile, found: &mut Vec<(Span, Known)>) -> Result<()> {
    let mut kinds: FxHashMap<SymbolRow, (SymbolKind, Flags)> = FxHashMap::default();
    for bound in &file.links.bound {
        let reference = &file.stored.facts.refs[bound.reference.index()];
        let used = bound.kind(reference);
        let known = match file.links.target(bound) {
            LinkTarget::Symbol(row) => {
                let (kind, flags) = match kinds.get(row) {
                    Some(known) => *known,
                    None => {
                        let outline = graph.reader.outline(row.file)?;
                        let symbol = &outline.facts.symbols[row.symbol.index()];
                        let kind = if row.symbol.0 == 0 { SymbolKind::Module } else { symbol.kind };
                        *kinds.entry(*row).or_insert((kind, symbol.flags))
                    }
                };
                Known::of(NameKind::Symbol(kind), flags)
            }
            LinkTarget::External(_) => {
                Known { external: true, ..Known::of(NameKind::Symbol(by_use(used)), Flags::default()) }
            }
        };
        found.push((reference.span, Known { write: used == RefKind::Write, ..known }));
    }
    Ok(())
}

/// What something outside the project is, as far as its use tells.
fn by_use(used: RefKind) -> SymbolKind {
    match used {
        RefKind::Call | RefKind::Decorator => SymbolKind::Function,
        RefKind::Macro => SymbolKind::Macro,
        RefKind::Instantiation | RefKind::TypeRef | RefKind::Inherit | RefKind::Implements => SymbolKind::Class,
        RefKind::Import => SymbolKind::Module,
        RefKind::Attribute => SymbolKind::Field,
        RefKind::Read | RefKind::Write => SymbolKind::Variable,
    }
}

fn local(graph: &Graph<'_>, file: &LinkedFile, found: &mut Vec<(Span, Known)>) -> Result<()> {
    let links = on_deep_stack(|| Locals::new(graph.reader.store()).of(file.id, &file.links))?;
    for (reference, home, binding) in links {
        let home = graph.file(home)?;
        let reference = &file.stored.facts.refs[reference.index()];
        let kind = home.stored.facts.bindings[binding as usize].kind.into();
        let write = reference.kind == RefKind::Write;
        found.push((reference.span, Known { write, ..Known::of(kind, Flags::default()) }));
    }
    Ok(())
}
