//! Symbols by their labels: language and kind; without a label, how many of each there are.

use std::collections::BTreeMap;

use codegraph_model::SymbolKind;
use serde::Serialize;

use crate::find::describe;
use crate::lookup::{self, Wanted};
use crate::paths::FileFilter;
use crate::vocabulary::{self, Label};
use crate::{Reader, Remarks, Result, SymbolInfo, Window};

/// The symbols that have all given labels, or the counts of all labels.
#[derive(Clone, Debug, Serialize)]
pub struct LabelAnswer {
    pub labels: Vec<String>,
    /// Without a label: files and symbols of each language.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub counts: Vec<LabelCount>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub symbols: Vec<SymbolInfo>,
    pub total: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
    #[serde(flatten)]
    pub remarks: Remarks,
}

/// How much of a language there is.
#[derive(Clone, Debug, Default, Serialize)]
pub struct LabelCount {
    pub label: String,
    pub files: u64,
    pub symbols: u64,
}

/// Answers with the symbols of a label. Languages are alternatives, and so are kinds; both together narrow.
pub fn label(reader: &Reader, labels: &[String], window: Window) -> Result<LabelAnswer> {
    if labels.is_empty() {
        return counts(reader);
    }
    let mut wanted = Wanted { files: FileFilter::All, kinds: Vec::<SymbolKind>::new(), languages: Vec::new() };
    for word in labels {
        match vocabulary::label(word)? {
            Label::Language(language) => wanted.languages.push(language.name),
            Label::Kinds(kinds) => wanted.kinds.extend(kinds),
        }
    }
    let found = lookup::all(reader, &wanted)?;
    let mut remarks = Remarks::of(reader);
    let symbols = describe(reader, window.of(&found), &mut remarks)?;
    if found.is_empty() {
        remarks.cover(reader, &[])?;
    }
    Ok(LabelAnswer {
        labels: labels.to_vec(),
        counts: Vec::new(),
        symbols,
        total: found.len(),
        next_offset: window.next(found.len()),
        remarks,
    })
}

fn counts(reader: &Reader) -> Result<LabelAnswer> {
    let mut counts: BTreeMap<String, LabelCount> = BTreeMap::new();
    for record in reader.store.files()? {
        let count = counts.entry(record.language.clone()).or_default();
        count.label = record.language;
        count.files += 1;
        count.symbols += u64::from(record.symbols);
    }
    let counts: Vec<LabelCount> = counts.into_values().collect();
    Ok(LabelAnswer {
        labels: Vec::new(),
        total: counts.iter().map(|count| count.symbols as usize).sum(),
        counts,
        symbols: Vec::new(),
        next_offset: None,
        remarks: Remarks::of(reader),
    })
}
