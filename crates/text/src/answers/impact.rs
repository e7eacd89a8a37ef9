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
        unbound(out, &found.unbound, false)?;
        remarks(out, &found.remarks)
    }
}

fn rows(out: &mut Out, list: &[Affected]) -> io::Result<()> {
    let names = width(list.iter().map(|one| one.symbol.scoped.chars().count()), 60);
    for one in list {
        let indent = "  ".repeat(one.depth as usize);
        let name = out.styled(Style::Name, &printable(&one.symbol.scoped), names);
        let at = out.styled(Style::Path, &place(&one.symbol), 0);
        let what = one.through.as_ref().unwrap_or(&one.via);
        let reason = format!("{} of {} in line {}", one.kind.word(), printable(short(what)), one.line_number);
        let reason = match &one.through {
            Some(_) => format!("{reason}, which may run {}", printable(short(&one.via))),
            None => reason,
        };
        let reason = out.styled(Style::Faint, &reason, 0);
        out.line(&format!("{indent}{name}{}  {at}  {reason}", mark(one.certainty)))?;
    }
    Ok(())
}

/// The last two parts of a qualified name: enough beside the row that it is in.
fn short(fqn: &str) -> &str {
    let is_joint = |c: char| matches!(c, '.' | ':' | '/' | '\\');
    let mut parts = fqn.rmatch_indices(is_joint).map(|(at, _)| at).filter(|at| !fqn[at + 1..].starts_with(is_joint));
    parts.nth(1).map_or(fqn, |at| &fqn[at + 1..])
}
