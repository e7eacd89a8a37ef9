//! `codegraph status`: what the index has.

use clap::Args;

use super::Run;
use crate::context::Context;
use crate::output::{Outcome, print};

/// Print what the index has: counts, languages, size, problems
#[derive(Args)]
#[command(aliases = ["stats"])]
pub(crate) struct Status {}

impl Run for Status {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        print(context, "status", &codegraph_query::status(&context.reader()?)?)
    }
}
