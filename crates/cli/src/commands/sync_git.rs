//! `codegraph sync-git`: update what differs between two revisions.

use std::io;

use clap::Args;
use codegraph_index::{GitChange, UpdateOptions, sync_git};
use serde::Serialize;

use super::Run;
use super::update::UpdateAnswer;
use crate::context::Context;
use crate::human::count;
use crate::output::{Answer, Out, Outcome, print};
use crate::progress::Bar;

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

#[derive(Serialize)]
struct SyncAnswer {
    /// What git says has changed.
    changes: Vec<GitChange>,
    #[serde(flatten)]
    update: UpdateAnswer,
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

impl Answer for SyncAnswer {
    fn print(&self, out: &mut Out) -> io::Result<()> {
        out.line(&format!("git: {} differ", count(self.changes.len() as u64, "file")))?;
        self.update.print(out)
    }
}
