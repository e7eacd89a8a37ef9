//! The answer of `codegraph dead-code`: symbols that nothing refers to.

use std::io;

use codegraph_query::DeadCodeAnswer;

use crate::human::{count, more, printable, remarks, width};
use crate::related::place;
use crate::{Answer, Out, Style};

impl Answer for DeadCodeAnswer {
    fn found(&self) -> bool {
        self.total > 0
    }

    fn partial(&self) -> bool {
        self.next_offset.is_some()
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        let names = width(self.symbols.iter().map(|dead| dead.symbol.fqn.chars().count()), 60);
        for dead in &self.symbols {
            let kind = out.styled(Style::Kind, dead.symbol.kind.word(), 10);
            let name = out.styled(Style::Name, &printable(&dead.symbol.fqn), names);
            let at = out.styled(Style::Path, &place(&dead.symbol), 0);
            out.line(&format!("{kind}  {name}  {at}  {}", count(dead.lines.into(), "line")))?;
        }
        let undecided = count(self.undecided as u64, "more symbol");
        out.faint(&format!("{}; {undecided} undecided", count(self.total as u64, "unused symbol")))?;
        more(out, self.symbols.len(), self.total, self.next_offset)?;
        remarks(out, &self.remarks)
    }
}
