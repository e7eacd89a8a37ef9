//! The one symbol that a selector means, or the choices.

use codegraph_model::{Flags, Symbol, SymbolId, SymbolKind, TermMask};
use codegraph_store::SymbolRow;
use serde::Serialize;

use crate::find::{describe, near};
use crate::lookup::{self, Candidate, Wanted};
use crate::paths::{self, is_test};
use crate::reader::FileView;
use crate::{Note, Reader, Remarks, Result, Selector, SymbolInfo, variants, vocabulary};

const MOST_CHOICES: usize = 20;

/// What a selector means.
pub(crate) enum Selection<'r> {
    One(Box<FileView<'r>>, SymbolId),
    Other(Unselected),
}

/// Why no single symbol was meant: several fit, or none.
#[derive(Clone, Debug, Serialize)]
pub struct Unselected {
    pub selector: String,
    pub ambiguous: bool,
    pub choices: Vec<SymbolInfo>,
    pub total: usize,
    #[serde(flatten)]
    pub remarks: Remarks,
}

/// The one symbol that is meant.
pub(crate) fn select<'r>(reader: &'r Reader, selector: &Selector) -> Result<Selection<'r>> {
    reader.choose(None);
    if selector.is_blank() {
        return Ok(Selection::Other(unselected(reader, "", &[])?));
    }
    let mut found = lookup::by_selector(reader, selector, false, &Wanted::anything())?;
    let best = found.first().map(|candidate| candidate.rank);
    found.retain(|candidate| Some(candidate.rank) == best);
    if matches!(selector, Selector::Place(_)) {
        found.truncate(1);
    } else if found.len() > 1 {
        found = without_shadows(reader, found)?;
        found = without_twins(reader, selector, found)?;
    }
    if let ([one], Selector::Name(text)) = (found.as_mut_slice(), selector)
        && !text.contains('#')
    {
        let outline = reader.outline(one.file.id)?;
        one.symbol = variants::replacement(&outline.facts.symbols, one.symbol).unwrap_or(one.symbol);
    }
    if found.len() > 1
        && let Some(one) = with_its_constructors(reader, &found)?
    {
        reader.choose(also(reader, selector, &found, one, false)?);
        found = vec![found.swap_remove(one)];
    } else if found.len() > 1
        && let Some(one) = meant(reader, &found)?
    {
        reader.choose(also(reader, selector, &found, one, true)?);
        found = vec![found.swap_remove(one)];
    } else if found.len() > 1
        && let Some(one) = only_product(reader, selector, &found)?
    {
        reader.choose(also(reader, selector, &found, one, false)?);
        found = vec![found.swap_remove(one)];
    }
    match found.as_slice() {
        [one] => {
            let Candidate { file, symbol, .. } = one.clone();
            Ok(Selection::One(Box::new(reader.view(file)?), symbol))
        }
        _ => Ok(Selection::Other(unselected(reader, &selector.text(), &found)?)),
    }
}

/// The functions of one owner that have a name together, if that is all that a selector means.
pub(crate) fn overloads(reader: &Reader, selector: &Selector) -> Result<Vec<SymbolRow>> {
    let mut found = lookup::by_selector(reader, selector, false, &Wanted::anything())?;
    let best = found.first().map(|candidate| candidate.rank);
    found.retain(|candidate| Some(candidate.rank) == best);
    if found.len() > MOST_CHOICES {
        return Ok(Vec::new());
    }
    let (mut rows, mut bases) = (Vec::new(), Vec::new());
    for candidate in without_shadows(reader, found)? {
        let view = reader.view(candidate.file.clone())?;
        if !view.symbol(candidate.symbol).kind.is_callable() {
            return Ok(Vec::new());
        }
        bases.push(view.names().base(view.facts(), candidate.symbol, &view));
        view.check()?;
        rows.push(SymbolRow::new(candidate.file.id, candidate.symbol));
    }
    bases.dedup();
    Ok(if bases.len() == 1 { rows } else { Vec::new() })
}

/// What a selector means, for those who read the tables.
#[derive(Debug)]
pub enum Selected {
    One(SymbolRow),
    Other(Unselected),
}

/// The row of the one symbol that is meant, or the choices.
pub fn selected(reader: &Reader, selector: &Selector) -> Result<Selected> {
    Ok(match select(reader, selector)? {
        Selection::One(view, id) => Selected::One(SymbolRow::new(view.record.id, id)),
        Selection::Other(other) => Selected::Other(other),
    })
}

