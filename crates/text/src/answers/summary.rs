//! The answer of `codegraph summary`: what the project is made of, and what people have written about it.

use std::io;

use codegraph_knowledge::SummaryAnswer;

use crate::human::remarks;
use crate::{Answer, Out};

impl Answer for SummaryAnswer {
    fn print(&self, out: &mut Out) -> io::Result<()> {
        for line in self.content.lines() {
            out.line(line)?;
        }
        remarks(out, &self.remarks)
    }
}
