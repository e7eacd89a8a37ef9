//! The one symbol that a selector means, or the choices.

use codegraph_model::{Flags, SymbolId, SymbolKind};
use serde::Serialize;

use crate::find::{describe, near};
use crate::lookup::{self, Candidate, Wanted};
use crate::reader::FileView;
use crate::{Reader, Remarks, Result, Selector, SymbolInfo};

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
    }
    match found.as_slice() {
        [one] => {
            let Candidate { file, symbol, .. } = one.clone();
            Ok(Selection::One(Box::new(reader.view(file)?), symbol))
        }
        _ => Ok(Selection::Other(unselected(reader, &selector.text(), &found)?)),
    }
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
    let defined: Vec<String> = described.iter().filter(|d| !d.2).map(|d| d.3.clone()).collect();
    described.retain(|(_, _, declared, base)| !declared || !defined.contains(base));
    Ok(described.into_iter().map(|(candidate, ..)| candidate).collect())
}

fn unselected(reader: &Reader, text: &str, found: &[Candidate]) -> Result<Unselected> {
    let mut remarks = Remarks::of(reader);
    let choices = describe(reader, &found[..found.len().min(MOST_CHOICES)], &mut remarks)?;
    if found.is_empty() {
        remarks.cover(reader, &["locals and parameters"])?;
        remarks.nearest = near(reader, text)?;
    }
    Ok(Unselected { selector: text.to_owned(), ambiguous: !found.is_empty(), choices, total: found.len(), remarks })
}
