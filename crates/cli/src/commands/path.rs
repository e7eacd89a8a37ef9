//! `codegraph path`: how one symbol reaches another.

use clap::Args;
use codegraph_query::Selector;

use super::Run;
use crate::context::Context;
use crate::output::{Outcome, print};

/// Show the shortest chain of uses from one symbol to another
#[derive(Args)]
pub(crate) struct Path {
    /// The symbol that uses
    #[arg(allow_hyphen_values = true)]
    from: Selector,
    /// The symbol that is used in the end
    #[arg(allow_hyphen_values = true)]
    to: Selector,
}

impl Run for Path {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        print(context, "path", &codegraph_query::path(&context.reader()?, &self.from, &self.to)?)
    }
}
