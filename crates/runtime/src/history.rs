//! What git remembers of a symbol.

use codegraph_index::{History, Project, has_no_history};
use codegraph_query::{Extent, GetAnswer, Reader, Remarks, Selector, Unselected, get};
use serde::Serialize;

/// The history of a symbol, or why none was meant.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum HistoryAnswer {
    Found(SymbolHistory),
    Unselected(Box<Unselected>),
}

/// The commits that changed a symbol, the latest first; none where there is no git.
#[derive(Clone, Debug, Serialize)]
pub struct SymbolHistory {
    pub symbol_id: String,
    pub file: String,
    #[serde(flatten)]
    pub history: Option<History>,
    #[serde(flatten)]
    pub remarks: Remarks,
}

/// Answers which commits changed a symbol.
pub fn history(project: &Project, reader: &Reader, symbol: &Selector, limit: usize) -> anyhow::Result<HistoryAnswer> {
    let found = match get(reader, symbol, &Extent { full: true, about: None })? {
        GetAnswer::Found(found) => found,
        GetAnswer::Each(several) => return Ok(HistoryAnswer::Unselected(Box::new(several.choices))),
        GetAnswer::Unselected(other) => return Ok(HistoryAnswer::Unselected(Box::new(other))),
    };
    let info = &found.symbol;
    let history = match codegraph_index::history(project, &info.file, (info.span.start_line, info.span.end_line), limit)
    {
        Err(error) if has_no_history(&error) => None,
        history => Some(history?),
    };
    Ok(HistoryAnswer::Found(SymbolHistory {
        symbol_id: info.symbol_id.clone(),
        file: info.file.clone(),
        history,
        remarks: Remarks::of(reader),
    }))
}
