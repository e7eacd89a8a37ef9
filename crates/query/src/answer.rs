//! What all answers share: how to go on, what was not covered, what is stale, what was perhaps meant.

use codegraph_model::Advice;
use codegraph_store::Watched;
use serde::Serialize;

use crate::paths::FileFilter;
use crate::{Note, Reader, Result};

/// How many rows an answer has unless asked otherwise.
pub const DEFAULT_LIMIT: usize = 50;
/// The same where a row is no more than the number of a line.
pub const COMPACT_LIMIT: usize = 500;
/// The same where a row is a name beside others of its file.
pub const CALLS_LIMIT: usize = 80;

/// Which part of a list is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    pub limit: usize,
    pub offset: usize,
}

impl Default for Window {
    fn default() -> Window {
        Window { limit: DEFAULT_LIMIT, offset: 0 }
    }
}

impl Window {
    pub(crate) const ALL: Window = Window { limit: usize::MAX, offset: 0 };

    /// The wanted part of a complete list.
    pub(crate) fn of<'a, T>(&self, all: &'a [T]) -> &'a [T] {
        let start = self.offset.min(all.len());
        let end = start.saturating_add(self.limit).min(all.len());
        &all[start..end]
    }

    /// What is still wanted of the next list, after a list of `total` of which `shown` were given.
    pub(crate) fn rest(&self, shown: usize, total: usize) -> Window {
        Window { limit: self.limit.saturating_sub(shown), offset: self.offset.saturating_sub(total) }
    }

    /// Where to go on after this part of a list of `total`.
    pub(crate) fn next(&self, total: usize) -> Option<usize> {
        let end = self.offset.saturating_add(self.limit);
        (end < total).then_some(end)
    }
}

/// What a reader of the answer has to know besides its rows.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Remarks {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
    /// Files that have changed since they were read; what the answer says about them is old or left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stale_files: Vec<String>,
    /// The folders of linked projects that some of them are in, each with its files as they are named there.
    #[serde(skip)]
    pub stale_linked: Vec<(String, Vec<String>)>,
    /// Names close to the one that was not found.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nearest: Vec<String>,
    /// Given with empty answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverage: Option<Box<Coverage>>,
}

/// What an empty answer was looked for in, and what not.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Coverage {
    pub files: u64,
    pub languages: Vec<String>,
    /// Indexed files whose text was not understood completely.
    pub files_with_problems: u64,
    /// Files of known languages that were left out.
    pub files_skipped: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_searched: Vec<String>,
    /// Files of no known language.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<UnreadCount>,
}

/// Files that were not read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnreadCount {
    pub extension: String,
    pub files: u64,
}

/// As many kinds of files are named.
const MOST_KINDS: usize = 12;

pub(crate) fn unread(reader: &Reader) -> Vec<UnreadCount> {
    let counts = reader.unread().into_iter().take(MOST_KINDS);
    counts.map(|(extension, files)| UnreadCount { extension, files }).collect()
}

impl Remarks {
    /// With the files that are known to be stale.
    pub fn of(reader: &Reader) -> Remarks {
        let notes = reader.chosen().into_iter().chain(reader.link_notes().iter().cloned()).collect();
        Remarks { stale_files: reader.stale().to_vec(), notes, ..Remarks::default() }
    }

    pub(crate) fn note(&mut self, note: Note) {
        self.notes.push(note);
    }

    /// Adds what somebody above this crate has to say.
    pub fn say(&mut self, advice: Advice) {
        self.notes.push(Note::Said(advice));
    }

    /// Takes in what has to be known about a linked project. If that has something, the whole answer is not empty.
    pub(crate) fn join(&mut self, linked: &Reader, other: Remarks, found: bool) {
        let name = linked.label().unwrap_or_default();
        let stale: Vec<String> = other.stale_files.iter().map(|file| format!("{name}: {file}")).collect();
        self.stale_files.extend(stale.iter().cloned());
        if !stale.is_empty() {
            self.stale_linked.push((linked.root().display().to_string(), stale));
        }
        if found {
            (self.coverage, self.nearest) = (None, Vec::new());
            self.notes.retain(|note| !matches!(note, Note::OnlyLocal { .. }));
        } else if let (Some(own), Some(more)) = (&mut self.coverage, other.coverage) {
            own.files += more.files;
            own.files_with_problems += more.files_with_problems;
            own.files_skipped += more.files_skipped;
            own.languages.extend(more.languages);
            own.languages.sort_unstable();
            own.languages.dedup();
        }
    }

    /// Adds a file that turned out to be changed.
    pub(crate) fn stale(&mut self, path: &str) {
        if !self.stale_files.iter().any(|known| known == path) {
            self.stale_files.push(path.to_owned());
        }
    }

    /// Says so if a filter lets no file through.
    pub(crate) fn filtered(&mut self, reader: &Reader, filter: Option<&str>) -> Result<()> {
        let Some(filter) = filter.filter(|filter| !filter.is_empty()) else { return Ok(()) };
        let accepted = FileFilter::new(Some(filter))?;
        if !reader.store.stamps()?.iter().any(|file| accepted.accepts(&file.path)) {
            self.note(Note::NoFilePasses { filter: filter.to_owned() });
        }
        Ok(())
    }

    /// Says what an empty answer covers.
    pub(crate) fn cover(&mut self, reader: &Reader, not_searched: &[&str]) -> Result<()> {
        let statistics = reader.store.statistics()?;
        let inputs = reader.store.inputs()?;
        self.coverage = Some(Box::new(Coverage {
            files: statistics.files,
            languages: statistics.languages.into_iter().map(|(language, ..)| language).collect(),
            files_with_problems: statistics.files_with_problems,
            files_skipped: inputs.iter().filter(|input| matches!(input.watched, Watched::Skipped(_))).count() as u64,
            not_searched: not_searched.iter().map(|text| (*text).to_owned()).collect(),
            unread: unread(reader),
        }));
        Ok(())
    }
}
