//! `codegraph references`: where the name at a place is used.

use clap::Args;
use codegraph_query::Selector;

use super::Run;
use super::shared::WindowArgs;
use crate::context::Context;
use crate::output::{Outcome, print};

/// Show where the name at a place is used
///
/// As `refs`, but for the name under a cursor, local names and parameters too.
#[derive(Args)]
pub(crate) struct References {
    /// FILE:LINE:COLUMN (lines from 1, columns from 0 in bytes), FILE:LINE, a name, a qualified name or an id
    #[arg(allow_hyphen_values = true)]
    place: Selector,
    /// Only these kinds of use, such as call, read, write, import, inherit
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    kind: Vec<String>,
    /// Only files that match a glob, or in a folder
    #[arg(long, value_name = "GLOB", alias = "file_filter")]
    file_filter: Option<String>,
    /// Show only the sites that may mean the symbol by their name but could not be bound
    #[arg(long)]
    candidates: bool,
    /// Show the lines alone: `file: 12, 40, 77`
    #[arg(long)]
    compact: bool,
    #[command(flatten)]
    window: WindowArgs,
}

impl Run for References {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let question = codegraph_query::References {
            selector: self.place.clone(),
            kinds: self.kind.clone(),
            file_filter: self.file_filter.clone(),
            candidates: self.candidates,
            compact: self.compact,
            window: self.window.window_of(self.compact),
        };
        print(context, "references", &codegraph_query::references(&context.reader()?, &question)?)
    }
}
