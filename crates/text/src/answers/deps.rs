//! The answer of `codegraph deps`: which files use which.

use std::io;

use codegraph_query::DepsAnswer;

use crate::human::{count, more, printable, remarks};
use crate::{Answer, Out, Style};

impl Answer for DepsAnswer {
    fn found(&self) -> bool {
        self.total > 0
    }

    fn partial(&self) -> bool {
        self.next_offset.is_some()
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        for edge in &self.edges {
            let (from, to) = (printable(&edge.from), printable(&edge.to));
            let (from, to) = (out.styled(Style::Path, &from, 0), out.styled(Style::Path, &to, 0));
            let arrow = if edge.back.is_some() { "↔" } else { "→" };
            let back = edge.back.map_or_else(String::new, |back| format!(", {back} back"));
            out.line(&format!("{from} {arrow} {to}  {}{back}", count(edge.references as u64, "reference")))?;
        }
        if self.total == 0 {
            out.line("no proved uses between files")?;
        }
        more(out, self.edges.len(), self.total, self.next_offset)?;
        remarks(out, &self.remarks)
    }
}
