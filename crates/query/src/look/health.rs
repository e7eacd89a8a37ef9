//! How much of the references of each language is known.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Traffic;
use crate::{Reader, Remarks, Result};

/// The references of a language's files.
#[derive(Clone, Debug, Default, Serialize)]
pub struct LanguageHealth {
    pub language: String,
    pub files: usize,
    pub references: u64,
    /// Those that mean something of the project.
    pub inside: u64,
    /// Those that mean something outside of it.
    pub outside: u64,
    /// Those whose name the project defines, without proof that it is meant.
    pub unproven: u64,
    /// The rest: local names, words of the language, and what nothing is known about.
    pub other: u64,
}

/// How much is known, by language.
#[derive(Clone, Debug, Serialize)]
pub struct HealthAnswer {
    /// Those with the most references first.
    pub languages: Vec<LanguageHealth>,
    #[serde(flatten)]
    pub remarks: Remarks,
}

/// Answers how much of the references is known.
pub fn health(reader: &Reader) -> Result<HealthAnswer> {
    let traffic = Traffic::of(reader)?;
    let mut languages: BTreeMap<&str, LanguageHealth> = BTreeMap::new();
    for file in &traffic.files {
        let row = languages.entry(&file.record.language).or_default();
        row.files += 1;
        row.references += u64::from(file.references);
        row.inside += u64::from(file.inside);
        row.outside += u64::from(file.outside);
        row.unproven += u64::from(file.unproven);
    }
    let finish = |(language, row): (&str, LanguageHealth)| LanguageHealth {
        language: language.to_owned(),
        other: row.references - (row.inside + row.outside + row.unproven).min(row.references),
        ..row
    };
    let mut languages: Vec<LanguageHealth> = languages.into_iter().map(finish).collect();
    languages.sort_by(|a, b| b.references.cmp(&a.references).then_with(|| a.language.cmp(&b.language)));
    Ok(HealthAnswer { languages, remarks: Remarks::of(reader) })
}
