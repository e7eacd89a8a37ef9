//! `codegraph deps`: which files use which.

use std::io;

use clap::Args;
use codegraph_query::DepsAnswer;

use super::Run;
use super::shared::WindowArgs;
use crate::context::Context;
use crate::human::{count, more, printable, remarks};
use crate::output::{Answer, Out, Outcome, Style, print};

/// Show which files use which, or the files around one
#[derive(Args)]
pub(crate) struct Deps {
    /// A file [default: all]
    file: Option<String>,
    /// Only pairs of files that use each other
    #[arg(long, alias = "bidirectional")]
    mutual: bool,
    /// Only files that match a glob, or in a folder
    #[arg(long, value_name = "GLOB", alias = "file_filter")]
    file_filter: Option<String>,
    #[command(flatten)]
    window: WindowArgs,
}

impl Run for Deps {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let question = codegraph_query::Deps {
            file: self.file.clone(),
            file_filter: self.file_filter.clone(),
            mutual: self.mutual,
            window: self.window.window(),
        };
        print(context, "deps", &codegraph_query::deps(&context.reader()?, &question)?)
    }
}

impl Answer for DepsAnswer {
    fn found(&self) -> bool {
        self.total > 0
    }

    fn partial(&self) -> bool {
        self.next_offset.is_some()
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        for edge in &self.edges {
            let (from, to) = (printable(&edge.from), printable(&edge.to));
            let (from, to) = (out.styled(Style::Path, &from, 0), out.styled(Style::Path, &to, 0));
            let arrow = if edge.back.is_some() { "↔" } else { "→" };
            let back = edge.back.map_or_else(String::new, |back| format!(", {back} back"));
            out.line(&format!("{from} {arrow} {to}  {}{back}", count(edge.references as u64, "reference")))?;
        }
        if self.total == 0 {
            out.line("no proved uses between files")?;
        }
        more(out, self.edges.len(), self.total, self.next_offset)?;
        remarks(out, &self.remarks)
    }
}