/// An implementation block is not what its type's name means, a heading not what a name in code means, and a
/// declaration is not meant where the same name has its definition.
fn without_shadows(reader: &Reader, found: Vec<Candidate>) -> Result<Vec<Candidate>> {
    let mut described = Vec::with_capacity(found.len());
    for candidate in found {
        let view = reader.view(candidate.file.clone())?;
        let symbol = view.symbol(candidate.symbol);
        let is_impl = matches!(symbol.kind, SymbolKind::Impl | SymbolKind::Heading);
        let declared = symbol.flags.has(Flags::DECLARATION);
        let base = view.names().base(view.facts(), candidate.symbol, &view);
        view.check()?;
        described.push((candidate, is_impl, declared, base));
    }
    if described.iter().any(|(_, is_impl, ..)| !is_impl) {
        described.retain(|(_, is_impl, ..)| !is_impl);
    }
    drop_aliases(reader, &mut described)?;
    let defined: Vec<String> = described.iter().filter(|d| !d.2).map(|d| d.3.clone()).collect();
    described.retain(|(_, _, declared, base)| !declared || !defined.contains(base));
    Ok(described.into_iter().map(|(candidate, ..)| candidate).collect())
}

/// Of variants under a condition the first stands for all; a definition that a later one replaces is not meant.
fn without_twins(reader: &Reader, selector: &Selector, found: Vec<Candidate>) -> Result<Vec<Candidate>> {
    if found.len() > MOST_CHOICES {
        return Ok(found);
    }
    let mut symbols: Vec<(bool, Symbol)> = Vec::with_capacity(found.len());
    for candidate in &found {
        let outline = reader.outline(candidate.file.id)?;
        let overloads = vocabulary::language(&candidate.file.language)?.linking.overloads;
        symbols.push((overloads, outline.facts.symbols[candidate.symbol.index()].clone()));
    }
    let (mut kept, mut together): (Vec<usize>, Vec<usize>) = (Vec::new(), Vec::new());
    let same_file = |a: usize, b: usize| found[a].file.id == found[b].file.id;
    for at in 0..found.len() {
        let (overloads, own) = &symbols[at];
        let is_replaced = |new: usize| same_file(at, new) && variants::is_replaced_by(own, &symbols[new].1);
        let twin = kept.iter().copied().find(|old| same_file(at, *old) && variants::are_twins(own, &symbols[*old].1));
        match twin.filter(|_| !overloads) {
            _ if (0..found.len()).any(is_replaced) => {}
            Some(first) => together.extend([first, at]),
            None => kept.push(at),
        }
    }
    together.dedup();
    if !together.is_empty() && kept.len() == 1 {
        let mut places = Vec::new();
        for at in together {
            let view = reader.view(found[at].file.clone())?;
            places.push(format!("{}:{}", found[at].file.path, view.name_line(found[at].symbol)));
        }
        places.dedup();
        reader.choose(Some(Note::Together { name: selector.text(), places }));
    }
    let mut at = 0..found.len();
    Ok(found.into_iter().filter(|_| at.next().is_some_and(|at| kept.contains(&at))).collect())
}

/// A name that more symbols have is not looked at.
const MOST_WEIGHED: usize = 400;
/// So many files have to use a symbol before it is meant without being named in full.
const LEAST_FILES: usize = 3;

/// The one of several symbols that nearly all uses of their name mean, by the files that use them.
fn meant(reader: &Reader, found: &[Candidate]) -> Result<Option<usize>> {
    if found.len() > MOST_WEIGHED {
        return Ok(None);
    }
    let mut weights = Vec::with_capacity(found.len());
    for candidate in found {
        let row = SymbolRow::new(candidate.file.id, candidate.symbol);
        weights.push(reader.store.sources(row)?.len());
    }
    let all: usize = weights.iter().sum();
    // Of equals the first counts: product code comes before tests, a definition before another name for it.
    let order = |at: &usize| {
        let candidate = &found[*at];
        Ok::<_, crate::Error>((is_aside(reader, &candidate.file.path)?, is_alias(reader, candidate)?))
    };
    let mut best: Option<(usize, (bool, bool))> = None;
    for at in 0..found.len() {
        let own = order(&at)?;
        let better = best.is_none_or(|(old, rank)| (weights[at], rank) > (weights[old], own));
        if better {
            best = Some((at, own));
        }
    }
    Ok(best.map(|(at, _)| at).filter(|at| weights[*at] >= LEAST_FILES && weights[*at] * 10 >= all * 9))
}

/// The one of several symbols that is part of the product: neither of tests, examples and what was built, nor of a file that
/// only declares what another one defines. Where a type is named before it, a member of a type.
fn only_product(reader: &Reader, selector: &Selector, found: &[Candidate]) -> Result<Option<usize>> {
    if found.len() > MOST_CHOICES {
        return Ok(None);
    }
    let is_qualified = selector.text().contains(['.', ':', '#', '\\']);
    let mut ranks = Vec::with_capacity(found.len());
    for candidate in found {
        let outline = reader.outline(candidate.file.id)?;
        let symbols = &outline.facts.symbols;
        let defines = |symbol: &Symbol| symbol.kind.is_callable() && !symbol.flags.has(Flags::DECLARATION);
        let parent = symbols.get(symbols[candidate.symbol.index()].parent.index());
        let is_loose = is_qualified && parent.is_none_or(|parent| parent.kind.is_module());
        ranks.push((is_aside(reader, &candidate.file.path)?, !symbols.iter().any(defines), is_loose));
    }
    let best = ranks.iter().min();
    let mut first = ranks.iter().enumerate().filter(|(_, rank)| Some(*rank) == best);
    Ok(first.next().map(|(at, _)| at).filter(|_| first.next().is_none()))
}

