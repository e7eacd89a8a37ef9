//! `codegraph import`: take over what another tool knows.

use std::io;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use codegraph_scip::ImportReport;

use super::Run;
use crate::context::Context;
use crate::human::{count, printable};
use crate::output::{Answer, Out, Outcome, print};

/// Take over what a compiler-made index knows about references
///
/// What it covers becomes exact, file by file, and stays so until the file changes. A new `init` starts without it.
#[derive(Args)]
pub(crate) struct Import {
    /// The format of the file
    format: Format,
    /// The file, packed with gzip or not
    file: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// An index as SCIP indexers write it
    Scip,
}

impl Run for Import {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let Format::Scip = self.format;
        let truth = codegraph_scip::read(&self.file)?;
        let (project, reader) = (context.project()?, context.reader()?);
        print(context, "import", &codegraph_scip::import(&project, &reader, &truth)?)
    }
}

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
