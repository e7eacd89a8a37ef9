//! `codegraph chunks`: source in pieces.

use clap::Args;
use codegraph_query::{DEFAULT_CHUNK_BYTES, Selector};

use super::Run;
use super::shared::WindowArgs;
use crate::context::Context;
use crate::output::{Outcome, print};

/// Print the source of a file or symbol in pieces, cut at definitions
#[derive(Args)]
pub(crate) struct Chunks {
    /// A file, or a symbol by name, qualified name, FILE:LINE or id
    #[arg(value_name = "FILE|SYMBOL")]
    of: Selector,
    /// The longest piece
    #[arg(long, value_name = "N", default_value_t = DEFAULT_CHUNK_BYTES)]
    max_bytes: usize,
    #[command(flatten)]
    window: WindowArgs,
}

impl Run for Chunks {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        let question =
            codegraph_query::Chunks { of: self.of.clone(), most_bytes: self.max_bytes, window: self.window.window() };
        print(context, "chunks", &codegraph_query::chunks(&context.reader()?, &question)?)
    }
}