/// A type, where all others are its own constructors.
fn with_its_constructors(reader: &Reader, found: &[Candidate]) -> Result<Option<usize>> {
    let mut types = Vec::new();
    for (at, candidate) in found.iter().enumerate().take(MOST_CHOICES) {
        let outline = reader.outline(candidate.file.id)?;
        match outline.facts.symbols[candidate.symbol.index()] {
            Symbol { kind: SymbolKind::Constructor, parent, .. } => {
                let owner = |other: &Candidate| other.file.id == candidate.file.id && other.symbol == parent;
                if !found.iter().any(owner) {
                    return Ok(None);
                }
            }
            _ => types.push(at),
        }
    }
    Ok(types.first().copied().filter(|_| types.len() == 1 && found.len() <= MOST_CHOICES))
}

fn is_aside(reader: &Reader, path: &str) -> Result<bool> {
    let by_name = is_test(path) || paths::is_aside(path);
    let is_stub = || path.split('/').any(|part| matches!(part, "stub" | "stubs"));
    Ok(by_name || is_stub() || reader.origin(path)?.is_some())
}

fn is_alias(reader: &Reader, candidate: &Candidate) -> Result<bool> {
    let kind = reader.outline(candidate.file.id)?.facts.symbols[candidate.symbol.index()].kind;
    Ok(matches!(kind, SymbolKind::TypeAlias | SymbolKind::Variable | SymbolKind::Field))
}

/// The others that a name means, in few words.
fn also(reader: &Reader, selector: &Selector, found: &[Candidate], one: usize, by_use: bool) -> Result<Option<Note>> {
    const MOST: usize = 3;
    let mut places = Vec::new();
    for (_, other) in found.iter().enumerate().filter(|(at, _)| *at != one).take(MOST) {
        let view = reader.view(other.file.clone())?;
        places.push(format!("{}:{}", other.file.path, view.name_line(other.symbol)));
    }
    Ok(Some(Note::Also { name: selector.text(), places, total: found.len() - 1, by_use }))
}

/// A candidate, whether it is no definition, whether it only declares, and its name without a number.
type Described = (Candidate, bool, bool, String);

/// A variable without references, beside a function or a type of its name, is an alias that an import made.
fn drop_aliases(reader: &Reader, described: &mut Vec<Described>) -> Result<()> {
    let kind = |candidate: &Candidate| -> Result<SymbolKind> {
        Ok(reader.outline(candidate.file.id)?.facts.symbols[candidate.symbol.index()].kind)
    };
    let mut kept = Vec::with_capacity(described.len());
    let mut any = false;
    for (candidate, ..) in described.iter() {
        let kind = kind(candidate)?;
        any |= kind.is_callable() || kind.is_type();
        let is_variable = matches!(kind, SymbolKind::Variable | SymbolKind::Constant);
        let row = SymbolRow::new(candidate.file.id, candidate.symbol);
        kept.push(!is_variable || !reader.store.sources(row)?.is_empty());
    }
    if any {
        let mut kept = kept.into_iter();
        described.retain(|_| kept.next().unwrap_or(true));
    }
    Ok(())
}

/// Says what a name that nothing has could have been.
pub(crate) fn explain_missing(reader: &Reader, text: &str, remarks: &mut Remarks) -> Result<()> {
    remarks.cover(reader, &[])?;
    remarks.nearest = near(reader, text)?;
    let is_digits = text.bytes().all(|byte| byte.is_ascii_hexdigit()) && text.bytes().any(|byte| byte.is_ascii_digit());
    if is_digits && (4..8).contains(&text.len()) {
        remarks.note(Note::ShortId { digits: text.len() });
    }
    let in_code = |term| reader.store.mentioning(term, TermMask::CODE).map(|files| !files.is_empty());
    if let Some(term) = reader.store.term(text)?
        && in_code(term)?
    {
        remarks.note(Note::OnlyLocal { name: text.to_owned() });
    }
    Ok(())
}

fn unselected(reader: &Reader, text: &str, found: &[Candidate]) -> Result<Unselected> {
    let mut remarks = Remarks::of(reader);
    let choices = describe(reader, &found[..found.len().min(MOST_CHOICES)], &mut remarks)?;
    if found.is_empty() {
        explain_missing(reader, text, &mut remarks)?;
    }
    Ok(Unselected { selector: text.to_owned(), ambiguous: !found.is_empty(), choices, total: found.len(), remarks })
}
