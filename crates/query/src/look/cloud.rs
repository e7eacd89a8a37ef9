//! The terms of a project, or of a folder, weighted by use: what the code talks about.

use std::cmp::Reverse;

use codegraph_model::{TermId, TermMask};

use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

use crate::paths::FileFilter;
use crate::{Reader, Remarks, Result};

/// A question for the terms that are used most.
#[derive(Clone, Debug, Default)]
pub struct Cloud {
    /// A folder, a file or a glob.
    pub file_filter: Option<String>,
    /// Words of comments instead of names in code.
    pub comments: bool,
    /// Only what is defined there.
    pub defined: bool,
    pub limit: usize,
}

/// A term with how much it is used.
#[derive(Clone, Debug, Serialize)]
pub struct CloudTerm {
    pub term: String,
    /// Lines that have it.
    pub lines: u64,
    pub files: u64,
    /// Whether the project defines it.
    pub defined: bool,
}

/// The terms that are used most, the most used first.
#[derive(Clone, Debug, Serialize)]
pub struct CloudAnswer {
    pub terms: Vec<CloudTerm>,
    /// Distinct terms.
    pub total: usize,
    #[serde(flatten)]
    pub remarks: Remarks,
}

/// Shorter words say nothing.
const SHORTEST: usize = 3;

/// Answers which terms are used most.
pub fn cloud(reader: &Reader, question: &Cloud) -> Result<CloudAnswer> {
    let filter = FileFilter::new(question.file_filter.as_deref())?;
    reader.read_paths()?;
    let mut files = FxHashSet::default();
    for file in reader.store().file_ids()? {
        if filter.accepts(&reader.path(file)?) {
            files.insert(file);
        }
    }
    let wanted = if question.comments { TermMask::COMMENT } else { TermMask::CODE };
    // Lines, files, whether it is defined.
    let mut counts: FxHashMap<TermId, (u64, u64, bool)> = FxHashMap::default();
    reader.store().each_posting(|posting| {
        if files.contains(&posting.file) {
            let lines = posting.lines()?;
            let count = lines.iter().filter(|line| line.mask.has(wanted)).count() as u64;
            if count > 0 {
                let entry = counts.entry(posting.term).or_default();
                entry.0 += count;
                entry.1 += 1;
                entry.2 |= lines.iter().any(|line| line.mask.has(TermMask::DEF));
            }
        }
        Ok(())
    })?;
    let vocabulary = reader.vocabulary()?;
    let mut terms = Vec::with_capacity(counts.len());
    for (term, (lines, files, defined)) in counts {
        let text = vocabulary.text(term)?;
        if question.defined && !defined {
            continue;
        }
        if text.chars().count() >= SHORTEST {
            terms.push(CloudTerm { term: text.to_owned(), lines, files, defined });
        }
    }
    let total = terms.len();
    terms.sort_by(|a, b| {
        let rank = |term: &CloudTerm| Reverse((term.lines, term.files));
        rank(a).cmp(&rank(b)).then_with(|| a.term.cmp(&b.term))
    });
    terms.truncate(question.limit);
    Ok(CloudAnswer { terms, total, remarks: Remarks::of(reader) })
}
