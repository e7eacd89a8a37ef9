//! `codegraph completions`: what could be written at a place.

use std::io::Read;

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use clap_complete::Shell;
use codegraph_query::FilePlace;

use super::Run;
use super::completions_script::CompletionsScript;
use super::shared::WindowArgs;
use crate::context::Context;
use crate::output::{Outcome, print};

/// Show what could be written at a place
///
/// After a dot the members of what stands before it, else the names that are visible there; only those that begin with
/// what is written already. The name of a shell prints its completion script.
#[derive(Args)]
pub(crate) struct Completions {
    /// FILE:LINE:COLUMN (lines from 1, columns from 0 in bytes); without a column, the end of the line
    #[arg(allow_hyphen_values = true)]
    place: String,
    /// Read the text of the file from standard input, as it is being written
    #[arg(long)]
    stdin: bool,
    #[command(flatten)]
    window: WindowArgs,
}

impl Run for Completions {
    fn run(&self, context: &Context) -> anyhow::Result<Outcome> {
        // Other programs print the script for a shell under this name.
        if let Ok(shell) = Shell::from_str(&self.place, true) {
            return CompletionsScript { shell }.run(context);
        }
        let text = match self.stdin {
            true => {
                let mut bytes = Vec::new();
                std::io::stdin().read_to_end(&mut bytes).context("standard input could not be read")?;
                Some(String::from_utf8_lossy(&bytes).into_owned())
            }
            false => None,
        };
        let question =
            codegraph_query::Completions { place: FilePlace::parse(&self.place)?, text, window: self.window.window() };
        print(context, "completions", &codegraph_query::completions(&context.reader()?, &question)?)
    }
}
