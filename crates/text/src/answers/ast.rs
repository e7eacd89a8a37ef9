//! The answer of `codegraph ast`: the syntax tree of a file.

use std::io;

use codegraph_query::AstAnswer;

use crate::human::{clipped, more, printable, remarks};
use crate::{Answer, Out, Style};

impl Answer for AstAnswer {
    fn found(&self) -> bool {
        self.total > 0
    }

    fn partial(&self) -> bool {
        self.next_offset.is_some() || !self.remarks.stale_files.is_empty()
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        for node in &self.nodes {
            let kind = out.styled(Style::Kind, node.kind, 0);
            let place = &node.place;
            let span = format!("{}:{} [{}..{}]", place.start_line, place.start_col, place.byte_start, place.byte_end);
            let span = out.styled(Style::Faint, &span, 0);
            let text = clipped(&printable(node.text.as_deref().unwrap_or_default()), 60);
            out.line(&format!("{}{kind}  {span}  {text}", "  ".repeat(node.depth.min(60) as usize)))?;
        }
        if self.total == 0 {
            out.line("no node there")?;
        }
        more(out, self.nodes.len(), self.total, self.next_offset)?;
        remarks(out, &self.remarks)
    }
}
