//! `codegraph import`: take over what another tool knows.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::Run;
use crate::context::Context;
use crate::output::{Outcome, print};

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
