//! `codegraph signatures`: the outlines of several files.

use clap::Args;

use super::Run;
use super::shared::WindowArgs;
use crate::context::Context;
use crate::output::{Outcome, print};

/// Print the outlines of several files
#[derive(Args)]
pub(crate) struct Signatures {
    /// A glob, a folder, or a list of files
    #[arg(required = true, value_name = "GLOB|FILE")]
    files: Vec<String>,
    #[command(flatten)]
    window: WindowArgs,
}

impl Run for Signatures {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let (path, files) = match self.files.as_slice() {
            [one] => (Some(one.clone()), Vec::new()),
            many => (None, many.to_vec()),
        };
        let question = codegraph_query::Signatures { path, files, window: self.window.window() };
        print(context, "signatures", &codegraph_query::signatures(&context.reader()?, &question)?)
    }
}
