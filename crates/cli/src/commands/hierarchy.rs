//! `codegraph hierarchy`: the types above and below a type.

use clap::Args;
use codegraph_query::Selector;

use super::Run;
use crate::context::Context;
use crate::output::{Outcome, print};

/// Show the bases of a type and the types that are made of it
#[derive(Args)]
pub(crate) struct Hierarchy {
    /// A name, a qualified name or the end of one, FILE:LINE, an id or 8 digits of it
    #[arg(allow_hyphen_values = true)]
    symbol: Selector,
}

impl Run for Hierarchy {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        print(context, "hierarchy", &codegraph_query::hierarchy(&context.reader()?, &self.symbol)?)
    }
}
