//! One symbol from what people write for it, or the choices.

use codegraph_model::SymbolId;
use serde::Serialize;

use crate::find::{describe, near};
use crate::lookup::{self, Candidate, Wanted, split_place};
use crate::reader::FileView;
use crate::{Reader, Remarks, Result, SymbolInfo};

const MOST_CHOICES: usize = 20;

/// What a text for a symbol means.
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

/// Selects a symbol by name, qualified name, `file:line` or id.
pub(crate) fn select<'r>(reader: &'r Reader, text: &str) -> Result<Selection<'r>> {
    let text = text.trim();
    let mut found = lookup::by_text(reader, text, false, &Wanted::anything())?;
    let best = found.first().map(|candidate| candidate.rank);
    found.retain(|candidate| Some(candidate.rank) == best);
    if split_place(text).is_some() {
        found.truncate(1);
    }
    match found.as_slice() {
        [one] => {
            let Candidate { file, symbol, .. } = one.clone();
            Ok(Selection::One(Box::new(reader.view(file)?), symbol))
        }
        _ => Ok(Selection::Other(unselected(reader, text, &found)?)),
    }
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
