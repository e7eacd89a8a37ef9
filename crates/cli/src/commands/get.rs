//! `codegraph get`: the source of a symbol.

use clap::Args;
use codegraph_query::Selector;

use super::Run;
use crate::context::Context;
use crate::output::{Outcome, print};

/// Print the source of a symbol, with its decorators and documentation
#[derive(Args)]
pub(crate) struct Get {
    /// A name, a qualified name or the end of one, FILE:LINE, an id or 8 digits of it
    #[arg(allow_hyphen_values = true)]
    symbol: Selector,
}

impl Run for Get {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        print(context, "get", &codegraph_query::get(&context.reader()?, &self.symbol)?)
    }
}
