//! `codegraph dead-code`: symbols that nothing refers to.

use std::io;

use clap::Args;
use codegraph_query::DeadCodeAnswer;

use super::Run;
use super::shared::WindowArgs;
use crate::context::Context;
use crate::human::{count, more, printable, remarks, width};
use crate::output::{Answer, Out, Outcome, Style, print};
use crate::related::place;

/// Show functions, types and constants that nothing refers to
///
/// Tests, entry points, overriding and decorated things are left out, and so is everything that a site names without
/// proof.
#[derive(Args)]
#[command(name = "dead-code", alias = "dead_code")]
pub(crate) struct DeadCode {
    /// Those too that others outside the project could use
    #[arg(long)]
    public: bool,
    /// Only files that match a glob, or in a folder
    #[arg(long, value_name = "GLOB", alias = "file_filter")]
    file_filter: Option<String>,
    #[command(flatten)]
    window: WindowArgs,
}

impl Run for DeadCode {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let question = codegraph_query::DeadCode {
            public: self.public,
            file_filter: self.file_filter.clone(),
            window: self.window.window(),
        };
        print(context, "dead_code", &codegraph_query::dead_code(&context.reader()?, &question)?)
    }
}

impl Answer for DeadCodeAnswer {
    fn found(&self) -> bool {
        self.total > 0
    }

    fn partial(&self) -> bool {
        self.next_offset.is_some()
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        let names = width(self.symbols.iter().map(|dead| dead.symbol.fqn.chars().count()), 60);
        for dead in &self.symbols {
            let kind = out.styled(Style::Kind, dead.symbol.kind, 10);
            let name = out.styled(Style::Name, &printable(&dead.symbol.fqn), names);
            let at = out.styled(Style::Path, &place(&dead.symbol), 0);
            out.line(&format!("{kind}  {name}  {at}  {}", count(dead.lines.into(), "line")))?;
        }
        let undecided = count(self.undecided as u64, "more symbol");
        out.faint(&format!("{}; {undecided} undecided", count(self.total as u64, "unused symbol")))?;
        more(out, self.symbols.len(), self.total, self.next_offset)?;
        remarks(out, &self.remarks)
    }
}
