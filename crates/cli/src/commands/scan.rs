//! `codegraph scan`: which indexed projects there are below a folder.

use std::path::PathBuf;

use clap::Args;

use super::Run;
use crate::context::Context;
use crate::output::{Outcome, print};

/// Find all indexed projects below a folder
#[derive(Args)]
pub(crate) struct Scan {
    /// Where to look [default: the current folder]
    path: Option<PathBuf>,
    /// Go down so many levels
    #[arg(long, value_name = "N", default_value_t = 8)]
    depth: usize,
}

impl Run for Scan {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let path = self.path.clone().unwrap_or_else(|| PathBuf::from("."));
        let answer = codegraph_knowledge::scan(&codegraph_knowledge::Scan { path, depth: self.depth })?;
        print(context, "scan", &answer)
    }
}
