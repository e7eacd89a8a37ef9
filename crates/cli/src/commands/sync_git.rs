//! `codegraph sync-git`: update what differs between two revisions.

use clap::Args;
use codegraph_index::{UpdateOptions, sync_git};

use super::Run;
use crate::context::Context;
use crate::output::{Outcome, print};
use crate::progress::Bar;
use codegraph_runtime::{SyncAnswer, UpdateAnswer};

/// Update the files that differ between two git revisions
#[derive(Args)]
pub(crate) struct SyncGit {
    /// The older revision
    #[arg(long, value_name = "REVISION", allow_hyphen_values = true)]
    from: String,
    /// The newer revision
    #[arg(long, value_name = "REVISION", default_value = "HEAD", allow_hyphen_values = true)]
    to: String,
}

impl Run for SyncGit {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let project = context.project()?;
        let report = {
            let bar = Bar::new(context.json);
            sync_git(&project, &self.from, &self.to, &UpdateOptions::default(), &bar)?
        };
        let update = UpdateAnswer { success: true, file: None, report: report.update };
        print(context, "sync-git", &SyncAnswer { changes: report.changes, update })
    }
}
