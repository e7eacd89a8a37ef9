//! The answer of `codegraph sync-git`: update what differs between two revisions.

use std::io;

use codegraph_runtime::SyncAnswer;

use crate::human::count;
use crate::{Answer, Out};

impl Answer for SyncAnswer {
    fn print(&self, out: &mut Out) -> io::Result<()> {
        out.line(&format!("git: {} differ", count(self.changes.len() as u64, "file")))?;
        self.update.print(out)
    }
}
