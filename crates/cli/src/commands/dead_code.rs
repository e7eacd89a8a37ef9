//! `codegraph dead-code`: symbols that nothing refers to.

use clap::Args;

use super::Run;
use super::shared::WindowArgs;
use crate::context::Context;
use crate::output::{Outcome, print};

/// Show functions, types and constants that nothing refers to
///
/// Tests, entry points, overriding and decorated things are left out, and so is everything that a site names without
/// proof.
#[derive(Args)]
#[command(aliases = ["unused", "dead"])]
#[command(name = "dead-code", alias = "dead_code")]
pub(crate) struct DeadCode {
    /// Those too that others outside the project could use
    #[arg(long)]
    public: bool,
    /// Only files that match a glob, or in a folder
    #[arg(long, value_name = "GLOB", alias = "file_filter")]
    file_filter: Option<String>,
    #[command(flatten)]
    window: WindowArgs,
}

impl Run for DeadCode {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let question = codegraph_query::DeadCode {
            public: self.public,
            file_filter: self.file_filter.clone(),
            window: self.window.window(),
        };
        print(context, "dead_code", &codegraph_query::dead_code(&context.reader()?, &question)?)
    }
}
