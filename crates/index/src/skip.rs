//! Files that are left out, and why.

use std::fmt;

use codegraph_model::Origin;
use serde::Serialize;

/// A file or folder that was left out.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Skipped {
    pub path: String,
    pub reason: Reason,
}

/// Why a file was left out. A file that the ignore rules exclude or that no language claims is not counted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    Binary,
    Utf16,
    TooLarge,
    Unreadable(String),
    NameNotUtf8,
    LinkOutside,
    BrokenLink,
    /// Extraction gave up on it: a defect of ours.
    Failed,
    /// Asked for by name, but ignore rules or the configuration exclude it.
    Excluded,
    /// Asked for by name, but no configured language claims it.
    NoLanguage,
    /// A folder of packages: only what git tracks of it is read.
    Packages,
    /// Not the project's own work: only what git tracks of it is read.
    Made(Origin),
    /// Taken out of the index by name, until it is added by name.
    Removed,
}

const UNREADABLE: &str = "unreadable";
const REMOVED: &str = "removed";
const UNLESS_TRACKED: &str = "only what git tracks is read (\"vendored\": true reads all)";

impl Reason {
    /// Whether this was said of a file that could not be opened.
    pub(crate) fn is_unreadable(note: &str) -> bool {
        note.starts_with(UNREADABLE)
    }

    /// Whether this was said of a file that somebody took out.
    pub(crate) fn is_removed(note: &str) -> bool {
        note == REMOVED
    }
}

impl Reason {
    /// Whether this was said of something that is read as soon as git tracks it.
    pub(crate) fn is_untracked(note: &str) -> bool {
        note.ends_with(UNLESS_TRACKED)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Binary => out.write_str("binary"),
            Reason::Utf16 => out.write_str("UTF-16 text"),
            Reason::TooLarge => out.write_str("too large"),
            Reason::Unreadable(why) => write!(out, "{UNREADABLE}: {why}"),
            Reason::NameNotUtf8 => out.write_str("name is not UTF-8"),
            Reason::LinkOutside => out.write_str("link out of the project"),
            Reason::BrokenLink => out.write_str("broken link"),
            Reason::Failed => out.write_str("extraction failed"),
            Reason::Excluded => out.write_str("excluded by ignore rules or configuration"),
            Reason::NoLanguage => out.write_str("no known language"),
            Reason::Packages => write!(out, "packages of others, {UNLESS_TRACKED}"),
            Reason::Made(origin) => write!(out, "{}, {UNLESS_TRACKED}", origin.word()),
            Reason::Removed => out.write_str(REMOVED),
        }
    }
}

impl Serialize for Reason {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
