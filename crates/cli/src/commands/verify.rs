//! `codegraph verify`: our links against those of a compiler.

use std::path::PathBuf;

use clap::Args;

use super::Run;
use crate::context::Context;
use crate::output::{Outcome, print};

/// Measure precision and recall of the links against a compiler-made index of the same tree
#[derive(Args)]
pub(crate) struct Verify {
    /// The compiler-made index, packed with gzip or not
    #[arg(long, value_name = "FILE")]
    scip: PathBuf,
    /// Show so many examples of each class of missed and wrong links
    #[arg(long, value_name = "N", default_value_t = 1)]
    misses: usize,
}

impl Run for Verify {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let truth = codegraph_scip::read(&self.scip)?;
        let mut reader = context.reader()?;
        let answer = codegraph_scip::verify(&mut reader, env!("CARGO_PKG_VERSION"), &truth, self.misses)?;
        print(context, "verify", &answer)
    }
}
