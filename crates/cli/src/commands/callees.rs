//! `codegraph callees`: what a symbol calls.

use clap::Args;

use super::Run;
use super::callers::CallArgs;
use super::shared::LinkedArgs;
use crate::context::Context;
use crate::output::{Outcome, print};

/// Show what a symbol calls
#[derive(Args)]
#[command(aliases = ["calls"])]
pub(crate) struct Callees {
    #[command(flatten)]
    calls: CallArgs,
    #[command(flatten)]
    linked: LinkedArgs,
}

impl Run for Callees {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let facts = context.facts(self.linked)?;
        print(context, "callees", &self.calls.ask(|question| facts.callees(question))?)
    }
}
