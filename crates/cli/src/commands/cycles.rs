//! `codegraph cycles`: files or functions that use each other in a circle.

use std::io;

use clap::Args;
use codegraph_query::CyclesAnswer;

use super::Run;
use super::shared::WindowArgs;
use crate::context::Context;
use crate::human::{count, more, printable, remarks};
use crate::output::{Answer, Out, Outcome, Style, print};

/// Show files that use each other in a circle
#[derive(Args)]
pub(crate) struct Cycles {
    /// Functions that call each other instead of files
    #[arg(long)]
    symbols: bool,
    #[command(flatten)]
    window: WindowArgs,
}

impl Run for Cycles {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let question = codegraph_query::Cycles { symbols: self.symbols, window: self.window.window() };
        print(context, "cycles", &codegraph_query::cycles(&context.reader()?, &question)?)
    }
}

impl Answer for CyclesAnswer {
    fn found(&self) -> bool {
        self.total > 0
    }

    fn partial(&self) -> bool {
        self.next_offset.is_some()
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        for cycle in &self.cycles {
            let way: Vec<String> = cycle.example.iter().map(|name| printable(name)).collect();
            let size = out.styled(Style::Kind, &format!("{} {}", cycle.size, self.of), 0);
            out.line(&format!("{size}  {}", way.join(" → ")))?;
        }
        if self.total == 0 {
            out.line(&format!("no {} use each other in a circle", self.of))?;
        } else {
            out.faint(&count(self.total as u64, "circle"))?;
        }
        more(out, self.cycles.len(), self.total, self.next_offset)?;
        remarks(out, &self.remarks)
    }
}
