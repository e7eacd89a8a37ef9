//! `codegraph tree`: the indexed files.

use clap::Args;
use codegraph_query::Window;

use super::Run;
use crate::context::Context;
use crate::output::{Outcome, print};

/// Print the tree of indexed files
#[derive(Args)]
#[command(aliases = ["ls", "files"])]
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
