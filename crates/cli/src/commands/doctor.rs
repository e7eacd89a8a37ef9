//! `codegraph doctor`: check the index against the tree.

use clap::Args;
use codegraph_index::{DoctorOptions, doctor};

use super::Run;
use crate::context::Context;
use crate::output::{Outcome, print};
use crate::progress::Bar;

/// Check the index against the tree and say what is wrong
#[derive(Args)]
#[command(aliases = ["check", "health"])]
pub(crate) struct Doctor {
    /// Read every file again, not just a sample
    #[arg(long)]
    full: bool,
    /// Read every file again, build a new index beside this one and compare all that the two say
    #[arg(long)]
    deep: bool,
}

impl Run for Doctor {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let project = context.project()?;
        let options = DoctorOptions { full: self.full || self.deep, deep: self.deep, ..DoctorOptions::default() };
        let health = {
            let bar = Bar::new(context.json);
            doctor(&project, &options, &bar)?
        };
        // Findings are what a script looks for: it sees them in the exit status.
        let outcome = if health.findings.is_empty() { Outcome::Answered } else { Outcome::NothingFound };
        print(context, "doctor", &health).map(|_| outcome)
    }
}
