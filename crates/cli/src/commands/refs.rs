//! `codegraph refs`: where a symbol is used.

use clap::Args;
use codegraph_query::Several;

use super::Run;
use super::shared::{LinkedArgs, SymbolArgs, WindowArgs};
use crate::context::Context;
use crate::output::{Outcome, print};

/// Show where a symbol is used
///
/// Lists what scopes, imports and types prove; `~` marks what needed an inference. Sites that only have the name are
/// counted by what they are asked of, apart from those that are known to be something else.
#[derive(Args)]
#[command(aliases = ["usages", "uses", "who-uses"])]
pub(crate) struct Refs {
    #[command(flatten)]
    symbols: SymbolArgs,
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
    linked: LinkedArgs,
    #[command(flatten)]
    window: WindowArgs,
}

impl Run for Refs {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let facts = context.facts(self.linked)?;
        let answers = Several::ask(&self.symbols.all(), |symbol| {
            let question = codegraph_query::Refs {
                symbol: symbol.clone(),
                kinds: self.kind.clone(),
                file_filter: self.file_filter.clone(),
                candidates: self.candidates,
                compact: self.compact,
                window: self.window.window_of(self.compact),
            };
            facts.refs(&question)
        });
        print(context, "refs", &answers?)
    }
}
