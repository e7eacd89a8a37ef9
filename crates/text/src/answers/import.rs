//! The answer of `codegraph import`: take over what another tool knows.

use std::io;

use codegraph_scip::ImportReport;

use crate::human::{count, printable};
use crate::{Answer, Out};

const MOST_NAMED: usize = 5;

impl Answer for ImportReport {
    fn found(&self) -> bool {
        self.files > 0
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        let covered = self.bound + self.external + self.local;
        out.line(&format!(
            "{} {}: {covered} of {} in {}",
            printable(&self.tool),
            printable(&self.version),
            count(self.references, "reference"),
            count(self.files, "file")
        ))?;
        out.line(&format!(
            "  {} to symbols of the project: {} new, {} corrected, {} made exact",
            self.bound, self.added, self.corrected, self.upgraded
        ))?;
        out.line(&format!("  {} to something outside, {} to local names", self.external, self.local))?;
        if self.not_indexed.count > 0 {
            let named: Vec<String> = self.not_indexed.first.iter().take(MOST_NAMED).map(|f| printable(f)).collect();
            let files = count(self.not_indexed.count, "document");
            out.faint(&format!("{files} without an indexed file: {}", named.join(", ")))?;
        }
        Ok(())
    }
}
