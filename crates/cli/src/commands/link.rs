//! `codegraph link`: let questions go on to another project.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;

use super::Run;
use crate::context::Context;
use crate::output::{Outcome, print};

/// Link another indexed project, so that --include-dependencies asks it too
#[derive(Args)]
pub(crate) struct Link {
    /// The folder of the other project
    path: PathBuf,
    /// What answers call it [default: its own name]
    #[arg(long)]
    name: Option<String>,
}

impl Run for Link {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let base = std::env::current_dir().context("the current folder could not be found")?;
        let question = codegraph_knowledge::Link { path: self.path.clone(), base, name: self.name.clone() };
        print(context, "link", &codegraph_knowledge::link(&context.project()?, &question)?)
    }
}
