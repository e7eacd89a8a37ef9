//! `codegraph signatures`: the outlines of several files.

use std::io;

use clap::Args;
use codegraph_query::SignaturesAnswer;

use super::Run;
use super::shared::WindowArgs;
use super::signature::outline;
use crate::context::Context;
use crate::human::{more, remarks};
use crate::output::{Answer, Out, Outcome, print};

/// Print the outlines of several files
#[derive(Args)]
pub(crate) struct Signatures {
    /// A glob, a folder, or a list of files
    #[arg(required = true, value_name = "GLOB|FILE")]
    files: Vec<String>,
    #[command(flatten)]
    window: WindowArgs,
}

impl Run for Signatures {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let (path, files) = match self.files.as_slice() {
            [one] => (Some(one.clone()), Vec::new()),
            many => (None, many.to_vec()),
        };
        let question = codegraph_query::Signatures { path, files, window: self.window.window() };
        print(context, "signatures", &codegraph_query::signatures(&context.reader()?, &question)?)
    }
}

impl Answer for SignaturesAnswer {
    fn found(&self) -> bool {
        self.total > 0
    }

    fn partial(&self) -> bool {
        self.next_offset.is_some() || !self.remarks.stale_files.is_empty()
    }

    fn print(&self, out: &mut Out) -> io::Result<()> {
        for (number, signature) in self.signatures.iter().enumerate() {
            if number > 0 {
                out.line("")?;
            }
            outline(out, signature)?;
        }
        if self.total == 0 {
            out.line("no such file in the index")?;
        }
        more(out, self.signatures.len(), self.total, self.next_offset)?;
        remarks(out, &self.remarks)
    }
}
