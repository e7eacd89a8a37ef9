//! `codegraph path`: how one symbol reaches another.

use std::io;

use clap::Args;
use codegraph_query::PathAnswer;

use super::Run;
use crate::context::Context;
use crate::human::{count, printable, remarks, unselected};
use crate::output::{Answer, Out, Outcome, Style, print};
use crate::related::{mark, subject};

/// Show the shortest chain of uses from one symbol to another
#[derive(Args)]
pub(crate) struct Path {
    /// The symbol that uses
    #[arg(allow_hyphen_values = true)]
    from: String,
    /// The symbol that is used in the end
    #[arg(allow_hyphen_values = true)]
    to: String,
}

impl Run for Path {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        print(context, "path", &codegraph_query::path(&context.reader()?, &self.from, &self.to)?)
    }
}

impl Answer for PathAnswer {
    fn found(&self) -> bool {
        matches!(self, PathAnswer::Found(found) if found.connected)
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        let found = match self {
            PathAnswer::Found(found) => found,
            PathAnswer::Unselected(answer) => return unselected(out, answer),
        };
        if !found.connected {
            let (from, to) = (printable(&found.from.fqn), printable(&found.to.fqn));
            out.line(&format!("no chain of proved uses leads from {from} to {to}"))?;
            return remarks(out, &found.remarks);
        }
        subject(out, &found.from)?;
        for step in &found.steps {
            let kind = out.styled(Style::Kind, step.site.kind, 0);
            let name = out.styled(Style::Name, &printable(&step.symbol.fqn), 0);
            let at = out.styled(Style::Path, &format!("{}:{}", printable(&step.site.file), step.site.line_number), 0);
            out.line(&format!("  {kind}{} → {name}  {at}", mark(step.site.certainty)))?;
        }
        out.faint(&count(found.steps.len() as u64, "step"))?;
        remarks(out, &found.remarks)
    }
}
