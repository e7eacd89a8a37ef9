//! The answer of `codegraph hierarchy`: the types above and below a type.

use std::io;

use codegraph_query::{HierarchyAnswer, Relative};

use crate::human::{more, printable, remarks, unselected};
use crate::related::subject;
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
        relatives(out, "bases", &found.bases, found.total_bases)?;
        relatives(out, "heirs", &found.heirs, found.total_heirs)?;
        let shown = found.bases.len().max(found.heirs.len());
        more(out, shown, found.total_bases.max(found.total_heirs), found.next_offset)?;
        remarks(out, &found.remarks)
    }

    fn partial(&self) -> bool {
        matches!(self, HierarchyAnswer::Found(found) if found.next_offset.is_some())
    }
}

/// Each with the place where the relation is written; of whom it is one only where that is not the type itself.
fn relatives(out: &mut Out, title: &str, list: &[Relative], total: usize) -> io::Result<()> {
    out.line(&format!("{title}: {}", if total == 0 { "none".to_owned() } else { total.to_string() }))?;
    for one in list {
        let indent = "  ".repeat(one.depth as usize);
        let name = one.symbol.as_ref().map_or(&one.name, |symbol| &symbol.scoped);
        let name = out.styled(Style::Name, &printable(name), 0);
        let at = out.styled(Style::Path, &format!("{}:{}", printable(&one.file), one.line_number), 0);
        let outside = match (one.external, one.unresolved) {
            (true, _) => "  (external)",
            (_, true) => "  (unresolved)",
            _ => "",
        };
        let of = if one.depth > 1 { format!("  of {}", printable(last(&one.of))) } else { String::new() };
        out.line(&format!("{indent}{name}  {at}{outside}{}", out.styled(Style::Faint, &of, 0)))?;
    }
    Ok(())
}

/// The last part of a qualified name.
fn last(fqn: &str) -> &str {
    fqn.rsplit(['.', ':', '/', '\\']).next().unwrap_or(fqn)
}
