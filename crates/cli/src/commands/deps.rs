//! `codegraph deps`: which files use which.

use clap::Args;

use super::Run;
use super::shared::{LinkedArgs, WindowArgs};
use crate::context::Context;
use crate::output::{Outcome, print};

/// Show which files use which, or the files around one
#[derive(Args)]
pub(crate) struct Deps {
    /// A file [default: all]
    file: Option<String>,
    /// Only pairs of files that use each other
    #[arg(long, alias = "bidirectional")]
    mutual: bool,
    /// Only files that match a glob, or in a folder
    #[arg(long, value_name = "GLOB", alias = "file_filter")]
    file_filter: Option<String>,
    #[command(flatten)]
    window: WindowArgs,
}

impl Run for Deps {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let question = codegraph_query::Deps {
            file: self.file.clone(),
            file_filter: self.file_filter.clone(),
            mutual: self.mutual,
            window: self.window.window(),
        };
        print(context, "deps", &context.facts(LinkedArgs::default())?.deps(&question)?)
    }
}
