//! `codegraph get`: the source of a symbol.

use clap::Args;
use codegraph_query::{Extent, Several};

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
    /// All lines of a long type, file or documentation
    #[arg(long, alias = "all")]
    full: bool,
    /// Of long bodies only the lines that have these words
    #[arg(long, value_name = "WORDS", alias = "match", conflicts_with = "full")]
    about: Option<String>,
}

impl Run for Get {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let reader = context.reader()?;
        let extent = Extent { full: self.full, about: self.about.as_deref() };
        let answer = Several::ask(&self.symbols.all(), |symbol| codegraph_query::get(&reader, symbol, &extent))?;
        print(context, "get", &answer)
    }
}
