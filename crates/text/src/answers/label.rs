//! The answer of `codegraph label`: symbols by language and kind.

use std::io;

use codegraph_query::LabelAnswer;

use crate::human::{count, more, remarks, symbols, width};
use crate::{Answer, Out, Style};

impl Answer for LabelAnswer {
    fn found(&self) -> bool {
        self.total > 0 || !self.counts.is_empty()
    }

    fn partial(&self) -> bool {
        self.next_offset.is_some() || !self.remarks.stale_files.is_empty()
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        let wide = width(self.counts.iter().map(|count| count.label.len()), 16);
        for language in &self.counts {
            let label = out.styled(Style::Name, &language.label, wide);
            let files = count(language.files, "file");
            out.line(&format!("{label}  {files:>12}  {:>16}", count(language.symbols, "symbol")))?;
        }
        symbols(out, &self.symbols)?;
        if self.total == 0 {
            out.line("no symbol with these labels")?;
        }
        more(out, self.symbols.len(), self.total, self.next_offset)?;
        remarks(out, &self.remarks)
    }
}
