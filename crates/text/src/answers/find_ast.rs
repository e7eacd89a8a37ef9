//! The answer of `codegraph find-ast`: syntax nodes of a kind.

use std::io;

use codegraph_query::FindAstAnswer;

use crate::human::{clipped, count, printable, remarks, width};
use crate::{Answer, Out, Style};

impl Answer for FindAstAnswer {
    fn found(&self) -> bool {
        self.total > 0
    }

    fn partial(&self) -> bool {
        self.next_offset.is_some() || !self.complete || !self.remarks.stale_files.is_empty()
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        let place = |i: usize| {
            let node = &self.nodes[i];
            format!("{}:{}:{}", printable(&node.file), node.place.start_line, node.place.start_col)
        };
        let wide = width((0..self.nodes.len()).map(|i| place(i).chars().count()), 60);
        for (i, node) in self.nodes.iter().enumerate() {
            let at = out.styled(Style::Path, &place(i), wide);
            out.line(&format!("{at}  {}", clipped(&printable(&node.text), 120)))?;
        }
        if self.total == 0 {
            out.line(&format!("no node of kind '{}'", printable(&self.kind)))?;
        }
        if let Some(next) = self.next_offset {
            let least = if self.complete { "" } else { "at least " };
            let go_on = out.option("offset", &next.to_string());
            out.faint(&format!("{} of {least}{}; go on with {go_on}", self.nodes.len(), self.total))?;
        }
        if !self.complete {
            let (done, all) = (self.files_searched, count(self.files_to_search as u64, "file"));
            out.faint(&format!("searched {done} of {all}; {} searches all", out.option("count", "")))?;
        }
        remarks(out, &self.remarks)
    }
}
