//! The answer of `codegraph context`: what a task is about, as text for a model.

use std::io;

use codegraph_query::ContextAnswer;

use crate::human::remarks;
use crate::{Answer, Out};

impl Answer for ContextAnswer {
    fn found(&self) -> bool {
        !self.symbols.is_empty()
    }

    fn partial(&self) -> bool {
        self.left_out.symbols + self.left_out.bodies > 0
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        out.writer.write_all(self.text.as_bytes())?;
        if !self.found() {
            out.line("nothing matches")?;
        }
        remarks(out, &self.remarks)
    }
}
