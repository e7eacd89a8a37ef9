//! The answer of `codegraph update-docs`: the notes for agents, read again.

use std::io;

use codegraph_knowledge::UpdateDocsAnswer;

use crate::human::{count, printable};
use crate::{Answer, Out, Style};

impl Answer for UpdateDocsAnswer {
    fn found(&self) -> bool {
        !self.sources.is_empty()
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        for source in &self.sources {
            let also = source.also.iter().map(|path| format!("  (also {})", printable(path))).collect::<String>();
            out.line(&format!("{}{also}", out.styled(Style::Path, &printable(&source.path), 0)))?;
        }
        for note in &self.notes {
            let note = out.advice(note);
            out.warning(&printable(&note))?;
        }
        match (self.sources.is_empty(), self.changed) {
            (true, _) => out.line("the project has no CLAUDE.md and no AGENTS.md"),
            (_, true) => out.line(&format!("{} written to {}", count(self.sources.len() as u64, "file"), self.path)),
            (_, false) => out.line("nothing has changed"),
        }
    }
}
