//! The answer of `codegraph find`: symbols by name, qualified name, place, id, kind or language.

use std::io;

use codegraph_query::FindAnswer;

use crate::human::{more, printable, remarks, symbols};
use crate::{Answer, Out};

impl Answer for FindAnswer {
    fn found(&self) -> bool {
        self.total > 0
    }

    fn partial(&self) -> bool {
        self.next_offset.is_some() || !self.remarks.stale_files.is_empty()
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        symbols(out, &self.symbols)?;
        if self.total == 0 {
            out.line(&format!("no symbol '{}'", printable(&self.name)))?;
        }
        more(out, self.symbols.len(), self.total, self.next_offset)?;
        remarks(out, &self.remarks)
    }
}
