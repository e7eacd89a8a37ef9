//! The answer of `codegraph completions`: what could be written at a place.

use std::io;

use codegraph_query::CompletionsAnswer;

use crate::human::{clipped, more, printable, remarks, width};
use crate::{Answer, Out, Style};

impl Answer for CompletionsAnswer {
    fn found(&self) -> bool {
        self.total > 0
    }

    fn partial(&self) -> bool {
        self.next_offset.is_some()
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        let names = width(self.completions.iter().map(|one| one.label.chars().count()), 40);
        let kinds = width(self.completions.iter().map(|one| one.kind.word().len()), 18);
        for one in &self.completions {
            let name = out.styled(Style::Name, &printable(&one.label), names);
            let kind = out.styled(Style::Kind, one.kind.word(), kinds);
            let detail = printable(&clipped(one.detail.as_deref().unwrap_or_default(), 100));
            let detail = out.styled(Style::Faint, &detail, 0);
            out.line(&format!("{name}  {kind}  {detail}"))?;
        }
        if self.total == 0 {
            let (file, line, column) = (printable(&self.file), self.line, self.column);
            out.line(&format!("nothing known fits '{}' at {file}:{line}:{column}", printable(&self.prefix)))?;
        }
        more(out, self.completions.len(), self.total, self.next_offset)?;
        remarks(out, &self.remarks)
    }
}
