//! What a search answers: hits with what is known about their places, or numbers by file.

use codegraph_model::{LineType, Origin, SymbolKind};
use codegraph_query::Remarks;
use serde::Serialize;

/// The lines that match.
#[derive(Clone, Debug, Serialize)]
pub struct GrepAnswer {
    pub patterns: Vec<String>,
    pub hits: Vec<Hit>,
    /// Numbers by file, where those were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counts: Option<Vec<FileCount>>,
    /// Names of files were asked for.
    #[serde(skip)]
    pub files_only: bool,
    /// Lines that match, of which `hits` is a part.
    pub total: usize,
    /// How many of all hits define what was searched for; they come first.
    pub definitions: usize,
    pub files_matched: usize,
    pub files_searched: usize,
    /// Files that turned out to be binary after their first hits.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub binary: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_offset: Option<usize>,
    #[serde(flatten)]
    pub remarks: Remarks,
}

/// A line that matches.
#[derive(Clone, Debug, Serialize)]
pub struct Hit {
    pub file: String,
    /// Why the file is nobody's own work; absent for most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub origin: Option<Origin>,
    pub line_number: u32,
    /// The line, around the match if it is long.
    pub text: String,
    /// The columns of the first match, in bytes from 0.
    pub start_col: u32,
    pub end_col: u32,
    /// What the match stands in; absent for files that are not indexed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line_type: Option<LineType>,
    /// The smallest symbol around it; the symbol itself where the match is its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub symbol: Option<HitSymbol>,
    /// The match is the name of something that is defined here.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub defines: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub before: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub after: Vec<String>,
}

/// A symbol around a hit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HitSymbol {
    pub fqn: String,
    /// From the outermost scope inside the file.
    pub name: String,
    pub kind: SymbolKind,
    pub line_number: u32,
}

/// How many lines of a file match.
#[derive(Clone, Debug, Serialize)]
pub struct FileCount {
    pub file: String,
    pub count: usize,
}
