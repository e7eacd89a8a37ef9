//! `codegraph callers`: who calls a symbol. Shares arguments and output with `callees`.

use std::io;

use clap::Args;
use codegraph_query::{Call, CallList, CallsAnswer};

use super::Run;
use super::shared::WindowArgs;
use crate::context::Context;
use crate::human::{count, more, printable, remarks, unselected, width};
use crate::output::{Answer, Out, Outcome, Style, print};
use crate::related::{mark, subject, unbound};

/// Show who calls a symbol
#[derive(Args)]
pub(crate) struct Callers {
    #[command(flatten)]
    calls: CallArgs,
}

/// What callers and callees are asked for.
#[derive(Args)]
pub(super) struct CallArgs {
    /// A name, a qualified name or the end of one, FILE:LINE, an id or 8 digits of it
    #[arg(allow_hyphen_values = true)]
    symbol: String,
    /// How many levels to go
    #[arg(long, default_value_t = 1, value_name = "N")]
    depth: u32,
    /// Show the sites that could not be bound
    #[arg(long)]
    candidates: bool,
    #[command(flatten)]
    window: WindowArgs,
}

impl CallArgs {
    pub(super) fn question(&self) -> codegraph_query::Calls {
        codegraph_query::Calls {
            symbol: self.symbol.clone(),
            depth: self.depth,
            candidates: self.candidates,
            window: self.window.window(),
        }
    }
}

impl Run for Callers {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        print(context, "callers", &codegraph_query::callers(&context.reader()?, &self.calls.question())?)
    }
}

impl Answer for CallsAnswer {
    fn found(&self) -> bool {
        matches!(self, CallsAnswer::Found(found) if found.total > 0)
    }

    fn partial(&self) -> bool {
        matches!(self, CallsAnswer::Found(found) if found.next_offset.is_some())
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        let found = match self {
            CallsAnswer::Found(found) => found,
            CallsAnswer::Unselected(answer) => return unselected(out, answer),
        };
        subject(out, &found.symbol)?;
        out.line(&format!("{} at {}", count(found.total as u64, "symbol"), count(found.total_sites as u64, "site")))?;
        let names = width(found.calls.iter().map(|call| call.name.chars().count()), 60);
        for call in &found.calls {
            out.line(&row(out, call, names))?;
        }
        more(out, found.calls.len(), found.total, found.next_offset)?;
        dispatch(out, found)?;
        unbound(out, &found.unbound)?;
        remarks(out, &found.remarks)
    }
}

/// What may be meant at run time, apart from what is proved.
fn dispatch(out: &mut Out, found: &CallList) -> io::Result<()> {
    if found.dispatch.is_empty() {
        return Ok(());
    }
    out.line("by dispatch, at run time:")?;
    for one in &found.dispatch {
        let name = out.styled(Style::Name, &printable(&one.symbol.fqn), 0);
        let at = out.styled(Style::Path, &format!("{}:{}", printable(&one.file), one.line_number), 0);
        out.line(&format!("  {name}  {at}  through {}", printable(&one.through)))?;
    }
    let left = found.total_dispatch - found.dispatch.len();
    if left > 0 { out.faint(&format!("{left} more")) } else { Ok(()) }
}

fn row(out: &Out, call: &Call, names: usize) -> String {
    let name = out.styled(Style::Name, &printable(&call.name), names);
    let indent = "  ".repeat(call.depth as usize);
    let lines: Vec<String> = call.lines.iter().take(8).map(u32::to_string).collect();
    let rest = if call.lines.len() > 8 { ",…" } else { "" };
    let via = call.via.as_ref().map_or_else(String::new, |via| format!("  via {}", printable(via)));
    let kind = if call.external { "  (external)" } else { "" };
    let own = if call.recursive { "  (itself)" } else { "" };
    let place = out.styled(Style::Path, &format!("{}:{}{rest}", printable(&call.file), lines.join(",")), 0);
    format!("{indent}{name}{}  {place}{kind}{own}{}", mark(call.certainty), out.styled(Style::Faint, &via, 0))
}
