//! `codegraph hierarchy`: the types above and below a type.

use std::io;

use clap::Args;
use codegraph_query::{HierarchyAnswer, Relative};

use super::Run;
use crate::context::Context;
use crate::human::{printable, remarks, unselected};
use crate::output::{Answer, Out, Outcome, Style, print};
use crate::related::{place, subject};

/// Show the bases of a type and the types that are made of it
#[derive(Args)]
pub(crate) struct Hierarchy {
    /// A name, a qualified name or the end of one, FILE:LINE, an id or 8 digits of it
    #[arg(allow_hyphen_values = true)]
    symbol: String,
}

impl Run for Hierarchy {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        print(context, "hierarchy", &codegraph_query::hierarchy(&context.reader()?, &self.symbol)?)
    }
}

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
        let of = out.styled(Style::Faint, &format!("{} {}", one.relation, printable(&one.of)), 0);
        out.line(&format!("{indent}{name}  {at}  {of}"))?;
    }
    Ok(())
}
