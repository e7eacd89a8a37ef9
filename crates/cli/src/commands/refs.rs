//! `codegraph refs`: where a symbol is used.

use clap::Args;
use codegraph_query::Selector;

use super::Run;
use super::shared::{LinkedArgs, WindowArgs};
use crate::context::Context;
use crate::output::{Outcome, print};

/// Show where a symbol is used
///
/// Lists what scopes, imports and types prove; `~` marks what needed an inference. Sites that only have the name are
/// counted.
#[derive(Args)]
pub(crate) struct Refs {
    /// A name, a qualified name or the end of one, FILE:LINE, an id or 8 digits of it
    #[arg(allow_hyphen_values = true)]
    symbol: Selector,
    /// Only these kinds of use, such as call, read, write, import, inherit
    #[arg(long, value_name = "KIND", value_delimiter = ',')]
    kind: Vec<String>,
    /// Only files that match a glob, or in a folder
    #[arg(long, value_name = "GLOB", alias = "file_filter")]
    file_filter: Option<String>,
    /// Show the sites that name the symbol but could not be bound
    #[arg(long)]
    candidates: bool,
    #[command(flatten)]
    linked: LinkedArgs,
    #[command(flatten)]
    window: WindowArgs,
}

impl Run for Refs {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let question = codegraph_query::Refs {
            symbol: self.symbol.clone(),
            kinds: self.kind.clone(),
            file_filter: self.file_filter.clone(),
            candidates: self.candidates,
            window: self.window.window(),
        };
        print(context, "refs", &codegraph_query::refs(&context.reader_across(self.linked)?, &question)?)
    }
}
