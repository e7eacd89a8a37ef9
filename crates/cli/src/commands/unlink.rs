//! `codegraph unlink`: forget a linked project.

use anyhow::Context as _;
use clap::Args;

use super::Run;
use crate::context::Context;
use crate::output::{Outcome, print};

/// Remove a link to another project; the project itself is not touched
#[derive(Args)]
pub(crate) struct Unlink {
    /// The name of the link, its number or its path
    link: String,
}

impl Run for Unlink {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let base = std::env::current_dir().context("the current folder could not be found")?;
        print(context, "unlink", &codegraph_knowledge::unlink(&context.project()?, &self.link, &base)?)
    }
}
