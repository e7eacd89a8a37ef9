//! `codegraph tree`: the indexed files.

use std::io;

use clap::Args;
use codegraph_query::{TreeAnswer, TreeEntry, Window};

use super::Run;
use crate::context::Context;
use crate::human::{count, more, printable, remarks};
use crate::output::{Answer, Out, Outcome, Style, print};

/// Print the tree of indexed files
#[derive(Args)]
pub(crate) struct Tree {
    /// A folder
    #[arg(default_value = "", hide_default_value = true)]
    path: String,
    /// Show so many levels
    #[arg(long, value_name = "N")]
    depth: Option<usize>,
    /// Count lines, symbols and terms
    #[arg(long, alias = "include-stats")]
    stats: bool,
    /// Show at most so many
    #[arg(long, value_name = "N", default_value_t = 500)]
    limit: usize,
    /// Leave out the first so many
    #[arg(long, value_name = "N", default_value_t = 0)]
    offset: usize,
}

impl Run for Tree {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let question = codegraph_query::Tree {
            path: self.path.clone(),
            depth: self.depth,
            include_stats: self.stats,
            window: Window { limit: self.limit, offset: self.offset },
        };
        print(context, "tree", &codegraph_query::tree(&context.reader()?, &question)?)
    }
}

impl Answer for TreeAnswer {
    fn found(&self) -> bool {
        self.total > 0
    }

    fn partial(&self) -> bool {
        self.next_offset.is_some() || !self.remarks.stale_files.is_empty()
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        let root = out.styled(Style::Path, &printable(&self.root), 0);
        out.line(&format!("{root}  {}", out.styled(Style::Faint, &count(self.files as u64, "file"), 0)))?;
        let base = if self.root == "." { 0 } else { self.root.split('/').count() };
        for entry in &self.entries {
            let depth = entry.path.split('/').count().saturating_sub(base);
            let name = printable(entry.path.rsplit('/').next().unwrap_or(&entry.path));
            let name = match entry.entry_type {
                "directory" => out.styled(Style::Path, &format!("{name}/"), 0),
                _ => name,
            };
            let numbers = out.styled(Style::Faint, &numbers(entry), 0);
            out.line(&format!("{}{name}  {numbers}", "  ".repeat(depth)))?;
        }
        more(out, self.entries.len(), self.total, self.next_offset)?;
        remarks(out, &self.remarks)
    }
}

fn numbers(entry: &TreeEntry) -> String {
    let number = |value: Option<u64>, noun: &str| value.map(|value| count(value, noun));
    let parts = [
        entry.file_count.map(|files| count(files as u64, "file")),
        number(entry.line_count, "line"),
        number(entry.symbol_count, "symbol"),
        number(entry.method_count, "method"),
        number(entry.item_count, "item"),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}
