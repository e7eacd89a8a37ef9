//! The rows of the index as plain values.

use std::borrow::Cow;

use codegraph_model::{FileId, Problem, Reason, SymbolId, TermId};
use serde::Serialize;

/// A text of the dictionary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    pub id: TermId,
    pub text: String,
}

/// The number of a symbol in the whole index, as the SQL views show it: file number and place in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SymbolRow {
    pub file: FileId,
    pub symbol: SymbolId,
}

impl SymbolRow {
    pub const fn new(file: FileId, symbol: SymbolId) -> SymbolRow {
        SymbolRow { file, symbol }
    }

    /// `file << 24 | ordinal`: exact in a 64-bit float too.
    pub const fn row_id(self) -> i64 {
        (self.file.0 as i64) << 24 | self.symbol.0 as i64
    }

    pub const fn from_row_id(row: i64) -> SymbolRow {
        SymbolRow { file: FileId((row >> 24) as u32), symbol: SymbolId((row & 0xff_ffff) as u32) }
    }
}

/// What the index knows about a file besides its facts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileRecord {
    /// Given by the store: ignored on writing, where the path decides.
    pub id: FileId,
    /// Root-relative, `/`-separated.
    pub path: String,
    /// The language's word, as in `symbol_id`.
    pub language: String,
    /// What joins scopes in this language's names.
    pub separator: String,
    pub size: u64,
    pub mtime_ns: i64,
    /// What else a stat says that changes with the content: see `Stamp`.
    pub mark: i64,
    /// SHA-256 of the content.
    pub hash: [u8; 32],
    /// Version of the extractor that read the file.
    pub extractor: u32,
    /// When it was read, in seconds since the epoch.
    pub indexed_at: i64,
    /// First part of canonical names.
    pub package: String,
    /// What stands before the file's own scopes in its names.
    pub module: String,
    /// Given by the facts: ignored on writing.
    pub lines: u32,
    /// Given by the facts: ignored on writing.
    pub problems: Vec<Problem>,
    /// Its text says that a program wrote it. Given by the facts: ignored on writing.
    pub generated: bool,
    /// Distinct terms on the file's lines. Given by the facts: ignored on writing.
    pub items: u32,
    /// (term, line) pairs. Given by the facts: ignored on writing.
    pub occurrences: u32,
    /// Given by the facts: ignored on writing.
    pub symbols: u32,
}

/// The part of a file row that a freshness check needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stamp {
    pub id: FileId,
    pub path: String,
    pub size: u64,
    pub mtime_ns: i64,
    /// The time of the last change of the file or of what is known about it, and the number of the file, as one number:
    /// nobody can set them back.
    pub mark: i64,
    pub extractor: u32,
}

/// Why something is watched that is no indexed file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Watched {
    /// A folder: its mtime changes when entries come or go.
    Folder,
    /// It decides what is indexed: a `.gitignore` and the like, the settings, git's list of tracked files.
    Rules,
    /// A file that is indexed as soon as its first line names a language.
    Script,
    /// A manifest that decides names of packages and modules, with what it says about them.
    Manifest(String),
    /// A file that was left out.
    Skipped(Reason),
}

/// Something that the index depends on although it is not an indexed file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Root-relative; empty for the root itself.
    pub path: String,
    pub watched: Watched,
    pub mtime_ns: i64,
    pub size: u64,
    /// See [`Stamp`].
    pub mark: i64,
}

/// A link to the index of another project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Dependency {
    pub id: i64,
    pub path: String,
    pub name: Option<String>,
    /// Seconds since the epoch.
    pub last_checked: Option<i64>,
}

/// Counts over the whole index.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Statistics {
    pub files: u64,
    pub source_bytes: u64,
    pub lines: u64,
    pub occurrences: u64,
    pub symbols: u64,
    pub methods: u64,
    pub types: u64,
    pub dependencies: u64,
    pub files_with_problems: u64,
    /// Seconds since the epoch.
    pub last_update: i64,
    pub database_bytes: u64,
    /// Files and bytes per language, by language word.
    pub languages: Vec<(String, u64, u64)>,
}

const TIMED_OUT: &str = "timed out";
const DENSE: &str = "too dense";

/// Problems as the column `problems` has them: `syntax:3`, `timed out`, `too dense`; nothing if there are none.
pub(crate) fn problems_text(problems: &[Problem]) -> Option<String> {
    let words: Vec<String> = problems
        .iter()
        .map(|problem| match problem {
            Problem::Syntax(places) => format!("syntax:{places}"),
            Problem::TimedOut => TIMED_OUT.to_owned(),
            Problem::Dense => DENSE.to_owned(),
        })
        .collect();
    (!words.is_empty()).then(|| words.join(","))
}

pub(crate) fn problems_from(text: &str) -> Vec<Problem> {
    let one = |word: &str| match word.strip_prefix("syntax:") {
        Some(places) => places.parse().ok().map(Problem::Syntax),
        None if word == DENSE => Some(Problem::Dense),
        None => (word == TIMED_OUT).then_some(Problem::TimedOut),
    };
    text.split(',').filter_map(one).collect()
}

/// What rows say of [`Watched::Script`].
const FIRST_LINE: &str = "first line decides";

impl Watched {
    /// The number and the text that rows have for it.
    pub(crate) fn stored(&self) -> (u8, Cow<'_, str>) {
        match self {
            Watched::Folder => (0, Cow::Borrowed("")),
            Watched::Rules => (1, Cow::Borrowed("")),
            Watched::Script => (1, Cow::Borrowed(FIRST_LINE)),
            Watched::Manifest(layout) => (2, Cow::Borrowed(layout)),
            Watched::Skipped(reason) => (3, Cow::Owned(reason.to_string())),
        }
    }

    pub(crate) fn from_stored(number: u8, text: &str) -> Watched {
        match number {
            0 => Watched::Folder,
            1 if text == FIRST_LINE => Watched::Script,
            1 => Watched::Rules,
            2 => Watched::Manifest(text.to_owned()),
            _ => Watched::Skipped(Reason::from_words(text)),
        }
    }
}
