//! `codegraph impact`: what a change of a symbol concerns.

use std::io;

use clap::Args;
use codegraph_query::{Affected, ImpactAnswer};

use super::Run;
use super::shared::WindowArgs;
use crate::context::Context;
use crate::human::{count, more, printable, remarks, unselected, width};
use crate::output::{Answer, Out, Outcome, Style, print};
use crate::related::{mark, place, subject, unbound};

/// Show what breaks if a symbol changes: everything that uses it, directly or through others; tests apart
#[derive(Args)]
pub(crate) struct Impact {
    /// A name, a qualified name or the end of one, FILE:LINE, an id or 8 digits of it
    #[arg(allow_hyphen_values = true)]
    symbol: String,
    /// How many levels to go
    #[arg(long, default_value_t = 5, value_name = "N")]
    depth: u32,
    #[command(flatten)]
    window: WindowArgs,
}

impl Run for Impact {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let question = codegraph_query::Impact {
            symbol: self.symbol.clone(),
            depth: self.depth,
            window: self.window.window(),
        };
        print(context, "impact", &codegraph_query::impact(&context.reader()?, &question)?)
    }
}

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
        let reason = format!("{} of {} in line {}", one.kind, printable(&one.via), one.line_number);
        let reason = out.styled(Style::Faint, &reason, 0);
        out.line(&format!("{indent}{name}{}  {at}  {reason}", mark(one.certainty)))?;
    }
    Ok(())
}
