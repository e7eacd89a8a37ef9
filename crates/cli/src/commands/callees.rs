//! `codegraph callees`: what a symbol calls.

use clap::Args;

use super::Run;
use super::callers::CallArgs;
use crate::context::Context;
use crate::output::{Outcome, print};

/// Show what a symbol calls
#[derive(Args)]
#[command(aliases = ["calls"])]
pub(crate) struct Callees {
    #[command(flatten)]
    calls: CallArgs,
}

impl Run for Callees {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let reader = context.reader()?;
        print(context, "callees", &self.calls.ask(|question| codegraph_query::callees(&reader, question))?)
    }
}
