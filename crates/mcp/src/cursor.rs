//! Where an answer goes on: after so many rows, and in their text after so many lines.

use std::fmt;

use codegraph_runtime::Refusal;

/// A place in an answer. Its text is `ROWS` or `ROWS:LINES`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Cursor {
    pub(crate) rows: usize,
    pub(crate) lines: usize,
}

impl Cursor {
    pub(crate) fn parse(text: &str) -> anyhow::Result<Cursor> {
        let (rows, lines) = text.trim().split_once(':').unwrap_or((text.trim(), "0"));
        match (rows.parse(), lines.parse()) {
            (Ok(rows), Ok(lines)) => Ok(Cursor { rows, lines }),
            _ => Err(Refusal::error(
                format!("'{text}' is no cursor"),
                "give the cursor that the last answer ended with, or none to start again",
            )),
        }
    }
}

impl fmt::Display for Cursor {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.lines {
            0 => write!(out, "{}", self.rows),
            lines => write!(out, "{}:{lines}", self.rows),
        }
    }
}
