//! The answer of `codegraph references`: where the name at a place is used.

use std::io;

use codegraph_query::{Occurrence, ReferencesAnswer};

use super::definition::definition;
use crate::human::{count, more, remarks, unselected};
use crate::related::{Row, lines, rows, unbound, verdict};
use crate::{Answer, Out};

impl Answer for ReferencesAnswer {
    fn found(&self) -> bool {
        matches!(self, ReferencesAnswer::Found(found) if found.total > 0)
    }

    fn partial(&self) -> bool {
        matches!(self, ReferencesAnswer::Found(found) if found.next_offset.is_some())
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        let found = match self {
            ReferencesAnswer::Found(found) => found,
            ReferencesAnswer::Unselected(answer) => return unselected(out, answer),
        };
        if let Some(one) = &found.definition {
            definition(out, one, 0)?;
            let uses = format!("{} in {}", count(found.total as u64, "reference"), count(found.files as u64, "file"));
            out.line(&format!("{uses}{}", verdict(&found.unbound, None)))?;
        }
        let all: Vec<Row<'_>> = found.references.iter().map(row).collect();
        if found.compact {
            lines(out, &all)?
        } else {
            rows(out, &all)?
        }
        more(out, found.references.len(), found.total, found.next_offset)?;
        unbound(out, &found.unbound, found.compact)?;
        remarks(out, &found.remarks)
    }
}

fn row(one: &Occurrence) -> Row<'_> {
    Row {
        project: None,
        file: &one.file,
        line: one.range.start_line,
        user: &one.user_name,
        certainty: one.certainty,
        text: one.text.as_deref().unwrap_or_default(),
    }
}
