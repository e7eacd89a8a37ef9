//! `codegraph cycles`: files or functions that use each other in a circle.

use clap::Args;

use super::Run;
use super::shared::WindowArgs;
use crate::context::Context;
use crate::output::{Outcome, print};

/// Show files that use each other in a circle
#[derive(Args)]
pub(crate) struct Cycles {
    /// Functions that call each other instead of files
    #[arg(long)]
    symbols: bool,
    #[command(flatten)]
    window: WindowArgs,
}

impl Run for Cycles {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let question = codegraph_query::Cycles { symbols: self.symbols, window: self.window.window() };
        print(context, "cycles", &codegraph_query::cycles(&context.reader()?, &question)?)
    }
}
