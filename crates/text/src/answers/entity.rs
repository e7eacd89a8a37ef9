//! Options that several commands take.

use std::io;

use codegraph_query::EntityAnswer;

use crate::human::{more, printable, remarks, unselected, width};
use crate::related::{mark, subject, unbound};
use crate::{Answer, Out, Style};

impl Answer for EntityAnswer {
    fn found(&self) -> bool {
        matches!(self, EntityAnswer::Found(found) if found.total > 0)
    }

    fn partial(&self) -> bool {
        matches!(self, EntityAnswer::Found(found) if found.next_offset.is_some())
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        let found = match self {
            EntityAnswer::Found(found) => found,
            EntityAnswer::Unselected(answer) => return unselected(out, answer),
        };
        subject(out, &found.entity)?;
        let names = width(found.references.iter().map(|one| one.name.chars().count()), 60);
        for one in &found.references {
            let what = out.styled(Style::Kind, one.ref_type.word(), 13);
            let kind = out.styled(Style::Faint, one.entity_type.word(), 8);
            let name = out.styled(Style::Name, &printable(&one.name), names);
            let at = out.styled(Style::Path, &format!("{}:{}", printable(&one.file_path), one.line), 0);
            out.line(&format!("  {what}  {kind}  {name}{}  {at}", mark(one.certainty)))?;
        }
        if found.total == 0 {
            out.line(if found.dependents { "0 dependents" } else { "0 dependencies" })?;
        }
        more(out, found.references.len(), found.total, found.next_offset)?;
        unbound(out, &found.unbound, false)?;
        remarks(out, &found.remarks)
    }
}
