//! Lines on which terms stand, collected from postings: one entry per file and line.

use codegraph_model::{FileId, TermMask};
use codegraph_store::Term;
use rustc_hash::FxHashMap;

use crate::paths::FileFilter;
use crate::{Reader, Result};

/// A line that matches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hit {
    pub(crate) line: u32,
    pub(crate) mask: TermMask,
    /// The first of the terms that stands there, as an index into the list of terms.
    pub(crate) term: u32,
}

/// The matching lines of one file, ascending.
pub(crate) struct FileHits {
    pub(crate) file: FileId,
    pub(crate) path: String,
    pub(crate) hits: Vec<Hit>,
}

/// From so many files on, reading the paths of all files at once costs less than one by one.
const MANY: usize = 200;

/// The lines of all terms, by path, for the files that the filter accepts.
pub(crate) fn collect(reader: &Reader, terms: &[Term], filter: &FileFilter) -> Result<Vec<FileHits>> {
    let mut by_file: FxHashMap<FileId, Vec<Hit>> = FxHashMap::default();
    for (number, term) in terms.iter().enumerate() {
        for posting in reader.store.postings(term.id)? {
            let lines = posting.lines.iter().map(|l| Hit { line: l.line, mask: l.mask, term: number as u32 });
            by_file.entry(posting.file).or_default().extend(lines);
        }
    }
    if by_file.len() > MANY {
        reader.read_paths()?;
    }
    let mut files = Vec::with_capacity(by_file.len());
    for (file, hits) in by_file {
        let path = reader.path(file)?;
        if filter.accepts(&path) {
            files.push(FileHits { file, path, hits: merged(hits) });
        }
    }
    files.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

/// One entry per line: kinds of text together, the first term wins.
fn merged(mut hits: Vec<Hit>) -> Vec<Hit> {
    hits.sort_unstable_by_key(|hit| (hit.line, hit.term));
    hits.dedup_by(|next, kept| {
        let same = next.line == kept.line;
        if same {
            kept.mask.0 |= next.mask.0;
        }
        same
    });
    hits
}

/// The lines that both lists have; what is known about them is what both say, if they agree at all.
pub(crate) fn both(left: Vec<Hit>, right: &[Hit]) -> Vec<Hit> {
    let mut rest = right.iter().peekable();
    left.into_iter()
        .filter_map(|mut hit| {
            while rest.next_if(|other| other.line < hit.line).is_some() {}
            let other = rest.peek().filter(|other| other.line == hit.line)?;
            let text = TermMask(hit.mask.0 & other.mask.0 & !TermMask::DEF.0);
            hit.mask = if text.0 == 0 { TermMask(hit.mask.0 & !TermMask::DEF.0) } else { text };
            Some(hit)
        })
        .collect()
}
