//! Why a file is left out.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::Origin;

/// Why a file was left out. A file that the ignore rules exclude or that no language claims is not counted.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
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

const UNREADABLE: &str = "unreadable: ";
const UNLESS_TRACKED: &str = "only what git tracks is read (\"vendored\": true reads all)";

impl Reason {
    /// The reasons that are said in words of their own.
    const WORDED: &'static [(Reason, &'static str)] = &[
        (Reason::Binary, "binary"),
        (Reason::Utf16, "UTF-16 text"),
        (Reason::TooLarge, "too large"),
        (Reason::NameNotUtf8, "name is not UTF-8"),
        (Reason::LinkOutside, "link out of the project"),
        (Reason::BrokenLink, "broken link"),
        (Reason::Failed, "extraction failed"),
        (Reason::Excluded, "excluded by ignore rules or configuration"),
        (Reason::NoLanguage, "no known language"),
        (Reason::Removed, "removed"),
    ];

    /// Whether the file is read as soon as git tracks it.
    pub fn is_untracked(&self) -> bool {
        matches!(self, Reason::Packages | Reason::Made(_))
    }

    /// The reason with these words. Words of another release say no more than that the file could not be read.
    pub fn from_words(words: &str) -> Reason {
        if let Some((reason, _)) = Reason::WORDED.iter().find(|(_, own)| *own == words) {
            return reason.clone();
        }
        let made = Origin::ALL.iter().map(|origin| Reason::Made(*origin));
        let untracked = made.chain([Reason::Packages]).find(|reason| reason.to_string() == words);
        let why = || words.strip_prefix(UNREADABLE).unwrap_or(words).to_owned();
        untracked.unwrap_or_else(|| Reason::Unreadable(why()))
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Unreadable(why) => write!(out, "{UNREADABLE}{why}"),
            Reason::Packages => write!(out, "packages of others, {UNLESS_TRACKED}"),
            Reason::Made(origin) => write!(out, "{}, {UNLESS_TRACKED}", origin.word()),
            worded => {
                let found = Reason::WORDED.iter().find(|(own, _)| own == worded);
                out.write_str(found.expect("all others have words").1)
            }
        }
    }
}

impl Serialize for Reason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_known_again_by_its_words() {
        let worded = Reason::WORDED.iter().map(|(reason, _)| reason.clone());
        let made = Origin::ALL.iter().map(|origin| Reason::Made(*origin));
        let others = [Reason::Packages, Reason::Unreadable("no permission".to_owned())];
        for reason in worded.chain(made).chain(others) {
            assert_eq!(Reason::from_words(&reason.to_string()), reason);
        }
        assert_eq!(Reason::from_words("mislaid"), Reason::Unreadable("mislaid".to_owned()));
    }
}
