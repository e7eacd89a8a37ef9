//! The answer of `codegraph refs`: where a symbol is used.

use std::io;

use codegraph_query::{Override, RefsAnswer};

use crate::human::{count, more, printable, remarks, unselected};
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
        relatives(out, &found.relatives)?;
        unbound(out, &found.unbound, found.compact)?;
        remarks(out, &found.remarks)
    }
}

/// Overrides that are named at most.
const MOST_RELATIVES: usize = 6;

/// What else may run where one of these is called.
fn relatives(out: &mut Out, all: &[Override]) -> io::Result<()> {
    for (overrides, what) in [(true, "that override it"), (false, "that it overrides")] {
        let some: Vec<&Override> = all.iter().filter(|one| one.overrides == overrides).collect();
        if some.is_empty() {
            continue;
        }
        let total: usize = some.iter().map(|one| one.references).sum();
        let mut named: Vec<String> = some
            .iter()
            .take(MOST_RELATIVES)
            .map(|one| {
                format!(
                    "{} {}:{} {}",
                    printable(&one.symbol.scoped),
                    printable(&one.symbol.file),
                    one.symbol.line_number,
                    one.references
                )
            })
            .collect();
        if some.len() > MOST_RELATIVES {
            named.push(format!("{} more", some.len() - MOST_RELATIVES));
        }
        out.line(&format!("{} to methods {what}: {}", count(total as u64, "further reference"), named.join(", ")))?;
    }
    Ok(())
}
