//! `codegraph get`: the source of a symbol.

use clap::Args;
use codegraph_query::Several;

use super::Run;
use super::shared::SymbolArgs;
use crate::context::Context;
use crate::output::{Outcome, print};

/// Print the source of symbols, with its decorators and documentation
#[derive(Args)]
#[command(aliases = ["show", "source", "cat", "view", "code"])]
pub(crate) struct Get {
    #[command(flatten)]
    symbols: SymbolArgs,
    /// All lines of a long type or file, instead of its members
    #[arg(long, alias = "all")]
    full: bool,
}

impl Run for Get {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let reader = context.reader()?;
        let answer = Several::ask(&self.symbols.all(), |symbol| codegraph_query::get(&reader, symbol, self.full))?;
        print(context, "get", &answer)
    }
}
