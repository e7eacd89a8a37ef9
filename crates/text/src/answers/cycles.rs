//! The answer of `codegraph cycles`: files or functions that use each other in a circle.

use std::io;

use codegraph_query::{CycleOf, CyclesAnswer};

use crate::human::{count, more, printable, remarks};
use crate::{Answer, Out, Style};

impl Answer for CyclesAnswer {
    fn found(&self) -> bool {
        self.total > 0
    }

    fn partial(&self) -> bool {
        self.next_offset.is_some()
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        let of = match self.of {
            CycleOf::Files => "files",
            CycleOf::Symbols => "symbols",
        };
        for cycle in &self.cycles {
            let way: Vec<String> = cycle.example.iter().map(|name| printable(name)).collect();
            let size = out.styled(Style::Kind, &format!("{} {}", cycle.size, of), 0);
            out.line(&format!("{size}  {}", way.join(" → ")))?;
        }
        if self.total == 0 {
            out.line(&format!("no {} use each other in a circle", of))?;
        } else {
            out.faint(&count(self.total as u64, "circle"))?;
        }
        more(out, self.cycles.len(), self.total, self.next_offset)?;
        remarks(out, &self.remarks)
    }
}
