//! The answer of `codegraph docs`: the notes of the project for agents.

use std::io;

use codegraph_knowledge::DocsAnswer;

use crate::human::{count, printable, remarks};
use crate::{Answer, Out};

impl Answer for DocsAnswer {
    fn found(&self) -> bool {
        self.total_lines > 0
    }

    fn partial(&self) -> bool {
        self.next_offset.is_some()
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        for line in self.content.lines() {
            out.line(&printable(line))?;
        }
        if self.total_lines == 0 && !self.sources.is_empty() {
            out.line(&format!("no such section in {}", count(self.sources.len() as u64, "file")))?;
        }
        if let Some(next) = self.next_offset {
            out.faint(&format!("{} of {} lines; go on with --offset {next}", self.lines, self.total_lines))?;
        }
        remarks(out, &self.remarks)
    }
}
