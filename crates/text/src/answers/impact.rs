//! The answer of `codegraph impact`: what a change of a symbol concerns.

use std::io;

use codegraph_query::{Affected, ImpactAnswer};

use crate::human::{count, more, printable, remarks, unselected, width};
use crate::related::{mark, place, subject, unbound};
use crate::{Answer, Out, Style};

impl Answer for ImpactAnswer {
    fn found(&self) -> bool {
        matches!(self, ImpactAnswer::Found(found) if found.total + found.total_tests > 0)
    }

    fn partial(&self) -> bool {
        matches!(self, ImpactAnswer::Found(found) if found.next_offset.is_some())
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        let found = match self {
            ImpactAnswer::Found(found) => found,
            ImpactAnswer::Unselected(answer) => return unselected(out, answer),
        };
        subject(out, &found.symbol)?;
        let (code, tests) = (count(found.total as u64, "symbol"), count(found.total_tests as u64, "symbol"));
        out.line(&format!("{code} and {tests} of tests in {}", count(found.files as u64, "file")))?;
        rows(out, &found.affected)?;
        if !found.tests.is_empty() {
            out.line("tests:")?;
            rows(out, &found.tests)?;
        }
        let shown = found.affected.len().max(found.tests.len());
        more(out, shown, found.total.max(found.total_tests), found.next_offset)?;
        unbound(out, &found.unbound)?;
        remarks(out, &found.remarks)
    }
}

fn rows(out: &mut Out, list: &[Affected]) -> io::Result<()> {
    let names = width(list.iter().map(|one| one.symbol.fqn.chars().count()), 60);
    for one in list {
        let indent = "  ".repeat(one.depth as usize);
        let name = out.styled(Style::Name, &printable(&one.symbol.fqn), names);
        let at = out.styled(Style::Path, &place(&one.symbol), 0);
        let reason = format!("{} of {} in line {}", one.kind.word(), printable(&one.via), one.line_number);
        let reason = out.styled(Style::Faint, &reason, 0);
        out.line(&format!("{indent}{name}{}  {at}  {reason}", mark(one.certainty)))?;
    }
    Ok(())
}
