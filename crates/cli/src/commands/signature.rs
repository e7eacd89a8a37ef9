//! `codegraph signature`: the outline of a file.

use clap::Args;
use codegraph_query::Several;

use super::Run;
use crate::context::Context;
use crate::output::{Outcome, print};

/// Print the outline of a file: types, methods with prototypes, line ranges
#[derive(Args)]
#[command(aliases = ["outline", "file-symbols"])]
pub(crate) struct Signature {
    file: String,
    /// More files: each gets its outline
    #[arg(value_name = "FILE")]
    more: Vec<String>,
    /// Only what has this in its name, with the types around it
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
}

impl Run for Signature {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let reader = context.reader()?;
        let files: Vec<&String> = [&self.file].into_iter().chain(&self.more).collect();
        let answers = Several::ask(&files, |file| codegraph_query::signature(&reader, file, self.filter.as_deref()));
        print(context, "signature", &answers?)
    }
}
