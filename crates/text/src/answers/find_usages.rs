//! The answer of `codegraph find-usages`: where a name is used, whatever it means.

use std::io;

use codegraph_model::Certainty;
use codegraph_query::FindUsagesAnswer;

use crate::human::{count, more, printable, remarks, width};
use crate::related::{mark, subject};
use crate::{Answer, Out, Style};

impl Answer for FindUsagesAnswer {
    fn found(&self) -> bool {
        self.total > 0
    }

    fn partial(&self) -> bool {
        self.next_offset.is_some()
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        for symbol in &self.symbols {
            subject(out, symbol)?;
        }
        let proved = count((self.total - self.candidates) as u64, "use");
        out.line(&format!(
            "{proved}, and {} by name only",
            count(self.candidates as u64, Certainty::Candidate.word())
        ))?;
        let kinds = width(self.usages.iter().map(|usage| usage.usage_type.word().len()), 14);
        for usage in &self.usages {
            let place = out.styled(Style::Path, &format!("{}:{}", printable(&usage.file_path), usage.line), 0);
            let kind = out.styled(Style::Kind, usage.usage_type.word(), kinds);
            let text = printable(usage.text.as_deref().unwrap_or(""));
            let context = out.styled(Style::Faint, &format!("in {}", printable(&usage.context)), 0);
            out.line(&format!("  {place}  {kind}{}  {text}  {context}", mark(usage.certainty)))?;
        }
        more(out, self.usages.len(), self.total, self.next_offset)?;
        remarks(out, &self.remarks)
    }
}
