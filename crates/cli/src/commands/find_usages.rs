//! `codegraph find-usages`: where a name is used, whatever it means.

use clap::Args;
use codegraph_query::Selector;

use super::Run;
use super::shared::WindowArgs;
use crate::context::Context;
use crate::output::{Outcome, print};

/// Show where a name is used, for all symbols that have it; `?` marks what only has the name
#[derive(Args)]
#[command(name = "find-usages", alias = "find_usages")]
pub(crate) struct FindUsages {
    /// A name, a qualified name or the end of one, FILE:LINE, an id or 8 digits of it
    #[arg(allow_hyphen_values = true)]
    name: Selector,
    /// Only these kinds of use, such as call, read, write, import, inherit
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    kind: Vec<String>,
    /// Only files that match a glob, or in a folder
    #[arg(long, value_name = "GLOB", alias = "file_filter")]
    file_filter: Option<String>,
    /// Show the lines alone: `file: 12, 40, 77`
    #[arg(long)]
    compact: bool,
    #[command(flatten)]
    window: WindowArgs,
}

impl Run for FindUsages {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let question = codegraph_query::FindUsages {
            name: self.name.clone(),
            kinds: self.kind.clone(),
            file_filter: self.file_filter.clone(),
            compact: self.compact,
            window: self.window.window_of(self.compact),
        };
        print(context, "find_usages", &codegraph_query::find_usages(&context.reader()?, &question)?)
    }
}
