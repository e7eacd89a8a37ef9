//! `codegraph signature`: the outline of a file.

use clap::Args;

use super::Run;
use crate::context::Context;
use crate::output::{Outcome, print};

/// Print the outline of a file: types, methods with prototypes, line ranges
#[derive(Args)]
pub(crate) struct Signature {
    file: String,
}

impl Run for Signature {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        print(context, "signature", &codegraph_query::signature(&context.reader()?, &self.file)?)
    }
}
