//! `codegraph doctor`: check the index against the tree.

use std::io;

use clap::Args;
use codegraph_index::{DoctorOptions, Health, doctor};

use super::Run;
use crate::context::Context;
use crate::human::{count, printable, time};
use crate::output::{Answer, Out, Outcome, print};
use crate::progress::Bar;

/// Check the index against the tree and say what is wrong
#[derive(Args)]
pub(crate) struct Doctor {
    /// Read every file again, not just a sample
    #[arg(long)]
    full: bool,
}

impl Run for Doctor {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let project = context.project()?;
        let options = DoctorOptions { full: self.full, ..DoctorOptions::default() };
        let health = {
            let bar = Bar::new(context.json);
            doctor(&project, &options, &bar)?
        };
        // Findings are what a script looks for: it sees them in the exit status.
        let outcome = if health.findings.is_empty() { Outcome::Answered } else { Outcome::NothingFound };
        print(context, "doctor", &health).map(|_| outcome)
    }
}

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
            out.line(&format!("  {}", finding.remedy))?;
        }
        let state = match self.findings.len() {
            0 => "healthy".to_owned(),
            n => count(n as u64, "finding"),
        };
        let (files, compared) = (count(self.files, "file"), self.compared);
        out.line(&format!("{state}: {files}, {compared} read again and compared ({})", time(self.duration_ms)))
    }
}
