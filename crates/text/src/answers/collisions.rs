//! The answer of `codegraph collisions`: symbols that share an identity.

use std::io;

use codegraph_query::CollisionsAnswer;

use crate::human::{count, more, printable, remarks};
use crate::{Answer, Out, Style};

impl Answer for CollisionsAnswer {
    /// That there are none is the answer.
    fn found(&self) -> bool {
        true
    }

    fn partial(&self) -> bool {
        self.next_offset.is_some()
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        for collision in &self.collisions {
            let value = out.styled(Style::Name, &printable(&collision.value), 0);
            out.line(&format!("{}  {value}", collision.field.word()))?;
            for symbol in &collision.symbols {
                out.line(&format!("  {}:{}  {}", printable(&symbol.file), symbol.line_number, symbol.kind.display()))?;
            }
        }
        more(out, self.collisions.len(), self.total, self.next_offset)?;
        let found = if self.total == 0 { "no collisions".to_owned() } else { count(self.total as u64, "collision") };
        out.faint(&format!("{found} among {}", count(self.checked, "symbol")))?;
        remarks(out, &self.remarks)
    }
}
