//! `codegraph find-dependencies`: what a symbol or a file uses.

use clap::Args;
use codegraph_query::Selector;

use super::Run;
use super::shared::WindowArgs;
use crate::context::Context;
use crate::output::{Outcome, print};

/// Show what a symbol or a file uses, each thing once
#[derive(Args)]
#[command(name = "find-dependencies", alias = "find_dependencies")]
pub(crate) struct FindDependencies {
    /// A symbol (name, qualified name, FILE:LINE, id) or a file
    #[arg(allow_hyphen_values = true)]
    name: Selector,
    #[command(flatten)]
    window: WindowArgs,
}

impl Run for FindDependencies {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let question = codegraph_query::FindDependencies { name: self.name.clone(), window: self.window.window() };
        print(context, "find_dependencies", &codegraph_query::find_dependencies(&context.reader()?, &question)?)
    }
}
