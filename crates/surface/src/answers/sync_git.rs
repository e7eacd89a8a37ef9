//! The answer of `codegraph sync-git`: update what differs between two revisions.

use std::io;

use codegraph_index::GitChange;
use serde::Serialize;

use super::update::UpdateAnswer;
use crate::human::count;
use crate::{Answer, Out};

#[derive(Serialize)]
pub struct SyncAnswer {
    /// What git says has changed.
    pub changes: Vec<GitChange>,
    #[serde(flatten)]
    pub update: UpdateAnswer,
}

impl Answer for SyncAnswer {
    fn print(&self, out: &mut Out) -> io::Result<()> {
        out.line(&format!("git: {} differ", count(self.changes.len() as u64, "file")))?;
        self.update.print(out)
    }
}
