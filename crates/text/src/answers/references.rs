//! The answer of `codegraph references`: where the name at a place is used.

use std::io;

use codegraph_query::ReferencesAnswer;

use super::definition::definition;
use crate::human::{count, more, printable, remarks, unselected, width};
use crate::related::{mark, unbound};
use crate::{Answer, Out, Style};

impl Answer for ReferencesAnswer {
    fn found(&self) -> bool {
        matches!(self, ReferencesAnswer::Found(found) if found.total > 0)
    }

    fn partial(&self) -> bool {
        matches!(self, ReferencesAnswer::Found(found) if found.next_offset.is_some())
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        let found = match self {
            ReferencesAnswer::Found(found) => found,
            ReferencesAnswer::Unselected(answer) => return unselected(out, answer),
        };
        if let Some(one) = &found.definition {
            definition(out, one, 0)?;
            out.line(&format!("{} in {}", count(found.total as u64, "reference"), count(found.files as u64, "file")))?;
        }
        for file in found.references.chunk_by(|a, b| a.file == b.file) {
            let path = out.styled(Style::Path, &printable(&file[0].file), 0);
            out.line(&path)?;
            let kinds = width(file.iter().map(|one| one.kind.word().len()), 14);
            for one in file {
                let at = format!("{}:{}", one.range.start_line, one.range.start_col);
                let kind = out.styled(Style::Kind, one.kind.word(), kinds);
                let text = printable(one.text.as_deref().unwrap_or(""));
                let user = out.styled(Style::Faint, &format!("in {}", printable(&one.user)), 0);
                out.line(&format!("{at:>8}  {kind}{}  {text}  {user}", mark(one.certainty)))?;
            }
        }
        more(out, found.references.len(), found.total, found.next_offset)?;
        unbound(out, &found.unbound)?;
        remarks(out, &found.remarks)
    }
}
