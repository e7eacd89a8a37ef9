//! `codegraph impact`: what a change of a symbol concerns.

use clap::Args;
use codegraph_query::Several;

use super::Run;
use super::shared::{LinkedArgs, SymbolArgs, WindowArgs};
use crate::context::Context;
use crate::output::{Outcome, print};

/// Show what breaks if a symbol changes: everything that uses it, directly or through others; tests apart
///
/// `?` marks what is reached only if a call runs another method than the one that it names.
#[derive(Args)]
#[command(aliases = ["affected", "blast-radius"])]
pub(crate) struct Impact {
    #[command(flatten)]
    symbols: SymbolArgs,
    /// How many levels to go
    #[arg(long, default_value_t = 3, value_name = "N")]
    depth: u32,
    #[command(flatten)]
    window: WindowArgs,
}

impl Run for Impact {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let facts = context.facts(LinkedArgs::default())?;
        let (depth, window) = (self.depth, self.window.window());
        let answers = Several::ask(&self.symbols.all(), |symbol| {
            facts.impact(&codegraph_query::Impact { symbol: symbol.clone(), depth, window })
        });
        print(context, "impact", &answers?)
    }
}
