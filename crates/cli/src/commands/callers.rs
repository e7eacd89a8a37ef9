//! `codegraph callers`: who calls a symbol. Shares arguments and output with `callees`.

use clap::Args;
use codegraph_query::{CALLS_LIMIT, Calls, CallsAnswer, Several};

use super::Run;
use super::shared::{LinkedArgs, SymbolArgs, WindowArgs};
use crate::context::Context;
use crate::output::{Outcome, print};

/// Show who calls a symbol
#[derive(Args)]
#[command(aliases = ["who-calls", "called-by"])]
pub(crate) struct Callers {
    #[command(flatten)]
    calls: CallArgs,
    #[command(flatten)]
    linked: LinkedArgs,
}

/// What callers and callees are asked for.
#[derive(Args)]
pub(super) struct CallArgs {
    #[command(flatten)]
    symbols: SymbolArgs,
    /// How many levels to go
    #[arg(long, default_value_t = 1, value_name = "N")]
    depth: u32,
    /// Show only the sites that could not be bound
    #[arg(long)]
    candidates: bool,
    /// Only sites in files that match a glob, or in a folder
    #[arg(long, value_name = "GLOB", alias = "file_filter")]
    file_filter: Option<String>,
    #[command(flatten)]
    window: WindowArgs,
}

impl CallArgs {
    /// Asks about each symbol.
    pub(super) fn ask(
        &self,
        answer: impl Fn(&Calls) -> anyhow::Result<CallsAnswer>,
    ) -> anyhow::Result<Several<CallsAnswer>> {
        Several::ask(&self.symbols.all(), |symbol| {
            answer(&Calls {
                symbol: symbol.clone(),
                depth: self.depth,
                candidates: self.candidates,
                file_filter: self.file_filter.clone(),
                window: self.window.or_as_many_as(CALLS_LIMIT),
            })
        })
    }
}

impl Run for Callers {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let facts = context.facts(self.linked)?;
        print(context, "callers", &self.calls.ask(|question| facts.callers(question))?)
    }
}
