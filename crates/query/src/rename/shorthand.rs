//! A word that is a field and its value in a literal, where the facts know the value alone: `Point { x }`. Languages with
//! impl blocks write it so; elsewhere such a list has values by their order.

use codegraph_languages::Language;
use codegraph_languages::flow::Shape;
use codegraph_model::{FileFacts, FileId, RefId, RefKind, Span, SymbolKind, TermMask};
use codegraph_store::{LinkTarget, SymbolRow};
use rustc_hash::FxHashSet;

use crate::graph::Graph;
use crate::{Result, vocabulary};

/// Words in files.
type Places = Vec<(FileId, Span)>;

/// How far back the bracket of a literal is looked for.
const FARTHEST: usize = 8_000;

/// The type of the literal in which a word stands as field and value.
pub(super) fn literal(facts: &FileFacts, text: &[u8], word: Span) -> Option<RefId> {
    let after = text.get(word.end as usize..)?.iter().find(|byte| !byte.is_ascii_whitespace())?;
    let before = text.get(..word.start as usize)?.trim_ascii_end();
    if !matches!(after, b',' | b'}') || !matches!(before.last()?, b',' | b'{') {
        return None;
    }
    let mut depth = 0_u32;
    let bracket = before.iter().enumerate().rev().take(FARTHEST).find(|(_, byte)| match byte {
        b')' | b']' | b'}' => {
            depth += 1;
            false
        }
        b'(' | b'[' | b'{' if depth > 0 => {
            depth -= 1;
            false
        }
        b'(' | b'[' | b'{' => true,
        _ => false,
    });
    let (at, _) = bracket.filter(|(_, byte)| **byte == b'{')?;
    let end = text[..at].trim_ascii_end().len() as u32;
    let made = |kind: RefKind| matches!(kind, RefKind::Instantiation | RefKind::Call);
    let of = facts.refs.iter().position(|reference| reference.span.end == end && made(reference.kind))?;
    Some(RefId(of as u32))
}

/// Where the grammar says that a word is key and value of an object, whether or not anything is known of that.
pub(super) fn words(text: &[u8], language: &'static Language) -> FxHashSet<u32> {
    let shapes = language.flow.iter().flat_map(|flow| flow.shapes).flat_map(|shapes| shapes.iter());
    let short: Vec<&str> = shapes.filter(|(_, shape)| *shape == Shape::Short).map(|(kind, _)| *kind).collect();
    if short.is_empty() {
        return FxHashSet::default();
    }
    codegraph_extract::ast(text, language)
        .iter()
        .filter(|node| short.contains(&node.kind))
        .map(|node| node.start)
        .collect()
}

/// Whether the language of a file has such literals.
pub(super) fn is_known(graph: &Graph<'_>, file: FileId) -> Result<bool> {
    Ok(vocabulary::language(&graph.reader.record(file)?.language)?.linking.impl_blocks)
}

/// Where literals name a field together with its value: those of its type, and those of which the type is not known.
pub(super) fn fields(graph: &Graph<'_>, row: SymbolRow) -> Result<(Places, Places)> {
    let (mut own, mut open) = (Vec::new(), Vec::new());
    let view = graph.reader.view_of(row.file)?;
    let symbol = view.symbol(row.symbol);
    let Some(parent) = symbol.parent.get().filter(|_| symbol.kind == SymbolKind::Field) else { return Ok((own, open)) };
    if !is_known(graph, row.file)? {
        return Ok((own, open));
    }
    let (term, owner) = (view.stored.term(symbol.name), LinkTarget::Symbol(SymbolRow::new(row.file, parent)));
    for file in graph.reader.store().mentioning(term, TermMask::CODE)? {
        let linked = graph.file(file)?;
        let Some(name) = linked.stored.str_id(term).filter(|_| is_known(graph, file).unwrap_or(false)) else {
            continue;
        };
        let source = graph.reader.source(&graph.reader.view_of(file)?.record)?;
        let refs = linked.stored.facts.refs.iter().filter(|one| one.name == name && one.receiver.is_none());
        for reference in refs.filter(|one| one.kind == RefKind::Read) {
            let Some(of) = literal(&linked.stored.facts, &source.bytes, reference.span) else { continue };
            match linked.links.of(of).map(|bound| linked.links.target(bound)) {
                Some(target) if *target == owner => own.push((file, reference.span)),
                Some(_) => {}
                None => open.push((file, reference.span)),
            }
        }
    }
    Ok((own, open))
}
