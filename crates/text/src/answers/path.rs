//! The answer of `codegraph path`: how one symbol reaches another.

use std::io;

use codegraph_query::PathAnswer;

use crate::human::{count, printable, remarks, unselected};
use crate::related::{mark, subject};
use crate::{Answer, Out, Style};

impl Answer for PathAnswer {
    fn found(&self) -> bool {
        matches!(self, PathAnswer::Found(found) if found.connected)
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        let found = match self {
            PathAnswer::Found(found) => found,
            PathAnswer::Unselected(answer) => return unselected(out, answer),
        };
        if !found.connected {
            let (from, to) = (printable(&found.from.fqn), printable(&found.to.fqn));
            out.line(&format!("no chain of proved uses leads from {from} to {to}"))?;
            return remarks(out, &found.remarks);
        }
        subject(out, &found.from)?;
        for step in &found.steps {
            let kind = out.styled(Style::Kind, step.site.kind.word(), 0);
            let name = out.styled(Style::Name, &printable(&step.symbol.fqn), 0);
            let at = out.styled(Style::Path, &format!("{}:{}", printable(&step.site.file), step.site.line_number), 0);
            out.line(&format!("  {kind}{} → {name}  {at}", mark(step.site.certainty)))?;
        }
        out.faint(&count(found.steps.len() as u64, "step"))?;
        remarks(out, &found.remarks)
    }
}
