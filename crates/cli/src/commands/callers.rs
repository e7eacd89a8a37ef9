//! `codegraph callers`: who calls a symbol. Shares arguments and output with `callees`.

use clap::Args;
use codegraph_query::Selector;

use super::Run;
use super::shared::{LinkedArgs, WindowArgs};
use crate::context::Context;
use crate::output::{Outcome, print};

/// Show who calls a symbol
#[derive(Args)]
pub(crate) struct Callers {
    #[command(flatten)]
    calls: CallArgs,
    #[command(flatten)]
    linked: LinkedArgs,
}

/// What callers and callees are asked for.
#[derive(Args)]
pub(super) struct CallArgs {
    /// A name, a qualified name or the end of one, FILE:LINE, an id or 8 digits of it
    #[arg(allow_hyphen_values = true)]
    symbol: Selector,
    /// How many levels to go
    #[arg(long, default_value_t = 1, value_name = "N")]
    depth: u32,
    /// Show the sites that could not be bound
    #[arg(long)]
    candidates: bool,
    #[command(flatten)]
    window: WindowArgs,
}

impl CallArgs {
    pub(super) fn question(&self) -> codegraph_query::Calls {
        codegraph_query::Calls {
            symbol: self.symbol.clone(),
            depth: self.depth,
            candidates: self.candidates,
            window: self.window.window(),
        }
    }
}

impl Run for Callers {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        print(
            context,
            "callers",
            &codegraph_query::callers(&context.reader_across(self.linked)?, &self.calls.question())?,
        )
    }
}
