//! The answer of `codegraph doctor`: check the index against the tree.

use std::io;

use codegraph_index::Health;

use crate::human::{count, printable, time};
use crate::{Answer, Out};

const MOST_PATHS: usize = 5;

impl Answer for Health {
    fn print(&self, out: &mut Out) -> io::Result<()> {
        for finding in &self.findings {
            out.warning(&format!("{}: {}", finding.check, printable(&finding.message)))?;
            for path in finding.paths.iter().take(MOST_PATHS) {
                out.line(&format!("  {}", printable(path)))?;
            }
            if finding.paths.len() > MOST_PATHS {
                out.line(&format!("  and {} more", finding.paths.len() - MOST_PATHS))?;
            }
            out.line(&format!("  {}", out.advice(&finding.remedy)))?;
        }
        let state = match self.findings.len() {
            0 => "healthy".to_owned(),
            n => count(n as u64, "finding"),
        };
        let (files, compared) = (count(self.files, "file"), self.compared);
        out.line(&format!("{state}: {files}, {compared} read again and compared ({})", time(self.duration_ms)))
    }
}
