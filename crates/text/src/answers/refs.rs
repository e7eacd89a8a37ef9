//! The answer of `codegraph refs`: where a symbol is used.

use std::io;

use codegraph_query::RefsAnswer;

use crate::human::{count, more, remarks, unselected};
use crate::related::{sites, subject, unbound, verdict};
use crate::{Answer, Out};

impl Answer for RefsAnswer {
    fn found(&self) -> bool {
        matches!(self, RefsAnswer::Found(found) if found.total > 0)
    }

    fn partial(&self) -> bool {
        matches!(self, RefsAnswer::Found(found) if found.next_offset.is_some())
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        let found = match self {
            RefsAnswer::Found(found) => found,
            RefsAnswer::Unselected(answer) => return unselected(out, answer),
        };
        subject(out, &found.symbol)?;
        let uses = format!("{} in {}", count(found.total as u64, "reference"), count(found.files as u64, "file"));
        out.line(&format!("{uses}{}", verdict(&found.unbound, found.symbol.project.as_deref())))?;
        sites(out, &found.references, found.compact)?;
        more(out, found.references.len(), found.total, found.next_offset)?;
        unbound(out, &found.unbound, found.compact)?;
        remarks(out, &found.remarks)
    }
}
