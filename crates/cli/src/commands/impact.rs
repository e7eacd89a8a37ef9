//! `codegraph impact`: what a change of a symbol concerns.

use clap::Args;
use codegraph_query::Selector;

use super::Run;
use super::shared::WindowArgs;
use crate::context::Context;
use crate::output::{Outcome, print};

/// Show what breaks if a symbol changes: everything that uses it, directly or through others; tests apart
#[derive(Args)]
pub(crate) struct Impact {
    /// A name, a qualified name or the end of one, FILE:LINE, an id or 8 digits of it
    #[arg(allow_hyphen_values = true)]
    symbol: Selector,
    /// How many levels to go
    #[arg(long, default_value_t = 5, value_name = "N")]
    depth: u32,
    #[command(flatten)]
    window: WindowArgs,
}

impl Run for Impact {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let question =
            codegraph_query::Impact { symbol: self.symbol.clone(), depth: self.depth, window: self.window.window() };
        print(context, "impact", &codegraph_query::impact(&context.reader()?, &question)?)
    }
}
