//! What a question is about, in the form in which every surface hands it over: a place in a file, an id, or a name. Text
//! that people write is read once, where it comes in.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use crate::{Error, Result};

/// A place in a file: the line counts from 1, the column from 0 in bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FilePlace {
    /// Relative to where the asker stands or to the root, or absolute.
    pub file: String,
    pub line: u32,
    /// The whole line if absent.
    pub column: Option<u32>,
}

impl FilePlace {
    /// Reads `FILE:LINE` or `FILE:LINE:COLUMN`.
    pub fn parse(text: &str) -> Result<FilePlace> {
        split(text.trim()).ok_or_else(|| Error::NoPlace(text.trim().to_owned()))
    }
}

impl fmt::Display for FilePlace {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}", self.file, self.line)?;
        self.column.map_or(Ok(()), |column| write!(out, ":{column}"))
    }
}

/// One thing of the project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Selector {
    Place(FilePlace),
    /// 8 or more digits of a symbol's id. A name may look like one: what is no id is looked for as a name.
    Id(String),
    /// The `id` of a row of the tables `symbols`, `classes`, `methods` and `functions`, written `#ID`; it has to be a row
    /// of this kind of entity, if one is named.
    Row {
        id: i64,
        entity: Option<&'static str>,
    },
    /// A name, a qualified name or the end of one.
    Name(String),
}

impl Selector {
    /// As it was written.
    pub fn text(&self) -> String {
        self.to_string()
    }

    pub(crate) fn is_blank(&self) -> bool {
        matches!(self, Selector::Name(name) if name.is_empty())
    }
}

impl Default for Selector {
    fn default() -> Selector {
        Selector::Name(String::new())
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Selector::Place(place) => place.fmt(out),
            Selector::Id(text) | Selector::Name(text) => out.write_str(text),
            Selector::Row { id, .. } => write!(out, "#{id}"),
        }
    }
}

impl From<&str> for Selector {
    fn from(text: &str) -> Selector {
        let text = text.trim();
        let is_id = (8..=32).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let row = text.strip_prefix('#').and_then(|digits| digits.parse().ok());
        if let Some(id) = row {
            return Selector::Row { id, entity: None };
        }
        match split(text) {
            Some(place) => Selector::Place(place),
            None if is_id => Selector::Id(text.to_owned()),
            None => Selector::Name(text.to_owned()),
        }
    }
}

/// Any text selects something, or nothing.
impl FromStr for Selector {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Selector, Infallible> {
        Ok(text.into())
    }
}

/// `FILE:LINE[:COLUMN]`, from the right: a path may have colons.
fn split(text: &str) -> Option<FilePlace> {
    let (head, last) = text.rsplit_once(':')?;
    let last: u32 = last.parse().ok()?;
    match head.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse::<u32>().ok()?))) {
        Some((file, line)) if !file.is_empty() => Some(FilePlace { file: file.to_owned(), line, column: Some(last) }),
        _ => (!head.is_empty()).then(|| FilePlace { file: head.to_owned(), line: last, column: None }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(file: &str, line: u32, column: Option<u32>) -> Selector {
        Selector::Place(FilePlace { file: file.to_owned(), line, column })
    }

    #[test]
    fn places_are_split_from_the_right() {
        assert_eq!(Selector::from("src/a.rs:12"), place("src/a.rs", 12, None));
        assert_eq!(Selector::from(" src/a.rs:12:4 "), place("src/a.rs", 12, Some(4)));
        assert_eq!(Selector::from("a::b"), Selector::Name("a::b".into()));
        assert_eq!(Selector::from("12"), Selector::Name("12".into()));
        assert!(FilePlace::parse("a.rs").is_err());
    }

    #[test]
    fn digits_are_an_id_when_there_are_enough() {
        assert_eq!(Selector::from("deadbeef"), Selector::Id("deadbeef".into()));
        assert_eq!(Selector::from("beef"), Selector::Name("beef".into()));
    }

    #[test]
    fn a_selector_reads_as_it_was_written() {
        for text in ["src/a.rs:12:4", "a::b", "deadbeef01", "x:1", "#16777217", "#private"] {
            assert_eq!(Selector::from(text).text(), text);
        }
    }
}
