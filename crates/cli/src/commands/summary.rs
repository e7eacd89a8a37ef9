//! `codegraph summary`: what the project is made of, and what people have written about it.

use clap::Args;

use super::Run;
use crate::context::Context;
use crate::output::{Outcome, print};

/// Show what the project is: entry points, main types, dependencies, structure, and what people wrote about it
///
/// The page is kept in .codegraph/summary.md. What stands there between the two markers is generated; everything else
/// is yours and stays as it is.
#[derive(Args)]
pub(crate) struct Summary {}

impl Run for Summary {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let reader = context.reader()?;
        print(context, "summary", &codegraph_knowledge::summary(&context.project()?, &reader)?)
    }
}
