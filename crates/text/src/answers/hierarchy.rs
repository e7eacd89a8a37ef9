//! The answer of `codegraph hierarchy`: the types above and below a type.

use std::io;

use codegraph_query::{HierarchyAnswer, Relative};

use crate::human::{printable, remarks, unselected};
use crate::related::{place, subject};
use crate::{Answer, Out, Style};

impl Answer for HierarchyAnswer {
    fn found(&self) -> bool {
        matches!(self, HierarchyAnswer::Found(found) if !found.bases.is_empty() || !found.heirs.is_empty())
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        let found = match self {
            HierarchyAnswer::Found(found) => found,
            HierarchyAnswer::Unselected(answer) => return unselected(out, answer),
        };
        subject(out, &found.symbol)?;
        relatives(out, "bases", &found.bases)?;
        relatives(out, "heirs", &found.heirs)?;
        remarks(out, &found.remarks)
    }
}

fn relatives(out: &mut Out, title: &str, list: &[Relative]) -> io::Result<()> {
    out.line(&format!("{title}: {}", if list.is_empty() { "none" } else { "" }))?;
    for one in list {
        let indent = "  ".repeat(one.depth as usize);
        let name = out.styled(Style::Name, &printable(&one.name), 0);
        let at = one.symbol.as_ref().map_or_else(|| "(external)".to_owned(), place);
        let at = out.styled(Style::Path, &at, 0);
        let of = out.styled(Style::Faint, &format!("{} {}", one.relation.word(), printable(&one.of)), 0);
        out.line(&format!("{indent}{name}  {at}  {of}"))?;
    }
    Ok(())
}
