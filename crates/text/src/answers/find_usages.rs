//! The answer of `codegraph find-usages`: where a name is used, whatever it means.

use std::io;

use codegraph_model::Certainty;
use codegraph_query::{FindUsagesAnswer, Usage};

use crate::human::{count, more, remarks};
use crate::related::{self, Row, lines, subject};
use crate::{Answer, Out};

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
        let open = match self.candidates {
            0 => "; that is all".to_owned(),
            n => format!(", and {} by name only", count(n as u64, Certainty::Candidate.word())),
        };
        let others = match self.elsewhere {
            0 => String::new(),
            n => format!("; {} known to be something else", count(n, "other")),
        };
        out.line(&format!("{proved}{open}{others}"))?;
        let rows: Vec<Row<'_>> = self.usages.iter().map(row).collect();
        if self.compact {
            lines(out, &rows)?
        } else {
            related::rows(out, &rows)?
        }
        more(out, self.usages.len(), self.total, self.next_offset)?;
        remarks(out, &self.remarks)
    }
}

fn row(usage: &Usage) -> Row<'_> {
    Row {
        project: None,
        file: &usage.file_path,
        line: usage.line,
        user: &usage.context_name,
        certainty: usage.certainty,
        text: usage.text.as_deref().unwrap_or_default(),
    }
}
