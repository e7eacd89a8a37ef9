//! `codegraph find-ast`: syntax nodes of a kind.

use std::io;

use clap::Args;
use codegraph_query::FindAstAnswer;

use super::Run;
use super::shared::WindowArgs;
use crate::context::Context;
use crate::human::{clipped, count, printable, remarks, width};
use crate::output::{Answer, Out, Outcome, Style, print};

/// Find syntax nodes of a kind, such as if_expression
#[derive(Args)]
pub(crate) struct FindAst {
    /// A node kind of some grammar
    #[arg(long)]
    kind: String,
    /// Only files that match a glob, or in a folder
    #[arg(long, value_name = "GLOB", alias = "file_filter")]
    file_filter: Option<String>,
    /// Only files of these languages
    #[arg(long, value_name = "LANGUAGE", value_delimiter = ',', alias = "language")]
    label: Vec<String>,
    /// Search all files, so that the total is complete
    #[arg(long)]
    count: bool,
    #[command(flatten)]
    window: WindowArgs,
}

impl Run for FindAst {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let question = codegraph_query::FindAst {
            kind: self.kind.clone(),
            file_filter: self.file_filter.clone(),
            languages: self.label.clone(),
            count: self.count,
            window: self.window.window(),
        };
        print(context, "find-ast", &codegraph_query::find_ast(&context.reader()?, &question)?)
    }
}

impl Answer for FindAstAnswer {
    fn found(&self) -> bool {
        self.total > 0
    }

    fn partial(&self) -> bool {
        self.next_offset.is_some() || !self.complete || !self.remarks.stale_files.is_empty()
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        let place = |i: usize| {
            let node = &self.nodes[i];
            format!("{}:{}:{}", printable(&node.file), node.place.start_line, node.place.start_col)
        };
        let wide = width((0..self.nodes.len()).map(|i| place(i).chars().count()), 60);
        for (i, node) in self.nodes.iter().enumerate() {
            let at = out.styled(Style::Path, &place(i), wide);
            out.line(&format!("{at}  {}", clipped(&printable(&node.text), 120)))?;
        }
        if self.total == 0 {
            out.line(&format!("no node of kind '{}'", printable(&self.kind)))?;
        }
        if let Some(next) = self.next_offset {
            let least = if self.complete { "" } else { "at least " };
            out.faint(&format!("{} of {least}{}; go on with --offset {next}", self.nodes.len(), self.total))?;
        }
        if !self.complete {
            let (done, all) = (self.files_searched, count(self.files_to_search as u64, "file"));
            out.faint(&format!("searched {done} of {all}; --count searches all"))?;
        }
        remarks(out, &self.remarks)
    }
}
